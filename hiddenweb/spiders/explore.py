"""`scrapy crawl explore -a sites=...`: stage two on given sites."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.settings import BaseSettings

from hiddenweb.config import BUDGETS, SCOPES, problems_with_budgets
from hiddenweb.fetch.errors import Disallowed, FetchError, Postponed
from hiddenweb.fetch.http_status import RetryPolicy, interpret_answer, interpret_error, interpret_postponement
from hiddenweb.fetch.reading import ServerAnswer
from hiddenweb.fetch.robots import robots_tag
from hiddenweb.focused.locating.seeds import list_problems, read_seeds
from hiddenweb.focused.topic import read_topic
from hiddenweb.frontier.address_scope import AddressScope, parse_patterns
from hiddenweb.html.document import PARSED
from hiddenweb.journey import EXPLORING, prepare_settings
from hiddenweb.model import CrawlTask, FailedTask, Fetched, FetchFailure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response


_CONDITIONS = frozenset((b"If-None-Match", b"If-Modified-Since"))


class BadArguments(ValueError):
    """An argument that a spider does not have, or a value that it cannot use."""


class ExploreSpider(Spider):
    """Reads all pages of the given sites that links reach, and finds their forms.

    With a topic it reads those that promise a search form on it, and stops where they do not: stage two of SmartCrawler.
    With HIDDENWEB_SUBMIT the forms are submitted too. The same command resumes.
    """

    name = "explore"
    usage = (
        "-a sites=ADDRESSES or FILE, and -a topic=NAME or FILE if only forms on a topic are wanted;"
        " budgets are -a pages=NUMBER for a site and -a time=30m for the crawl;"
        " -a include=PATTERNS and -a exclude=PATTERNS choose addresses"
    )
    budgets: Collection[str] = ("pages", "time")
    follows_sites = False
    journey = EXPLORING

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        prepare_settings(settings)

    def __init__(self, sites: str = "", topic: str = "", **others: Any) -> None:
        super().__init__(self.name)
        self.retries = RetryPolicy()
        self.agent = ""
        self.topic = topic
        self.budget_values = {name: value for name, value in others.items() if name in self.budgets}
        self.patterns = {name: str(value) for name, value in others.items() if name in SCOPES}
        self.seeds: Sequence[str] = ()
        if sites or topic or os.environ.get("SCRAPY_CHECK") != "true":  # contracts have saved pages
            self.seeds = self.check_arguments(sites=sites, topic=topic, **others)

    @classmethod
    def check_arguments(cls, sites: str = "", topic: str = "", **others: Any) -> Sequence[str]:
        """Return the seeds, or raise BadArguments, BadSeeds or BadTopic for arguments that cannot be used."""
        cls.check_other_arguments(others)
        if topic:
            read_topic(topic)
        return read_seeds(sites)

    @classmethod
    def check_other_arguments(cls, others: Mapping[str, Any]) -> None:
        """Raise BadArguments for budgets that cannot be used, and arguments that a spider does not have.

        Arguments with an underscore are Scrapyd's.
        """
        known = {*cls.budgets, *SCOPES}
        unknown = sorted(name for name in others if not name.startswith("_") and name not in known)
        if unknown:
            raise BadArguments(f"{cls.name} has no argument {', '.join(unknown)}; it takes {cls.usage}")
        budgets = {name: value for name, value in others.items() if name in cls.budgets}
        problems = [*problems_with_budgets(budgets), *_problems_with_patterns(others)]
        if problems:
            raise BadArguments("\n".join(problems))

    @classmethod
    def check_seeds(cls, settings: BaseSettings, seeds: Sequence[str], arguments: Mapping[str, Any]) -> None:
        """Raise BadArguments for seeds that the patterns of the crawl leave out."""
        scope = scope_of(settings, arguments)
        outside = [(url, why) for url in seeds if (why := scope.reason_outside(url))] if scope else []
        if outside:
            lines = [f"sites: {url} cannot be crawled: {why}" for url, why in outside]
            raise BadArguments(list_problems(lines, len(lines)))

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.retries = RetryPolicy(
            times=crawler.settings.getint("HIDDENWEB_RETRIES"),
            delay=crawler.settings.getfloat("HIDDENWEB_RETRY_DELAY"),
        )
        spider.agent = crawler.settings["USER_AGENT"]
        cls.check_seeds(crawler.settings, spider.seeds, spider.patterns)
        return spider

    def argument_settings(self) -> BaseSettings:
        """Return the settings that the arguments replace; a budget replaces even those of the command line."""
        settings = BaseSettings({"HIDDENWEB_FOLLOW_SITES": self.follows_sites}, priority="spider")
        if self.topic and self.seeds:
            settings.set("HIDDENWEB_TOPIC", self.topic, priority="spider")
        for name, value in self.budget_values.items():
            for setting in BUDGETS[name]:
                settings.set(setting, value, priority="cmdline")
        for name, patterns in self.patterns.items():
            settings.set(SCOPES[name], patterns, priority="cmdline")
        return settings

    async def start(self) -> AsyncIterator[Request]:
        for url in self.seeds:
            yield Request(url)

    def parse(self, response: Response, **_: Any) -> Iterator[Fetched | FetchFailure]:
        """Yield the outcome of a task: a page with its links and forms, or why there is none.

        @page bookshop/home.html
        @returns items 1 1
        @links 9
        @forms 2
        @submits 1
        """
        task = response.meta["hiddenweb"]
        if isinstance(task, FailedTask):
            yield self.failure_of(task.task, task.error)
            return
        yield read_response(task, response, self.agent, self.retries, on_parse=self._count_parse)

    def _count_parse(self) -> None:
        if self.crawler.stats is not None:
            self.crawler.stats.inc_value(PARSED)

    def failure_of(self, task: CrawlTask, error: Exception) -> FetchFailure:
        """Return why a task was not answered, and whether it is tried again."""
        return read_failure(task, error, self.retries)


def read_response(
    task: CrawlTask, response: Response, agent: str, retries: RetryPolicy, *, on_parse: Callable[[], object]
) -> Fetched | FetchFailure:
    """Return what the response to a task means; `agent` is the name that a robots tag may address."""
    header = response.headers.get
    answer = ServerAnswer(
        response.url,
        response.status,
        response.body,
        content_type=_text(header("Content-Type")),
        location=_text(header("Location")),
        retry_after=_text(header("Retry-After")),
        etag=_text(header("ETag")),
        last_modified=_text(header("Last-Modified")),
        link=", ".join(map(_text, response.headers.getlist("Link"))),
        refresh=_text(response.headers.get("Refresh")),
        latency=response.meta.get("download_latency", 0.0),
        marks=tuple(response.flags),
        robots=robots_tag(map(_text, response.headers.getlist("X-Robots-Tag")), agent),
        is_conditional=response.request is not None and not _CONDITIONS.isdisjoint(response.request.headers),
    )
    return interpret_answer(task, answer, time.time(), retries, on_parse=on_parse)


def read_failure(task: CrawlTask, error: Exception, retries: RetryPolicy) -> FetchFailure:
    """Return what the failure of a task's request means."""
    now = time.time()
    match error:
        case Postponed():
            return interpret_postponement(task, error, now, retries)
        case Disallowed():
            return FetchFailure(task, str(error), now, refused=True)
        case FetchError():
            return interpret_error(task, error, now, retries)
        case _:
            return FetchFailure(task, f"{type(error).__name__}: {error}", now)


def scope_of(settings: BaseSettings, arguments: Mapping[str, Any]) -> AddressScope:
    """Return the addresses that a crawl may request: by its arguments, or else by the settings."""
    patterns = {name: arguments.get(name) or settings.get(setting) for name, setting in SCOPES.items()}
    return AddressScope.parse(patterns["include"] or "", patterns["exclude"] or "")


def _problems_with_patterns(arguments: Mapping[str, Any]) -> Iterator[str]:
    for name in SCOPES:
        try:
            parse_patterns(str(arguments.get(name) or ""))
        except ValueError as error:
            yield f"{name}: {error}"


def _text(header: bytes | None) -> str:
    return header.decode("latin-1") if header else ""
