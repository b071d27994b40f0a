"""`scrapy status`: what is in the state, also while a crawl is writing it.

The last crawls and how they ended, the sites and what they gave, how much of each database behind a form is known, why sites were left, hosts that are paused, the most
frequent reasons why links were not read, how far the index is, and how many forms the pages gave in the course of time, which
--plot draws, or, with --plot-kind hidden, the hidden pages that were found. With --json the same for programs. Exit codes: 0; 2 for a wrong command, or a plot that cannot be written; 3 if there is no
state, or none that can be read.
"""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError

from hiddenweb.index import location
from hiddenweb.querying.coverage import in_words
from hiddenweb.reports.hidden_pages import hidden_pages
from hiddenweb.reports.hidden_pages_plot import hidden_svg
from hiddenweb.reports.plots import BLOCKS, PER, SHADE, harvest_lines, harvest_svg
from hiddenweb.reports.summary import summary
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from hiddenweb.reports.summary import (
        FormCoverage,
        HarvestPoint,
        PausedHost,
        RunSummary,
        SiteSummary,
        Summary,
        UnreadReason,
    )

NO_STATE = 3
KINDS = ("harvest", "hidden")
"""Of plots."""

SHOWN = 10


class StatusCommand(ScrapyCommand):
    """Shows what is in the state."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  Scrapy declares it so

    def syntax(self) -> str:
        return "[options]"

    def short_desc(self) -> str:
        return "Show what is in the state: crawls, sites, links, pauses, index"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="for programs: one JSON object")
        parser.add_argument("--plot", metavar="FILE", help="draw the harvest of forms into this file, as SVG")
        parser.add_argument(
            "--plot-kind", choices=KINDS, default=KINDS[0],
            help="what --plot draws: the harvest of forms, or the hidden pages by recall, by other pages and by depth",
        )  # fmt: skip
        parser.add_argument("--sites", type=int, default=20, metavar="N", help="name so many sites (20)")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        if args:
            raise UsageError(
                f"scrapy status takes no arguments, but was given {' '.join(args)!r}", print_help=False
            )
        if opts.sites < 0:
            raise UsageError(f"--sites must be 0 or more, not {opts.sites}", print_help=False)
        assert self.settings is not None
        folder, now = Path(self.settings["HIDDENWEB_STATE"]), time.time()
        try:
            with Store(folder, write=False) as state:
                found = summary(state, now, sites=opts.sites)
                drawn = _drawn(state, found, opts.plot_kind) if opts.plot is not None else ""
        except StateError as error:
            print(f"scrapy status: {error}", file=sys.stderr)
            self.exitcode = NO_STATE
            return
        if opts.plot is not None:
            _write(Path(opts.plot), drawn)
        facts = {
            "folder": str(folder),
            "bytes": bytes_in(folder),
            "unindexed": max(0, found.last_document - location.acknowledged(folder)),
            "index": location.status(folder),
        }
        if opts.json:
            say(as_json({**asdict(found), **facts}))
        else:
            say("\n".join(clean(line) for line in lines(found, facts, now, blocks=has_blocks())))


def lines(found: Summary, facts: dict[str, Any], now: float, *, blocks: bool = True) -> Iterator[str]:
    """Yield what is in a state, for people."""
    links = found.links
    yield f"{facts['folder']}: {facts['bytes'] / 1_000_000:,.1f} MB"
    yield (
        f"{found.site_count:,} sites, {found.pages:,} pages ({found.duplicates:,} of them duplicates),"
        f" {found.records:,} records ({found.completed:,} with their own page read)"
    )
    yield (
        f"links: {links['pending']:,} pending, {links['leased']:,} under way, {links['done']:,} done,"
        f" {links['missed']:,} missed, {links['refused']:,} refused"
    )
    yield f"forms: {_listed(found.forms)}; questions: {_listed(found.questions)}"
    if found.sources:
        yield _sources(found.sources)
    yield f"index: {found.documents:,} documents, {facts['unindexed']:,} changes not taken in yet"
    yield from _part("Last crawls", [_run(run, now) for run in found.runs])
    yield from _part(_harvest(found.harvest), harvest_lines(found.harvest, blocks=blocks))
    yield from _part(
        f"Sites ({len(found.sites)} of {found.site_count:,})", [_site(site) for site in found.sites]
    )
    yield from _part("Databases behind forms", [_database(database) for database in found.databases])
    yield from _part(
        f"Paused hosts ({len(found.pauses)})", [_pause(pause, now) for pause in found.pauses[:SHOWN]]
    )
    yield from _part("Why links were not read", [_reason(reason) for reason in found.reasons])
    yield ""
    yield _next(found)


def bytes_in(folder: Path) -> int:
    """Return the size of all files of a state; files that go while we look do not count."""
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except OSError:
            continue
    return total


def _part(title: str, entries: list[str]) -> Iterator[str]:
    if entries:
        yield ""
        yield f"{title}:"
        yield from (f"  {entry}" for entry in entries)


def _harvest(series: list[HarvestPoint]) -> str:
    if not series:
        return ""
    last = series[-1]
    on_topic = f", {last.forms_on_topic:,} on topic" if last.forms_on_topic is not None else ""
    rate = PER * last.search_forms / last.pages
    return f"Harvest ({last.search_forms:,} search forms{on_topic}; {rate:,.1f} per {PER:,} pages)"


def _drawn(state: Store, found: Summary, kind: str) -> str:
    return hidden_svg(hidden_pages(state)) if kind == "hidden" else harvest_svg(found.harvest)


def _write(path: Path, drawn: str) -> None:
    try:
        path.write_text(drawn, encoding="utf-8")
    except (OSError, ValueError) as error:  # a NUL in the name
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"--plot {clean(str(path))}: cannot be written: {why}", print_help=False) from None


def has_blocks() -> bool:
    """Say whether the terminal, or whatever reads, can be sent blocks."""
    try:
        (BLOCKS + SHADE).encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _sources(states: dict[str, int]) -> str:
    """Return how many sources there are and what they do, in a line.

    >>> _sources({"watched": 2, "alarm": 1})
    '3 sources: 2 watched, 1 with an alarm (scrapy templates alarms)'
    """
    alarms = states.get("alarm", 0) + states.get("put_off", 0)
    doing = [
        f"{states[state]:,} {state}"
        for state in ("watched", "learning", "waiting", "off")
        if states.get(state)
    ]
    doing += [f"{alarms:,} with an alarm (scrapy templates alarms)"] if alarms else []
    total = sum(states.values())
    return f"{total:,} {'source' if total == 1 else 'sources'}: {', '.join(doing)}"


def _run(run: RunSummary, now: float) -> str:
    if run.ended is None:
        return f"{run.command}, {date_of(run.started)}: for {now - run.started:,.0f} s, has not said that it ended (process {run.pid})"
    return f"{run.command}, {date_of(run.started)}: {run.reason} after {run.ended - run.started:,.0f} s"


def _site(site: SiteSummary) -> str:
    forms = f"{site.forms:,} forms ({site.askable:,} askable)"
    links = f"{site.pending:,} pending, {site.done:,} done, {site.missed:,} missed, {site.refused:,} refused"
    left = f"; left: {site.left}" if site.left else ""
    return (
        f"{site.domain}: {site.pages:,} pages, {forms}, {site.questions:,} questions, {site.records:,} records;"
        f" links {links}{left}"
    )


def _database(database: FormCoverage) -> str:
    known = in_words(database.known, database.size, database.low, database.high)
    ended = "" if database.state == "asking" else f"; {database.state}: {database.why}"
    return f"{database.domain}, form {database.form}: {known}, {database.questions:,} queries{ended}"


def _pause(pause: PausedHost, now: float) -> str:
    return f"{pause.origin}: until {date_of(pause.until)}, {pause.until - now:,.0f} s left: {pause.why}"


def _reason(reason: UnreadReason) -> str:
    return f"{reason.links:,} {reason.ended}: {reason.why} (for example {reason.example})"


def _next(found: Summary) -> str:
    if found.runs and found.runs[0].ended is None:
        return "A crawl is under way, or was killed; the same command resumes it."
    if found.waiting:
        return "Links are waiting: the same crawl command resumes it."
    return "Next: scrapy search WORDS."


def say(text: str) -> None:
    """Print, and end quietly when nobody reads any more."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:  # the reader has seen enough: scrapy status | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def as_json(facts: object, indent: int | None = 2) -> str:
    """Return facts as JSON that moves no cursor and turns no text around: parts of it come from servers."""
    text = json.dumps(facts, ensure_ascii=False, indent=indent)
    return "".join(
        letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text
    )


def clean(text: str, longest: int = 500) -> str:
    """Return a text that cannot move the cursor: parts of it come from servers."""
    return "".join(letter if letter.isprintable() else " " for letter in text[:longest])


def _listed(counted: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in sorted(counted.items())) or "none"


def date_of(at: float) -> str:
    """Return a time as people write it here."""
    return datetime.fromtimestamp(at).astimezone().isoformat(" ", "seconds")
