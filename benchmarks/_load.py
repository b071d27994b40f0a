"""Asks for pages as fast as one process can: raw sockets, kept-alive connections, nothing read but the length.

`python -m benchmarks._load` reads a job as JSON and prints what came back; `load` does that from another process.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import uvloop

from benchmarks.data import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONNECTIONS = 16


@dataclass(frozen=True, slots=True)
class Loaded:
    """What came back; `failed` counts answers with a status of 400 and more."""

    pages: int
    failed: int
    bytes: int
    wall: float


def load(proxy: str, urls: Sequence[str]) -> Loaded:
    """Ask a proxy for all addresses, from a process of its own."""
    job = json.dumps({"proxy": proxy, "urls": list(urls)})
    command = [sys.executable, "-m", "benchmarks._load"]
    done = subprocess.run(command, cwd=ROOT, input=job, stdout=subprocess.PIPE, text=True, check=True)
    return Loaded(**json.loads(done.stdout))


class _Connection(asyncio.Protocol):
    """One connection: the next request goes out when an answer is complete."""

    def __init__(self, requests: Iterator[bytes], ended: asyncio.Future[None]) -> None:
        self.requests = requests
        self.ended = ended
        self.pages = self.failed = self.bytes = 0
        self._head = b""
        self._missing = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.WriteTransport = transport  # type: ignore[assignment]
        self._ask()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_exception(exc or ConnectionError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        if self._missing:
            self._missing -= len(data)
        else:
            self._head += data
            end = self._head.find(b"\r\n\r\n")
            if end < 0:
                return
            self._missing = end + 4 + _length(self._head[: end + 2]) - len(self._head)
            self.failed += self._head[9:10] >= b"4"
        if self._missing < 0:
            raise ValueError("more came than the answer's length said")
        if not self._missing:
            self.pages += 1
            self._head = b""
            self._ask()

    def _ask(self) -> None:
        request = next(self.requests, None)
        if request is None:
            self.ended.set_result(None)
            self._transport.close()
        else:
            self._transport.write(request)


def _length(head: bytes) -> int:
    at = head.find(b"Content-Length: ")
    return int(head[at + 16 : head.index(b"\r\n", at)]) if at >= 0 else 0


async def _load(proxy: str, urls: Sequence[str]) -> Loaded:
    loop = asyncio.get_running_loop()
    host, _, port = urlsplit(proxy).netloc.partition(":")
    requests = iter([f"GET {url} HTTP/1.1\r\nHost: {urlsplit(url).netloc}\r\n\r\n".encode() for url in urls])
    started = time.perf_counter()
    made = [
        await loop.create_connection(lambda: _Connection(requests, loop.create_future()), host, int(port))
        for _ in range(CONNECTIONS)
    ]
    connections = [connection for _, connection in made]
    await asyncio.gather(*(connection.ended for connection in connections))
    wall = time.perf_counter() - started
    pages, failed, size = (
        sum(getattr(c, name) for c in connections) for name in ("pages", "failed", "bytes")
    )
    return Loaded(pages, failed, size, wall)


def main() -> int:
    """Ask for what standard input names."""
    job = json.load(sys.stdin)
    print(json.dumps(asdict(uvloop.run(_load(job["proxy"], job["urls"])))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
