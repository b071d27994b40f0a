"""No way leads from a page to an address that the guard protects."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from crawling import Answer, Canary, SmallSite, crawl

if TYPE_CHECKING:
    from pathlib import Path

SPELLINGS = (
    "127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::1]", "localhost",
    "sub.localhost", "127.0.0.1.", "１２７.0.0.1", "0.0.0.0",
)  # fmt: skip


def page(body: str, head: str = "") -> str:
    return f"<html><head><title>A page</title>{head}</head><body><p>Some words here.</p>{body}</body></html>"


@pytest.fixture
def canary() -> Canary:
    return Canary()


def test_canary_is_not_met_by_links_redirects_forms_or_base(tmp_path: Path, canary: Canary) -> None:
    with canary:
        targets = [f"http://{host}:{canary.port}/" for host in SPELLINGS]
        links = "".join(f"<a href='{target}{n}'>a link</a>" for n, target in enumerate(targets))
        redirects = {f"/to/{n}": target for n, target in enumerate(targets)}
        form = f"<form action='{targets[0]}find' role=search>Search <input name=q type=search><button>Search</button></form>"
        site_pages = {
            "/": page(
                links
                + form
                + "".join(f"<a href='{path}'>on</a>" for path in redirects)
                + "<a href=/base>base</a>"
            ),
            "/base": page("<a href='here'>relative</a>" + form, head=f"<base href='{targets[0]}'>"),
        }

        def answer(path: str) -> Answer | str | None:
            if path in redirects:
                return Answer(status=302, headers={"Location": redirects[path]})
            return site_pages.get(path)

        with SmallSite(answer, "127.0.0.2") as site:
            ran = crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.2:{site.port}"})

            assert ran.code == 0, ran.output
            assert {"/", "/base", *redirects} <= set(site.requested)
        assert canary.visits == 0


def test_canary_is_not_met_as_a_seed_in_whatever_spelling(tmp_path: Path, canary: Canary) -> None:
    with canary:
        seeds = [f"http://{host}:{canary.port}/" for host in SPELLINGS]

        ran = crawl(tmp_path, seeds, {"HIDDENWEB_RETRIES": 0})

        assert canary.visits == 0
        states = {state for (state,) in ran.rows("SELECT DISTINCT state FROM links")}
        assert states == {4}, ran.rows("SELECT url, state, why FROM links")


def test_canary_is_not_met_when_a_seed_redirects_to_it(tmp_path: Path, canary: Canary) -> None:
    with (
        canary,
        SmallSite(
            lambda path: (
                Answer(status=301, headers={"Location": f"http://localhost:{canary.port}/"})
                if path == "/"
                else None
            ),
            "127.0.0.2",
        ) as site,
    ):
        ran = crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.2:{site.port}"})

        refused = ran.rows("SELECT why FROM links WHERE state = 4")
        assert len(refused) == 1
        assert canary.visits == 0


def test_canary_is_not_met_when_robots_txt_redirects_to_it(tmp_path: Path, canary: Canary) -> None:
    with (
        canary,
        SmallSite(
            lambda path: (
                Answer(status=302, headers={"Location": f"http://127.0.0.1:{canary.port}/robots.txt"})
                if path == "/robots.txt"
                else page("")
            ),
            "127.0.0.2",
        ) as site,
    ):
        settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.2:{site.port}", "HIDDENWEB_RETRIES": 0}
        crawl(tmp_path, [site.url], settings)

        assert canary.visits == 0
        assert site.requested == ["/robots.txt"]


def test_canary_is_not_met_behind_a_proxy(tmp_path: Path, canary: Canary) -> None:
    with canary, SmallSite(lambda _: page("")) as proxy:
        seeds = [f"http://{host}:{canary.port}/" for host in SPELLINGS]

        crawl(tmp_path, seeds, {"HIDDENWEB_PROXY": proxy.url, "HIDDENWEB_RETRIES": 0})

        assert canary.visits == 0
        assert proxy.requested == []  # a proxy would have met it for us


def test_same_address_is_met_when_the_user_allows_it(tmp_path: Path) -> None:
    with SmallSite(lambda path: page("") if path == "/" else None) as site:
        crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"})

        assert site.requested == ["/robots.txt", "/", "/sitemap.xml"]
