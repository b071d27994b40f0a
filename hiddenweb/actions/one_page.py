"""Fetching one page for a command, with the settings and rules of a crawl."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from hiddenweb.download_handler import client_for, request_defaults
from hiddenweb.fetch.single_page import SinglePageFetcher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.settings import BaseSettings

    from hiddenweb.fetch.single_page import SinglePage


async def one_page(url: str, settings: BaseSettings) -> SinglePage:
    """Return the page at an address; raises a FetchError or Disallowed that says why there is none."""
    async with page_fetcher(settings, url) as fetcher:
        return await fetcher.fetch_page(url)


@asynccontextmanager
async def page_fetcher(settings: BaseSettings, *named: str) -> AsyncIterator[SinglePageFetcher]:
    """Open a fetcher that fetches single pages as a crawl does; the user's own cookies go to the sites that are named."""
    async with client_for(settings) as client:
        yield SinglePageFetcher(
            client, request_defaults(settings, named), agent=settings["USER_AGENT"], at=time.time()
        )
