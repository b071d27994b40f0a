"""Fetching one page for a command, by the settings of a crawl and all its rules."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hiddenweb.download_handler import client_for, headers_in, proxies_in
from hiddenweb.fetch.http_client import MAX_BYTES, HttpRequest
from hiddenweb.fetch.single_page import fetch_once

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

    from hiddenweb.fetch.http_client import HttpClient, HttpResponse
    from hiddenweb.fetch.single_page import Ask, SinglePage


async def one_page(url: str, settings: BaseSettings) -> SinglePage:
    """Return the page at an address; raises a FetchError or Disallowed that says why there is none."""
    async with client_for(settings) as client:
        return await fetch_once(url, asking(client, settings), agent=settings["USER_AGENT"], at=time.time())


def asking(client: HttpClient, settings: BaseSettings) -> Ask:
    """Return what fetches an address as a crawl does."""
    headers, proxies = headers_in(settings), proxies_in(settings)
    timeout, most = settings.getfloat("DOWNLOAD_TIMEOUT"), settings.getint("HIDDENWEB_MAX_BYTES") or MAX_BYTES

    async def ask(address: str) -> HttpResponse:
        proxy = proxies.on_the_way_to(address)
        return await client.fetch(
            HttpRequest("GET", address, headers, proxy=proxy, timeout=timeout, max_bytes=most)
        )

    return ask
