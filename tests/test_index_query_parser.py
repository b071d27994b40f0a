"""A query that can match nothing is refused with a reason; its terms are those marked in texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.index.query_parser import BadQuery, ParsedQuery, schema
from hiddenweb.index.whoosh import WhooshIndex

if TYPE_CHECKING:
    from pathlib import Path

    from jsonlines_outbox import page
else:
    from tests.jsonlines_outbox import page


@pytest.fixture
def index(tmp_path: Path) -> WhooshIndex:
    made = WhooshIndex.create(tmp_path)
    made.update([page("a.example/1", "Casting bronze"), page("b.example/1", "Casting silver", title="Coins")])
    return made


@pytest.mark.parametrize("words", ["", "  ", "?", "..."])
def test_a_query_without_words_is_refused(index: WhooshIndex, words: str) -> None:
    with pytest.raises(BadQuery):
        index.search(ParsedQuery(words))


@pytest.mark.parametrize(
    ("words", "total"),
    [
        ("casting", 2),
        ("casting bronze", 1),
        ("bronze OR silver", 2),
        ("casting -silver", 1),
        ("cast*", 2),
        ('"casting silver"', 1),
        ("site:b.example casting", 1),
    ],
)
def test_words_find_what_people_expect(index: WhooshIndex, words: str, total: int) -> None:
    assert index.search(ParsedQuery(words)).total == total


def test_the_schema_is_made_once() -> None:
    assert schema() is schema()
