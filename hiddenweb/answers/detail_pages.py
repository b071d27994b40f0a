"""Whether the pages of records say more than the answers that list them.

Some answers show all there is of a record, others a title and a line. To find out, the pages of the first few records of a form are
compared with the text of each in the answer. What more than half of these pages have in common is their template: labels, opening
hours, a line about the owner. A page adds something if it has a word that is neither in the template nor in the answer. If none of
five pages adds anything, the answers say it all, and no more pages need to be fetched.

Every page shows a little that is new and has no meaning: the time, a count of visitors, its own number. So whole numbers of up to three
digits are no words here; years, codes and amounts with two decimals are. In doubt the pages are fetched: a page too many costs a
request, a page too few costs what only it says. Only if one page after the other cannot be read, no more are fetched.
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
"""So many pages of a form's records in a row could not be read: then no more are tried."""

LONGEST = 20_000
"""Letters that are read of a page."""

_MOST_LINES = 500
"""Lines of a page that are compared; a limit of taste: what a page is about stands at its head."""

_AMOUNT = re.compile(r"(?<![\d.,])\d+[.,]\d\d(?![\d.,])")
_LONG_NUMBER = 4  # digits; a limit of taste


@dataclass(frozen=True, slots=True)
class DetailPageOffer:
    """The texts about one record."""

    answer: str  # in an answer that lists it
    page: str  # on its own page


@dataclass(frozen=True, slots=True)
class DetailPageValue:
    """What the pages of a form's records are worth."""

    adding: int  # pages that say something the answers do not
    template: frozenset[int]  # lines that these pages share


def compare(offers: Sequence[DetailPageOffer]) -> DetailPageValue:
    """Compare what answers and pages say about some records."""
    page_words = [frozenset(_meaningful_words(each.page)) for each in offers]
    common = _common_parts(page_words)
    adding = sum(
        bool(page - common - frozenset(_meaningful_words(each.answer)))
        for page, each in zip(page_words, offers, strict=True)
    )
    return DetailPageValue(
        adding, _common_parts([frozenset(map(_line_key, _lines(each.page))) for each in offers])
    )


def own_text(page: str, template: Collection[int] = ()) -> str:
    """Return the text of a record's page without its template."""
    return "\n".join(line for line in _lines(page) if _line_key(line) not in template)


def _common_parts(pages: Sequence[frozenset[Part]]) -> frozenset[Part]:
    """Return what more than half of the pages have; of a single page nothing is common."""
    counted = Counter(part for page in pages for part in page)
    return frozenset(part for part, count in counted.items() if count > max(1, len(pages) / 2))


def _meaningful_words(text: str) -> Iterator[str]:
    """Yield the words of a text that can say something about a record."""
    text = text[:LONGEST]
    yield from (word for word in words(text) if not word.isdigit() or len(word) >= _LONG_NUMBER)
    yield from _AMOUNT.findall(text)


def _lines(text: str) -> Iterable[str]:
    lines = (" ".join(line.split()) for line in text[:LONGEST].splitlines()[:_MOST_LINES])
    return [line for line in lines if line]


def _line_key(line: str) -> int:
    return xxh3_64_intdigest(line.encode("utf-8", "replace"))
