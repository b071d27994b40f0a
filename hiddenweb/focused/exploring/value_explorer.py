"""Exploring a site by what its links are worth.

The value of a link is the probability that its page has a new form on the topic, or leads to one: `BayesianProbit` over

- the terms of its path, its anchor and the text around it,
- the place of the link in its page: the last steps of its tag path,
- its depth,
- its *kin*: links of the site that stand in the same place of their pages and whose addresses have the same shape. How often kin
  was tried, and what it gave, says more than words, in any language and before anything was learnt,
- its site: how many forms on topic it gave, how long ago the last was, whether its homepage is on topic.

What is the same for all kin is worth the same, so of each kin only the best link competes, and choosing costs as many steps as
there are kins, not links.

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
from hiddenweb.learning.probit import BayesianProbit
from hiddenweb.urls import shape

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.focused.exploring.link_candidate import LinkCandidate
    from hiddenweb.frontier.stopping import ExplorationProgress
    from hiddenweb.learning.probit import RewardTrail

DISCOUNT = 0.3
"""What a link earns for a form one step further on."""

REFRESH = 300
"""Outcomes after which waiting links are judged again by what was learnt from them."""

_SEARCHES = (  # how words for searching begin, in many languages
    "search", "find", "lookup", "queri", "query", "locat", "such", "recherch", "cherch", "busc", "ricerc", "cerc", "pesquis", "zoek",
    "szuk", "wyszuk", "hled", "sök", "søk", "søg", "keres", "căut", "ara", "поиск", "иска", "пошук", "αναζητ", "بحث", "חיפוש", "ค้น",
    "検索", "搜索", "查询", "搜尋", "검색", "खोज",
)  # fmt: skip
_STEPS = 3  # of a tag path that say where a link stands
_TERMS = 12  # of one context


@dataclass(slots=True)
class _LinkGroup:
    tried: int = 0
    gave: int = 0
    waiting: list[tuple[float, int, LinkCandidate]] = field(default_factory=list)  # a heap, the best first


def first_odds(*, head_start: bool = True) -> BayesianProbit:
    """Return the odds of a link before anything was learnt, with or without what is known about any site."""
    known = {"search": 0.8, "on:0": -1.0, "tried:0": 0.2, "tried:6": -0.6, "tried:11": -0.9}
    return BayesianProbit({"": -2.0, **(known if head_start else {})})


class ValueExplorer:
    """One site, explored by value. `site` are features of the site that hold for all of its links; `trail` passes rewards on."""

    def __init__(
        self, progress: ExplorationProgress, odds: BayesianProbit, trail: RewardTrail, *, by_kin: bool = True
    ) -> None:
        self._by_kin = by_kin
        self.progress = progress
        self.site: tuple[str, ...] = ()
        self._odds = odds
        self._trail = trail
        self._kins: dict[tuple[str, str], _LinkGroup] = {}
        self._judged_at = odds.learnt
        self._known: set[str] = set()
        self._count = 0
        self._found: tuple[float, _LinkGroup] | None = None  # the best, as long as nothing has changed
        self._found_at = -1  # outcomes that the odds had learnt from then
        self.under_way = 0  # links that were given out
        self.rewards = 0  # forms on topic
        self.barren = 0  # pages since the last of them
        self.ended: str | None = None

    def add(self, leads: Iterable[LinkCandidate]) -> None:
        """Take in links of the site that were found."""
        for lead in leads:
            if lead.url not in self._known and self.progress.reason_to_skip(lead.depth) is None:
                self._known.add(lead.url)
                self._put(lead)

    def _put(self, lead: LinkCandidate) -> None:
        kin = self._kins.setdefault(self._kin_of(lead), _LinkGroup())
        self._count, self._found = self._count + 1, None
        heappush(kin.waiting, (-self._odds.sum(_said_by(lead)), self._count, lead))

    def best(self) -> float | None:
        """Return what the best link that waits is worth, as a sum of weights; None if none does."""
        found = self._best()
        return found[0] if found else None

    def next(self) -> LinkCandidate | None:
        """Return the best link; None if there is none now, or for good if `ended` says why."""
        found = self._best()
        if found is None:
            return None
        kin = found[1]
        self._found = None
        lead = heappop(kin.waiting)[2]
        self.under_way += 1
        if lead.depth:  # a homepage is chosen by what its site is worth
            self._trail.step(lead.url, self._odds, self.features(lead), lead.parent)
        kin.tried += 1
        return lead

    def _best(self) -> tuple[float, _LinkGroup] | None:
        if self._found is None or self._found_at != self._odds.learnt or self.ended is not None:
            self._found, self._found_at = self._best_kin(), self._odds.learnt
        return self._found

    def _best_kin(self) -> tuple[float, _LinkGroup] | None:
        if self.ended is not None:
            return None
        if why := self.progress.reason_to_leave():
            self.ended = why
            return None
        if self._odds.learnt - self._judged_at >= REFRESH:
            self._judge_again()
        common = self._odds.sum(("", *self._site_features()))
        best: tuple[float, _LinkGroup] | None = None
        for kin in self._kins.values():
            while kin.waiting and self.progress.reason_to_skip(kin.waiting[0][2].depth):
                heappop(kin.waiting)
            if not kin.waiting:
                continue
            value = common + self._odds.sum(_kin_features(kin)) - kin.waiting[0][0]
            if best is None or value > best[0]:
                best = (value, kin)
        if best is None and not self.under_way:
            self.ended = "all its links were visited"
        return best

    def _judge_again(self) -> None:
        self._judged_at = self._odds.learnt
        for kin in self._kins.values():
            kin.waiting = [(-self._odds.sum(_said_by(lead)), count, lead) for _, count, lead in kin.waiting]
            heapify(kin.waiting)

    def features(self, lead: LinkCandidate) -> tuple[str, ...]:
        """Return all that the value of a link is judged by."""
        kin = self._kins.get(self._kin_of(lead)) or _LinkGroup()
        return (*_said_by(lead), *_kin_features(kin), *self._site_features())

    def _site_features(self) -> tuple[str, ...]:
        rewards = min(self.rewards, 3)
        return (*self.site, f"forms:{rewards}", f"since:{min(rewards, 1)}/{_step(self.barren)}")

    def note(self, lead: LinkCandidate, forms: int, rewards: int) -> None:
        """Learn from a visit: new search forms, and those of them that are on topic, which are the reward."""
        self._found = None
        self.under_way -= 1
        self.progress.note(lead.depth, forms)
        self.rewards += rewards
        self.barren = 0 if rewards else self.barren + 1
        if rewards:
            self._kins.setdefault(self._kin_of(lead), _LinkGroup()).gave += 1
        self._trail.came_to(lead.url, reward=rewards > 0)

    def take(self, lead: LinkCandidate) -> None:
        """Know of a link that is under way already."""
        self.under_way += 1
        self._known.add(lead.url)

    def skip(self, lead: LinkCandidate) -> None:
        """Take back a link that was not visited after all."""
        self._found = None
        self.under_way -= 1
        if kin := self._kins.get(self._kin_of(lead)):
            kin.tried = max(0, kin.tried - 1)

    def close(self, lead: LinkCandidate) -> None:
        """End with a page that has been read: it was all there is to visit."""
        self.skip(lead)
        self.ended = "it was a single page"

    def go_on(
        self,
        visited: Iterable[tuple[LinkCandidate, bool]],
        waiting: Iterable[LinkCandidate],
        rewards: int,
        barren: int,
        site: Sequence[str],
    ) -> None:
        """Go on with a site that was visited before."""
        self.site, self.rewards, self.barren = tuple(site), rewards, barren
        for lead, gave in visited:
            self._known.add(lead.url)
            kin = self._kins.setdefault(self._kin_of(lead), _LinkGroup())
            if lead.depth and lead.url not in self._trail:
                self._trail.step(lead.url, self._odds, self.features(lead), lead.parent)
            kin.tried += 1
            kin.gave += gave
        self.add(waiting)

    def _kin_of(self, lead: LinkCandidate) -> tuple[str, str]:
        return (_place(lead), shape(lead.url).rpartition("/")[0]) if self._by_kin else ("", "")


def _said_by(lead: LinkCandidate) -> tuple[str, ...]:
    """Return the features of a link that do not depend on what was tried."""
    return (
        *dict.fromkeys(f"p:{term}" for term in lead.terms(PATH)[:_TERMS]),
        *dict.fromkeys(f"a:{term}" for term in lead.terms(ANCHOR)[:_TERMS]),
        *dict.fromkeys(f"t:{term}" for term in lead.terms(AROUND)[:_TERMS]),
        f"at:{_place(lead)}",
        f"depth:{lead.depth}",
        *(["search"] if _tells_of_search(lead) else []),
    )


def _tells_of_search(lead: LinkCandidate) -> bool:
    words = (*lead.terms(PATH), *lead.terms(ANCHOR), *lead.anchor.lower().split())  # "find" is a stop word
    return any(word.startswith(_SEARCHES) for word in words)


def _place(lead: LinkCandidate) -> str:
    return "/".join(lead.tag_path.rsplit("/", _STEPS)[-_STEPS:])


def _kin_features(kin: _LinkGroup) -> tuple[str, ...]:
    return _tried(_step(kin.tried), min(kin.gave, 2))


@cache
def _tried(tried: int, gave: int) -> tuple[str, ...]:
    return (f"tried:{tried}", f"gave:{gave}/{tried}")


def _step(count: int) -> int:
    """Return a number as one of few.

    >>> [_step(count) for count in (0, 1, 2, 4, 8, 20, 50)]
    [0, 1, 2, 3, 6, 11, 21]
    """
    for least in (21, 11, 6, 3):
        if count >= least:
            return least
    return count
