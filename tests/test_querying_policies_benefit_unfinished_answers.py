"""Unfinished answers are resumed where their next pages promise something."""

from __future__ import annotations

import pytest

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.benefit.unfinished_answers import UnfinishedAnswers, count_new_lately
from hiddenweb.querying.query import OpenAnswer


def test_little_is_expected_of_an_answer_whose_last_pages_had_nothing_new() -> None:
    benefit = BenefitPolicy("en")
    known = [(n, ["river", f"other{n % 9}"]) for n in range(60)]
    benefit.note_query(["river"])
    for at in range(0, 60, 10):
        benefit.read(known[at : at + 10], 60)
    benefit.end_answer()
    for word in ("first", "second", "third"):  # answers end after sixty records
        benefit.note_query([word])
        for at in range(0, 60, 10):
            benefit.read(known[at : at + 10], 400)
        benefit.end_answer(cut=True)
    benefit.note_query(["unseen"])  # many records hold it where lists do not show it
    for at in range(0, 40, 10):
        benefit.read(known[at : at + 10], 500)
    benefit.end_answer(had_more=True)

    proposal = benefit.next()

    assert proposal is not None
    assert proposal.expected < 1


def river() -> BenefitPolicy:
    """Return a policy that knows ten records with a river in them."""
    policy = BenefitPolicy("en")
    policy.note_query(["river"])
    policy.read([(at, ["river", f"other{at}"]) for at in range(10)], 100)
    policy.end_answer(had_more=True)
    return policy


def test_unread_pages_of_an_answer_have_its_unknown_records() -> None:
    knowledge = river().knowledge
    unfinished, words = UnfinishedAnswers(knowledge), knowledge.vocabulary.numbers(["river"])

    assert unfinished.rate_of_rest(words, 10, 100) == pytest.approx(knowledge.reach.page_size)
    assert unfinished.rate_of_rest(words, 55, 100) == pytest.approx(2 * knowledge.reach.page_size)
    assert unfinished.rate_of_rest(words, 100, 100) is None
    assert unfinished.rate_of_rest(words, 10, None) is None


def test_an_answer_is_unfinished_until_its_last_page() -> None:
    knowledge = river().knowledge
    unfinished, words = UnfinishedAnswers(knowledge), knowledge.vocabulary.numbers(["river"])
    unfinished.update(words, 10, had_more=True)
    assert unfinished.shown(words) == 10
    assert [each for each, _ in unfinished.list_rates()] == [words]

    unfinished.update(words, 100, had_more=False)

    assert unfinished.shown(words) == 0
    assert list(unfinished.list_rates()) == []


def test_new_records_are_counted_on_the_last_pages_only() -> None:
    answer = OpenAnswer(("river",))
    for new in (9, 4, 2):
        answer.add_page(10, new, None)

    assert count_new_lately(answer) == 3
