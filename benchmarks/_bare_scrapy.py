"""Bare Scrapy, the yardstick of other benchmarks: crawls a list of addresses and says what CPU it took.

Two spiders. `fetch` does nothing with a page, which is the least that Scrapy can do. `follow` extracts all links and
yields a request for each, which is the least that a crawler can do; its links wait behind the list, so that both take
in the same pages, but for a few links while the crawl closes. Settings are Scrapy's own, but for what would stop or
slow a crawl of many hosts behind one proxy.

`python -m benchmarks._bare_scrapy` reads one job a line and forks a fresh process for each, so that Scrapy is imported
once. CPU is counted between spider_opened and spider_closed: neither imports nor start-up are in it.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor

from benchmarks.data import ROOT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping
    from types import TracebackType
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

SpiderName = Literal["fetch", "follow"]

CONCURRENCY = 32


class CrawlFailed(RuntimeError):
    """A crawl did not bring what it was sent for."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one crawl is to take in."""

    spider: SpiderName
    proxy: str
    urls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Crawled:
    """What one crawl took."""

    pages: int
    body_bytes: int
    cpu: float
    wall: float
    statuses: dict[str, int]


class Forking:
    """A process that has imported what crawls need, and forks one after the other: a line in, a line out."""

    def __init__(self, *module: str) -> None:
        self._command = [sys.executable, "-m", *module]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.communicate()

    def answer_to(self, job: Mapping[str, object]) -> Any:
        """Have a job done; return what is said about it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(job), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise CrawlFailed(f"{' '.join(self._command[1:])} ended with code {self._process.wait()}")
        return json.loads(line)


class BareScrapy(Forking):
    """Bare Scrapy, one crawl after the other."""

    def __init__(self) -> None:
        super().__init__("benchmarks._bare_scrapy")

    def crawl(self, job: Job) -> Crawled:
        """Run one crawl to its end; CrawlFailed unless the pages of the list came, with status 200."""
        crawled = Crawled(**self.answer_to(asdict(job)))
        if crawled.pages < fewest_pages(job) or set(crawled.statuses) != {"200"}:
            raise CrawlFailed(f"{len(job.urls)} addresses, but {crawled.pages} pages: {crawled.statuses}")
        return crawled


class FetchSpider(scrapy.Spider):
    """Asks for every address of the list and looks at none of the answers."""

    name = "fetch"

    def __init__(self, job: Job, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.job = job
        self.statuses: Counter[str] = Counter()
        self.body_bytes = 0

    async def start(self) -> AsyncIterator[Any]:
        for url in self.job.urls:
            yield self.request(url)

    def request(self, url: str, **arguments: Any) -> scrapy.Request:
        return scrapy.Request(url, meta={"proxy": self.job.proxy}, **arguments)

    def parse(self, response: Response, **_: Any) -> Any:
        self.statuses[str(response.status)] += 1
        self.body_bytes += len(response.body)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.begin, signals.spider_opened)
        crawler.signals.connect(spider.finish, signals.spider_closed)
        return spider

    def begin(self) -> None:
        self.opened_at, self.cpu_before = time.perf_counter(), _cpu_seconds()

    def finish(self) -> None:
        cpu, wall = _cpu_seconds() - self.cpu_before, time.perf_counter() - self.opened_at
        crawled = Crawled(self.statuses.total(), self.body_bytes, cpu, wall, dict(self.statuses))
        print(json.dumps(asdict(crawled)), flush=True)


class FollowSpider(FetchSpider):
    """Asks for every address of the list, and would go on to every link found on the way.

    The list is handed over with the first page: Scrapy prefers waiting links to what `start` has still to yield.
    """

    name = "follow"
    links = LinkExtractor()

    async def start(self) -> AsyncIterator[Any]:
        yield self.request(self.job.urls[0], callback=self.parse_first)

    def parse_first(self, response: Response) -> Iterator[scrapy.Request]:
        yield from map(self.request, self.job.urls[1:])
        yield from self.parse(response)

    def parse(self, response: Response, **_: Any) -> Iterator[scrapy.Request]:
        super().parse(response)
        if isinstance(response, TextResponse):
            for link in self.links.extract_links(response):
                yield self.request(link.url, priority=-1)


def settings(job: Job) -> dict[str, object]:
    """Scrapy's defaults, but for robots, retries, the limits per host, and consoles; and where following ends."""
    chosen: dict[str, object] = {
        "ROBOTSTXT_OBEY": False,
        "RETRY_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "AUTOTHROTTLE_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }
    if job.spider == "follow":
        chosen |= {
            # The default queue prefers idle hosts to priorities, so links would overtake the list; it is slower too.
            "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
            # What is under way then is the rest of the list; later it would be links.
            "CLOSESPIDER_PAGECOUNT": fewest_pages(job),
        }
    return chosen


def fewest_pages(job: Job) -> int:
    """How many pages a crawl has to bring: all of the list, or all but those under way when following ends."""
    return len(job.urls) - (CONCURRENCY if job.spider == "follow" else 0)


def crawl(job: Job) -> None:
    """Crawl in this process, which can be done once; the result is printed."""
    process = CrawlerProcess(settings(job))
    process.crawl(FollowSpider if job.spider == "follow" else FetchSpider, job=job)
    process.start()


def main() -> int:
    """Crawl what standard input asks for, each job in a process of its own."""
    for line in sys.stdin:
        child = os.fork()
        if not child:
            crawl(Job(**json.loads(line)))
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            return 1
    return 0


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
