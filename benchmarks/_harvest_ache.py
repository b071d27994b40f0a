"""ACHE: a focused crawler that learns which links lead to forms, and in how many steps.

Barbosa and Freire, "An adaptive crawler for locating hidden-web entry points" (WWW 2007), with what the open code
(github.com/VIDA-NYU/ache) says where the paper leaves something open. Nothing is copied; where two readings are possible, the one that
found more forms on the tuning web was taken.

- *Page classifier.* Naive Bayes, trained on the examples of the topic, the same as that of best first. Only pages on topic give links
  to the frontier ("hard focus", the default of the code).
- *Link classifier.* Naive Bayes over the neighbourhood of a link: terms of its address, of its anchor and of the text around it,
  each present or absent. Its classes are the levels: level 1 leads straight to a page with a relevant form, level 2 to a page one
  link before such a page, level 3 two links before; and a last class of links that led nowhere.
- *Automatic feature selection.* At every learning the most frequent terms of the training links are taken anew: 150 of addresses, 150
  of anchors, 100 of the text around, as in the code. A longer token of an address that contains a selected term counts as that term.
- *Frontier.* One queue for every level, over all sites. The next link is the best of the first queue that is not empty: the most likely
  to belong to its level, then the one whose page is most relevant. Links taken to lead nowhere come last, the doubtful ones first.
- *Online learning.* Every 500 fetched pages (the code's `learning_limit`) the classifier is learnt anew from all paths to relevant
  forms so far, and all waiting links are classified again. A page counts if it has a form that was taken for relevant and was not
  met before, so that a search in the header of each page of a site teaches once. Links that led nowhere are drawn at random, as many as
  there are links that led somewhere (the code's remedy for unequal classes), and no more than 5,000 links of a class are used.
- *Before the first learning,* and as long as fewer than 10 pages had a relevant form, it is a focused crawler on the page
  classifier: a link is worth what it is worth to best first. The code starts with the relevance of the page alone
  (LinkClassifierBaseline), which orders less. Seeds come first.
- *Not used:* the backlink mode (reverse search by a link index), which is off by default in the code, and off in the comparison of the
  SmartCrawler paper. The limits for a site are the stop criteria that bind all policies, as in that comparison; the code's own
  `max_pages_per_domain` would come later than they do. Delays for politeness are outside the benchmark.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import chain
from math import exp, log
from operator import add
from typing import TYPE_CHECKING, NamedTuple

from benchmarks._harvest_policies import LANGUAGE, Limits, TopicClassifier, entry_place, link_place
from hiddenweb.language.terms import split_at_known, terms_of, url_terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from benchmarks._harvest_policies import Place, Policy
    from benchmarks._harvest_web import Answer, GraphWeb
    from hiddenweb.model import Link


@dataclass(frozen=True, slots=True)
class Settings:
    """All that can be set; see above for where the numbers are from."""

    levels: int = 3
    learn_every: int = 500  # pages
    fewest: int = 10  # pages with a relevant form, before anything is learnt
    most_examples: int = 5000  # of a class
    url_terms: int = 150
    anchor_terms: int = 150
    around_terms: int = 100
    hard_focus: bool = True


class Neighbourhood(NamedTuple):
    """What the link classifier sees of a link: terms, by where they stand."""

    url: tuple[str, ...] = ()
    anchor: tuple[str, ...] = ()
    around: tuple[str, ...] = ()


NOTHING = Neighbourhood()


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A link on its way through the frontier."""

    place: Place
    parent: Candidate | None = None  # None: a seed
    neighbourhood: Neighbourhood = NOTHING
    worth: float = 2.0  # to a focused crawler; a seed is worth as much as a link can be


def neighbourhood_of(link: Link) -> Neighbourhood:
    """Return the terms of a link, each once."""
    return Neighbourhood(
        tuple(dict.fromkeys(url_terms(link.url, LANGUAGE))),
        tuple(dict.fromkeys(terms_of(link.anchor, LANGUAGE))),
        tuple(dict.fromkeys(terms_of(link.around, LANGUAGE))),
    )


class LinkClassifier:
    """Naive Bayes with terms that are present or absent: to which class a link belongs.

    Classes are numbered; of `examples`, each class has its own.
    """

    def __init__(self, examples: Sequence[Sequence[Neighbourhood]], settings: Settings) -> None:
        together = list(chain.from_iterable(examples))
        self._parts: dict[str, tuple[str, ...]] = {}
        self._selected = Neighbourhood(
            most_frequent((link.url for link in together), settings.url_terms),
            most_frequent((link.anchor for link in together), settings.anchor_terms),
            most_frequent((link.around for link in together), settings.around_terms),
        )
        self._known_in_url = frozenset(self._selected.url)
        self._base = [log((len(links) + 1) / (len(together) + len(examples))) for links in examples]
        self._weights: list[dict[str, list[float]]] = [
            {term: [0.0] * len(examples) for term in selected} for selected in self._selected
        ]
        for number, links in enumerate(examples):
            self._learn(number, links)

    def _learn(self, number: int, links: Sequence[Neighbourhood]) -> None:
        for where, weights in enumerate(self._weights):
            counted = Counter(chain.from_iterable(self._features(link)[where] for link in links))
            for term, weight in weights.items():
                share = (counted[term] + 1) / (len(links) + 2)
                self._base[number] += log(1 - share)
                weight[number] = log(share / (1 - share))

    def _features(self, link: Neighbourhood) -> Neighbourhood:
        """Return a link with the tokens of its address cut at the selected terms."""
        parts = dict.fromkeys(chain.from_iterable(map(self._cut, link.url)))
        return Neighbourhood(tuple(parts), link.anchor, link.around)

    def _cut(self, token: str) -> tuple[str, ...]:
        parts = self._parts.get(token)
        if parts is None:
            parts = self._parts[token] = split_at_known(token, self._known_in_url)
        return parts

    def classify(self, link: Neighbourhood) -> tuple[int, float]:
        """Return the most likely class of a link, and how likely it is."""
        scores = self._base.copy()
        for weights, found in zip(self._weights, self._features(link), strict=True):
            for term in found:
                if term in weights:
                    scores = list(map(add, scores, weights[term]))
        best = max(scores)
        return scores.index(best), 1 / sum(exp(score - best) for score in scores)


def most_frequent(found: Iterable[tuple[str, ...]], number: int) -> tuple[str, ...]:
    """Return the terms that most links have; of equally frequent ones those that come first in the alphabet."""
    counted = Counter(chain.from_iterable(found))
    order = sorted(counted, key=lambda term: (-counted[term], term))
    return tuple(order[:number])


class Paths:
    """The links that were followed, and how many steps each was from a page with a relevant form."""

    def __init__(self, levels: int) -> None:
        self.forms = 0  # pages that had a relevant form
        self._levels = levels
        self._followed: list[Candidate] = []
        self._steps: dict[Candidate, int] = {}

    def note(self, candidate: Candidate, *, has_form: bool) -> None:
        """Remember a link that was followed; if it led to a form, teach all links of the path that led there."""
        if candidate.parent is not None:
            self._followed.append(candidate)
        self.forms += has_form
        step, link = 0, candidate
        while has_form and step < self._levels and link.parent is not None:
            self._steps[link] = min(step, self._steps.get(link, step))
            step, link = step + 1, link.parent

    def examples(self, most: int, rng: Random) -> list[list[Neighbourhood]]:
        """Return the links of each level, and last those that led nowhere, of these no more than of all others."""
        classes: list[list[Neighbourhood]] = [[] for _ in range(self._levels + 1)]
        for link in self._followed:
            classes[self._steps.get(link, self._levels)].append(link.neighbourhood)
        somewhere = sum(map(len, classes[:-1]))
        classes[-1] = sample(classes[-1], somewhere, rng)
        return [sample(links, most, rng) for links in classes]


def sample(links: list[Neighbourhood], most: int, rng: Random) -> list[Neighbourhood]:
    """Return all links, or as many as allowed, drawn at random."""
    return links if len(links) <= most else rng.sample(links, most)


class Ache:
    """The adaptive crawler."""

    def __init__(
        self, seeds: Iterable[str], topic: str, pages: TopicClassifier, rng: Random, settings: Settings
    ) -> None:
        self._topic = topic
        self._pages = pages
        self._rng = rng
        self._settings = settings
        self._limits = Limits()
        self.paths = Paths(settings.levels)
        self._links: LinkClassifier | None = None
        self._queues: list[list[tuple[float, float, int, Candidate]]] = [
            [] for _ in range(settings.levels + 1)
        ]
        self._known: dict[str, Candidate] = {}
        self._met: set[int] = set()  # relevant forms
        self._fetched = 0
        for url in seeds:
            self._add(Candidate(entry_place(url)))

    def next(self) -> str | None:
        for queue in self._queues:
            while queue:
                candidate = heappop(queue)[-1]
                if self._limits.allow(candidate.place):
                    return candidate.place.url
        return None

    def note(self, url: str, answer: Answer | None) -> None:
        candidate = self._known[url]
        self._limits.note(candidate.place, answer)
        self.paths.note(candidate, has_form=answer is not None and self._has_new_form(answer))
        if answer is not None:
            self._add_links(candidate, answer)
        self._fetched += 1
        if self._fetched % self._settings.learn_every == 0 and self.paths.forms >= self._settings.fewest:
            self._learn()

    def _has_new_form(self, answer: Answer) -> bool:
        relevant = {form.id for form in answer.forms if form.is_taken_for_relevant(self._topic)}
        new = relevant - self._met
        self._met |= new
        return bool(new)

    def _add_links(self, parent: Candidate, answer: Answer) -> None:
        relevance = self._pages.relevance_of_page(answer.page)
        if self._settings.hard_focus and relevance <= 0.5:
            return
        for link in answer.page.links:
            if link.url not in self._known:
                worth = relevance + self._pages.relevance_of_anchor(link.anchor)
                place = link_place(parent.place, link.url)
                self._add(Candidate(place, parent, neighbourhood_of(link), worth))

    def _add(self, candidate: Candidate) -> None:
        number = len(self._known)
        self._known[candidate.place.url] = candidate
        level, order = self._rank(candidate)
        heappush(self._queues[level], (order, -candidate.worth, number, candidate))

    def _rank(self, candidate: Candidate) -> tuple[int, float]:
        """Return the queue of a link, and its place in it: the smaller the sooner."""
        if self._links is None or candidate.parent is None:
            return 0, -candidate.worth
        level, likelihood = self._links.classify(candidate.neighbourhood)
        return level, likelihood if level == self._settings.levels else -likelihood

    def _learn(self) -> None:
        examples = self.paths.examples(self._settings.most_examples, self._rng)
        self._links = LinkClassifier(examples, self._settings)
        waiting = [entry for queue in self._queues for entry in queue]
        self._queues = [[] for _ in self._queues]
        for _, _, number, candidate in waiting:
            if self._limits.allow(candidate.place):
                level, order = self._rank(candidate)
                self._queues[level].append((order, -candidate.worth, number, candidate))
        for queue in self._queues:
            heapify(queue)


def make_ache(web: GraphWeb, topic: str, rng: Random, settings: Settings | None = None) -> Policy:
    """Return the policy of ACHE."""
    return Ache(web.seeds(topic), topic, TopicClassifier.of(web, topic), rng, settings or Settings())
