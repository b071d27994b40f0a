"""What the parts of one crawl share, built once per crawler: the open store, and the objects that use it.

Scrapy makes each part by itself, from the crawler. So each part calls `CrawlContext.open(crawler)` and gets the same context. It reads the settings, opens the
store at once and makes everything else when it is first used. It closes itself when the engine has stopped, after all parts were closed.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from scrapy import signals

from hiddenweb.config import name_state_folder
from hiddenweb.fetch.host_rules import HostRules
from hiddenweb.focused.locating.site_classifier import SiteClassifier
from hiddenweb.focused.topic import read_topic
from hiddenweb.focused.topic_crawl import (
    ReverseLinks,
    TopicCrawl,
    read_engine,
    read_graph,
    read_limits,
    read_strategy,
)
from hiddenweb.frontier.address_scope import AddressScope
from hiddenweb.frontier.stopping import SiteBudget
from hiddenweb.reports.summary import sites_of_last_crawl
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.chosen_forms import ChosenForms, parse_form_numbers
from hiddenweb.store.database import Store
from hiddenweb.store.detail_pages import DetailPages
from hiddenweb.store.focused import FocusedStore
from hiddenweb.store.form_frontier import FormFrontier
from hiddenweb.store.link_automata import POLICY, LinkAutomata
from hiddenweb.store.revisit_frontier import RevisitFrontier
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.store.topic_frontier import TopicFrontier

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from hiddenweb.focused.topic import Topic
    from hiddenweb.frontier.protocol import Frontier

_NAME = "hiddenweb_context"
_STORE = "hiddenweb_store"


@runtime_checkable
class ArgumentSpider(Protocol):
    """A spider whose arguments replace settings."""

    def argument_settings(self) -> BaseSettings:
        """Return these settings, each with its priority."""


@runtime_checkable
class SeededSpider(Protocol):
    """A spider that begins with addresses its user has named."""

    seeds: Sequence[str]


def read_settings(crawler: Crawler) -> BaseSettings:
    """Return the settings of a crawl: those of the crawler, with the arguments of its spider."""
    settings = crawler.settings.copy()
    settings.frozen = False
    spider: object = crawler.spider
    if isinstance(spider, ArgumentSpider):
        settings.update(spider.argument_settings())
    settings.freeze()
    return settings


def read_scope(settings: BaseSettings) -> AddressScope:
    """Return the addresses that a crawl with these settings may request; raises ValueError for a bad pattern."""
    return AddressScope.parse(settings.get("HIDDENWEB_INCLUDE", ""), settings.get("HIDDENWEB_EXCLUDE", ""))


class CrawlContext:
    """The store of a crawl, and what else its parts share."""

    @classmethod
    def open(cls, crawler: Crawler) -> Self:
        """Return the context of a crawler; the first call opens it."""
        context: Self | None = getattr(crawler, _NAME, None)
        if context is None:
            settings = read_settings(crawler)
            store: Store | None = getattr(crawler, _STORE, None)
            context = cls(store or Store(_state_folder(crawler, settings)), settings)
            setattr(crawler, _NAME, context)
            crawler.signals.connect(context.close, signals.engine_stopped)
        return context

    @staticmethod
    def hold(crawler: Crawler, store: Store) -> None:
        """Hand in the store of a crawl that is about to start: no other crawl can take the state in between."""
        setattr(crawler, _STORE, store)

    def __init__(self, store: Store, settings: BaseSettings) -> None:
        self.store = store
        self.settings = settings
        self._before_close: list[Callable[[], object]] = []

    def close(self) -> None:
        """Close the store."""
        for end in self._before_close:
            end()
        self.store.close()

    @cached_property
    def _topic(self) -> Topic | None:
        name = self.settings.get("HIDDENWEB_TOPIC")
        return read_topic(str(name)) if name else None

    @cached_property
    def focused(self) -> FocusedStore | None:
        """The two stages of a crawl on a topic, with their state in the store; None if the crawl has no topic."""
        if self._topic is None:
            return None
        settings, rng = self.settings, Random(self.settings.getint("HIDDENWEB_RANDOM_SEED"))
        links = ReverseLinks(read_graph(settings, rng), read_engine(settings))
        focused = FocusedStore(
            self.store,
            self._topic.name,
            self._topic.vector(),
            rng,
            read_limits(settings),
            strategy=read_strategy(settings),
            linking=links.linking,
            arrived=links.take_found,
            follow_sites=settings.getbool("HIDDENWEB_FOLLOW_SITES"),
        )
        links.query_engine = focused.stages.query_engine
        self.store.before_commit.append(focused.write)
        self._before_close.append(links.close)
        return focused

    @cached_property
    def topic(self) -> TopicCrawl | None:
        """The topic of the crawl, with the classifiers of pages and forms; None if it has none."""
        if self._topic is None or self.focused is None:
            return None
        relevant = self.settings.getfloat("HIDDENWEB_MIN_RELEVANCE")
        return TopicCrawl(
            self._topic, self.focused, SiteClassifier(self._topic), relevant, read_engine(self.settings)
        )

    @cached_property
    def automata(self) -> LinkAutomata | None:
        """The automata that order links and queries; None if the crawl has a topic or another policy."""
        if self._topic is not None or self.settings.get("HIDDENWEB_POLICY") != POLICY:
            return None
        return LinkAutomata(self.store, Random(self.settings.getint("HIDDENWEB_RANDOM_SEED")))

    @cached_property
    def detail_pages(self) -> DetailPages:
        """The own pages of records."""
        return DetailPages(self.store, self.settings["HIDDENWEB_DETAIL_PAGES"])

    @cached_property
    def chosen_forms(self) -> ChosenForms | None:
        """The forms to which the crawl is limited; None if it is not."""
        numbers = self.settings.get("HIDDENWEB_FORMS")
        return ChosenForms(self.store, parse_form_numbers(numbers)) if numbers else None

    @cached_property
    def address_scope(self) -> AddressScope:
        """The addresses that may be requested."""
        return read_scope(self.settings)

    @cached_property
    def budget(self) -> SiteBudget:
        """What may be spent on one site."""
        number = self.settings.getint
        return SiteBudget(
            pages=number("HIDDENWEB_PAGES_PER_SITE"),
            explored=number("HIDDENWEB_EXPLORED_PAGES_PER_SITE"),
            record_pages=number("HIDDENWEB_DETAIL_PAGES_PER_SITE"),
            nothing_new=number("HIDDENWEB_MAX_DUPLICATES_PER_SITE"),
            alike=number("HIDDENWEB_MAX_DUPLICATES_PER_PATTERN"),
        )

    @cached_property
    def host_rules(self) -> HostRules:
        """The robots.txt rules of hosts."""
        return HostRules(
            self.store.sites,
            agent=self.settings["USER_AGENT"],
            retry=self.settings.getfloat("HIDDENWEB_ROBOTS_RETRY_DELAY"),
            retries=self.settings.getint("HIDDENWEB_RETRIES"),
            first_pause=self.settings.getfloat("HIDDENWEB_RETRY_DELAY"),
            was_answered=lambda: any(pages for _, pages, _ in sites_of_last_crawl(self.store)),
        )

    @cached_property
    def frontier(self) -> Frontier:
        """The tasks of the crawl, in the order of its kind of frontier."""
        store, details = self.store, self.detail_pages
        submits = self.settings.getbool("HIDDENWEB_SUBMIT")
        if self.revisits is not None:
            return RevisitFrontier(store, self.revisits)
        if self.chosen_forms is not None:
            return FormFrontier(store, self.chosen_forms, self.budget, details, submits=submits)
        if self.focused is not None:
            most_sites = self.settings.getint("HIDDENWEB_CONCURRENT_SITES")
            return TopicFrontier(store, self.focused, most_sites, details, submits=submits)
        return BreadthFirstFrontier(store, self.budget, details, submits=submits, automata=self.automata)

    @cached_property
    def revisits(self) -> RevisitStore | None:
        """The planned revisits, if the crawl makes only these."""
        return RevisitStore(self.store) if self.settings.getbool("HIDDENWEB_REVISIT") else None


def _state_folder(crawler: Crawler, settings: BaseSettings) -> Path:
    """Return the folder of the state; `scrapy crawl` of ours has put names into it before."""
    spider = crawler.spider or crawler.spidercls
    names = {"spider": getattr(spider, "name", ""), "job": str(getattr(spider, "_job", ""))}
    try:
        return Path(name_state_folder(str(settings["HIDDENWEB_STATE"]), names)).resolve()
    except ValueError as error:
        raise ValueError(f"HIDDENWEB_STATE: {error}") from None
