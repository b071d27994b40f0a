"""The progress of a crawl in words: a few lines for a terminal, one line for a log, and why nothing happens."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from rich.text import Text

from hiddenweb.reports.printable import quantity

QUIET = 3.0
"""Seconds without a page after which the reason is shown: a limit of taste."""

MAX_PAUSES = 3
"""Hosts that are named with the reason of their pause. A limit of taste."""


@dataclass(frozen=True, slots=True)
class RevisitProgress:
    """The progress of a crawl that revisits pages."""

    planned: int | None = None  # for this run; None: not yet
    done: int = 0
    changed: int = 0  # those that found a change
    expected: float = 0.0  # to find one
    fruitless: int = 0  # without a page: it was missing, or there was no response
    unanswered: int = 0  # those of them without a response
    left_today: int | None = None  # of a daily budget, before the run
    sitemaps: int = 0  # that were requested
    fresh_before: float | None = None
    fresh: float | None = None  # the share of pages that are likely unchanged since they were read
    records: tuple[int, int, int, int] = (0, 0, 0, 0)  # new, gone, changed, perhaps gone
    in_part: int = 0  # answers whose pages were not all fetched
    requests: int = 0  # for these revisits: an answer has several pages


@dataclass(frozen=True, slots=True)
class ProgressSnapshot:
    """A crawl at one moment."""

    spider: str
    elapsed: float = 0.0
    pages: int = 0
    rate: float = 0.0  # pages a second, of late
    forms: int = 0
    submittable: int = 0
    submitted: int = 0  # queries
    answered: int = 0
    new_records: int = 0
    seen_records: int = 0
    databases: tuple[str, ...] = ()  # that are queried now, with their coverage
    waiting: int = 0
    active: tuple[str, ...] = ()  # hosts with a request under way
    paused: tuple[tuple[float, str, str], ...] = ()  # seconds left, host, why; the shortest first
    unindexed: int | None = None
    quiet: float = 0.0  # seconds since the last page or failure
    next_in: float | None = None  # seconds until a host is ready
    next_why: str = ""
    revisits: RevisitProgress | None = None


def terminal_lines(moment: ProgressSnapshot) -> Text:
    """Return a few lines for a terminal."""
    first = [f"{moment.spider} {_time(moment.elapsed)}"]
    if moment.revisits is None:
        first += [_pages(moment), f"{quantity(moment.waiting, 'link')} waiting"]
    else:
        first += [_revisits(moment.revisits, moment.rate)]
    first += [f"{quantity(len(moment.active), 'host')} active, {len(moment.paused)} paused"]
    lines = ["  ".join(first), *filter(None, ["  ".join(_findings(moment))]), *moment.databases]
    longest = moment.paused[::-1]
    lines += [f"paused: {name}: {why}" for _, name, why in longest[:MAX_PAUSES]]
    if len(longest) > MAX_PAUSES:
        lines[-1] += f" (and {len(longest) - MAX_PAUSES} more)"
    if why := why_quiet(moment):
        lines.append(why)
    return Text("\n".join(lines), no_wrap=True, overflow="ellipsis")


def log_line(moment: ProgressSnapshot) -> str:
    """Return the same in one line, for a log."""
    revisits = moment.revisits
    parts = [
        _pages(moment) if revisits is None else _revisits(revisits, moment.rate),
        *_findings(moment),
        *moment.databases[:1],
        *([f"{quantity(moment.waiting, 'link')} waiting"] if revisits is None else []),
        f"{quantity(len(moment.active), 'host')} active",
    ]
    if moment.paused:
        parts.append(f"{len(moment.paused)} paused")
    if why := why_quiet(moment):
        parts.append(why)
    return "; ".join(parts)


def why_quiet(moment: ProgressSnapshot) -> str:
    """Return why nothing happens; empty if something happens."""
    if moment.quiet < QUIET:
        return ""
    if moment.revisits is not None and moment.revisits.planned is None:
        return f"waiting: sitemaps are read before revisits are planned, {moment.revisits.sitemaps:,} so far"
    if moment.active:
        named = ", ".join(moment.active[:2])
        return f"waiting: no answer from {quantity(len(moment.active), 'host')} for {moment.quiet:.0f} s ({named})"
    if moment.paused and (moment.next_in is None or not moment.next_why):
        left, name, why = moment.paused[0]
        reason = why.rpartition("; ")[0] or why
        return (
            f"waiting: {quantity(len(moment.paused), 'host')} paused, next in {left:.0f} s ({name}: {reason})"
        )
    if moment.next_in is not None and (moment.next_in > 0 or not moment.unindexed):
        because = f" ({moment.next_why})" if moment.next_why else ""
        return f"waiting: next request in {moment.next_in:.0f} s{because}"
    if moment.unindexed:
        return f"waiting: the index has {quantity(moment.unindexed, 'document')} to add, then the crawl ends"
    return "waiting: nothing is left to fetch, the crawl is about to end"


def _pages(moment: ProgressSnapshot) -> str:
    return f"{quantity(moment.pages, 'page')} ({moment.rate:.1f}/s)"


def _revisits(revisits: RevisitProgress, rate: float) -> str:
    if revisits.planned is None:
        return f"no revisit is planned yet, {quantity(revisits.sitemaps, 'sitemap')} requested"
    took = f", {quantity(revisits.requests, 'request')}" if revisits.requests > revisits.done else ""
    return f"{revisits.done:,} of {quantity(revisits.planned, 'revisit')}{took} ({rate:.1f}/s), {revisits.changed:,} found a change"


def _findings(moment: ProgressSnapshot) -> list[str]:
    found = (
        [f"{quantity(moment.forms, 'form')} ({moment.submittable} submittable)"]
        if moment.revisits is None
        else []
    )
    if moment.submitted:
        found.append(f"{quantity(moment.submitted, 'query')} ({moment.answered} answered)")
        found.append(f"records {moment.new_records:,} new, {moment.seen_records:,} seen")
    if moment.unindexed is not None:
        found.append(f"index {moment.unindexed:,} behind" if moment.unindexed else "index up to date")
    return found


def _time(seconds: float) -> str:
    return str(timedelta(seconds=int(seconds)))
