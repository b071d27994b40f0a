"""What it will cost to query the forms of a crawl's sites, before anything is submitted.

The upper bound is certain: it follows from the budgets. What is expected is not. A database does not say how many records it has, but a page
may ("1,200 books"), and it shows how many stand on a page. To list N records with n on a page takes N / n requests if no query brings
a record twice, and `MOST_REPEATS` times as many if most queries overlap with others. The own pages of the records take up to
N more, if they are worth it, which the first five of each form decide. Where no page says a number, nothing is expected, and that is said.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from typing import TYPE_CHECKING

from hiddenweb.answers.totals import read_range, read_total
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.model import HttpQuery
from hiddenweb.querying.fillings import MOST_FILLINGS, fillings_without_box
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.plan import plan
from hiddenweb.records.page import read_page_with_items
from hiddenweb.reports.printable import clean_text, quantity
from hiddenweb.reports.summary import NOT_NAMED
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.store.database import Store

MOST_REPEATS = 4
"""Requests for each that would do if no record came twice: about what the queries of the benchmark `surface` need at most. A limit of taste."""

MOST_PAGES_READ = 30
"""Stored pages of a site that are read for a number of records. A limit of taste."""

USUALLY_SHOWN = 10
"""Records on a page of an answer, where only the estimate from earlier answers says how many there are. A limit of taste."""

FEWEST_SHOWN = 2
"""Records on a page from which it is a list."""

MOST_REASONS = 3
"""Reasons for a verdict that are named. A limit of taste."""

MAX_FORMS = 20
"""Forms of a site that are named. A limit of taste."""


@dataclass(frozen=True, slots=True)
class CrawlLimits:
    """What a crawl may spend, and how fast."""

    queries: int  # for each form
    pages: int  # of each site, of all crawls together
    delay: float  # seconds between two requests to a host
    agent: str = ""  # for the Crawl-delay of robots.txt
    detail_pages: str = "auto"


@dataclass(frozen=True, slots=True)
class StatedTotal:
    """How many records there are, as a page says."""

    records: int
    shown: int  # on that page
    url: str


@dataclass(frozen=True, slots=True)
class FormEstimate:
    """A form, and how many queries it may get."""

    number: int
    kind: str
    probability: float
    address: str  # with its method
    may_submit: bool
    why: tuple[str, ...]
    queries: int  # at most, from now on


@dataclass(frozen=True, slots=True)
class SiteEstimate:
    """What the forms of a site will cost."""

    domain: str
    pages: int  # read so far
    forms: tuple[FormEstimate, ...]
    most_requests: int
    seconds: float  # of a request
    total: StatedTotal | None = None
    details: str = "auto"

    @property
    def submittable(self) -> int:
        """How many forms would be submitted."""
        return sum(form.may_submit for form in self.forms)

    @property
    def expected(self) -> tuple[int, int] | None:
        """The requests for answers, at least and at most; None if no page says how many records there are."""
        if self.total is None or not self.submittable:
            return None
        fewest = ceil(self.total.records / self.total.shown)
        return min(fewest, self.most_requests), min(MOST_REPEATS * fewest, self.most_requests)


def estimate_sites(
    store: Store, limits: CrawlLimits, forms: Container[int] | None = None
) -> list[SiteEstimate]:
    """Return what the forms of the last crawl's sites will cost; of single forms, if they are named."""
    rows = store.rows(
        "SELECT id, domain, pages, seed FROM sites WHERE left IS NULL OR left <> ? ORDER BY pages DESC, id",
        (NOT_NAMED,),
    )
    values = LabelledValueSet.from_rows(store.knowledge.load_all("values"), datetime.now(UTC).date())
    sites = []
    for number, domain, pages, seed in rows:
        stored = [
            each for each in store.forms.load_site(int(str(number))) if forms is None or each.id in forms
        ]
        if forms is None or stored:
            site = int(str(number)), str(domain), int(str(pages)), str(seed)
            sites.append(_estimate_site(store, site, stored, limits, values))
    return sites


def _estimate_site(
    store: Store, site: tuple[int, str, int, str], stored: Sequence[StoredForm], limits: CrawlLimits,
    values: LabelledValueSet,
) -> SiteEstimate:  # fmt: skip
    number, domain, pages, seed = site
    estimates = tuple(_estimate_form(form, limits, values) for form in stored)
    left = max(0, limits.pages - pages) if any(each.queries for each in estimates) else 0
    address = next((form.form.action for form in stored if form.verdict.may_submit), seed)
    return SiteEstimate(
        domain, pages, estimates, left, _seconds(store, address, limits), _stated_total(store, number, stored), limits.detail_pages
    )  # fmt: skip


def _estimate_form(stored: StoredForm, limits: CrawlLimits, values: LabelledValueSet) -> FormEstimate:
    verdict, sent = stored.verdict, stored.as_sent
    queries = max(0, limits.queries - stored.queries) if verdict.may_submit else 0
    if queries and verdict.query_box is None:
        fillings = sum(1 for _ in fillings_without_box(plan(stored.form, None, values)))
        queries = min(queries, fillings) if fillings < MOST_FILLINGS else queries
    if stored.state == "done":
        queries = 0
    return FormEstimate(
        stored.id, verdict.kind, verdict.probability, f"{sent.method} {sent.template or sent.action}", verdict.may_submit,
        (stored.why,) if stored.state == "done" else verdict.refusals or verdict.why, queries,
    )  # fmt: skip


def _seconds(store: Store, url: str, limits: CrawlLimits) -> float:
    robots = store.sites.load_robots(origin(url))
    asked = RobotsRules.from_json(robots).crawl_delay(limits.agent) if robots else None
    return max(limits.delay, asked or 0.0)


def _stated_total(store: Store, site: int, forms: Sequence[StoredForm]) -> StatedTotal | None:
    """Return the largest number of records that a page of a site, or an estimate from its answers, speaks of."""
    found = [
        total
        for (url,) in store.rows(
            "SELECT url FROM pages WHERE site = ? ORDER BY id LIMIT ?", (site, MOST_PAGES_READ)
        )
        if (total := _total_on(store, str(url)))
    ]
    for form in forms:
        if form.coverage:
            known, size, *_ = json.loads(form.coverage)
            found.append(
                StatedTotal(
                    max(1, size - known), USUALLY_SHOWN, f"the estimate from the answers of form {form.id}"
                )
            )
    return max(found, key=lambda total: total.records, default=None)


def _total_on(store: Store, url: str) -> StatedTotal | None:
    source = store.pages.load_source(url)
    if source is None:
        return None
    page, query = read_page_with_items(source.body, url, content_type=source.content_type), HttpQuery(())
    shown_range = read_range(page, query)
    if shown_range is not None and shown_range.shown >= FEWEST_SHOWN:
        return StatedTotal(shown_range.total, shown_range.shown, url)
    shown = len(page.blocks)
    total = read_total(page, query, shown) if shown >= FEWEST_SHOWN else None
    return StatedTotal(total, shown, url) if total is not None and total >= shown else None


# In words


def estimate_lines(sites: Sequence[SiteEstimate]) -> Iterator[str]:
    """Yield what was found and what it will cost, for people."""
    for site in sites:
        yield f"{site.domain}: {quantity(site.pages, 'page')} read, {quantity(len(site.forms), 'form')}, of which {site.submittable:,} would be submitted"
        for form in site.forms[:MAX_FORMS]:
            yield from _form_lines(form)
        if len(site.forms) > MAX_FORMS:
            yield f"  and {quantity(len(site.forms) - MAX_FORMS, 'more form')}"
        yield from _cost_lines(site)


def _form_lines(form: FormEstimate) -> Iterator[str]:
    does = (
        f"would be submitted, with at most {quantity(form.queries, 'query')}"
        if form.queries
        else "gets no query"
    )
    if not form.may_submit:
        does = "left alone"
    yield f"  form {form.number}, {form.kind} ({100 * form.probability:.0f} % sure to search), {form.address}: {does}"
    for reason in form.why[:MOST_REASONS]:
        yield f"      {'because' if form.queries else 'reason:'} {clean_text(reason)}"
    if len(form.why) > MOST_REASONS:
        yield f"      and {quantity(len(form.why) - MOST_REASONS, 'more reason')}"


def _cost_lines(site: SiteEstimate) -> Iterator[str]:
    if not any(form.queries for form in site.forms):
        return
    if_fast = " if the site answers as fast" if site.seconds < 1 else ""
    paced = site.seconds > 0  # without a delay the time depends on the site alone
    pace = f"one request every {site.seconds:g} s" if site.seconds != 1 else "one request a second"
    takes = (
        f"{duration(site.most_requests * site.seconds)} at {pace}{if_fast}"
        if paced
        else "without a delay: how long they take depends on how fast the site answers"
    )
    yield f"  At most: {quantity(site.most_requests, 'request')}, {takes}. The budgets say so."
    if site.expected is None or site.total is None:
        yield "  Expected: nobody knows. No page that was read says how many records there are; most forms end long before the budgets do."
        return
    low, high = site.expected
    spread = f"{low:,} to {quantity(high, 'request')}" if low < high else quantity(low, "request")
    times = f" {duration(low * site.seconds)} to {duration(high * site.seconds)}," if paced else ""
    yield (
        f"  Expected: {spread} for the answers,{times} if {site.total.url}"
        f" is right: {quantity(site.total.records, 'record')}, {site.total.shown:,} on a page."
    )
    if site.details != "never":
        own = min(site.total.records, site.most_requests)
        time = f" ({duration(own * site.seconds)})" if paced else ""
        unless = " if the first five say more than the answers do" if site.details == "auto" else ""
        yield f"  And up to {quantity(own, 'request')}{time} for the records' own pages,{unless or ' all of them'}."


def duration(seconds: float) -> str:
    """Return a time in words, as exact as an estimate may be.

    >>> duration(0.4), duration(45), duration(200), duration(9_000), duration(400_000)
    ('1 second', '45 seconds', '3 minutes', '2.5 hours', '4.6 days')
    """
    if seconds < 100:
        return quantity(max(1, round(seconds)), "second")
    for unit, length, most in (("minute", 60, 100), ("hour", 3600, 48), ("day", 86_400, 0)):
        if seconds < most * length or not most:
            number = seconds / length
            text = f"{number:.0f}" if unit == "minute" or number >= 10 else f"{number:.1f}".removesuffix(".0")
            return f"{text} {unit if text == '1' else unit + 's'}"
    raise AssertionError(seconds)
