"""Whether the pages of records say more than the answers that list them.

Some answers show all there is of a record, others a title and a line. To find out, the pages of the first few records of a form are
compared with what an answer said of each. What more than half of these pages have in common is their template: labels, opening
hours, a line about the owner. A page adds something if it has a word, besides those, that the answer did not have. If none of
five pages adds anything, the answers say it all, and no more pages need to be fetched.

Every page shows a little that is new and says nothing: the time, a count of visitors, its own number. So whole numbers of up to three
digits are no words here; years, codes and amounts with two decimals are. Where in doubt the pages are fetched: a page too many costs a request,
a page too few costs what only it says. Only where one page after the other cannot be read, they are given up.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from xxhash import xxh3_64_intdigest

from hiddenweb.language.tokens import words

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

Part = TypeVar("Part", str, int)

TRIED = 5
"""Records of a form whose pages are compared with its answers."""

MOST_FAILED = 10
"""Pages of a form's records in a row that could not be read, after which no more are tried."""

LONGEST = 20_000
"""Letters that are read of a page."""

_MOST_LINES = 500
"""Lines of a page that are compared; a limit of taste: what a page is about stands at its head."""

_AMOUNT = re.compile(r"(?<![\d.,])\d+[.,]\d\d(?![\d.,])")
_LONG_NUMBER = 4  # digits; a limit of taste


@dataclass(frozen=True, slots=True)
class DetailPageOffer:
    """What is told of one record."""

    answer: str  # by an answer that lists it
    page: str  # by its own page


@dataclass(frozen=True, slots=True)
class DetailPageValue:
    """What the pages of a form's records are worth."""

    adding: int  # of the pages compared, those that say something the answers do not
    template: frozenset[int]  # lines that these pages share


def compare(told: Sequence[DetailPageOffer]) -> DetailPageValue:
    """Compare what answers and pages tell of some records."""
    said = [frozenset(_telling_words(each.page)) for each in told]
    common = _common_parts(said)
    adding = sum(
        bool(page - common - frozenset(_telling_words(each.answer)))
        for page, each in zip(said, told, strict=True)
    )
    return DetailPageValue(
        adding, _common_parts([frozenset(map(_line_key, _lines(each.page))) for each in told])
    )


def own_text(page: str, template: Collection[int] = ()) -> str:
    """Return what the page of a record says besides its template."""
    return "\n".join(line for line in _lines(page) if _line_key(line) not in template)


def _common_parts(pages: Sequence[frozenset[Part]]) -> frozenset[Part]:
    """Return what more than half of the pages have; of a single page nothing can be told."""
    counted = Counter(part for page in pages for part in page)
    return frozenset(part for part, count in counted.items() if count > max(1, len(pages) / 2))


def _telling_words(text: str) -> Iterator[str]:
    """Yield the words of a text that can tell something about a record."""
    text = text[:LONGEST]
    yield from (word for word in words(text) if not word.isdigit() or len(word) >= _LONG_NUMBER)
    yield from _AMOUNT.findall(text)


def _lines(text: str) -> Iterable[str]:
    lines = (" ".join(line.split()) for line in text[:LONGEST].splitlines()[:_MOST_LINES])
    return [line for line in lines if line]


def _line_key(line: str) -> int:
    return xxh3_64_intdigest(line.encode("utf-8", "replace"))
