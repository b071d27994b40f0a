"""Further pages of answers, by POST, by what a button would load, and by headers, and answers that are cut or errors, read by real crawls of small sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guarded_sites import (
    RECORDS,
    WORDS,
    Reply,
    SiteRequest,
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


def by_button(request: SiteRequest) -> str | None:
    if request.path == "/":
        return page(" ".join(WORDS) + box(method="post"))
    if request.path != "/find" or request.method != "POST":
        return None
    word, number = request.sent["q"], int(request.sent.get("page", 1))
    numbers, more = shown(word, number)
    again = f"<input type=hidden name=q value='{word}'>"
    pager = f"<form action=/find method=post>{again}<button name=page value={number + 1}>Next</button></form>"
    return listed(numbers, pager if more else "")


def by_script(request: SiteRequest) -> str | None:
    hidden = "<input type=hidden name=__VIEWSTATE value=/wEPDwUK><input type=hidden name=__EVENTTARGET><input type=hidden name=__EVENTARGUMENT>"

    def whole(body: str, word: str = "") -> str:
        search = f"Search <input type=search name=q value='{word}'><input type=submit name=go value=Search>"
        return page(f"<form action=/find method=post>{hidden}{search}{body}</form>")

    if request.path == "/":
        return whole(f"<p>{' '.join(WORDS)}</p>")
    if request.path != "/find" or request.method != "POST":
        return None
    turned = request.sent.get("__EVENTARGUMENT", "")
    word, number = request.sent["q"], int(turned.removeprefix("Page$") or 1)
    numbers, more = shown(word, number)
    items = "".join(f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]}</li>" for n in numbers)
    pager = f"<a href=\"javascript:__doPostBack('Pager','Page${number + 1}')\">Next</a>" if more else ""
    found = f"<ol>{items}</ol>" if numbers else "<p>No results found</p>"
    return whole(found + pager, word)


@pytest.mark.parametrize("site", [by_button, by_script], ids=["a button", "a script"])
def test_pages_are_turned_by_post_where_that_is_allowed(
    tmp_path: Path, site: Callable[[SiteRequest], str | None]
) -> None:
    ran, served = harvested(tmp_path, site)

    bodies = [tuple(request.sent.items()) for request in served.received if request.method == "POST"]
    assert found_records(ran) >= 0.75 * len(RECORDS)
    assert len(bodies) == len(set(bodies))
    assert ran.rows("SELECT max(page_number) FROM links WHERE kind = 'paging'")[0][0] > 2
    assert "paged" in {case for (case,) in ran.rows("SELECT outcome FROM submissions")}


def test_pages_per_answer_holds_for_post_as_well(tmp_path: Path) -> None:
    ran, _ = harvested(tmp_path, by_button, HIDDENWEB_PAGES_PER_ANSWER=2)

    assert ran.rows("SELECT max(page_number) FROM links") == [(2,)]


def test_no_page_is_asked_for_by_post_where_that_is_not_allowed(tmp_path: Path) -> None:
    def reply(request: SiteRequest) -> str | None:
        if request.path == "/":
            return page(" ".join(WORDS) + box())
        answer = by_button(SiteRequest("POST", request.path, request.sent, {}))
        return answer if request.method == "GET" else None

    ran, served = harvested(tmp_path, reply, HIDDENWEB_ALLOW_POST="")

    assert {request.method for request in served.received} == {"GET"}
    assert "part" in {case for (case,) in ran.rows("SELECT outcome FROM submissions")}


def test_no_page_is_posted_for_twice_when_the_crawl_is_killed(tmp_path: Path) -> None:
    turned: list[tuple[str, str]] = []

    def reply(request: SiteRequest) -> str | None:
        if "page" in request.sent:
            turned.append((request.sent["q"], request.sent["page"]))
            if len(turned) == 2:
                kill_crawl(tmp_path)
        return by_button(request)

    ran, site = harvested(tmp_path, reply, times=2)

    request = [a.sent["q"] for a in site.received if a.method == "POST" and "page" not in a.sent]
    assert ran.rows("SELECT reason FROM runs ORDER BY id") == [("killed",), ("finished",)]
    assert len(turned) == len(set(turned)) > 5
    assert len(request) == len(set(request)) == 13
    lost = ran.rows("SELECT why FROM links WHERE kind = 'paging' AND state = 3")
    assert lost == [("a POST is sent at most once",)]
    assert found_records(ran) > 30


@pytest.mark.parametrize("way", ["data", "fragment", "head", "header"])
def test_more_is_loaded_from_where_a_button_or_a_head_says(tmp_path: Path, way: str) -> None:
    def reply(request: SiteRequest) -> Reply | str | None:
        if request.path == "/":
            return page(" ".join(WORDS) + box())
        if request.path not in ("/find", "/more"):
            return None
        word, number = request.sent["q"], int(request.sent.get("page", 1))
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


def by_offset(request: SiteRequest) -> str | None:
    """Answer by pages that a number under a name of its own counts, with links [1] [2] [3] and to other orders and lengths."""
    hidden = "<input type=hidden name=whence value=0>"
    if request.path == "/":
        return page(" ".join(WORDS) + box(hidden))
    if request.path != "/find":
        return None
    word, first = request.sent["q"], int(request.sent.get("whence") or 0)
    found = containing(word)
    address = f"/find?whence=%d&q={word}"
    pages = range(-(-len(found) // SIZE))
    pager = " ".join(f"<a href='{address % (SIZE * n)}'>[{n + 1}]</a>" for n in pages if SIZE * n != first)
    lengths = f"<a href='{address % first}&max={SIZE}'>{SIZE}</a> <a href='{address % first}&max=9'>9</a>"
    return listed(found[first : first + SIZE], f"<p>{pager}</p><p>Show {lengths}</p>")


def test_a_number_of_any_name_that_grows_by_the_records_shown_turns_pages(tmp_path: Path) -> None:
    ran, _ = harvested(tmp_path, by_offset)

    assert found_records(ran) >= 0.75 * len(RECORDS)
    assert ran.rows("SELECT max(page_number) FROM links WHERE kind = 'paging'")[0][0] > 2
    assert not [url for (url,) in ran.rows("SELECT url FROM links WHERE kind = 'paging'") if "max" in url]


def test_an_answer_that_we_cut_is_read_on_and_not_taken_for_capped(tmp_path: Path) -> None:
    def reply(request: SiteRequest) -> str | None:
        if request.path == "/":
            return page("<p>All are made of stone.</p>" + box())
        if request.path != "/find":
            return None
        number = int(request.sent.get("page", 1))
        found = list(RECORDS) if request.sent["q"] == "stone" else []
        numbers, more = found[(number - 1) * SIZE : number * SIZE], number * SIZE < len(found)
        address = f"/find?q={request.sent['q']}&amp;page={number + 1}"
        items = "".join(f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]} stone</li>" for n in numbers)
        following = f"<a href='{address}'>Next</a>" if more else ""
        return page(f"<ol>{items}</ol>{following}" if numbers else "<p>No results found</p>", "Found")

    ran, site = harvested(tmp_path, reply, HIDDENWEB_PAGES_PER_ANSWER=3)

    assert found_records(ran) == len(RECORDS)
    pages = [
        request.sent.get("page", "1") for request in site.requests("/find") if request.sent["q"] == "stone"
    ]
    assert pages == [str(number) for number in range(1, 11)]
    chooser = ran.rows("SELECT conversation_state FROM forms WHERE queries > 0")[0][0]
    assert '"most": null' in chooser


def test_a_site_that_says_nothing_by_404_and_too_much_by_500_is_harvested(tmp_path: Path) -> None:
    def reply(request: SiteRequest) -> Reply | str | None:
        if request.path == "/":
            return page(" ".join(WORDS) + box())
        if request.path != "/find":
            return None
        words = request.sent["q"].split()
        found = [n for n, text in RECORDS.items() if all(word.lower() in text for word in words)]
        if len(found) > 15:
            return Reply(page("<h1>Error</h1>Too many results, unable to process the query"), 500)
        if not found:
            return Reply(page("<h1>Nothing found</h1>No keys found"), 404)
        items = "".join(f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]}</li>" for n in found)
        return page(f"<ol>{items}</ol>", "Found")

    ran, _ = harvested(tmp_path, reply, HIDDENWEB_QUERIES_PER_FORM=40)

    cases = {case for (case,) in ran.rows("SELECT outcome FROM submissions")}
    assert "error" not in cases
    assert "nothing_found" in cases
    assert found_records(ran) >= 0.9 * len(RECORDS)


def test_a_cap_that_is_told_as_a_bound_is_seen(tmp_path: Path) -> None:
    def reply(request: SiteRequest) -> str | None:
        if request.path == "/":
            return page(" ".join(WORDS) + box())
        if request.path != "/find":
            return None
        words = request.sent["q"].split()
        found = [n for n, text in RECORDS.items() if all(word.lower() in text for word in words)]
        said = "more than 10 rows" if len(found) > 10 else f"{len(found)} rows"
        items = "".join(f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]}</li>" for n in found[:10])
        return page(f"<p>{said}</p><ol>{items}</ol>" if found else "<p>No results found</p>", "Found")

    ran, _ = harvested(tmp_path, reply, HIDDENWEB_QUERIES_PER_FORM=40)

    outcomes = ran.rows("SELECT outcome, total FROM submissions WHERE outcome = 'part'")
    assert outcomes
    assert all(total is None for _, total in outcomes)
    assert '"most": 10' in ran.rows("SELECT conversation_state FROM forms WHERE queries > 0")[0][0]
    assert found_records(ran) >= 0.85 * len(RECORDS)
