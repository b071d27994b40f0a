from __future__ import annotations

import asyncio

import pytest
from crawling import Answer, SmallSite
from scrapy.settings import Settings

from hiddenweb.actions.one_page import one_page, page_fetcher
from hiddenweb.fetch.errors import Disallowed, FetchError, Refused


def answer(path: str) -> str | Answer | None:
    if path == "/robots.txt":
        return "User-agent: *\nDisallow: /secret\n"
    if path == "/old":
        return Answer(b"", 302, headers={"Location": "/page"})
    return "<p>hello" if path.startswith("/page") else None


def settings_for(site: SmallSite, **more: object) -> Settings:
    settings = Settings()
    settings.setmodule("hiddenweb.settings")
    defaults = {"HIDDENWEB_PROXY": "", "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
    settings.setdict(defaults | more)
    return settings


def test_a_page_is_fetched_as_a_crawl_does_with_redirects_and_robots_txt() -> None:
    with SmallSite(answer) as site:
        page = asyncio.run(one_page(f"{site.url}old", settings_for(site)))

    assert (page.url, page.body, page.content_type) == (
        f"{site.url}page", b"<p>hello", "text/html; charset=utf-8",
    )  # fmt: skip
    assert site.requested == ["/robots.txt", "/old", "/page"]


def test_the_error_says_why_there_is_no_page() -> None:
    with SmallSite(answer) as site:
        settings = settings_for(site)

        with pytest.raises(Disallowed, match=r"robots\.txt forbids"):
            asyncio.run(one_page(f"{site.url}secret", settings))
        with pytest.raises(FetchError, match="status 404"):
            asyncio.run(one_page(f"{site.url}missing", settings))

    assert "/secret" not in site.requested


def test_this_machine_is_not_fetched_from_unless_it_is_allowed() -> None:
    with SmallSite(answer) as site, pytest.raises((Refused, Disallowed), match="is this machine"):
        asyncio.run(one_page(f"{site.url}page", settings_for(site, HIDDENWEB_ALLOW_ADDRESSES="")))

    assert site.requested == []


def test_several_pages_share_one_reading_of_robots_txt() -> None:
    async def fetch_pages() -> list[bytes]:
        async with page_fetcher(settings_for(site)) as fetcher:
            return [(await fetcher.fetch_page(f"{site.url}page{number}")).body for number in range(2)]

    with SmallSite(answer) as site:
        bodies = asyncio.run(fetch_pages())

    assert bodies == [b"<p>hello"] * 2
    assert site.requested == ["/robots.txt", "/page0", "/page1"]
