"""Terms, what they weigh, and what a crawl learns about them: the feature spaces of SmartCrawler.

A text becomes terms: its words in lower case, without stop words and numbers, stemmed by the rules of its language. In a vector
a term weighs

    w(t) = 1 + ln tf(t)

and two vectors are as alike as the cosine between them, 0 where either is empty.

A *feature space* holds what is common to links that were good: for each context (the address, the anchor, the text around) it
counts terms, and its vector is that of the most frequent ones. The counts only grow, so a later crawl goes on with them.

Addresses run words together. If a frequent term is a proper part of a longer token, the token is cut there: once `book` is known,
`abebooks` becomes `abe` and `book`.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from heapq import nsmallest
from math import log, sqrt
from typing import TYPE_CHECKING
from urllib.parse import unquote

from hiddenweb.language.words import stem, stop_words, words
from hiddenweb.urls import host, strip_public_suffix

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    Vector = Mapping[str, float]
    Bag = Mapping[str, int]
    """How often each term was met."""

TOP = 50
"""Terms of a context that make its vector; the paper shows at least 19."""

SHORTEST_PART = 4
"""Letters of a term at which a longer token is cut: `art` is in too many words."""

MOST_TERMS = 20_000
"""Terms counted in one context; then the rarest half is forgotten."""

_TOKEN = re.compile(r"[^\W\d_]+")
_IDLE = frozenset(
    [
        "www",
        "http",
        "https",
        "html",
        "htm",
        "php",
        "asp",
        "aspx",
        "jsp",
        "cgi",
        "bin",
        "index",
        "default",
        "home",
        "main",
        "page",
        "pages",
    ]
)


def terms(texts: Iterable[str], language: str) -> Iterator[str]:
    """Yield the words of texts that say something, stemmed by the rules of their language."""
    for text in texts:
        yield from _terms(text, language)


@lru_cache(maxsize=65_536)  # the navigation of a site stands on each of its pages
def terms_of(text: str, language: str) -> tuple[str, ...]:
    """Return the terms of a short text, such as an anchor."""
    return tuple(_terms(text, language))


def _terms(text: str, language: str) -> Iterator[str]:
    idle = stop_words(language)
    for word in words(text, language):
        if word not in idle and not word.isdigit() and len(word) > 1:
            yield stem(word, language)


@lru_cache(maxsize=65_536)
def host_terms(url: str, language: str = "en") -> tuple[str, ...]:
    """Return the terms of the name of a host, without its public suffix.

    >>> host_terms("https://www.rare-books.co.uk/find?q=1")
    ('rare', 'book')
    """
    return tuple(_stems(_readable(strip_public_suffix(host(url))), language))


@lru_cache(maxsize=65_536)
def path_terms(url: str, language: str = "en") -> tuple[str, ...]:
    """Return the terms of the path of an address and of the names in its query.

    >>> path_terms("https://a.example/rare_books/advanced-search.html?lang=en")
    ('rare', 'book', 'advanc', 'search', 'lang')
    """
    _, _, rest = url.partition("://")
    path, _, query = rest.partition("/")[2].partition("?")
    names = " ".join(part.partition("=")[0] for part in query.split("&"))
    return tuple(_stems(unquote(f"{path} {names}"), language))


def url_terms(url: str, language: str = "en") -> tuple[str, ...]:
    """Return the terms of a whole address: of its host, then of its path."""
    return host_terms(url, language) + path_terms(url, language)


def _readable(name: str) -> str:
    """Return the name of a host in the letters that people see.

    >>> _readable("xn--bcher-kva"), _readable("xn--a")
    ('bücher', 'xn--a')
    """
    if "xn--" not in name:
        return name
    try:
        return name.encode("ascii").decode("idna")
    except UnicodeError:
        return name


def _stems(text: str, language: str) -> Iterator[str]:
    for token in _TOKEN.findall(text.lower()):
        if len(token) > 1 and token not in _IDLE:
            yield stem(token, language)


def split_at_known(token: str, known: Collection[str]) -> tuple[str, ...]:
    """Return a token cut around the longest known term that is a proper part of it; itself if there is none.

    >>> split_at_known("abebook", {"book", "boo"}), split_at_known("book", {"book"}), split_at_known("bookfinder", {"book"})
    (('abe', 'book'), ('book',), ('book', 'finder'))
    """
    if len(token) <= SHORTEST_PART or token in known:
        return (token,)
    for length in range(len(token) - 1, SHORTEST_PART - 1, -1):
        for start in range(len(token) - length + 1):
            part = token[start : start + length]
            if part in known:
                around = (token[:start], part, token[start + length :])
                return tuple(each for each in around if len(each) > 1 or each == part)
    return (token,)


def weights(found: Iterable[str]) -> dict[str, float]:
    """Return what each term weighs: 1 + ln of how often it was found.

    >>> weights(["film", "film", "year"])
    {'film': 1.6931471805599454, 'year': 1.0}
    """
    return weigh_terms(Counter(found))


def weigh_terms(bag: Bag) -> dict[str, float]:
    """Return what each term weighs, from how often it was met."""
    return {term: 1 + log(count) for term, count in bag.items()}


def cosine(first: Vector, second: Vector) -> float:
    """Return how alike two vectors of positive weights are."""
    if not first or not second:
        return 0.0
    common = sum(weight * second[term] for term, weight in first.items() if term in second)
    if not common:
        return 0.0
    return min(common / (length(first) * length(second)), 1.0)


def length(vector: Vector) -> float:
    """Return the length of a vector."""
    return sqrt(sum(weight * weight for weight in vector.values()))


class FeatureSpace:
    """What is common to good links, context by context: how often each term was met.

    `taught` is what it has learnt so far; `vectors` is what it had learnt when `rebuild` was last called, so that ranks do not
    move with every page.
    """

    def __init__(self, contexts: Sequence[str], top: int = TOP) -> None:
        self.contexts = tuple(contexts)
        self.top = top
        self.version = 0  # how often it was rebuilt
        self.taught: dict[str, Counter[str]] = {context: Counter() for context in self.contexts}
        self.vectors: dict[str, dict[str, float]] = {context: {} for context in self.contexts}
        self._lengths: dict[str, float] = dict.fromkeys(self.contexts, 0.0)
        self._changed: set[tuple[str, str]] = set()

    def learn(self, bags: Mapping[str, Bag]) -> None:
        """Count the terms of a link that was good."""
        for context in self.contexts:
            counted, bag = self.taught[context], bags.get(context, {})
            counted.update(bag)
            self._changed.update((context, term) for term in bag)
            if len(counted) > MOST_TERMS:
                kept = Counter(dict(counted.most_common(MOST_TERMS // 2)))
                self._changed.update((context, term) for term in counted if term not in kept)
                self.taught[context] = kept

    def rebuild(self) -> set[str]:
        """Take what was learnt into use; return the terms whose weight is another now."""
        changed: set[str] = set()
        for context in self.contexts:
            before = self.vectors[context]
            after = weigh_terms(dict(_most_frequent(self.taught[context], self.top)))
            changed.update(
                term for term in before.keys() | after.keys() if before.get(term) != after.get(term)
            )
            self.vectors[context] = after
            self._lengths[context] = length(after)
        self.version += 1
        return changed

    def similarity(self, context: str, bag: Bag) -> float:
        """Return how alike a bag of terms and a context are."""
        vector = self.vectors[context]
        common = [(term, count) for term, count in bag.items() if term in vector]
        if not common:
            return 0.0
        product = sum((1 + log(count)) * vector[term] for term, count in common)
        own = sqrt(sum((1 + log(count)) ** 2 for count in bag.values()))
        return min(product / (own * self._lengths[context]), 1.0)

    def shares(self, context: str, bag: Bag) -> dict[str, float]:
        """Return what each term adds to the similarity, the most important first."""
        vector = self.vectors[context]
        whole = length(weigh_terms(bag)) * self._lengths[context]
        parts = {
            term: (1 + log(count)) * vector[term] / whole for term, count in bag.items() if term in vector
        }
        return dict(sorted(parts.items(), key=lambda part: (-part[1], part[0])))

    def knows(self, context: str) -> Collection[str]:
        """Return the terms of a context that are in use."""
        return self.vectors[context].keys()

    # Keeping

    def rows(self) -> Iterator[tuple[str, int]]:
        """Yield all that was learnt: a context with a term of it, and how often that was met."""
        for context, counted in self.taught.items():
            for term, count in counted.items():
                yield f"{context}:{term}", count

    def changes(self) -> Iterator[tuple[str, int | None]]:
        """Yield what changed since the last call, as `rows` does; None for what was forgotten."""
        changed, self._changed = self._changed, set()
        for context, term in sorted(changed):
            yield f"{context}:{term}", self.taught[context].get(term)

    def take(self, rows: Iterable[tuple[str, int]]) -> None:
        """Take over what was learnt earlier, and take it into use."""
        for name, count in rows:
            context, _, term = name.partition(":")
            if context in self.taught:
                self.taught[context][term] = int(count)
        self.rebuild()


def _most_frequent(counted: Bag, number: int) -> list[tuple[str, int]]:
    """Return the most frequent terms; of equally frequent ones those that come first in the alphabet."""
    return nsmallest(number, counted.items(), key=lambda term: (-term[1], term[0]))
