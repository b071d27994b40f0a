"""The learnt pattern of the attributes of a site's records, and its application to a page.

A slot describes one place of an attribute: the expected value of each feature, and the scores for agreement and difference. Every text of a page gets the sum; the
best one is the value if it reaches the slot's threshold, otherwise the page has no value in this place. Slots of one group are places of the same value; the first
slot with a value is used. Several groups give several values. A slot of a list takes all texts with a score near the best.

A pattern is small, independent of pages, and is stored as JSON.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hiddenweb.extraction.features import FEATURES, FeatureTable
from hiddenweb.extraction.value_cut import WHOLE, ValueCut
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from hiddenweb.extraction.features import Numbers
    from hiddenweb.html.texts import PageText, PageTexts

NEVER = 1e9
"""A score that no text reaches."""

_VERSION = 1  # of the JSON
_MOST_OF_LIST = 200  # values of one attribute on a page; a limit of taste
_TAG_PATH = FEATURES.index("tag path")
_TOGETHER = tuple(FEATURES.index(name) for name in ("left cell", "firm label", "is a part"))
"""Features that the members of a list share if all examples do."""


class UnreadablePattern(ValueError):
    """A text is no pattern."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of an attribute."""

    attribute: str
    group: int  # places of the same value
    values: tuple[int, ...]  # expected, one for each feature
    agree: tuple[float, ...]  # score of each feature if it agrees, and if it differs
    differ: tuple[float, ...]
    threshold: float
    cut: ValueCut = WHOLE
    is_list: bool = False
    floor: float = NEVER  # a lower threshold for a text that leads all others by `lead`
    lead: float = NEVER


@dataclass(frozen=True, slots=True)
class TemplateTexts:
    """The template texts of a site, as sorted numbers: those on many pages, and those on nearly all pages."""

    usual: tuple[int, ...] = ()
    firm: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value on a page, with the index of its text (pieces first, then wholes) and its node in the skeleton."""

    value: str
    index: int
    node: int


@dataclass(frozen=True, slots=True)
class AttributePattern:
    """How the attributes of a site's records are found on its pages."""

    site: str
    labels: TemplateTexts
    slots: tuple[Slot, ...]

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of its attributes, in their order."""
        return tuple(dict.fromkeys(slot.attribute for slot in self.slots))

    def values(self, page: PageTexts) -> dict[str, list[str]]:
        """Return the values of each attribute on a page; none if the page seems to have none."""
        return _values_of(self.find(page))

    def find(self, page: PageTexts) -> dict[str, list[FoundValue]]:
        """Return the values of each attribute on a page, each with its place."""
        table = FeatureTable(page)
        rows = table.rows(to_numbers(self.labels.usual), to_numbers(self.labels.firm))
        return self.find_among(table.texts, rows)

    def values_among(self, texts: tuple[PageText, ...], rows: Numbers) -> dict[str, list[str]]:
        """Return the values of each attribute among texts whose features were computed with the labels of this pattern."""
        return _values_of(self.find_among(texts, rows))

    def find_among(self, texts: tuple[PageText, ...], rows: Numbers) -> dict[str, list[FoundValue]]:
        """Return the values of each attribute among such texts, each with its place."""
        found: dict[str, list[FoundValue]] = {name: [] for name in self.attributes}
        filled: set[tuple[str, int]] = set()
        for slot in self.slots:
            if (slot.attribute, slot.group) in filled or not len(rows):
                continue
            values = find_values(slot, texts, rows)
            if values:
                filled.add((slot.attribute, slot.group))
                found[slot.attribute] += values
        return {name: _deduplicate(values) for name, values in found.items()}

    def to_json(self) -> str:
        """Return the pattern as JSON."""
        slots = [
            {
                **asdict(slot),
                "values": _pack(slot.values, "<u8"),
                "agree": list(slot.agree),
                "differ": list(slot.differ),
            }
            for slot in self.slots
        ]
        return json.dumps(
            {
                "version": _VERSION,
                "site": self.site,
                "features": list(FEATURES),
                "labels": _pack(self.labels.usual, "<u4"),
                "firm_labels": _pack(self.labels.firm, "<u4"),
                "slots": slots,
            },
            ensure_ascii=False,
        )

    @classmethod
    def from_json(cls, text: str) -> AttributePattern:
        """Return the pattern that `to_json` returned; raises UnreadablePattern."""
        try:
            read = json.loads(text)
            if read["version"] != _VERSION or read["features"] != list(FEATURES):
                raise UnreadablePattern("the pattern was learnt by another version: learn it again")
            labels = TemplateTexts(_unpack(read["labels"], "<u4"), _unpack(read["firm_labels"], "<u4"))
            return cls(str(read["site"]), labels, tuple(_slot(each) for each in read["slots"]))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            if isinstance(error, UnreadablePattern):
                raise
            raise UnreadablePattern(f"not a pattern: {error!r}") from error


def find_values(slot: Slot, texts: tuple[PageText, ...], rows: Numbers) -> list[FoundValue]:
    """Return the values in the place of a slot, among texts with their features; nothing below the threshold."""
    scores = scores_of(slot, rows)
    best = int(scores.argmax())
    if scores[best] < slot.threshold and not _stands_out(slot, texts, scores, best):
        return []
    chosen: Iterable[int] = (best,)
    if slot.is_list:
        chosen = _similar_rows(slot, rows, scores, best)
    return [
        FoundValue(value, index, texts[index].node)
        for index in chosen
        for value in slot.cut.values_in(texts[index].text)
    ]


def _stands_out(slot: Slot, texts: Sequence[PageText], scores: NDArray[np.float64], best: int) -> bool:
    return scores[best] >= slot.floor and lead_of(texts, scores, best) >= slot.lead


def lead_of(texts: Sequence[PageText], scores: NDArray[np.float64], best: int) -> float:
    """Return by how much the best text leads the next different text in another place."""
    chosen = texts[best]
    for index in np.argsort(-scores).tolist():
        text = texts[index]
        is_elsewhere = text.last < chosen.first or text.first > chosen.last
        if is_elsewhere and text.folded != chosen.folded:
            return float(scores[best] - scores[index])
    return NEVER


def list_rows(slot: Slot, rows: Numbers, best: int) -> list[int]:
    """Return the texts that belong to a list with the best one, whatever the threshold is."""
    return _similar_rows(replace(slot, threshold=float("-inf")), rows, scores_of(slot, rows), best)


def _similar_rows(slot: Slot, rows: Numbers, scores: NDArray[np.float64], best: int) -> list[int]:
    is_good = scores >= max(slot.threshold, scores[best] - _tolerance(slot))
    is_similar = is_good & (rows[:, _TAG_PATH] == rows[best, _TAG_PATH])
    for feature in _TOGETHER:
        if slot.agree[feature] or slot.differ[feature]:
            is_similar &= rows[:, feature] == rows[best, feature]
    found: list[int] = np.flatnonzero(is_similar)[:_MOST_OF_LIST].tolist()
    return found


def scores_of(slot: Slot, rows: Numbers) -> NDArray[np.float64]:
    """Return how well each text fits a slot."""
    differ = np.array(slot.differ)
    scores: NDArray[np.float64] = (rows == to_numbers(slot.values)) @ (
        np.array(slot.agree) - differ
    ) + differ.sum()
    return scores


def to_numbers(values: tuple[int, ...]) -> Numbers:
    """Return integers as an array of features."""
    return np.array(values, dtype=np.uint64)


def _tolerance(slot: Slot) -> float:
    """Return by how much the scores of the members of a list may differ: a fifth of the highest possible score."""
    return 0.2 * sum(max(agree - differ, 0.0) for agree, differ in zip(slot.agree, slot.differ, strict=True))


def _deduplicate(values: list[FoundValue]) -> list[FoundValue]:
    return list({fold_text(each.value): each for each in reversed(values)}.values())[::-1]


def _values_of(found: dict[str, list[FoundValue]]) -> dict[str, list[str]]:
    return {name: [each.value for each in values] for name, values in found.items()}


def _pack(numbers: tuple[int, ...], kind: str) -> str:
    return b64encode(np.array(numbers, dtype=kind).tobytes()).decode("ascii")


def _unpack(text: str, kind: str) -> tuple[int, ...]:
    return tuple(np.frombuffer(b64decode(text, validate=True), dtype=kind).tolist())


def _slot(read: dict[str, Any]) -> Slot:
    values = _unpack(read["values"], "<u8")
    agree, differ = (tuple(float(each) for each in read[name]) for name in ("agree", "differ"))
    if not len(values) == len(agree) == len(differ) == len(FEATURES):
        raise UnreadablePattern(f"slot of {read['attribute']!r}: {len(FEATURES)} features were expected")
    cut = read["cut"]
    return Slot(
        str(read["attribute"]),
        int(read["group"]),
        values,
        agree,
        differ,
        float(read["threshold"]),
        ValueCut(
            str(cut["before"]), str(cut["value"]), str(cut["after"]), tuple(map(str, cut["separators"]))
        ),
        bool(read["is_list"]),
        float(read.get("floor", NEVER)),
        float(read.get("lead", NEVER)),
    )
