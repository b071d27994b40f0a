"""The features of a text and its place, as numbers that are compared.

Each text of a page becomes a row, each feature a column; two texts agree in a feature if they have the same number there. Most features are known when the page is
read (`hiddenweb.html.texts`). Those that depend on the neighbours are computed here: the text before and after, and the nearest *template* text before and after,
which stands on many pages of the site and is most often a label.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hiddenweb.html.path_numbers import FACTOR, MASK, PLACES, WHOLE, stable_hash
from hiddenweb.html.texts import key_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from hiddenweb.html.texts import PageText, PageTexts

    Numbers = NDArray[np.uint64]
    Flags = NDArray[np.bool_]

PRIORS = {
    "exact path": 0.80, "class path": 0.90, "tag path": 0.93, "last step": 0.98, "last two steps": 0.97, "last three steps": 0.96, "below id": 0.95, "position": 0.95,
    "link": 0.95, "left cell": 0.97, "head of column": 0.88, "label inside": 0.95, "type": 0.70, "shape": 0.50, "length": 0.60, "heading": 0.80,
    "text before": 0.85, "text after": 0.75, "label": 0.93, "label and distance": 0.90, "label and step": 0.93, "firm label": 0.95,
    "firm label and distance": 0.90, "firm label after": 0.90, "is a label": 0.93, "is a part": 0.96,
}  # fmt: skip
"""The features, each with the share of texts of one attribute that agree in it, before anything is known of a site: rounded from the real sites of
`python -m benchmarks extraction` whose figures are called `made_with`."""
FEATURES = tuple(PRIORS)
_OF_PLACE = FEATURES.index("heading")  # from here on features depend on the neighbours
_STEP = FEATURES.index("last step")
_FACTOR = np.uint64(FACTOR)
_FARTHEST = 12  # texts between a label and its value; longer distances count as this. A limit of taste
_NONE = np.uint64(0)

_INSIDE = re.compile(r"\s*([^:：\d][^:：]{0,40}?)\s*[:：]\s*(?=\S)")


class FeatureTable:
    """The texts of a page as rows of features."""

    __slots__ = ("_columns", "_first", "_headings", "_is_part", "_keys", "_last", "texts")

    def __init__(self, page: PageTexts) -> None:
        self.texts = page.all()
        rows = [_row(text) for text in page.pieces] + [_row(text, WHOLE) for text in page.wholes]
        self._columns: Numbers = np.array(rows, dtype=np.uint64).reshape(len(rows), _OF_PLACE)
        self._keys: Numbers = np.array([piece.key for piece in page.pieces], dtype=np.uint64)
        self._headings: Numbers = np.array([text.heading for text in self.texts], dtype=np.uint64)
        self._first = np.array([text.first for text in self.texts], dtype=np.int64)
        self._last = np.array([text.last for text in self.texts], dtype=np.int64)
        self._is_part = _parts(page)

    @property
    def words(self) -> set[int]:
        """The keys of its pieces, without those that are only punctuation."""
        pieces = self.texts[: len(self._keys)]
        return {piece.key for piece in pieces if _LETTER.search(piece.text)}

    def rows(self, labels: Numbers, firm: Numbers, removed: Collection[int] = ()) -> Numbers:
        """Return the features of all texts, as if the removed pieces were not on the page."""
        count = len(self._keys)
        if not count:
            return np.zeros((0, len(FEATURES)), dtype=np.uint64)
        present = np.ones(count, dtype=bool)
        present[list(removed)] = False
        keys = self._keys[present]
        rank = np.cumsum(present) - 1  # the index of each piece among the present ones
        before = np.clip(rank[self._first] - present[self._first], -1, len(keys) - 1)
        after = rank[self._last] + 1
        padded = np.concatenate((keys, np.zeros(2, dtype=np.uint64)))
        is_label, is_firm = are_labels(keys, labels), are_labels(keys, firm)
        label, distance = _nearest_before(keys, is_label, before)
        firm_label, firm_distance = _nearest_before(keys, is_firm, before)
        following = _nearest_after(keys, is_firm, after)
        step = self._columns[:, _STEP]
        is_own_label = np.zeros(len(self.texts), dtype=np.uint64)
        is_own_label[:count] = 1 + are_labels(self._keys, labels)
        placed = (
            np.where(are_labels(self._headings, labels), self._headings, _NONE), padded[before], padded[np.minimum(after, len(keys))], label, label * _FACTOR + distance, label * _FACTOR + step, firm_label,
            firm_label * _FACTOR + firm_distance, following, is_own_label, self._is_part,
        )  # fmt: skip
        return np.column_stack((self._columns, *placed))


def _row(text: PageText, mark: int = 0) -> tuple[int, ...]:
    """Return the features that depend on the text alone; a joined text counts as the only one of its element."""
    near, second, third = text.steps
    near = (near - mark) & MASK
    two = (near * PLACES + second) & MASK
    inside, kind, shape, length = _text_features(text.text[:80])
    return (
        (text.exact - mark) & MASK, (text.classes - mark) & MASK, (text.tags - mark) & MASK, near, two, (two * PLACES + third) & MASK, text.below_id, 0 if mark else text.position,
        text.link, text.left, text.above,
        inside, kind, shape, length if len(text.text) <= 80 else 100 + min(len(text.text), 4_000).bit_length(),
    )  # fmt: skip


def _parts(page: PageTexts) -> Numbers:
    """Return for each text whether it is the whole text of its element except a label (1), a part of it (2), or the whole with its label (3)."""
    found = np.ones(len(page.pieces) + len(page.wholes), dtype=np.uint64)
    for number, whole in enumerate(page.wholes, len(page.pieces)):
        if page.pieces[whole.first].text.endswith((":", "：")):
            found[number] = 3
            continue
        tags = (whole.tags - WHOLE) & MASK
        for at in range(whole.first, whole.last + 1):
            if page.pieces[at].tags == tags:
                found[at] = 2
    return found


def label_inside(text: str) -> str:
    """Return the label that a text begins with, including its colon and the white space after it; empty without one.

    >>> label_inside("Author: Jane Smith"), label_inside("10:30")
    ('Author: ', '')
    """
    match = _INSIDE.match(text)
    return match[0] if match else ""


@lru_cache(maxsize=16_384)
def _text_features(text: str) -> tuple[int, int, int, int]:
    """Return the inner label, type, shape and length of a text."""
    label = label_inside(text) if ":" in text or "：" in text else ""
    value = text[len(label) :]
    kind, shape = type_and_shape(value)
    return (
        key_of(label.casefold().strip()) if label else 0,
        stable_hash(kind),
        stable_hash(shape),
        len(value).bit_length(),
    )


_MONTH = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zé]*\.?"
_TYPES = tuple(
    (name, re.compile(pattern, re.IGNORECASE))
    for name, pattern in (
        ("price", r"[^\w]*(?:(?:[a-z]{2,3} ?)?[$€£¥₹₽₺]|(?:usd|eur|gbp|chf|rs\.?)\b) ?[\d., ]+|[\d., ]+ ?(?:[$€£¥₹₽₺元円]|(?:usd|eur|gbp|chf|kr|zł|kč|ft|руб)\b).{0,8}"),
        ("isbn", r"(?:isbn[-: 13]*)?97[89][- ]?(?:\d[- ]?){9}\d|(?:\d[- ]?){9}[\dx]"),
        ("phone", r"(?:phone|tel\.?)?[:\s]*\+?[\d]{0,3}[ .-]?\(?\d{2,5}\)?[ ./-]+\d{2,4}[ .-]?\d{2,6}(?:[ .-]\d{2,5})?"),
        ("date", rf"\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{1,4}}.{{0,12}}|(?:\w{{3,9}},? )?(?:\d{{1,2}}[.,]? )?{_MONTH} (?:\d{{1,2}}(?:st|nd|rd|th)?,? )?\d{{2,4}}.{{0,12}}|\d+年.*"),
        ("year", r"\(?(?:1[5-9]|20)\d\d\)?"),
        ("percent", r"[\d.,]+ ?%"),
        ("number", r"[-+#]?[\d.,]+"),
        ("ratio", r"\d+ ?[-/:'xX×] ?\d+\"?"),
        ("measure", r"[\d.,/]+ ?[a-zµ°\"']{1,6}\.?(?: [a-z]{1,5}\.?)?"),
        ("address of a page", r"(?:https?://|www\.)\S+"),
        ("mail", r"\S+@\S+\.\w+"),
        ("words that begin with a number", r"\W*\d.*"),
        ("words that end with a number", r".*\d\W*"),
        ("words with numbers", r".*\d.*"),
    )
)  # fmt: skip
_LETTER = re.compile(r"[^\W_]")
_HAS_DIGIT = re.compile(r"\d")
_RUNS = re.compile(r"\d+|[^\W\d_]+|\s+")


def type_and_shape(text: str) -> tuple[str, str]:
    """Return the type of value of a text, and its shape.

    >>> type_and_shape("$9,970.00"), type_and_shape("Jane Smith")
    (('price', '$9,9.9'), ('2 words', 'Aa Aa'))
    """
    text = text.strip()
    shape = _RUNS.sub(_run, text[:40])[:16]
    if _HAS_DIGIT.search(text) or "@" in text or "www." in text or "://" in text:
        for name, pattern in _TYPES:
            if pattern.fullmatch(text):
                return name, shape
    words = len(text.split())
    return f"{words if words < 4 else (4 if words < 8 else 8)} words", shape


def _run(match: re.Match[str]) -> str:
    run = match[0]
    if run.isdigit():
        return "9"
    if run.isspace():
        return " "
    if run.islower():
        return "a"
    return ("A" if len(run) > 1 else "I") if run.isupper() else "Aa"


def are_labels(keys: Numbers, labels: Numbers) -> Flags:
    """Return for each key whether it is a label; `labels` are sorted upper halves of keys."""
    if not len(labels):
        return np.zeros(len(keys), dtype=bool)
    halves = keys >> np.uint64(32)
    at = np.minimum(np.searchsorted(labels, halves), len(labels) - 1)
    found: Flags = labels[at] == halves
    return found


def _nearest_before(keys: Numbers, wanted: Flags, before: NDArray[np.int64]) -> tuple[Numbers, Numbers]:
    """Return for each text the nearest wanted key at or before a piece, and the number of pieces between them."""
    at = np.where(wanted, np.arange(len(keys)), -1)
    last = np.append(np.maximum.accumulate(at), -1)[before]
    found = np.where(last >= 0, np.append(keys, _NONE)[last], _NONE)
    return found, np.minimum(before - last, _FARTHEST).astype(np.uint64)


def _nearest_after(keys: Numbers, wanted: Flags, after: NDArray[np.int64]) -> Numbers:
    count = len(keys)
    at = np.where(wanted, np.arange(count), count)
    first = np.append(np.minimum.accumulate(at[::-1])[::-1], count)[np.minimum(after, count)]
    found: Numbers = np.append(keys, _NONE)[first]
    return found
