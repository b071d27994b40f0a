"""A web that never ends: every page links to a few hundred pages that nobody has linked to before.

It makes a frontier grow as pages make it grow, and faster than any real site. Pages are numbered; page n lives on host
n mod HOSTS and links to pages HOSTS + n * LINKS and the following, so every page but the first HOSTS has exactly one page
that links to it. Served to a proxy's clients on a free port of 127.0.0.1, which is printed: `python -m
benchmarks._growing_web`. It ends when its standard input is closed.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

from benchmarks.data import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTS = 100
LINKS = 200
WORDS = 60

_REQUEST = re.compile(rb"GET http://h(\d+)\.example/(\S*) HTTP/1\.1\r\n")
_ANSWER = "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\r\n"


@contextmanager
def growing_web() -> Iterator[str]:
    """Run it in a process of its own; give the address of the proxy."""
    command = [sys.executable, "-m", "benchmarks._growing_web"]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def seeds() -> tuple[str, ...]:
    """Return the addresses of the pages that no page links to."""
    return tuple(address(number) for number in range(HOSTS))


def address(number: int) -> str:
    """Return where a page is."""
    return f"http://h{number % HOSTS}.example/" + (f"page/{number}.html" if number >= HOSTS else "")


def html(number: int) -> str:
    """Return a page: some words of its own and its links."""
    draw = Random(number)
    words = " ".join("".join(draw.choices("abcdefghijklmnoprstuvw", k=6)) for _ in range(WORDS))
    first = HOSTS + number * LINKS
    links = "".join(
        f'<li><a href="{address(target)}">Page {target}</a></li>' for target in range(first, first + LINKS)
    )
    title = f"<title>Page {number}</title>"
    return (
        f"<!DOCTYPE html><html lang=en><head>{title}</head><body><p>{words}</p><ul>{links}</ul></body></html>"
    )


def answer(head: bytes) -> bytes:
    """Return the answer to a request; there is no robots.txt."""
    asked = _REQUEST.match(head)
    path = asked[2].decode() if asked else "robots.txt"
    if not asked or path == "robots.txt":
        return _ANSWER.format(status="404 Not Found", length=0).encode()
    body = html(int(path[5:-5]) if path else int(asked[1])).encode()
    return _ANSWER.format(status="200 OK", length=len(body)).encode() + body


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer one client until it goes away."""
    try:
        while True:
            writer.write(answer(await reader.readuntil(b"\r\n\r\n")))
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def main() -> None:
    """Serve until standard input is closed."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print("http://{}:{}".format(*server.sockets[0].getsockname()), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
