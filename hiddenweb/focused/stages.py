"""The two stages together: which site comes next, which of its links, and what every page teaches both stages.

A crawl calls `next_site` for a site to open, `next_link` for the links of an open site until there is none, and `read` with what each
page had. So the same code serves a crawl, where many sites are open at once and take turns, and a simulation that reads page by page.

This is what both strategies have in common: `hiddenweb.focused.smartcrawler` is the published algorithm, `hiddenweb.focused.adaptive` ours.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar
from urllib.parse import urlsplit

from hiddenweb.focused.exploring.depth_explorer import DepthExplorer
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.exploring.link_ranker import LinkLearner
from hiddenweb.focused.exploring.value_explorer import ValueExplorer
from hiddenweb.focused.locating.candidates import SiteCandidate, candidate_site
from hiddenweb.focused.locating.reverse_search import is_centre_page
from hiddenweb.focused.locating.site_frontier import HELD, SiteFrontier
from hiddenweb.focused.locating.site_ranker import SiteLearner
from hiddenweb.frontier.stopping import ExplorationProgress, StopCriteria
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

    from hiddenweb.focused.link_index import LinkIndex
    from hiddenweb.focused.locating.candidates import SiteCandidates
    from hiddenweb.model import Link

    Linking = Callable[[str], Iterable[str]]
    """Reverse search: returns addresses of pages that may link to a site."""

Explorer = TypeVar("Explorer", DepthExplorer, ValueExplorer)

OFF_TOPIC, ON_TOPIC, DEEP = range(3)
"""What a site turned out to be; deep ones have search forms on the topic."""


@dataclass(frozen=True, slots=True)
class FocusedLimits:
    """The numbers of the two stages, with the paper's defaults."""

    criteria: StopCriteria = field(default_factory=StopCriteria)
    alpha: float = 0.7
    visits: int = 100  # of one depth: V of the link tree
    deep_sites: int = 50  # new ones after which the spaces are rebuilt
    forms: int = 100  # the same
    few: int = 50  # candidates, below which reverse search begins: T_front
    hub: int = 2  # a centre page links to more good sites than these: T_hub


@dataclass(frozen=True, slots=True)
class PageFindings:
    """What a page had."""

    inner: Sequence[LinkCandidate] = ()  # to pages of its site
    outward: Sequence[Link] = ()  # to other sites
    language: str = ""
    forms: int = 0  # search forms that were not found before on the site
    rewards: int = 0  # those of them that are on topic
    on_topic: bool = True  # the homepage, as the site classifier takes it
    is_missing: bool = False  # there was no page


@dataclass(frozen=True, slots=True)
class SiteMemory:
    """What is known of a site that was visited before: enough to resume it."""

    progress: Sequence[Sequence[int]] = ()
    fruitless: int = 0  # pages since the last form on topic
    site: Sequence[str] = ()  # features
    forms: int = 0  # on topic
    waiting: Sequence[LinkCandidate] = ()
    visited: Sequence[tuple[LinkCandidate, bool]] = ()  # and whether they gave a form on topic


@dataclass(slots=True)
class OpenSite(Generic[Explorer]):
    """A site that is being explored, or a single page that is being read."""

    candidate: SiteCandidate
    explorer: Explorer
    forms: int = 0  # on topic


class Stages(ABC, Generic[Explorer]):
    """What both strategies have in common: the sites, who links to whom, and reverse search.

    `linking` does the reverse search. `load_memory` returns what is known of a site that was visited before, if that is stored
    elsewhere. `held` candidates are always ranked by all that is known.
    """

    def __init__(
        self,
        candidates: SiteCandidates,
        index: LinkIndex,
        rng: Random,
        plan: FocusedLimits,
        *,
        linking: Linking | None = None,
        load_memory: Callable[[str], SiteMemory] | None = None,
        held: int = HELD,
    ) -> None:
        self.plan = plan
        self.sites: dict[str, int] = {}  # all that were opened, and what they are
        self.open_sites: dict[str, OpenSite[Explorer]] = {}
        self.frontier = SiteFrontier(candidates, self.judge, held=held, common=self._common)
        self.link_learner = LinkLearner()
        self.site_learner = SiteLearner(alpha=plan.alpha)
        self.good: dict[str, None] = {}  # seeds and sites with forms on topic, in the order they were found
        self.searched: set[str] = set()  # sites that reverse search looked up
        self._unsearched: list[str] = []  # good sites that it did not look up yet
        self._index = index
        self._rng = rng
        self._linking = linking
        self._load_memory = load_memory
        self.resting: OrderedDict[str, OpenSite[Explorer]] = OrderedDict()
        self._count = 0

    # What a crawl calls

    def start(self, seeds: Iterable[str]) -> None:
        """Begin with the sites that people named."""
        for url in seeds:
            candidate = candidate_site(url, seed=True)
            self.add_good_site(candidate.key)
            if candidate.key not in self.sites and self.frontier.get(candidate.key) is None:
                self._put(candidate, high=True)

    def add_good_site(self, site: str) -> None:
        """Add a site that is a seed or has forms on topic."""
        if site not in self.good:
            self.good[site] = None
            if site not in self.searched:
                self._unsearched.append(site)

    def next_site(self) -> SiteCandidate | None:
        """Open the best site that waits; None if none does."""
        if self._needs_more():
            self.search_reverse()
        candidate = self.frontier.next()
        if candidate is not None:
            self.open_sites[candidate.key] = self._open_site(candidate)
            self.sites.setdefault(candidate.key, OFF_TOPIC)
            candidate.rested = None
        return candidate

    def next_link(self, site: str) -> LinkCandidate | None:
        """Return the next link of an open site; None if there is none now. A site that ended is closed."""
        explorer = self.open_sites[site].explorer
        link = explorer.next()
        if explorer.ended is not None:
            opened = self.open_sites.pop(site)
            if explorer.under_way:
                self.resting[site] = opened
        return link

    def read(self, site: str, link: LinkCandidate, findings: PageFindings) -> OpenSite[Explorer] | None:
        """Learn what a page had, also if its site was left while the page was under way. Return the site, if it is known."""
        opened = self.open_sites.get(site) or self.resting.get(site)
        if opened is None:
            return None
        if opened.candidate.kind == "site":
            self._read_page_of_site(opened, link, findings)
        else:
            self._read_centre_page(opened, link, findings)
        self._forget_ended(site)
        return opened

    def skip(self, site: str, link: LinkCandidate) -> None:
        """Take back a link that was not visited after all."""
        if opened := self.open_sites.get(site) or self.resting.get(site):
            opened.explorer.skip(link)
            self._forget_ended(site)

    def _forget_ended(self, site: str) -> None:
        """Forget a site that ended when no page of it is under way any more."""
        opened = self.resting.get(site)
        if opened is not None and opened.explorer.ended is not None and not opened.explorer.under_way:
            del self.resting[site]

    def move(self, site: str, target: str, *, seeds_only: bool = False) -> None:
        """Add the site that an open site redirects to; it counts as a seed if that one does."""
        opened = self.open_sites.get(site) or self.resting.get(site)
        if opened is None or (seeds_only and not opened.candidate.seed):
            return
        candidate = candidate_site(target, seed=opened.candidate.seed, via=opened.candidate.url)
        if candidate.key not in self.sites and self.frontier.get(candidate.key) is None:
            self._put(candidate, high=True)

    def _common(self) -> float:
        """Return the part of the rank that all candidates share that were not visited."""
        return 0.0

    @abstractmethod
    def judge(self, candidate: SiteCandidate) -> Callable[[], float]:
        """Return a function that ranks a candidate by all that is known when it is called."""

    # Pages

    def _read_page_of_site(
        self, opened: OpenSite[Explorer], link: LinkCandidate, findings: PageFindings
    ) -> None:
        site, explorer = opened.candidate.key, opened.explorer
        if link.depth == 0 and findings.on_topic and not findings.is_missing:
            self.sites[site] = max(self.sites[site], ON_TOPIC)
        if findings.rewards:
            self._reward(opened, link, findings.rewards)
        self._learn(opened, link, findings)
        if explorer.ended is None:
            links = [(outward, findings.language) for outward in findings.outward]
            self._add_linked_sites(site, link.url, links, high=self._is_high(site))
            explorer.add(findings.inner)

    def _reward(self, opened: OpenSite[Explorer], link: LinkCandidate, forms: int) -> None:
        site = opened.candidate.key
        opened.forms += forms
        if link.depth > 0:
            self.link_learner.learn(link)
        if self.sites[site] != DEEP:
            self.sites[site] = DEEP
            self.add_good_site(site)
            self.site_learner.learn(opened.candidate)
            self._credit_targets(site)

    def _credit_targets(self, site: str) -> None:
        """Raise the rank of all sites that a site links to, because it has forms on topic."""
        for target in self._index.targets(site):
            candidate = self.frontier.get(target)
            if candidate is not None:
                candidate.deep_links += 1
                candidate.source = DEEP
                self.frontier.put(candidate, high=True)

    @abstractmethod
    def _learn(self, opened: OpenSite[Explorer], link: LinkCandidate, findings: PageFindings) -> None:
        """Learn what a page of a site had; its reward is noted already."""

    def _is_high(self, site: str) -> bool:
        """Say whether the sites that a site links to go into the high queue."""
        return self.sites[site] == DEEP

    # Sites

    def _open_site(self, candidate: SiteCandidate) -> OpenSite[Explorer]:
        if candidate.rested is None:
            explorer = self._explorer(ExplorationProgress(self.plan.criteria))
            explorer.add([LinkCandidate(candidate.url, 0)])
            return OpenSite(candidate, explorer)
        if candidate.key in self.resting:
            return self.resting.pop(candidate.key)
        memory = self._load_memory(candidate.key) if self._load_memory is not None else SiteMemory()
        explorer = self._explorer(ExplorationProgress.from_json(self.plan.criteria, memory.progress))
        explorer.resume(memory.visited, memory.waiting, memory.forms, memory.fruitless, memory.site)
        return OpenSite(candidate, explorer, memory.forms)

    @abstractmethod
    def _explorer(self, progress: ExplorationProgress) -> Explorer:
        """Return what explores a site."""

    def _put(self, candidate: SiteCandidate, *, high: bool) -> None:
        if not candidate.order:
            self._count += 1
            candidate.order = self._count
        self.frontier.put(candidate, high=high)

    def _add_linked_sites(
        self, site: str, page: str, links: Iterable[tuple[Link, str]], *, high: bool, centre: bool = False
    ) -> None:
        """Add the sites that a page links to."""
        kind = self.sites.get(site, ON_TOPIC)
        by_target: dict[str, list[tuple[Link, str]]] = {}
        for link, language in links:
            by_target.setdefault(registered_domain(link.url), []).append((link, language))
        new = set(self._index.note(site, page, by_target))
        for target, target_links in by_target.items():
            if target not in new or target in self.sites or target == site:
                continue
            candidate = self.frontier.get(target) or candidate_site(target_links[0][0].url, via=page)
            for link, language in target_links:
                candidate.add_link(link.anchor, link.around, language)
            candidate.deep_links += kind == DEEP
            candidate.source = max(candidate.source, kind)
            candidate.centre |= centre
            self._put(candidate, high=high)

    # Reverse search

    def _needs_more(self) -> bool:
        """Say whether it is time for a reverse search."""
        return len(self.frontier) < self.plan.few or not self.searched

    def search_reverse(self) -> None:
        """Look for pages that link to a good site and may name others (Algorithm 1): first in the pages read, then by the providers."""
        target = self._target()
        if target is not None:
            self.searched.add(target)
            self._use_read_links(target)
            if self._linking is not None:
                self.add_linking_pages(self._linking(target))

    def _use_read_links(self, target: str) -> None:
        """Use what was read of the sites that link to a good one."""

    def add_linking_pages(self, urls: Iterable[str]) -> None:
        """Add pages that may link to a good site; instead of a homepage its site."""
        for place, url in enumerate(urls):
            if urlsplit(url).path in ("", "/") and "?" not in url:
                self._add_naming_site(url)
            else:
                self._add_linking_page(url, place)

    def query_engine(self, url: str) -> None:
        """Add the query to a search engine that lists such pages."""
        if url not in self.sites and self.frontier.get(url) is None:
            self._put(SiteCandidate(url, url, kind="engine", seed=True), high=True)

    def _add_naming_site(self, url: str) -> None:
        """Add a site that links to a good one."""
        site = registered_domain(url)
        if site not in self.sites:
            candidate = self.frontier.get(site) or candidate_site(url)
            candidate.names += 1
            self._put(candidate, high=True)

    def _target(self) -> str | None:
        """Return a good site that reverse search has not looked up yet."""
        return self._draw(self._unsearched)

    def _draw(self, sites: list[str]) -> str | None:
        """Take a random site out of a list."""
        if not sites:
            return None
        drawn = self._rng.randrange(len(sites))
        sites[drawn], sites[-1] = sites[-1], sites[drawn]
        return sites.pop()

    def _add_linking_page(self, url: str, place: int) -> None:  # noqa: ARG002
        """Add a page that may link to a good site."""
        if url not in self.sites and self.frontier.get(url) is None:
            self._put(SiteCandidate(url, url, kind="centre", seed=True), high=True)

    def _read_centre_page(
        self, opened: OpenSite[Explorer], link: LinkCandidate, findings: PageFindings
    ) -> int:
        """Add the sites that a centre page names, if it is one; return how many are new."""
        opened.explorer.close(link)
        targets = {registered_domain(outward.url) for outward in findings.outward}
        if not is_centre_page(
            (outward.url for outward in findings.outward), self.good, findings.rewards > 0, self.plan.hub
        ):
            return 0
        new = sum(target not in self.sites and self.frontier.get(target) is None for target in targets)
        url = opened.candidate.url
        links = [(outward, findings.language) for outward in findings.outward]
        self._add_linked_sites(registered_domain(url), url, links, high=True, centre=True)
        return new
