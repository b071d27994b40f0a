"""Whole crawls to be compared: a bare Scrapy spider and `scrapy crawl explore`, each in a fresh process.

The bare spider follows every link of the given hosts that LinkExtractor finds, yields a request for each, and keeps
nothing. Its settings are Scrapy's own, but for robots.txt (off, which is cheaper), retries, telnet and the limit of requests
per host. Ours is the project with all its settings, but for the delay between requests to one host, which is zero, and sitemaps, which the other does not read.

`python -m benchmarks._crawls SIDE` reads one job a line and forks a process for each, so that imports are made once and are
in nobody's figures. What a crawl takes is counted by `benchmarks._measuring.Measure`, on both sides alike. The
indexing process is a child of the crawl and may outlive it: it is adopted, waited for, and its CPU is what all
processes of a job used less what the crawl itself used.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import TextResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.project import get_project_settings

from benchmarks._bare_scrapy import CrawlFailed, Forking
from benchmarks._measuring import INTO, cpu_seconds
from hiddenweb.journey import EXPLORING, FIXED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response

Side = Literal["bare", "ours"]

CONCURRENCY = 32
_BECOME_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl(2)


@dataclass(frozen=True, slots=True)
class Job:
    """One crawl: where it begins, and where it may write. Its hosts are those of the seeds."""

    folder: str
    proxy: str
    seeds: tuple[str, ...]
    settings: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a crawl took: CPU and wall seconds between opening and closing, memory, and the CPU of its other processes."""

    cpu: float
    wall: float
    rss_mb: float
    others_cpu: float
    reason: str


class Crawls(Forking):
    """The crawls of one side, one after the other."""

    def __init__(self, side: Side) -> None:
        super().__init__("benchmarks._crawls", side)
        self._side = side

    def crawl(self, job: Job) -> Taken:
        """Run one crawl to its end, and all processes it started."""
        folder = Path(job.folder)
        folder.mkdir(parents=True, exist_ok=True)
        result = folder / "taken.json"
        if self.answer_to(asdict(job)) or not result.exists():
            log = (folder / "log").read_text(errors="replace")
            raise CrawlFailed(f"the {self._side} crawl failed; its log ends with\n{log[-2000:]}")
        return Taken(**json.loads(result.read_text()))


class BareSpider(scrapy.Spider):
    """Follows every link to the hosts of its seeds, and keeps nothing."""

    name = "bare"
    links = LinkExtractor()

    def __init__(self, job: Job, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.seeds = job.seeds
        self.hosts = {urlsplit(seed).netloc for seed in job.seeds}

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield the seeds so that they count as seen: else each would be fetched twice."""
        for seed in self.seeds:
            yield scrapy.Request(seed)

    def parse(self, response: Response, **_: Any) -> Iterator[scrapy.Request]:
        """Yield a request for every link."""
        if isinstance(response, TextResponse):
            for link in self.links.extract_links(response):
                if urlsplit(link.url).netloc in self.hosts:
                    yield scrapy.Request(link.url)


def bare_settings(proxy: str, concurrency: int = CONCURRENCY) -> dict[str, object]:
    """Scrapy's defaults, but for what would stop or slow a crawl of hosts behind one proxy."""
    os.environ["http_proxy"] = proxy  # where Scrapy looks for it
    return {
        "ROBOTSTXT_OBEY": False,
        "RETRY_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": concurrency,
        "CONCURRENT_REQUESTS_PER_DOMAIN": concurrency,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
        "USER_AGENT": "bare",
    }


def our_settings(folder: Path, proxy: str, concurrency: int = CONCURRENCY) -> dict[str, object]:
    """What a crawl of ours is told on the command line; all else is as the project has it."""
    return {
        "HIDDENWEB_STATE": str(folder / "state"),
        "HIDDENWEB_PROXY": proxy,
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_SITEMAP_LINKS": 0,  # the bare spider reads none
        "HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST": concurrency,
        "CONCURRENT_REQUESTS": concurrency,
        "LOG_LEVEL": "ERROR",
        "USER_AGENT": "ours",
    }


def crawl(side: Side, job: Job) -> None:
    """Crawl in this process, which can be done once."""
    measured = {
        INTO: str(Path(job.folder) / "measured.json"),
        "EXTENSIONS": {"benchmarks._measuring.Measure": 0, "benchmarks._measuring.Growth": 0},
    }
    if side == "bare":
        process = CrawlerProcess({**bare_settings(job.proxy), **measured, **job.settings})
        process.crawl(BareSpider, job=job)
    else:
        settings = get_project_settings()
        ours = {**our_settings(Path(job.folder), job.proxy), **measured}
        settings.setdict({**ours, **job.settings}, priority="cmdline")
        seeds = Path(job.folder) / "seeds.txt"
        seeds.write_text("\n".join(job.seeds))
        process = CrawlerProcess(settings)
        process.crawl("explore", sites=str(seeds))
    process.start()


def main(side: Side) -> int:
    """Crawl what standard input asks for, each job in a process of its own."""
    ctypes.CDLL(None).prctl(_BECOME_SUBREAPER, 1, 0, 0, 0)
    if side == "ours":
        _import_the_project()
    for line in sys.stdin:
        job = Job(**json.loads(line))
        child = os.fork()
        if not child:
            _run_and_exit(side, job)
        status, used = _wait_for_all(child)
        if not status:
            _write_taken(Path(job.folder), used)
        print(json.dumps(status), flush=True)
    return 0


def _import_the_project() -> None:
    """Import all that a crawl will import, as far as its journey names it."""
    names = [FIXED["SCHEDULER"], *filter(None, EXPLORING["DOWNLOAD_HANDLERS"].values())]
    for setting in ("DOWNLOADER_MIDDLEWARES", "SPIDER_MIDDLEWARES", "ITEM_PIPELINES", "EXTENSIONS"):
        names += EXPLORING[setting]
    for name in names:
        __import__(name.rpartition(".")[0])
    __import__("hiddenweb.spiders.explore")


def _run_and_exit(side: Side, job: Job) -> None:
    log = os.open(Path(job.folder) / "log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 1)
    os.dup2(log, 2)
    code = 1
    try:
        crawl(side, job)
        (Path(job.folder) / "own").write_text(str(cpu_seconds()))
        code = 0
    finally:
        os._exit(code)


def _wait_for_all(child: int) -> tuple[int, float]:
    """Wait for a child and all that it left behind; return its status and the CPU seconds of all together."""
    used, status = 0.0, 0
    while True:
        try:
            process, ended, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return status, used
        used += usage.ru_utime + usage.ru_stime
        if process == child:
            status = ended


def _write_taken(folder: Path, used: float) -> None:
    measured = json.loads((folder / "measured.json").read_text())
    others = used - float((folder / "own").read_text())
    (folder / "taken.json").write_text(json.dumps({**measured, "others_cpu": max(0.0, others)}))


if __name__ == "__main__":
    sys.exit(main("bare" if sys.argv[1] == "bare" else "ours"))
