"""What is known of a form's controls, answer by answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from option_shop import SELECTS, Shop, films

from hiddenweb.querying.option_counts import NOTHING
from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.query import LedgerEntry
from hiddenweb.querying.search_behaviour import AnswerReach

if TYPE_CHECKING:
    from hiddenweb.querying.query import Choice


def test_a_form_that_shows_everything_without_a_choice_is_queried_once() -> None:
    shop = Shop(films())

    assert shop.surface(OptionsPolicy(None, SELECTS)) == 1
    assert len(shop.found_records) == 600


def test_an_empty_answer_without_a_choice_proves_nothing() -> None:
    shop = Shop(films(), without_choice=False)

    shop.surface(OptionsPolicy(None, SELECTS))

    assert len(shop.found_records) == 600
    assert all(len(choices) < 2 for _, choices in shop.submitted)


DRAMA = frozenset([("genre", "drama")])


def new_knowledge(*, has_box: bool = False) -> OptionKnowledge:
    return OptionKnowledge.of_form(SELECTS, has_box=has_box, language="en")


def line(choices: frozenset[Choice], found: int, total: int | None, *, left: bool = False) -> LedgerEntry:
    return LedgerEntry((), tuple(choices), found, found, total, left)


def test_only_a_cut_answer_to_options_gives_something_to_refine() -> None:
    knowledge = new_knowledge()

    assert not knowledge.learn(line(NOTHING, 10, 100, left=True), AnswerReach())
    assert not knowledge.learn(line(frozenset([("genre", "noir")]), 5, 5), AnswerReach())
    assert knowledge.learn(line(DRAMA, 10, 60, left=True), AnswerReach())
    assert knowledge.counts.reported_size == 100


def test_all_is_known_when_as_many_are_known_as_the_site_has() -> None:
    knowledge = new_knowledge()
    knowledge.learn(line(NOTHING, 10, 12, left=True), AnswerReach())
    assert not knowledge.is_all_known()

    knowledge.learn(line(DRAMA, 2, 2), AnswerReach())

    assert knowledge.is_all_known()


def test_an_empty_answer_without_any_choice_says_nothing_about_the_size() -> None:
    knowledge = new_knowledge(has_box=True)

    knowledge.learn(line(NOTHING, 0, 0), AnswerReach())

    assert knowledge.counts.reported_size is None


def test_two_options_of_a_control_do_not_go_together() -> None:
    knowledge = new_knowledge()

    assert knowledge.is_possible((), DRAMA)
    assert not knowledge.is_possible((), DRAMA | {("genre", "noir")})
    assert knowledge.kind(("film",), DRAMA) == " + genre"


def test_what_was_learnt_is_restored() -> None:
    knowledge, restored = new_knowledge(), new_knowledge()
    knowledge.judge((), DRAMA, 77)
    knowledge.corrections.learn("genre", 10.0, 3)
    knowledge.known_front.learn(brought_new=True)
    knowledge.empty_box.add(found=False)

    restored.restore(json.loads(json.dumps(knowledge.to_json())))

    assert restored.to_json() == knowledge.to_json()
