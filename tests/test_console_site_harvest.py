"""`hiddenweb URL`: from the address of a site to a file of its records, in one command."""

from __future__ import annotations

import csv
import os
import pty
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from applications import free_port, running
from bookshop import book, page, search
from crawling import SmallSite
from test_journey_datasette import write_database

from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
COMMAND = [sys.executable, "-m", "hiddenweb.console.command_line"]
FAST = ("-s", "HIDDENWEB_DELAY=0", "-s", "HIDDENWEB_PROXY=", "-s", "HIDDENWEB_INDEX=0")


def answer(path: str) -> str | None:
    if path == "/robots.txt":
        return None
    if path.startswith("/item/"):
        return page(int(path.rpartition("/")[2]))
    links = "".join(f"<p><a href=/item/{number}>{book(number)['title']}</a>" for number in range(1, 9))
    return search(path, 80).replace("</h1>", f"</h1>{links}" if path == "/" else "</h1>")


@pytest.fixture
def site() -> Iterator[SmallSite]:
    with SmallSite(answer) as site:
        yield site


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "SCRAPY_SETTINGS_MODULE"} | {
        "PYTHONPATH": str(ROOT)
    }


def harvest(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words, *FAST], cwd=folder, text=True, capture_output=True, stdin=subprocess.DEVNULL,
        env=environment(), check=False, timeout=400,
    )  # fmt: skip


def on_terminal(folder: Path, *words: str, types: bytes | None) -> tuple[int, str]:
    """Run the command with a terminal as its input, where something is typed when it asks, or Ctrl-C pressed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, *words, *FAST], cwd=folder, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=environment(),
    )  # fmt: skip
    os.close(theirs)
    printed = b""
    assert process.stdout is not None
    with process.stdout as output:
        while b"[y/N]" not in printed and (more := os.read(output.fileno(), 4096)):
            printed += more
        if types is None:
            process.send_signal(signal.SIGINT)
        else:
            os.write(ours, types)
        printed += output.read()
    os.close(ours)
    return process.wait(400), printed.decode()


def queries(site: SmallSite) -> int:
    return sum(path.startswith("/search?q=") for path in site.requested)


def test_an_address_becomes_a_file_of_records_and_the_same_command_goes_on(
    site: SmallSite, tmp_path: Path
) -> None:
    words = (site.url, "--allow", "127.0.0.1:*", "-o", "records.csv", "--yes")

    done = harvest(tmp_path, *words, "--queries", "10")
    first = (tmp_path / "records.csv").read_text(encoding="utf-8")
    more = harvest(tmp_path, *words, "--queries", "30")

    assert (done.returncode, more.returncode) == (0, 0), done.stderr + more.stderr
    assert f"Everything is kept in hiddenweb-127.0.0.1-{site.port}." in done.stdout
    assert "1 form, of which 1 would be submitted" in done.stdout
    assert "with at most 10 queries" in done.stdout
    assert "Next: hiddenweb search WORDS, hiddenweb status." in done.stdout
    assert "scrapy" not in (done.stdout + done.stderr).lower()
    rows = list(csv.DictReader((tmp_path / "records.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert {row["title"] for row in rows} <= {book(number)["title"] for number in range(1, 81)}
    assert len(rows) >= len(first.splitlines()) - 1 > 5
    with Store(tmp_path / f"hiddenweb-127.0.0.1-{site.port}", write=False) as state:
        assert state.rows("SELECT count(*) FROM submissions WHERE state = 'answered'")[0][0] == queries(site)


def test_without_a_terminal_nothing_is_submitted_unless_it_is_confirmed(
    site: SmallSite, tmp_path: Path
) -> None:
    done = harvest(tmp_path, site.url, "--allow", "127.0.0.1:*", "-o", "records.csv")

    assert done.returncode == 4
    assert "The same command with --yes goes on." in done.stdout
    assert queries(site) == 0
    assert not (tmp_path / "records.csv").exists()


@pytest.mark.parametrize(
    ("types", "code", "said", "submits"),
    [
        pytest.param(b"n\n", 0, "Nothing was submitted.", False, id="no"),
        pytest.param(b"yes\n", 0, "records.csv: ", True, id="yes"),
        pytest.param(None, 130, "Interrupted: nothing was submitted.", False, id="Ctrl-C"),
    ],
)
def test_on_a_terminal_it_asks(
    site: SmallSite, tmp_path: Path, types: bytes | None, code: int, said: str, submits: bool
) -> None:
    ended, printed = on_terminal(
        tmp_path, site.url, "--allow", "127.0.0.1:*", "-o", "records.csv", "--queries", "4", types=types
    )

    assert ended == code, printed
    assert "Submit this form? [y/N]" in printed
    assert said in printed
    assert "Traceback" not in printed
    assert (queries(site) > 0) is submits


def test_a_local_address_gets_the_exact_remedy(site: SmallSite, tmp_path: Path) -> None:
    done = harvest(tmp_path, site.url, "--yes")

    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(f"allow it with --allow 127.0.0.1:{site.port}.")
    assert site.requested == []
    assert list(tmp_path.iterdir()) == []


def test_one_interrupt_ends_it_cleanly_and_keeps_what_was_found(site: SmallSite, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, site.url, "--allow", "127.0.0.1:*", "-o", "records.csv", "--yes", *FAST, "-s", "HIDDENWEB_DELAY=0.1",
         "-s", "HIDDENWEB_PROGRESS_SECONDS=0.2"],
        cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(),
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    with process.stdout as output:
        printed = [next(line for line in output if "new, " in line and "records 0 new" not in line)]
        process.send_signal(signal.SIGINT)
        printed += output

    assert process.wait(240) == 130
    text = "".join(printed)
    assert "Traceback" not in text
    assert "Interrupted (Ctrl-C or a signal): nothing is lost" in text
    assert (tmp_path / "records.csv").exists()


def test_a_site_without_a_search_says_so(tmp_path: Path) -> None:
    with SmallSite(
        lambda path: "<title>A page</title><p>Nothing to search for." if path == "/" else None
    ) as site:
        done = harvest(tmp_path, site.url, "--allow", "127.0.0.1:*", "--yes")

    assert done.returncode == 1
    assert "There is nothing more to submit, and no link is left to follow." in done.stdout


def test_datasette_becomes_a_file_in_one_command(tmp_path: Path) -> None:
    write_database(tmp_path / "library.db")
    port = free_port()
    server = ["-m", "datasette", "serve", "library.db", "--host", "127.0.0.1", "--port", str(port)]
    with running(tmp_path, server, port):
        done = harvest(
            tmp_path, f"http://127.0.0.1:{port}/", "--allow", f"127.0.0.1:{port}", "--yes", "-o", "records.csv",
            "--queries", "6", "--pages", "120",
        )  # fmt: skip

    assert done.returncode == 0, done.stderr
    with closing(sqlite3.connect(tmp_path / "library.db")) as database:
        titles = {title for (title,) in database.execute("SELECT title FROM books")}
    rows = list(csv.DictReader((tmp_path / "records.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert len(rows) > 50
    assert sum(bool(titles & set(row.values())) for row in rows) >= 0.8 * len(rows)
