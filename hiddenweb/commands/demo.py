"""`scrapy demo`: a small hidden web on this machine, crawled, asked, indexed and searched before your eyes.

simweb is started; the crawl and the searches are the commands that people type, in processes of their own. What was found is
judged by the truth about simweb and not by what the crawl believes: every page and answer that it kept is made again in a second
world of the same seed, which knows the records on it. Whatever happens, the processes are ended and the folder is removed.

Exit codes:

    0    all was shown; with --keep also after Ctrl-C
    1    simweb, the crawl or a search failed
    2    the command is wrong, or the folder of --state cannot be used
    130  interrupted by Ctrl-C or a signal
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from rich.console import Console
from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

import simweb
from hiddenweb.forms.stored_form import form_from_json
from hiddenweb.index.location import IndexProblem, current_folder
from hiddenweb.index.query_parser import ParsedQuery
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.language.words import stop_words
from hiddenweb.store.database import Store
from hiddenweb.urls import registered_domain
from simweb.messages import Request
from simweb.running import Simweb, SimwebError
from simweb.search import searched_text
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence
    from types import FrameType

    from simweb.plan import SitePlan
    from simweb.truth import Reach

FAILED, INTERRUPTED = 1, 130
SEARCHES = 3
HITS = 3
LAST_LINES = 15
PATIENCE = 5.0
"""Seconds that a crawl gets to end by itself; its state survives any end."""

_FEWEST, _MOST = 3, 12  # records that a word worth searching for is in
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class DemoCommand(ScrapyCommand):
    """Shows what hiddenweb does, on a hidden web that runs here."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Start a small hidden web, crawl it, and show what was found behind its forms"

    def long_desc(self) -> str:
        return (
            "Start a small hidden web on this machine, crawl it, ask its forms, search what was found, and show what links"
            " alone do not reach. -s NAME=VALUE is passed on to the crawl. Exit codes: 0 all was shown, 1 something"
            " failed, 2 wrong command, 130 interrupted."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--seed", type=int, default=7, help="what the small web follows from (7)")
        parser.add_argument("--sites", type=int, default=40, help="how many sites it has (40)")
        parser.add_argument(
            "--keep", action="store_true", help="let it run until Ctrl-C, and keep its state as long"
        )
        parser.add_argument(
            "--state", type=Path, metavar="FOLDER", help="keep the state there: a new or empty folder"
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy demo takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        if opts.sites < 1:
            raise UsageError(f"--sites must be at least 1, not {opts.sites}", print_help=False)
        if opts.state is not None:
            _make_ready(opts.state)
        console = Console(highlight=False, markup=False, emoji=False)
        _let_processes_find_us()
        with Signals() as signals:
            try:
                self.exitcode = Demo(opts, console, signals).run()
            except KeyboardInterrupt:
                console.print("\nInterrupted: the small web and the crawl are ended.")
                self.exitcode = INTERRUPTED
            except SimwebError as error:
                console.print(f"\nThe small web does not run: {error}")
                self.exitcode = FAILED


class Signals:
    """Turns the first signal that wants us to end into KeyboardInterrupt, and ignores the rest while things are put away."""

    def __init__(self) -> None:
        self._before: dict[int, object] = {}
        self._holding = False
        self._came = False

    def __enter__(self) -> Signals:
        self._before = {number: signal.signal(number, self._come) for number in _SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, cast("signal.Handlers", handler))

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Put a signal off until something is begun and its end is taken care of."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
            if self._came:
                self._came = False
                raise KeyboardInterrupt

    def _come(self, _number: int, _frame: FrameType | None) -> None:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        if self._holding:
            self._came = True
        else:
            raise KeyboardInterrupt


class Demo:
    """One showing, from the start of the small web to its end."""

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
        self._say(f"Starting a small web of {_many(opts.sites, 'site')} on this machine ...")
        with contextlib.ExitStack() as stack:
            with self._signals.held():
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hiddenweb-demo-")))
                web = stack.enter_context(Simweb.start(**world_options))
                web.get("counts")  # when it answers it can also be told to stop, and puts away its own folder
            truth = Truth(World(**world_options, folder=folder))
            stack.callback(truth.world.close)
            plans = [truth.world.plan(number) for number in truth.world.numbers]
            reach = truth.reachable(plan.url for plan in plans)
            self._say(introduction(truth, reach))

            state = opts.state or folder / "state"
            seeds = [plan for plan in plans if not plan.robots.crawl_delay] or plans
            if not self._crawl(web, folder, state, seeds):
                return FAILED
            kept = kept_in(state)
            found = [site_found(truth, reach, plan, kept, seeds) for plan in plans if plan.database]
            self._show(found, kept, web)
            if not self._search(state, truth, found):
                return FAILED
            self._go_on(state)
            return self._keep_running(web, state) if opts.keep else 0

    # The parts of the showing

    def _crawl(self, web: Simweb, folder: Path, state: Path, seeds: list[SitePlan]) -> bool:
        listed = folder / "sites.txt"
        listed.write_text("".join(f"{plan.url}\n" for plan in seeds), encoding="utf-8")
        command = ["crawl", "harvest", "-a", f"sites={listed}", "-L", "WARNING"]
        ours = (f"HIDDENWEB_PROXY={web.proxy}", f"HIDDENWEB_STATE={state}")
        for setting in ("HIDDENWEB_DELAY=0", *self._opts.set, *ours):
            command += ["-s", setting]
        self._title("The crawl")
        if slow := self._opts.sites - len(seeds):
            self._say(
                f"All sites but {slow}, whose robots.txt asks for seconds between requests: obeying it takes longer"
                " than a demo should."
            )
        self._say_command(command)
        begun = time.monotonic()
        code, lines = self._passed_through(command)
        if code:
            self._say(f"\nThe crawl failed with exit code {code}. {_last(lines)}")
            return False
        self._say(f"It took {time.monotonic() - begun:.0f} s.")
        return True

    def _passed_through(self, command: list[str]) -> tuple[int, list[str]]:
        """Run the crawl; return its exit code and, unless they stand on a terminal already, its last lines.

        It has a session of its own, so that Ctrl-C reaches us alone and we end it with all that it started.
        """
        on_screen = sys.stderr.isatty()
        lines: deque[str] = deque(maxlen=LAST_LINES)
        with contextlib.ExitStack() as stack:
            with self._signals.held():
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

    def _show(self, found: Sequence[DemoSite], kept: DemoHarvest, web: Simweb) -> None:
        self._title("What was found")
        self._say(
            "Sites with a database, their records, how many of them links lead to, and how many more were found by asking:\n"
        )
        for row in table(found, self._console.width):
            self._print(row)
        self._say(totals(found))
        self._say(left_alone(kept))
        self._say(
            f"The small web counted {_many(len(web.effects()), 'submission')} of forms that must be left alone, and"
            f" {_many(len(web.get('violations')), 'request')} against the rules of robots.txt."
        )

    def _search(self, state: Path, truth: Truth, found: Sequence[DemoSite]) -> bool:
        try:
            with contextlib.closing(WhooshIndex(current_folder(state))) as index:
                chosen = list(islice(_worth_searching(truth, found, index), SEARCHES))
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
        for (site, word), how in zip(chosen, ([], ["--behind-forms"], ["--site"]), strict=False):
            narrowed = [*how, registered_domain(site.plan.url)] if how == ["--site"] else how
            command = ["search", word, *narrowed, "--limit", str(HITS), "-s", f"HIDDENWEB_STATE={state}"]
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

    def _go_on(self, state: Path) -> None:
        self._title("How to go on")
        self._say(
            "Ask the forms of a real site, one request a second; the same command resumes it where it was stopped:"
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
                "The small web and its state are gone now. scrapy demo --keep leaves both there to look around until"
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

    # Saying

    def _title(self, text: str) -> None:
        self._say(f"\n{text}", style="bold")

    def _say(self, text: str, style: str | None = None) -> None:
        self._print("\n".join(_wrapped(line, self._console.width) for line in text.split("\n")), style)

    def _say_command(self, command: Sequence[str]) -> None:
        self._print(f"\n    scrapy {shlex.join(command)}\n")

    def _print(self, text: str, style: str | None = None) -> None:
        with self._signals.held():  # what is printed in half is printed again
            self._console.print(text, style=style, soft_wrap=True)
            self._console.file.flush()


# What the crawl kept


@dataclass(frozen=True, slots=True)
class DemoForm:
    """A form that the crawl met, and what became of it."""

    page_url: str
    action: str
    ask: bool
    kind: str
    why: str
    questions: int  # that were sent and answered
    trouble: str  # why one was not


@dataclass(frozen=True, slots=True)
class DemoHarvest:
    """What a crawl left in its state, by host."""

    pages: dict[str, list[str]] = field(default_factory=dict)
    forms: dict[str, list[DemoForm]] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)  # why a link was not read


def kept_in(folder: Path) -> DemoHarvest:
    """Read what a crawl kept."""
    kept = DemoHarvest()
    with Store(folder, write=False) as state:
        for (url,) in cast("list[tuple[str]]", state.rows("SELECT url FROM pages WHERE status = 200")):
            kept.pages.setdefault(urlsplit(url).netloc, []).append(url)
        for url, why in cast("list[tuple[str, str]]", state.rows(_REFUSALS)):
            kept.refusals.setdefault(urlsplit(url).netloc, why)
        for row in cast("list[tuple[str, str, int, str, str, int, str]]", state.rows(_FORMS)):
            url, form, ask, kind, why, questions, trouble = row
            action = form_from_json(form).action
            kept.forms.setdefault(urlsplit(url).netloc, []).append(
                DemoForm(url, action, bool(ask), kind, why, questions, trouble)
            )
    return kept


_REFUSALS = "SELECT url, why FROM links WHERE state IN (3, 4) AND why IS NOT NULL ORDER BY id"
_FORMS = (
    "SELECT page_url, form, ask, kind, why,"
    " (SELECT count(*) FROM submissions s WHERE s.form = forms.id AND s.state = 'answered'"
    " AND EXISTS (SELECT 1 FROM links WHERE links.submission = s.id)),"  # else links had led to that answer before
    " coalesce((SELECT min(s.why) FROM submissions s WHERE s.form = forms.id AND s.state = 'failed'), '')"
    " FROM forms ORDER BY id"
)


# What it is worth


@dataclass(frozen=True, slots=True)
class DemoSite:
    """What a site hides, and what was found of it."""

    plan: SitePlan
    records: int
    by_links: int
    by_asking: frozenset[int]
    questions: int
    why: str  # it was not asked

    @property
    def style(self) -> str:
        """The kind of form, as simweb calls it."""
        return self.plan.database.style if self.plan.database else ""


def site_found(
    truth: Truth, reach: Reach, plan: SitePlan, kept: DemoHarvest, seeds: Sequence[SitePlan]
) -> DemoSite:
    """Judge by the truth what was found at a site."""
    by_links = {number for host, number in reach.records if host == plan.host}
    shown = {number for url in kept.pages.get(plan.host, ()) for number in _records_on(truth.world, url)}
    questions = sum(form.questions for form in kept.forms.get(plan.host, ()))
    why = "" if questions else _why_not_asked(truth, plan, kept, seeds)
    return DemoSite(plan, truth.count(plan.host), len(by_links), frozenset(shown - by_links), questions, why)


def introduction(truth: Truth, reach: Reach) -> str:
    """Say what is in the small web, and what links alone lead to."""
    world = truth.summary()
    styles = {site.plan.database.style for site in truth.sites(databases=True) if site.plan.database}
    records, by_links = world["records"], len(reach.records)
    return (
        f"It has {_many(world['pages'], 'public page')} in {_many(len(world['languages']), 'language')}, and"
        f" {_many(world['databases'], 'database')} with {_many(records, 'record')} behind search forms of"
        f" {_many(len(styles), 'style')} (docs/simweb.md describes them). Links alone lead to {by_links:,} of the records;"
        f" the other {records - by_links:,} ({_share(records - by_links, records)}) are shown only to those who ask."
    )


def table(found: Sequence[DemoSite], width: int) -> Iterator[str]:
    """Yield the rows of a table of sites, those that were asked first, and why others were not."""
    longest = max(len(site.plan.host) for site in found)
    room = max(20, min(longest, width - len(_row("", 0, "", "", "", "", "", ""))))
    yield _row("site", room, "lang", "form", "records", "links", "asking", "questions")
    for site in sorted(found, key=lambda site: (not site.questions, -len(site.by_asking))):
        counted = (site.records, site.by_links, len(site.by_asking), site.questions)
        yield _row(
            site.plan.host, room, site.plan.language, site.style, *(f"{number:,}" for number in counted)
        )
        if site.why:
            yield f"    {site.why}"


def totals(found: Sequence[DemoSite]) -> str:
    """Sum up what was found."""
    hidden = sum(site.records - site.by_links for site in found)
    by_asking = sum(len(site.by_asking) for site in found)
    asked = [site for site in found if site.questions]
    behind_asked = sum(site.records - site.by_links for site in asked)
    share = f", {_share(by_asking, behind_asked)} of those at the sites asked" if asked else ""
    return (
        f"\n{_many(hidden, 'record')} cannot be reached by links; we found {by_asking:,} of them ({_share(by_asking, hidden)}"
        f"{share}) with {_many(sum(site.questions for site in found), 'question')} to"
        f" {len(asked)} of {_many(len(found), 'site')}."
    )


def left_alone(kept: DemoHarvest) -> str:
    """Say how many forms were not asked, and why."""
    forms = [form for form in chain.from_iterable(kept.forms.values()) if not form.ask]
    searches = [form for form in forms if form.kind == "search"]
    others = [form.kind for form in forms if form.kind != "search"]
    parts = []
    if others:
        parts.append(f"{len(others)} for their purpose, as far as we can tell ({_listed(others)})")
    if searches:
        why = _listed(form.why.partition("; ")[0] for form in searches)
        parts.append(f"{len(searches)} that may search ({why})")
    because = f": {'; '.join(parts)}" if parts else ""
    return f"{_many(len(forms), 'form')} {'was' if len(forms) == 1 else 'were'} left alone{because}."


def _why_not_asked(truth: Truth, plan: SitePlan, kept: DemoHarvest, seeds: Sequence[SitePlan]) -> str:
    """Say in words why no question was answered at a site."""
    if plan not in seeds:
        return f"left out of this demo: its robots.txt wants {plan.robots.crawl_delay:g} s between requests"
    if plan.host not in kept.pages:
        return f"not read: {kept.refusals.get(plan.host, 'no link leads there')}"
    paths = {urlsplit(form.action).path for form in truth.forms(plan.host) if form.form.is_search}
    forms = [form for form in kept.forms.get(plan.host, ()) if urlsplit(form.action).path in paths]
    if trouble := next((form.trouble for form in forms if form.trouble), ""):
        return f"not asked: {trouble}"
    reasons = [form.why.partition("; ")[0] for form in forms if not form.ask]
    return f"not asked yet: {reasons[0] if reasons else 'no form was found on its pages'}"


def _records_on(world: World, url: str) -> tuple[int, ...]:
    parts = urlsplit(url)
    response = world.respond(Request("GET", parts.netloc, parts.path or "/", parts.query))
    return response.records if response is not None else ()


def _worth_searching(
    truth: Truth, found: Sequence[DemoSite], index: WhooshIndex
) -> Iterator[tuple[DemoSite, str]]:
    """Yield sites and words that are found behind their forms: first one site for each language, English before others."""
    best = sorted(
        (site for site in found if site.by_asking),
        key=lambda site: (site.plan.language != "en", -len(site.by_asking)),
    )
    firsts = list({site.plan.language: site for site in reversed(best)}.values())[::-1]
    words = {site.plan.host: _words_of(truth, site, index) for site in best}
    for site in chain(firsts, (site for site in best if site not in firsts), firsts, firsts):
        if word := next(words[site.plan.host], ""):
            yield site, word


def _words_of(truth: Truth, site: DemoSite, index: WhooshIndex) -> Iterator[str]:
    """Yield words of the records found behind a form that are neither everywhere nor only once, if a search shows one first."""
    topic = truth.site(site.plan.host).catalogue.topic
    counted = Counter[str]()
    for one in truth.records(site.plan.host):
        if one.record.number in site.by_asking:
            counted.update(set(re.findall(r"[^\W\d_]{2,}", searched_text(one.record, topic))))
    common, own = stop_words(site.plan.language), registered_domain(site.plan.url)
    liked = [word for word, number in counted.items() if _FEWEST <= number <= _MOST]
    for word in sorted(liked, key=lambda word: (-min(len(word), 8), -counted[word], word)):
        if word.lower() in common:
            continue
        first = next(iter(index.search(ParsedQuery(word, limit=1)).hits), None)
        if first is not None and first.document.behind_form and first.document.site == own:
            yield word


# Words


def _row(
    site: str, room: int, language: str, style: str, records: str, links: str, asking: str, asked: str
) -> str:
    name = site if len(site) <= room else f"{site[: room - 1]}…"
    return f"{name:<{room}} {language:<4} {style:<14} {records:>7} {links:>6} {asking:>7} {asked:>9}"


def _wrapped(line: str, width: int) -> str:
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def _listed(things: Iterable[str]) -> str:
    return ", ".join(f"{what}: {number}" for what, number in Counter(things).most_common())


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "none"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _last(lines: list[str]) -> str:
    return "Its last lines:\n" + "\n".join(f"    {line}" for line in lines) if lines else "It says why above."


# Processes and folders


def _end(process: subprocess.Popen[str]) -> None:
    """End the crawl, if it runs, and whatever it has started."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
    if sys.stderr.isatty():  # a crawl that was killed has left it hidden
        Console(stderr=True).show_cursor()


def _let_processes_find_us() -> None:
    """Let the processes that we start find the packages, installed or not, from whatever folder."""
    root = str(Path(simweb.__file__).resolve().parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def _make_ready(folder: Path) -> None:
    """Make an empty folder for the state, or say why there is none."""
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
