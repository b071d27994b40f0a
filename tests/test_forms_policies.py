"""Ways to choose the next question: each by hand, and all of them by one protocol."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.forms.benefit import Benefit, Read
from hiddenweb.forms.policies import Adaptive, AtRandom, Frequency, Listed, TopK

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.forms.policies import Policy

TEXTS = ("old red house by the sea", "red house in 1999", "red boat on the sea", "green boat", "red hill")
MAKERS: dict[str, Callable[[], Policy]] = {
    "frequency": lambda: Frequency("en"),
    "random": lambda: AtRandom(Random(1), "en"),
    "listed": lambda: Listed(["boat", "house", "hill"], "en"),
    "adaptive": lambda: Adaptive("en"),
    "top k": lambda: TopK("en"),
    "benefit": lambda: Benefit("en"),
}


def tell(policy: Policy, word: str, numbers: range, total: int | None = None) -> int:
    return policy.answered((word,), Read([(number, TEXTS[number].split()) for number in numbers], total))


@pytest.mark.parametrize("name", MAKERS)
def test_each_asks_everything_once_and_then_nothing(name: str) -> None:
    policy = MAKERS[name]()
    policy.asks(("sea",))
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
    policy = Frequency("en")
    tell(policy, "hill", range(5))
    asked = [wanted.words[0] for _ in range(20) if (wanted := policy.next())]
    assert asked[0] == "red"
    assert set(asked[1:4]) == {"house", "sea", "boat"}
    assert not {"the", "by", "in", "on", "1999", "hill"} & set(asked)


def test_a_list_is_asked_in_its_order() -> None:
    policy = Listed(["b", "a", "c"], "en")
    policy.asks(("a",))
    assert [wanted.words for _ in range(3) if (wanted := policy.next())] == [("b",), ("c",)]


def test_at_random_is_the_same_with_the_same_chance() -> None:
    runs = []
    for _ in range(2):
        policy = AtRandom(Random(5), "en")
        tell(policy, "hill", range(5))
        runs.append([wanted.words for _ in range(6) if (wanted := policy.next())])
    assert runs[0] == runs[1]


def test_adaptive_by_hand() -> None:
    """5 found, 5 new: odds of (5 + 2) to (0 + 2) that a match is new. 4 records hold "red", so 18 do in all, and 14 are new:
    14 / (100 + 100 x 18 + 10,000 x 14) is more than 3.5 / (100 + 100 x 4.5 + 10,000 x 3.5) for a word of one record."""
    policy = Adaptive("en")
    tell(policy, "hill", range(5))
    wanted = policy.next()
    assert wanted is not None
    assert wanted.words == ("red",)
    assert wanted.expected == pytest.approx(14)


def test_top_k_prefers_what_is_shown_as_a_whole() -> None:
    """Of 14 records that hold "house" or "sea" a site shows 10, so both bring as much as "red" with its 28."""
    policy = TopK("en")
    policy.answered(("x",), Read([(at, TEXTS[at % 5].split()) for at in range(10)], 90))
    assert policy.reach.most == 10
    policy.asks(("red",))
    wanted = policy.next()
    assert wanted is not None
    assert wanted.expected <= 10
