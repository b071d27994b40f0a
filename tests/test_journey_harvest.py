"""Harvesting by site, by form and by topic, within budgets, and going on after a stop or a kill: real crawls of a small site."""

from __future__ import annotations

import re
import shutil
import signal
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from crawling import Answer, Ran, SmallSite, command_of, crawl
from forking import Forked, run_forked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

WORDS = [
    "amber",
    "beetle",
    "candle",
    "dragon",
    "ember",
    "falcon",
    "garnet",
    "hollow",
    "indigo",
    "jasper",
    "kestrel",
    "lantern",
    "marble",
    "nettle",
    "orchid",
    "pebble",
    "quartz",
    "raven",
    "saffron",
    "thistle",
    "umber",
    "violet",
    "willow",
    "yarrow",
    "zephyr",
    "anchor",
    "bramble",
    "copper",
    "dahlia",
    "emerald",
]
PAGE_SIZE = 3


def _box(action: str, name: str, label: str) -> str:
    return f"<form action={action} role=search><label>{label} <input type=search name={name}></label><button>Search</button></form>"


BOOKS, STONES = (
    _box("/books", "q", "Search books by title or author"),
    _box(
        "/stones",
        "s",
        "Search gemstones by mineral, colour, weight, hardness, place of origin, cut or collector",
    ),
)
LOGIN = "<form action=/login method=post>Log in <input name=user><input type=password name=p><button>Log in</button></form>"


class Library:
    """A site with two search forms, whose answers have pages, and pages that only exploring reads."""

    def __init__(self, *, details: bool = True) -> None:
        self.details = details  # whether the page of a record says more than the answers do
        self.hold: Callable[[str], None] | None = None  # is told of every request before it is answered

    def __call__(self, path: str) -> Answer | str | None:
        if self.hold is not None:
            self.hold(path)
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/":
            return _page(
                "Town library", f"<p>{' '.join(WORDS)}</p>{BOOKS}{STONES}{LOGIN}<a href=/about/1>About us</a>"
            )
        if parts.path in ("/books", "/stones"):
            word = query.get("q" if parts.path == "/books" else "s", "")
            return self._answer(parts.path, word, int(query.get("page", "1")))
        if match := re.fullmatch(r"/(book|stone)/(\d+)", parts.path):
            return self._record(match[1], int(match[2]))
        if match := re.fullmatch(r"/about/(\d+)", parts.path):
            return _page(
                f"About {match[1]}",
                f"<p>{WORDS[int(match[1]) % 30]} we are {match[1]} here</p><a href=/about/{int(match[1]) + 1}>on</a>",
            )
        return None

    def _answer(self, place: str, word: str, number: int) -> str:
        kind = "book" if place == "/books" else "stone"
        found = [at for at in range(60) if word and word.lower() in _says(kind, at)]
        shown = found[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]
        if not found:
            return _page("Found", f"{BOOKS}<p>No results found</p>")
        items = "".join(
            f"<li><a href=/{kind}/{at}>The {kind} {at}</a> {_says(kind, at)}</li>" for at in shown
        )
        name = "q" if kind == "book" else "s"
        more = (
            f"<a rel=next href={place}?{name}={word}&amp;page={number + 1}>next</a>"
            if number * PAGE_SIZE < len(found)
            else ""
        )
        return _page("Found", f"{BOOKS}<p>{len(found)} results</p><ol>{items}</ol>{more}")

    def _record(self, kind: str, at: int) -> str:
        more = f"<p>It was made in {1800 + at} by master{at} of town{at * 7}.</p>" if self.details else ""
        return _page(
            f"The {kind} {at}",
            f"<h1>The {kind} {at}</h1><p>{_says(kind, at)}</p>{more}<p>Opening hours: nine to five</p>",
        )


def _says(kind: str, at: int) -> str:
    return f"{kind} {WORDS[at % 30]} {WORDS[at * 7 % 30]} and {WORDS[(at * 11 + 3) % 30]} number{at}"


def _page(title: str, body: str) -> str:
    return f"<html lang=en><title>{title}</title>{body}</html>"


def allowed(site: SmallSite) -> dict[str, object]:
    return {
        "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
        "HIDDENWEB_RETRIES": 0,
        "HIDDENWEB_INDEX": 0,
    }


def asked_for(site: SmallSite, since: int = 0) -> list[str]:
    return [path for path in site.requested[since:] if path != "/robots.txt"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[SmallSite, Path]]:
    """A library, and a state in which its forms are known and exploring has left pages to read."""
    folder = tmp_path_factory.mktemp("library")
    with SmallSite(Library()) as site:
        ran = crawl(folder, [site.url], allowed(site), spider="explore", pages=2)
        assert ran.rows("SELECT id, kind, may_submit FROM forms ORDER BY id") == [
            (1, "search", 1), (2, "search", 1), (3, "login", 0),
        ], ran.output  # fmt: skip
        yield site, ran.state


@pytest.fixture
def explored(library: tuple[SmallSite, Path], tmp_path: Path) -> tuple[SmallSite, Path]:
    """The library, and a folder with a state of its own."""
    site, state = library
    shutil.copytree(state, tmp_path / "state")
    site.requested.clear()
    return site, tmp_path


def test_forms_that_are_named_are_asked_and_nothing_else_is_fetched(explored: tuple[SmallSite, Path]) -> None:
    site, folder = explored

    ran = crawl(folder, [], allowed(site), forms="1", queries=4)

    assert ran.code == 0, ran.output
    fetched = asked_for(site)
    assert sum(path.startswith("/books?") and "page=" not in path for path in fetched) == 4
    assert any("page=2" in path for path in fetched)
    assert any(path.startswith("/book/") for path in fetched)
    assert [path for path in fetched if not path.startswith(("/books?", "/book/"))] == []
    assert len(fetched) == len(set(fetched))
    assert ran.rows("SELECT DISTINCT form FROM submissions") == [(1,)]
    assert "Finished: 1 form gets no more queries for now (#1: queried 4 times)" in ran.output
    ((waiting,),) = ran.rows("SELECT count(*) FROM links WHERE state = 0")
    assert waiting > 0  # what exploring has left to read
    assert ran.rows("SELECT left FROM sites") == [("only its forms were queried",)]


def test_queries_are_counted_over_all_crawls(explored: tuple[SmallSite, Path]) -> None:
    site, folder = explored
    crawl(folder, [], allowed(site), forms="1,2", queries=2)
    since = len(site.requested)

    nothing = crawl(folder, [], allowed(site), forms="1,2", queries=2)
    assert asked_for(site, since) == []
    more = crawl(folder, [], allowed(site), forms="1,2", queries=3)

    assert "Finished: nothing was left to do, 2 forms get no more queries for now (" in nothing.output
    assert [nothing.code, more.code] == [0, 0]
    assert more.rows("SELECT queries FROM forms WHERE may_submit") == [(3,), (3,)]


def test_all_known_forms_on_a_topic_are_asked_in_all_sites(explored: tuple[SmallSite, Path]) -> None:
    site, folder = explored

    ran = crawl(folder, [], allowed(site), topic="books", queries=2)

    assert ran.code == 0, ran.output
    assert ran.rows("SELECT form, count(*) FROM submissions GROUP BY form") == [(1, 2)]
    assert not any(path.startswith("/about/2") for path in site.requested)


@pytest.mark.parametrize(
    ("arguments", "code", "complaint"),
    [
        ({"forms": "1,3,99"}, 2, "scrapy crawl: forms: form 3 may not be submitted: it seems to be a login form"),
        ({"forms": "1,3,99"}, 2, "scrapy crawl: forms: there is no form 99; scrapy forms shows all 3"),
        ({"forms": "1", "queries": "few"}, 2, "scrapy crawl: queries: 'few' cannot be used; wanted a whole number"),
    ],
)  # fmt: skip
def test_what_cannot_be_harvested_is_said_before_anything_is_fetched(
    explored: tuple[SmallSite, Path], arguments: dict[str, Any], code: int, complaint: str
) -> None:
    site, folder = explored

    ran = crawl(folder, [], allowed(site), **arguments)

    assert ran.code == code
    assert complaint in ran.output
    assert site.requested == []
    assert ran.rows("SELECT count(*) FROM runs") == [(1,)]


def test_without_a_state_there_are_no_known_forms(tmp_path: Path) -> None:
    ran = crawl(tmp_path, [], {}, forms="1")

    assert ran.code == 3
    assert "there is no state yet" in ran.output
    assert not ran.state.exists()


# Budgets


def test_pages_of_a_site_are_counted_over_all_crawls(tmp_path: Path) -> None:
    with SmallSite(Library()) as site:
        first = crawl(tmp_path, [site.url], allowed(site), pages=6)
        since = len(site.requested)
        second = crawl(tmp_path, [site.url], allowed(site), pages=6)
        assert asked_for(site, since) == []
        third = crawl(tmp_path, [site.url], allowed(site), pages=9)

    assert [first.code, second.code, third.code] == [0, 0, 0]
    assert "its budget of 6 pages is spent" in first.output
    assert "1 of 1 site was left early (127.0.0.1: its budget of 6 pages is spent)" in second.output
    assert third.rows("SELECT pages FROM sites") == [(9,)]


def test_a_crawl_whose_time_is_up_ends_cleanly_and_goes_on_with_new_time(
    explored: tuple[SmallSite, Path],
) -> None:
    site, folder = explored
    slow = {"HIDDENWEB_DELAY": 0.5}

    stopped = crawl(folder, [], allowed(site) | slow, forms="1", queries=5, time="1s")
    output = status(stopped)
    ((requested,),) = stopped.rows("SELECT count(*) FROM submissions")
    finished = crawl(folder, [], allowed(site), forms="1", queries=5)

    assert stopped.code == 0, stopped.output
    assert "Stopped: limit HIDDENWEB_TIME_LIMIT=1s reached; the same command resumes it (" in stopped.output
    assert re.search(r"harvest, .*: time is up after \d+ s", output)
    assert "Links are waiting: the same crawl command continues with them." in output
    assert requested < 5
    assert finished.rows("SELECT queries, state FROM forms WHERE id = 1") == [(5, "queried")]
    assert [reason for (reason,) in finished.rows("SELECT reason FROM runs ORDER BY id")][-2:] == [
        "time is up",
        "finished",
    ]
    fetched = [path for path in site.requested if path.startswith(("/books?", "/book/"))]
    assert len(fetched) == len(set(fetched))


# Records and their own pages


def test_a_record_and_its_page_are_one_and_what_the_page_says_completes_it(
    explored: tuple[SmallSite, Path],
) -> None:
    site, folder = explored

    ran = crawl(folder, [], allowed(site), forms="1", queries=4)

    ((records, completed),) = ran.rows("SELECT count(*), count(detail) FROM records")
    fetched = [path for path in asked_for(site) if path.startswith("/book/")]
    assert records == completed == len(fetched) == len(set(fetched)) > 10
    ((text, detail),) = ran.rows("SELECT text, detail FROM records WHERE key LIKE ?", f"%{fetched[-1]}")
    number = fetched[-1].rpartition("/")[2]
    assert f"master{number}" not in text
    assert f"master{number}" in detail
    assert "Opening hours" not in detail  # every page says so
    assert ran.rows("SELECT count(*), count(page) FROM documents WHERE record IS NOT NULL") == [
        (records, records)
    ]
    assert ran.rows("SELECT count(*) FROM documents WHERE behind_form") == [(records,)]
    assert f"{records} records ({records} with their own page read)" in status(ran)


def test_pages_of_records_are_not_fetched_where_the_answers_say_it_all(
    explored: tuple[SmallSite, Path],
) -> None:
    site, folder = explored
    assert isinstance(site.answer, Library)
    site.answer.details = False

    try:
        ran = crawl(folder, [], allowed(site) | {"STATS_DUMP": 1}, forms="1", queries=4)
    finally:
        site.answer.details = True

    fetched = [path for path in asked_for(site) if path.startswith("/book/")]
    ((records, completed),) = ran.rows("SELECT count(*), count(detail) FROM records")
    assert records > 10
    assert len(fetched) == completed == 5
    assert f"'hiddenweb/detail_pages/skipped': {records - 5}" in ran.output
    assert ran.rows("SELECT count(*) FROM documents WHERE record IS NOT NULL") == [(records,)]
    assert "link not read" not in ran.output


def test_pages_of_records_that_are_not_there_are_given_up(explored: tuple[SmallSite, Path]) -> None:
    site, folder = explored
    library = site.answer
    site.answer = lambda path: None if path.startswith("/book/") else library(path)

    try:
        ran = crawl(folder, [], allowed(site), forms="1", queries=5)
    finally:
        site.answer = library

    ((records, completed),) = ran.rows("SELECT count(*), count(detail) FROM records")
    assert completed == 0
    assert records > sum(path.startswith("/book/") for path in asked_for(site)) == 10
    assert ran.rows("SELECT count(*) FROM documents WHERE record IS NOT NULL") == [(records,)]


# Going on


@pytest.mark.parametrize(
    ("moment", "turn"),
    [
        pytest.param(r"/books\?q=\w+$", 2, id="while a question is under way"),
        pytest.param(r"/books\?q=\w+&page=2", 2, id="between two pages of an answer"),
        pytest.param(r"/book/\d+", 7, id="while the pages of records are read"),
    ],
)
def test_a_killed_crawl_goes_on_in_the_middle_of_a_form(
    library: tuple[SmallSite, Path], tmp_path: Path, moment: str, turn: int
) -> None:
    site, state = library
    shutil.copytree(state, tmp_path / "state")
    site.requested.clear()
    process: Forked | None = None
    matches = 0

    def kill(path: str) -> None:
        nonlocal matches
        matches += re.fullmatch(moment, path) is not None
        if matches == turn and process is not None and process.poll() is None:
            process.kill()
            process.wait()

    assert isinstance(site.answer, Library)
    site.answer.hold = kill
    process = Forked(command_of(tmp_path, [], allowed(site), forms="1", queries=6))
    assert process.wait(240) == -signal.SIGKILL
    site.answer.hold = None
    before = asked_for(site)
    ran = crawl(tmp_path, [], allowed(site), forms="1", queries=6)
    after = asked_for(site)[len(before) :]

    assert ran.code == 0, ran.output
    assert re.fullmatch(moment, before[-1])
    assert before[-1] in after
    new = [path for path in after if re.fullmatch(r"/books\?q=\w+", path) and path not in before]
    if before[-1].startswith("/books"):
        assert after.index(before[-1]) < after.index(
            new[0]
        )  # first what was under way, then the next question
    rows = ran.rows(
        "SELECT keyword, state, total, next_url IS NOT NULL, pages, new_records + seen_records FROM submissions ORDER BY id"
    )
    assert len({keyword for keyword, *_ in rows}) == 6
    assert [state for _, state, *_ in rows] == ["answered"] * 6
    whole = [row for row in rows if not row[3]]  # an answer that shows what is known is left
    assert len(whole) >= 3
    assert [pages for *_, pages, _ in whole] == [
        max(1, -(-(total or 0) // PAGE_SIZE)) for _, _, total, *_ in whole
    ]
    assert [records for *_, records in whole] == [total or 0 for _, _, total, *_ in whole]
    assert ran.rows("SELECT count(*), count(DISTINCT key) FROM records")[0][0] > 5
    assert ran.rows("SELECT 1 FROM links WHERE state IN (0, 1) AND submission IS NOT NULL") == []


def status(ran: Ran) -> str:
    done = run_forked([sys.executable, "-m", "scrapy", "status", "-s", f"HIDDENWEB_STATE={ran.state}"])
    assert done.returncode == 0, done.stderr
    return done.stdout
