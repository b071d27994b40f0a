"""The results of the demo, judged by the truth about the small web and not by the crawl itself.

Every stored page and answer is generated again in a second world of the same seed, which knows the records on it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from hiddenweb.forms.stored_form import form_from_json
from hiddenweb.index.query_parser import ParsedQuery
from hiddenweb.language.stop_words import stop_words
from hiddenweb.language.tokens import letter_runs
from hiddenweb.reports.printable import quantity
from hiddenweb.store.database import Store
from hiddenweb.urls import registered_domain
from simweb.messages import Request
from simweb.search import searchable_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from hiddenweb.index.whoosh import WhooshIndex
    from simweb.plan import SitePlan
    from simweb.truth import Reach, Truth
    from simweb.world import World

MIN_RECORDS, MAX_RECORDS = 3, 12
"""How many records have a word that is worth searching for: neither a unique name nor a word that is everywhere. A limit of taste."""


# What the crawl stored


@dataclass(frozen=True, slots=True)
class DemoForm:
    """A form that the crawl found, and what became of it."""

    page_url: str
    action: str
    may_submit: bool
    kind: str
    why: str
    queries: int  # that were sent and answered
    trouble: str  # why a query was not answered


@dataclass(frozen=True, slots=True)
class DemoHarvest:
    """What a crawl stored in its state, by host."""

    pages: dict[str, list[str]] = field(default_factory=dict)
    forms: dict[str, list[DemoForm]] = field(default_factory=dict)
    refusals: dict[str, str] = field(default_factory=dict)  # why a link was not read


def read_harvest(folder: Path) -> DemoHarvest:
    """Read what a crawl stored."""
    harvest = DemoHarvest()
    with Store(folder, write=False) as state:
        for (url,) in cast("list[tuple[str]]", state.rows("SELECT url FROM pages WHERE status = 200")):
            harvest.pages.setdefault(urlsplit(url).netloc, []).append(url)
        for url, why in cast("list[tuple[str, str]]", state.rows(_REFUSALS)):
            harvest.refusals.setdefault(urlsplit(url).netloc, why)
        for row in cast("list[tuple[str, str, int, str, str, int, str]]", state.rows(_FORMS)):
            url, form, may_submit, kind, why, queries, trouble = row
            action = form_from_json(form).action
            harvest.forms.setdefault(urlsplit(url).netloc, []).append(
                DemoForm(url, action, bool(may_submit), kind, why, queries, trouble)
            )
    return harvest


_REFUSALS = "SELECT url, why FROM links WHERE state IN (3, 4) AND why IS NOT NULL ORDER BY id"
_FORMS = (
    "SELECT page_url, form, may_submit, kind, why,"
    " (SELECT count(*) FROM submissions s WHERE s.form = forms.id AND s.state = 'answered'"
    " AND EXISTS (SELECT 1 FROM links WHERE links.submission = s.id)),"  # else links had led to that answer before
    " coalesce((SELECT min(s.why) FROM submissions s WHERE s.form = forms.id AND s.state = 'failed'), '')"
    " FROM forms ORDER BY id"
)


# Judging it


@dataclass(frozen=True, slots=True)
class DemoSite:
    """The hidden records of a site, and how many were found."""

    plan: SitePlan
    records: int
    by_links: int
    by_forms: frozenset[int]
    queries: int
    why: str  # no query was answered

    @property
    def style(self) -> str:
        """The kind of form, as simweb calls it."""
        return self.plan.database.style if self.plan.database else ""


def judge_site(
    truth: Truth, reach: Reach, plan: SitePlan, crawled: DemoHarvest, seeds: Sequence[SitePlan]
) -> DemoSite:
    """Judge by the truth what was found at a site."""
    by_links = {number for host, number in reach.records if host == plan.host}
    found = {number for url in crawled.pages.get(plan.host, ()) for number in _records_on(truth.world, url)}
    queries = sum(form.queries for form in crawled.forms.get(plan.host, ()))
    why = "" if queries else _why_not_submitted(truth, plan, crawled, seeds)
    return DemoSite(plan, truth.count(plan.host), len(by_links), frozenset(found - by_links), queries, why)


def introduction(truth: Truth, reach: Reach) -> str:
    """Say what is in the small web, and what links alone lead to."""
    world = truth.summary()
    styles = {site.plan.database.style for site in truth.sites(databases=True) if site.plan.database}
    records, by_links = world["records"], len(reach.records)
    return (
        f"It has {quantity(world['pages'], 'public page')} in {quantity(len(world['languages']), 'language')}, and"
        f" {quantity(world['databases'], 'database')} with {quantity(records, 'record')} behind search forms of"
        f" {quantity(len(styles), 'style')} (docs/simweb.md describes them). Links alone lead to {by_links:,} of the records;"
        f" the other {records - by_links:,} ({_share(records - by_links, records)}) are behind forms."
    )


def site_rows(found: Sequence[DemoSite], width: int) -> Iterator[str]:
    """Yield the rows of a table of sites, queried ones first, and the reasons why others were not queried."""
    longest = max((len(site.plan.host) for site in found), default=0)
    width_of_site = max(20, min(longest, width - len(_row("", 0, "", "", "", "", "", ""))))
    yield _row("site", width_of_site, "lang", "form", "records", "links", "behind", "queries")
    for site in sorted(found, key=lambda site: (not site.queries, -len(site.by_forms))):
        counts = (site.records, site.by_links, len(site.by_forms), site.queries)
        yield _row(
            site.plan.host,
            width_of_site,
            site.plan.language,
            site.style,
            *(f"{number:,}" for number in counts),
        )
        if site.why:
            yield f"    {site.why}"


def totals(found: Sequence[DemoSite]) -> str:
    """Sum up what was found."""
    hidden = sum(site.records - site.by_links for site in found)
    by_forms = sum(len(site.by_forms) for site in found)
    queried = [site for site in found if site.queries]
    hidden_at_queried = sum(site.records - site.by_links for site in queried)
    share = f", {_share(by_forms, hidden_at_queried)} of those at the queried sites" if queried else ""
    return (
        f"\n{quantity(hidden, 'record')} cannot be reached by links; we found {by_forms:,} of them ({_share(by_forms, hidden)}"
        f"{share}) with {quantity(sum(site.queries for site in found), 'query')} to"
        f" {len(queried)} of {quantity(len(found), 'site')}."
    )


def forms_left_alone(crawled: DemoHarvest) -> str:
    """Say how many forms were not submitted, and why."""
    forms = [form for form in chain.from_iterable(crawled.forms.values()) if not form.may_submit]
    searches = [form for form in forms if form.kind == "search"]
    others = [form.kind for form in forms if form.kind != "search"]
    parts = []
    if others:
        parts.append(f"{len(others)} for their purpose, as far as we can tell ({_counts_in_words(others)})")
    if searches:
        why = _counts_in_words(form.why.partition("; ")[0] for form in searches)
        parts.append(f"{len(searches)} that may search ({why})")
    because = f": {'; '.join(parts)}" if parts else ""
    return f"{quantity(len(forms), 'form')} {'was' if len(forms) == 1 else 'were'} left alone{because}."


def _why_not_submitted(truth: Truth, plan: SitePlan, crawled: DemoHarvest, seeds: Sequence[SitePlan]) -> str:
    """Say in words why no query was answered at a site."""
    if plan not in seeds:
        return f"left out of this demo: its robots.txt wants {plan.robots.crawl_delay:g} s between requests"
    if plan.host not in crawled.pages:
        return f"not read: {crawled.refusals.get(plan.host, 'no link leads there')}"
    paths = {urlsplit(form.action).path for form in truth.forms(plan.host) if form.form.is_search}
    forms = [form for form in crawled.forms.get(plan.host, ()) if urlsplit(form.action).path in paths]
    if trouble := next((form.trouble for form in forms if form.trouble), ""):
        return f"not submitted: {trouble}"
    reasons = [form.why.partition("; ")[0] for form in forms if not form.may_submit]
    return f"not submitted: {reasons[0] if reasons else 'no form was found on its pages'}"


def _records_on(world: World, url: str) -> tuple[int, ...]:
    parts = urlsplit(url)
    response = world.respond(Request("GET", parts.netloc, parts.path or "/", parts.query))
    return response.records if response is not None else ()


def words_worth_searching(
    truth: Truth, found: Sequence[DemoSite], index: WhooshIndex
) -> Iterator[tuple[DemoSite, str]]:
    """Yield sites and words from behind their forms: first one site for each language, English before others."""
    best = sorted(
        (site for site in found if site.by_forms),
        key=lambda site: (site.plan.language != "en", -len(site.by_forms)),
    )
    firsts = list({site.plan.language: site for site in reversed(best)}.values())[::-1]
    words = {site.plan.host: _distinctive_words(truth, site, index) for site in best}
    for site in chain(firsts, (site for site in best if site not in firsts), firsts, firsts):
        if word := next(words[site.plan.host], ""):
            yield site, word


def _distinctive_words(truth: Truth, site: DemoSite, index: WhooshIndex) -> Iterator[str]:
    """Yield words of records behind a form that are neither too common nor too rare, if a search ranks such a record first."""
    topic = truth.site(site.plan.host).catalogue.topic
    counted = Counter[str]()
    for each in truth.records(site.plan.host):
        if each.record.number in site.by_forms:
            runs = letter_runs(searchable_text(each.record, topic))
            counted.update({run for run in runs if len(run) > 1})
    common, domain = stop_words(site.plan.language), registered_domain(site.plan.url)
    candidates = [word for word, number in counted.items() if MIN_RECORDS <= number <= MAX_RECORDS]
    for word in sorted(candidates, key=lambda word: (-min(len(word), 8), -counted[word], word)):
        if word.lower() in common:
            continue
        first = next(iter(index.search(ParsedQuery(word, limit=1)).hits), None)
        if first is not None and first.document.behind_form and first.document.site == domain:
            yield word


def _row(
    site: str, width: int, language: str, style: str, records: str, links: str, behind: str, queries: str
) -> str:
    name = site if len(site) <= width else f"{site[: width - 1]}…"
    return f"{name:<{width}} {language:<4} {style:<14} {records:>7} {links:>6} {behind:>7} {queries:>9}"


def _counts_in_words(things: Iterable[str]) -> str:
    return ", ".join(f"{what}: {number}" for what, number in Counter(things).most_common())


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "none"
