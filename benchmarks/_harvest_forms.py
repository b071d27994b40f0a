"""Forms of the simulated web: what they are, and what classifiers take them for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks._harvest_material import SEARCH, TOPICS

if TYPE_CHECKING:
    from random import Random

    from benchmarks._harvest_material import Material
    from benchmarks._harvest_plan import Shape

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FormSeen:
    """A form on a page: its identity, what it truly is, and what our classifiers take it for."""

    id: int
    topic: str  # of the database behind it; "" if it is no search of a database
    searchable: bool
    taken_for_search: bool  # by our classifier, of the real form it stands for
    misjudged: frozenset[str] = _NONE  # the topics about which the second step, by words, is wrong

    def is_relevant(self, topic: str) -> bool:
        """Say whether it searches a database of a topic."""
        return self.searchable and self.topic == topic

    def is_taken_for_relevant(self, topic: str) -> bool:
        """Say whether a crawl believes that it searches a database of a topic."""
        return self.taken_for_search and (self.topic == topic) != (topic in self.misjudged)


def search_form(number: int, topic: str, shape: Shape, material: Material, rng: Random) -> FormSeen:
    """Return a form that searches a database of a topic, or the site it is on if there is no topic.

    It stands for one of the real forms, and is missed besides so often that recall is as under cross-validation.
    """
    recall = min(1.0, shape.search_recall / material.search_recall)
    taken = rng.choice(material.verdicts[SEARCH]) and rng.random() < recall
    return FormSeen(number, topic, True, taken, _misjudge(shape, rng))


def other_form(kind: str, number: int, shape: Shape, material: Material, rng: Random) -> FormSeen:
    """Return a form that searches no database; one that searches the site is searchable all the same."""
    if kind == SEARCH:
        return search_form(number, "", shape, material, rng)
    mistaken = shape.false_searches - material.false_searches
    taken = rng.choice(material.verdicts[kind]) or rng.random() < mistaken
    return FormSeen(number, "", False, taken, _misjudge(shape, rng))


def _misjudge(shape: Shape, rng: Random) -> frozenset[str]:
    """Return at most one topic, so that each has its error."""
    if rng.random() > len(TOPICS) * shape.topic_error:
        return _NONE
    return frozenset((rng.choice(TOPICS),))
