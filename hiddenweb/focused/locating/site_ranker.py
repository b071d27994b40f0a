"""The site ranker of SmartCrawler: how similar a site is to those that had forms on the topic.

    ST(s)   = Sim(U, U_s) + Sim(A, A_s) + Sim(T, T_s)
    SF(s)   = how many sites with forms on the topic link to s
    Rank(s) = alpha * ST(s) + (1 - alpha) * ln(1 + SF(s))        alpha = 0.7

U, A and T are the addresses, the anchors and the texts around the links that led to such sites: the feature space FSS, which the
adaptive site learner fills. (The paper writes ln SF, which has no value where nothing links to a site.) Seeds come before all
others. Tokens of addresses are cut where a known term is a part of them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from hiddenweb.focused.locating.candidates import ANCHOR, CONTEXTS, URL
from hiddenweb.language.terms import split_at_known
from hiddenweb.learning.feature_space import TOP, FeatureSpace

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from hiddenweb.focused.locating.candidates import SiteCandidate

ALPHA = 0.7  # the paper's
SEEDS_FIRST = 1000.0  # added to the rank of a seed: more than any rank can be


@dataclass(frozen=True, slots=True)
class SiteScore:
    """The rank of a site, part by part."""

    url: float
    anchor: float
    around: float
    deep_links: int
    alpha: float = ALPHA
    seed: bool = False

    @property
    def similarity(self) -> float:
        """ST, from 0 to 3."""
        return self.url + self.anchor + self.around

    @property
    def total(self) -> float:
        """Rank.

        >>> SiteScore(0.5, 0.25, 0.25, deep_links=0).total, round(SiteScore(0, 0, 0, deep_links=1).total, 4)
        (0.7, 0.2079)
        """
        first = SEEDS_FIRST if self.seed else 0.0
        return self.alpha * self.similarity + (1 - self.alpha) * log(1 + self.deep_links) + first


class SiteLearner:
    """Learns from the sites that had forms on the topic, and ranks others by them."""

    def __init__(self, *, alpha: float = ALPHA, top: int = TOP) -> None:
        self.alpha = alpha
        self.space = FeatureSpace(CONTEXTS, top)

    def learn(self, candidate: SiteCandidate) -> None:
        """Learn from a site that had a form on the topic."""
        self.space.learn(self._bags(candidate))

    def rebuild(self) -> None:
        """From now on, rank by all that was learnt."""
        self.space.rebuild()

    def score(self, candidate: SiteCandidate) -> SiteScore:
        """Return the rank of a site."""
        bags = self._bags(candidate)
        url, anchor, around = (self.space.similarity(context, bags[context]) for context in CONTEXTS)
        return SiteScore(url, anchor, around, candidate.deep_links, self.alpha, candidate.seed)

    def _bags(self, candidate: SiteCandidate) -> dict[str, Mapping[str, int]]:
        known_terms = set(self.space.knows(URL)) | set(self.space.knows(ANCHOR))
        return {**candidate.bags, URL: cut_tokens(candidate.bags[URL], known_terms)}


def cut_tokens(bag: Mapping[str, int], known_terms: Collection[str]) -> Counter[str]:
    """Return the terms of an address with its tokens cut at known terms."""
    parts: Counter[str] = Counter()
    for token, count in bag.items():
        for part in split_at_known(token, known_terms):
            parts[part] += count
    return parts
