"""What a query promises is held to what is known, to what a site shows, and to its cost."""

from __future__ import annotations

import pytest
from option_shop import SELECTS

from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
from hiddenweb.querying.policies.options.promises import OptionPromises
from hiddenweb.querying.query import LedgerEntry
from hiddenweb.querying.search_behaviour import AnswerReach

DRAMA = frozenset([("genre", "drama")])


def promises(knowledge: OptionKnowledge, reach: AnswerReach | None = None) -> OptionPromises:
    return OptionPromises(knowledge, reach or AnswerReach(), 20.0)


def knowledge_of(total: int) -> OptionKnowledge:
    knowledge = OptionKnowledge.of_form(SELECTS, has_box=False)
    knowledge.learn(LedgerEntry((), (), 10, 10, total, left=True), AnswerReach())
    return knowledge


def test_an_option_promises_its_share_of_the_hidden_records() -> None:
    knowledge = knowledge_of(400)

    promise = promises(knowledge).promise(((), DRAMA))

    assert promise is not None
    assert promise.new == pytest.approx(97.5)
    assert promise.kind == "genre"
    assert "about 100 records have genre = drama" in promise.why


def test_a_query_that_was_submitted_or_is_not_offered_promises_nothing() -> None:
    knowledge = knowledge_of(400)
    knowledge.submitted.add((), DRAMA)

    assert promises(knowledge).promise(((), DRAMA)) is None
    assert promises(knowledge).promise(((), frozenset([("colour", "red")]))) is None


def test_an_answer_shows_no_more_than_the_site_shows() -> None:
    reach = AnswerReach()
    reach.note_cut_at(30)

    assert promises(knowledge_of(400), reach).shown(100) == 30
    assert promises(knowledge_of(400), reach).shown(20) == 20


def test_resuming_an_answer_costs_its_pages_only() -> None:
    rate = promises(knowledge_of(400)).rate
    reach_pages = AnswerReach().pages(10.0)

    assert rate((), DRAMA, 10.0, "genre", "").rate == pytest.approx(10 / (20 + reach_pages))
    assert rate((), DRAMA, 10.0, "genre", "", continues=True).rate == pytest.approx(10 / reach_pages)
