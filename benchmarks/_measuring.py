"""Extensions that measure a crawl from inside, whoever crawls: Scrapy's own spiders and ours alike.

`Measure` counts the CPU seconds (user and system) and the wall seconds of the process between spider_opened and
spider_closed; imports and start-up are in neither. It does nothing while pages come. `Growth` notes the resident
memory of the process as its frontier grows, and ends the crawl when it has grown enough. `Sampler` says where the CPU time
goes: the kernel interrupts the process after every few milliseconds of CPU, and the innermost function of a part that
has a name gets the sample.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.asyncio import create_looping_call

if TYPE_CHECKING:
    from types import FrameType
    from typing import Self

    from scrapy.crawler import Crawler

INTO = "BENCHMARK_INTO"
"""The setting that names the file for what was measured."""

UNTIL = "BENCHMARK_UNTIL"
"""The setting that says how many known addresses are enough."""

PROFILE = "BENCHMARK_PROFILE"
"""The setting that asks where the time goes."""

SAMPLE_SECONDS = 0.1
PROFILE_SECONDS = 0.002

PARTS = {
    "hiddenweb/html/": "reading the page",
    "hiddenweb/records/": "reading the page",
    "hiddenweb/language/tokens.py": "reading the page",
    "hiddenweb/language/guess.py": "reading the page",
    "hiddenweb/urls.py": "addresses and sketches",
    "hiddenweb/near_duplicates/": "addresses and sketches",
    "hiddenweb/store/": "state and store (SQLite)",
    "hiddenweb/fetch/http_client.py": "fetching",
    "hiddenweb/fetch/connection": "fetching",
    "hiddenweb/fetch/wire_request.py": "fetching",
    "hiddenweb/fetch/content_decoding.py": "fetching",
    "hiddenweb/download_handler.py": "fetching",
    "hiddenweb/fetch/": "politeness, robots, outcomes",
    "hiddenweb/middlewares/robots.py": "politeness, robots, outcomes",
    "hiddenweb/scheduler.py": "politeness, robots, outcomes",
    "hiddenweb/frontier/host": "politeness, robots, outcomes",
    "hiddenweb/frontier/": "choosing links",
    "hiddenweb/focused/": "choosing links",
    "hiddenweb/pipelines/frontier.py": "choosing links",
    "hiddenweb/pipelines/": "pipelines",
    "hiddenweb/middlewares/": "forms and answers",
    "hiddenweb/forms/": "forms and answers",
    "hiddenweb/querying/": "forms and answers",
    "hiddenweb/answers/": "forms and answers",
    "hiddenweb/": "the rest of hiddenweb",
    "/scrapy/": "Scrapy",
    "/twisted/": "Twisted",
    "/uvloop/": "event loop",
    "/asyncio/": "event loop",
}
"""What a function belongs to, by the first name that its file contains."""


class Measure:
    """Counts what a crawl takes and writes it to a file when the spider is closed."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.get(INTO):
            raise NotConfigured(f"{INTO} names no file")
        extension = cls(crawler, Path(crawler.settings[INTO]))
        crawler.signals.connect(extension.begin, signals.spider_opened)
        return extension

    def __init__(self, crawler: Crawler, into: Path) -> None:
        self._crawler = crawler
        self._into = into

    def begin(self) -> None:
        """Start counting. What others do when the spider is closed counts, for they were connected earlier."""
        self._crawler.signals.connect(self.finish, signals.spider_closed)
        self._sampler = Sampler() if self._crawler.settings.getbool(PROFILE) else None
        if self._sampler:
            self._sampler.start()
        self._wall, self._cpu = time.perf_counter(), cpu_seconds()

    def finish(self, reason: str) -> None:
        """Write down what it took."""
        cpu, wall = cpu_seconds() - self._cpu, time.perf_counter() - self._wall
        rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        if self._sampler:
            self._sampler.stop()
            written = {"parts": self._sampler.parts, "functions": self._sampler.functions}
            self._into.with_name("profile.json").write_text(json.dumps(written))
        self._into.write_text(json.dumps({"cpu": cpu, "wall": wall, "rss_mb": rss, "reason": reason}))


class Growth:
    """Notes memory against known addresses, a few times a second, until there are enough of them."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not crawler.settings.getint(UNTIL):
            raise NotConfigured(f"{UNTIL} names no number")
        extension = cls(crawler, Path(crawler.settings[INTO]), crawler.settings.getint(UNTIL))
        crawler.signals.connect(extension.begin, signals.spider_opened)
        crawler.signals.connect(extension.finish, signals.spider_closed)
        return extension

    def __init__(self, crawler: Crawler, into: Path, until: int) -> None:
        self._crawler = crawler
        self._into = into.with_name("growth.json")
        self._until = until
        self._samples: list[tuple[int, float]] = []

    def begin(self) -> None:
        """Start looking."""
        self._looking = create_looping_call(self.look)
        self._looking.start(SAMPLE_SECONDS, now=False)

    def look(self) -> None:
        """Take a sample; end the crawl when there are enough addresses."""
        assert self._crawler.stats is not None
        known = int(self._crawler.stats.get_value("hiddenweb/links/new", 0))
        self._samples.append((known, resident_mb()))
        if known >= self._until and self._looking.running:
            self._looking.stop()
            assert self._crawler.engine is not None
            self._closing = asyncio.ensure_future(self._crawler.engine.close_spider_async(reason="enough"))

    def finish(self) -> None:
        """Write the samples down."""
        if self._looking.running:
            self._looking.stop()
        self._into.write_text(json.dumps(self._samples))


class Sampler:
    """Samples by CPU time which part of the program is at work."""

    def __init__(self) -> None:
        self.parts: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()

    def start(self) -> None:
        """Have the process interrupted again and again."""
        signal.signal(signal.SIGPROF, self.sample)
        signal.setitimer(signal.ITIMER_PROF, PROFILE_SECONDS, PROFILE_SECONDS)

    def stop(self) -> None:
        """Leave the process in peace."""
        signal.setitimer(signal.ITIMER_PROF, 0)

    def sample(self, _: int, frame: FrameType | None) -> None:
        """Count a sample for the innermost function whose part has a name."""
        while frame is not None:
            code = frame.f_code
            part = part_of(code.co_filename)
            if part:
                self.parts[part] += 1
                self.functions[f"{part}: {code.co_qualname}"] += 1
                return
            frame = frame.f_back
        self.parts["others"] += 1


def part_of(file: str) -> str:
    """Return the name of the part that a file belongs to; empty for libraries, whose callers count."""
    return next((part for fragment, part in PARTS.items() if fragment in file), "")


def cpu_seconds() -> float:
    """Return the CPU seconds of this process so far, user and system."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def resident_mb() -> float:
    """Return the resident memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024 / 1024
