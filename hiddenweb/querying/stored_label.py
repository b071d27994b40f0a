"""A label of the Labelled Value Set with its values, as it is stored.

With s successes and f failures of a value that started at w,

    weight = (4 w + s) / (4 + s + f):

the start counts as four submissions, the order of submissions does not matter, and the weight stays in [0, 1]. The formula is ours.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.language.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping

USER = "your file"
"""The source of values from the user's own file; it overrules all others."""

LONGEST_LABEL = 60
"""Characters of a label; a limit of taste, longer texts are sentences."""

_STARTS_AS = 4
"""Submissions that the first weight counts as; a limit of taste, it is the 4 of the formula."""


@dataclass(slots=True)
class StoredValue:
    """A stored value, with its successes and failures.

    >>> StoredValue("Paris", 0.5, "built in", good=2).weight
    0.6666666666666666
    """

    text: str
    start: float
    source: str
    good: int = 0
    bad: int = 0

    @property
    def weight(self) -> float:
        """What is expected of it now; a value that starts at 0 is never filled in."""
        tries = self.good + self.bad
        return (_STARTS_AS * self.start + self.good) / (_STARTS_AS + tries) if self.start else 0.0


class ValueFate(NamedTuple):
    """How often a value of the user's file found something, and how often nothing."""

    good: int = 0
    bad: int = 0


@dataclass(slots=True)
class StoredLabel:
    """A label in its first spelling, and its values by their folded text."""

    text: str
    language: str = ""
    values: dict[str, StoredValue] = field(default_factory=dict)

    def best_weight(self) -> float:
        """Return the largest weight of its values."""
        return max((value.weight for value in self.values.values()), default=0.0)

    def add(self, text: str, weight: float, source: str) -> bool:
        """Add a value, or raise its first weight; say whether that changed anything."""
        value = self.values.get(key := fold(text))
        if value is None:
            self.values[key] = StoredValue(text, weight, source)
            return True
        if value.source == USER or value.start >= weight:
            return False
        value.start, value.source = weight, source
        return True

    def forget_least(self, most: int) -> None:
        """Forget the values of least weight; those of the user's file stay, even with weight 0."""
        if len(self.values) > most:
            best = sorted(self.values.items(), key=lambda item: (item[1].source != USER, -item[1].weight))
            of_user = sum(value.source == USER for value in self.values.values())
            self.values = dict(best[: max(most, of_user)])

    def to_json(self) -> str:
        """Return the state to save; empty if everything is in the user's file."""
        stored_values = [
            value for value in self.values.values() if value.source != USER or value.good or value.bad
        ]
        if not stored_values:
            return ""
        sources = list(dict.fromkeys(value.source for value in stored_values))
        values = [
            [value.text, round(value.start, 4), sources.index(value.source), value.good, value.bad]
            for value in stored_values
        ]
        row = {"label": self.text, "language": self.language, "sources": sources, "values": values}
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(cls, row: Mapping[str, object]) -> tuple[StoredLabel, dict[str, ValueFate]]:
        """Return a saved label, and the fates of values of the user's file, by their folded text."""
        sources, values = row["sources"], row["values"]
        assert isinstance(sources, list)
        assert isinstance(values, list)
        label = cls(shorten(str(row["label"])), str(row["language"]))
        fates = {}
        for text, start, source, good, bad in values:
            if sources[source] == USER:
                fates[fold(text)] = ValueFate(good, bad)
            else:
                label.values[fold(text)] = StoredValue(text, start, sources[source], good, bad)
        return label, fates


def shorten(label: str) -> str:
    """Return a label as it is stored: in one line, and not too long."""
    return " ".join(label.split())[:LONGEST_LABEL]
