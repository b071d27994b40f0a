"""Spiders of other people, as they may stand in a project beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import TextResponse


class WalkingSpider(Spider):
    """Follows all links from a page, and yields their addresses and what it was told."""

    name = "walking"

    def __init__(self, start: str = "", **others: Any) -> None:
        super().__init__(**others)
        self.start_urls = start.split()

    async def start(self) -> AsyncIterator[Request]:
        for url in self.start_urls:
            yield Request(url, dont_filter=True)

    def parse(self, response: TextResponse, **_: Any) -> Iterator[Request | dict[str, object]]:  # type: ignore[override]
        """Yield the page, then its links.

        @url data:,nothing
        @returns items 1 1
        """
        yield {
            "url": response.url,
            "title": response.css("title::text").get(""),
            "depth": response.meta.get("depth"),
            "given": getattr(self, "given", ""),
            "flags": list(response.flags),
        }
        if isinstance(response.url, str) and response.url.startswith("http"):
            yield from response.follow_all(css="a")


class FailingSpider(Spider):
    """Raises when it is made."""

    name = "failing"

    def __init__(self, **_: Any) -> None:
        raise ValueError("this spider cannot start")
