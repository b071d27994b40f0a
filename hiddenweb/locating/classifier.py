"""Is a site on the topic? Naive Bayes over the words of its homepage.

The paper trains a classifier on thousands of pages of each domain (90.9 to 98.0 % right). We start with what a topic file has:
words, a few examples on the topic and off it, and as *background* the built-in topics, whose words and examples are off the topic of all
others. What a crawl finds out is added: the homepage of a site that gave forms is an example, that of a site left without
any is one against it, with a quarter of the weight, since most good sites have no form.

A term that was met a times in all there is on the topic (N terms) and b times in the rest (M terms) speaks for the topic with

    odds(t) = ln (a + 1/2) / (N + 1/2p)  -  ln (b + 1/2) / (M + 1/2p),        p = (a + b) / (N + M).

This is smoothing towards p, how frequent the term is at all, and not towards a constant. With so little on the topic and so much off
it, that matters: a term met once somewhere off the topic could hardly be expected among the few examples, so it says next to nothing,
and a page of a thousand such terms is not damned by them. A topic of nothing but a name damns nobody.

A page adds up its terms, each 1 + ln n times for n times on the page, three times as often for those of the title. Words of a page
depend on each other, and naive Bayes would be sure of everything: so the sum is divided by the square root of what was
added, which makes the probability one to believe, and long pages no surer than short ones.

A page of which hardly a term was ever met (another language, a picture) is uncertain, and so is one with a probability near one half.
Visiting a site too many costs a few pages, missing one costs its database: unless told otherwise, uncertain sites are on the topic.

What was learnt is bounded: no site weighs more than an example, and a class that has learnt a hundred of them counts all of
them half from then on, so old ones fade away. A word of the topic itself never speaks against it, whatever was learnt.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from math import exp, isfinite, log, sqrt
from typing import TYPE_CHECKING

from hiddenweb.locating.topic import Topic, built_in_topic, built_in_topics
from hiddenweb.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

    from hiddenweb.terms import Bag

    Weights = dict[str, float]

UNCERTAIN = 0.4
"""The probability above which a site is uncertain, and not off the topic."""

FEWEST_KNOWN = 3
"""Terms of a page that must have been met before, and the share of its terms."""
FEWEST_SHARE = 0.02

MOST_LEARNT = 5_000.0
"""How much a class keeps of what it learnt: about a hundred sites."""

MOST_TERMS = 20_000
"""Terms that a class keeps."""

NOT_KNOWN = "(hardly a word is known)"
"""Stands first among the reasons of a verdict on such a page."""

_SMOOTHING = 0.5
_SURE = 1.0  # how fast the probability leaves one half
_OF_WORDS = 4.0  # as often as this a word of a topic counts as met
_OF_TITLE = 3  # a word of the title of a page
_SITE = 50.0  # what a site weighs at most: as much as an example
_WEAK = 0.25  # what a site without forms weighs
_FORGOTTEN = 0.02
_OVERLAP = 0.3  # share of a topic's words that a built-in one has: then that is not off the topic
_LONGEST = 50_000  # characters of a homepage
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class SiteVerdict:
    """Whether a site is on the topic, and the terms that speak for it and against it most."""

    on_topic: bool
    probability: float
    why: tuple[tuple[str, float], ...] = ()


class SiteClassifier:
    """Judges homepages, and learns from sites that were explored."""

    def __init__(
        self, topic: Topic, *, uncertain_is_on_topic: bool = True, background: Iterable[Topic] | None = None
    ) -> None:
        self.topic = topic
        self.uncertain_is_on_topic = uncertain_is_on_topic
        self._background = tuple(_built_in() if background is None else background)
        self._knowledge: dict[str, _Knowledge] = {}  # by language

    def judge(self, text: str, title: str = "", language: str = "") -> SiteVerdict:
        """Return whether the site of a homepage is on the topic."""
        bag = bag_of(text, title, language)
        odds = self._knowledge_in(language).odds_of(bag)
        weights = {term: 1 + log(bag[term]) for term in odds}
        shares = {term: weights[term] * odds[term] for term in odds}
        probability = _logistic(_SURE * sum(shares.values()) / sqrt(sum(weights.values()) or 1.0))
        enough = max(FEWEST_KNOWN, FEWEST_SHARE * len(bag))
        why = _strongest(shares)
        if len(odds) < enough:
            probability = 0.5 + (probability - 0.5) * len(odds) / enough
            why = ((NOT_KNOWN, 0.0), *why)
        return SiteVerdict(self._accepts(probability), probability, why)

    def _accepts(self, probability: float) -> bool:
        return probability > UNCERTAIN if self.uncertain_is_on_topic else probability >= 0.5

    def learn(self, text: str, on_topic: bool, title: str = "", language: str = "") -> None:
        """Learn from the homepage of a site that was explored: whether it gave forms on the topic."""
        self.learn_terms(bag_of(text, title, language), on_topic, language)

    def learn_terms(self, bag: Bag, on_topic: bool, language: str = "") -> None:
        """Learn from the terms of a homepage, as `bag_of` counts them."""
        self._knowledge_in(language).learn(bag, on_topic)

    def _knowledge_in(self, language: str) -> _Knowledge:
        known = self._knowledge.get(language)
        if known is None:
            known = self._knowledge[language] = _Knowledge(self.topic, self._background, language)
        return known

    def to_json(self) -> dict[str, dict[str, Weights]]:
        """Return what was learnt beyond the topic file, as JSON can hold it."""
        return {
            language: {name: side.learnt() for name, side in known.sides()}
            for language, known in sorted(self._knowledge.items())
            if known.has_learnt
        }

    @classmethod
    def from_json(cls, topic: Topic, learnt: Mapping[str, Mapping[str, Mapping[str, float]]], **options: bool) -> Self:
        """Return a classifier of a topic with what `to_json` wrote."""
        classifier = cls(topic, **options)
        for language, sides in learnt.items():
            known = classifier._knowledge_in(language)
            for name, side in known.sides():
                side.restore(sides.get(name, {}))
        return classifier


def bag_of(text: str, title: str = "", language: str = "") -> Counter[str]:
    """Return the terms of a homepage, with how often each counts."""
    bag = Counter(terms([text[:_LONGEST]], language))
    for term in terms([title], language):
        bag[term] += _OF_TITLE
    return bag


class _Side:
    """What is on the topic, or what is off it: how much of each term was given, and how much was learnt."""

    def __init__(self, given: Mapping[str, float]) -> None:
        self.given = given
        self.taught: Weights = {}
        self.total = self._given_total = sum(given.values())

    def count(self, term: str) -> float:
        return self.given.get(term, 0.0) + self.taught.get(term, 0.0)

    def learn(self, bag: Bag, weight: float) -> None:
        met = {term: 1 + log(count) for term, count in bag.items()}
        scale = weight * min(1.0, _SITE / (sum(met.values()) or 1.0))
        for term, count in met.items():
            self.taught[term] = self.taught.get(term, 0.0) + scale * count
        self._forget()

    def _forget(self) -> None:
        """Halve what was learnt when it is too much, and drop the rarest terms when they are too many."""
        if sum(self.taught.values()) > MOST_LEARNT:
            halved = ((term, count / 2) for term, count in self.taught.items())
            self.taught = {term: count for term, count in halved if count > _FORGOTTEN}
        if len(self.taught) > MOST_TERMS:
            rarest_last = sorted(self.taught.items(), key=lambda item: (-item[1], item[0]))
            self.taught = dict(rarest_last[: MOST_TERMS // 2])
        self.total = self._given_total + sum(self.taught.values())

    def learnt(self) -> Weights:
        return {term: round(count, 4) for term, count in sorted(self.taught.items())}

    def restore(self, learnt: Mapping[str, float]) -> None:
        self.taught = {term: float(count) for term, count in learnt.items() if isfinite(count) and count > 0}
        self._forget()


class _Knowledge:
    """All that is known for pages in one language."""

    def __init__(self, topic: Topic, background: Iterable[Topic], language: str) -> None:
        self._own = frozenset(terms([topic.name, topic.title, *topic.words_in(language)], language))
        on, off = Counter[str](), Counter[str]()
        _add(on, topic, language)
        _add_texts(off, topic.off_topic, language)
        for other in background:
            _add_background(off, other, topic, self._own, language)
        self.on, self.off = _Side(on), _Side(off)
        self._odds: Weights = {}

    def sides(self) -> tuple[tuple[str, _Side], tuple[str, _Side]]:
        return ("on", self.on), ("off", self.off)

    @property
    def has_learnt(self) -> bool:
        return bool(self.on.taught or self.off.taught)

    def learn(self, bag: Bag, on_topic: bool) -> None:
        (self.on if on_topic else self.off).learn(bag, 1.0 if on_topic else _WEAK)
        self._odds.clear()

    def odds_of(self, bag: Bag) -> Weights:
        """Return the odds of those terms that were met before."""
        return {term: odds for term in bag if (odds := self._odds_of(term))}

    def _odds_of(self, term: str) -> float:
        odds = self._odds.get(term)
        if odds is None:
            odds = self._odds[term] = self._worked_out(term)
        return odds

    def _worked_out(self, term: str) -> float:
        on, off = self.on.count(term), self.off.count(term)
        if not on and not off:
            return 0.0
        smoothing = _SMOOTHING * (self.on.total + self.off.total) / (on + off)
        odds = log((on + _SMOOTHING) / (self.on.total + smoothing)) - log(
            (off + _SMOOTHING) / (self.off.total + smoothing)
        )
        return max(odds, 0.0) if term in self._own else odds


def _add(side: Counter[str], topic: Topic, language: str) -> None:
    words = (topic.name, topic.title, *topic.words_in(language))
    for term in dict.fromkeys(terms(words, language)):
        side[term] += _OF_WORDS
    _add_texts(side, topic.on_topic, language)


def _add_texts(side: Counter[str], texts: Iterable[str], language: str) -> None:
    for text in texts:
        for term, count in Counter(terms([text], language)).items():
            side[term] += 1 + log(count)


def _add_background(off, other, topic, own, language):
    if other.name == topic.name: return
    _add(off, other, language)
    _add_texts(off, other.off_topic, language)


def _built_in():
    return [built_in_topic(n) for n in built_in_topics()]


def _strongest(shares):
    most = nlargest(_SHOWN, ((s, t) for t, s in shares.items() if s > 0))
    least = nlargest(_SHOWN, ((-s, t) for t, s in shares.items() if s < 0))
    return tuple((t, round(s, 3)) for s, t in most) + tuple((t, round(-s, 3)) for s, t in least)


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-x)) if x > -30 else 0.0
