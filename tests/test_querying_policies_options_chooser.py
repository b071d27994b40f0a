"""The best of all promises is chosen, and stays the best until something is learnt."""

from __future__ import annotations

from option_shop import SELECTS

from hiddenweb.querying.option_counts import NOTHING
from hiddenweb.querying.policies.options.chooser import OptionChooser
from hiddenweb.querying.policies.options.knowledge import OptionKnowledge
from hiddenweb.querying.policies.options.no_words import NoWordPolicy
from hiddenweb.querying.query import LedgerEntry


def new_chooser() -> tuple[OptionChooser, OptionKnowledge]:
    knowledge = OptionKnowledge.of_form(SELECTS, has_box=False)
    return OptionChooser(NoWordPolicy(), knowledge, 20.0, is_advised=False), knowledge


def test_a_form_without_a_box_is_first_submitted_as_it_is() -> None:
    chooser, _ = new_chooser()

    best = chooser.best()

    assert best is not None
    assert (best.words, best.choices) == ((), NOTHING)
    assert chooser.best() is best
    assert chooser.take((), NOTHING) is best


def test_a_query_chosen_elsewhere_has_no_promise() -> None:
    chooser, _ = new_chooser()
    chooser.best()

    assert chooser.take((), frozenset([("genre", "noir")])) is None


def test_nothing_is_chosen_once_every_record_is_known() -> None:
    chooser, knowledge = new_chooser()
    knowledge.counts.learn_answer(NOTHING, found=3, shown=3)
    knowledge.counts.count_new(NOTHING, 3)

    assert chooser.best() is None


def test_an_unfinished_answer_may_be_the_best() -> None:
    words = NoWordPolicy()
    knowledge = OptionKnowledge.of_form(SELECTS[:1], has_box=False)
    chooser = OptionChooser(words, knowledge, 20.0, is_advised=False)
    words.note_query(())
    words.read([(number, ()) for number in range(10)], 400)
    words.end_answer(had_more=True)
    knowledge.submitted.add((), NOTHING)
    knowledge.learn(LedgerEntry((), (), 10, 10, 400, left=True), words.reach)

    best = chooser.best()

    assert best is not None
    assert best.continues
    assert best.why.startswith("anything has about 400 records, of which 10 were read")
