"""`hiddenweb URL`: looks at a site, says what querying its forms will cost, asks, queries them, and writes the records into a file.

Both crawls, the look and the harvest, run in one process, one after the other; between them nothing is under way, so it may wait for an
answer. The state folder keeps everything, and the same command goes on with it.
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import shlex
import shutil
import signal
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.crawler import AsyncCrawlerProcess
from scrapy.settings import Settings

from hiddenweb.actions.estimate import say_estimate
from hiddenweb.actions.interrupts import Interrupts
from hiddenweb.actions.terminal import say
from hiddenweb.commands.crawl import (
    FAILED,
    INTERRUPTED,
    WRONG,
    RefusedCommand,
    exit_code,
    make_crawler,
    outcome_of,
    quieten,
)
from hiddenweb.console.command_line import PREFIX, SETTINGS, STATE_FILE, state_folder
from hiddenweb.exports.export import STDOUT, check_place, export_records
from hiddenweb.exports.formats import WARC, ExportError, find_format
from hiddenweb.reports.printable import clean_text, quantity
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from scrapy.crawler import Crawler

    from hiddenweb.reports.estimate import SiteEstimate

NOT_CONFIRMED = 4
"""The exit code if nobody said yes, and nobody could be asked."""

SIGNAL_SECONDS = 0.2
"""How often a question on the terminal looks for Ctrl-C: at once, for people. A limit of taste."""

_QUIET = ("scrapy", "twisted", "asyncio")
"""Loggers that say only what is important here."""

_OPTIONS = {
    "contact": "HIDDENWEB_CONTACT",
    "cookies": "HIDDENWEB_COOKIES",
    "headers": "HIDDENWEB_HEADERS",
    "include": "HIDDENWEB_INCLUDE",
    "exclude": "HIDDENWEB_EXCLUDE",
}
"""Options that are settings."""


def harvest_site(options: argparse.Namespace) -> int:
    """Do what the options say; return the exit code."""
    os.environ["SCRAPY_SETTINGS_MODULE"] = SETTINGS
    try:
        return _SiteHarvest(options).run()
    except ExportError as error:
        _complain([str(error)])
        return WRONG
    except RefusedCommand as refusal:
        _complain(refusal.problems)
        return refusal.code


class _SiteHarvest:
    """One run of `hiddenweb URL`."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._sites = " ".join(options.sites)
        self._folder = Path(options.state) if options.state else state_folder(options.sites)
        self._code = FAILED

    def run(self) -> int:
        with Interrupts() as interrupts:
            settings = self._read_settings()
            self._check_output()
            is_new = not self._folder.exists()
            quieten(("scrapy.utils.log",))  # it speaks before its level can be set
            process = AsyncCrawlerProcess(settings)
            for name in _QUIET:
                logging.getLogger(name).setLevel(logging.WARNING)
            look = make_crawler(
                process, "harvest", self._arguments(dry_run="1")
            )  # all problems are said before anything runs
            from twisted.internet import reactor

            reactor.callWhenRunning(lambda: asyncio.ensure_future(self._run_all(process, interrupts, look)))
            process.start(stop_after_crawl=False, install_signal_handlers=False)  # Interrupts does it
        if is_new and self._code == FAILED:
            self._remove_empty_state()
        return self._code

    async def _run_all(self, process: AsyncCrawlerProcess, interrupts: Interrupts, look: Crawler) -> None:
        try:
            self._code = await self._run_steps(process, interrupts, look)
        except RefusedCommand as refusal:
            _complain(refusal.problems)
            self._code = refusal.code
        except KeyboardInterrupt:
            say("\nInterrupted: nothing was submitted.")
            self._code = INTERRUPTED
        finally:
            process._stop_reactor()

    async def _run_steps(self, process: AsyncCrawlerProcess, interrupts: Interrupts, look: Crawler) -> int:
        say(f"Looking at {self._sites}. Everything is kept in {self._folder}.")
        outcome = await self._crawl(process, interrupts, look, dry_run="1")
        if outcome != "finished":
            return exit_code(outcome, bootstrap_failed=process.bootstrap_failed)
        say("")
        estimates = say_estimate(look.settings, self._arguments())
        say("")
        if (code := self._ask(estimates)) is not None:
            return code
        harvest = make_crawler(process, "harvest", self._arguments())
        outcome = await self._crawl(process, interrupts, harvest)
        code = exit_code(outcome, bootstrap_failed=process.bootstrap_failed)
        if outcome in ("finished", "limit", "interrupted"):
            code = max(code, self._export())
            self._say_next_steps()
        return code

    async def _crawl(
        self, process: AsyncCrawlerProcess, interrupts: Interrupts, crawler: Crawler, **more: str
    ) -> str | None:
        """Run a crawl to its end; return how it ended."""
        running = process.crawl(crawler, **self._arguments(**more))
        interrupts.watch(process, crawler)
        await running
        return outcome_of(crawler)

    # What is typed

    def _read_settings(self) -> Settings:
        options, settings = self._options, Settings()
        settings.setmodule(SETTINGS, priority="project")
        settings.setdict(
            {"LOG_LEVEL": "INFO", "LOG_VERSIONS": []}, priority="project"
        )  # the progress, no list of parts
        given: dict[str, Any] = {
            name: value
            for option, name in _OPTIONS.items()
            if (value := getattr(options, option)) is not None
        }
        if options.allow:
            given["HIDDENWEB_ALLOW_ADDRESSES"] = ",".join(options.allow)
        given |= {
            "HIDDENWEB_STATE": str(self._folder),
            "HIDDENWEB_PROGRAM": "hiddenweb",
            "LOG_FORMAT": "%(message)s",
        }
        given |= dict(setting.split("=", 1) for setting in options.settings)
        self._folder = Path(given["HIDDENWEB_STATE"])
        settings.setdict(given, priority="cmdline")
        return settings

    def _check_output(self) -> None:
        """Raise ExportError if the records cannot be written: after hours of a crawl would be late."""
        output = self._options.output
        if output is None:
            return
        if not output.strip():
            raise ExportError("-o: an empty name is no file")
        if output == STDOUT:
            raise ExportError(
                "-o -: the progress is written there; name a file, or use hiddenweb records --format csv later"
            )
        find_format(Path(output)).load()
        check_place(output, self._folder)

    def _arguments(self, **more: str) -> dict[str, str]:
        options = self._options
        budgets = {name: getattr(options, name) for name in ("queries", "pages", "time")}
        return {"sites": self._sites} | {name: value for name, value in budgets.items() if value} | more

    # What is asked and said

    def _ask(self, estimates: Sequence[SiteEstimate]) -> int | None:
        """Ask whether the forms shall be submitted; return an exit code if not."""
        forms = sum(1 for site in estimates for form in site.forms if form.queries)
        if not forms and not self._links_wait():
            say("There is nothing more to submit, and no link is left to follow.")
            was_queried = any(form.may_submit for site in estimates for form in site.forms)
            code = self._export() if was_queried else FAILED
            self._say_next_steps()
            return code
        if not forms:
            say("No form that may be submitted was found so far; links wait that may lead to one.")
        if self._options.yes:
            return None
        if not sys.stdin.isatty():
            say("Nothing was submitted, for there is nobody to ask. The same command with --yes goes on.")
            return NOT_CONFIRMED
        what = f"Submit {'this form' if forms == 1 else f'these {forms:,} forms'}" if forms else "Follow them"
        if _confirms(f"{what}? [y/N] "):
            return None
        say("Nothing was submitted. The same command asks again.")
        return 0

    def _links_wait(self) -> bool:
        """Say whether there are links that the look did not follow."""
        with Store(self._folder, write=False) as state:
            return bool(state.rows("SELECT 1 FROM links WHERE state = 0 LIMIT 1"))

    def _remove_empty_state(self) -> None:
        """Remove the folder that this command made, if nothing could be read: other commands would ask which state is meant."""
        with Store(self._folder, write=False) as state:
            is_empty = not state.rows("SELECT 1 FROM pages LIMIT 1")
        if is_empty:
            shutil.rmtree(self._folder)

    def _export(self) -> int:
        if not self._options.output:
            return 0
        try:
            written = export_records(self._folder, self._options.output)
        except (ExportError, OSError, LookupError) as failure:
            error = failure.strerror if isinstance(failure, OSError) and failure.strerror else failure
            _complain(
                [
                    f"the records were not written: {error}",
                    "they are in the state: hiddenweb records -o FILE writes them",
                ]
            )
            return FAILED
        columns = f" in {quantity(written.columns, 'column')}" if written.columns else ""
        say(
            f"{written.path}: {quantity(written.rows, 'page' if written.format == WARC.name else 'record')}{columns}."
        )
        for note, count in written.notes.items():
            say(f"{note[0].upper()}{note[1:]}: {count:,}.")
        return 0

    def _say_next_steps(self) -> None:
        state = "" if self._is_only_state() else f" --state {shlex.quote(str(self._folder))}"
        say(
            f"Next: hiddenweb search WORDS{state}, hiddenweb status{state}. The same command goes on where it stopped."
        )

    def _is_only_state(self) -> bool:
        """Say whether commands find the state folder by themselves."""
        return [path.parent for path in Path().glob(f"{PREFIX}*/{STATE_FILE}")] == [self._folder]


def _confirms(question: str) -> bool:
    """Ask a question on the terminal; Ctrl-C is KeyboardInterrupt again meanwhile."""
    with _usual_signals():
        print(question, end="", flush=True)
        while not select.select([sys.stdin], [], [], SIGNAL_SECONDS)[0]:
            pass  # a signal just before a blocking call would be noticed only after it: so none blocks for long
        return sys.stdin.readline().strip().lower() in ("y", "yes")


@contextmanager
def _usual_signals() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _complain(problems: Sequence[str]) -> None:
    for problem in problems:
        print(f"hiddenweb: {clean_text(problem, longest=2_000)}", file=sys.stderr)
