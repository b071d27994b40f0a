"""What it will cost to query the forms of a site, before anything is submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from crawling import SmallSite, crawl

from hiddenweb.reports.estimate import (
    CrawlLimits,
    FormEstimate,
    SiteEstimate,
    StatedTotal,
    estimate_lines,
    estimate_sites,
)
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

SEARCH = FormEstimate(1, "search", 0.99, "GET http://a.example/find", True, ("it says search",), 50)
LOGIN = FormEstimate(2, "login", 0.01, "POST http://a.example/login", False, ("it asks for a password",), 0)
LIMITS = CrawlLimits(queries=5_000, pages=20_000, delay=1.0, agent="hiddenweb/1")

BOX = (
    "<form action=/find><label>Search books <input type=search name=q></label><button>Search</button></form>"
)
SHELVES = (
    "<form action=/shelf><label>Search a shelf <select name=s><option value=''>Any<option>Maps<option>Music<option>Novels"
    "<option>Poems<option>Plays</select></label><button>Search</button></form>"
)
LOG_IN = "<form action=/login method=post><input name=user><input type=password name=p><button>Log in</button></form>"
LISTED = "".join(
    f"<li><a href=/book/{n}>A book of the shelf, number {n}</a> by an author of number {n}"
    for n in range(1, 11)
)


def answer(path: str) -> str | None:
    if path == "/robots.txt":
        return "User-agent: *\nCrawl-delay: 2"
    if path == "/":
        return f"<title>Books</title><h1>Books</h1>{BOX}{SHELVES}{LOG_IN}<p><a href=/all>All books</a>"
    if path == "/all":
        return (
            f"<title>All books</title><h1>All books</h1><p>Showing 1-10 of 1,200 books</p><ul>{LISTED}</ul>"
        )
    return None


def test_forms_and_costs_of_a_site_are_read_from_what_a_dry_run_stored(tmp_path: Path) -> None:
    with SmallSite(answer) as site:
        ran = crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:*"}, dry_run=1)

    assert ran.code == 0
    assert not [path for path in site.requested if path.startswith(("/find", "/shelf", "/login"))]
    with Store(ran.state, write=False) as state:
        (found,) = estimate_sites(state, LIMITS)
    by_address = {form.address.rpartition("/")[2]: form for form in found.forms}
    assert {name: (form.may_submit, form.queries) for name, form in by_address.items()} == {
        "find": (True, 5_000), "shelf": (True, 6), "login": (False, 0),
    }  # fmt: skip
    assert found.seconds == 2.0
    assert found.total == StatedTotal(1_200, 10, f"{site.url}all")
    assert found.expected == (120, 480)
    assert found.most_requests == 20_000 - found.pages
    assert "Looked at 1 site, and submitted nothing." in ran.output
    assert "Expected: 120 to 480 requests for the answers" in ran.output


def test_a_dry_run_reads_a_few_pages_and_the_harvest_goes_on_from_there(tmp_path: Path) -> None:
    def endless(path: str) -> str | None:
        number = int(path.strip("/p") or 0) if path != "/robots.txt" else None
        if number is None or not path.startswith(("/", "/p")) or number > 28:
            return None
        return f"<title>Page {number}</title><h1>Page {number}</h1><p>Words of number {number}.<a href=/p{number + 1}>More</a>"

    settings = {"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:*", "HIDDENWEB_SITEMAP_LINKS": 0}
    with SmallSite(endless) as site:
        look = crawl(tmp_path, [site.url], settings, dry_run=1)
        read = len([path for path in site.requested if path != "/robots.txt"])
        rest = crawl(tmp_path, [site.url], settings)

    assert (look.code, rest.code) == (0, 0)
    assert 15 <= read <= 25
    assert site.requested.count("/p3") == 1
    assert "/p28" in site.requested


@pytest.mark.parametrize(
    ("site", "lines"),
    [
        pytest.param(
            SiteEstimate("a.example", 12, (SEARCH, LOGIN), 19_988, 1.0),
            [
                "a.example: 12 pages read, 2 forms, of which 1 would be submitted",
                "  form 1, search (99 % sure to search), GET http://a.example/find: would be submitted, with at most 50 queries",
                "      because it says search",
                "  form 2, login (1 % sure to search), POST http://a.example/login: left alone",
                "      reason: it asks for a password",
                "  At most: 19,988 requests, 5.6 hours at one request a second. The budgets say so.",
                "  Expected: nobody knows. No page that was read says how many records there are; most forms end long before the budgets do.",
            ],
            id="no total",
        ),
        pytest.param(
            SiteEstimate("a.example", 12, (SEARCH,), 900, 2.0, StatedTotal(1_200, 10, "http://a.example/all")),
            [
                "  At most: 900 requests, 30 minutes at one request every 2 s. The budgets say so.",
                "  Expected: 120 to 480 requests for the answers, 4 minutes to 16 minutes, if http://a.example/all is right: 1,200 records, 10 on a page.",
                "  And up to 900 requests (30 minutes) for the records' own pages, if the first five say more than the answers do.",
            ],
            id="a total",
        ),
        pytest.param(
            SiteEstimate("a.example", 12, (SEARCH,), 900, 0.0, StatedTotal(1_200, 10, "http://a.example/all")),
            [
                "  At most: 900 requests, without a delay: how long they take depends on how fast the site answers. The budgets say so.",
                "  Expected: 120 to 480 requests for the answers, if http://a.example/all is right: 1,200 records, 10 on a page.",
                "  And up to 900 requests for the records' own pages, if the first five say more than the answers do.",
            ],
            id="no delay",
        ),
        pytest.param(
            SiteEstimate("a.example", 12, (SEARCH,), 900, 0.01),
            [
                "  At most: 900 requests, 9 seconds at one request every 0.01 s if the site answers as fast. The budgets say so.",
                "  Expected: nobody knows. No page that was read says how many records there are; most forms end long before the budgets do.",
            ],
            id="hardly a delay",
        ),
        pytest.param(
            SiteEstimate("a.example", 12, (LOGIN,), 0, 1.0, StatedTotal(1_200, 10, "http://a.example/all")),
            ["      reason: it asks for a password"],
            id="nothing to submit",
        ),
    ],
)  # fmt: skip
def test_costs_are_said_in_words(site: SiteEstimate, lines: list[str]) -> None:
    assert list(estimate_lines([site]))[-len(lines) :] == lines
