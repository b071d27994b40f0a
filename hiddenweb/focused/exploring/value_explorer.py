"""Exploring a site by what its links are worth.

The value of a link is the probability that its page has a new form on the topic, or leads to one: `BayesianProbit` over

- the terms of its path, its anchor and the text around it,
- the place of the link in its page: the last steps of its tag path,
- its depth,
- its *group*: links of the site that stand in the same place of their pages and whose addresses have the same shape. How often links of a group
  were tried, and with what success, says more than words, in any language and before anything was learnt,
- its site: how many forms on topic it gave, how long ago the last was, whether its homepage is on topic.

What is the same for all links of a group is worth the same, so of each group only the best link competes, and choosing costs as many steps as
there are groups, not links.

**Delayed reward.** A page that gives a form teaches the link that led there, and, for less, those on the way: 1, g, g^2 ... The
value so is the expected reward of a visit with all it leads to, discounted by the visits in between; links of one site and of others,
and homepages of sites that nobody has visited, are compared by it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from hiddenweb.focused.exploring.link_candidate import ANCHOR, AROUND, PATH
from hiddenweb.urls import shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.focused.exploring.link_candidate import LinkCandidate
    from hiddenweb.frontier.stopping import ExplorationProgress
    from hiddenweb.learning.probit import BayesianProbit, RewardTrail

DISCOUNT = 0.3
"""What a link earns for a form one step further on. A limit of taste."""

REFRESH = 300
"""Outcomes after which waiting links are judged again by what was learnt from them. A limit of taste."""

_SEARCHES = (  # how words for searching begin, in many languages
    "search", "find", "lookup", "queri", "query", "locat", "such", "recherch", "cherch", "busc", "ricerc", "cerc", "pesquis", "zoek",
    "szuk", "wyszuk", "hled", "sök", "søk", "søg", "keres", "căut", "ara", "поиск", "иска", "пошук", "αναζητ", "بحث", "חיפוש", "ค้น",
    "検索", "搜索", "查询", "搜尋", "검색", "खोज",
)  # fmt: skip
_PATH_STEPS = 3  # of a tag path that say where a link stands: a limit of taste
_MAX_REWARDS = 3  # forms that a site gave; more say the same: a limit of taste
_COUNT_STEPS = (21, 11, 6, 3)  # links that were tried are counted in these steps: limits of taste
_MAX_TERMS = 12  # of one context: a limit of taste


@dataclass(slots=True)
class _LinkGroup:
    tried: int = 0
    rewarded: int = 0
    waiting: list[tuple[float, int, LinkCandidate]] = field(default_factory=list)  # a heap, the best first


class ValueExplorer:
    """One site, explored by value. `site` are features of the site that hold for all of its links; `trail` passes rewards on."""

    def __init__(
        self,
        progress: ExplorationProgress,
        probit: BayesianProbit,
        trail: RewardTrail,
        *,
        by_group: bool = True,
    ) -> None:
        self._by_group = by_group
        self.progress = progress
        self.site: tuple[str, ...] = ()
        self._probit = probit
        self._trail = trail
        self._groups: dict[tuple[str, str], _LinkGroup] = {}
        self._judged_at = probit.learnt
        self._seen_urls: set[str] = set()
        self._count = 0
        self._found: tuple[float, _LinkGroup] | None = None  # the best, as long as nothing has changed
        self._found_at = -1  # outcomes that the probit had learnt from by then
        self.under_way = 0  # links that are being visited
        self.rewards = 0  # forms on topic
        self.fruitless = 0  # pages since the last of them
        self.ended: str | None = None

    def add(self, links: Iterable[LinkCandidate]) -> None:
        """Take in links of the site that were found."""
        for link in links:
            if link.url not in self._seen_urls and self.progress.reason_to_skip(link.depth) is None:
                self._seen_urls.add(link.url)
                self._put(link)

    def _put(self, link: LinkCandidate) -> None:
        group = self._groups.setdefault(self._group_key(link), _LinkGroup())
        self._count, self._found = self._count + 1, None
        heappush(group.waiting, (-self._probit.sum(_own_features(link)), self._count, link))

    def best(self) -> float | None:
        """Return what the best waiting link is worth, as a sum of weights; None if none waits."""
        found = self._best()
        return found[0] if found else None

    def next(self) -> LinkCandidate | None:
        """Return the best link; None if there is none now, or for good if `ended` says why."""
        found = self._best()
        if found is None:
            return None
        group = found[1]
        self._found = None
        link = heappop(group.waiting)[2]
        self.under_way += 1
        if link.depth:  # a homepage is chosen by what its site is worth
            self._trail.step(link.url, self._probit, self.features(link), link.parent)
        group.tried += 1
        return link

    def _best(self) -> tuple[float, _LinkGroup] | None:
        if self._found is None or self._found_at != self._probit.learnt or self.ended is not None:
            self._found, self._found_at = self._find_best_group(), self._probit.learnt
        return self._found

    def _find_best_group(self) -> tuple[float, _LinkGroup] | None:
        if self.ended is not None:
            return None
        if why := self.progress.reason_to_leave():
            self.ended = why
            return None
        if self._probit.learnt - self._judged_at >= REFRESH:
            self._judge_waiting()
        common = self._probit.sum(("", *self._site_features()))
        best: tuple[float, _LinkGroup] | None = None
        for group in self._groups.values():
            while group.waiting and self.progress.reason_to_skip(group.waiting[0][2].depth):
                heappop(group.waiting)
            if not group.waiting:
                continue
            value = common + self._probit.sum(_group_features(group)) - group.waiting[0][0]
            if best is None or value > best[0]:
                best = (value, group)
        if best is None and not self.under_way:
            self.ended = "all its links were visited"
        return best

    def _judge_waiting(self) -> None:
        self._judged_at = self._probit.learnt
        for group in self._groups.values():
            group.waiting = [
                (-self._probit.sum(_own_features(link)), count, link) for _, count, link in group.waiting
            ]
            heapify(group.waiting)

    def features(self, link: LinkCandidate) -> tuple[str, ...]:
        """Return all that the value of a link is judged by."""
        group = self._groups.get(self._group_key(link)) or _LinkGroup()
        return (*_own_features(link), *_group_features(group), *self._site_features())

    def _site_features(self) -> tuple[str, ...]:
        rewards = min(self.rewards, _MAX_REWARDS)
        return (*self.site, f"forms:{rewards}", f"since:{min(rewards, 1)}/{_coarse(self.fruitless)}")

    def note(self, link: LinkCandidate, forms: int, rewards: int) -> None:
        """Learn from a visit: new search forms, and those of them that are on topic, which are the reward."""
        self._found = None
        self.under_way -= 1
        self.progress.note(link.depth, forms)
        self.rewards += rewards
        self.fruitless = 0 if rewards else self.fruitless + 1
        if rewards:
            self._groups.setdefault(self._group_key(link), _LinkGroup()).rewarded += 1
        self._trail.learn_outcome(link.url, reward=rewards > 0)

    def take(self, link: LinkCandidate) -> None:
        """Count a link that is under way already."""
        self.under_way += 1
        self._seen_urls.add(link.url)

    def skip(self, link: LinkCandidate) -> None:
        """Take back a link that was not visited after all."""
        self._found = None
        self.under_way -= 1
        if group := self._groups.get(self._group_key(link)):
            group.tried = max(0, group.tried - 1)

    def close(self, link: LinkCandidate) -> None:
        """End after a single page that has been read."""
        self.skip(link)
        self.ended = "it was a single page"

    def resume(
        self,
        visited: Iterable[tuple[LinkCandidate, bool]],
        waiting: Iterable[LinkCandidate],
        rewards: int,
        fruitless: int,
        site: Sequence[str],
    ) -> None:
        """Resume a site that was visited before."""
        self.site, self.rewards, self.fruitless = tuple(site), rewards, fruitless
        for link, is_rewarded in visited:
            self._seen_urls.add(link.url)
            group = self._groups.setdefault(self._group_key(link), _LinkGroup())
            if link.depth and link.url not in self._trail:
                self._trail.step(link.url, self._probit, self.features(link), link.parent)
            group.tried += 1
            group.rewarded += is_rewarded
        self.add(waiting)

    def _group_key(self, link: LinkCandidate) -> tuple[str, str]:
        return (_place(link), shape(link.url).rpartition("/")[0]) if self._by_group else ("", "")


def _own_features(link: LinkCandidate) -> tuple[str, ...]:
    """Return the features of a link that do not depend on earlier visits."""
    return (
        *dict.fromkeys(f"p:{term}" for term in link.terms(PATH)[:_MAX_TERMS]),
        *dict.fromkeys(f"a:{term}" for term in link.terms(ANCHOR)[:_MAX_TERMS]),
        *dict.fromkeys(f"t:{term}" for term in link.terms(AROUND)[:_MAX_TERMS]),
        f"at:{_place(link)}",
        f"depth:{link.depth}",
        *(["search"] if _mentions_search(link) else []),
    )


def _mentions_search(link: LinkCandidate) -> bool:
    words = (*link.terms(PATH), *link.terms(ANCHOR), *link.anchor.lower().split())  # "find" is a stop word
    return any(word.startswith(_SEARCHES) for word in words)


def _place(link: LinkCandidate) -> str:
    return "/".join(link.tag_path.rsplit("/", _PATH_STEPS)[-_PATH_STEPS:])


def _group_features(group: _LinkGroup) -> tuple[str, ...]:
    return _count_features(_coarse(group.tried), min(group.rewarded, 2))


@cache
def _count_features(tried: int, rewarded: int) -> tuple[str, ...]:
    return (f"tried:{tried}", f"gave:{rewarded}/{tried}")


def _coarse(count: int) -> int:
    """Round a number down to one of a few steps.

    >>> [_coarse(count) for count in (0, 1, 2, 4, 8, 20, 50)]
    [0, 1, 2, 3, 6, 11, 21]
    """
    for least in _COUNT_STEPS:
        if count >= least:
            return least
    return count
