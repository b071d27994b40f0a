"""How like the real web the simulated one of the harvest benchmark is: measured on its pages, beside what is published.

Pages are drawn so that each is as likely as any other, sites likewise. Depths of interfaces are taken from the plan; that they are the
distances that links make is tested. Power laws are fitted as in `benchmarks._simweb_calibration`.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from benchmarks._harvest_material import TOPICS
from benchmarks._harvest_words import TELLING_PATTERN, TOPIC_WORDS
from benchmarks._simweb_calibration import power_law
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks._harvest_forms import FormSeen
    from benchmarks._harvest_plan import Site
    from benchmarks._harvest_web import GraphWeb
    from hiddenweb.model import Link, Page

DEPTH = 3

_TELLING = re.compile(TELLING_PATTERN, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sample:
    """How much of a web is looked at."""

    pages: int = 2000  # pages that are read, for their links
    sites: int = 3000  # sites whose forms are all counted
    searched: int = 300  # sites with databases whose links to forms are read
    seed: int = 1


class Figure(NamedTuple):
    """One measure of the web beside the published one, or beside what was asked for."""

    key: str
    value: float
    published: str


def calibration(web: GraphWeb, sample: Sample = Sample()) -> list[Figure]:  # noqa: B008  it is frozen
    """Measure a web, by looking at so much of it."""
    rng = Random(f"harvest calibration {sample.seed}")
    return [
        *_pages(web, sample, rng),
        *_forms(web, sample, rng),
        *_interfaces(web),
        *_links_to_forms(web, sample, rng),
        *_sites(web),
        *_judgements(web),
    ]


# Pages


def _pages(web: GraphWeb, sample: Sample, rng: Random) -> list[Figure]:
    pages = [answer.page for url in web.some_pages(sample.pages, rng) if (answer := web.read(url))]
    ordinary = [link for page in pages for link in _own_links(page) if _leads_to_no_search(link, web)]
    links = [link for page in pages for link in page.links]
    few = links[:: max(1, len(links) // 10_000)]
    kept = [same for page in pages for same in _same_topic(page, web)]
    return [
        Figure("out_of_site_links", fmean(_outward_share(page) for page in pages), "0.04 to 0.11"),
        Figure("links_of_a_page", fmean(len(page.links) for page in pages), "20 to 45"),
        Figure("misleading_links", fmean(_looks_telling(link) for link in ordinary), "0.02 to 0.04"),
        Figure("dead_links", fmean(web.find(link.url) is None for link in few), "0.01 to 0.03"),
        Figure("same_topic_links", fmean(kept), "weak; 0.25 to 0.35 drawn on purpose"),
    ]


def _outward_share(page: Page) -> float:
    return 1 - sum(1 for _ in _own_links(page)) / max(1, len(page.links))


def _own_links(page: Page) -> Iterator[Link]:
    site = registered_domain(page.url)
    return (link for link in page.links if registered_domain(link.url) == site)


def _same_topic(page: Page, web: GraphWeb) -> Iterator[bool]:
    """Yield for each link of a page on a topic to another site whether that is on the same topic."""
    site = web.plan.sites[web.plan.number_of[registered_domain(page.url)]]
    if site.subject < len(TOPICS):
        for link in page.links:
            other = web.plan.sites[web.plan.number_of[registered_domain(link.url)]]
            if other is not site:
                yield other.subject == site.subject


def _leads_to_no_search(link: Link, web: GraphWeb) -> bool:
    found = web.find(link.url)
    return found is None or not any(
        form.searchable for form in web.layout(found[0]).forms.get(found[1].page, ())
    )


def _looks_telling(link: Link) -> bool:
    """Say whether an anchor or a path speaks of a search."""
    path = link.url.partition("://")[2].partition("/")[2]
    return bool(_TELLING.search(link.anchor) or _TELLING.search(path))


# Forms


def _forms(web: GraphWeb, sample: Sample, rng: Random) -> list[Figure]:
    sites = rng.sample(web.plan.sites, min(sample.sites, len(web.plan.sites)))
    with_form = sum(_pages_with_form(site, web) for site in sites if site.kind != "dead")
    forms = {form.id: form for site in sites for form in _forms_of(site, web)}.values()
    searches = [form.taken_for_search for form in forms if form.searchable]
    taken = [form.searchable for form in forms if form.taken_for_search]
    return [
        Figure(
            "pages_with_form", with_form / sum(site.pages for site in sites if site.kind != "dead"), "0.025"
        ),
        Figure("relevant_forms", fmean(bool(form.topic) for form in forms), "about 1/6"),
        Figure("site_searches", fmean(form.searchable and not form.topic for form in forms), "not known"),
        Figure("search_precision", fmean(taken), "0.985 (cross-validated, on other shares)"),
        Figure("search_recall", fmean(searches), "0.966 (cross-validated)"),
    ]


def _forms_of(site: Site, web: GraphWeb) -> Iterator[FormSeen]:
    if site.kind != "dead" and site.original == site.number:
        for _, form in web.layout(site).all_forms():
            yield form


def _pages_with_form(site: Site, web: GraphWeb) -> int:
    return site.pages if site.box else len(web.layout(site).forms)


def _interfaces(web: GraphWeb) -> list[Figure]:
    searched = [site for site in web.plan.sites if site.interfaces and site.original == site.number]
    interfaces = [(site.number, each) for site in searched for each in site.interfaces]
    first: dict[tuple[int, int], int] = {}
    for number, each in interfaces:
        key = (number, each.database)
        first[key] = min(each.depth, first.get(key, each.depth))
    pages = sum(site.pages for site in web.plan.sites)
    return [
        Figure("interfaces_within_3", fmean(each.depth <= DEPTH for _, each in interfaces), "0.72"),
        Figure("databases_within_3", fmean(depth <= DEPTH for depth in first.values()), "0.94"),
        Figure("interfaces_of_a_site", len(interfaces) / len(searched), "4.2"),
        Figure("databases_of_a_site", len(first) / len(searched), "1.5"),
        Figure("relevant_per_1000_pages", 1000 * len(interfaces) / pages, "about 4"),
    ]


def _links_to_forms(web: GraphWeb, sample: Sample, rng: Random) -> list[Figure]:
    """Measure how many links to pages with interfaces tell of a search, each page by one link of the page it hangs below."""
    searched = [site for site in web.plan.sites if site.interfaces and not site.trap]
    told = [
        _looks_telling(link)
        for site in rng.sample(searched, min(sample.searched, len(searched)))
        for link in _to_interfaces(site, web)
    ]
    return [Figure("telling_links", fmean(told), "0.55 to 0.65")]


def _to_interfaces(site: Site, web: GraphWeb) -> Iterator[Link]:
    layout = web.layout(site)
    for special in layout.specials:
        answer = web.read(site.root + layout.path(special.parent)) if special.kind == "interface" else None
        if answer:
            yield next(link for link in answer.page.links if link.url == site.root + special.path)


# Sites


def _sites(web: GraphWeb) -> list[Figure]:
    sites = web.plan.sites
    linking = Counter(other for site in sites for other in site.linked)
    on_topic = [site for group in web.plan.on_topic for site in group]
    named = [
        any(word in site.domain for word in TOPIC_WORDS[TOPICS[site.subject]].split()[:12])
        for site in on_topic
    ]
    return [
        Figure("site_size_exponent", power_law(site.pages for site in sites).exponent, "1.7 to 1.9"),
        Figure("in_link_exponent", power_law(linking.values()).exponent, "2.1"),
        Figure("linked_sites", fmean(len(site.linked) for site in sites), "14.5"),
        Figure("database_links_from_databases", _to_databases(web, from_database=True), "slightly more than"),
        Figure("database_links_from_others", _to_databases(web, from_database=False), "this"),
        Figure("sites_off_topic", 1 - len(on_topic) / len(sites), "a third to a half"),
        Figure("sites_with_database", fmean(site.kind == "database" for site in on_topic), "0.3 to 0.4"),
        Figure("named_for_topic", fmean(named), "0.35 to 0.45"),
        Figure("pages_of_all_sites", sum(site.pages for site in sites), ""),
    ]


def _to_databases(web: GraphWeb, *, from_database: bool) -> float:
    """Return how many links between sites of one topic lead to a site with a database."""
    return fmean(
        web.plan.sites[other].kind == "database"
        for group in web.plan.on_topic
        for site in group
        if (site.kind == "database") == from_database
        for other in site.linked
        if web.plan.sites[other].subject == site.subject
    )


def _judgements(web: GraphWeb) -> list[Figure]:
    errors = [
        fmean((site.taken >> topic & 1) != site.is_on(topic) for site in web.plan.sites)
        for topic in range(len(TOPICS))
    ]
    seeds = [
        web.plan.sites[web.plan.number_of[registered_domain(seed)]]
        for topic in TOPICS
        for seed in web.seeds(topic)
    ]
    on_topic = [site for site in seeds if site.subject < len(TOPICS)]
    return [
        Figure("site_error_least", min(errors), "0.02"),
        Figure("site_error_most", max(errors), "0.09"),
        Figure("seeds_with_database", fmean(site.kind == "database" for site in on_topic), "0.4"),
    ]
