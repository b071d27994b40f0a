"""Saying what it will cost to query the forms that a dry run has found."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hiddenweb.actions.terminal import say_lines
from hiddenweb.reports.estimate import CrawlLimits, SiteEstimate, estimate_lines, estimate_sites
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scrapy.settings import BaseSettings


def say_estimate(settings: BaseSettings, budgets: Mapping[str, str]) -> Sequence[SiteEstimate]:
    """Print what it will cost, and return it; budgets are the arguments of the spider, which replace settings."""
    with Store(Path(settings["HIDDENWEB_STATE"]), write=False) as state:
        sites = estimate_sites(state, read_limits(settings, budgets))
    say_lines(estimate_lines(sites), otherwise="No site was read.")
    return sites


def read_limits(settings: BaseSettings, budgets: Mapping[str, str]) -> CrawlLimits:
    """Return what a crawl with these settings may spend."""
    return CrawlLimits(
        queries=int(budgets.get("queries") or settings.getint("HIDDENWEB_QUERIES_PER_FORM")),
        pages=int(budgets.get("pages") or settings.getint("HIDDENWEB_PAGES_PER_SITE")),
        delay=settings.getfloat("HIDDENWEB_DELAY"),
        agent=settings["USER_AGENT"],
        detail_pages=settings["HIDDENWEB_DETAIL_PAGES"],
    )
