"""`scrapy crawl SPIDER -a sites=...`: Scrapy's own command, with clear errors before and a clear ending after.

`scrapy crawl harvest -a sites=... -a dry_run=1` looks at the sites, submits nothing, and prints what it will cost to query their forms.

All problems with the command line are found before anything is fetched, and reported in one line each.
The exit code says how the crawl ended:

    0    as planned: finished, or a limit (HIDDENWEB_TIME_LIMIT, CLOSESPIDER_..., MEMUSAGE_LIMIT_MB) was reached
    1    failed: nothing could be read, a part could not start, or something of ours broke
    2    the command is wrong: spider, arguments, seeds, forms or settings
    3    the state folder cannot be used: in use, foreign, too new, not writable
    130  interrupted by Ctrl-C or a signal; the same command resumes it
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.commands.crawl import Command as ScrapyCrawl
from scrapy.exceptions import UsageError
from w3lib.url import file_uri_to_path

from hiddenweb.config import name_state_folder, no_such_thing, problems_with_settings
from hiddenweb.journey import CHOSEN, journey_of
from hiddenweb.reports.printable import clean_text
from hiddenweb.spider_loader import OUR_SPIDERS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Mapping, Sequence

    from scrapy.crawler import Crawler, CrawlerProcessBase
    from scrapy.settings import BaseSettings

    from hiddenweb.actions.interrupts import Interrupts
    from hiddenweb.store.database import Store

logger = logging.getLogger(__name__)

FAILED, WRONG, NO_STATE, INTERRUPTED = 1, 2, 3, 130
EXIT_CODES = {"finished": 0, "limit": 0, "failed": FAILED, "interrupted": INTERRUPTED}
"""The exit code for each way a crawl ends."""

NOISE = ("scrapy.addons", "scrapy.middleware", "scrapy.crawler", "scrapy.extensions", "scrapy.utils.log")
"""Loggers that list the parts of a crawl at its start. `-L INFO` shows them again."""


class CrawlCommand(ScrapyCrawl):
    """Runs a spider."""

    def long_desc(self) -> str:
        return (
            "Run a spider of this project. explore takes -a sites=ADDRESSES or FILE and reads all pages that links reach; locate takes"
            " -a topic=NAME and goes from site to site; harvest submits search forms: -a sites=... explores and submits, -a forms=12,15"
            " submits forms that scrapy forms shows and explores nothing, -a topic=NAME alone submits all known forms on a topic."
            " Budgets: -a queries=NUMBER for a form (harvest), -a pages=NUMBER for a site, -a time=30m for the crawl."
            " The same command resumes it where it was stopped. Exit codes: 0 ended as planned,"
            " 1 failed, 2 wrong command, 3 the state cannot be used, 130 interrupted."
        )

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        from hiddenweb.actions.interrupts import Interrupts

        super().process_options(args, opts)
        assert self.settings is not None
        if args and args[0] in OUR_SPIDERS:  # what is logged before the spider is loaded
            self.settings.setdict({"LOG_LEVEL": CHOSEN["LOG_LEVEL"], "LOG_VERSIONS": []}, priority="addon")
        self._interrupts = Interrupts()
        self._interrupts.catch()  # the reactor and the parts of a crawl are imported from now on

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        name = self._spider_name(args)
        try:
            with self._interrupts:
                assert self.crawler_process is not None
                crawler = make_crawler(self.crawler_process, name, opts.spargs)
                if self._interrupts.count:
                    print("Interrupted before the crawl began: nothing was requested.", file=sys.stderr)
                    self.exitcode = INTERRUPTED
                    return
                if journey_of(crawler.spidercls) is not None:
                    self._run_crawl(crawler, opts, self._interrupts)
                    return
            self._run_as_scrapy(crawler, opts)
        except KeyboardInterrupt:
            self.exitcode = INTERRUPTED
        except RefusedCommand as refusal:
            for problem in refusal.problems:
                _report(f"scrapy crawl: {clean_text(problem, longest=LONGEST_LINE)}")
            self.exitcode = refusal.code

    def _run_crawl(self, crawler: Crawler, opts: argparse.Namespace, interrupts: Interrupts) -> None:
        process = self.crawler_process
        assert process is not None
        if opts.loglevel is None:
            quieten(NOISE)
        process.crawl(crawler, **opts.spargs)
        interrupts.watch(process, crawler)
        process.start(install_signal_handlers=False)  # Interrupts does it
        outcome = outcome_of(crawler)
        if outcome == "finished":
            self._estimate(crawler)
        self.exitcode = exit_code(outcome, bootstrap_failed=process.bootstrap_failed)
        if self.exitcode == INTERRUPTED and outcome is None:
            print("Ended by force: what was stored is kept, the same command resumes it.", file=sys.stderr)

    def _run_as_scrapy(self, crawler: Crawler, opts: argparse.Namespace) -> None:
        """Run a spider that is not ours."""
        process = self.crawler_process
        assert process is not None
        crawler.signals.connect(self._warn_if_feeds_unused, signal=signals.engine_started)  # as Scrapy does
        process.crawl(crawler, **opts.spargs)
        process.start()
        self.exitcode = int(process.bootstrap_failed)

    def _estimate(self, crawler: Crawler) -> None:
        """After a dry run, say what it will cost to query the forms."""
        from hiddenweb.crawl_context import read_settings

        if read_settings(crawler).getbool("HIDDENWEB_DRY_RUN"):
            from hiddenweb.actions.estimate import say_estimate

            say_estimate(crawler.settings, getattr(crawler.spider, "budget_values", {}))

    def _spider_name(self, args: list[str]) -> str:
        if not args:
            raise UsageError
        unexpected = args[1:] if not args[0].startswith("-") else args
        if unexpected:
            raise UsageError(
                f"what is {' '.join(unexpected)!r}? A crawl takes one spider, and sites as -a sites=URL",
                print_help=False,
            )
        return args[0]


LONGEST_LINE = 2_000
"""Characters of a message. A limit of taste."""


class RefusedCommand(Exception):
    """A command line that cannot be obeyed, with its exit code and all problems."""

    def __init__(self, code: int, problems: list[str]) -> None:
        super().__init__(*problems)
        self.code = code
        self.problems = problems


def make_crawler(process: CrawlerProcessBase, name: str, arguments: dict[str, str]) -> Crawler:
    """Return the crawler of a command line; raises RefusedCommand with all problems. Those of a spider that is not ours are Scrapy's."""
    from hiddenweb.store.errors import StateError

    spiders = process.spider_loader.list()
    if name not in spiders:
        raise RefusedCommand(WRONG, [_no_such_spider(name, spiders)])
    crawler = process.create_crawler(name)
    if journey_of(crawler.spidercls) is None:
        return crawler
    if problems := [
        *problems_with_settings(crawler.settings),
        *problems_with_feeds(crawler.settings),
        *_problems_with_arguments(crawler, arguments),
        *_problems_with_state(crawler.settings, {"spider": name, "job": arguments.get("_job", "")}),
    ]:
        raise RefusedCommand(WRONG, _each_once(problems))
    try:
        if check := getattr(crawler.spidercls, "check_state", None):
            check(crawler.settings, **arguments)
        _hold_state(crawler)
    except ValueError as error:
        raise RefusedCommand(WRONG, str(error).splitlines()) from error
    except StateError as error:
        raise RefusedCommand(NO_STATE, [str(error)]) from error
    except KeyboardInterrupt:
        raise RefusedCommand(INTERRUPTED, ["interrupted before it began: nothing was requested"]) from None
    return crawler


def exit_code(outcome: str | None, *, bootstrap_failed: bool) -> int:
    """Return the exit code of a crawl."""
    if bootstrap_failed:
        return FAILED
    if outcome is None:  # ended by force, without a summary
        return INTERRUPTED
    return EXIT_CODES[outcome]


def outcome_of(crawler: Crawler) -> str | None:
    """Return how a crawl ended, in one word; None if it was ended by force."""
    from hiddenweb.extensions.crawl_summary import OUTCOME

    assert crawler.stats is not None
    outcome: str | None = crawler.stats.get_value(OUTCOME)
    return outcome


def _report(line: str, level: int = logging.ERROR) -> None:
    """Print a line, and log it where the log is elsewhere: jobs of Scrapyd have a file."""
    from hiddenweb.extensions.live_lines import is_log_on_stderr

    if not is_log_on_stderr():
        logger.log(level, line)
    print(line, file=sys.stderr, flush=True)


def _each_once(problems: Sequence[str]) -> list[str]:
    """Return the problems without those that another one repeats under the name of its setting."""
    return [each for each in problems if not any(other.endswith(f": {each}") for other in problems)]


def _problems_with_state(settings: BaseSettings, names: Mapping[str, str]) -> list[str]:
    """Put the names of spider and job into the folder of the state."""
    try:
        folder = name_state_folder(str(settings["HIDDENWEB_STATE"]), names)
    except ValueError as error:
        return [f"HIDDENWEB_STATE: {error}"]
    priority = settings.getpriority("HIDDENWEB_STATE") or 0
    settings.set("HIDDENWEB_STATE", folder, priority=priority + 1)  # a process sets its own once more
    return []


def _hold_state(crawler: Crawler) -> None:
    """Open the state for this crawl, after others if it may wait; raises StateError."""
    from hiddenweb.crawl_context import CrawlContext
    from hiddenweb.store.database import Store
    from hiddenweb.store.errors import StateInUse

    folder = Path(crawler.settings["HIDDENWEB_STATE"]).resolve()
    seconds = crawler.settings.getfloat("HIDDENWEB_STATE_WAIT")
    try:
        store = Store(folder)
    except StateInUse:
        if not seconds:
            raise
        with _interruptible():
            _report(
                f"{folder}: another crawl is using this state; waiting {seconds:g} s at most", logging.INFO
            )
            store = _wait_for_state(folder, time.monotonic() + seconds)
    CrawlContext.hold(crawler, store)


def _wait_for_state(folder: Path, until: float) -> Store:
    from hiddenweb.store.database import Store
    from hiddenweb.store.errors import StateInUse

    while True:
        time.sleep(STATE_LOOK)
        try:
            return Store(folder)
        except StateInUse:
            if time.monotonic() >= until:
                raise


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let the first signal end what has not begun yet."""
    handled = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, signal.default_int_handler) for number in handled}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


STATE_LOOK = 0.5
"""Seconds between two looks whether a state is free: a limit of taste."""


def problems_with_feeds(settings: BaseSettings) -> Iterator[str]:
    """Yield a line for every feed that cannot be written."""
    storages = settings.getwithbase("FEED_STORAGES")
    for place in map(str, settings.getdict("FEEDS")):
        try:
            _check_feed(place, storages)
        except (ValueError, OSError) as error:
            yield f"{place}: {error}"


def _check_feed(place: str, storages: Mapping[str, str | None]) -> None:
    """Raise ValueError if a feed cannot be written: Scrapy reports this only at the first record, and continues."""
    scheme = urlsplit(place).scheme
    if not storages.get(scheme):
        raise ValueError(f"feeds cannot be written to {scheme}:")
    if scheme not in ("", "file"):
        return
    path = Path(file_uri_to_path(place) if scheme else place).absolute()
    if path.is_dir():
        raise ValueError("is a folder; wanted a file for the feed")
    parent = next(folder for folder in path.parents if folder.exists())
    if not (parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)):
        raise ValueError("a feed cannot be written there")


def _problems_with_arguments(crawler: Crawler, arguments: dict[str, str]) -> list[str]:
    check = getattr(crawler.spidercls, "check_arguments", None)
    check_seeds = getattr(crawler.spidercls, "check_seeds", None)
    try:
        if check is not None:
            seeds = check(**arguments)
            if check_seeds is not None:
                check_seeds(crawler.settings, seeds, arguments)
    except (TypeError, ValueError) as error:  # TypeError: -a cls=...
        return str(error).splitlines()
    return []


def _no_such_spider(name: str, spiders: list[str]) -> str:
    message = no_such_thing("spider", name, spiders)
    return message if message.endswith("?") else f"{message}; there are {', '.join(sorted(spiders))}"


def quieten(loggers: tuple[str, ...]) -> None:
    """Let loggers say only what is important."""
    for name in loggers:
        logging.getLogger(name).addFilter(_is_important)


def _is_important(record: logging.LogRecord) -> bool:
    """Return whether a record is more than a list of parts: a warning, or a received signal."""
    return record.levelno > logging.INFO or record.getMessage().startswith("Received")
