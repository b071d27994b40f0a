"""What is in a state, in words: crawls, sites, databases, pauses, and why links were not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.querying.coverage import describe_coverage
from hiddenweb.reports.plots import PER, harvest_lines
from hiddenweb.reports.printable import quantity, time_text

if TYPE_CHECKING:
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

MAX_PAUSES = 10
"""Paused hosts that are named. A limit of taste."""


def status_lines(
    found: Summary, facts: dict[str, Any], now: float, *, blocks: bool = True, program: str = "scrapy"
) -> Iterator[str]:
    """Yield what is in a state, for people."""
    links = found.links
    yield f"{facts['folder']}: {facts['bytes'] / 1_000_000:,.1f} MB"
    yield (
        f"{quantity(found.site_count, 'site')}, {quantity(found.pages, 'page')} ({found.duplicates:,} of them duplicates),"
        f" {quantity(found.records, 'record')} ({found.completed:,} with their own page read)"
    )
    yield (
        f"links: {links['pending']:,} pending, {links['leased']:,} under way, {links['done']:,} done,"
        f" {links['missed']:,} missed, {links['refused']:,} refused"
    )
    yield f"forms: {_counts_in_words(found.forms)}; queries: {_counts_in_words(found.queries)}"
    if found.extractors:
        yield _extractors(found.extractors)
    yield f"index: {quantity(found.documents, 'document')}, {quantity(facts['unindexed'], 'change')} not indexed yet"
    yield from _part("Last crawls", [_run_line(run, now) for run in found.runs])
    yield from _part(_harvest_title(found.harvest), harvest_lines(found.harvest, blocks=blocks))
    yield from _part(
        f"Sites ({len(found.sites)} of {found.site_count:,})", [_site_line(site) for site in found.sites]
    )
    yield from _part("Databases behind forms", [_database_line(database) for database in found.databases])
    yield from _part(
        f"Paused hosts ({len(found.pauses)})",
        [_pause_line(pause, now) for pause in found.pauses[:MAX_PAUSES]],
    )
    yield from _part("Why links were not read", [_reason_line(reason) for reason in found.reasons])
    yield ""
    yield _next_step(found, program)


def _part(title: str, entries: list[str]) -> Iterator[str]:
    if entries:
        yield ""
        yield f"{title}:"
        yield from (f"  {entry}" for entry in entries)


def _harvest_title(series: list[HarvestPoint]) -> str:
    if not series:
        return ""
    last = series[-1]
    on_topic = f", {last.forms_on_topic:,} on topic" if last.forms_on_topic is not None else ""
    rate = PER * last.search_forms / last.pages
    return f"Harvest ({quantity(last.search_forms, 'search form')}{on_topic}; {rate:,.1f} per {PER:,} pages)"


def _extractors(states: dict[str, int]) -> str:
    """Return how many extractors there are in which states, in one line.

    >>> _extractors({"watched": 2, "alarm": 1})
    '3 extractors: 2 watched, 1 with an alarm (scrapy templates alarms)'
    """
    alarms = states.get("alarm", 0) + states.get("put_off", 0)
    parts = [
        f"{states[state]:,} {state}"
        for state in ("watched", "learning", "waiting", "off")
        if states.get(state)
    ]
    parts += [f"{alarms:,} with an alarm (scrapy templates alarms)"] if alarms else []
    total = sum(states.values())
    return f"{quantity(total, 'extractor')}: {', '.join(parts)}"


def _run_line(run: RunSummary, now: float) -> str:
    if run.ended is None:
        return f"{run.command}, {time_text(run.started)}: for {now - run.started:,.0f} s, did not report its end (process {run.pid})"
    return f"{run.command}, {time_text(run.started)}: {run.reason} after {run.ended - run.started:,.0f} s"


def _site_line(site: SiteSummary) -> str:
    forms = f"{quantity(site.forms, 'form')} ({site.submittable:,} submittable)"
    links = f"{site.pending:,} pending, {site.done:,} done, {site.missed:,} missed, {site.refused:,} refused"
    left = f"; left: {site.left}" if site.left else ""
    return (
        f"{site.domain}: {quantity(site.pages, 'page')}, {forms}, {quantity(site.queries, 'query')}, {quantity(site.records, 'record')};"
        f" links {links}{left}"
    )


def _database_line(database: FormCoverage) -> str:
    known = describe_coverage(database.known, database.size, database.low, database.high)
    ended = "" if database.state == "querying" else f"; {database.state}: {database.why}"
    return f"{database.domain}, form {database.form}: {known}, {quantity(database.queries, 'query')}{ended}"


def _pause_line(pause: PausedHost, now: float) -> str:
    return f"{pause.origin}: until {time_text(pause.until)}, {pause.until - now:,.0f} s left: {pause.why}"


def _reason_line(reason: UnreadReason) -> str:
    return f"{reason.links:,} {reason.ended}: {reason.why} (for example {reason.example})"


def _next_step(found: Summary, program: str) -> str:
    if found.runs and found.runs[0].ended is None:
        return "A crawl is under way, or was killed; the same command resumes it."
    if found.waiting:
        return "Links are waiting: the same crawl command continues with them."
    return f"Next: {program} search WORDS."


def _counts_in_words(counted: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in sorted(counted.items())) or "none"
