"""Installing our parts in the settings of a crawl, when all that its user said is known.

For a spider of ours all parts of its journey are installed. They stand beside what the user put into the same settings, and those that keep a
crawl polite, safe and whole stay whatever the user put there. Settings of Scrapy that mean something else to our spiders are translated, or
answered with a warning (`hiddenweb.scrapy_settings`).

For any other spider nothing changes, unless a setting asks for a part of ours (HIDDENWEB_ADDON_...).
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

from hiddenweb.config import problems_with_settings
from hiddenweb.extensions.contact import ContactAddon
from hiddenweb.extensions.offline_check import is_checking, keep_offline, offer_saved_pages
from hiddenweb.journey import FIXED, OPTIONAL_PARTS, add_defaults, journey_of, read_parts
from hiddenweb.scrapy_settings import list_warnings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings, Settings

    from hiddenweb.journey import Journey

logger = logging.getLogger(__name__)

SWITCHES = (
    "HIDDENWEB_ADDON_FORMS",
    "HIDDENWEB_ADDON_QUERY",
    "HIDDENWEB_ADDON_CHANGES",
    "HIDDENWEB_ADDON_INDEX",
)
"""What a spider that is not ours may ask for."""

CONTRACTS: Mapping[str, int] = {
    "hiddenweb.contracts.PageContract": 10,
    "hiddenweb.contracts.LinksContract": 20,
    "hiddenweb.contracts.FormsContract": 20,
    "hiddenweb.contracts.SubmitsContract": 20,
    "hiddenweb.contracts.RecordsContract": 20,
}
"""Contracts on saved pages, for `scrapy check`."""

MEANT = {
    "hiddenweb.middlewares.robots.RobotsMiddleware": "robots.txt is always obeyed",
    "hiddenweb.middlewares.form_session.FormSessionMiddleware": "HIDDENWEB_SUBMIT says whether forms are submitted",
    "hiddenweb.middlewares.form_submission.FormSubmissionMiddleware": "HIDDENWEB_SUBMIT says whether forms are submitted",
    "hiddenweb.middlewares.ledger.LedgerMiddleware": "HIDDENWEB_ALLOW_POST says who may be sent a POST",
    "hiddenweb.pipelines.extraction.ExtractionPipeline": "HIDDENWEB_AUTOMATIC_EXTRACTORS says what is extracted by itself",
    "hiddenweb.pipelines.search_index.SearchIndexPipeline": "HIDDENWEB_INDEX says whether an index is written",
    "http": "HIDDENWEB_ALLOW_ADDRESSES, HIDDENWEB_PROXY and HIDDENWEB_CA_FILE say how sites are reached",
    "https": "HIDDENWEB_ALLOW_ADDRESSES, HIDDENWEB_PROXY and HIDDENWEB_CA_FILE say how sites are reached",
}
"""What a user may want who replaces a part, or switches it off, and which setting of ours does it."""


class HiddenwebAddon:
    """Gives our spiders their journey, and other spiders what they ask for."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def update_pre_crawler_settings(cls, settings: BaseSettings) -> None:
        """Add what commands read that have no crawler: our defaults, and our contracts."""
        add_defaults(settings)
        contracts = {**CONTRACTS, **read_parts(settings, "SPIDER_CONTRACTS")}
        settings.set("SPIDER_CONTRACTS", contracts, priority=settings.getpriority("SPIDER_CONTRACTS") or 0)

    def update_settings(self, settings: Settings) -> None:
        """Install what the spider of the crawl needs."""
        add_defaults(settings)
        journey = journey_of(self._crawler.spidercls)
        if journey is None:
            if is_checking():
                offer_saved_pages(settings)
            elif not is_looking(self._crawler) and any(settings.getbool(name) for name in SWITCHES):
                accompany_spider(settings)
            return
        if is_checking():
            settings.setdict(FIXED, priority="cmdline")
            keep_offline(settings)
            return
        ContactAddon.from_crawler(self._crawler).update_settings(settings)
        name = self._crawler.spidercls.name
        for warning in (*list_warnings(settings), *install_journey(settings, journey)):
            logger.warning("%s: %s", name, warning)


def is_looking(crawler: Crawler) -> bool:
    """Say whether a command of Scrapy looks at one page, and crawls nothing: `shell`, or `fetch`, `view` and `parse`, which replace the start of a spider."""
    is_shell = crawler.settings.getpriority("DUPEFILTER_CLASS") == SETTINGS_PRIORITIES["command"]
    return is_shell or crawler.spidercls.start.__module__.startswith("scrapy.commands.")


def install_journey(settings: BaseSettings, journey: Journey) -> list[str]:
    """Put the parts of a journey beside those of the user; return a warning for every part of ours that the user cannot have otherwise."""
    warnings = []
    for name, parts in journey.items():
        users = read_parts(settings, name)
        if name in OPTIONAL_PARTS:
            merged = {**parts, **users}
        else:
            merged = {**users, **parts}
            warnings += [
                f"{name}: {part} stays as it is; {MEANT.get(part, 'its crawl needs it')}"
                for part, place in parts.items()
                if place is not None and part in users and users[part] != place
            ]
            merged |= {part: place for part, place in users.items() if parts.get(part, place) is None}
        settings.set(name, merged, priority="cmdline")
    for name, value in FIXED.items():
        settings.set(name, value, priority="cmdline")
    return warnings


def accompany_spider(settings: BaseSettings) -> None:
    """Install the parts that work beside a spider that is not ours; raises ValueError for settings that cannot be used."""
    if problems := list(problems_with_settings(settings)):
        raise ValueError("\n".join(problems))
    submits = settings.getbool("HIDDENWEB_ADDON_QUERY")
    values: Mapping[str, Any] = {
        "HIDDENWEB_SUBMIT": submits,
        "HIDDENWEB_INDEX": settings.getbool("HIDDENWEB_ADDON_INDEX"),
        "HIDDENWEB_REVISIT": False,
        "HIDDENWEB_TOPIC": None,
        "HIDDENWEB_FORMS": None,
    }
    for name, value in values.items():
        settings.set(name, value, priority="cmdline")
    middlewares = {
        **read_parts(settings, "DOWNLOADER_MIDDLEWARES"),
        "hiddenweb.addon.intake_middleware.PageIntakeMiddleware": BEFORE_ALL,
        "hiddenweb.addon.request_middleware.OwnRequestsMiddleware": AFTER_ALL,
    }
    priority = settings.getpriority("DOWNLOADER_MIDDLEWARES") or 0
    settings.set("DOWNLOADER_MIDDLEWARES", middlewares, priority=priority)


BEFORE_ALL, AFTER_ALL = -1_000, 1_000_000
"""Places of middlewares: beside the engine, where responses are as the spider gets them, and beside the downloader."""
