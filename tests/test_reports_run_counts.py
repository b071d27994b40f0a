"""What a crawl says of itself agrees with the state, also after it was resumed or killed."""

from __future__ import annotations

import re
import signal
import subprocess
from typing import TYPE_CHECKING

from bookshop import book, page, search
from crawling import Ran, SmallSite, command_of, crawl
from forking import Forked

from hiddenweb.reports.run_counts import StateCounts, count_state, count_unused_searches
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

SETTINGS = {"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:*"}


def answer(path: str) -> str | None:
    if path == "/robots.txt":
        return None
    if path == "/":
        return search(path, 120).replace(
            "</h1>", "</h1>" + "".join(f"<p><a href=/item/{n}>{book(n)['title']}</a>" for n in range(1, 9))
        )
    return page(int(path.rpartition("/")[2])) if path.startswith("/item/") else search(path, 120)


def said(ran: Ran, what: str) -> int:
    """Return the number of something in the last line: in all, if it says so."""
    last = ran.output.strip().splitlines()[-1]
    found = re.search(rf"([\d,]+) {what}(?: \(([\d,]+) in all\))?", last)
    return int((found[2] or found[1]).replace(",", "")) if found else 0


def check(ran: Ran) -> None:
    with Store(ran.state, write=False) as state:
        counts = count_state(state)
    assert said(ran, "pages?") == counts.pages > 0
    assert said(ran, "(?:query|queries) submitted") == counts.queries > 0
    assert said(ran, "new records?") == counts.records > 0


def test_the_last_line_of_a_fresh_a_resumed_and_a_killed_crawl_agrees_with_the_state(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        fresh = crawl(tmp_path, [site.url], SETTINGS, queries=12)
        check(fresh)
        command = command_of(
            tmp_path,
            [site.url],
            SETTINGS | {"HIDDENWEB_PROGRESS_SECONDS": 0.1, "HIDDENWEB_DELAY": 0.02},
            queries=60,
        )
        with Forked(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            assert process.stdout is not None
            next(line for line in process.stdout if re.search(r"[1-9]\d* new, ", line))
            process.send_signal(signal.SIGKILL)
            process.wait(240)
        killed = crawl(tmp_path, [site.url], SETTINGS, queries=60)
        check(killed)
        check(crawl(tmp_path, [site.url], SETTINGS, queries=90))

    assert said(fresh, "forms?") == 1


def test_counts_of_a_crawl_are_what_it_added() -> None:
    before, now = StateCounts(10, 2, 2, 5, 50), StateCounts(12, 3, 1, 5, 90)

    assert now.since(before) == StateCounts(2, 1, 0, 0, 40)


def test_a_search_that_was_left_alone_is_counted_by_its_reason(tmp_path: Path) -> None:
    form = "<form action=/find method=post><label>Search books <input type=search name=q></label><button>Search</button></form>"
    with SmallSite(lambda path: f"<title>Books</title><h1>Books</h1>{form}" if path == "/" else None) as site:
        ran = crawl(tmp_path, [site.url], SETTINGS)

    with Store(ran.state, write=False) as state:
        assert count_unused_searches(state) == [("it is sent by POST, which is not allowed for its site", 1)]
    assert "1 search form was not used: it is sent by POST, which is not allowed for its site" in ran.output
