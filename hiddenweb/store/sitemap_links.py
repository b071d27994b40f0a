"""When the sitemaps of a site that is explored are asked for, and what they bring into the frontier.

Those that robots.txt names wait behind ordinary links. If the first pages of a site, or all there are, have no form that may be asked, they come at once; and if none is named,
`/sitemap.xml` is tried, which costs one request. So where a form is found at once, nothing is asked that nobody offered.
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
"""Pages of a site that links lead to, by which one that has a search has most often shown it. A limit of taste."""

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
        self._settled: set[int] = set()  # sites with a form, or whose sitemaps are asked for already
        self._files: Counter[int] = Counter()
        self._taken: Counter[int] = Counter()

    def is_undecided(self, site: int) -> bool:
        """Say whether a page of the site may change what is done about its sitemaps."""
        return self._most > 0 and site not in self._settled

    def add_due(self, task: CrawlTask, named: Iterable[str], explored: int, *, may_guess: bool = True) -> int:
        """Put sitemaps into the frontier that are due after a page, given those that robots.txt names; return how many come at once.

        Whoever wants no link to be followed does not want one to be guessed.
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

    def add_named(self, task: CrawlTask, named: PageList) -> AddedLinks:
        """Put what a sitemap names into the frontier: pages, or further sitemaps."""
        self._add(task, _urls_of_site(named.sitemaps, task.url), FIRST)
        left = max(self._most - self._taken[task.site], 0)
        pages = [url for url in map(normalise_url, named.pages) if url is not None]
        links = pages_to_follow(_urls_of_site(pages, task.url), task, self._rules, left)
        added = self._store.frontier.add(links)
        self._taken[task.site] += added.new
        return added

    def _add(self, task: CrawlTask, urls: list[str], bucket: int) -> list[TaskSeed]:
        room = max(MOST_FILES - self._files[task.site], 0)
        added = self._store.frontier.add(
            TaskSeed(url, "sitemap", bucket, task.hops + 1, parent=task.link) for url in urls[:room]
        )
        self._files[task.site] += added.new
        return list(added.links)

    def _has_waiting(self, task: CrawlTask) -> bool:
        """Say whether ordinary links of a site wait or are under way, one errand aside."""
        return bool(
            self._store.rows(
                "SELECT 1 FROM links JOIN hosts ON hosts.id = links.host WHERE hosts.site = ? AND links.state IN (0, 1)"
                " AND links.kind = 'page' AND links.bucket < ? AND links.id <> ? LIMIT 1",
                (task.site, SITEMAPS, task.link),
            )
        )


def _urls_of_site(urls: Iterable[str], url: str) -> list[str]:
    """Return the addresses that are on the site of another one, as they are fetched."""
    place = registered_domain(url)
    found = (normalise_url(each, url) for each in urls)
    return list(dict.fromkeys(each for each in found if each and registered_domain(each) == place))
