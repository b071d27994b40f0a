"""Which pages of a state are hidden, when they were found and how deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.model import Fetched, Page, Record, TaskSeed
from hiddenweb.reports.hidden_pages import HiddenPages, find_hidden_pages
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.model import CrawlTask, TaskKind

A = "https://a.example/"
NOW = 1_700_000_000.0


class Reader:
    """Reads pages into a state, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.state = Store(folder)
        self.site = self.state.sites.want(A)
        self.read = 0

    def page(
        self, kind: TaskKind = "page", *, hops: int = 0, records: int = 0, duplicate_of: int | None = None
    ) -> int:
        """Read a page on which so many records are new; return its number."""
        self.read += 1
        url = f"{A}{self.read}"
        self.state.frontier.add([TaskSeed(url, kind, 0, hops)])
        task = self._leased()
        page = Page(url, "Title", f"Text {self.read}", fingerprint=self.read)
        visit = Fetched(task, url, 200, NOW, b"<p>", page=page, duplicate_of=duplicate_of)
        number = self.state.pages.save(visit, page)
        new = [Record(f"{number} {at}", "Title", "Text") for at in range(records)]
        self.state.records.save(self.site, new, submission=None, page=number, at=NOW)
        self.state.frontier.finish(task)
        return number

    def _leased(self) -> CrawlTask:
        host = self.state.sites.find_host(A)
        assert host is not None
        [task], _ = self.state.frontier.lease(host, 1, NOW)
        return task


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def test_pages_of_records_and_answers_with_new_records_are_hidden(reader: Reader) -> None:
    reader.page()
    reader.page("answer", hops=1, records=2)
    reader.page("record", hops=2)
    first = reader.page("record", hops=2)
    reader.page("record", hops=2, duplicate_of=first)  # repeats another page
    reader.page("paging", hops=1)  # nothing new on it
    reader.page("page", hops=1)

    found = find_hidden_pages(reader.state)
    reader.state.close()
    assert (found.pages, found.hidden) == (7, 3)
    assert found.by_depth == {1: 1, 2: 2}
    assert [(at.pages, at.hidden) for at in found.course] == [
        (1, 0),
        (2, 1),
        (3, 2),
        (4, 3),
        (5, 3),
        (6, 3),
        (7, 3),
    ]


def test_precision_is_taken_when_a_recall_is_reached(reader: Reader) -> None:
    for kind in ("page", "page", "record", "record", "page", "record", "record"):
        reader.page(kind)

    precision = dict(find_hidden_pages(reader.state).precision)
    reader.state.close()
    assert len(precision) == 20
    assert precision[0.05] == precision[0.25] == pytest.approx(1 / 3)
    assert precision[0.3] == precision[0.5] == pytest.approx(2 / 4)
    assert precision[0.75] == pytest.approx(3 / 6)
    assert precision[1.0] == pytest.approx(4 / 7)


def test_the_course_has_as_many_points_as_wanted_and_ends_with_all(reader: Reader) -> None:
    for number in range(25):
        reader.page("record" if number % 2 else "page")

    course = find_hidden_pages(reader.state, points=10).course
    reader.state.close()
    assert len(course) == 10
    assert course[-1] == (25, 12)


def test_a_state_without_hidden_pages_has_no_precision(reader: Reader) -> None:
    empty = find_hidden_pages(reader.state)
    reader.page()
    found = find_hidden_pages(reader.state)
    reader.state.close()

    assert empty == HiddenPages()
    assert (found.pages, found.hidden, found.precision, found.by_depth) == (1, 0, [], {})
