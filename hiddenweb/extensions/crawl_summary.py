"""How a crawl ended and what to do next: its outcome in one word, and its last line for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.fetch.errors import ALLOW
from hiddenweb.reports.printable import clean_text, quantity
from hiddenweb.reports.run_counts import NOTHING_YET, StateCounts
from hiddenweb.revisit.answer_changes import count_in_words
from hiddenweb.store.chosen_forms import ONLY_QUERIED

if TYPE_CHECKING:
    from hiddenweb.extensions.progress_text import RevisitProgress

SCRAPY = "scrapy"
"""The command of people who work in a project; others type `hiddenweb`."""

MAX_REASONS = 2
"""Reasons why forms are left alone that are named. A limit of taste."""

LONGEST_REASON = 160
"""Characters of such a reason. A limit of taste."""

OUTCOME = "hiddenweb/run/outcome"
"""The stat that says how a crawl ended: finished, limit, interrupted or failed."""

MAX_FORMS = 3
"""Forms whose end is explained. A limit of taste."""

NOFOLLOW_STATS = (
    "hiddenweb/nofollow/forms",
    "hiddenweb/nofollow/answer_pages",
    "hiddenweb/nofollow/records",
)
"""Counts of what was done on pages that say nofollow."""


@dataclass(frozen=True, slots=True)
class CrawlSummary:
    """The facts of the last line."""

    reason: str  # Scrapy's
    limit: str = ""  # NAME=VALUE of the setting that ended the crawl
    submit: bool = False
    tasks: int = 0  # that ended in this run, with success or not
    pages: int = 0
    forms: int = 0
    submittable: int = 0
    submitted: int = 0  # queries
    new_records: int = 0
    failed: int = 0
    refused: int = 0
    waiting: int = 0
    given_up: int = 0  # hosts that did not answer
    sites: tuple[tuple[str, int, str | None], ...] = ()  # domain, pages of all runs, why it was left
    trouble: str = ""  # the first failure
    remedy: str = ""  # what can be done about it
    before: StateCounts = NOTHING_YET  # what earlier crawls left in the state
    unused: tuple[tuple[str, int], ...] = ()  # why search forms were left alone, and how many
    forbidden: int = 0  # of what was refused: by robots.txt
    looked: bool = False  # only: a dry run
    program: str = "scrapy"  # the command that people type
    topic: str = ""  # of a crawl on a topic
    on_topic: int = 0  # forms
    nofollow: bool = False  # a search was submitted, or further pages of its answers were read, though a page says nofollow
    chosen: tuple[
        tuple[int, str], ...
    ] = ()  # the forms of a crawl of single forms, and why their queries ended
    not_come: int = 0  # pages of answers that the next crawl requests again
    lost: int = 0  # pages of answers to POST, which is never sent twice
    revisits: RevisitProgress | None = None


def describe_end(end: CrawlSummary) -> tuple[str, str]:
    """Return how a crawl ended, in one word (finished, limit, interrupted, failed) and in a line for people."""
    what = "link" if end.revisits is None else "revisit"
    resume = f"the same command resumes it ({quantity(end.waiting, what)} waiting)"
    if end.reason == "shutdown":
        return "interrupted", f"Interrupted (Ctrl-C or a signal): nothing is lost, {resume}. {_result(end)}"
    if end.limit and not (end.looked and (end.pages or end.before.pages)):
        return "limit", f"Stopped: limit {end.limit} reached; {resume}. {_result(end)}"
    if end.reason != "finished" and not end.limit:
        return "failed", f"Stopped: {clean_text(end.reason)}; {resume}. {_result(end)}"
    if end.revisits is not None:
        return _last_line_of_revisits(end, end.revisits)
    if not end.pages and not any(pages for _, pages, _ in end.sites):
        trouble = end.trouble or "there was nothing to fetch"
        return "failed", f"Nothing could be read: {trouble}. Next: {_remedy(end)}."
    if end.looked:
        return (
            "finished",
            f"Looked at {quantity(len(end.sites), 'site')}, and submitted nothing. {_result(end)}",
        )
    return "finished", f"Finished: {_what_was_done(end)}. {_result(end)} {_what_next(end)}"


def _remedy(end: CrawlSummary) -> str:
    if not end.remedy:
        return f"fix that, or see {end.program} status"
    return end.remedy if end.program == SCRAPY else end.remedy.replace(ALLOW, "--allow ")


def _last_line_of_revisits(end: CrawlSummary, revisits: RevisitProgress) -> tuple[str, str]:
    if revisits.done and revisits.unanswered == revisits.done:
        return "failed", f"Nothing could be revisited: {end.trouble}. Next: fix that, or see scrapy status."
    if revisits.left_today == 0 and not revisits.done:
        return (
            "finished",
            "Finished: all revisits of the last 24 hours that the budget allows were made. Next: scrapy changes.",
        )
    done = (
        "all revisits were made"
        if not end.waiting
        else f"{quantity(end.waiting, 'revisit')} still waiting for hosts"
    )
    return "finished", f"Finished: {done}. {_result(end)} Next: scrapy changes, scrapy search WORDS."


def _result_of_revisits(revisits: RevisitProgress) -> str:
    expected = f"{revisits.expected:.1f}" if 0 < revisits.expected < 10 else f"{revisits.expected:,.0f}"
    took = f" in {quantity(revisits.requests, 'request')}" if revisits.requests > revisits.done else ""
    text = f"{quantity(revisits.done, 'revisit')}{took}, {revisits.changed:,} found a change ({expected} expected)"
    if revisits.fruitless:
        text += f", {revisits.fruitless:,} came to nothing"
    if any(revisits.records):
        text += f"; records: {count_in_words(*revisits.records)}"
    if revisits.in_part:
        text += f"; {quantity(revisits.in_part, 'answer')} revisited in part (scrapy changes --answers)"
    if revisits.fresh is not None and revisits.fresh_before is not None:
        text += f"; about {100 * revisits.fresh:.0f} % of all pages are as they were read, {100 * revisits.fresh_before:.0f} % before"
    return f"{text}."


def _what_was_done(end: CrawlSummary) -> str:
    sites = quantity(len(end.sites), "site")
    left = [(domain, why) for domain, _, why in end.sites if why and why != ONLY_QUERIED]
    if end.chosen and not left and not end.given_up:
        return _describe_chosen_forms(end)
    if not end.tasks and not left and not end.given_up:
        return f"nothing was left to do, all links of {sites} were followed earlier"
    if end.topic:
        sites_now = quantity(sum(not why for _, _, why in end.sites), "site")
        return f"no site waits any more that may have search forms on {clean_text(end.topic)}; {sites_now} visited"
    if end.given_up:
        hosts = quantity(end.given_up, "host")
        return f"{hosts} did not answer, with {quantity(end.waiting, 'link')} waiting there; all others of {sites} were followed"
    if left:
        domain, why = left[0]
        were = "was" if len(left) == 1 else "were"
        return f"{len(left)} of {sites} {were} left early ({domain}: {clean_text(why)}), all other links were followed"
    return f"all links of {sites} were followed"


def _describe_chosen_forms(end: CrawlSummary) -> str:
    reasons = "; ".join(f"#{number}: {clean_text(why)}" for number, why in end.chosen[:MAX_FORMS])
    more = f"; and {len(end.chosen) - MAX_FORMS:,} more" if end.chosen[MAX_FORMS:] else ""
    before = "" if end.tasks else "nothing was left to do, "
    get = "form gets" if len(end.chosen) == 1 else "forms get"
    return f"{before}{len(end.chosen):,} {get} no more queries for now ({reasons}{more})"


def _result(end: CrawlSummary) -> str:
    if end.revisits is not None:
        return _result_of_revisits(end.revisits)
    parts = [f"{quantity(end.pages, 'page')}{_in_all(end.pages, end.before.pages)}"]
    parts.append(
        f"{quantity(end.forms, 'form')} ({end.submittable} submittable)" if end.forms else "no new form"
    )
    if end.topic:
        parts.append(f"{quantity(end.on_topic, 'search form')} on the topic")
    if end.submitted or end.new_records or (end.submit and end.before.queries):
        parts.append(
            f"{quantity(end.submitted, 'query')} submitted{_in_all(end.submitted, end.before.queries)}"
        )
        parts.append(
            f"{quantity(end.new_records, 'new record')}{_in_all(end.new_records, end.before.records)}"
        )
    if unread := end.failed + end.refused:
        forbidden = f" (robots.txt forbids {end.forbidden:,})" if end.forbidden else ""
        parts.append(f"{quantity(unread, 'link')} not read{forbidden}")
    if end.not_come:
        parts.append(
            f"{quantity(end.not_come, 'page')} of answers did not come, and the same command requests them again"
        )
    if end.lost:
        parts.append(f"{quantity(end.lost, 'page')} of answers lost that were sent by POST")
    nofollow = " Pages say nofollow: their links were not explored, their searches were (HIDDENWEB_NOFOLLOW)."
    return f"{', '.join(parts)}.{nofollow if end.nofollow else ''}{_unread_sites(end)}{_left_alone(end)}"


def _unread_sites(end: CrawlSummary) -> str:
    """Return which named site could not be read, if something can be done about it."""
    names = [domain for domain, pages, _ in end.sites if not pages]
    if not names or not end.remedy or end.topic:
        return ""
    more = f" and {quantity(len(names) - 1, 'other site')}" if names[1:] else ""
    return f" {names[0]}{more} could not be read: {_remedy(end)}."


def _in_all(now: int, before: int) -> str:
    return f" ({now + before:,} in all)" if before else ""


def _left_alone(end: CrawlSummary) -> str:
    """Return which search forms were not used, and why."""
    if not end.unused:
        return ""
    total = sum(count for _, count in end.unused)
    reasons = [clean_text(why, LONGEST_REASON) for why, _ in end.unused[:MAX_REASONS]]
    if len(end.unused) > 1:
        reasons = [f"{why} ({count:,})" for why, (_, count) in zip(reasons, end.unused, strict=False)]
    more = sum(count for _, count in end.unused[MAX_REASONS:])
    reasons += [f"other reasons ({more:,})"] if more else []
    were = "was" if total == 1 else "were"
    return f" {quantity(total, 'search form')} {were} not used: {'; '.join(reasons)}; {end.program} forms --why says more."


def _what_next(end: CrawlSummary) -> str:
    program = end.program
    harvest = f"{program} crawl harvest to submit the forms, " if end.submittable and not end.submit else ""
    return f"Next: {harvest}{program} search WORDS, {program} status."
