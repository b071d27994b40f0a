"""When the sitemaps of an explored site are fetched, and which of their links enter the frontier.

The sitemaps of robots.txt wait behind ordinary links. If the first pages of a site, or all there are, have no form that may be submitted, they come at once; and if none is named,
`/sitemap.xml` is tried, which costs one request. So if a form is found at once, nothing is fetched that was not offered.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.frontier.scope import FIRST
from hiddenweb.frontier.sitemap_scope import SITEMAPS, pages_to_follow
from hiddenweb.model import TaskSeed
from hiddenweb.urls import normalise_url, origin, registered_domain, url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.frontier.scope import FrontierScope
    from hiddenweb.model import CrawlTask, PageList
    from hiddenweb.store.database import Store
    from hiddenweb.store.frontier import AddedLinks

FIRST_PAGES = 10
"""Explored pages after which a site with a search has most often shown it. A limit of taste."""

MOST_FILES = 5
"""Sitemaps that are fetched of one site. A limit of taste."""

USUAL = "/sitemap.xml"


class SitemapLinks:
    """The sitemaps of the sites of one crawl, of each at most so many links."""

    def __init__(self, store: Store, most: int, rules: FrontierScope) -> None:
        self._store = store
        self._most = most
        self._rules = rules
        self._named: dict[int, list[str]] = {}  # by site
        self._settled: set[int] = set()  # sites with a form, or whose sitemaps are fetched already
        self._files: Counter[int] = Counter()
        self._added: Counter[int] = Counter()

    def is_undecided(self, site: int) -> bool:
        """Say whether a page of the site may still decide about its sitemaps."""
        return self._most > 0 and site not in self._settled

    def add_due(self, task: CrawlTask, named: Iterable[str], explored: int, *, may_guess: bool = True) -> int:
        """Put the sitemaps into the frontier that are due after a page, of those in robots.txt; return how many come at once.

        A page with nofollow is no reason to guess an address.
        """
        site = task.site
        if site not in self._named:
            self._named[site] = _urls_of_site(named, task.url)[:MOST_FILES]
            self._add(task, self._named[site], SITEMAPS)
        if any(form.verdict.may_submit for form in self._store.forms.load_site(site)):
            self._settled.add(site)
            return 0
        if (explored < FIRST_PAGES and self._has_waiting(task)) or not (self._named[site] or may_guess):
            return 0
        self._settled.add(site)
        due = self._named[site] or [f"{origin(task.url)}{USUAL}"]
        added = self._add(task, due, FIRST)
        return len(added) + self._store.frontier.bring_forward([url_hash(url) for url in due], FIRST)

    def add_named(self, task: CrawlTask, sitemap: PageList) -> AddedLinks:
        """Put the entries of a sitemap into the frontier: pages, or further sitemaps."""
        self._add(task, _urls_of_site(sitemap.sitemaps, task.url), FIRST)
        room = max(self._most - self._added[task.site], 0)
        pages = [url for url in map(normalise_url, sitemap.pages) if url is not None]
        links = pages_to_follow(_urls_of_site(pages, task.url), task, self._rules, room)
        added = self._store.frontier.add(links)
        self._added[task.site] += added.new
        return added

    def _add(self, task: CrawlTask, urls: list[str], bucket: int) -> list[TaskSeed]:
        room = max(MOST_FILES - self._files[task.site], 0)
        added = self._store.frontier.add(
            TaskSeed(url, "sitemap", bucket, task.hops + 1, parent=task.link) for url in urls[:room]
        )
        self._files[task.site] += added.new
        return list(added.links)

    def _has_waiting(self, task: CrawlTask) -> bool:
        """Say whether ordinary links of a site wait or are under way, one task aside."""
        return bool(
            self._store.rows(
                "SELECT 1 FROM links JOIN hosts ON hosts.id = links.host WHERE hosts.site = ? AND links.state IN (0, 1)"
                " AND links.kind = 'page' AND links.bucket < ? AND links.id <> ? LIMIT 1",
                (task.site, SITEMAPS, task.link),
            )
        )


def _urls_of_site(urls: Iterable[str], url: str) -> list[str]:
    """Return those addresses, normalised, that are on the same site as `url`."""
    domain = registered_domain(url)
    normalised = (normalise_url(each, url) for each in urls)
    return list(dict.fromkeys(each for each in normalised if each and registered_domain(each) == domain))
