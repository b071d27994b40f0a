"""What others would have told of the thousand pages of `benchmarks._changes_correctness`: any difference is an alarm.

The very same pages come in the same order, drawn by the same chance. `plain_alarms` compares what a reader sees, the title and the visible text as our own reader has them, with
the text of the last time, and has every difference for an alarm. Errors, and answers that are known to be cut, are left out. `urlwatch_alarms` lets urlwatch itself
look at them, six runs with its own database, its filter `html2text` and its own report of what changed; pages come from a server on 127.0.0.1 which breaks the connection
before the end where an answer is known to be cut.

Alarms are counted as `simulate` counts ours: a page that tells of a real change that is due raises none.
"""

from __future__ import annotations

import re
import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks import _changes_correctness as pages_of
from benchmarks._changes_urlwatch import prepare, run_jobs
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from random import Random

    from benchmarks._changes_correctness import Paper

_CHANGED = re.compile(r"\bCHANGED: http://[\d.:]+(\S+)")
_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Plain:
    """What a watcher told that has any difference for a change."""

    found: int
    missed: int
    false_alarms: tuple[int, ...]  # by round, from the second on


@dataclass(frozen=True, slots=True)
class Came:
    """What came for a page in a round."""

    round: int
    paper: Paper
    status: int
    body: bytes
    is_cut: bool  # and that is known


def plain_alarms(rng: Random, *, pages: int = pages_of.PAGES) -> Plain:
    """Look at the pages six times and say what a comparison of visible texts would have told."""
    last: dict[str, str] = {}
    counted = _Counted()
    for came in chain.from_iterable(rounds(rng, pages)):
        url = came.paper.url
        told = False
        if came.status == 200 and not came.is_cut:
            page = read_page(came.body, url, content_type=_TYPE)
            text = f"{page.title}\n{page.text}"
            told = text != last.get(url, text)
            last[url] = text
        counted.count(came, told=told)
    return counted.sum()


def urlwatch_alarms(urlwatch: str, rng: Random, folder: Path, *, pages: int = pages_of.PAGES) -> Plain:
    """Let urlwatch look at the pages six times and say what it told."""
    counted = _Counted()
    with _server() as server:
        for arrived in rounds(rng, pages):
            server.came = {urlsplit(came.paper.url).path: came for came in arrived}
            if not folder.exists():
                place = f"http://127.0.0.1:{server.server_address[1]}"
                prepare(
                    folder, {"pages": [f"{place}{path}" for path in server.came]}, "filter: [html2text]\n"
                )
            said = run_jobs(urlwatch, folder, "pages").output
            told = set(_CHANGED.findall(said))
            for path, came in server.came.items():
                counted.count(came, told=path in told)
    return counted.sum()


class _Counted:
    """Alarms, right and false."""

    def __init__(self) -> None:
        self._right: Counter[bool] = Counter()
        self._false: Counter[int] = Counter()

    def count(self, came: Came, *, told: bool) -> None:
        """Count what was told of a page."""
        if came.paper.due and came.round not in came.paper.fails:
            self._right[told] += 1
            came.paper.due = []
        elif told:
            self._false[came.round] += 1

    def sum(self) -> Plain:
        """Return what was counted."""
        by_round = tuple(self._false[round_] for round_ in range(2, pages_of.ROUNDS + 1))
        return Plain(self._right[True], self._right[False], by_round)


def rounds(rng: Random, count: int) -> Iterator[list[Came]]:
    """Yield what comes in each round, drawing in the order of `simulate`."""
    papers = list(pages_of._papers(rng, count))
    changing = pages_of._plan(papers, rng)
    for round_ in range(1, pages_of.ROUNDS + 1):
        for paper in changing.get(round_, ()):
            paper.due += pages_of._really_change(paper, rng)
        order = papers[:]
        rng.shuffle(order)
        start = pages_of._START + round_ * pages_of.DAY
        yield [_came(paper, round_, start + number, rng) for number, paper in enumerate(order)]


def _came(paper: Paper, round_: int, at: float, rng: Random) -> Came:
    fails = paper.fails.get(round_, "")
    if fails == "503":
        return Came(round_, paper, 503, b"", is_cut=False)
    body = (pages_of._missing(paper) if fails == "soft-404" else pages_of._html(paper, at, rng)).encode()
    is_cut = False
    if fails == "truncated":
        body = body[: rng.randint(len(body) // 4, len(body) * 3 // 4)]
        is_cut = rng.random() < 0.5
    return Came(round_, paper, 200, body, is_cut)


class _Server(ThreadingHTTPServer):
    """Answers with what came last."""

    daemon_threads = True
    request_queue_size = 128
    came: dict[str, Came]


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        came = self.server.came[self.path]
        self.send_response(came.status)
        self.send_header("Content-Type", _TYPE)
        self.send_header("Content-Length", str(len(came.body) + 1_000 * came.is_cut))
        self.end_headers()
        self.wfile.write(came.body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def _server() -> Iterator[_Server]:
    with _Server(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(5)
