"""What people see of a crawl: live lines on a terminal, lines elsewhere, why nothing happens, why it ended."""

from __future__ import annotations

import logging
import os
import pty
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from forking import Forked, run_forked
from scrapy import signals
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from hiddenweb.extensions.progress import (
    ContactAddon,
    CrawlSummary,
    ProgressExtension,
    ProgressSnapshot,
    RevisitProgress,
    last_line,
    line,
    picture,
    why_quiet,
)
from hiddenweb.model import CrawlTask, Fetched
from hiddenweb.store.chosen_forms import ONLY_ASKED
from simweb.running import Simweb

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent

BUSY = ProgressSnapshot(
    "harvest",
    elapsed=3_725.4,
    pages=1_234,
    rate=12.34,
    forms=12,
    askable=4,
    asked=37,
    answered=35,
    new_records=890,
    seen_records=12,
    waiting=4_210,
    active=("a.example",),
    unindexed=120,
)
PAUSED = (
    (42.0, "c.example", "robots.txt cannot be had; 42 s left"),
    (97.0, "b.example", "status 503; 97 s left"),
)
DONE = CrawlSummary(
    "finished", errands=9, pages=1_234, forms=12, askable=4, sites=(("a.example", 1_234, None),)
)


# Words


def test_a_line_names_all_counts() -> None:
    assert line(BUSY) == (
        "1,234 pages (12.3/s); 12 forms (4 askable); 37 questions (35 answered); records 890 new, 12 seen;"
        " index 120 behind; 4,210 links waiting; 1 host active"
    )


def test_how_much_of_the_databases_asked_now_is_known_is_shown() -> None:
    databases = ("a.example: about 8,100 of 8,400 (7,900-9,000), 132 queries", "b.example: all 12, 1 query")
    asking = replace(BUSY, databases=databases)

    assert "; a.example: about 8,100 of 8,400 (7,900-9,000), 132 queries; 4,210 links waiting" in line(asking)
    assert picture(asking).plain.splitlines()[2:4] == list(databases)


def test_the_picture_is_a_few_lines_and_names_the_longest_pauses() -> None:
    many = tuple(
        (float(number), f"h{number}.example", f"status 503; {number} s left") for number in range(1, 10)
    )

    shown = picture(replace(BUSY, paused=many)).plain.split("\n")

    assert shown[0] == "harvest 1:02:05  1,234 pages (12.3/s)  4,210 links waiting  1 host active, 9 paused"
    assert shown[2:] == [
        "paused: h9.example: status 503; 9 s left",
        "paused: h8.example: status 503; 8 s left",
        "paused: h7.example: status 503; 7 s left (and 6 more)",
    ]


def test_looks_are_counted_against_the_plan() -> None:
    looking = ProgressSnapshot(
        "revisit", elapsed=61.0, rate=3.25, active=("a.example",), looks=RevisitProgress(1_000, 40, 4)
    )

    assert line(looking) == "40 of 1,000 looks (3.2/s), 4 found a change; 1 host active"
    assert picture(looking).plain == (
        "revisit 0:01:01  40 of 1,000 looks (3.2/s), 4 found a change  1 host active, 0 paused"
    )
    assert "sitemaps are read before looks are planned, 2 so far" in line(
        replace(looking, quiet=9.0, looks=RevisitProgress(sitemaps=2))
    )


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        pytest.param(BUSY, "", id="busy"),
        pytest.param(replace(BUSY, paused=PAUSED), "", id="one is paused, others are not"),
        pytest.param(
            replace(BUSY, quiet=12.0),
            "waiting: 1 host asked, no answer for 12 s (a.example)",
            id="a slow host",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), paused=PAUSED),
            "waiting: 2 hosts paused, next in 42 s (c.example: robots.txt cannot be had)",
            id="all are paused",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), next_in=7.0, next_why="d.example gets 30 s between requests"),
            "waiting: next request in 7 s (d.example gets 30 s between requests)",
            id="a delay",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), next_in=7.0), "waiting: next request in 7 s", id="a turn"
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=()),
            "waiting: the index has 120 documents to take in, then the crawl ends",
            id="indexing",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), next_in=0.0),  # it could, but a limit was reached
            "waiting: the index has 120 documents to take in, then the crawl ends",
            id="indexing after a limit",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), unindexed=None),
            "waiting: nothing is left to ask, the crawl is about to end",
            id="the end",
        ),
    ],
)
def test_it_is_said_why_nothing_happens(moment: ProgressSnapshot, said: str) -> None:
    assert why_quiet(moment) == said
    assert line(moment).partition("waiting: ")[1:] == said.partition("waiting: ")[1:]


@pytest.mark.parametrize(
    ("end", "outcome", "said"),
    [
        pytest.param(
            CrawlSummary("finished", looks=RevisitProgress(9, 9, 2, 3.14, 1, 0, fresh_before=0.71, fresh=0.824)),
            "finished",
            "Finished: all looks were made. 9 looks, 2 found a change (3.1 expected), 1 came to nothing;"
            " about 82 % of all pages are as they were read, 71 % before. Next: scrapy changes, scrapy search WORDS.",
            id="looked",
        ),
        pytest.param(
            CrawlSummary("shutdown", waiting=5, looks=RevisitProgress(9, 4, 0)),
            "interrupted",
            "Interrupted (Ctrl-C or a signal): nothing is lost, the same command goes on (5 looks waiting)."
            " 4 looks, 0 found a change (0 expected).",
            id="looks interrupted",
        ),
        pytest.param(
            CrawlSummary("finished", trouble="http://a.example/: status 503", looks=RevisitProgress(2, 2, nothing=2, unanswered=2)),
            "failed",
            "Nothing could be looked at: http://a.example/: status 503. Next: mend that, or see scrapy status.",
            id="no look was answered",
        ),
        pytest.param(
            DONE,
            "finished",
            "Finished: all links of 1 site were followed. 1,234 pages, 12 forms (4 askable)."
            " Next: scrapy crawl harvest to ask the forms, scrapy search WORDS, scrapy status.",
            id="explored",
        ),
        pytest.param(
            replace(DONE, submit=True, asked=37, new_records=890, missed=2, refused=1),
            "finished",
            "Finished: all links of 1 site were followed. 1,234 pages, 12 forms (4 askable), 37 questions asked,"
            " 890 new records, 3 links not read. Next: scrapy search WORDS, scrapy status.",
            id="harvested",
        ),
        pytest.param(
            replace(DONE, given_up=1, waiting=40),
            "finished",
            "Finished: 1 host did not answer and 40 links there wait, all others of 1 site were followed. 1,234 pages,",
            id="a host did not answer",
        ),
        pytest.param(
            replace(DONE, sites=(("a.example", 5_000, "5,000 pages"), ("b.example", 3, None))),
            "finished",
            "Finished: 1 of 2 sites was left early (a.example: 5,000 pages), all other links were followed.",
            id="a site was left",
        ),
        pytest.param(
            replace(DONE, errands=0, pages=0, forms=0, askable=0),
            "finished",
            "Finished: nothing was left to do, all links of 1 site were followed earlier. 0 pages, no new form.",
            id="nothing left",
        ),
        pytest.param(
            replace(DONE, errands=0, sites=(("a.example", 9, "its budget of 9 pages is spent"),)),
            "finished",
            "Finished: 1 of 1 site was left early (a.example: its budget of 9 pages is spent), all other links were",
            id="a budget that was spent earlier",
        ),
        pytest.param(
            replace(DONE, sites=(("a.example", 9, ONLY_ASKED),), chosen=((12, "asked 10 times"),)),
            "finished",
            "Finished: 1 form has had all its questions for now (#12: asked 10 times). 1,234 pages,",
            id="a form",
        ),
        pytest.param(
            replace(DONE, errands=0, chosen=tuple((number, "asked") for number in range(1, 6))),
            "finished",
            "Finished: nothing was left to do, 5 forms have had all their questions for now (#1: asked; #2: asked;"
            " #3: asked; and 2 more).",
            id="forms that were asked earlier",
        ),
        pytest.param(
            replace(DONE, reason="time is up", limit="HIDDENWEB_TIME_LIMIT=30m", waiting=2),
            "limit",
            "Stopped: limit HIDDENWEB_TIME_LIMIT=30m reached; the same command goes on (2 links waiting).",
            id="its time",
        ),
        pytest.param(
            CrawlSummary("finished", errands=1, sites=(("a.example", 0, None),), trouble="https://a.example/: status 404"),
            "failed",
            "Nothing could be read: https://a.example/: status 404. Next: mend that, or see scrapy status.",
            id="nothing could be read",
        ),
        pytest.param(
            replace(DONE, reason="shutdown", waiting=4_210),
            "interrupted",
            "Interrupted (Ctrl-C or a signal): nothing is lost, the same command goes on (4,210 links waiting).",
            id="Ctrl-C",
        ),
        pytest.param(
            replace(DONE, reason="closespider_pagecount", limit="CLOSESPIDER_PAGECOUNT=9", waiting=1),
            "limit",
            "Stopped: limit CLOSESPIDER_PAGECOUNT=9 reached; the same command goes on (1 link waiting).",
            id="a limit",
        ),
        pytest.param(
            replace(DONE, reason="disk\x1b[2Jfull"), "failed", "Stopped: disk [2Jfull; the same", id="something else"
        ),
    ],
)  # fmt: skip
def test_the_last_line_says_why_it_ended_and_what_to_do(end: CrawlSummary, outcome: str, said: str) -> None:
    word, sentence = last_line(end)

    assert word == outcome
    assert sentence.startswith(said)


# Manners


def test_the_contact_becomes_part_of_the_agent() -> None:
    settings = Settings()
    settings.set("USER_AGENT", "hiddenweb/1", priority="project")
    settings.set("HIDDENWEB_CONTACT", "me@a.example", priority="cmdline")

    ContactAddon().update_settings(settings)

    assert re.fullmatch(r"hiddenweb/[\d.]+ \(\+me@a\.example\)", settings["USER_AGENT"])


def test_an_agent_that_was_given_on_the_command_line_stays() -> None:
    settings = Settings({"HIDDENWEB_CONTACT": "me@a.example"})
    settings.set("USER_AGENT", "mine/1", priority="cmdline")

    ContactAddon().update_settings(settings)

    assert settings["USER_AGENT"] == "mine/1"


@pytest.mark.parametrize(
    ("contact", "url", "reminders"),
    [
        ("", "https://www.bookshop.org/", 1),
        ("me@a.example", "https://www.bookshop.org/", 0),
        ("", "http://127.0.0.1:8080/", 0),
        ("", "http://localhost:8080/", 0),
        ("", "http://[::1]:8080/", 0),
        ("", "http://bookshop.example/", 0),
    ],
)
def test_who_asks_other_hosts_without_a_contact_is_reminded_once(
    contact: str, url: str, reminders: int, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = get_crawler(settings_dict={"HIDDENWEB_CONTACT": contact})
    addon = ContactAddon.from_crawler(crawler)
    visit = Fetched(CrawlTask(1, 1, 1, url), url, 200, 0.0)

    with caplog.at_level(logging.WARNING):
        crawler.signals.send_catch_log(signals.item_scraped, item=visit)
        crawler.signals.send_catch_log(signals.item_scraped, item=visit)

    assert addon is not None
    assert (
        len([record for record in caplog.records if "HIDDENWEB_CONTACT" in record.getMessage()]) == reminders
    )


# Crawls


class _Busy(BaseHTTPRequestHandler):
    """A host that has no robots.txt and asks to come back later."""

    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/robots.txt" else 503)
        self.send_header("Retry-After", "120")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def busy_host() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Busy) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def command(spider: str, sites: str, state: Path, **settings: object) -> list[str]:
    ours = {"HIDDENWEB_STATE": state, "HIDDENWEB_DELAY": 0, "HIDDENWEB_INDEX": 0, **settings}
    options = [part for name, value in ours.items() for part in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "crawl", spider, "-a", f"sites={sites}", *options]


def test_lines_say_which_host_is_paused_and_why(busy_host: str, tmp_path: Path) -> None:
    process = Forked(
        command(
            "explore", f"http://{busy_host}/", tmp_path / "state", HIDDENWEB_PROXY="", CLOSESPIDER_TIMEOUT=100,
            HIDDENWEB_ALLOW_ADDRESSES=busy_host, HIDDENWEB_PROGRESS_SECONDS=0.5,
        ),
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    with process.stderr:
        paused = next(line for line in process.stderr if "1 host paused" in line)
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read().splitlines()

    pattern = rf"waiting: 1 host paused, next in \d+ s \({busy_host}: status 503, asks to wait 120 s"
    assert re.search(pattern, paused), paused
    assert process.wait(240) == 130
    assert "(1 link waiting)" in rest[-1]


def test_without_progress_only_the_last_line_is_said(busy_host: str, tmp_path: Path) -> None:
    log = tmp_path / "crawl.log"
    done = run_forked(
        command(
            "explore", f"http://{busy_host}/", tmp_path / "state", HIDDENWEB_PROXY="", CLOSESPIDER_TIMEOUT=1,
            HIDDENWEB_ALLOW_ADDRESSES=busy_host, HIDDENWEB_PROGRESS_SECONDS=0, LOG_FILE=log,
        ),
    )  # fmt: skip

    assert done.stderr.startswith("Stopped: limit CLOSESPIDER_TIMEOUT=1 reached")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.strip() in log.read_text(encoding="utf-8")
    assert "links waiting; " not in log.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def on_terminal(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, int]:
    """All that a crawl of a small web writes to a terminal, and its exit code."""
    with Simweb.start(seed=7, sites=2, pages_per_site=8, largest_database=40) as web:
        sites = ",".join(site["url"] for site in web.sites() if site["url"].endswith(".example/"))
        state = tmp_path_factory.mktemp("terminal") / "state"
        ours, theirs = pty.openpty()
        process = Forked(
            command(
                "harvest",
                sites,
                state,
                HIDDENWEB_PROXY=web.proxy,
                HIDDENWEB_DELAY=0.1,
                CLOSESPIDER_TIMEOUT=20,
            ),
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "30"},
        )
        os.close(theirs)
        written = b"".join(iter(lambda: read(ours), b""))
        os.close(ours)
        return written.decode(), process.wait(240)


def read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # how a terminal says that nobody writes to it any more
        return b""


class Screen:
    """A terminal, as far as our lines need one: text, line ends, cursor up, erase line."""

    def __init__(self, written: str) -> None:
        self.lines = [""]
        self.row = 0
        for part in re.findall(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\n|[^\x1b\r\n]+", written):
            self._take(part)

    def _take(self, part: str) -> None:
        if part == "\n":
            self.row += 1
            self.lines += [""] * (self.row + 1 - len(self.lines))
        elif part == "\x1b[2K":
            self.lines[self.row] = ""
        elif part.startswith("\x1b[") and part.endswith("A"):
            self.row -= int(part[2:-1])
        elif part[0] not in "\x1b\r":
            self.lines[self.row] += part


def test_a_terminal_is_kept_up_to_date(on_terminal: tuple[str, int]) -> None:
    written, code = on_terminal

    pictures = re.findall(r"harvest 0:00:\d\d  ([\d,]+) pages? \([\d.]+/s\)  [\d,]+ links? waiting", written)
    assert code == 0
    assert len(pictures) >= 3
    assert int(pictures[-1].replace(",", "")) > 5, pictures


def test_nothing_of_the_live_lines_is_left_behind_and_the_log_is_whole(on_terminal: tuple[str, int]) -> None:
    lines = [text for text in Screen(on_terminal[0]).lines if text]

    assert lines[-1].startswith(("Finished: ", "Stopped: limit"))
    assert [text for text in lines[:-1] if not re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[", text)] == []
    assert any("INFO: Closing spider" in text for text in lines)


def test_the_cursor_is_shown_again(on_terminal: tuple[str, int]) -> None:
    hidden, shown = on_terminal[0].rfind("\x1b[?25l"), on_terminal[0].rfind("\x1b[?25h")

    assert -1 < hidden < shown


def test_a_crawler_without_our_scheduler_gets_progress_too(caplog: pytest.LogCaptureFixture) -> None:
    class Engine:
        scheduler = None

    crawler: Any = get_crawler()
    crawler._engine = Engine()
    extension = ProgressExtension(crawler, every=0.0, now=lambda: 100.0)
    extension.begin()
    with caplog.at_level(logging.INFO):
        extension._log()

    assert "0 pages (0.0/s)" in caplog.text
