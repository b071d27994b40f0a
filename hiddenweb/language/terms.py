"""Terms of texts and addresses, their weights, and the similarity of two bags of terms.

A text becomes terms: its words in lower case, without stop words and numbers, stemmed by the rules of its language. In a vector
a term weighs

    w(t) = 1 + ln tf(t)

and the similarity of two vectors is the cosine between them, 0 if one is empty.

Addresses join words without spaces. If a frequent term is a proper part of a longer token, the token is cut there: once `book` is known,
`abebooks` becomes `abe` and `book`.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import log, sqrt
from typing import TYPE_CHECKING
from urllib.parse import unquote

from hiddenweb.language.stems import stem
from hiddenweb.language.stop_words import stop_words
from hiddenweb.language.tokens import letter_runs, words
from hiddenweb.urls import host, strip_public_suffix

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    Vector = Mapping[str, float]
    Bag = Mapping[str, int]
    """How often each term was found."""


SHORTEST_PART = 4
"""Letters of a term at which a longer token is cut: `art` is in too many words. A limit of taste."""


_MEANINGLESS = frozenset(
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
    """Yield the terms of texts in a language."""
    for text in texts:
        yield from _terms(text, language)


@lru_cache(maxsize=65_536)  # the navigation of a site stands on each of its pages
def terms_of(text: str, language: str) -> tuple[str, ...]:
    """Return the terms of a short text, such as an anchor."""
    return tuple(_terms(text, language))


def _terms(text: str, language: str) -> Iterator[str]:
    stops = stop_words(language)
    for word in words(text, language):
        if word not in stops and not word.isdigit() and len(word) > 1:
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
    for token in letter_runs(text.lower()):
        if len(token) > 1 and token not in _MEANINGLESS:
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
    """Return the weight of each term: 1 + ln of how often it was found.

    >>> weights(["film", "film", "year"])
    {'film': 1.6931471805599454, 'year': 1.0}
    """
    return weigh_terms(Counter(found))


def weigh_terms(bag: Bag) -> dict[str, float]:
    """Return the weight of each term, from how often it was found."""
    return {term: 1 + log(count) for term, count in bag.items()}


def cosine(first: Vector, second: Vector) -> float:
    """Return the similarity of two vectors of positive weights."""
    if not first or not second:
        return 0.0
    common = sum(weight * second[term] for term, weight in first.items() if term in second)
    if not common:
        return 0.0
    return min(common / (length(first) * length(second)), 1.0)


def length(vector: Vector) -> float:
    """Return the length of a vector."""
    return sqrt(sum(weight * weight for weight in vector.values()))
