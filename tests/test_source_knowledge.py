"""What becomes of sources while pages pass: learnt, watched, repaired or proposed, accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bookshop import book, page
from shop_state import NOW, REGION, keep_books, passes, url_of

from hiddenweb.source_knowledge import SourceKnowledge
from hiddenweb.storage.sources import LEARNING, WAITING, WATCHED, KeptSources
from hiddenweb.storage.sqlite import State

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State(tmp_path) as opened:
        yield opened


def taken(state: State) -> dict[int, dict[str, list[str]]]:
    return {
        int(each.url.rpartition("/")[2]): {name: list(values) for name, values in each.attributes.items()}
        for each in KeptSources(state).extracted()
    }


def truth(number: int, **other: str) -> dict[str, list[str]]:
    return {name: [value] for name, value in (book(number) | other).items()}


def state_of(state: State, name: str = "books") -> str:
    (kept,) = KeptSources(state).all(name=name)
    return kept.state


def test_a_region_that_waits_is_learnt_when_its_page_comes_and_takes_from_those_that_came_before(
    state: State,
) -> None:
    KeptSources(state).add(REGION, None, NOW)
    assert state_of(state) == WAITING
    keep_books(state, range(2, 6))
    knowledge = SourceKnowledge(state)

    assert not knowledge.wants(url_of(2))
    assert knowledge.wants(url_of(1))
    seen = passes(knowledge, state, url_of(1), page(1))

    assert [each.source for each in seen.taken] == ["books"]
    assert state_of(state) == LEARNING
    assert taken(state) == {number: truth(number) for number in range(1, 6)}


def test_a_source_that_knows_few_pages_is_watched_as_soon_as_there_are_ten(state: State) -> None:
    KeptSources(state).add(REGION, None, NOW)
    knowledge = SourceKnowledge(state)

    states = []
    for number in range(1, 12):
        passes(knowledge, state, url_of(number), page(number))
        states.append(state_of(state))

    assert states == [LEARNING] * 9 + [WATCHED] * 2
    assert taken(state) == {number: truth(number) for number in range(1, 12)}
