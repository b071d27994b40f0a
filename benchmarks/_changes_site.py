"""A site whose every page takes its time, and that changes all of its pages when it is told to.

The home page leads to index pages, these lead to all others, a hundred each. A page has some six hundred words of its own, headings, and links, about 6 KB; what it
says follows from the seed, its number, and the edition: from one edition to the next every page gets three words that it had not, somewhere. Every page is answered after `DELAY` seconds, however many are asked for at once, with its bytes: there is no ETag and no
Last-Modified, so whoever watches it has to look at what came. robots.txt is not there.

Served on a free port of 127.0.0.1, by a process of its own: `python -m benchmarks._changes_site SEED PAGES SECONDS`. It prints the port, and then one line for each line that it
reads: `change` begins the next edition, `delay SECONDS` says how long an answer takes from now on, `asked` prints how often pages were asked for since it was asked last, and how many different ones.
It ends when its standard input is closed.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import contextmanager
from functools import lru_cache, partial
from random import Random
from typing import TYPE_CHECKING

import uvloop

from benchmarks.data import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

DELAY = 0.2
PER_INDEX = 100
WORDS = 600

_ANSWER = "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"
_LETTERS = "eeeetttaaaooiinnsshhrrdlcumwfgypbvk"


class Site:
    """The site as its clients know it."""

    def __init__(self, process: subprocess.Popen[str], pages: int) -> None:
        self._process = process
        self.pages = pages
        self.place = f"127.0.0.1:{self._line()}"
        self.url = f"http://{self.place}/"

    def urls(self, count: int | None = None) -> list[str]:
        """Return the addresses of all pages, or of the first few; the home page is the first."""
        return [f"http://{self.place}{path(number)}" for number in range(count or self.pages)]

    def change(self) -> None:
        """Let every page say something else."""
        self._tell("change")

    def take(self, seconds: float) -> None:
        """Answer after so many seconds from now on."""
        self._tell(f"delay {seconds}")

    def take_counts(self) -> tuple[int, int]:
        """Return how often pages were asked for since the last call, and how many different ones."""
        total, different = self._tell("asked").split()
        return int(total), int(different)

    def _tell(self, command: str) -> str:
        assert self._process.stdin is not None
        print(command, file=self._process.stdin, flush=True)
        return self._line()

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()


@contextmanager
def slow_site(seed: int, pages: int, delay: float = DELAY) -> Iterator[Site]:
    """Serve a site from a process of its own."""
    command = [sys.executable, "-m", "benchmarks._changes_site", str(seed), str(pages), str(delay)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Site(process, pages)
        finally:
            process.communicate()


def indexes(pages: int) -> int:
    """Return how many index pages lead to all others of so many pages.

    >>> indexes(6540), indexes(600), indexes(20)
    (65, 6, 1)
    """
    return -(-(pages - 1) // (PER_INDEX + 1))


def path(number: int) -> str:
    """Return where a page is: 0 is the home page."""
    return f"/page/{number}.html" if number else "/"


def html(seed: int, number: int, pages: int, edition: int = 1) -> str:
    """Return a page of an edition: words of its own, and its links."""
    draw = Random(f"{seed}/{number}")
    vocabulary = _vocabulary(seed)
    title = " ".join(draw.choices(vocabulary, k=4)).capitalize()
    texts = [" ".join(draw.choices(vocabulary, k=WORDS // 8)) for _ in range(8)]
    for later in range(2, edition + 1):
        _change(texts, Random(f"{seed}/{number}/{later}"), vocabulary)
    parts = [f"<h2>{text[:20].title()}</h2><p class=text>{text.capitalize()}.</p>" for text in texts]
    links = "".join(f'<li><a href="{path(to)}">Page {to}</a></li>' for to in _links(number, pages, draw))
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title><link rel=stylesheet href=/style.css></head><body>"
        f'<nav><a href="/">Home</a></nav><main><h1>{title}</h1><p>This is page {number}.</p>'
        f"{''.join(parts)}<ul>{links}</ul></main><footer><p>A site of pages</p></footer></body></html>"
    )


def _change(texts: list[str], draw: Random, vocabulary: list[str]) -> None:
    """Put three words somewhere into one of the texts."""
    number = draw.randrange(len(texts))
    words = texts[number].split()
    place = draw.randrange(5, len(words))
    texts[number] = " ".join(words[:place] + draw.choices(vocabulary, k=3) + words[place:])


@lru_cache(1)
def _vocabulary(seed: int) -> list[str]:
    draw = Random(seed)
    return ["".join(draw.choices(_LETTERS, k=draw.randint(3, 10))) for _ in range(8_000)]


def _links(number: int, pages: int, draw: Random) -> list[int]:
    """Return where a page leads: the home page to the indexes, these to their hundred, all others to ten at random."""
    last_index = indexes(pages)
    if number == 0:
        return list(range(1, last_index + 1))
    if number <= last_index:
        first = last_index + 1 + (number - 1) * PER_INDEX
        return list(range(first, min(first + PER_INDEX, pages)))
    return draw.choices(range(last_index + 1, pages), k=10)


class _Server:
    """What all connections share."""

    def __init__(self, seed: int, pages: int, delay: float) -> None:
        self._seed, self._pages, self.delay = seed, pages, delay
        self._made: dict[tuple[str, int], bytes] = {}
        self._edition = 1
        self._asked: list[str] = []

    def answer(self, path_: str) -> bytes:
        """Return the answer to a request."""
        if path_ != "/" and not path_.startswith("/page/"):
            return _ANSWER.format(status="404 Not Found", length=0).encode()
        self._asked.append(path_)
        if (path_, self._edition) not in self._made:
            number = int(path_[6:-5]) if path_ != "/" else 0
            made = html(self._seed, number, self._pages, self._edition)
            self._made[path_, self._edition] = made.encode()
        body = self._made[path_, self._edition]
        return _ANSWER.format(status="200 OK", length=len(body)).encode() + body

    def obey(self, command: str) -> str:
        """Do what a line of standard input says."""
        what, _, value = command.partition(" ")
        if what == "change":
            self._edition += 1
            return ""
        if what == "delay":
            self.delay = float(value)
            return ""
        total, different = len(self._asked), len(set(self._asked))
        self._asked.clear()
        return f"{total} {different}"


class _Connection(asyncio.Protocol):
    """One client; it waits for an answer before it asks again."""

    def __init__(self, server: _Server) -> None:
        self._server = server
        self._head = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.WriteTransport = transport  # type: ignore[assignment]
        self._loop = asyncio.get_running_loop()

    def data_received(self, data: bytes) -> None:
        self._head += data
        if self._head.endswith(b"\r\n\r\n"):
            path_ = self._head.split(b" ", 2)[1].decode()
            self._head = b""
            self._loop.call_later(self._server.delay, self._answer, path_)

    def _answer(self, path_: str) -> None:
        if not self._transport.is_closing():
            self._transport.write(self._server.answer(path_))


async def main() -> None:
    """Serve until standard input is closed."""
    served = _Server(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
    loop = asyncio.get_running_loop()
    server = await loop.create_server(partial(_Connection, served), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(served.obey(line.strip()), flush=True)


if __name__ == "__main__":
    uvloop.run(main())
