"""What a site is worth that nobody has visited: the odds that a visit of its homepage leads to forms on the topic.

Learnt from every site that was visited (`hiddenweb.learning.probit`), from what was known of it before:

- the terms of its name, of the anchors and of the texts around the links to it,
- how many of them are terms of the topic itself, which is known before anything is learnt,
- how many links lead to it, how many of them from sites with forms on topic, what the best of its sources is,
- whether a centre page names it.

Unlike the paper's rank it learns from sites that gave nothing, too: what good and bad sites share says nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.focused.locating.candidates import ANCHOR, AROUND, URL
from hiddenweb.focused.locating.site_ranker import cut_tokens
from hiddenweb.learning.probit import BayesianProbit

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hiddenweb.focused.locating.candidates import SiteCandidate

_MAX_TERMS = 15  # terms of one context: a limit of taste


def initial_probit(*, head_start: bool = True) -> BayesianProbit:
    """Return the odds of a site before anything was learnt: what the topic says is all there is."""
    if not head_start:
        return BayesianProbit({"": -1.5})
    known = {f"{context}:{count}": 0.25 * count for context in ("tu", "ta", "tt") for count in (1, 2, 3)}
    return BayesianProbit({"": -1.5, "centre": 0.3, "from:1": 0.2, "from:2": 0.4, **known})


def initial_page_probit() -> BayesianProbit:
    """Return the odds of a page that reverse search gave, before anything was learnt."""
    return BayesianProbit({"": -1.0})


def features(candidate: SiteCandidate, topic: Collection[str]) -> tuple[str, ...]:
    """Return all that a site is judged by; `topic` are the terms of the topic."""
    name = cut_tokens(candidate.bags[URL], topic)
    anchor, around = candidate.bags[ANCHOR], candidate.bags[AROUND]
    return (
        *(f"u:{term}" for term in name),
        *(f"a:{term}" for term in _frequent(anchor)),
        *(f"t:{term}" for term in _frequent(around)),
        f"tu:{_count_shared(name, topic)}",
        f"ta:{_count_shared(anchor, topic)}",
        f"tt:{_count_shared(around, topic)}",
        f"links:{_coarse(candidate.links)}",
        f"deep:{min(candidate.deep_links, 3)}",
        f"from:{candidate.source}",
        f"names:{min(candidate.names, 3)}",
        *(["centre"] if candidate.centre else []),
    )


def page_features(candidate: SiteCandidate) -> tuple[str, ...]:
    """Return all that a page is judged by which reverse search gave: for how many good sites, and how far up it stood."""
    return (f"page:{min(candidate.links, 4)}", f"place:{_coarse(candidate.place)}")


def _frequent(bag: Mapping[str, int]) -> list[str]:
    if len(bag) <= _MAX_TERMS:
        return list(bag)
    return sorted(bag, key=lambda term: (-bag[term], term))[:_MAX_TERMS]


def _count_shared(bag: Mapping[str, int], topic: Collection[str]) -> int:
    return min(sum(1 for term in bag if term in topic), 3)


def _coarse(count: int) -> int:
    for least in (20, 8, 4, 2):
        if count >= least:
            return least
    return count
