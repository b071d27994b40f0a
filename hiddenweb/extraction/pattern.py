"""What was learnt about the attributes of a site's records, and how it is applied to a page.

A slot knows one place of an attribute: what each feature should be there, and what agreeing and differing in it is worth. Every text of a page gets the sum; the
best one is the value if it reaches the slot's threshold, and otherwise the page has none in this place. Slots of one group are places of the same value, of which
the first that gives one is asked; several groups give several values. A slot of a list takes all texts that score like the best.

A pattern is small, knows no page, and is written as JSON.
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

_VERSION = 1  # of what is written
_MOST_OF_LIST = 200  # values of one attribute on a page; a limit of taste
_TAG_PATH = FEATURES.index("tag path")
_TOGETHER = tuple(FEATURES.index(name) for name in ("left cell", "firm label", "is a part"))
"""What the members of a list share, if all that were shown do."""


class UnreadablePattern(ValueError):
    """What should be a pattern is none."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of an attribute."""

    attribute: str
    group: int  # places of the same value
    values: tuple[int, ...]  # what each feature should be
    agree: tuple[float, ...]  # what it is worth if it is so, and if not
    differ: tuple[float, ...]
    threshold: float
    cut: ValueCut = WHOLE
    is_list: bool = False
    floor: float = NEVER  # a lower score is enough for a text that leads all others by so much
    lead: float = NEVER


@dataclass(frozen=True, slots=True)
class TemplateTexts:
    """The template texts of a site, as sorted numbers: those on many pages, and those on nearly all."""

    usual: tuple[int, ...] = ()
    firm: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A value that was found on a page, and where: in which text (pieces first, then wholes), and in which node of the skeleton."""

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
        """The names of what it finds, in their order."""
        return tuple(dict.fromkeys(slot.attribute for slot in self.slots))

    def values(self, page: PageTexts) -> dict[str, list[str]]:
        """Return the values of each attribute on a page; none where the page does not seem to have any."""
        return _values_of(self.find(page))

    def find(self, page: PageTexts) -> dict[str, list[FoundValue]]:
        """Return the values of each attribute on a page, each with its place."""
        table = FeatureTable(page)
        rows = table.rows(to_numbers(self.labels.usual), to_numbers(self.labels.firm))
        return self.find_among(table.texts, rows)

    def values_among(self, texts: tuple[PageText, ...], rows: Numbers) -> dict[str, list[str]]:
        """Return the values of each attribute among texts whose features were made with the labels of this pattern."""
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
        return {name: _each_once(values) for name, values in found.items()}

    def to_json(self) -> str:
        """Return the pattern as text."""
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
        """Return the pattern that a text describes; UnreadablePattern if it describes none."""
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
    """Return what stands in the place of a slot, among texts with their features; nothing below the threshold."""
    scores = scores_of(slot, rows)
    best = int(scores.argmax())
    if scores[best] < slot.threshold and not _stands_out(slot, texts, scores, best):
        return []
    chosen: Iterable[int] = (best,)
    if slot.is_list:
        chosen = _like(slot, rows, scores, best)
    return [
        FoundValue(value, index, texts[index].node)
        for index in chosen
        for value in slot.cut.values_in(texts[index].text)
    ]


def _stands_out(slot: Slot, texts: Sequence[PageText], scores: NDArray[np.float64], best: int) -> bool:
    return scores[best] >= slot.floor and lead_of(texts, scores, best) >= slot.lead


def lead_of(texts: Sequence[PageText], scores: NDArray[np.float64], best: int) -> float:
    """Return by how much the best text leads the next one that says something else in another place."""
    chosen = texts[best]
    for index in np.argsort(-scores).tolist():
        text = texts[index]
        apart = text.last < chosen.first or text.first > chosen.last
        if apart and text.folded != chosen.folded:
            return float(scores[best] - scores[index])
    return NEVER


def list_rows(slot: Slot, rows: Numbers, best: int) -> list[int]:
    """Return the texts that are taken with the best one for a list, whatever the threshold is."""
    return _like(replace(slot, threshold=float("-inf")), rows, scores_of(slot, rows), best)


def _like(slot: Slot, rows: Numbers, scores: NDArray[np.float64], best: int) -> list[int]:
    enough = scores >= max(slot.threshold, scores[best] - _tolerance(slot))
    like = enough & (rows[:, _TAG_PATH] == rows[best, _TAG_PATH])
    for feature in _TOGETHER:
        if slot.agree[feature] or slot.differ[feature]:
            like &= rows[:, feature] == rows[best, feature]
    found: list[int] = np.flatnonzero(like)[:_MOST_OF_LIST].tolist()
    return found


def scores_of(slot: Slot, rows: Numbers) -> NDArray[np.float64]:
    """Return how well each text fits a slot."""
    differ = np.array(slot.differ)
    scores: NDArray[np.float64] = (rows == to_numbers(slot.values)) @ (
        np.array(slot.agree) - differ
    ) + differ.sum()
    return scores


def to_numbers(values: tuple[int, ...]) -> Numbers:
    """Return whole numbers as features are kept."""
    return np.array(values, dtype=np.uint64)


def _tolerance(slot: Slot) -> float:
    """Return by how much the members of a list may differ in their score: a fifth of what can be reached."""
    return 0.2 * sum(max(agree - differ, 0.0) for agree, differ in zip(slot.agree, slot.differ, strict=True))


def _each_once(values: list[FoundValue]) -> list[FoundValue]:
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
