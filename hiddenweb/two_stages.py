"""The two stages together: which site next, which link of it, and what every page teaches both.

Whoever crawls asks `next_site` for a site to open, `next_link` for the links of an open site until there is none, and tells with
`read` what each page had. So the same code decides in a crawl, where many sites are open at once and each gets its turn, and in a
simulation that reads page by page.

`SmartCrawler` is the algorithm as published (Zhao, Zhou, Nie, Huang, Jin: SmartCrawler, IEEE Transactions on Services Computing
9(4), 2016): reverse search, two queues, ranks that are rebuilt now and then, each site explored by depth until a stop criterion
ends it. `Adaptive` is ours: one scale for all that waits. A site is left as soon as something else is worth more than the best of
its links, and taken up again when that changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from hiddenweb.exploring import by_value
from hiddenweb.exploring.by_depth import DepthExplorer
from hiddenweb.exploring.by_value import DISCOUNT, ValueExplorer
from hiddenweb.exploring.leads import Lead
from hiddenweb.exploring.ranker import LinkLearner
from hiddenweb.exploring.stopping import Criteria, Progress
from hiddenweb.identity import registered_domain
from hiddenweb.locating import worth
from hiddenweb.locating.candidates import Candidate, candidate_site
from hiddenweb.locating.frontier import SiteFrontier
from hiddenweb.locating.ranker import SEEDS_FIRST, SiteLearner

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from random import Random

    from hiddenweb.items import Link
    from hiddenweb.locating.candidates import Candidates
    from hiddenweb.odds import Odds

    Linking = Callable[[str], Iterable[str]]
    """Reverse search: returns addresses of pages that may link to a site."""

Explorer = TypeVar("Explorer", DepthExplorer, ValueExplorer)

RANK_AGAIN = 50
"""Sites that teach what sites are worth, before those that wait are judged again."""

OFF_TOPIC, ON_TOPIC, DEEP = range(3)
"""What a site turned out to be; deep ones have search forms on the topic."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of the two stages, with the paper's defaults."""

    criteria: Criteria = field(default_factory=Criteria)
    alpha: float = 0.7
    visits: int = 100  # of one depth: V of the link tree
    deep_sites: int = 50  # new ones after which the spaces are rebuilt
    forms: int = 100  # the same
    few: int = 50  # candidates, below which reverse search begins: T_front
    hub: int = 2  # a centre page links to more good sites than these: T_hub


@dataclass(frozen=True, slots=True)
class Found:
    """What a page had."""

    leads: Sequence[Lead] = ()  # to pages of its site
    outward: Sequence[Link] = ()  # to other sites
    language: str = ""
    forms: int = 0  # search forms that were not met before on the site
    rewards: int = 0  # those of them that are on topic
    on_topic: bool = True  # the homepage, as the site classifier takes it


class LinkIndex(Protocol):
    """Which site links to which, of all that was read."""

    def note(self, source: str, page: str, targets: Iterable[str]) -> list[str]:
        """Note that a page of a site links to others; return those that the site did not link to before."""

    def targets(self, source: str) -> Iterable[str]:
        """Return the sites that a site links to."""


class MemoryLinkIndex:
    """Which site links to which, in memory."""

    def __init__(self) -> None:
        self._targets: dict[str, set[str]] = {}

    def note(self, source: str, page: str, targets: Iterable[str]) -> list[str]:  # noqa: ARG002
        known = self._targets.setdefault(source, set())
        new = [target for target in dict.fromkeys(targets) if target not in known]
        known.update(new)
        return new

    def targets(self, source: str) -> Iterable[str]:
        return self._targets.get(source, ())


@dataclass(slots=True)
class Opened(Generic[Explorer]):
    """A site that is being explored, or a single page that is being read."""

    candidate: Candidate
    explorer: Explorer
    forms: int = 0  # on topic
    outward: list[tuple[Link, str]] = field(default_factory=list)  # links to other sites, with their language


class Stages(ABC, Generic[Explorer]):
    """What both ways of crawling have in common: the sites, who links to whom, and reverse search."""

    def __init__(
        self,
        candidates: Candidates,
        index: LinkIndex,
        rng: Random,
        plan: Plan,
        linking: Linking | None = None,
    ) -> None:
        self.plan = plan
        self.sites: dict[str, int] = {}  # all that were opened, and what they are
        self.opened: dict[str, Opened[Explorer]] = {}
        self.frontier = SiteFrontier(candidates, self.rank)
        self._index = index
        self._rng = rng
        self._linking = linking
        self._good: dict[str, None] = {}  # seeds and sites with forms on topic, in the order they were met
        self._asked: set[str] = set()  # those that reverse search was about

    # What a crawl asks

    def start(self, seeds: Iterable[str]) -> None:
        """Begin with the sites that people named."""
        for url in seeds:
            candidate = candidate_site(url, seed=True)
            self._good[candidate.key] = None
            if candidate.key not in self.sites and self.frontier.get(candidate.key) is None:
                self.frontier.put(candidate, high=True)
        self.search_back()

    @abstractmethod
    def next_site(self) -> Candidate | None:
        """Open the best site that waits; None if none does."""

    @abstractmethod
    def next_link(self, site: str) -> Lead | None:
        """Return the next link of an open site; None if there is none now. A site that is not open any more had its time."""

    @abstractmethod
    def rank(self, candidate: Candidate) -> float:
        """Return how good a candidate is."""

    def read(self, site: str, lead: Lead, found: Found) -> None:
        """Learn what a page had."""
        opened = self.opened[site]
        if opened.candidate.kind != "site":
            self._read_page(opened, found)
        self._learn(opened, lead, found)
        if found.rewards:
            opened.forms += found.rewards
            if self.sites[site] != DEEP:
                self._is_deep(site)

    @abstractmethod
    def _learn(self, opened: Opened[Explorer], lead: Lead, found: Found) -> None:
        """Learn what a page of a site had."""

    # Sites

    def _open(self, candidate: Candidate, explorer: Explorer) -> None:
        self.sites.setdefault(candidate.key, OFF_TOPIC)
        self.opened[candidate.key] = Opened(candidate, explorer)

    def _is_deep(self, site: str) -> None:
        """Let all that a site links to profit from its having forms on topic."""
        self.sites[site] = DEEP
        self._good[site] = None
        for target in self._index.targets(site):
            candidate = self.frontier.get(target)
            if candidate is not None:
                candidate.deep_links += 1
                candidate.source = DEEP
                self.frontier.changed(candidate)

    def _meet(
        self, site: str, page: str, links: Iterable[tuple[Link, str]], *, high: bool, centre: bool = False
    ) -> None:
        """Let sites wait that a page links to."""
        kind = self.sites.get(site, ON_TOPIC)
        by_target: dict[str, list[tuple[Link, str]]] = {}
        for link, language in links:
            by_target.setdefault(registered_domain(link.url), []).append((link, language))
        new = set(self._index.note(site, page, by_target))
        for target, named in by_target.items():
            if target in self.sites or target == site:
                continue
            candidate = self.frontier.get(target) or candidate_site(named[0][0].url, via=page)
            for link, language in named:
                candidate.meet(link.anchor, link.around, language)
            candidate.deep_links += target in new and kind == DEEP
            candidate.source = max(candidate.source, kind)
            candidate.centre |= centre
            self.frontier.put(candidate, high=high)

    # Reverse search

    def search_back(self) -> None:
        """Have pages read that link to a good site, and may name others (Algorithm 1)."""
        left = [site for site in self._good if site not in self._asked]
        if self._linking is None or not left:
            return
        target = self._rng.choice(left)
        self._asked.add(target)
        for url in self._linking(target):
            if url not in self.sites and self.frontier.get(url) is None:
                self.frontier.put(Candidate(url, url, kind="centre", seed=True), high=True)

    def _read_page(self, opened: Opened[Explorer], found: Found) -> None:
        """Let the sites wait that a centre page names; a page that names no good ones is none."""
        targets = {registered_domain(link.url) for link in found.outward}
        if found.rewards or sum(target in self._good for target in targets) > self.plan.hub:
            named = ((link, found.language) for link in found.outward)
            self._meet(
                registered_domain(opened.candidate.url), opened.candidate.url, named, high=True, centre=True
            )


class SmartCrawler(Stages[DepthExplorer]):
    """Both stages as published; SCDI if `ranked` is off and there is no reverse search.

    A site that the classifier takes for off topic is left at its homepage, and so are its links. The links of any other wait until
    it was explored: then they go into the high queue if it had forms on topic, else into the low one.
    """

    def __init__(
        self,
        candidates: Candidates,
        index: LinkIndex,
        rng: Random,
        plan: Plan,
        linking: Linking | None = None,
        *,
        ranked: bool = True,
    ) -> None:
        super().__init__(candidates, index, rng, plan, linking)
        self.link_learner = LinkLearner()
        self.site_learner = SiteLearner(alpha=plan.alpha)
        self._ranked = ranked
        self._arrivals = 0
        self._new_deep = self._new_forms = 0

    def rank(self, candidate: Candidate) -> float:
        if self._ranked:
            return self.site_learner.score(candidate).total
        self._arrivals += 1
        return -float(self._arrivals)

    def next_site(self) -> Candidate | None:
        if len(self.frontier) < self.plan.few:
            self.search_back()
        candidate = self.frontier.next()
        if candidate is not None:
            score = self._score if self._ranked else None
            explorer = DepthExplorer(Progress(self.plan.criteria), score, visits=self.plan.visits)
            explorer.add([Lead(candidate.url, 0)])
            self._open(candidate, explorer)
        return candidate

    def _score(self, lead: Lead) -> float:
        return self.link_learner.score(lead).total

    def next_link(self, site: str) -> Lead | None:
        explorer = self.opened[site].explorer
        lead = explorer.next()
        if explorer.ended is not None:
            self._close(self.opened.pop(site))
        return lead

    def _learn(self, opened: Opened[DepthExplorer], lead: Lead, found: Found) -> None:
        site, explorer = opened.candidate.key, opened.explorer
        explorer.note(lead, found.forms)
        if opened.candidate.kind != "site":
            return
        if lead.depth == 0 and not found.on_topic:
            explorer.ended = "its homepage is off topic"
            return
        self.sites[site] = max(self.sites[site], ON_TOPIC)
        opened.outward.extend((link, found.language) for link in found.outward)
        explorer.add(found.leads)
        if found.rewards:
            self._new_forms += found.rewards
            if lead.depth > 0:
                self.link_learner.learn(lead)

    def _close(self, opened: Opened[DepthExplorer]) -> None:
        """Leave a site for good: learn from it, and let the sites it links to wait."""
        candidate = opened.candidate
        if candidate.kind == "site":
            self._meet(
                candidate.key, candidate.url, opened.outward, high=opened.forms > 0 or not self._ranked
            )
        if opened.forms:
            self._new_deep += 1
            self.site_learner.learn(candidate)
        if self._new_deep >= self.plan.deep_sites or self._new_forms >= self.plan.forms:
            self._rebuild()

    def _rebuild(self) -> None:
        """Take what was learnt into use: rank what waits again."""
        self._new_deep = self._new_forms = 0
        self.site_learner.rebuild()
        self.link_learner.rebuild()
        self.frontier.learnt()
        for opened in self.opened.values():
            opened.explorer.rank_again()


class Adaptive(Stages[ValueExplorer]):
    """Both stages on one scale: what a visit is expected to lead to.

    `topic` are the terms of the topic. Off-topic homepages are not the end of a site, but a reason to expect little of its links.
    """

    def __init__(
        self,
        candidates: Candidates,
        index: LinkIndex,
        rng: Random,
        plan: Plan,
        linking: Linking | None = None,
        *,
        topic: Collection[str] = (),
    ) -> None:
        super().__init__(candidates, index, rng, plan, linking)
        self.site_odds: Odds = worth.first_odds()
        self.link_odds: Odds = by_value.first_odds()
        self._topic = frozenset(topic)
        self._resting: dict[str, Opened[ValueExplorer]] = {}
        self._ranked_at = 0
        self._judged: dict[
            str, tuple[str, ...]
        ] = {}  # features of open sites, as they were when they were opened

    def rank(self, candidate: Candidate) -> float:
        if candidate.rested is not None:
            return candidate.rested
        first = SEEDS_FIRST if candidate.seed else 0.0
        return first + self.site_odds.log_odds(worth.features(candidate, self._topic))

    def next_site(self) -> Candidate | None:
        if len(self.frontier) < self.plan.few:
            self.search_back()
        candidate = self.frontier.next()
        if candidate is None:
            return None
        if candidate.rested is not None:
            self.opened[candidate.key] = self._resting.pop(candidate.key)
            return candidate
        explorer = ValueExplorer(Progress(self.plan.criteria), self.link_odds)
        explorer.add([Lead(candidate.url, 0)])
        self._judged[candidate.key] = worth.features(candidate, self._topic)
        self._open(candidate, explorer)
        return candidate

    def next_link(self, site: str) -> Lead | None:
        opened = self.opened[site]
        value = opened.explorer.best()
        if value is None:
            if opened.explorer.ended is not None:
                del self.opened[site]
                self._judged.pop(site, None)
            return None
        if opened.explorer.progress.pages and self._is_better_elsewhere(value):
            self._rest(self.opened.pop(site), value)
            return None
        return opened.explorer.next()

    def _is_better_elsewhere(self, value: float) -> bool:
        best = self.frontier.best()
        return best is not None and best[1] > value

    def _rest(self, opened: Opened[ValueExplorer], value: float) -> None:
        """Leave a site for something better; its links wait with the candidates."""
        opened.candidate.rested = value
        self._resting[opened.candidate.key] = opened
        self.frontier.put(opened.candidate, high=True)

    def _learn(self, opened: Opened[ValueExplorer], lead: Lead, found: Found) -> None:
        site, explorer = opened.candidate.key, opened.explorer
        if opened.candidate.kind != "site":
            explorer.note(lead, found.forms, found.rewards)
            return
        if lead.depth == 0:
            self.sites[site] = max(self.sites[site], ON_TOPIC if found.on_topic else OFF_TOPIC)
            explorer.site = (f"on:{int(found.on_topic)}",)
        self._meet(site, lead.url, ((link, found.language) for link in found.outward), high=True)
        explorer.add(found.leads)
        explorer.note(lead, found.forms, found.rewards)
        judged = self._judged.get(site, ())
        if lead.depth == 0 or found.rewards:
            self.site_odds.learn(judged, 1.0 if found.rewards else 0.0, DISCOUNT**lead.depth)
        if self.site_odds.learnt - self._ranked_at >= RANK_AGAIN:
            self._ranked_at = self.site_odds.learnt
            self.frontier.learnt()
