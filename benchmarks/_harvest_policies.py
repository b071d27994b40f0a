"""In which order to fetch: what all policies of the harvest benchmark share, and the two plainest of them.

A policy names the next address to fetch, is told what came of it, and uses nothing that a crawl could not know. All policies start
from the same seeds and obey the same stop criteria, SC1 to SC5 of `hiddenweb.frontier.stopping`, kept here by `Limits`. Two-stage
crawlers know the depth of a page, since they enter a site by its homepage. The others follow links in and out of sites in any
order; for them a homepage and every link from another site have depth 0, and a link within a site one more than its page.

*Breadth first* fetches addresses in the order in which they are met, whatever site they are on.

*Best first* is the focused crawler of Chakrabarti, van den Berg and Dom (1999), in the form in which it is usually compared with: one
priority queue over all sites, where a link is worth

    relevance(page that it stands on) + relevance(anchor)

and the best value counts if several pages have the link. Relevance is naive Bayes trained on the examples of the topic and, as
one more example, its words. The sum of the log odds of n terms grows with n until all posteriors are 0 or 1 and order nothing
(Pant and Srinivasan 2005 found that this is what makes naive Bayes a weak guide), so it is divided by the square root of n:

    relevance = 1 / (1 + exp(-sum(ln P(t | on) / P(t | off)) / sqrt(n)))
"""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from heapq import heappop, heappush
from math import exp, log, sqrt
from typing import TYPE_CHECKING, Protocol

from hiddenweb.frontier.stopping import ExplorationProgress, StopCriteria
from hiddenweb.language.terms import terms, terms_of
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from random import Random

    from benchmarks._harvest_web import Answer, GraphWeb
    from hiddenweb.model import Page

    Make = Callable[[GraphWeb, str, Random], "Policy"]

LANGUAGE = "en"  # of the simulated web


class Policy(Protocol):
    """An order in which to fetch pages."""

    def next(self) -> str | None:
        """Return the address to fetch, never one twice; None when nothing is left."""

    def note(self, url: str, answer: Answer | None) -> None:
        """Take note of what came of it; None: it did not answer."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address is: its site, and how many links it is from where the site was entered."""

    url: str
    site: str
    depth: int = 0


def entry_place(url: str) -> Place:
    """Return the place of an address at which a site is entered."""
    return Place(url, registered_domain(url))


def link_place(page: Place, url: str) -> Place:
    """Return the place of an address that a page links to."""
    site = registered_domain(url)
    depth = page.depth + 1 if site == page.site and not is_homepage(url) else 0
    return Place(url, site, depth)


def is_homepage(url: str) -> bool:
    """Say whether an address is that of a whole host.

    >>> is_homepage("https://a.example/"), is_homepage("https://a.example/b"), is_homepage("https://a.example/?q=1")
    (True, False, False)
    """
    return not url.partition("://")[2].partition("/")[2]


class Limits:
    """The stop criteria, site by site, and the search forms that were met on each.

    A page that does not answer counts as one without a form: it cost as much.
    """

    def __init__(self, criteria: StopCriteria | None = None) -> None:
        self._criteria = criteria or StopCriteria()
        self._progress: dict[str, ExplorationProgress] = {}
        self._met: dict[str, set[int]] = {}

    def allow(self, place: Place) -> bool:
        """Say whether a page may be fetched; once refused, it stays so."""
        progress = self._progress.get(place.site)
        if progress is None:
            return place.depth <= self._criteria.depth
        return progress.reason_to_leave() is None and progress.reason_to_skip(place.depth) is None

    def note(self, place: Place, answer: Answer | None) -> int:
        """Count a page; return how many forms it has that were taken for searches and are new on its site."""
        met = self._met.setdefault(place.site, set())
        forms = {form.id for form in answer.forms if form.taken_for_search} - met if answer else set()
        met |= forms
        self._progress.setdefault(place.site, ExplorationProgress(self._criteria)).note(
            place.depth, len(forms)
        )
        return len(forms)


class TopicClassifier:
    """Naive Bayes: whether a text is on a topic."""

    def __init__(self, on: Iterable[str], off: Iterable[str]) -> None:
        counts = [Counter(terms(texts, LANGUAGE)) for texts in (on, off)]
        known = counts[0].keys() | counts[1].keys()
        totals = [counted.total() + len(known) for counted in counts]
        self._log_odds = {
            term: log((counts[0][term] + 1) / totals[0]) - log((counts[1][term] + 1) / totals[1])
            for term in known
        }

    @classmethod
    def of(cls, web: GraphWeb, topic: str) -> TopicClassifier:
        """Return what is learnt from the examples of a topic and its words."""
        on, off = web.examples(topic)
        return cls((*on, " ".join(web.words(topic))), off)

    def relevance(self, found: Iterable[str]) -> float:
        """Return how surely terms are on topic; 0.5 if they say nothing."""
        known = [self._log_odds[term] for term in found if term in self._log_odds]
        return 1 / (1 + exp(-sum(known) / sqrt(len(known)))) if known else 0.5

    def relevance_of_page(self, page: Page) -> float:
        """Return how surely a page is on topic, by its title and text."""
        return self.relevance(terms((page.title, page.text), LANGUAGE))

    def relevance_of_anchor(self, anchor: str) -> float:
        """Return how surely an anchor is on topic."""
        return self.relevance(terms_of(anchor, LANGUAGE))


class BreadthFirst:
    """Fetches what was met first."""

    def __init__(self, seeds: Iterable[str]) -> None:
        self._waiting = deque(map(entry_place, seeds))
        self._places = {place.url: place for place in self._waiting}
        self._limits = Limits()

    def next(self) -> str | None:
        while self._waiting:
            place = self._waiting.popleft()
            if self._limits.allow(place):
                return place.url
        return None

    def note(self, url: str, answer: Answer | None) -> None:
        page = self._places[url]
        self._limits.note(page, answer)
        for link in answer.page.links if answer else ():
            if link.url not in self._places:
                place = self._places[link.url] = link_place(page, link.url)
                self._waiting.append(place)


class BestFirst:
    """Fetches the link whose page and anchor are most surely on topic."""

    def __init__(self, seeds: Iterable[str], classifier: TopicClassifier) -> None:
        self._places = {url: entry_place(url) for url in seeds}
        self._classifier = classifier
        self._limits = Limits()
        self._fetched: set[str] = set()
        self._worth = dict.fromkeys(self._places, 2.0)  # as much as a link can be
        self._waiting: list[tuple[float, int, str]] = []
        for url, worth in self._worth.items():
            self._push(url, worth)

    def next(self) -> str | None:
        while self._waiting:
            _, _, url = heappop(self._waiting)
            if url not in self._fetched and self._limits.allow(self._places[url]):
                self._fetched.add(url)
                return url
        return None

    def note(self, url: str, answer: Answer | None) -> None:
        page = self._places[url]
        self._limits.note(page, answer)
        if answer is None:
            return
        relevance = self._classifier.relevance_of_page(answer.page)
        for link in answer.page.links:
            worth = relevance + self._classifier.relevance_of_anchor(link.anchor)
            if link.url not in self._places:
                self._places[link.url] = link_place(page, link.url)
            if link.url not in self._fetched and worth > self._worth.get(link.url, -1.0):
                self._worth[link.url] = worth
                self._push(link.url, worth)

    def _push(self, url: str, worth: float) -> None:
        heappush(self._waiting, (-worth, len(self._worth), url))


def make_breadth_first(web: GraphWeb, topic: str, rng: Random) -> Policy:
    """Return the policy breadth first; nothing in it is left to chance."""
    del rng
    return BreadthFirst(web.seeds(topic))


def make_best_first(web: GraphWeb, topic: str, rng: Random) -> Policy:
    """Return the policy best first; nothing in it is left to chance."""
    del rng
    return BestFirst(web.seeds(topic), TopicClassifier.of(web, topic))
