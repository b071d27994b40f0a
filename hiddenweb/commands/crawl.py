"""`scrapy crawl SPIDER -a sites=...`: Scrapy's own command, with clear errors before and a clear ending after.

All that can be wrong with what was typed is found before anything is fetched, and said in one line for each problem.
How it ended is the exit code:

    0    as planned: finished, or a limit (HIDDENWEB_TIME, CLOSESPIDER_..., MEMUSAGE_LIMIT_MB) was reached
    1    failed: nothing could be read, a part could not start, or something of ours broke
    2    the command is wrong: spider, arguments, seeds, forms or settings
    3    the state folder cannot be used: in use, foreign, too new, not writable
    130  interrupted by Ctrl-C or a signal; the same command goes on
"""

from __future__ import annotations

import difflib
import logging
import math
import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from scrapy.settings import SETTINGS_PRIORITIES
from w3lib.url import file_uri_to_path

import hiddenweb.settings
from hiddenweb.commands.status import clean
from hiddenweb.download_handler import proxies_in
from hiddenweb.extensions.progress import OUTCOME
from hiddenweb.extraction.maintenance import repairs_named
from hiddenweb.fetch.address_guard import AllowList
from hiddenweb.fetch.http_client import tls_context
from hiddenweb.focused.topic import read_topic
from hiddenweb.focused.topic_crawl import engine_of, graph_of, strategy_of
from hiddenweb.frontier.scope import nofollow_policy
from hiddenweb.frontier.stopping import seconds_of
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.policies.registry import known_policy
from hiddenweb.store.chosen_forms import form_numbers
from hiddenweb.store.database import Store
from hiddenweb.store.detail_pages import policy_named
from hiddenweb.store.errors import StateError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

FAILED, WRONG, NO_STATE, INTERRUPTED = 1, 2, 3, 130
EXIT_CODES = {"finished": 0, "limit": 0, "failed": FAILED, "interrupted": INTERRUPTED}

NOT_NEGATIVE: dict[str, type[int] | type[float]] = {
    "HIDDENWEB_DELAY": float,
    "HIDDENWEB_RETRIES": int,
    "HIDDENWEB_RETRY_DELAY": float,
    "HIDDENWEB_ROBOTS_RETRY": float,
    "HIDDENWEB_MAX_HOPS": int,
    "HIDDENWEB_SITEMAP_LINKS": int,
    "HIDDENWEB_QUERIES_PER_FORM": int,
    "HIDDENWEB_PAGES_PER_ANSWER": int,
    "HIDDENWEB_LEAST_NEW": float,
    "HIDDENWEB_PROGRESS_SECONDS": float,
    "HIDDENWEB_INDEX_WAIT": float,
    "HIDDENWEB_RELEVANCE": float,
    "HIDDENWEB_SITE_DEPTH": int,
    "HIDDENWEB_PAGES_PER_DEPTH": int,
    "HIDDENWEB_FORMS_PER_DEPTH": int,
    "HIDDENWEB_BARREN_PER_DEPTH": int,
    "HIDDENWEB_BARREN_PAGES": int,
    "HIDDENWEB_FEW_SITES": int,
    "HIDDENWEB_HUB_LINKS": int,
    "HIDDENWEB_RANDOM_SEED": int,
    "HIDDENWEB_VERSIONS_PER_PAGE": int,
    "HIDDENWEB_VERSIONS_DAYS": float,
    "CLOSESPIDER_TIMEOUT": float,
    "CLOSESPIDER_PAGECOUNT": int,
    "CLOSESPIDER_ITEMCOUNT": int,
    "CLOSESPIDER_ERRORCOUNT": int,
}
POSITIVE: dict[str, type[int] | type[float]] = {
    "HIDDENWEB_REQUESTS_PER_HOST": int,
    "HIDDENWEB_OPEN_HOSTS": int,
    "HIDDENWEB_MAX_BYTES": int,
    "HIDDENWEB_MAX_HEADER_BYTES": int,
    "HIDDENWEB_PAGES_PER_SITE": int,
    "HIDDENWEB_EXPLORED_PER_SITE": int,
    "HIDDENWEB_RECORD_PAGES_PER_SITE": int,
    "HIDDENWEB_NOTHING_NEW": int,
    "HIDDENWEB_NOTHING_NEW_ALIKE": int,
    "HIDDENWEB_SITES_AT_ONCE": int,
    "HIDDENWEB_LINKS_PER_DEPTH": int,
    "HIDDENWEB_LEARN_SITES": int,
    "HIDDENWEB_LEARN_FORMS": int,
    "CONCURRENT_REQUESTS": int,
    "DOWNLOAD_TIMEOUT": float,
}
YES_OR_NO = ("HIDDENWEB_AUTOMATIC_SOURCES", "HIDDENWEB_SUBMIT", "HIDDENWEB_INDEX", "HIDDENWEB_WANDER")

NOISE = ("scrapy.addons", "scrapy.middleware", "scrapy.crawler", "scrapy.extensions", "scrapy.utils.log")
"""Loggers that list at the start of every crawl what it is made of. `-L INFO` brings them back."""


class CrawlCommand(ScrapyCrawl):
    """Runs a spider."""

    def long_desc(self) -> str:
        return (
            "Run a spider of this project. explore takes -a sites=ADDRESSES or FILE and reads all pages that links reach; locate takes"
            " -a topic=NAME and goes from site to site; harvest asks search forms: -a sites=... explores and asks, -a forms=12,15"
            " asks forms that scrapy forms shows and explores nothing, -a topic=NAME alone asks all known forms on a topic."
            " Budgets: -a queries=NUMBER for a form (harvest), -a pages=NUMBER for a site, -a time=30m for the crawl."
            " The same command goes on where it was stopped. Exit codes: 0 ended as planned,"
            " 1 failed, 2 wrong command, 3 the state cannot be used, 130 interrupted."
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        name = self._spider_named(args)
        try:
            crawler = self._checked(name, opts.spargs)
        except _GivenUp as given_up:
            for problem in given_up.problems:
                print(f"scrapy crawl: {clean(problem, longest=2000)}", file=sys.stderr)
            self.exitcode = given_up.code
            return
        if opts.loglevel is None:
            _hush(NOISE)
        process = self.crawler_process
        assert process is not None
        process.crawl(crawler, **opts.spargs)
        process.start()
        self.exitcode = exit_code(crawler, bootstrap_failed=process.bootstrap_failed)
        if self.exitcode == INTERRUPTED and crawler.stats.get_value(OUTCOME) is None:
            print("Ended by force: what was stored is kept, the same command goes on.", file=sys.stderr)

    def _spider_named(self, args: list[str]) -> str:
        if not args:
            raise UsageError
        strange = args[1:] if not args[0].startswith("-") else args
        if strange:
            raise UsageError(
                f"what is {' '.join(strange)!r}? A crawl takes one spider, and sites as -a sites=URL",
                print_help=False,
            )
        return args[0]

    def _checked(self, name: str, arguments: dict[str, str]) -> Crawler:
        """Return the crawler, or say what is wrong."""
        assert self.crawler_process is not None
        spiders = self.crawler_process.spider_loader.list()
        if name not in spiders:
            raise _GivenUp(WRONG, [_unknown("spider", name, spiders)])
        crawler = self._create_crawler(name)
        if problems := [
            *problems_with_settings(crawler.settings),
            *_problems_with_arguments(crawler, arguments),
        ]:
            raise _GivenUp(WRONG, problems)
        try:
            if check := getattr(crawler.spidercls, "check_state", None):
                check(crawler.settings, **arguments)
            Store(Path(crawler.settings["HIDDENWEB_STATE"])).close()
        except ValueError as error:
            raise _GivenUp(WRONG, str(error).splitlines()) from error
        except StateError as error:
            raise _GivenUp(NO_STATE, [str(error)]) from error
        return crawler


class _GivenUp(Exception):
    def __init__(self, code: int, problems: list[str]) -> None:
        super().__init__(*problems)
        self.code = code
        self.problems = problems


def exit_code(crawler: Crawler, *, bootstrap_failed: bool) -> int:
    """Return the exit code that says how a crawl ended."""
    if bootstrap_failed:
        return FAILED
    outcome = crawler.stats.get_value(OUTCOME)
    if outcome is None:  # ended by force: nobody could say how
        return INTERRUPTED
    return EXIT_CODES[outcome]


def problems_with_settings(settings: BaseSettings) -> Iterator[str]:
    """Yield a line for every setting that cannot be meant so."""
    yield from _unknown_settings(settings)
    for name, kind in NOT_NEGATIVE.items():
        yield from _problem_with_number(settings, name, kind, 0)
    for name, kind in POSITIVE.items():
        yield from _problem_with_number(settings, name, kind, None)
    for name in YES_OR_NO:
        yield from _refusals(name, lambda name=name: settings.getbool(name))  # type: ignore[misc]
    yield from _refusals(
        "HIDDENWEB_ALLOW_ADDRESSES", lambda: AllowList.parse(settings.getlist("HIDDENWEB_ALLOW_ADDRESSES"))
    )
    yield from _refusals("HIDDENWEB_PROXY", lambda: proxies_in(settings))
    if ca_file := settings.get("HIDDENWEB_CA_FILE"):
        yield from _refusals("HIDDENWEB_CA_FILE", lambda: tls_context(ca_file))
    if values_file := settings.get("HIDDENWEB_VALUES"):
        yield from _refusals(
            "HIDDENWEB_VALUES",
            lambda: LabelledValueSet(datetime.now(UTC).date()).load_user_file(Path(values_file)),
        )
    if settings.get("HIDDENWEB_SITE_ALPHA") is not None:
        yield from _refusals("HIDDENWEB_SITE_ALPHA", lambda: _share(settings.get("HIDDENWEB_SITE_ALPHA")))
    yield from _refusals("HIDDENWEB_POLICY", lambda: known_policy(settings["HIDDENWEB_POLICY"]))
    yield from _refusals(
        "HIDDENWEB_NOFOLLOW", lambda: nofollow_policy(str(settings.get("HIDDENWEB_NOFOLLOW")))
    )
    yield from _refusals("HIDDENWEB_DETAILS", lambda: policy_named(str(settings.get("HIDDENWEB_DETAILS"))))
    yield from _refusals("HIDDENWEB_REPAIR", lambda: repairs_named(str(settings.get("HIDDENWEB_REPAIR"))))
    yield from _refusals("HIDDENWEB_STRATEGY", lambda: strategy_of(settings))
    yield from _refusals("HIDDENWEB_HOST_GRAPH", lambda: graph_of(settings, Random(0)))
    yield from _refusals("HIDDENWEB_SEARCH_ENGINE", lambda: engine_of(settings))
    if most_time := settings.get("HIDDENWEB_TIME"):
        yield from _refusals("HIDDENWEB_TIME", lambda: seconds_of(str(most_time)))
    if forms := settings.get("HIDDENWEB_FORMS"):
        yield from _refusals("HIDDENWEB_FORMS", lambda: form_numbers(forms))
    if topic := settings.get("HIDDENWEB_TOPIC"):
        yield from _refusals("HIDDENWEB_TOPIC", lambda: read_topic(topic))
    yield from _problems_with_feeds(settings)
    contact = settings.get("HIDDENWEB_CONTACT") or ""
    if not (contact.isascii() and contact.isprintable()):
        yield f"HIDDENWEB_CONTACT: {contact!r} cannot be sent; wanted one line in ASCII"
    if not settings.get("HIDDENWEB_STATE"):
        yield "HIDDENWEB_STATE: is empty; wanted a folder"


def _problems_with_feeds(settings: BaseSettings) -> Iterator[str]:
    storages = settings.getwithbase("FEED_STORAGES")
    for place in map(str, settings.getdict("FEEDS")):
        yield from _refusals(place, lambda place=place: _check_feed(place, storages))  # type: ignore[misc]


def _check_feed(place: str, storages: Mapping[str, str | None]) -> None:
    """Raise ValueError if nothing can be written there: Scrapy says so only when the first record comes, and goes on."""
    scheme = urlsplit(place).scheme
    if not storages.get(scheme):
        raise ValueError(f"feeds cannot be written to {scheme}:")
    if scheme not in ("", "file"):
        return
    path = Path(file_uri_to_path(place) if scheme else place).absolute()
    if path.is_dir():
        raise ValueError("is a folder; wanted a file for the feed")
    above = next(folder for folder in path.parents if folder.exists())
    if not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
        raise ValueError("a feed cannot be written there")


def _unknown_settings(settings: BaseSettings) -> Iterator[str]:
    known = [name for name in vars(hiddenweb.settings) if name.startswith("HIDDENWEB_")]
    for name in sorted(settings):
        given = (settings.getpriority(name) or 0) > SETTINGS_PRIORITIES["project"]
        if name.startswith("HIDDENWEB_") and given and name not in known:
            yield _unknown("setting", name, known)


def _problem_with_number(
    settings: BaseSettings, name: str, kind: type[int] | type[float], least: int | None
) -> Iterator[str]:
    value = settings.get(name)
    if value is None:
        return
    wanted = ("a whole number" if kind is int else "a number") + (
        " above 0" if least is None else ", 0 or more"
    )
    try:
        number = kind(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and (number > 0 if least is None else number >= least)):
        yield f"{name}: {value!r} cannot be used; wanted {wanted}"


def _share(value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = math.nan
    if not 0 <= number <= 1:
        raise ValueError(f"{value!r} cannot be used; wanted a number from 0 to 1")
    return number


def _refusals(name: str, read: Callable[[], object]) -> Iterator[str]:
    try:
        read()
    except (ValueError, OSError) as error:
        yield f"{name}: {error}"


def _problems_with_arguments(crawler: Crawler, arguments: dict[str, str]) -> list[str]:
    check = getattr(crawler.spidercls, "check_arguments", None)
    try:
        if check is not None:
            check(**arguments)
    except (TypeError, ValueError) as error:  # TypeError: -a cls=...
        return str(error).splitlines()
    return []


def _unknown(what: str, name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, 1)
    if near:
        return f"there is no {what} {name!r}; do you mean {near[0]}?"
    return f"there is no {what} {name!r}" + (
        f"; there are {', '.join(sorted(known))}" if what == "spider" else ""
    )


def _hush(loggers: tuple[str, ...]) -> None:
    for name in loggers:
        logging.getLogger(name).addFilter(_is_important)


def _is_important(record: logging.LogRecord) -> bool:
    """Let through what is more than a list of parts: warnings, and that a signal came."""
    return record.levelno > logging.INFO or record.getMessage().startswith("Received")
