"""The Labelled Value Set: what to fill in where, by label.

As in HiWE (Raghavan and Garcia-Molina 2001) every label has a fuzzy set of values: a value's weight, in [0, 1], says how much is
expected of it. Values come from four sources, and their first weight says how far the source is trusted:

    your file 1.0 (or as written there)    a list that a form offers 0.8    answers 0.6    built in 0.5 falling to 0.3

A text box gets the values of its own label, those of its type, and those of its own list of suggestions. A value from
several sources has the largest weight (the union of fuzzy sets), so reading a page twice teaches nothing new. Your
file overrules the rest, and a weight of 0 there means never. Submissions then change the weight (`hiddenweb.querying.stored_label`).

Labels are found by any of their names (`hiddenweb.querying.label_table`). The numbers of labels and of their values are limited;
the least weights are forgotten first, the values of your file never. Nothing personal is stored or looked up: see `hiddenweb.forms.field_types`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import UNKNOWN, FieldType, label_words, type_of
from hiddenweb.forms.value_limits import fits
from hiddenweb.language.folding import fold
from hiddenweb.model import Field
from hiddenweb.querying.builtin_values import built_in, categories, category_of
from hiddenweb.querying.label_table import LabelTable
from hiddenweb.querying.option_groups import groups, label_of_group, real_options, setting
from hiddenweb.querying.stored_label import LONGEST_LABEL, USER, StoredLabel, StoredValue, ValueFate
from hiddenweb.querying.user_values import read_value_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date
    from pathlib import Path
    from typing import Self

    from hiddenweb.model import Form

MOST_LABELS = 5_000
"""The most labels; a limit of taste, it bounds memory and what is loaded when a crawl begins."""

MOST_VALUES = 200
"""The most values of a label; a limit of taste, a list of all countries has about as many."""

MOST_MATCHES = 60
"""The most values for a control; a limit of taste, more are never submitted."""

LONGEST_VALUE = 80
"""Characters of a value; a limit of taste, longer ones are sentences."""

WEIGHT_OF_LISTS = 0.8
"""The first weight of a value that a form offers in a list; a limit of taste (docs/values.md), a site knows its own values."""

WEIGHT_OF_ANSWERS = 0.6
"""The first weight of a value that records of an answer hold; a limit of taste, it may have been misread."""

WEIGHT_OF_BUILT_IN = 0.5
"""The first weight of the likeliest built-in value; a limit of taste, it is not from the site."""

LEAST_WEIGHT_OF_BUILT_IN = 0.3
"""The first weight of the least likely built-in value; a limit of taste."""

WEIGHT_OF_OWN_SUGGESTIONS = 0.95
"""The weight of what the box itself suggests; a limit of taste, only the user's file knows better."""

BUILT_IN = "built in"

_FREE_TYPES = frozenset(
    {"country", "language", "currency", "month", "weekday", "city", "state", "colour", "zip"}
)

_PERSONAL = re.compile(r"\S@\S+\.\w|(?<!\d)\+\d[\d ()/-]{7,}")
_COUNT = re.compile(r"(?<!\s)\s*[(\[（]\s*\d[\d.,'\s]*[)\]）]\s*$")


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value to fill in, its weight, and its source."""

    text: str
    weight: float
    source: str


@dataclass(frozen=True, slots=True)
class ValueMatches:
    """Values for a control, best first, and why; `label` is the known label that it was matched with."""

    values: tuple[LabelledValue, ...]
    why: str
    type: FieldType = UNKNOWN
    label: str = ""
    distance: int = 0


class LabelledValueSet:
    """Labels and their weighted values: learns from forms, answers, the user and the results of submissions."""

    def __init__(
        self, today: date, *, most_labels: int = MOST_LABELS, most_values: int = MOST_VALUES
    ) -> None:
        self._today = today
        self._most_values = most_values
        self._table = LabelTable(most_labels)
        self._fates: dict[tuple[str, str], ValueFate] = {}  # of the user's values, from earlier crawls

    # Looking up

    def lookup(self, box: Field, *, language: str = "") -> ValueMatches:
        """Return values for a text box; none if it is personal."""
        wanted = type_of(box, language)
        if wanted.personal:
            return ValueMatches((), f"never filled in: {wanted.name}, for {wanted.why}", wanted)
        match = self._table.match(box, language)
        found = self._find_values(box, wanted, match.subject, language)
        fitting = [
            _value(stored) for stored in found.values() if stored.start > 0 and fits(stored.text, box, wanted)
        ]
        if wanted.name:
            _fill_up(fitting, found, built_in(wanted, box, language, self._today), box, wanted)
        fitting.sort(key=lambda value: -value.weight)
        label = self._table[match.subject].text if match.subject else wanted.name if fitting else ""
        why = _explain(wanted, match.how, found, fitting)
        return ValueMatches(tuple(fitting[:MOST_MATCHES]), why, wanted, label, match.distance)

    @property
    def today(self) -> date:
        """The day that years and dates are counted from."""
        return self._today

    def __len__(self) -> int:
        return len(self._table)

    def __contains__(self, label: str) -> bool:
        return self._table.find(label_words(label)) is not None

    def listing(self, language: str = "") -> Iterator[tuple[str, tuple[LabelledValue, ...]]]:
        """Yield every label with its values, best first, as people read them; with a language also the built-in ones."""
        for subject in sorted(self._table):
            label = self._table[subject]
            values = sorted(map(_value, label.values.values()), key=lambda value: -value.weight)
            yield label.text, tuple(values)
        if language:
            for name, texts in categories(language):
                yield name, tuple(value for _, value in _weigh_built_in(tuple(texts)))

    def _find_values(
        self, box: Field, wanted: FieldType, subject: str, language: str
    ) -> dict[str, StoredValue]:
        """Return the values for a box by its label, its type and its own list, by folded text."""
        found: dict[str, StoredValue] = {}
        for stored in (*self._values_of(subject), *self._values_of_type(wanted, subject, language)):
            _unite(found, stored)
        for text in box.suggestions[:MOST_MATCHES]:
            _unite(found, StoredValue(text, WEIGHT_OF_OWN_SUGGESTIONS, "the list of the box itself"))
        return found

    def _values_of(self, subject: str) -> Iterable[StoredValue]:
        return self._table[subject].values.values() if subject else ()

    def _values_of_type(self, wanted: FieldType, matched: str, language: str) -> Iterable[StoredValue]:
        """Return the values under the English name of a type, if they are in the language of the page."""
        subject = self._table.find(label_words(wanted.name)) if wanted.name else None
        if subject is None or subject == matched:
            return ()
        label = self._table[subject]
        return label.values.values() if label.language in ("", language) or not language else ()

    # Learning

    def learn_form(self, form: Form, site: str) -> int:
        """Learn the lists that a form offers, each under its label; return how many values are new."""
        learnt = 0
        for group in groups(form):
            if setting(group) or len(group.options) < 2:
                continue
            texts = [_strip_count(option.text) for option in real_options(group)]
            label = label_of_group(group) or category_of(texts) or ""
            source = f"from the {group.kind} {label!r} of {site}"
            learnt += self.learn_values(label, texts, source, language=form.language, weight=WEIGHT_OF_LISTS)
        for box in form.fields:
            if box.suggestions and not type_of(box, form.language).personal:
                source = f"from the suggestions of {box.label!r} of {site}"
                learnt += self.learn_values(
                    box.label, box.suggestions, source, language=form.language, weight=WEIGHT_OF_LISTS
                )
        return learnt

    def learn_pairs(self, pairs: Iterable[tuple[str, str]], site: str, *, language: str = "") -> int:
        """Learn what the records of an answer say about themselves ("Author", "Jane Austen"); return how many values are new."""
        found: dict[str, list[str]] = {}
        for label, value in pairs:
            found.setdefault(label, []).append(value)
        source = f"from answers of {site}"
        return sum(
            self.learn_values(label, values, source, language=language) for label, values in found.items()
        )

    def learn_values(
        self,
        label: str,
        values: Iterable[str],
        source: str,
        *,
        language: str = "",
        weight: float = WEIGHT_OF_ANSWERS,
    ) -> int:
        """Add values to a label with a first weight; what is personal or too long is left out. Return how many are new."""
        key = label_words(label)
        if not _is_label(key, label, language):
            return 0
        texts = [text for text in (" ".join(value.split()) for value in values) if _is_value(text)]
        if not texts:
            return 0
        subject = self._table.find_or_add(key, label, language)
        stored = self._table[subject]
        count_before = len(stored.values)
        changes = [stored.add(text, weight, source) for text in texts]
        new = len(stored.values) - count_before
        if any(changes):
            self._table.note_change(subject)
            stored.forget_least(self._most_values)
        self._table.forget_least()
        return new

    def succeeded(self, label: str, value: str) -> None:
        """Note that a submission with a value found something; `label` is that of the control or of its matches."""
        self._learn_fate(label, value, good=1, bad=0)

    def failed(self, label: str, value: str) -> None:
        """Note that a submission with a value found nothing."""
        self._learn_fate(label, value, good=0, bad=1)

    def _learn_fate(self, label: str, value: str, *, good: int, bad: int) -> None:
        text, key = " ".join(value.split()), label_words(label)
        wanted = type_of(Field("", "text", label=label))
        for subject in (self._table.find(key), self._table.find(label_words(wanted.name))):
            if subject is not None and (stored_value := self._table[subject].values.get(fold(text))):
                stored_value.good += good
                stored_value.bad += bad
                self._table.note_change(subject)
                return
        if not wanted.personal and _is_value(value):
            subject = self._table.find_or_add(key, label)
            stored = self._table[subject]
            stored.values[fold(text)] = StoredValue(text, WEIGHT_OF_BUILT_IN, BUILT_IN, good, bad)
            self._table.note_change(subject)
            stored.forget_least(self._most_values)
            self._table.forget_least()

    def load_user_file(self, path: Path) -> int:
        """Read the user's own values (see docs/values.md) and return how many; raises BadValueFile."""
        tables = read_value_file(path)
        for label, (aliases, weights) in tables.items():
            subject = self._table.find_or_add(label_words(label), label)
            self._table.add_user_names(subject, list(aliases))
            for text, weight in weights.items():
                fate = self._fates.pop((subject, fold(text)), ValueFate())
                self._table[subject].values[fold(text)] = StoredValue(text, weight, USER, *fate)
        return sum(len(weights) for _, weights in tables.values())

    # Saving

    def changes(self) -> Iterator[tuple[str, str]]:
        """Yield the labels that changed since the last call, with their states; empty for a deleted label."""
        return self._table.list_changes()

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield every label with its state."""
        for subject in self._table:
            if row := self._table[subject].to_json():
                yield subject, row

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[tuple[str, str]],
        today: date,
        *,
        most_labels: int = MOST_LABELS,
        most_values: int = MOST_VALUES,
    ) -> Self:
        """Return the saved set; the values of the user's file are not in it."""
        values = cls(today, most_labels=most_labels, most_values=most_values)
        for subject, row in rows:
            if row:
                label, fates = StoredLabel.from_json(json.loads(row))
                values._fates |= {(subject, text): fate for text, fate in fates.items()}
                if label.values:
                    values._table.restore(subject, label)
        values._table.forget_least()
        return values


def _fill_up(
    fitting: list[LabelledValue],
    found: Mapping[str, StoredValue],
    texts: tuple[str, ...],
    box: Field,
    wanted: FieldType,
) -> None:
    """Add the built-in values that fit a control, likeliest first, until there are enough."""
    anything = box.max_length is None and not box.pattern and wanted.name in _FREE_TYPES
    for key, value in _weigh_built_in(texts):
        if len(fitting) >= MOST_MATCHES:
            return
        if key not in found and (anything or fits(value.text, box, wanted)):
            fitting.append(value)


@lru_cache(maxsize=512)
def _weigh_built_in(texts: tuple[str, ...]) -> tuple[tuple[str, LabelledValue], ...]:
    """Return built-in values by their folded text: likelier ones come first, and weigh more."""
    fall, last = WEIGHT_OF_BUILT_IN - LEAST_WEIGHT_OF_BUILT_IN, max(len(texts) - 1, 1)
    return tuple(
        (fold(text), LabelledValue(text, round(WEIGHT_OF_BUILT_IN - fall * at / last, 4), BUILT_IN))
        for at, text in enumerate(texts)
    )


def _value(stored: StoredValue) -> LabelledValue:
    return LabelledValue(stored.text, round(stored.weight, 4), stored.source)


def _unite(found: dict[str, StoredValue], value: StoredValue) -> None:
    """Add a value to a fuzzy set: the larger weight counts, but your file and the results of submissions overrule it."""
    key = fold(value.text)
    earlier = found.get(key)
    is_open = earlier is None or not (earlier.source == USER or earlier.good or earlier.bad)
    if value.source == USER or (is_open and (earlier is None or value.weight > earlier.weight)):
        found[key] = value


def _explain(
    wanted: FieldType, how: str, found: Mapping[str, StoredValue], fitting: list[LabelledValue]
) -> str:
    reasons = [how] if how else []
    if wanted.name:
        reasons.append(f"it takes a value of the type {wanted.name}: {wanted.why}")
    if not reasons:
        return "no known label is like its own, and nothing says what type of value it takes"
    if not fitting:
        reasons.append("none of the values we have fits it" if found else "we have no values for that")
    return "; ".join(reasons)


def _strip_count(text: str) -> str:
    """Return the name of an option, without its number of records and the marks of its level: "-- Drama (12)"."""
    return _COUNT.sub("", text).lstrip("-–—.>|+•·\u00a0 ")


def _is_label(key: str, label: str, language: str) -> bool:
    if not key or len(label) > LONGEST_LABEL or key.isdigit():
        return False
    return not type_of(Field("", "text", label=label), language).personal


def _is_value(text: str) -> bool:
    return 0 < len(text) <= LONGEST_VALUE and not _PERSONAL.search(text)
