"""Ways to choose the next question: each by hand, and all of them by one protocol."""

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


def tell(policy: QueryPolicy, word: str, numbers: range, total: int | None = None) -> int:
    policy.note_query((word,))
    new = policy.read([(number, TEXTS[number % 5].split()) for number in numbers], total)
    policy.end_answer()
    return new


def asked_of(policy: QueryPolicy, questions: int) -> list[str]:
    """Return the words that a policy asks when it is told that each finds nothing."""
    words: list[str] = []
    while len(words) < questions and (wanted := policy.next()):
        words.append(wanted.words[0])
        tell(policy, wanted.words[0], range(0))
    return words


@pytest.mark.parametrize("name", MAKERS)
def test_each_submits_everything_once_and_then_nothing(name: str) -> None:
    policy = MAKERS[name]()
    assert tell(policy, "sea", range(5)) == 5
    asked = []
    while wanted := policy.next():
        asked.append(wanted.words)
        assert wanted.why
        tell(policy, wanted.words[0], range(0))
        assert len(asked) < 50
    assert len(asked) == len(set(asked)) > 2
    assert ("sea",) not in asked


@pytest.mark.parametrize("name", MAKERS)
def test_a_record_counts_as_new_once(name: str) -> None:
    policy = MAKERS[name]()
    assert tell(policy, "sea", range(2)) == 2
    assert tell(policy, "boat", range(1, 4)) == 2


def test_frequency_leaves_stop_words_numbers_and_short_words_out() -> None:
    policy = FrequencyPolicy("en")
    tell(policy, "hill", range(5))
    asked = asked_of(policy, 20)
    assert asked[0] == "red"
    assert set(asked[1:4]) == {"house", "sea", "boat"}
    assert not {"the", "by", "in", "on", "1999", "hill"} & set(asked)


def test_a_list_is_submitted_in_order() -> None:
    policy = WordListPolicy(["b", "a", "c"], "en")
    tell(policy, "a", range(0))
    assert asked_of(policy, 3) == ["b", "c"]


def test_at_random_is_the_same_with_the_same_chance() -> None:
    runs = []
    for _ in range(2):
        policy = RandomPolicy(Random(5), "en")
        tell(policy, "hill", range(5))
        runs.append(asked_of(policy, 6))
    assert runs[0] == runs[1]


def test_adaptive_by_hand() -> None:
    """5 found, 5 new: odds of (5 + 2) to (0 + 2) that a match is new. 4 records hold "red", so 18 do in all, and 14 are new:
    14 / (100 + 100 x 18 + 10,000 x 14) is more than 3.5 / (100 + 100 x 4.5 + 10,000 x 3.5) for a word of one record."""
    policy = AdaptivePolicy("en")
    tell(policy, "hill", range(5))
    wanted = policy.next()
    assert wanted is not None
    assert wanted.words == ("red",)
    assert wanted.expected == pytest.approx(14)


def test_top_k_prefers_what_is_shown_as_a_whole() -> None:
    """Of 14 records that hold "house" or "sea" a site shows 10, so both bring as much as "red" with its 28."""
    policy = TopKPolicy("en")
    tell(policy, "x", range(10), 90)
    assert policy.reach.most == 10
    policy.note_query(("red",))
    policy.failed()
    wanted = policy.next()
    assert wanted is not None
    assert wanted.expected <= 10


@pytest.mark.parametrize("name", MAKERS)
def test_a_query_without_an_answer_teaches_nothing_and_is_not_resubmitted(name: str) -> None:
    policy = MAKERS[name]()
    tell(policy, "sea", range(5))
    wanted = policy.next()
    assert wanted is not None
    policy.note_query(wanted.words)
    policy.failed()
    assert wanted.words[0] not in asked_of(policy, 50)


def known_by(policy: QueryPolicy) -> object:
    """Return what a policy keeps, but for the parts of records that it learns about from answers that it saw whole."""
    return {name: value for name, value in json.loads(policy.to_json()).items() if name != "parts"}


@pytest.mark.parametrize("name", MAKERS)
def test_it_resumes_between_two_pages_where_another_process_ended(name: str) -> None:
    first, second = MAKERS[name](), MAKERS[name]()
    tell(first, "sea", range(2), 2)
    first.note_query(("house",))
    first.read([(2, TEXTS[2].split()), (0, ())], 4)

    records = [(0, TEXTS[0].split(), 2), (1, TEXTS[1].split(), 1), (2, TEXTS[2].split(), 1)]
    second.restore(first.to_json(), records, [LedgerEntry(("sea",), (), 2, 2, 2, left=False)])

    for policy in (first, second):
        assert policy.is_worth_turning()
        assert policy.read([(1, ()), (3, TEXTS[3].split())], 4) == 1
        policy.end_answer()
    assert known_by(first) == known_by(second)
    if name not in {"random", "benefit"}:  # whose order depends on chance, and on the weights of records
        assert asked_of(first, 50) == asked_of(second, 50)
    assert not {"sea", "house"} & set(asked_of(second, 50))


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
    assert "house" in asked_of(policy, 50)
