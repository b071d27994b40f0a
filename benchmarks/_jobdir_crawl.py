"""Scrapy's own way to resume: the bare spider of `benchmarks._crawls` with a JOBDIR.

`python -m benchmarks._jobdir_crawl FOLDER PROXY SEEDS` crawls the hosts of a seed file by following links, keeps its queue
and its seen-set in FOLDER/job, and appends the address of every page to FOLDER/pages, written through at once.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.crawler import CrawlerProcess

from benchmarks._crawls import BareSpider, Job, bare_settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response

AGENT = "jobdir"


class WritingSpider(BareSpider):
    """Follows every link, and writes down where it has been."""

    name = "jobdir"

    def __init__(self, job: Job, **arguments: Any) -> None:
        super().__init__(job, **arguments)
        self._pages = (Path(job.folder) / "pages").open("a", buffering=1, encoding="utf-8")

    async def start(self) -> AsyncIterator[Request]:
        """Yield the seeds as Scrapy itself does, which asks for them at every start."""
        for seed in self.seeds:
            yield Request(seed, dont_filter=True)

    def parse(self, response: Response, **_: Any) -> Iterator[Request]:
        """Yield a request for every link, then count the page as read."""
        yield from super().parse(response)
        self._pages.write(f"{response.url}\n")


def crawl(folder: Path, proxy: str, seeds: Path) -> None:
    """Crawl, or go on with a crawl that was interrupted."""
    job = Job(str(folder), proxy, tuple(seeds.read_text().split()))
    settings = {**bare_settings(proxy), "JOBDIR": str(folder / "job"), "USER_AGENT": AGENT}
    process = CrawlerProcess(settings)
    process.crawl(WritingSpider, job=job)
    process.start()


if __name__ == "__main__":
    crawl(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
