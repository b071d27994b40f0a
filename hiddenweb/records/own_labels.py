"""Which labels on the own pages of a form's records are labels.

One page does not show it. On the pages of several records a label is repeated, and its value differs. What the markup calls a label
(`Statement.is_sure`) is one if a second page has it, too: the pages of records without this attribute lack it. A text before a colon and the
left one of two plain cells are labels only if nearly all pages have them, with different values; what alternates with values beside such
labels is one as well. What is known to be a label stays one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.records.own_page import Statement

SURE_PAGES = 2
"""Pages that must have a label that the markup calls so: one may be a heading of this page alone."""

LEAST_PAGES = 5
"""Pages that must be known before anything else is a label; a limit of taste."""

LEAST_KNOWN = 2
"""Known labels of a page that alternate with their values, and are half of those that do: then the others are labels as surely; a limit of taste."""

NEARLY_ALL = 0.8
"""The share of the pages that must have a label which only looks like one; a limit of taste."""

MOST_LABELS = 200
"""Labels of the records of a form that are counted; a limit of taste: a page of details has some dozen."""


@dataclass(slots=True)
class LabelUse:
    """How the pages of some records use a label."""

    pages: int = 0
    sure: int = 0  # of them, those whose markup says that it is a label
    values: list[int] = field(default_factory=list)  # two different ones, as hashes
    is_label: bool = False  # stays so


@dataclass(slots=True)
class OwnLabels:
    """What the pages that were read say about the labels of a form's records."""

    pages: int = 0
    labels: dict[str, LabelUse] = field(default_factory=dict)

    def learn(self, statements: Sequence[Statement]) -> set[str]:
        """Count the labels of a page; return those that are known to be labels only now."""
        self.pages += 1
        found: set[str] = set()
        in_rows = {each.name for each in statements if each.is_in_rows}
        known = sum(name in self.labels and self.labels[name].is_label for name in in_rows)
        are_rows = known >= LEAST_KNOWN and 2 * known >= len(in_rows)
        for name in dict.fromkeys(each.name for each in statements):
            if name not in self.labels and len(self.labels) >= MOST_LABELS:
                continue
            use = self.labels.setdefault(name, LabelUse())
            if use.is_label:
                continue
            said = [each for each in statements if each.name == name]
            use.pages += 1
            use.sure += any(each.is_sure or (are_rows and each.is_in_rows) for each in said)
            if len(use.values) < 2 and (number := _hash(said)) not in use.values:
                use.values.append(number)
            if use.sure >= SURE_PAGES or self._is_usual(use):
                use.is_label = True
                found.add(name)
        return found

    def _is_usual(self, use: LabelUse) -> bool:
        return self.pages >= LEAST_PAGES and use.pages >= NEARLY_ALL * self.pages and len(use.values) > 1

    def choose(self, statements: Iterable[Statement]) -> list[tuple[str, str]]:
        """Return the statements of a page whose labels are labels."""
        return [
            (each.name, each.value)
            for each in statements
            if each.name in self.labels and self.labels[each.name].is_label
        ]


def _hash(said: Sequence[Statement]) -> int:
    return xxh3_64_intdigest("\n".join(each.value for each in said).encode("utf-8", "replace")) >> 1
