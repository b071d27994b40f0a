"""SmartCrawler: both stages as published.

Zhao, Zhou, Nie, Huang, Jin: SmartCrawler, IEEE Transactions on Services Computing 9(4), 2016: reverse search, two queues, ranks that are
rebuilt now and then, each site explored by depth until a stop criterion ends it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.focused.exploring.depth_explorer import DepthExplorer
from hiddenweb.focused.stages import DEEP, OpenSite, Stages

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.focused.exploring.link_candidate import LinkCandidate
    from hiddenweb.focused.locating.candidates import SiteCandidate
    from hiddenweb.focused.stages import PageFindings
    from hiddenweb.frontier.stopping import ExplorationProgress


class SmartCrawler(Stages[DepthExplorer]):
    """Both stages as published; SCDI if `ranked` is off and there is no reverse search.

    A site that the classifier takes for off topic is left at its homepage, and so are its links. The sites that any other site
    links to go into the high queue if it has forms on topic, else into the low one.
    """

    def __init__(self, *args: Any, ranked: bool = True, **others: Any) -> None:
        self._ranked = ranked
        self._new_deep = self._new_forms = 0
        super().__init__(*args, **others)

    def judge(self, candidate: SiteCandidate) -> Callable[[], float]:
        if not self._ranked:
            return lambda: -float(candidate.order)
        return lambda: self.site_learner.score(candidate).total

    def _explorer(self, progress: ExplorationProgress) -> DepthExplorer:
        return DepthExplorer(progress, self._score if self._ranked else None, visits=self.plan.visits)

    def _use_read_links(self, target: str) -> None:
        """Move up the sites that a linking site names, if it names many good ones."""
        for source in self._index.sources(target):
            targets = list(self._index.targets(source))
            if sum(target in self.good for target in targets) > self.plan.hub:
                for linked in targets:
                    self._move_up(linked)

    def _move_up(self, site: str) -> None:
        candidate = self.frontier.get(site)
        if candidate is not None and not candidate.centre:
            candidate.centre = True
            self.frontier.put(candidate, high=True)

    def _score(self, link: LinkCandidate) -> float:
        return self.link_learner.score(link).total

    def _is_high(self, site: str) -> bool:
        return self.sites[site] == DEEP or not self._ranked

    def _learn(self, opened: OpenSite[DepthExplorer], link: LinkCandidate, findings: PageFindings) -> None:
        opened.explorer.note(link, findings.forms)
        if link.depth == 0 and findings.is_missing:
            opened.explorer.ended = "its homepage could not be read"
        elif link.depth == 0 and not findings.on_topic:
            opened.explorer.ended = "its homepage is off topic"
        self._new_forms += findings.rewards
        self._new_deep += opened.forms == findings.rewards > 0
        if self._new_deep >= self.plan.deep_sites or self._new_forms >= self.plan.forms:
            self._rebuild()

    def _rebuild(self) -> None:
        """Rank what waits again by what was learnt."""
        self._new_deep = self._new_forms = 0
        self.site_learner.rebuild()
        self.link_learner.rebuild()
        self.frontier.mark_outdated()
        for opened in self.open_sites.values():
            opened.explorer.rerank()
