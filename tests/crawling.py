"""Running real crawls in tests, and small servers for them."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
from forking import ROOT, Forked

from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Self

__all__ = ["ROOT", "Answer", "Canary", "Forked", "Ran", "SmallSite", "command_of", "crawl"]


@dataclass(frozen=True)
class Ran:
    """A crawl that is over."""

    code: int
    output: str
    state: Path
    peak_mb: float = 0.0  # resident memory of the crawl process
    seconds: float = 0.0  # of the processor

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with Store(self.state, write=False) as state:
            return state.rows(sql, values)


def crawl(
    folder: Path,
    seeds: Sequence[str],
    settings: Mapping[str, object],
    *,
    spider: str = "harvest",
    timeout: float = 540,
    options: Sequence[str] = (),
    **arguments: object,
) -> Ran:
    """Run `scrapy crawl` in a process of its own until it ends, with sites if there are seeds, and with other arguments."""
    command = [*command_of(folder, seeds, settings, spider=spider, **arguments), *options]
    output = folder / "output.txt"
    peak, seconds, deadline = 0.0, 0.0, time.monotonic() + timeout
    with output.open("wb") as file:
        process = Forked(command, stdout=file, stderr=subprocess.STDOUT)
    while process.poll() is None:
        peak = max(peak, _peak_mb(process.pid))
        seconds = max(seconds, _seconds(process.pid))
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)
        if time.monotonic() > deadline:
            process.kill()
    code = process.wait()
    return Ran(code, output.read_text(encoding="utf-8", errors="replace"), folder / "state", peak, seconds)


def command_of(
    folder: Path,
    seeds: Sequence[str],
    settings: Mapping[str, object],
    *,
    spider: str = "harvest",
    **arguments: object,
) -> list[str]:
    """Return the command of a crawl whose state is in a folder."""
    state, listed = folder / "state", folder / "seeds.txt"
    listed.write_text("\n".join(seeds), encoding="utf-8")
    given = ({"sites": listed} if seeds else {}) | arguments
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    for name, value in given.items():
        command += ["-a", f"{name}={value}"]
    usual: dict[str, object] = {
        "HIDDENWEB_STATE": state,
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_RETRY_DELAY": 0.2,
        "HIDDENWEB_PROXY": "",
        "DOWNLOAD_TIMEOUT": 180,  # a busy machine is no server that fails: its host would be left for minutes
        "HIDDENWEB_INDEX": False,  # a process of its own; `test_journey.py` has it
    }
    for name, value in (usual | dict(settings)).items():
        command += ["-s", f"{name}={value}"]
    return command


def _peak_mb(pid: int) -> float:
    """The largest resident memory so far; what rusage says of a child begins with what its parent had."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else 0.0


def _seconds(pid: int) -> float:
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.NoSuchProcess:
        return 0.0
    return times.user + times.system


class Canary:
    """A port that nobody may connect to; it counts who did."""

    def __enter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.visits = 0
        self._thread = threading.Thread(target=self._count, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(5)

    def _count(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.visits += 1
            connection.close()


@dataclass
class Answer:
    """What a small site answers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    breaks_off: bool = False  # the connection is closed in the middle of the body
    endless: bytes = b""  # sent again and again behind the body, until the client closes the connection


class SmallSite:
    """A site of a few lines on a loopback address of its own."""

    def __init__(self, answer: Callable[[str], Answer | str | None], address: str = "127.0.0.1") -> None:
        self.answer = answer
        self.requested: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body go out at once, not 40 milliseconds apart

            def do_GET(self) -> None:
                site.requested.append(self.path)
                found = site.answer(self.path)
                answer = (
                    found
                    if isinstance(found, Answer)
                    else Answer(found.encode(), headers={"Content-Type": "text/html; charset=utf-8"})
                    if found is not None
                    else Answer(b"not here", 404)
                )
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if answer.endless:
                    self.close_connection = True
                else:
                    self.send_header("Content-Length", str(len(answer.body) + 1000 * answer.breaks_off))
                    self.close_connection = self.close_connection or answer.breaks_off
                self.end_headers()
                try:
                    self.wfile.write(answer.body)
                    while answer.endless:
                        self.wfile.write(answer.endless)
                except ConnectionError:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer((address, 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://{address}:{self.port}/"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
