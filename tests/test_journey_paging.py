"""Further pages of answers, by POST, by what a button would load, and by headers, turned by real crawls of small sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guarded_sites import (
    RECORDS,
    WORDS,
    Asked,
    Reply,
    box,
    containing,
    found_records,
    harvested,
    kill_crawl,
    listed,
    page,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SIZE = 4


def shown(word: str, number: int) -> tuple[list[int], bool]:
    """Return the records on a page of an answer, and whether there is another."""
    found = containing(word) if word else []
    return found[(number - 1) * SIZE : number * SIZE], number * SIZE < len(found)


def by_button(asked: Asked) -> str | None:
    if asked.path == "/":
        return page(" ".join(WORDS) + box(method="post"))
    if asked.path != "/find" or asked.method != "POST":
        return None
    word, number = asked.sent["q"], int(asked.sent.get("page", 1))
    numbers, more = shown(word, number)
    again = f"<input type=hidden name=q value='{word}'>"
    pager = f"<form action=/find method=post>{again}<button name=page value={number + 1}>Next</button></form>"
    return listed(numbers, pager if more else "")


def by_script(asked: Asked) -> str | None:
    hidden = "<input type=hidden name=__VIEWSTATE value=/wEPDwUK><input type=hidden name=__EVENTTARGET><input type=hidden name=__EVENTARGUMENT>"

    def whole(body: str, word: str = "") -> str:
        search = f"Search <input type=search name=q value='{word}'><input type=submit name=go value=Search>"
        return page(f"<form action=/find method=post>{hidden}{search}{body}</form>")

    if asked.path == "/":
        return whole(f"<p>{' '.join(WORDS)}</p>")
    if asked.path != "/find" or asked.method != "POST":
        return None
    turned = asked.sent.get("__EVENTARGUMENT", "")
    word, number = asked.sent["q"], int(turned.removeprefix("Page$") or 1)
    numbers, more = shown(word, number)
    items = "".join(f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]}</li>" for n in numbers)
    pager = f"<a href=\"javascript:__doPostBack('Pager','Page${number + 1}')\">Next</a>" if more else ""
    found = f"<ol>{items}</ol>" if numbers else "<p>No results found</p>"
    return whole(found + pager, word)


@pytest.mark.parametrize("site", [by_button, by_script], ids=["a button", "a script"])
def test_pages_are_turned_by_post_where_that_is_allowed(
    tmp_path: Path, site: Callable[[Asked], str | None]
) -> None:
    ran, served = harvested(tmp_path, site)

    bodies = [tuple(asked.sent.items()) for asked in served.seen if asked.method == "POST"]
    assert found_records(ran) >= 0.75 * len(RECORDS)
    assert len(bodies) == len(set(bodies))
    assert ran.rows("SELECT max(page_number) FROM links WHERE kind = 'paging'")[0][0] > 2
    assert "paged" in {case for (case,) in ran.rows("SELECT outcome FROM submissions")}


def test_pages_per_answer_holds_for_post_as_well(tmp_path: Path) -> None:
    ran, _ = harvested(tmp_path, by_button, HIDDENWEB_PAGES_PER_ANSWER=2)

    assert ran.rows("SELECT max(page_number) FROM links") == [(2,)]


def test_no_page_is_asked_for_by_post_where_that_is_not_allowed(tmp_path: Path) -> None:
    def reply(asked: Asked) -> str | None:
        if asked.path == "/":
            return page(" ".join(WORDS) + box())
        answer = by_button(Asked("POST", asked.path, asked.sent, {}))
        return answer if asked.method == "GET" else None

    ran, served = harvested(tmp_path, reply, HIDDENWEB_ALLOW_POST="")

    assert {asked.method for asked in served.seen} == {"GET"}
    assert "part" in {case for (case,) in ran.rows("SELECT outcome FROM submissions")}


def test_no_page_is_posted_for_twice_when_the_crawl_is_killed(tmp_path: Path) -> None:
    turned: list[tuple[str, str]] = []

    def reply(asked: Asked) -> str | None:
        if "page" in asked.sent:
            turned.append((asked.sent["q"], asked.sent["page"]))
            if len(turned) == 2:
                kill_crawl(tmp_path)
        return by_button(asked)

    ran, site = harvested(tmp_path, reply, times=2)

    asked = [a.sent["q"] for a in site.seen if a.method == "POST" and "page" not in a.sent]
    assert ran.rows("SELECT reason FROM runs ORDER BY id") == [("killed",), ("finished",)]
    assert len(turned) == len(set(turned)) > 5
    assert len(asked) == len(set(asked)) == 13
    lost = ran.rows("SELECT why FROM links WHERE kind = 'paging' AND state = 3")
    assert lost == [("a POST is sent at most once",)]
    assert found_records(ran) > 30


@pytest.mark.parametrize("way", ["data", "fragment", "head", "header"])
def test_more_is_loaded_from_where_a_button_or_a_head_says(tmp_path: Path, way: str) -> None:
    def reply(asked: Asked) -> Reply | str | None:
        if asked.path == "/":
            return page(" ".join(WORDS) + box())
        if asked.path not in ("/find", "/more"):
            return None
        word, number = asked.sent["q"], int(asked.sent.get("page", 1))
        numbers, more = shown(word, number)
        following = f"/find?q={word}&amp;page={number + 1}"
        if not more:
            return listed(numbers)
        if way == "data":
            return listed(numbers, f"<button data-next='{following}'>More</button>")
        if way == "fragment":
            return listed(numbers, f"<div data-url='{following.replace('find', 'more')}'>Load more</div>")
        if way == "head":
            return listed(numbers, f"<link rel=next href='{following}'>")
        return Reply(listed(numbers), headers=[("Link", f'<{following.replace("&amp;", "&")}>; rel="next"')])

    ran, _ = harvested(tmp_path, reply)

    assert found_records(ran) >= 0.75 * len(RECORDS)
    assert ran.rows("SELECT max(page_number) FROM links WHERE kind = 'paging'")[0][0] > 2
