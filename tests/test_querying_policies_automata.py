"""The learning automaton as a policy: what it submits, when it turns pages, what it learns, and how it is saved."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.policies.automata import AutomataPolicy
from hiddenweb.querying.query import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.querying.policies.protocol import QueryPolicy

TEXTS = ("old red house by the sea", "red house in 1999", "red boat on the sea", "green boat", "red hill")


def answer_word(policy: QueryPolicy, word: str, numbers: range) -> int:
    return answer(policy, word, [(number, TEXTS[number].split()) for number in numbers])


def answer(policy: QueryPolicy, terms: str, records: Sequence[tuple[int, Sequence[str]]]) -> int:
    policy.note_query(terms.split())
    new = policy.read(records)
    policy.end_answer()
    return new


def list_submitted(policy: QueryPolicy, most: int = 50) -> list[str]:
    """Return what a policy submits if every answer is empty."""
    words: list[str] = []
    while len(words) < most and (proposal := policy.next()):
        words += proposal.words
        answer_word(policy, proposal.words[0], range(0))
    return words


def test_it_submits_every_word_and_number_of_the_records_once_except_stop_words_and_short_ones() -> None:
    policy = AutomataPolicy(Random(1), "en")
    answer_word(policy, "sea", range(5))

    assert sorted(list_submitted(policy)) == ["1999", "boat", "green", "hill", "house", "red"]


def test_a_language_without_spaces_has_short_words() -> None:
    policy = AutomataPolicy(Random(1), "ja")
    answer(policy, "海", [(1, ("海", "赤い", "家"))])

    assert sorted(list_submitted(policy)) == ["家", "赤い"]


def test_a_record_counts_as_new_once() -> None:
    policy = AutomataPolicy(Random(1), "en")

    assert answer_word(policy, "sea", range(2)) == 2
    assert answer_word(policy, "boat", range(1, 4)) == 2


def test_it_says_why_and_what_it_expects() -> None:
    policy = AutomataPolicy(Random(1), "en")
    answer_word(policy, "sea", range(1, 2))  # red, house and 1999
    proposal = policy.next()

    assert proposal is not None
    assert proposal.words[0] in {"red", "house", "1999"}
    assert proposal.why == f"1 records hold {proposal.words[0]!r}; it was chosen by its probability"
    assert proposal.expected == pytest.approx((1 + 2) / (0 + 2))  # the odds that a match is new


def test_words_of_new_records_inherit_the_probability_of_a_rewarded_word() -> None:
    inherited, plain = (AutomataPolicy(Random(1), "en", heirs=heirs) for heirs in (True, False))
    for policy in (inherited, plain):
        answer_word(policy, "sea", range(3))
        answer(policy, "house", [(9, ("red", "roof"))])

    with_heirs, without = inherited.automata.probabilities(), plain.automata.probabilities()
    assert with_heirs["red"] > without["red"]
    assert with_heirs["boat"] < without["boat"]


@pytest.mark.parametrize(
    ("pages", "is_worth"),
    [
        ([(20, 1)], True),  # one page says little
        ([(20, 5), (20, 3)], True),
        ([(20, 20), (20, 0), (20, 0)], False),
        ([(20, 20), (0, 0), (0, 0)], False),  # nothing was shown
        ([(20, 1), (20, 10), (20, 0)], True),  # a quarter of the last two
    ],
)
def test_pages_are_turned_while_enough_on_them_is_new(pages: list[tuple[int, int]], is_worth: bool) -> None:
    policy = AutomataPolicy(Random(1))
    policy.note_query(("sea",))
    key = 0
    for found, new in pages:
        policy.read([(-1, ())] * (found - new) + [(key := key + 1, ()) for _ in range(new)])

    assert policy.is_worth_turning() is is_worth


def test_several_words_chosen_elsewhere_are_one_action() -> None:
    policy = AutomataPolicy(Random(1), "en")

    assert answer(policy, "red house", [(0, ("red", "house"))]) == 1
    assert policy.automata.submitted == ("red house",)
    assert policy.automata.rewards == 1


def test_the_automaton_is_saved_and_restored() -> None:
    policy = AutomataPolicy(Random(1), "en")
    answer_word(policy, "sea", range(4))
    policy.note_query(("red",))
    records = [(number, TEXTS[number].split(), 1) for number in range(4)]
    again = AutomataPolicy(Random(5), "en")
    again.restore(policy.to_json(), records, [LedgerEntry(("sea",), (), 4, 4, None, left=False)])
    policy.automata._chance = Random(5)

    assert again.automata.probabilities() == policy.automata.probabilities()
    assert set(again.automata.submitted) == set(policy.automata.submitted) == {"sea", "red"}
    for each in (policy, again):
        assert each.read([(2, ()), (4, TEXTS[4].split())]) == 1
        each.end_answer()
    assert list_submitted(again) == list_submitted(policy)


def test_a_query_without_an_answer_is_penalised_and_not_resubmitted() -> None:
    policy = AutomataPolicy(Random(1), "en")
    answer_word(policy, "sea", range(3))

    policy.note_query(("red",))
    policy.failed()

    assert policy.automata.penalties == 1
    assert "red" not in list_submitted(policy)


def test_the_same_seed_submits_the_same() -> None:
    runs = []
    for _ in range(2):
        policy = AutomataPolicy(Random(3), "en")
        answer_word(policy, "sea", range(5))
        runs.append(list_submitted(policy))

    assert runs[0] == runs[1]


def test_a_word_whose_answer_did_not_come_is_not_penalised() -> None:
    policy = AutomataPolicy(Random(1), "en")
    answer_word(policy, "sea", range(4))
    policy.note_query(("red",))
    policy.interrupt_answer()

    assert policy.automata.penalties == 0
    policy.note_query(("red",))
    policy.read([(7, ("red", "house"))])
    policy.end_answer()
    assert policy.automata.rewards == 2
