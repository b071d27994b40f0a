"""Pages are turned past known records until that was in vain."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from option_shop import PAGE, select

from hiddenweb.querying.option_counts import NOTHING, OptionCounts
from hiddenweb.querying.policies.options.known_front import KnownFront
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.policies.options.word_answers import WordAnswers

if TYPE_CHECKING:
    from collections.abc import Sequence


def pages_turned(policy: OptionsPolicy, genre: str, numbers: Sequence[int]) -> int:
    """Choose a genre, which has these records in this order; return how many pages are turned."""
    policy.note_query((), (("genre", genre),))
    for at in range(0, len(numbers), PAGE):
        policy.read([(number, (genre,)) for number in numbers[at : at + PAGE]], 200)
        if not policy.is_worth_turning():
            break
    policy.end_answer(had_more=True)
    return at // PAGE


@pytest.mark.parametrize("new_behind", [False, True])
def test_pages_are_turned_to_get_behind_known_records_until_that_was_in_vain(
    new_behind: bool,
) -> None:
    policy = OptionsPolicy(None, [select("genre", tuple("abcde"))])
    policy.note_query((), ())
    for at in range(0, 100, PAGE):
        policy.read([(number, ("film",)) for number in range(at, at + PAGE)], 400)
    policy.end_answer(had_more=True)

    turned = []
    for at, genre in enumerate("abcd"):
        behind = range(1_000 + 100 * at, 1_050 + 100 * at) if new_behind else range(50, 100)
        turned.append(pages_turned(policy, genre, [*range(50), *behind]))
        restored = OptionsPolicy(None, [select("genre", tuple("abcde"))])
        restored.restore(policy.to_json(), [], [])
        assert json.loads(restored.to_json())["fronts"] == json.loads(policy.to_json())["fronts"]

    assert turned[0] >= 5
    assert (turned[3] >= 5) is new_behind


def test_known_records_in_front_are_the_share_of_those_in_the_wider_answer() -> None:
    counts = OptionCounts({"genre": 4}, exclusive=["genre"])
    counts.learn_answer(NOTHING, found=400, shown=100)
    front = KnownFront(counts, WordAnswers(counts, ()))
    drama = frozenset([("genre", "drama")])
    assert front.count((), drama) == 0

    front.note_cut((), NOTHING, 100)

    assert front.count((), drama) == pytest.approx(25)
    assert front.count((), drama, 200) == pytest.approx(50)
    for _ in range(2):
        front.learn(brought_new=False)
    assert front.count((), drama) == 0
