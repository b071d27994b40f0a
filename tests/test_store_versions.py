"""What pages said, version by version: each content once, and no more of the past than is wanted."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, TaskSeed
from hiddenweb.revisit.versions import ALL, HistoryLimits
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE
from hiddenweb.store.versions import PageSource

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import CrawlTask
    from hiddenweb.store.versions import StoredVersion

A, B, C = ("http://a.example/x", "http://b.example/y", "http://a.example/z")
FROM_10_TO_6 = Path(__file__).parent / "states" / "from-10-to-6.sql"
DAY = 86_400.0


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as state:
        yield state


def read(
    state: Store, url: str, *texts: str, limits: HistoryLimits = ALL, title: str = "A title"
) -> CrawlTask:
    """Read an address once, and again on each of the next days."""
    state.sites.want(url)
    state.frontier.add([TaskSeed(url)])
    errand = state.frontier.lease_url(url)
    assert errand is not None
    for day, text in enumerate(texts):
        again(state, errand, text, at=DAY * day, limits=limits, title=title)
    return errand


def again(
    state: Store,
    errand: CrawlTask,
    text: str,
    *,
    at: float,
    limits: HistoryLimits = ALL,
    title: str = "A title",
) -> None:
    body = f"<title>{title}</title><p>{text}</p>".encode()
    page = read_page(body, errand.url)
    visit = Fetched(errand, errand.url, 200, at, body, content_type="text/html", page=page)
    state.pages.save(visit, page, limits)


def sources(state: Store, url: str) -> list[str]:
    found = [state.versions.source(version.number) for version in state.versions.of(url)]
    return [source.body.decode().split("<p>")[1].removesuffix("</p>") for source in found if source]


def contents(state: Store) -> int:
    (found,) = state.rows("SELECT count(*) FROM contents")
    assert isinstance(found[0], int)
    return found[0]


def test_a_content_is_kept_once_whatever_pages_and_times_have_it(state: Store) -> None:
    read(state, A, "first", "second", "first")
    read(state, B, "second")

    assert sources(state, A) == ["first", "second", "first"]
    assert sources(state, B) == ["second"]
    assert contents(state) == 2
    one, two, three = state.versions.of(A)
    assert one.content == three.content != two.content
    assert [one.at, two.at, three.at] == [0.0, DAY, 2 * DAY]


def test_a_version_is_kept_when_the_title_alone_changed(state: Store) -> None:
    errand = read(state, A, "text", title="Old")
    again(state, errand, "text", title="New", at=DAY)
    again(state, errand, "text", title="New", at=2 * DAY)

    assert [(version.title, version.at) for version in state.versions.of(A)] == [("Old", 0.0), ("New", DAY)]


def test_more_versions_than_wanted_are_let_go_but_never_the_first_nor_the_newest(state: Store) -> None:
    read(state, A, "1", "2", "3", "4", "5", limits=HistoryLimits(versions=3))
    read(state, C, "1", "2", "3", limits=HistoryLimits(versions=1))

    assert sources(state, A) == ["1", "4", "5"]
    assert sources(state, C) == ["1", "3"]
    assert contents(state) == 4  # 3 is still needed by C, 2 by nobody


def test_versions_are_let_go_some_days_after_they_were_replaced(state: Store) -> None:
    read(state, A, "1", "2", "3", "4", "5", "6", limits=HistoryLimits(days=2))

    assert sources(state, A) == ["1", "3", "4", "5", "6"]
    assert contents(state) == 5


def test_other_pages_keep_what_they_have(state: Store) -> None:
    read(state, C, "1", "2", "3", "4")
    read(state, A, "1", "2", "3", "4", limits=HistoryLimits(versions=2))

    assert sources(state, C) == ["1", "2", "3", "4"]
    assert sources(state, A) == ["1", "4"]
    assert contents(state) == 4


def test_version_and_content_become_lasting_together(state: Store) -> None:
    errand = read(state, A, "kept")
    state.commit()
    again(state, errand, "not yet", at=DAY)

    with Store(state.folder, write=False) as beside:
        assert sources(beside, A) == ["kept"]
        assert contents(beside) == 1


def test_a_copy_says_whose_versions_are_kept_for_it(state: Store) -> None:
    read(state, A, "text")
    state.frontier.add([TaskSeed(C)])
    errand = state.frontier.lease_url(C)
    assert errand is not None
    (first,) = state.versions.of(A)
    page = read_page(b"<p>text", C)
    state.pages.save(Fetched(errand, C, 200, 1.0, b"<p>text", page=page, duplicate_of=first.page), page)

    assert state.versions.of(C) == []
    assert state.versions.kept_for(C) == A
    assert state.versions.kept_for(A) is None


def test_a_state_of_version_6_keeps_all_it_has_and_each_content_once(tmp_path: Path) -> None:
    with Store(tmp_path) as state:
        read(state, A, "first", "second", "first")
        errand = read(state, B, "second")
        read(state, C, "damaged")
        before = [known(version) for url in (A, B, C) for version in state.versions.of(url)]
        bodies = [sources(state, url) for url in (A, B)]
        schema = state.rows("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name")
    db = sqlite3.connect(tmp_path / FILE)
    db.executescript(FROM_10_TO_6.read_text(encoding="utf-8"))
    db.execute("UPDATE versions SET content = x'00' WHERE id = 5")
    db.commit()
    db.close()

    with Store(tmp_path) as state:
        after = [version for url in (A, B, C) for version in state.versions.of(url)]
        assert [sources(state, url) for url in (A, B)] == bodies
        assert contents(state) == 3
        assert state.rows("SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY name") == schema
        again(state, errand, "first", at=9 * DAY)
        assert contents(state) == 3
        assert state.pages.load_source(B) == PageSource(b"<title>A title</title><p>first</p>", "text/html")

    assert [version.title for version in after] == ["", "", "A title", "A title", "A title"]
    assert list(map(known, after)) == before
    assert [after[0].content, after[1].content] == [after[2].content, after[3].content]


def known(version: StoredVersion) -> tuple[object, ...]:
    return version.number, version.page, version.at, version.url
