"""Telling of records as they are found."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy.signalmanager import SignalManager

from hiddenweb.feeds.rows import report_record, row_of
from hiddenweb.model import CrawlTask, Fetched
from hiddenweb.signals import RECORD_COLUMNS, record_found

VISIT = Fetched(
    CrawlTask(1, 1, 1, "http://a.example/item/5"), "http://a.example/item/5", 200, 1_700_000_000.0
)
FIXED = {"extractor": "books", "found_at": "2023-11-14T22:13:20+00:00", "kind": "page"}


class Ear:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def hear(self, row: dict[str, Any]) -> None:
        self.rows.append(row)


def test_receivers_get_the_rows_of_feeds() -> None:
    signals, ear = SignalManager(object()), Ear()
    signals.connect(ear.hear, record_found)
    attributes = (("author", "Jane Smith"), ("price", "12.50"), ("author", "John Doe"))

    report_record(signals, VISIT, "The River", VISIT.url, attributes, source="books", kind="page")

    (row,) = ear.rows
    assert row == {
        "site": "a.example",
        "url": "http://a.example/item/5",
        "title": "The River",
        "author": ["Jane Smith", "John Doe"],
        "price": "12.50",
        **FIXED,
    }
    assert list(row) == ["site", "url", "title", "author", "price", "extractor", "found_at", "kind"]


def test_no_row_is_made_without_receivers(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr("hiddenweb.feeds.rows.row_of", made)

    report_record(SignalManager(object()), VISIT, "The River", VISIT.url, ())


@pytest.mark.parametrize(
    ("attributes", "further"),
    [
        ([("title", "The real title")], {"title": "The real title"}),
        ([("url", "x"), ("kind", "y")], {"url_": "x", "kind_": "y"}),
        ([("url_", "x"), ("url", "y")], {"url_": "x", "url__": "y"}),
        ([("attributes", "x")], {"attributes_": "x"}),
        ([("Title", "x"), ("作者", "王")], {"Title": "x", "作者": "王"}),
    ],
)
def test_no_attribute_is_lost_to_a_reserved_name(
    attributes: list[tuple[str, str]], further: dict[str, str]
) -> None:
    row = row_of("a.example", "http://a.example/", "Title", attributes, at=1.0)

    plain = row_of("a.example", "http://a.example/", "Title", [], at=1.0)
    assert row == plain | further
    assert set(RECORD_COLUMNS) <= row.keys()
