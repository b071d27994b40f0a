"""The paper's three ways to look for changes, with plain threads, as MTCCDW has them.

Every page is fetched, its old version loaded, and both compared. Configuration 1 does that one page after the other. Configuration 2 has a section of threads for each of the three steps,
with a bounded queue between two of them; configuration 3 has two sections: fetch, and load with compare. The queues hold 500 pages.

A thread keeps its connection (`http.client`). Old versions are texts in SQLite, and each thread has a connection of its own to that. A page that came is read by our own
reader of pages, and its text is compared with the old one; only texts that differ are compared word by word (`difflib`). So the pages of this
benchmark, none of which changed, cost these configurations one reading each and no more.
"""

from __future__ import annotations

import difflib
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from queue import Queue
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks._changes_processes import Failed
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    Step = Callable[[Any], Any]

CAPACITY = 500
LOADERS = 11  # the paper's M; in configuration 2 as many compare
PATIENCE = 120.0
"""Seconds after which a section that waits for another gives up."""

_TYPE = "text/html; charset=utf-8"
_END: Any = None


class Texts:
    """Old versions of pages, in a file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []

    def keep(self, pages: Iterable[tuple[str, str]]) -> None:
        """Keep the texts of pages by their addresses."""
        with sqlite3.connect(self._file) as database:
            database.execute("CREATE TABLE versions (url TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID")
            database.executemany("INSERT INTO versions VALUES (?, ?)", pages)
        database.close()

    def load(self, url: str) -> str:
        """Return the text of a page."""
        if not hasattr(self._own, "database"):
            self._own.database = sqlite3.connect(self._file, check_same_thread=False)
            self._opened.append(self._own.database)
        return str(
            self._own.database.execute("SELECT text FROM versions WHERE url = ?", (url,)).fetchone()[0]
        )

    def close(self) -> None:
        """Close the file in the name of all threads, which are gone."""
        for database in self._opened:
            database.close()


def text_of(body: bytes, url: str) -> str:
    """Return what a page says."""
    return read_page(body, url, content_type=_TYPE).text


def changes(old: str, body: bytes, url: str) -> list[str]:
    """Return what a page says that it did not say, and what it does not say any more."""
    new = text_of(body, url)
    return [] if new == old else list(difflib.unified_diff(old.split("\n"), new.split("\n")))


def one_thread(urls: Sequence[str], texts: Texts) -> float:
    """Look at pages by configuration 1; return the seconds."""
    with closing(Fetcher()) as fetcher:
        started = time.perf_counter()
        _check(sum(bool(changes(texts.load(url), fetcher.fetch(url)[1], url)) for url in urls))
        return time.perf_counter() - started


def three_sections(urls: Sequence[str], texts: Texts, fetchers: int) -> float:
    """Look at pages by configuration 2; return the seconds."""

    def load(page: tuple[str, bytes]) -> tuple[str, bytes, str]:
        return *page, texts.load(page[0])

    def compare(page: tuple[str, bytes, str]) -> bool:
        return bool(changes(page[2], page[1], page[0]))

    with _fetchers(fetchers) as fetching:
        return _sections(urls, fetching, [load] * LOADERS, [compare] * LOADERS)


def two_sections(urls: Sequence[str], texts: Texts, fetchers: int) -> float:
    """Look at pages by configuration 3; return the seconds."""

    def load_and_compare(page: tuple[str, bytes]) -> bool:
        return bool(changes(texts.load(page[0]), page[1], page[0]))

    with _fetchers(fetchers) as fetching:
        return _sections(urls, fetching, [load_and_compare] * LOADERS)


class Fetcher:
    """A client that keeps its connection."""

    def __init__(self) -> None:
        self._connection: HTTPConnection | None = None

    def fetch(self, url: str) -> tuple[str, bytes]:
        """Return an address with what a server sends for it."""
        parts = urlsplit(url)
        if self._connection is None:
            self._connection = HTTPConnection(parts.netloc, timeout=PATIENCE)
        self._connection.request("GET", parts.path)
        return url, self._connection.getresponse().read()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


@contextmanager
def _fetchers(count: int) -> Iterator[list[Step]]:
    with ExitStack() as stack:
        yield [stack.enter_context(closing(Fetcher())).fetch for _ in range(count)]


def _sections(urls: Sequence[str], *sections: Sequence[Step]) -> float:
    """Send addresses through sections, a thread for each step, with a bounded queue before each but the first; return the seconds."""
    queues: list[Queue[Any]] = [Queue()] + [Queue(CAPACITY) for _ in sections[1:]]
    results: Queue[Any] = Queue()
    for url in urls:
        queues[0].put(url)
    started = time.perf_counter()
    with ThreadPoolExecutor(sum(len(section) for section in sections)) as pool:
        running = [
            [pool.submit(_work, step, source, target) for step in section]
            for section, source, target in zip(sections, queues, [*queues[1:], results], strict=True)
        ]
        for queue, futures in zip(queues, running, strict=True):
            for _ in futures:
                queue.put(_END, timeout=PATIENCE)
            for future in futures:
                future.result()
    seconds = time.perf_counter() - started
    found = [results.get() for _ in range(results.qsize())]
    if len(found) != len(urls):
        raise Failed(f"{len(found)} of {len(urls)} pages were compared")
    _check(sum(found))
    return seconds


def _work(step: Step, source: Queue[Any], target: Queue[Any]) -> None:
    while (item := source.get(timeout=PATIENCE)) is not _END:
        target.put(step(item), timeout=PATIENCE)


def _check(changed: int) -> None:
    if changed:
        raise Failed(f"{changed} pages changed that should not have")
