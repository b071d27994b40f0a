"""Both stages on one scale, which is ours: what a visit is expected to lead to.

Sites that wait, links of open sites, and pages that may name further sites are all judged by Bayesian probit regressions
(`hiddenweb.learning.probit`) that predict one thing, forms on the topic. A site is left as soon as something else is worth more than the best of
its links, and resumed when that changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.focused.exploring.value_explorer import DISCOUNT, ValueExplorer
from hiddenweb.focused.head_start import initial_probit, worth_of_named_site
from hiddenweb.focused.locating import site_value
from hiddenweb.focused.locating.candidates import SiteCandidate
from hiddenweb.focused.locating.site_ranker import SEEDS_FIRST
from hiddenweb.focused.stages import OpenSite, Stages
from hiddenweb.learning.probit import BayesianProbit, RewardTrail, deviations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from hiddenweb.focused.exploring.link_candidate import LinkCandidate
    from hiddenweb.focused.stages import PageFindings
    from hiddenweb.frontier.stopping import ExplorationProgress

RERANK_AFTER = 50
"""Visited sites after which those that wait are judged again. A limit of taste."""

LOW_VALUE = -1.7
"""If the best candidate is worth less than this sum of weights, reverse search also looks up sites on topic without forms. A limit of taste."""

HOMEPAGE_SHARE = 0.2
"""How much of a reward that links pass back reaches the homepage, and so teaches what sites are worth.

With all of it, sites that nobody has visited look better than the links of good ones: what they lead to takes more visits. Measured on
the simulated web of `python -m benchmarks harvest`: 6,000 pages of four topics, three seeds each.
"""

MAX_RESTING = 1_000
"""Sites that rest and are held in memory, where they can be read again. A limit of taste."""

_NEWEST_SHARE = 0.05
"""Of the newest value in a running mean, so about the last twenty count; a limit of taste."""

_MARGIN = 1e-6  # two sites that are worth the same must not take turns for ever


@dataclass(frozen=True, slots=True)
class AdaptiveFeatures:
    """What `AdaptiveCrawler` does beyond the paper; the benchmark takes one away at a time."""

    groups: bool = True  # links of one group are judged together
    delayed: bool = True  # a reward teaches all that led to it
    resting: bool = True  # a site is left as soon as something else is worth more
    head_start: bool = True  # some weights are known before anything was learnt


ALL_FEATURES = AdaptiveFeatures()


class AdaptiveCrawler(Stages[ValueExplorer]):
    """Both stages on one scale: what a visit is expected to lead to.

    `topic` are the terms of the topic. Off-topic homepages are not the end of a site, but a reason to expect little of its links.
    """

    def __init__(
        self, *args: Any, topic: Collection[str] = (), enabled: AdaptiveFeatures = ALL_FEATURES, **others: Any
    ) -> None:
        self._enabled = enabled
        self.site_probit: BayesianProbit = initial_probit("site", head_start=enabled.head_start)
        self.page_probit: BayesianProbit = initial_probit("page")
        self.link_probit: BayesianProbit = initial_probit("link", head_start=enabled.head_start)
        self.trail = RewardTrail(DISCOUNT if enabled.delayed else 0.0)
        self._topic = frozenset(topic)
        self._ranked_at = 0
        self._without_forms: list[str] = []  # sites on topic that reverse search did not look up
        self._named_worth = worth_of_named_site()  # the mean of the last ones
        super().__init__(*args, **others)

    def judge(self, candidate: SiteCandidate) -> Callable[[], float]:
        features, first = self.features(candidate), SEEDS_FIRST if candidate.seed else 0.0
        if candidate.kind == "site":
            return lambda: first + self.site_probit.sum(features)
        return lambda: first + self._worth_of_page(features)

    def _worth_of_page(self, features: tuple[str, ...]) -> float:
        """Return what a page is worth that may name sites: what they are, if it names any."""
        return deviations_of(self._named_worth * self.page_probit.probability(features)) - self._common()

    def _common(self) -> float:
        return self.site_probit.weight("")

    def probit_for(self, candidate: SiteCandidate) -> BayesianProbit:
        """Return the regression that judges a candidate."""
        return self.site_probit if candidate.kind == "site" else self.page_probit

    def features(self, candidate: SiteCandidate) -> tuple[str, ...]:
        """Return all that a candidate is judged by."""
        if candidate.kind == "site":
            return site_value.features(candidate, self._topic)
        return site_value.page_features(candidate)

    def next_site(self) -> SiteCandidate | None:
        candidate = super().next_site()
        if candidate is not None and candidate.url not in self.trail:
            features = self.features(candidate)
            self.trail.step(candidate.url, self.probit_for(candidate), features, "", HOMEPAGE_SHARE)
            if candidate.centre:
                worth = self.site_probit.probability(features)
                self._named_worth += (worth - self._named_worth) * _NEWEST_SHARE
        return candidate

    def next_link(self, site: str) -> LinkCandidate | None:
        opened = self.open_sites[site]
        value = opened.explorer.best()
        if value is not None and opened.explorer.progress.pages and self._is_better_elsewhere(value):
            self._rest(self.open_sites.pop(site), value)
            return None
        return super().next_link(site)

    def _is_better_elsewhere(self, value: float) -> bool:
        best = self.frontier.best() if self._enabled.resting else None
        return best is not None and best[1] > value + _MARGIN

    def _rest(self, opened: OpenSite[ValueExplorer], value: float) -> None:
        """Leave a site for something better; its links wait with the candidates."""
        opened.candidate.rested = value
        self.resting[opened.candidate.key] = opened
        self._put(opened.candidate, high=True)
        if self._load_memory is not None and len(self.resting) > MAX_RESTING:
            self.resting.popitem(last=False)

    def _explorer(self, progress: ExplorationProgress) -> ValueExplorer:
        return ValueExplorer(progress, self.link_probit, self.trail, by_group=self._enabled.groups)

    def _is_high(self, site: str) -> bool:  # noqa: ARG002
        return True

    def _needs_more(self) -> bool:
        """Search for pages that link to a good site as soon as it is known: nothing is fetched for it yet."""
        return True

    def add_formless_site(self, site: str) -> None:
        """Add a site that is on topic and had no forms on its homepage."""
        if site not in self.searched:
            self._without_forms.append(site)

    def _target(self) -> str | None:
        good = super()._target()
        if good is not None or not self._without_forms:
            return good
        best = self.frontier.best()
        if best is not None and best[1] > LOW_VALUE:
            return None
        formless = self._draw(self._without_forms)
        return None if formless in self.searched else formless  # it may have become a good one since

    def _add_linking_page(self, url: str, place: int) -> None:
        """Add a page that may link to a good site, and its site, which does."""
        if url not in self.sites:
            page = self.frontier.get(url)
            if page is None:
                page = SiteCandidate(url, url, kind="centre", place=place)
            page.links += 1
            self._put(page, high=True)
        self._add_naming_site(url)

    def _read_centre_page(
        self, opened: OpenSite[ValueExplorer], link: LinkCandidate, findings: PageFindings
    ) -> int:
        new = super()._read_centre_page(opened, link, findings)
        self.trail.learn_outcome(opened.candidate.url, reward=new > self.plan.hub)
        return new

    def _learn(self, opened: OpenSite[ValueExplorer], link: LinkCandidate, findings: PageFindings) -> None:
        if link.depth == 0:
            is_on_topic = findings.on_topic and not findings.is_missing
            opened.explorer.site = (f"on:{int(is_on_topic)}",)
            if is_on_topic and not findings.rewards:
                self.add_formless_site(opened.candidate.key)
        opened.explorer.note(link, findings.forms, findings.rewards)
        if self.site_probit.learnt - self._ranked_at >= RERANK_AFTER:
            self._ranked_at = self.site_probit.learnt
            self.frontier.mark_outdated()
