"""The published policies: each by hand, and all of them by one protocol."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.published import (
    AdaptivePolicy,
    FrequencyPolicy,
    RandomPolicy,
    TopKPolicy,
    WordListPolicy,
)
from hiddenweb.querying.query import LedgerEntry

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.querying.policies.protocol import QueryPolicy

TEXTS = ("old red house by the sea", "red house in 1999", "red boat on the sea", "green boat", "red hill")
MAKERS: dict[str, Callable[[], QueryPolicy]] = {
    "frequency": lambda: FrequencyPolicy("en"),
    "random": lambda: RandomPolicy(Random(1), "en"),
    "listed": lambda: WordListPolicy(["boat", "house", "hill"], "en"),
    "adaptive": lambda: AdaptivePolicy("en"),
    "top k": lambda: TopKPolicy("en"),
    "benefit": lambda: BenefitPolicy("en"),
}


def answer_word(policy: QueryPolicy, word: str, numbers: range, total: int | None = None) -> int:
    policy.note_query((word,))
    new = policy.read([(number, TEXTS[number % 5].split()) for number in numbers], total)
    policy.end_answer()
    return new


def list_submitted(policy: QueryPolicy, count: int) -> list[str]:
    """Return the words that a policy submits if each finds nothing."""
    words: list[str] = []
    while len(words) < count and (proposal := policy.next()):
        words.append(proposal.words[0])
        answer_word(policy, proposal.words[0], range(0))
    return words


@pytest.mark.parametrize("name", MAKERS)
def test_each_submits_everything_once_and_then_nothing(name: str) -> None:
    policy = MAKERS[name]()
    assert answer_word(policy, "sea", range(5)) == 5
    submitted = []
    while proposal := policy.next():
        submitted.append(proposal.words)
        assert proposal.why
        answer_word(policy, proposal.words[0], range(0))
        assert len(submitted) < 50
    assert len(submitted) == len(set(submitted)) > 2
    assert ("sea",) not in submitted


@pytest.mark.parametrize("name", MAKERS)
def test_a_record_counts_as_new_once(name: str) -> None:
    policy = MAKERS[name]()
    assert answer_word(policy, "sea", range(2)) == 2
    assert answer_word(policy, "boat", range(1, 4)) == 2


def test_frequency_leaves_stop_words_numbers_and_short_words_out() -> None:
    policy = FrequencyPolicy("en")
    answer_word(policy, "hill", range(5))
    submitted = list_submitted(policy, 20)
    assert submitted[0] == "red"
    assert set(submitted[1:4]) == {"house", "sea", "boat"}
    assert not {"the", "by", "in", "on", "1999", "hill"} & set(submitted)


def test_a_list_is_submitted_in_order() -> None:
    policy = WordListPolicy(["b", "a", "c"], "en")
    answer_word(policy, "a", range(0))
    assert list_submitted(policy, 3) == ["b", "c"]


def test_at_random_is_the_same_with_the_same_chance() -> None:
    runs = []
    for _ in range(2):
        policy = RandomPolicy(Random(5), "en")
        answer_word(policy, "hill", range(5))
        runs.append(list_submitted(policy, 6))
    assert runs[0] == runs[1]


def test_adaptive_by_hand() -> None:
    """5 found, 5 new: odds of (5 + 2) to (0 + 2) that a match is new. 4 records hold "red", so 18 do in all, and 14 are new:
    14 / (100 + 100 x 18 + 10,000 x 14) is more than 3.5 / (100 + 100 x 4.5 + 10,000 x 3.5) for a word of one record."""
    policy = AdaptivePolicy("en")
    answer_word(policy, "hill", range(5))
    proposal = policy.next()
    assert proposal is not None
    assert proposal.words == ("red",)
    assert proposal.expected == pytest.approx(14)


def test_top_k_prefers_what_is_shown_as_a_whole() -> None:
    """Of 14 records that hold "house" or "sea" a site shows 10, so both bring as much as "red" with its 28."""
    policy = TopKPolicy("en")
    answer_word(policy, "x", range(10), 90)
    assert policy.reach.most == 10
    policy.note_query(("red",))
    policy.failed()
    proposal = policy.next()
    assert proposal is not None
    assert proposal.expected <= 10


@pytest.mark.parametrize("name", MAKERS)
def test_a_query_without_an_answer_teaches_nothing_and_is_not_resubmitted(name: str) -> None:
    policy = MAKERS[name]()
    answer_word(policy, "sea", range(5))
    proposal = policy.next()
    assert proposal is not None
    policy.note_query(proposal.words)
    policy.failed()
    assert proposal.words[0] not in list_submitted(policy, 50)


def load_state(policy: QueryPolicy) -> object:
    """Return what a policy keeps, but for the parts of records that it learns about from answers that it saw whole."""
    return {name: value for name, value in json.loads(policy.to_json()).items() if name != "parts"}


@pytest.mark.parametrize("name", MAKERS)
def test_it_resumes_between_two_pages_where_another_process_ended(name: str) -> None:
    first, second = MAKERS[name](), MAKERS[name]()
    answer_word(first, "sea", range(2), 2)
    first.note_query(("house",))
    first.read([(2, TEXTS[2].split()), (0, ())], 4)

    records = [(0, TEXTS[0].split(), 2), (1, TEXTS[1].split(), 1), (2, TEXTS[2].split(), 1)]
    second.restore(first.to_json(), records, [LedgerEntry(("sea",), (), 2, 2, 2, left=False)])

    for policy in (first, second):
        assert policy.is_worth_turning()
        assert policy.read([(1, ()), (3, TEXTS[3].split())], 4) == 1
        policy.end_answer()
    assert load_state(first) == load_state(second)
    if name not in {"random", "benefit"}:  # whose order depends on chance, and on the weights of records
        assert list_submitted(first, 50) == list_submitted(second, 50)
    assert not {"sea", "house"} & set(list_submitted(second, 50))


@pytest.mark.parametrize("name", MAKERS)
def test_no_page_may_be_read_without_a_query(name: str) -> None:
    with pytest.raises(ValueError, match="no query is open"):
        MAKERS[name]().read([(1, ["red"])])


@pytest.mark.parametrize("name", MAKERS)
def test_words_that_were_submitted_with_a_choice_can_be_submitted_without(name: str) -> None:
    policy = MAKERS[name]()
    policy.note_query(("house",), (("kind", "old"),))
    assert policy.read([(at, TEXTS[at].split()) for at in range(5)], 5) == 5
    policy.end_answer()
    assert "house" in list_submitted(policy, 50)
