"""A small hidden web on this machine, crawled, queried, indexed and searched before your eyes."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import deque
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.console import Console
from scrapy.exceptions import UsageError

import simweb
from hiddenweb.actions.demo_findings import (
    DemoHarvest,
    DemoSite,
    forms_left_alone,
    introduction,
    judge_site,
    read_harvest,
    site_rows,
    totals,
    words_worth_searching,
)
from hiddenweb.actions.dispatch import INTERRUPTED, Action
from hiddenweb.index.location import current_folder
from hiddenweb.index.protocol import IndexProblem
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.reports.printable import quantity
from hiddenweb.urls import registered_domain
from simweb.running import Simweb, SimwebError
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence
    from types import FrameType

    from simweb.plan import SitePlan

FAILED = 1  # exit code of a demo without results
SEARCHES = 3  # searches that the demo makes; a limit of taste
HITS = 3  # printed hits of each search; a limit of taste
LAST_LINES = 15  # printed lines of the log of a failed crawl; a limit of taste
PATIENCE = 5.0
"""Seconds that a crawl gets to end by itself; its state survives a kill. A limit of taste."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class DemoAction(Action):
    """Shows what hiddenweb does, on a small hidden web on this machine."""

    def _run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy demo takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        if opts.sites < 1:
            raise UsageError(f"--sites must be at least 1, not {opts.sites}", print_help=False)
        if opts.state is not None:
            _prepare_folder(opts.state)
        console = Console(highlight=False, markup=False, emoji=False)
        _export_environment()
        with Signals() as signals:
            try:
                self.exit_code = Demo(opts, console, signals).run()
            except KeyboardInterrupt:
                console.print("\nInterrupted: the small web and the crawl are ended.")
                self.exit_code = INTERRUPTED
            except SimwebError as error:
                console.print(f"\nThe small web does not run: {error}")
                self.exit_code = FAILED


class Signals:
    """Turns the first signal to end into KeyboardInterrupt, and ignores further ones during the cleanup."""

    def __init__(self) -> None:
        self._before: dict[int, object] = {}
        self._is_held = False
        self._is_pending = False

    def __enter__(self) -> Signals:
        self._before = {number: signal.signal(number, self._handle) for number in _SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, cast("signal.Handlers", handler))

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Delay a signal until something is started and its cleanup is registered."""
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
            if self._is_pending:
                self._is_pending = False
                raise KeyboardInterrupt

    def _handle(self, _number: int, _frame: FrameType | None) -> None:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        if self._is_held:
            self._is_pending = True
        else:
            raise KeyboardInterrupt


class Demo:
    """One run of the demo, from the start of the small web to its end."""

    def __init__(self, opts: argparse.Namespace, console: Console, signals: Signals) -> None:
        self._opts = opts
        self._console = console
        self._signals = signals

    def run(self) -> int:
        """Show everything; return the exit code."""
        opts = self._opts
        world_options = {
            "seed": opts.seed,
            "sites": opts.sites,
            "pages_per_site": 25,
            "largest_database": 400,
            "direct": 0,
        }
        self._say(f"Starting a small web of {quantity(opts.sites, 'site')} on this machine ...")
        with contextlib.ExitStack() as stack:
            with self._signals.hold():
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hiddenweb-demo-")))
                web = stack.enter_context(Simweb.start(**world_options))
                web.get("counts")  # once it answers, it can also be stopped and removes its own folder
            truth = Truth(World(**world_options, folder=folder))
            stack.callback(truth.world.close)
            plans = [truth.world.plan(number) for number in truth.world.numbers]
            reach = truth.reachable(plan.url for plan in plans)
            self._say(introduction(truth, reach))

            state = opts.state or folder / "state"
            seeds = [plan for plan in plans if not plan.robots.crawl_delay] or plans
            if not self._crawl(web, folder, state, seeds):
                return FAILED
            crawled = read_harvest(state)
            found = [judge_site(truth, reach, plan, crawled, seeds) for plan in plans if plan.database]
            self._show(found, crawled, web)
            if not self._search(state, truth, found):
                return FAILED
            self._show_next_steps(state)
            return self._keep_running(web, state) if opts.keep else 0

    # The parts of the demo

    def _crawl(self, web: Simweb, folder: Path, state: Path, seeds: list[SitePlan]) -> bool:
        site_list = folder / "sites.txt"
        site_list.write_text("".join(f"{plan.url}\n" for plan in seeds), encoding="utf-8")
        command = ["crawl", "harvest", "-a", f"sites={site_list}", "-L", "WARNING"]
        demo_settings = (f"HIDDENWEB_PROXY={web.proxy}", f"HIDDENWEB_STATE={state}")
        for setting in ("HIDDENWEB_DELAY=0", *self._opts.set, *demo_settings):
            command += ["-s", setting]
        self._title("The crawl")
        if slow := self._opts.sites - len(seeds):
            self._say(
                f"All sites but {slow}, whose robots.txt asks for seconds between requests: obeying it takes longer"
                " than a demo should."
            )
        self._say_command(command)
        started = time.monotonic()
        code, lines = self._run_and_show(command)
        if code:
            self._say(f"\nThe crawl failed with exit code {code}. {_last(lines)}")
            return False
        self._say(f"It took {time.monotonic() - started:.0f} s.")
        return True

    def _run_and_show(self, command: list[str]) -> tuple[int, list[str]]:
        """Run the crawl; return its exit code and, unless a terminal shows them already, its last lines.

        It has a session of its own, so that Ctrl-C reaches only us and we end it with all its children.
        """
        on_screen = sys.stderr.isatty()
        lines: deque[str] = deque(maxlen=LAST_LINES)
        with contextlib.ExitStack() as stack:
            with self._signals.hold():
                process = subprocess.Popen(
                    [sys.executable, "-m", "scrapy", *command],
                    stdin=subprocess.DEVNULL,
                    stdout=None if on_screen else subprocess.PIPE,
                    stderr=None if on_screen else subprocess.STDOUT,
                    text=True,
                    encoding="utf-8",
                    errors="replace",
                    start_new_session=True,
                )
                stack.callback(_end, process)
            for line in process.stdout or ():
                lines.append(line.rstrip("\n"))
                self._print(lines[-1])
            return process.wait(), list(lines)

    def _show(self, found: Sequence[DemoSite], crawled: DemoHarvest, web: Simweb) -> None:
        self._title("What was found")
        self._say(
            "Sites with a database, their records, how many of them links lead to, and how many more the forms brought:\n"
        )
        for row in site_rows(found, self._console.width):
            self._print(row)
        self._say(totals(found))
        self._say(forms_left_alone(crawled))
        self._say(
            f"The small web counted {quantity(len(web.effects()), 'submission')} of forms that must be left alone, and"
            f" {quantity(len(web.get('violations')), 'request')} against the rules of robots.txt."
        )

    def _search(self, state: Path, truth: Truth, found: Sequence[DemoSite]) -> bool:
        try:
            with contextlib.closing(WhooshIndex(current_folder(state))) as index:
                chosen = list(islice(words_worth_searching(truth, found, index), SEARCHES))
        except IndexProblem as problem:
            self._say(f"\nThere is nothing to search in: {problem}")
            return False
        if not chosen:
            self._title("No searches")
            self._say("Nothing was found behind forms here, so there is nothing to search for.")
            return True
        languages = ", ".join(dict.fromkeys(site.plan.language for site, _ in chosen))
        self._title("Searches")
        self._say(f"For words of records that were found behind forms, in these languages: {languages}.")
        for (site, word), option in zip(chosen, ([], ["--behind-forms"], ["--site"]), strict=False):
            options = [*option, registered_domain(site.plan.url)] if option == ["--site"] else option
            command = ["search", word, *options, "--limit", str(HITS), "-s", f"HIDDENWEB_STATE={state}"]
            self._say_command(command)
            sys.stdout.flush()
            code = subprocess.run(
                [sys.executable, "-m", "scrapy", *command],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                check=False,
            ).returncode
            if code:
                self._say(f"\nThe search failed with exit code {code}.")
                return False
        return True

    def _show_next_steps(self, state: Path) -> None:
        self._title("What to do next")
        self._say(
            "Submit the search forms of a real site, one request a second; the same command resumes it where it was stopped:"
        )
        self._say_command(
            ["crawl", "harvest", "-a", "sites=https://SITE/", "-s", "HIDDENWEB_CONTACT=YOUR@ADDRESS"]
        )
        self._say(
            "Search what it found, and see how far it is. It is kept in the folder data, or where HIDDENWEB_STATE says:"
        )
        self._print("\n    scrapy search WORDS\n    scrapy status\n")
        self._say("After make demo, scrapy is .venv/bin/scrapy.")
        if self._opts.state:
            self._say(f"The state of this demo is kept in {state}: -s HIDDENWEB_STATE={state}")
        elif not self._opts.keep:
            self._say(
                "The small web and its state are gone now. scrapy demo --keep keeps both until"
                " Ctrl-C, scrapy demo --state FOLDER keeps the state."
            )

    def _keep_running(self, web: Simweb, state: Path) -> int:
        try:
            self._title("Kept running until Ctrl-C")
            self._print(f"proxy    {web.proxy}  (to read a page: curl -x {web.proxy} ADDRESS)")
            self._print(f"truth    {web.control}")
            self._print(f"state    {state}  (scrapy status -s HIDDENWEB_STATE={state})")
            code = web.process.wait()
        except KeyboardInterrupt:
            self._say("\nStopped." if self._opts.state else "\nStopped; the state is gone.")
            return 0
        self._say(f"The small web ended by itself, with exit code {code}.")
        return FAILED

    # Printing

    def _title(self, text: str) -> None:
        self._say(f"\n{text}", style="bold")

    def _say(self, text: str, style: str | None = None) -> None:
        self._print("\n".join(_wrap(line, self._console.width) for line in text.split("\n")), style)

    def _say_command(self, command: Sequence[str]) -> None:
        self._print(f"\n    scrapy {shlex.join(command)}\n")

    def _print(self, text: str, style: str | None = None) -> None:
        with self._signals.hold():  # half a line would be printed again
            self._console.print(text, style=style, soft_wrap=True)
            self._console.file.flush()


def _wrap(line: str, width: int) -> str:
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def _last(lines: list[str]) -> str:
    return "Its last lines:\n" + "\n".join(f"    {line}" for line in lines) if lines else "It says why above."


# Processes and folders


def _end(process: subprocess.Popen[str]) -> None:
    """End the crawl, if it runs, and its children."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
    if sys.stderr.isatty():  # a killed crawl leaves it hidden
        Console(stderr=True).show_cursor()


def _export_environment() -> None:
    """Let processes we start find the packages, installed or not, and our spiders, from any folder and in any project."""
    root = str(Path(simweb.__file__).resolve().parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    os.environ["SCRAPY_SETTINGS_MODULE"] = "hiddenweb.settings"


def _prepare_folder(folder: Path) -> None:
    """Make an empty folder for the state; raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise UsageError(
                f"--state {folder} is not empty; the demo wants a folder of its own", print_help=False
            )
    except OSError as error:
        raise UsageError(
            f"--state {folder} cannot be used: {error.strerror or error}", print_help=False
        ) from None
