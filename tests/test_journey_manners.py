"""Manners, seen from the other side: what simweb's journal says about a crawl."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from crawling import Answer, SmallSite, crawl
from timing import delay_was_kept

if TYPE_CHECKING:
    from pathlib import Path

    from simweb.running import Simweb
    from simweb.truth import Truth

WORLD: dict[str, Any] = {"seed": 14, "sites": 60, "pages_per_site": 12, "largest_database": 60}


def hosts(truth: Truth, *, delayed: bool = False) -> list[str]:
    """Small sites without traps, with a Crawl-delay or without."""
    plans = (site.plan for site in truth.sites())
    small = [
        plan for plan in plans if plan.pages < 40 and not plan.traps and not plan.host.startswith("127.")
    ]
    open_to_all = [plan for plan in small if (False, "/") not in plan.robots.rules]
    return [plan.host for plan in open_to_all if bool(plan.robots.crawl_delay) == delayed]


def test_crawl_delay_is_kept(tmp_path: Path, web: Simweb, truth: Truth) -> None:
    slow = [
        host for host in hosts(truth, delayed=True) if (truth.site(host).plan.robots.crawl_delay or 9) <= 1
    ][:2]
    assert slow
    web.post("clear-journal")

    crawl(
        tmp_path,
        [f"http://{host}/" for host in slow],
        {"HIDDENWEB_PROXY": web.proxy, "HIDDENWEB_PAGES_PER_SITE": 8},
    )

    assert sum(web.get("counts").values()) > 8
    assert web.get("violations") == []


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_is_kept(tmp_path: Path, web: Simweb, truth: Truth, status: int) -> None:
    host = hosts(truth)[status % 7]
    web.post("clear-journal")
    web.post("fault", kind=str(status), host=host, times=3, retry_after=2)

    ran = crawl(
        tmp_path,
        [f"http://{host}/"],
        {"HIDDENWEB_PROXY": web.proxy, "HIDDENWEB_RETRIES": 5, "HIDDENWEB_PAGES_PER_SITE": 8},
    )

    web.post("clear-faults")
    assert [request["status"] for request in web.get("requests", most=10)][:3] == [status] * 3
    assert web.get("violations") == []
    assert ran.rows("SELECT count(*) FROM pages")[0][0] > 3


def test_search_that_robots_txt_forbids_is_not_asked(tmp_path: Path, web: Simweb, truth: Truth) -> None:
    forbidden = [
        site.plan.host
        for site in truth.sites(databases=True)
        if site.plan.robots.kind == "search" and not site.plan.host.startswith("127.")
    ]
    assert forbidden
    web.post("clear-journal")

    crawl(
        tmp_path,
        [f"http://{host}/" for host in forbidden],
        {"HIDDENWEB_PROXY": web.proxy, "HIDDENWEB_PAGES_PER_SITE": 20},
    )

    assert web.get("violations") == []
    assert web.effects() == []


def test_nothing_is_fetched_while_robots_txt_cannot_be_had(tmp_path: Path) -> None:
    with SmallSite(lambda path: Answer(b"down", 503) if path == "/robots.txt" else "<p>A page") as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_ROBOTS_RETRY_DELAY": 0.2}

        ran = crawl(tmp_path, [site.url], allowed | {"HIDDENWEB_RETRIES": 2})

    assert set(site.requested) == {"/robots.txt"}
    assert 2 <= len(site.requested) <= 3
    assert ran.rows("SELECT state, why, attempts FROM links") == [(0, None, 0)], "it waits for the next crawl"
    assert ran.rows("SELECT paused_why FROM hosts") == [("robots.txt is not available",)]
    assert f"Nothing could be read: {site.url}: robots.txt is not available" in ran.output


def test_what_waited_for_robots_txt_is_read_by_the_next_crawl(tmp_path: Path) -> None:
    is_down = True
    with SmallSite(
        lambda path: Answer(b"", 503 if is_down else 404) if path == "/robots.txt" else "<p>A page"
    ) as site:
        settings = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
            "HIDDENWEB_ROBOTS_RETRY_DELAY": 0.1,
            "HIDDENWEB_RETRIES": 0,
        }
        crawl(tmp_path, [site.url], settings)
        is_down = False
        ran = crawl(tmp_path, [site.url], settings)

    assert site.requested[:3] == ["/robots.txt", "/robots.txt", "/"]
    assert ran.rows("SELECT state, attempts FROM links WHERE url = ?", site.url) == [(2, 0)]


def test_robots_txt_that_has_moved_is_followed_and_holds_where_it_was_asked_for(tmp_path: Path) -> None:
    with SmallSite({"/rules": "User-agent: *\nDisallow: /secret"}.get, "127.0.0.2") as other:
        moved = Answer(b"", 302, {"Location": f"{other.url}rules"})
        pages: dict[str, Answer | str] = {"/robots.txt": moved, "/": "<a href=/secret>x</a>"}
        with SmallSite(pages.get) as site:
            allowed = f"127.0.0.1:{site.port},127.0.0.2:{other.port}"
            crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": allowed})

    assert other.requested == ["/rules"]
    assert "/secret" not in site.requested
    assert site.requested[:2] == ["/robots.txt", "/"]


def test_robots_txt_is_asked_for_once_and_kept_for_the_next_crawl(tmp_path: Path) -> None:
    pages = {
        "/robots.txt": "User-agent: *\nDisallow: /secret",
        "/": "<a href=/secret/1>x</a><a href=/open>y</a>",
        "/open": "<p>open",
    }
    with SmallSite(pages.get) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        first = crawl(tmp_path, [site.url], allowed)
        crawl(tmp_path, [site.url], allowed)

    assert site.requested == ["/robots.txt", "/", "/open", "/sitemap.xml"]
    assert first.rows("SELECT url, why FROM links WHERE state = 4") == [
        (f"{site.url}secret/1", "robots.txt forbids it")
    ]


def test_delay_lies_between_all_requests_robots_txt_included(tmp_path: Path) -> None:
    times: list[float] = []

    def answer(path: str) -> str | None:
        times.append(time.monotonic())
        links = "".join(f"<a href=/{n}>{n}</a>" for n in range(3))
        return None if path == "/robots.txt" else f"<title>{path}</title><p>This is page {path}</p>{links}"

    with SmallSite(answer) as site:
        settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_DELAY": 1}
        crawl(tmp_path, [site.url], settings)

    assert len(times) == 6  # with /sitemap.xml, since there is no form
    assert delay_was_kept(times, 1)
    assert (
        times[-1] - times[0] > 5 - 0.5
    )  # no delay is missing, unless the first request took so long to arrive


def test_a_header_that_says_nofollow_is_obeyed(tmp_path: Path) -> None:
    home = b"<form action=/find>Search <input type=search name=q><button>Search</button></form><a href=/next>Next</a> words here"

    def answer(path: str) -> Answer | str | None:
        headers = {"X-Robots-Tag": "nofollow", "Content-Type": "text/html"}
        return Answer(home, headers=headers) if path == "/" else None

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_SUBMIT": True}
        crawl(tmp_path, [site.url], allowed | {"HIDDENWEB_NOFOLLOW": "strict"})
        requested = set(site.requested)
        (tmp_path / "named").mkdir()
        crawl(tmp_path / "named", [site.url], allowed)
        named = {path.partition("?")[0] for path in site.requested}

    assert requested == {"/robots.txt", "/"}
    assert named == {"/robots.txt", "/", "/find"}, "the search of a site that the user names is submitted"
