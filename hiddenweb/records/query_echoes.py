"""Which attributes only repeat what was asked, such as "Matching: of" in the answers of search engines: they say nothing of a record.

One answer does not show it: who asks for a place is shown that place. An attribute of a record stays what it is, whatever the query; an echo
follows the query. So an attribute is one if in all answers its values are words of the query, and if several records had another value when
another query found them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiddenweb.language.tokens import word_runs
from hiddenweb.records.merging import TITLE

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    Pairs = Sequence[tuple[str, str]]

LEAST_CHANGED = 2
"""Records whose value followed the query, before an attribute is an echo; one may have changed by itself."""

MOST_NAMES = 200
"""Attributes of the records of a form that are watched; a limit of taste, as for labels."""


@dataclass(slots=True)
class QueryEchoes:
    """What the answers of a form say about which attributes repeat the query."""

    real: set[str] = field(default_factory=set)  # had a value that is no word of the query
    changed: Counter[str] = field(
        default_factory=Counter
    )  # the others: records whose value followed the query

    @property
    def extent(self) -> tuple[int, int, int]:
        """How much was learnt: it differs when something was learnt since."""
        return len(self.real), len(self.changed), self.changed.total()

    @property
    def names(self) -> frozenset[str]:
        """The attributes that only repeat the query."""
        return frozenset(name for name, count in self.changed.items() if count >= LEAST_CHANGED)

    def learn(self, query: str, found: Iterable[tuple[Pairs, Pairs]]) -> frozenset[str]:
        """Learn from the records of an answer, each with what an earlier answer said of it; return the names that are echoes now or are no more."""
        before, asked = self.names, frozenset(word_runs(query.casefold()))
        for now, earlier in found:
            for name in {name for name, _ in now} - self.real - {TITLE}:
                if name not in self.changed and len(self.real) + len(self.changed) >= MOST_NAMES:
                    continue
                values = {value for other, value in now if other == name}
                if not asked or not all(_repeats(value, asked) for value in values):
                    self.real.add(name)
                    self.changed.pop(name, None)
                    continue
                known = {value for other, value in earlier if other == name}
                self.changed[name] += bool(known) and known.isdisjoint(values)
        return before ^ self.names


def _repeats(value: str, asked: Collection[str]) -> bool:
    """Say whether a text consists of words of a query."""
    words = word_runs(value.casefold())
    return bool(words) and all(word in asked for word in words)
