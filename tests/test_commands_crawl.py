"""`scrapy crawl`: problems are reported before anything is fetched, and the exit code says how it ended."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from forking import Forked, run_forked
from scrapy.settings import Settings

import hiddenweb.settings
from hiddenweb.commands.crawl import problems_with_feeds
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE
from simweb.running import Simweb

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(seed=7, sites=2, pages_per_site=8, largest_database=40) as running:
        yield running


def command(*arguments: str, state: Path) -> list[str]:
    settings = [
        f"HIDDENWEB_STATE={state}",
        "HIDDENWEB_RETRIES=0",
        "HIDDENWEB_RETRY_DELAY=0.1",
        "HIDDENWEB_INDEX=0",
    ]
    options = [part for setting in settings for part in ("-s", setting)]
    return [sys.executable, "-m", "scrapy", "crawl", *options, *arguments]


def crawl(*arguments: str, state: Path) -> subprocess.CompletedProcess[str]:
    return run_forked(command(*arguments, state=state))


def seeds(web: Simweb) -> str:
    return ",".join(site["url"] for site in web.sites() if site["url"].endswith(".example/"))


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    assert "Traceback" not in done.stderr
    return [line for line in done.stderr.splitlines() if line.startswith("scrapy crawl: ")]


# Before


def settings_with(**settings: str) -> Settings:
    """Our settings, and some from a command line."""
    read = Settings()
    read.setmodule(hiddenweb.settings, priority="project")
    read.setdict(settings, priority="cmdline")
    return read


@pytest.mark.parametrize(
    ("place", "complaint"),
    [
        ("records.jsonl", ""),
        ("new/folders/%(name)s.jsonl", ""),
        ("", "is a folder; wanted a file for the feed"),
        ("file/records.jsonl", "a feed cannot be written there"),
    ],
)
@pytest.mark.parametrize("scheme", ["", "file://"])
def test_a_feed_that_cannot_be_written_is_named(
    tmp_path: Path, scheme: str, place: str, complaint: str
) -> None:
    (tmp_path / "file").touch()
    feed = f"{scheme}{tmp_path / place}"

    problems = list(problems_with_feeds(settings_with(FEEDS=json.dumps({feed: {"format": "jsonl"}}))))

    assert problems == ([f"{feed}: {complaint}"] if complaint else [])


def test_a_feed_to_somewhere_unknown_is_named() -> None:
    places = json.dumps({"gopher://a.example/records.jsonl": {}, "stdout:": {}})

    assert list(problems_with_feeds(settings_with(FEEDS=places))) == [
        "gopher://a.example/records.jsonl: feeds cannot be written to gopher:"
    ]


def test_all_problems_are_reported_at_once_and_no_state_is_made(tmp_path: Path) -> None:
    done = crawl("explore", "-a", "sites=nonsense", "-s", "HIDDENWEB_DELAY=abc", state=tmp_path / "state")

    assert done.returncode == 2
    assert complaints(done) == [
        "scrapy crawl: HIDDENWEB_DELAY: 'abc' cannot be used; wanted a number, 0 or more",
        "scrapy crawl: sites: 'nonsense' is not the address of a site",
    ]
    assert not (tmp_path / "state").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["explroe"], "scrapy crawl: there is no spider 'explroe'; do you mean explore?"),
        (["nonsense"], "scrapy crawl: there is no spider 'nonsense'; there are explore, harvest"),
        (["explore", "-a", "site=https://a.example/"], "scrapy crawl: explore has no argument site"),
        (["explore", "https://a.example/"], "error: what is 'https://a.example/'?"),
    ],
)
def test_a_wrong_command_is_explained(arguments: list[str], complaint: str, tmp_path: Path) -> None:
    done = crawl(*arguments, state=tmp_path / "state")

    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


def test_a_foreign_state_is_refused_and_not_changed(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as theirs:
        theirs.execute("CREATE TABLE theirs (x)")
    theirs.close()
    before = (tmp_path / FILE).read_bytes()

    done = crawl("explore", "-a", "sites=https://a.example/", state=tmp_path)

    assert done.returncode == 3
    assert "is an SQLite file of something else" in complaints(done)[0]
    assert (tmp_path / FILE).read_bytes() == before


def test_a_file_is_no_state_folder(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("mine", encoding="utf-8")

    done = crawl("explore", "-a", "sites=https://a.example/", state=tmp_path / "state")

    assert done.returncode == 3
    assert "cannot be used for the state: File exists" in complaints(done)[0]


def test_a_state_in_use_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path / "state"):
        done = crawl("explore", "-a", "sites=https://a.example/", state=tmp_path / "state")

    assert done.returncode == 3
    assert "another crawl" in complaints(done)[0]


def test_a_refusal_stands_in_the_log_where_the_log_is_a_file(tmp_path: Path) -> None:
    log = tmp_path / "job.log"

    with Store(tmp_path / "state"):
        done = crawl(
            "explore", "-a", "sites=https://a.example/", "-s", f"LOG_FILE={log}", state=tmp_path / "state"
        )

    assert complaints(done)[0] in log.read_text(encoding="utf-8")


NOTHING_ANSWERS = ("explore", "-a", "sites=http://127.0.0.1:9/", "-s", "HIDDENWEB_PROXY=")


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_a_crawl_may_wait_until_its_state_is_free(tmp_path: Path, stack: ExitStack) -> None:
    waiting = command(*NOTHING_ANSWERS, "-s", "HIDDENWEB_STATE_WAIT=60", state=tmp_path / "state")

    with ExitStack() as ours:
        ours.enter_context(Store(tmp_path / "state"))
        process = stack.enter_context(Forked(waiting, stderr=subprocess.PIPE))
        assert process.stderr is not None
        first = next(line for line in process.stderr if "this state" in line)
        ours.close()
        rest = process.stderr.read()

    assert first.endswith("/state: another crawl is using this state; waiting 60 s at most\n")
    assert process.wait(60) == 1
    assert "Nothing could be read" in rest


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_crawl_that_waits_for_its_state_can_be_stopped(
    number: signal.Signals, tmp_path: Path, stack: ExitStack
) -> None:
    stack.enter_context(Store(tmp_path / "state"))
    waiting = command(*NOTHING_ANSWERS, "-s", "HIDDENWEB_STATE_WAIT=600", state=tmp_path / "state")

    process = stack.enter_context(Forked(waiting, stderr=subprocess.PIPE))
    assert process.stderr is not None
    assert any("waiting 600 s at most" in line for line in process.stderr)
    process.send_signal(number)

    assert process.stderr.read() == "scrapy crawl: interrupted before it began: nothing was requested\n"
    assert process.wait(60) == 130


def test_crawls_that_start_together_on_one_state_are_one_crawl_and_refusals(
    tmp_path: Path, stack: ExitStack
) -> None:
    started = command(*NOTHING_ANSWERS, state=tmp_path / "state")

    together = [stack.enter_context(Forked(started, stderr=subprocess.PIPE)) for _ in range(3)]
    said = [process.stderr.read() for process in together if process.stderr is not None]
    codes = [process.wait(120) for process in together]

    assert set(codes) <= {1, 3}
    assert 1 in codes
    assert [text for text in said if "Traceback" in text] == []


def test_the_folder_of_a_state_may_be_named_after_spider_and_job(tmp_path: Path) -> None:
    done = crawl(*NOTHING_ANSWERS, "-a", "_job=7", state=tmp_path / "{spider}-{job}")

    assert done.returncode == 1
    assert (tmp_path / "explore-7" / FILE).exists()


def test_a_job_without_a_name_is_no_folder(tmp_path: Path) -> None:
    done = crawl(*NOTHING_ANSWERS, state=tmp_path / "{job}")

    assert done.returncode == 2
    assert complaints(done) == [
        "scrapy crawl: HIDDENWEB_STATE: {job}: there is none; -a _job=NAME names one, as Scrapyd does"
    ]
    assert list(tmp_path.iterdir()) == []


# After


def test_a_crawl_that_finished_ends_with_0_and_says_what_to_do_next(web: Simweb, tmp_path: Path) -> None:
    fast = ["-s", f"HIDDENWEB_PROXY={web.proxy}", "-s", "HIDDENWEB_DELAY=0", "-a", f"sites={seeds(web)}"]
    limited = crawl(
        "explore", "-a", "_job=7f3a", *fast, "-s", "CLOSESPIDER_PAGECOUNT=3", state=tmp_path / "state"
    )
    finished = crawl("explore", *fast, state=tmp_path / "state")
    again = crawl("explore", *fast, state=tmp_path / "state")

    assert [limited.returncode, finished.returncode, again.returncode] == [0, 0, 0]
    assert last_line(limited).startswith(
        "Stopped: limit CLOSESPIDER_PAGECOUNT=3 reached; the same command resumes it ("
    )
    assert last_line(finished).startswith("Finished: all links of 2 sites were followed. ")
    assert "scrapy search WORDS, scrapy status." in last_line(finished)
    assert last_line(again).startswith(
        "Finished: nothing was left to do, all links of 2 sites were followed earlier."
    )
    assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    return done.stderr.splitlines()[-1]


def test_a_crawl_that_is_stopped_by_a_signal_ends_with_130_and_keeps_its_state(
    web: Simweb, tmp_path: Path
) -> None:
    slow = ["-s", f"HIDDENWEB_PROXY={web.proxy}", "-s", "HIDDENWEB_DELAY=30", "-a", f"sites={seeds(web)}"]
    slow += ["-s", "HIDDENWEB_PROGRESS_SECONDS=0.2"]
    process = Forked(command("explore", *slow, state=tmp_path / "state"), stderr=subprocess.PIPE)
    assert process.stderr is not None
    with process.stderr:
        begun = next(line for line in process.stderr if "2 links waiting" in line)
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read().splitlines()

    assert begun
    assert process.wait(240) == 130
    assert rest[-1].startswith(
        "Interrupted (Ctrl-C or a signal): nothing is lost, the same command resumes it (2 links"
    )
    with Store(tmp_path / "state", write=False) as state:
        assert state.rows("SELECT reason FROM runs") == [("shutdown",)]
        assert state.counts()["pending"] == 2


def test_a_crawl_that_could_read_nothing_ends_with_1_and_says_why(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        port = taken.getsockname()[1]
        done = crawl(
            "explore", "-a", f"sites=http://127.0.0.1:{port}/", "-s", f"HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:{port}",
            "-s", "HIDDENWEB_PROXY=", "-s", "HIDDENWEB_ROBOTS_RETRY_DELAY=0.1", state=tmp_path / "state",
        )  # fmt: skip

    assert done.returncode == 1
    assert last_line(done).startswith(
        f"Nothing could be read: http://127.0.0.1:{port}/: no answer: no connection"
    )
    assert last_line(done).endswith("Next: check the address, and that a server runs there.")


def test_a_crawl_of_a_name_that_does_not_exist_ends_at_once(tmp_path: Path) -> None:
    done = crawl(
        "harvest", "-a", "sites=http://books.invalid/", "-s", "HIDDENWEB_PROXY=", "-s", "HIDDENWEB_RETRIES=2",
        "-s", "HIDDENWEB_RETRY_DELAY=300", state=tmp_path / "state",
    )  # fmt: skip

    assert done.returncode == 1
    assert last_line(done).startswith(
        "Nothing could be read: http://books.invalid/: no answer: books.invalid: "
    )


def test_a_refused_address_is_the_reason_settings_with(tmp_path: Path) -> None:
    done = crawl(
        "explore", "-a", "sites=http://127.0.0.1:8/", "-s", "HIDDENWEB_PROXY=", state=tmp_path / "state"
    )

    assert done.returncode == 1
    assert "127.0.0.1 is this machine" in last_line(done)
    assert last_line(done).endswith("-s HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:8.")


# Manners


class _Listener(BaseHTTPRequestHandler):
    agents: list[str | None] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self.agents.append(self.headers["User-Agent"])
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "20")
        self.end_headers()
        self.wfile.write(b"<p>A page of ours</p"[:20])

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def listener() -> Iterator[tuple[str, list[str | None]]]:
    _Listener.agents = []
    with ThreadingHTTPServer(("127.0.0.1", 0), _Listener) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}", _Listener.agents
        server.shutdown()
        thread.join()


def test_the_contact_is_sent_with_every_request(
    listener: tuple[str, list[str | None]], tmp_path: Path
) -> None:
    place, agents = listener
    done = crawl(
        "explore", "-a", f"sites=http://{place}/", "-s", f"HIDDENWEB_ALLOW_ADDRESSES={place}", "-s", "HIDDENWEB_DELAY=0",
        "-s", "HIDDENWEB_PROXY=", "-s", "HIDDENWEB_CONTACT=https://crawl.example/why", state=tmp_path / "state",
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert len(agents) >= 2  # robots.txt too
    assert set(agents) == {f"hiddenweb/{hiddenweb.__version__} (+https://crawl.example/why)"}
