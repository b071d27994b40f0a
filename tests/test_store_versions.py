"""What pages said, version by version: each content once, and no more of the past than is wanted."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, TaskSeed
from hiddenweb.revisit.history import ALL, HistoryLimits
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE
from hiddenweb.store.versions import PageSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import CrawlTask
    from hiddenweb.store.versions import StoredVersion

A, B, C = ("http://a.example/x", "http://b.example/y", "http://a.example/z")
FROM_14_TO_6 = Path(__file__).parent / "states" / "from-14-to-6.sql"
DAY = 86_400.0


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def read(
    store: Store, url: str, *texts: str, limits: HistoryLimits = ALL, title: str = "A title"
) -> CrawlTask:
    """Read an address once, and again on each of the next days."""
    store.sites.want(url)
    store.frontier.add([TaskSeed(url)])
    task = store.frontier.lease_url(url)
    assert task is not None
    for day, text in enumerate(texts):
        again(store, task, text, at=DAY * day, limits=limits, title=title)
    return task


def again(
    store: Store,
    task: CrawlTask,
    text: str,
    *,
    at: float,
    limits: HistoryLimits = ALL,
    title: str = "A title",
) -> None:
    body = f"<title>{title}</title><p>{text}</p>".encode()
    page = read_page(body, task.url)
    visit = Fetched(task, task.url, 200, at, body, content_type="text/html", page=page)
    store.pages.save(visit, page, limits)


def sources(store: Store, url: str) -> list[str]:
    found = [store.versions.load_source(version.number) for version in store.versions.load_all(url)]
    return [source.body.decode().split("<p>")[1].removesuffix("</p>") for source in found if source]


def contents(store: Store) -> int:
    (found,) = store.rows("SELECT count(*) FROM contents")
    assert isinstance(found[0], int)
    return found[0]


def test_a_content_is_stored_once_whatever_pages_and_times_have_it(store: Store) -> None:
    read(store, A, "first", "second", "first")
    read(store, B, "second")

    assert sources(store, A) == ["first", "second", "first"]
    assert sources(store, B) == ["second"]
    assert contents(store) == 2
    one, two, three = store.versions.load_all(A)
    assert one.content == three.content != two.content
    assert [one.at, two.at, three.at] == [0.0, DAY, 2 * DAY]


def test_a_version_is_stored_when_only_the_title_changed(store: Store) -> None:
    task = read(store, A, "text", title="Old")
    again(store, task, "text", title="New", at=DAY)
    again(store, task, "text", title="New", at=2 * DAY)

    assert [(version.title, version.at) for version in store.versions.load_all(A)] == [
        ("Old", 0.0),
        ("New", DAY),
    ]


def test_versions_beyond_the_limit_are_deleted_but_never_the_first_nor_the_newest(store: Store) -> None:
    read(store, A, "1", "2", "3", "4", "5", limits=HistoryLimits(versions=3))
    read(store, C, "1", "2", "3", limits=HistoryLimits(versions=1))

    assert sources(store, A) == ["1", "4", "5"]
    assert sources(store, C) == ["1", "3"]
    assert contents(store) == 4  # 3 is still needed by C, 2 by nobody


def test_versions_are_deleted_some_days_after_they_were_replaced(store: Store) -> None:
    read(store, A, "1", "2", "3", "4", "5", "6", limits=HistoryLimits(days=2))

    assert sources(store, A) == ["1", "3", "4", "5", "6"]
    assert contents(store) == 5


def test_versions_of_other_pages_stay(store: Store) -> None:
    read(store, C, "1", "2", "3", "4")
    read(store, A, "1", "2", "3", "4", limits=HistoryLimits(versions=2))

    assert sources(store, C) == ["1", "2", "3", "4"]
    assert sources(store, A) == ["1", "4"]
    assert contents(store) == 4


def test_version_and_content_become_lasting_together(store: Store) -> None:
    task = read(store, A, "kept")
    store.commit()
    again(store, task, "not yet", at=DAY)

    with Store(store.folder, write=False) as beside:
        assert sources(beside, A) == ["kept"]
        assert contents(beside) == 1


def test_a_duplicate_names_its_original(store: Store) -> None:
    read(store, A, "text")
    store.frontier.add([TaskSeed(C)])
    task = store.frontier.lease_url(C)
    assert task is not None
    (first,) = store.versions.load_all(A)
    page = read_page(b"<p>text", C)
    store.pages.save(Fetched(task, C, 200, 1.0, b"<p>text", page=page, duplicate_of=first.page), page)

    assert store.versions.load_all(C) == []
    assert store.versions.find_original(C) == A
    assert store.versions.find_original(A) is None


def test_a_state_of_version_6_keeps_all_it_has_and_each_content_once(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        read(store, A, "first", "second", "first")
        task = read(store, B, "second")
        read(store, C, "damaged")
        before = [known(version) for url in (A, B, C) for version in store.versions.load_all(url)]
        bodies = [sources(store, url) for url in (A, B)]
        schema = store.rows("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name")
    db = sqlite3.connect(tmp_path / FILE)
    db.executescript(FROM_14_TO_6.read_text(encoding="utf-8"))
    db.execute("UPDATE versions SET content = x'00' WHERE id = 5")
    db.commit()
    db.close()

    with Store(tmp_path) as store:
        after = [version for url in (A, B, C) for version in store.versions.load_all(url)]
        assert [sources(store, url) for url in (A, B)] == bodies
        assert contents(store) == 3
        assert store.rows("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name") == schema
        again(store, task, "first", at=9 * DAY)
        assert contents(store) == 3
        assert store.pages.load_source(B) == PageSource(b"<title>A title</title><p>first</p>", "text/html")

    assert [version.title for version in after] == ["", "", "A title", "A title", "A title"]
    assert list(map(known, after)) == before
    assert [after[0].content, after[1].content] == [after[2].content, after[3].content]


def known(version: StoredVersion) -> tuple[object, ...]:
    return version.number, version.page, version.at, version.url
