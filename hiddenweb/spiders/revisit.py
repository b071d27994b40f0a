"""`scrapy crawl revisit`: fetches pages again where a change is likely, and reports what changed.

Revisits are planned before the first one, by how often similar pages changed and what sitemaps say, within a budget (`hiddenweb.revisit.planner`).
A crawl that was killed resumes its plan.
"""

from __future__ import annotations

import logging
import os
import re
import time
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.focused.locating.seeds import read_seeds
from hiddenweb.frontier.stopping import parse_seconds
from hiddenweb.journey import REVISITING
from hiddenweb.notify.rules import read_rule_file
from hiddenweb.revisit.change_rate import RateBeliefs
from hiddenweb.revisit.planner import PageStatistics, RevisitPlanner, sitemap_claims
from hiddenweb.spiders.explore import BadArguments, ExploreSpider
from hiddenweb.spiders.sitemaps import SitemapReader
from hiddenweb.store.database import Store
from hiddenweb.store.revisit_plan import DueRevisit, StoredPlan, odds_of
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.store.sitemaps import SitemapStore
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Sequence
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from hiddenweb.revisit.change_rate import Floats
    from hiddenweb.revisit.planner import RevisitPlan
    from hiddenweb.store.revisit_plan import RevisitPage
    from hiddenweb.store.sitemaps import SitemapHost

logger = logging.getLogger(__name__)

BUDGET = 1_000
"""Requests, if no budget is named. A limit of taste."""

DAY = 86_400.0
"""Seconds of a day, for budgets of a day."""

SITEMAP_SHARE = 0.2
"""Of a budget, the most that is spent on sitemaps. A limit of taste."""

SITEMAP_SECONDS = 300.0
"""For which a crawl fetches sitemaps at most, and no longer than a tenth of its time. A limit of taste."""

_NOTHING = "revisit: no page {}was read yet; scrapy crawl explore -a sites=URL reads some"


@dataclass(frozen=True, slots=True)
class RevisitBudget:
    """How many requests may be made: by one crawl, or in any 24 hours by all."""

    requests: int = BUDGET
    by_day: bool = False

    @classmethod
    def parse(cls, argument: str) -> Self:
        """Read a budget, or raise BadArguments."""
        if not argument:
            return cls()
        found = _BUDGET.fullmatch(argument.strip())
        if found is None or not int(found[1]):
            raise BadArguments(
                f"budget: {argument[:100]!r} is not a number of requests, such as 500, or 500/day for all crawls of a day"
            )
        return cls(int(found[1]), bool(found[2]))

    def __str__(self) -> str:
        """Write it as it is given: it is stored with the plan that was made for it."""
        return f"{self.requests}/day" if self.by_day else str(self.requests)

    def remaining(self, spent: int) -> int:
        """Return how many requests are left, if so many were made in the last 24 hours."""
        return max(0, self.requests - spent) if self.by_day else self.requests

    @property
    def per_second(self) -> float | None:
        """Requests per second in the long run; None for the budget of one crawl."""
        return self.requests / DAY if self.by_day else None


class RevisitSpider(ExploreSpider):
    """Revisits pages that were read before, and answers of forms."""

    name = "revisit"
    usage = (
        "-a budget=REQUESTS (1000) or REQUESTS/day, -a sites=ADDRESSES or FILE if only some sites are wanted,"
        " and -a time=30m for the crawl;"
        " -a include=PATTERNS and -a exclude=PATTERNS choose addresses"
    )
    budgets: Collection[str] = ("time",)
    custom_settings = {"HIDDENWEB_REVISIT": True}  # noqa: RUF012  Scrapy declares it so
    journey = REVISITING

    def __init__(self, sites: str = "", budget: str = "", **others: Any) -> None:
        self.budget = RevisitBudget.parse(budget)
        super().__init__(sites=sites, **(others | ({"budget": budget} if budget else {})))

    @classmethod
    def check_arguments(
        cls, sites: str = "", topic: str = "", budget: str = "", **others: Any
    ) -> Sequence[str]:
        cls.check_other_arguments(others | ({"topic": topic} if topic else {}))
        RevisitBudget.parse(budget)
        return read_seeds(sites) if sites else ()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        if os.environ.get("SCRAPY_CHECK") == "true":  # contracts have saved pages
            return spider
        with Store(Path(crawler.settings["HIDDENWEB_STATE"]), write=False) as state:
            _check_any_page(RevisitStore(state), spider.domains)
        return spider

    @classmethod
    def check_state(cls, settings: BaseSettings, sites: str = "", **_: Any) -> None:
        """Raise StateError if there is no state, BadArguments if nothing was read yet, BadRuleFile for unusable rules."""
        if rules := settings.get("HIDDENWEB_NOTIFY"):
            read_rule_file(Path(rules))
        with Store(Path(settings["HIDDENWEB_STATE"]), write=False) as state:
            _check_any_page(
                RevisitStore(state), {registered_domain(url) for url in read_seeds(sites)} if sites else ()
            )

    @property
    def domains(self) -> set[str]:
        """The sites to revisit; empty: all."""
        return {registered_domain(url) for url in self.seeds}

    async def start(self) -> AsyncIterator[Request]:
        """Read sitemaps and plan the revisits; their requests come from the frontier."""
        context = CrawlContext.open(self.crawler)
        await self._plan(context.store, context.settings)
        nothing: tuple[Request, ...] = ()
        for request in nothing:
            yield request

    async def _plan(self, state: Store, settings: BaseSettings) -> None:
        """Plan which pages are revisited, or resume an earlier plan that was not finished."""
        revisits = RevisitStore(state)
        left = self.budget.remaining(revisits.plan.count_requests_of_day(time.time()))
        plan, arguments = revisits.plan.load(), f"{self.budget} {sorted(self.domains)}"
        if plan is not None and plan.wanted != arguments and (dropped := revisits.plan.clear()):
            logger.info("%s revisits are dropped that were planned for other arguments", f"{dropped:,}")
        if waiting := revisits.plan.count():
            logger.info("Resuming %s revisits that were planned before", f"{waiting:,}")
            if self.budget.by_day and (too_many := revisits.plan.shorten(left)):
                logger.info("%s of them are left out: the budget of the day is spent", f"{too_many:,}")
            further_pages = revisits.plan.count_further_pages()
            room = max(0, left - revisits.plan.count())
            revisits.plan.reserve_requests(min(further_pages, room) if self.budget.by_day else further_pages)
        elif left:
            most_time = settings.get("HIDDENWEB_TIME_LIMIT")
            seconds = parse_seconds(str(most_time)) if most_time else DAY
            reader = SitemapReader(
                self.crawler,
                state,
                until=time.time() + min(SITEMAP_SECONDS, seconds / 10),
                most=ceil(left * SITEMAP_SHARE) if left > 1 else 0,
            )
            await reader.read(self.domains)
            if reader.is_closing:
                return
            plan_revisits(
                state, left - reader.requests, self.domains, settings, time.time(),
                seconds=seconds, per_second=self.budget.per_second, arguments=arguments,
            )  # fmt: skip
        revisits.resume(time.time())
        state.commit()
        self._count(revisits, left)

    def _count(self, revisits: RevisitStore, left: int) -> None:
        assert self.crawler.stats is not None
        count = self.crawler.stats.set_value
        waiting, plan = revisits.plan.count(), revisits.plan.load()
        count("hiddenweb/revisits/planned", waiting)
        if self.budget.by_day:
            count("hiddenweb/revisits/budget_left", left)
        if plan is not None and waiting:
            count("hiddenweb/revisits/fresh_before", round(plan.fresh_before, 4))
            count("hiddenweb/revisits/fresh_after", round(plan.fresh_after, 4))


def _check_any_page(revisits: RevisitStore, domains: Collection[str]) -> None:
    """Raise BadArguments if nothing was read yet of the named sites."""
    if not any(True for _ in revisits.plan.load_pages(domains, limit=1)):
        where = f"of {', '.join(sorted(domains))} " if domains else ""
        raise BadArguments(_NOTHING.format(where))


def plan_revisits(
    state: Store,
    budget: int,
    domains: Collection[str],
    settings: BaseSettings,
    now: float,
    *,
    seconds: float = DAY,
    per_second: float | None = None,
    arguments: str = "",
) -> RevisitPlan:
    """Plan which pages are revisited, with a budget of requests."""
    revisits, sitemaps = RevisitStore(state), SitemapStore(state)
    stored, hosts = list(revisits.plan.load_pages(domains)), sitemaps.load_hosts(domains)
    place = {host.number: at for at, host in enumerate(hosts)}
    last_revisit = np.array([page.last_revisit for page in stored])
    pages = PageStatistics(
        hosts=np.array([place[page.host] for page in stored], np.int64),
        last_revisit=last_revisit,
        weights=np.ones(len(stored)),
        claims=sitemap_claims(
            _numbers([page.modified for page in stored]), _numbers([page.dated for page in stored]), last_revisit, now
        ),
    )  # fmt: skip
    planner = RevisitPlanner(
        pages,
        _beliefs(stored),
        _delays(hosts, settings),
        sitemaps.load_trust([host.number for host in hosts]),
    )
    plan = planner.plan(now, seconds, budget, per_second)
    chosen, left_out = choose_revisits(plan, stored, budget)
    revisits.plan.add(
        (
            DueRevisit(
                stored[plan.pages[at]].link, stored[plan.pages[at]].host, now + float(plan.not_before[at]),
                float(plan.changed[at]), float(plan.gains[at]), int(pages.claims[plan.pages[at]]),
            )
            for at in chosen
        ),
        StoredPlan(
            len(chosen), len(stored), plan.fresh_before, plan.fresh_after - float(np.delete(plan.gains, chosen).sum()),
            wanted=arguments, further=budget - len(chosen),
        ),
    )  # fmt: skip
    logger.info(
        "%s of %s pages are revisited: about %.0f %% of all are as they were read, %.0f %% will be",
        f"{len(chosen):,}",
        f"{len(stored):,}",
        100 * plan.fresh_before,
        100 * plan.fresh_after,
    )
    if left_out:
        logger.info(
            "%s are left out that have more pages than the budget has requests left; the longest has %s",
            f"{len(left_out):,} {'answer' if len(left_out) == 1 else 'answers'}",
            f"{max(stored[plan.pages[at]].requests for at in left_out):,}",
        )
    if dated := int((pages.claims != 0).sum()):
        newer = int((pages.claims > 0).sum())
        logger.info("Sitemaps say that %s of %s pages changed", f"{newer:,}", f"{dated:,}")
    return plan


def choose_revisits(
    plan: RevisitPlan, pages: Sequence[RevisitPage], budget: int
) -> tuple[list[int], list[int]]:
    """Return which revisits of a plan the budget pays for, and which answers have too many pages for it, as places in the plan.

    A revisit of an answer takes a request for each of its pages. What is left after all that fit goes to the best answer that does not fit:
    it is revisited in part.
    """
    chosen, too_long, left = [], [], budget
    for at, page in enumerate(plan.pages.tolist()):
        if pages[page].requests <= left:
            chosen.append(at)
            left -= pages[page].requests
        elif pages[page].requests > 1:
            too_long.append(at)
    if left and too_long:
        chosen.append(too_long.pop(0))
    return chosen, too_long


def _beliefs(pages: Sequence[RevisitPage]) -> RateBeliefs:
    sites = {site: at for at, site in enumerate(dict.fromkeys(page.site for page in pages))}
    kinds = {"page": 0, "record": 1, "answer": 2}
    return RateBeliefs(
        odds_of(pages),
        np.array([sites[page.site] for page in pages], np.int64),
        np.array([kinds[page.kind] for page in pages], np.int64),
    )


def _delays(hosts: Sequence[SitemapHost], settings: BaseSettings) -> Floats:
    """Return the seconds between two requests to each host: ours, or those of its robots.txt."""
    ours, agent = max(settings.getfloat("HIDDENWEB_DELAY"), 1e-3), settings["USER_AGENT"]
    delays = []
    for host in hosts:
        robots = host.robots or ""
        crawl_delay = RobotsRules.from_json(robots).crawl_delay(agent) if _SLOWER.search(robots) else None
        delays.append(max(ours, crawl_delay or 0.0))
    return np.array(delays)


def _numbers(values: Sequence[float | None]) -> Floats:
    return np.array([np.nan if value is None else value for value in values])


_BUDGET = re.compile(r"([0-9]{1,15})(/day)?")
_SLOWER = re.compile(r"(?i)crawl-delay|request-rate")
