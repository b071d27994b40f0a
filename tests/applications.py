"""Real applications by other people, started as processes of their own for a test."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

INSTALLED = Path(sys.prefix) / "applications"
DEBIAN = INSTALLED / "debian"
PYTHON = INSTALLED / "python" / "bin" / "python"
"""Where `scripts/install-applications` puts applications: unpacked packages of Debian, and a Python with those of PyPI."""

LOG_OF_REQUESTS = """
from wsgiref.simple_server import WSGIRequestHandler

class LoggingHandler(WSGIRequestHandler):
    def log_request(self, *_):
        with open("asked.txt", "a", encoding="utf-8") as file:
            file.write(f"{self.command} {self.path}\\n")
"""
"""A handler for servers of our own around an application of others: it writes down every request."""

STARTS_WITHIN = 240.0  # seconds, on a machine that has much else to do


def needs(*files: Path) -> pytest.MarkDecorator:
    """Skip tests of an application that is not installed here."""
    missing = [file for file in files if not file.exists()]
    return pytest.mark.skipif(bool(missing), reason=f"{missing} is not here: scripts/install-applications")


def read_requests(folder: Path) -> list[str]:
    """Return method and path of every request that a server with the log of requests had."""
    return (folder / "asked.txt").read_text(encoding="utf-8").splitlines()


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def running(
    folder: Path,
    command: Sequence[str],
    port: int,
    *,
    environment: Mapping[str, str] | None = None,
    python: Path | None = None,
) -> Iterator[None]:
    """Run a server of this Python's packages, or another's, until the test is over; it is there when it answers."""
    with running_program(folder, [str(python or sys.executable), *command], port, environment=environment):
        yield


@contextmanager
def running_program(
    folder: Path, command: Sequence[str], port: int, *, environment: Mapping[str, str] | None = None
) -> Iterator[None]:
    """Run a server until the test is over; it is there when it answers."""
    with (folder / "server.txt").open("w+", encoding="utf-8", errors="replace") as output:
        process = subprocess.Popen(
            command, cwd=folder, stdout=output, stderr=output, stdin=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )  # fmt: skip
        try:
            _await_answer(process, port, folder / "server.txt")
            yield
        finally:
            process.terminate()
            process.wait(240)


def _await_answer(process: subprocess.Popen[bytes], port: int, output: Path) -> None:
    deadline = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/robots.txt", timeout=60):
                return
        except HTTPError as error:
            error.close()
            return
        except (URLError, ConnectionError, TimeoutError):
            try:
                process.wait(0.05)
            except subprocess.TimeoutExpired:
                continue
    raise RuntimeError(f"{process.args!r} does not answer: {output.read_text(encoding='utf-8')[-2000:]}")
