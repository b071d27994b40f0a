"""A crawl says how far it is, also where there is no terminal."""

from __future__ import annotations

import logging
import re
import signal
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest
from forking import Forked, run_forked
from scrapy.utils.test import get_crawler

from hiddenweb.extensions.progress import ProgressExtension

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class _Busy(BaseHTTPRequestHandler):
    """A host that has no robots.txt and asks to come back later."""

    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/robots.txt" else 503)
        self.send_header("Retry-After", "120")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def busy_host() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Busy) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def command(spider: str, sites: str, state: Path, **settings: object) -> list[str]:
    ours = {"HIDDENWEB_STATE": state, "HIDDENWEB_DELAY": 0, "HIDDENWEB_INDEX": 0, **settings}
    options = [part for name, value in ours.items() for part in ("-s", f"{name}={value}")]
    return [sys.executable, "-m", "scrapy", "crawl", spider, "-a", f"sites={sites}", *options]


def test_lines_say_which_host_is_paused_and_why(busy_host: str, tmp_path: Path) -> None:
    process = Forked(
        command(
            "explore", f"http://{busy_host}/", tmp_path / "state", HIDDENWEB_PROXY="", CLOSESPIDER_TIMEOUT=100,
            HIDDENWEB_ALLOW_ADDRESSES=busy_host, HIDDENWEB_PROGRESS_SECONDS=0.5,
        ),
        stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stderr is not None
    with process.stderr:
        paused = next(line for line in process.stderr if "1 host paused" in line)
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read().splitlines()

    pattern = rf"waiting: 1 host paused, next in \d+ s \({busy_host}: status 503, asks to wait 120 s"
    assert re.search(pattern, paused), paused
    assert process.wait(240) == 130
    assert "(1 link waiting)" in rest[-1]


def test_without_progress_only_the_last_line_is_said(busy_host: str, tmp_path: Path) -> None:
    log = tmp_path / "crawl.log"
    done = run_forked(
        command(
            "explore", f"http://{busy_host}/", tmp_path / "state", HIDDENWEB_PROXY="", CLOSESPIDER_TIMEOUT=1,
            HIDDENWEB_ALLOW_ADDRESSES=busy_host, HIDDENWEB_PROGRESS_SECONDS=0, LOG_FILE=log,
        ),
    )  # fmt: skip

    assert done.stderr.startswith("Stopped: limit CLOSESPIDER_TIMEOUT=1 reached")
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.strip() in log.read_text(encoding="utf-8")
    assert "links waiting; " not in log.read_text(encoding="utf-8")


def test_a_crawler_without_our_scheduler_gets_progress_too(caplog: pytest.LogCaptureFixture) -> None:
    class Engine:
        scheduler = None

    crawler: Any = get_crawler()
    crawler._engine = Engine()
    extension = ProgressExtension(crawler, every=0.0, now=lambda: 100.0)
    extension.start()
    with caplog.at_level(logging.INFO):
        extension._log()

    assert "0 pages (0.0/s)" in caplog.text
