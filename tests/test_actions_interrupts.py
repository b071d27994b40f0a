"""Ctrl-C once ends a crawl cleanly, whenever it comes."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from applications import free_port
from bookshop import page, search
from crawling import SmallSite, crawl
from forking import Forked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

BOOKS = 200
INTERRUPTED = "Interrupted (Ctrl-C or a signal): nothing is lost, the same command resumes it"


def answer(path: str) -> str | None:
    if path == "/robots.txt":
        return None
    return page(int(path.rpartition("/")[2])) if path.startswith("/item/") else search(path, BOOKS)


@pytest.fixture(scope="module")
def site() -> Iterator[SmallSite]:
    with SmallSite(answer) as site:
        yield site


def interrupt(
    folder: Path, spider: str, when: str, *arguments: str, settings: Sequence[str] = (), times: int = 1
) -> tuple[int, str]:
    """Send SIGINT to a crawl when it prints something; return its exit code and all it printed."""
    command = [sys.executable, "-m", "scrapy", "crawl", spider]
    usual = (
        f"HIDDENWEB_STATE={folder / 'state'}",
        "HIDDENWEB_PROXY=",
        "HIDDENWEB_ALLOW_ADDRESSES=127.0.0.1:*",
    )
    for setting in (*usual, "HIDDENWEB_PROGRESS_SECONDS=0.2", *settings):
        command += ["-s", setting]
    for argument in arguments:
        command += ["-a", argument]
    printed = []
    with Forked(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            printed.append(line)
            if when in line and times:
                times -= 1
                process.send_signal(signal.SIGINT)
        code = process.wait(240)
    return code, "".join(printed)


@pytest.mark.parametrize(
    "when",
    [
        pytest.param("Scrapy 2", id="before it began"),
        pytest.param("Spider opened", id="while it starts"),
        pytest.param("1 page", id="between two requests"),
    ],
)
def test_one_interrupt_ends_a_crawl_cleanly(site: SmallSite, tmp_path: Path, when: str) -> None:
    code, printed = interrupt(tmp_path, "harvest", when, f"sites={site.url}", settings=["HIDDENWEB_DELAY=1"])

    assert code == 130
    assert "Traceback" not in printed
    assert INTERRUPTED in printed or "Interrupted before the crawl began" in printed


def test_an_interrupt_is_obeyed_while_the_only_host_is_waited_for(tmp_path: Path) -> None:
    code, printed = interrupt(tmp_path, "explore", "1 paused", f"sites=http://127.0.0.1:{free_port()}/")

    assert code == 130
    assert "0 pages, no new form" in printed.splitlines()[-1]


def test_an_interrupt_at_the_end_lets_the_crawl_say_how_it_ended(site: SmallSite, tmp_path: Path) -> None:
    code, printed = interrupt(
        tmp_path,
        "harvest",
        "Closing spider",
        f"sites={site.url}",
        "queries=2",
        settings=["HIDDENWEB_DELAY=0"],
    )

    assert code == 0
    assert printed.splitlines()[-1].startswith("Finished: ")


def test_revisits_are_interrupted_cleanly_while_they_are_planned(site: SmallSite, tmp_path: Path) -> None:
    crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:*"}, queries=2)

    code, printed = interrupt(tmp_path, "revisit", "Spider opened", settings=["HIDDENWEB_DELAY=0.5"])

    assert code == 130
    assert printed.splitlines()[-1].startswith(INTERRUPTED)


def test_a_second_interrupt_ends_the_crawl_by_force(tmp_path: Path) -> None:
    with SmallSite(lambda _: None) as slow:
        slow.answer = lambda path: None if path == "/robots.txt" else slow_page()
        code, printed = interrupt(
            tmp_path, "explore", "host active", f"sites={slow.url}", settings=["HIDDENWEB_DELAY=0"], times=2
        )

    assert code == 130
    assert "Ended by force" in printed


def slow_page() -> str:
    """Answer after the crawl was ended."""
    import threading

    threading.Event().wait(20)
    return "<p>late"
