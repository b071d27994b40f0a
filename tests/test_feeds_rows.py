"""Records as rows of feeds."""

from __future__ import annotations

import pytest
from feed_rows import stored

from hiddenweb.feeds.rows import row_of
from hiddenweb.signals import RECORD_COLUMNS


def test_a_row_has_the_attributes_of_a_record_by_name() -> None:
    attributes = [("author", "Jane Smith"), ("price", "12.50"), ("author", "John Doe")]

    row = row_of(stored("a.example", "The River", attributes, ("books",), at=1_700_000_000.0))

    assert row == {
        "site": "a.example",
        "url": "http://a.example/1",
        "title": "The River",
        "author": ["Jane Smith", "John Doe"],
        "price": "12.50",
        "extractor": "books",
        "found_at": "2023-11-14T22:13:20+00:00",
        "kind": "record",
    }
    assert list(row) == ["site", "url", "title", "author", "price", "extractor", "found_at", "kind"]


def test_typed_values_stand_beside_the_texts() -> None:
    record = stored("a.example", "The River", [("price", "12.50"), ("year", "1998")])

    row = row_of(record, {"price": [12.5], "year": [1998, 1999]})

    assert row["typed"] == {"price": 12.5, "year": [1998, 1999]}
    assert "typed" not in row_of(record)


@pytest.mark.parametrize(
    ("attributes", "further"),
    [
        ([("title", "The real title")], {"title": "The real title"}),
        ([("url", "x"), ("kind", "y")], {"url_": "x", "kind_": "y"}),
        ([("attributes", "x")], {"attributes_": "x"}),
        ([("Author", "x"), ("author:", "y")], {"Author": ["x", "y"]}),
        ([("作者", "王")], {"作者": "王"}),
    ],
)
def test_no_attribute_is_lost_to_a_reserved_name(
    attributes: list[tuple[str, str]], further: dict[str, object]
) -> None:
    row = row_of(stored("a.example", "Title", attributes))

    assert row == row_of(stored("a.example", "Title", [])) | further
    assert set(RECORD_COLUMNS) <= row.keys()
