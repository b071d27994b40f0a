"""Reporting the records of a crawl, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from record_states import FOUND, keep_records, record_of
from scrapy.signalmanager import SignalManager
from stores import fetch

from hiddenweb.feeds import record_reports
from hiddenweb.feeds.record_reports import RecordReports
from hiddenweb.model import TaskSeed
from hiddenweb.signals import record_found
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SITE = "books.example"


class Reader:
    """Who wants to know of records."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def hear(self, row: dict[str, Any]) -> None:
        self.rows.append(row)

    @property
    def titles(self) -> list[str]:
        return [row["title"] for row in self.rows]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    keep_records(tmp_path, [])
    with Store(tmp_path) as opened:
        yield opened


def list_records(store: Store, *titles: str) -> None:
    for title in titles:
        record = record_of(SITE, title, [("author", "Ann")])
        store.frontier.add([TaskSeed(record.url or "", "record", submission=1)])
        store.records.save(1, [record], submission=1, page=None, at=FOUND)


def test_a_record_is_reported_when_its_own_page_was_read_and_says_all_that_is_known(store: Store) -> None:
    signals, reader = SignalManager(object()), Reader()
    signals.connect(reader.hear, record_found)
    reports = RecordReports(store, signals)
    reports.begin()
    list_records(store, "A", "B")
    first = store.frontier.lease_url(f"https://{SITE}/a")
    assert first is not None
    before = list(reader.titles)
    store.write(
        'UPDATE records SET attributes = \'[["author", "Ann"], ["year", "1998"]]\' WHERE title = \'A\''
    )

    store.frontier.finish(first)
    reports.note(fetch(first))

    assert before == []
    assert reader.rows == [
        {
            "site": SITE, "url": f"https://{SITE}/a", "title": "A", "author": "Ann", "year": "1998", "extractor": "",
            "found_at": "2025-11-17T20:00:00+00:00", "kind": "record",
        }
    ]  # fmt: skip
    reports.finish()
    reports.finish()
    assert reader.titles == ["A", "B"]


def test_records_without_a_page_are_reported_now_and_then(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record_reports, "EVERY", 2)
    signals, reader = SignalManager(object()), Reader()
    signals.connect(reader.hear, record_found)
    reports = RecordReports(store, signals)
    reports.begin()
    list_records(store, "A")
    store.write("UPDATE links SET state = 4 WHERE kind = 'record'")
    heard = []
    task = store.frontier.lease_url(f"https://{SITE}/find?q={FOUND}")
    assert task is not None

    for _ in range(2):
        reports.note(fetch(task))
        heard.append(list(reader.titles))

    assert heard == [[], ["A"]]


def test_nothing_is_noted_without_receivers(store: Store) -> None:
    reports = RecordReports(store, SignalManager(object()))

    reports.begin()
    list_records(store, "A")
    reports.finish()

    assert store.rows("SELECT count(*) FROM sqlite_temp_master") == [(0,)]
