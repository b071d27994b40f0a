"""On a terminal a few lines are updated, and the log above them stays intact."""

from __future__ import annotations

import os
import pty
import re

import pytest
from forking import Forked
from test_extensions_progress import command

from simweb.running import Simweb


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
    except OSError:  # how a terminal says that the other end is closed
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


def test_a_terminal_is_updated(on_terminal: tuple[str, int]) -> None:
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
