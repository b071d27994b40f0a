"""What an unvisited site is worth: the odds that a visit of its homepage leads to forms on the topic.

Learnt from every visited site (`hiddenweb.learning.probit`), by what was known of it before the visit:

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

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hiddenweb.focused.locating.candidates import SiteCandidate

_MAX_TERMS = 15  # terms of one context: a limit of taste
_MAX_COUNT = 3  # from this count on, of sites and of terms, more say the same: a limit of taste
_MAX_GOOD_SITES = 4  # the same of good sites that a page links to: a limit of taste
_COUNT_STEPS = (
    20,
    8,
    4,
    2,
)  # links to a site, and places in a list, are distinguished in these steps: limits of taste


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
        f"deep:{min(candidate.deep_links, _MAX_COUNT)}",
        f"from:{candidate.source}",
        f"names:{min(candidate.names, _MAX_COUNT)}",
        *(["centre"] if candidate.centre else []),
    )


def page_features(candidate: SiteCandidate) -> tuple[str, ...]:
    """Return all that a page from reverse search is judged by: for how many good sites it was found, and at which place."""
    return (f"page:{min(candidate.links, _MAX_GOOD_SITES)}", f"place:{_coarse(candidate.place)}")


def _frequent(bag: Mapping[str, int]) -> list[str]:
    if len(bag) <= _MAX_TERMS:
        return list(bag)
    return sorted(bag, key=lambda term: (-bag[term], term))[:_MAX_TERMS]


def _count_shared(bag: Mapping[str, int], topic: Collection[str]) -> int:
    return min(sum(1 for term in bag if term in topic), _MAX_COUNT)


def _coarse(count: int) -> int:
    for least in _COUNT_STEPS:
        if count >= least:
            return least
    return count
