"""The two stages of a crawl on a topic, with their state in the store.

Candidates, links between sites and the outcome of every site are rows; open sites are held in memory, and read again from
their links after they were left or the crawl was killed. What was learnt is written term by term with the next commit, in the
transaction of the pages it was learnt from: after a kill the two agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.focused.adaptive import AdaptiveCrawler
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.locating.site_ranker import SEEDS_FIRST
from hiddenweb.focused.smartcrawler import SmartCrawler
from hiddenweb.focused.stages import DEEP, ON_TOPIC, FocusedLimits, PageFindings
from hiddenweb.model import CrawlTask, TaskSeed
from hiddenweb.store.candidates import SqliteCandidates
from hiddenweb.store.explored_sites import ExploredSiteStore
from hiddenweb.store.site_links import SqliteLinkIndex
from hiddenweb.store.topic_knowledge import load_terms, restore_learners, save_terms
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from random import Random

    from hiddenweb.focused.exploring.depth_explorer import DepthExplorer
    from hiddenweb.focused.exploring.value_explorer import ValueExplorer
    from hiddenweb.focused.locating.candidates import SiteCandidate
    from hiddenweb.focused.stages import Linking, OpenSite
    from hiddenweb.focused.topic_crawl import VisitedPage
    from hiddenweb.store.database import Store

CHOSEN, FIRST = 0, 1
"""Buckets of links: those that a stage has chosen, and the others."""

NOT_DONE = 2 * SEEDS_FIRST
"""The rank of a site that a crawl was exploring when it ended: it is resumed before new ones."""

NAMED_SITES = " (given sites)"
"""The suffix of a topic's name for candidates that are only sites named by people."""

_SEARCHED = "reverse search: "  # and the topic


class FocusedStore:
    """The two stages of a crawl, and the frontier they choose from.

    The scheduler calls `open_site` and `lease`; the last pipeline reports the outcome with `read`, `note_missing` and `note_skipped`.
    `linking` and `arrived` are reverse search: results at once, and results that arrive later. With `follow_sites` off, only the sites of the seeds are visited: the second stage alone.
    """

    def __init__(
        self,
        store: Store,
        topic: str,
        terms: Iterable[str],
        rng: Random,
        plan: FocusedLimits,
        *,
        strategy: str = "adaptive",
        linking: Linking | None = None,
        arrived: Callable[[], Iterable[str]] = tuple,
        follow_sites: bool = True,
    ) -> None:
        self._arrived = arrived
        self.topic = topic
        self.strategy = strategy
        self._store = store
        self._follow_sites = follow_sites
        self._candidates = SqliteCandidates(store, topic if follow_sites else f"{topic}{NAMED_SITES}")
        if not follow_sites:
            self._candidates.clear()
        self._explored = ExploredSiteStore(store, topic)
        self.index = SqliteLinkIndex(store, topic)
        self._linking = linking
        common: dict[str, Any] = {
            "linking": self._search_reverse if follow_sites else None,
            "load_memory": self._explored.load_memory,
        }
        arguments = (self._candidates, self.index, rng, plan)
        self.stages: AdaptiveCrawler | SmartCrawler = (
            AdaptiveCrawler(*arguments, topic=frozenset(terms), **common)
            if strategy == "adaptive"
            else SmartCrawler(*arguments, **common)
        )
        self._under_way: dict[int, tuple[str, LinkCandidate]] = {}  # by the number of a link
        self._keys: dict[int, set[str]] = {}  # by the number of a site: what of it is open
        self._resume()

    # Beginning

    def start(self, seeds: Collection[str]) -> None:
        """Begin with the sites that people named; candidates of an earlier crawl of the topic wait, too."""
        self.stages.start(seeds)
        for seed in seeds:
            self._resume_site(registered_domain(seed))
        self._explored.mark_seeds(map(registered_domain, seeds))

    def _resume(self) -> None:
        """Load what was learnt, and resume the sites that a crawl was exploring when it ended."""
        restore_learners(self.stages, load_terms(self._store, self.topic))
        self.stages.frontier.mark_outdated()  # what an earlier crawl ranked may be worth more or less by now
        self.stages.searched.update(
            site for site, _ in self._store.knowledge.load_all(f"{_SEARCHED}{self.topic}")
        )
        for key, kind, seed, ended in self._explored.load_all():
            self.stages.sites[key] = kind
            if seed or kind == DEEP:
                self.stages.add_good_site(key)
            elif kind == ON_TOPIC and isinstance(self.stages, AdaptiveCrawler):
                self.stages.add_formless_site(key)
            if self._follow_sites and ended is None:
                self._resume_site(key)

    def _resume_site(self, key: str) -> None:
        """Add a site that was opened and has not ended."""
        candidate = self._explored.find_open(key)
        if candidate and key not in self.stages.open_sites and self._candidates.get(key) is None:
            candidate.rested = NOT_DONE
            self.stages.frontier.put(candidate, high=True)

    # What the scheduler calls

    @property
    def open_sites(self) -> int:
        """How many sites are being explored."""
        return len(self.stages.open_sites)

    @property
    def waiting(self) -> int:
        """How many sites wait."""
        return len(self.stages.frontier)

    @property
    def deepest(self) -> int:
        """To which distance from its homepage, in links, a site is explored."""
        return self.stages.plan.criteria.depth

    def resume_queries(self) -> None:
        """Wake the hosts whose forms on topic may be queried: their sites may not be opened again."""
        for url in self._store.forms.find_sites_to_query(self.topic):
            self._store.sites.want(url)
        self._store.sites.woken_hosts.update(self._store.frontier.find_hosts_with_chosen())

    def open_site(self, at: float) -> bool:
        """Open the best site that waits, so that its hosts get their turn; say whether there was one."""
        if self._follow_sites:
            self.stages.add_linking_pages(self._arrived())
        candidate = self.stages.next_site()
        if candidate is None:
            return False
        site = self._store.sites.want(candidate.url)
        self._keys.setdefault(site, set()).add(candidate.key)
        if not self.stages.open_sites[candidate.key].explorer.progress.pages:
            self._begin_site(candidate, site, at)
        self._store.sites.wake(site)
        return True

    def _begin_site(self, candidate: SiteCandidate, site: int, at: float) -> None:
        """Add the first page of a site; if it was read for another topic, all its pages wait again."""
        is_new = self._explored.add(candidate, at)
        added = self._store.frontier.add([TaskSeed(candidate.url, "page", FIRST)])
        if not added.new and is_new:
            self._store.frontier.reset_site(site)

    def _search_reverse(self, target: str) -> Iterable[str]:
        """Search for links to a site, once for all crawls of the topic."""
        self._store.knowledge.put(f"{_SEARCHED}{self.topic}", target, "asked")
        return self._linking(target) if self._linking is not None else ()

    def lease(
        self, host: int, count: int, now: float, *, with_queries: bool = True
    ) -> tuple[list[CrawlTask], float | None]:
        """Take the waiting tasks of a host that no stage chooses (queries, records, retries), or else the link a stage chooses."""
        site = self._store.sites.load_host(host).site
        tasks, later = self._store.frontier.lease_chosen(
            host, count, now, with_queries=with_queries, pages=bool(self._keys.get(site))
        )
        if tasks:
            for task in tasks:
                self._adopt(task)
            return tasks, None
        while (chosen := self._choose(site)) is not None:
            if chosen.host == host:
                return [chosen], None
            self._store.frontier.choose(chosen)
        return [], later

    def _adopt(self, task: CrawlTask) -> None:
        """Tell a stage that a link which it chose in an earlier crawl is under way again."""
        if _is_page(task) and self._find_choice(task) is None:
            key = next(iter(self._keys[task.site]))
            lead = LinkCandidate(task.url, task.hops)
            self.stages.open_sites[key].explorer.take(lead)
            self._under_way[task.link] = (key, lead)

    def _choose(self, site: int) -> CrawlTask | None:
        """Return the next link of a site that can be visited; None if there is none now."""
        for key in list(self._keys.get(site, ())):
            while key in self.stages.open_sites:
                explorer = self.stages.open_sites[key].explorer
                lead = self.stages.next_link(key)
                if lead is not None:
                    if task := self._store.frontier.lease_url(lead.url):
                        self._under_way[task.link] = (key, lead)
                        return task
                    self.stages.skip(key, lead)
                elif key in self.stages.open_sites:
                    break  # a page under way may lead on
                else:
                    self._close_site(site, key, explorer.ended)
        return None

    def _close_site(self, site: int, key: str, why: str | None) -> None:
        """Note that a site is not open any more: it ended, or it rests."""
        self._keys[site].discard(key)
        if not self._keys[site]:
            del self._keys[site]
        if why is not None:
            self._explored.end(key, why)

    def give_up(self, site: int) -> None:
        """Close a site that does not answer or was left for other reasons; the next crawl resumes it."""
        for key in self._keys.pop(site, ()):
            self.stages.open_sites.pop(key, None)

    # Outcomes

    def is_chosen(self, task: CrawlTask) -> bool:
        """Say whether a stage chose a link."""
        return self._find_choice(task) is not None

    def _find_choice(self, task: CrawlTask) -> tuple[int, str, LinkCandidate] | None:
        """Return the number of the link a stage chose, its site and the lead, also for a target of its redirects."""
        if not _is_page(task):
            return None
        number = task.link
        for _ in range(task.redirects + 1):
            if number in self._under_way:
                key, lead = self._under_way[number]
                return number, key, lead
            parent = self._store.frontier.find_parent(number)
            if parent is None:
                return None
            number = parent
        return None

    def read(self, task: CrawlTask, page: VisitedPage) -> None:
        """Learn from a page that a stage chose."""
        chosen = self._find_choice(task)
        if chosen is None:
            return
        number, key, lead = chosen
        del self._under_way[number]
        findings = PageFindings(
            [_lead(link, page.url, page.language) for link in page.links], list(page.outward) if self._follow_sites else [],
            page.language, page.forms, page.rewards, page.homepage.on_topic,
        )  # fmt: skip
        verdict = page.homepage.verdict if lead.depth == 0 else ""
        self._save(self.stages.read(key, lead, findings), page.language, verdict)

    def move_site(self, task: CrawlTask, target: str) -> bool:
        """Say whether a link redirects to another site, which then is added as a candidate."""
        chosen = self._find_choice(task)
        if chosen is None or registered_domain(target) == registered_domain(task.url):
            return False
        self.note_skipped(task)
        self.stages.move(chosen[1], target, seeds_only=not self._follow_sites)
        return True

    def is_engine(self, task: CrawlTask) -> bool:
        """Say whether a link is a query to a search engine."""
        chosen = self._find_choice(task)
        opened = self.stages.open_sites.get(chosen[1]) if chosen else None
        return opened is not None and opened.candidate.kind == "engine"

    def note_engine_answer(self, task: CrawlTask, urls: Iterable[str]) -> None:
        """Note which pages a search engine named."""
        self.note_skipped(task)
        self.stages.add_linking_pages(urls)

    def note_missing(self, task: CrawlTask) -> None:
        """Note that there is nothing to read: no answer, or no page."""
        if chosen := self._find_choice(task):
            number, key, lead = chosen
            del self._under_way[number]
            self._save(self.stages.read(key, lead, PageFindings(is_missing=True)))

    def note_skipped(self, task: CrawlTask) -> None:
        """Note that a link was not visited after all."""
        if chosen := self._find_choice(task):
            number, key, lead = chosen
            del self._under_way[number]
            self.stages.skip(key, lead)

    def _save(
        self,
        opened: OpenSite[ValueExplorer] | OpenSite[DepthExplorer] | None,
        language: str = "",
        verdict: str = "",
    ) -> None:
        """Write how far the exploration of a site has come."""
        if opened is not None:
            self._explored.save(opened, self.stages.sites[opened.candidate.key], language, verdict)

    def write(self) -> None:
        """Write what was learnt since the last time, and what ranks follow from it; called before each commit."""
        self.stages.frontier.write()
        save_terms(self._store, self.topic, self.stages)


def _is_page(task: CrawlTask) -> bool:
    """Say whether a link may be one that a stage chose."""
    return task.kind == "page" and task.submission is None


def _lead(link: TaskSeed, parent: str, language: str) -> LinkCandidate:
    return LinkCandidate(
        link.url, link.hops, link.anchor, link.around, link.tag_path, language, parent=parent
    )
