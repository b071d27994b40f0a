"""The link ranker of SmartCrawler: how similar a link is to those that led straight to a search form.

    LT(l) = Sim(P, P_l) + Sim(A, A_l) + Sim(T, T_l)

P, A and T are the path, the anchor and the text around of the links that led straight to a page with a searchable form: the
feature space FSL, which the adaptive link learner (`LinkLearner`) fills and rebuilds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.focused.exploring.link_candidate import ANCHOR, AROUND, CONTEXTS, PATH
from hiddenweb.learning.feature_space import TOP, FeatureSpace

if TYPE_CHECKING:
    from hiddenweb.focused.exploring.link_candidate import LinkCandidate


@dataclass(frozen=True, slots=True)
class LinkScore:
    """The rank of a link, part by part."""

    path: float
    anchor: float
    around: float

    @property
    def total(self) -> float:
        """LT, from 0 to 3."""
        return self.path + self.anchor + self.around


class LinkLearner:
    """Learns from the links that led straight to a search form, and ranks others by them."""

    def __init__(self, top: int = TOP) -> None:
        self.space = FeatureSpace(CONTEXTS, top)

    def learn(self, link: LinkCandidate) -> None:
        """Learn from a link whose page gave a new form."""
        self.space.learn(link.bags())

    def rebuild(self) -> None:
        """From now on, rank by all that was learnt."""
        self.space.rebuild()

    def score(self, link: LinkCandidate) -> LinkScore:
        """Return how similar a link is to the good ones."""
        bags = link.bags()
        return LinkScore(
            *(self.space.similarity(context, bags[context]) for context in (PATH, ANCHOR, AROUND))
        )
