"""Is a site on the topic? Naive Bayes over the words of its homepage.

The paper trains its classifier on pages of each domain (90.9 to 98.0 % right). We have only what a topic has: words, a few examples
on the topic and off it; and a background: the built-in topics, whose words and texts are off the topic of every other. Those
about the same thing are left out ("flats" and the built-in apartments).

It does not learn from a crawl: what it accepts would teach it to accept more. Crawls of 2,500 pages of a simulated web of 10,000 hosts
found 60, 36 and 43 databases of cars, music and jobs without learning, 37, 39 and 35 when the sites that gave forms were examples,
45, 35 and 29 when only the seeds were, and 45, 36 and 31 when all other homepages were the background of these.

A term that occurs a times in all that is on the topic (N terms), and b times in the rest (M terms), speaks for the topic with

    odds(t) = ln (a + s) / (N + s/p)  -  ln (b + s) / (M + s/p),        p = (a + b) / (N + M),  s = 1/3.

So smoothing leads to p, how frequent the term is anyway, and not to a constant. That matters where little is on the topic and much
off it: a term seen once in the background is not expected among a few examples, so its absence there says next to
nothing. With a constant a thousand such terms, as on all long pages, would speak against the topic.

A page adds up the odds of its terms, each 1 + ln n times for n times on the page, the title counting three times. Words of a page depend on
each other, and naive Bayes is sure of everything: so the sum is divided by the square root of all that was added, and
long pages are no surer than short ones. If it speaks against the topic, it counts only as far as the topic is known: with a mere
name no site is rejected.

A page with hardly any known term (another language, a picture) is uncertain, and so is a probability not far below one
half. A visit too many costs some pages, a missed site costs its database: uncertain sites are on the topic, unless the
user says otherwise.

A word of the topic itself never speaks against it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import nlargest
from math import exp, log, sqrt
from typing import TYPE_CHECKING

from hiddenweb.focused.topic import list_built_in_topics, load_built_in_topic
from hiddenweb.language.stop_words import stop_words
from hiddenweb.language.terms import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hiddenweb.focused.topic import Topic
    from hiddenweb.language.terms import Bag

    Counts = dict[str, float]

UNCERTAIN = 1 / 3
"""The probability from which a site is uncertain, and not off the topic: not far below one half. A limit of taste."""

MIN_KNOWN_TERMS = 3
"""Known terms that a page must have to be judged by them. A limit of taste."""

MIN_KNOWN_SHARE = 0.05
"""The same as a share of its terms. English pages have 0.2 to 0.7, German ones 0.05 to 0.14, Polish ones 0.01 to 0.05."""

NOT_KNOWN = "(hardly a word is known)"
"""The first reason of a verdict on a page with fewer known terms."""

_SMOOTHING = 1 / 3  # s in the formula: a limit of taste
_WORD_COUNT = 6.0  # a word of a topic counts as found so often: a limit of taste
_TITLE_COUNT = 3  # a term of the title counts so often: a limit of taste
_ENOUGH_TERMS = 200.0  # terms on the topic with which it is well known: four examples
_ALIKE = 0.3  # the share of a topic's terms that another has: then they are about the same; a limit of taste
_MAX_CHARACTERS = 50_000  # characters of a homepage that are read: a limit of taste
_MAX_REASONS = 5  # terms for and against a topic that are named: a limit of taste


@dataclass(frozen=True, slots=True)
class SiteVerdict:
    """Whether a site is on the topic, and the terms that speak for it and against it most, with how much they do."""

    on_topic: bool
    probability: float
    why: tuple[tuple[str, float], ...] = ()


class SiteClassifier:
    """Judges homepages."""

    def __init__(self, topic: Topic, *, uncertain_is_on_topic: bool = True) -> None:
        self.topic = topic
        self.uncertain_is_on_topic = uncertain_is_on_topic
        self._models: dict[str, _LanguageModel] = {}  # by language

    def judge(self, text: str, title: str = "", language: str = "") -> SiteVerdict:
        """Return whether the site with a homepage is on the topic."""
        bag = _homepage_terms(text, title, language)
        model = self._model_for(language)
        odds = model.odds_of(bag)
        term_weights = {term: 1 + log(bag[term]) for term in odds}
        shares = {term: term_weights[term] * odds[term] for term in odds}
        evidence = sum(shares.values()) / sqrt(sum(term_weights.values()) or 1.0)
        if evidence < 0:
            evidence *= min(1.0, model.on.total / _ENOUGH_TERMS)
        enough = max(MIN_KNOWN_TERMS, MIN_KNOWN_SHARE * len(bag))
        probability = 0.5 + (_logistic(evidence) - 0.5) * min(1.0, len(odds) / enough)
        why = tuple(_strongest(shares))
        return SiteVerdict(
            on_topic=probability >= UNCERTAIN if self.uncertain_is_on_topic else probability > 0.5,
            probability=probability,
            why=why if len(odds) >= enough else ((NOT_KNOWN, 0.0), *why),
        )

    def _model_for(self, language: str) -> _LanguageModel:
        if not stop_words(language):  # a code that a page made up, or a language that we have no rules for
            language = ""
        model = self._models.get(language)
        if model is None:
            model = self._models[language] = _LanguageModel(self.topic, language)
        return model


def _homepage_terms(text: str, title: str, language: str) -> Counter[str]:
    """Return the terms of a homepage, and how often each counts."""
    bag = Counter(terms([text[:_MAX_CHARACTERS]], language))
    for term in terms([title], language):
        bag[term] += _TITLE_COUNT
    return bag


def _logistic(evidence: float) -> float:
    return 1 / (1 + exp(-max(evidence, -50.0)))


def _strongest(shares: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    """Yield the terms that count most, those that speak for the topic first."""
    for sign in (1, -1):
        strong = nlargest(
            _MAX_REASONS, ((sign * share, term) for term, share in shares.items() if sign * share > 0)
        )
        for share, term in strong:
            yield term, round(sign * share, 3)


class _LanguageModel:
    """All that is known for pages in one language."""

    def __init__(self, topic: Topic, language: str) -> None:
        self.on = _ClassTerms(_material(topic, language))
        self.off = _ClassTerms(_background(topic, language))
        self._topic_terms = frozenset(_word_terms(topic, language))
        self._odds: Counts = {}

    def odds_of(self, bag: Bag) -> Counts:
        """Return the odds of the known terms of a bag."""
        cached = self._odds
        for term in bag:
            if term not in cached and (odds := self._odds_of(term)) is not None:
                cached[term] = odds
        return {term: cached[term] for term in bag if term in cached}

    def _odds_of(self, term: str) -> float | None:
        on, off = self.on.count(term), self.off.count(term)
        if not on and not off:
            return None
        spread = _SMOOTHING * (self.on.total + self.off.total) / (on + off)
        odds = log((on + _SMOOTHING) / (self.on.total + spread)) - log(
            (off + _SMOOTHING) / (self.off.total + spread)
        )
        return max(odds, 0.0) if term in self._topic_terms else odds


class _ClassTerms:
    """What is on the topic, or what is off it: how often each term was found."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self.total = sum(counts.values())

    def count(self, term: str) -> float:
        return self._counts.get(term, 0.0)


# Examples


def _material(topic: Topic, language: str) -> Counts:
    """Return the terms of a topic's words and of its texts on the topic."""
    counts = dict.fromkeys(_word_terms(topic, language), _WORD_COUNT)
    _add_texts(counts, topic.on_topic, language)
    return counts


def _background(topic: Topic, language: str) -> Counts:
    """Return the terms of what is off a topic: its own examples of that, and the built-in topics about something else."""
    counts: Counts = {}
    for name in list_built_in_topics():
        other = load_built_in_topic(name)
        if not _is_alike(topic, other):
            for term, count in _material(other, language).items():
                counts[term] = counts.get(term, 0.0) + count
        if name != topic.name:
            _add_texts(counts, (text for text in other.off_topic if not _mentions(text, topic)), language)
    _add_texts(counts, topic.off_topic, language)
    return counts


def _is_alike(topic: Topic, other: Topic) -> bool:
    if topic.name == other.name:
        return True
    own = set(_word_terms(topic, topic.language))
    return len(own.intersection(_word_terms(other, topic.language))) >= _ALIKE * len(own)


def _mentions(text: str, topic: Topic) -> bool:
    """Say whether a text has at least half of the words of a topic's name."""
    name = set(terms([topic.name], topic.language))
    return 2 * len(name.intersection(terms([text], topic.language))) >= len(name)


def _word_terms(topic: Topic, language: str) -> list[str]:
    return list(dict.fromkeys(terms([topic.name, topic.title, *topic.words_in(language)], language)))


def _add_texts(counts: Counts, texts: Iterable[str], language: str) -> None:
    for text in texts:
        for term, count in Counter(terms([text], language)).items():
            counts[term] = counts.get(term, 0.0) + 1 + log(count)
