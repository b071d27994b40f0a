"""The Labelled Value Set: what to fill in where, by label.

As in HiWE (Raghavan and Garcia-Molina 2001) every label has a fuzzy set of values: a value's weight, in [0, 1], says how much we
expect of it. Values come from four places, and start with a weight that says how far we trust the place:

    your file 1.0 (or as written there)    a list that a form offers 0.8    answers 0.6    built in 0.5 falling to 0.3

A text box gets the values of its own label, those of its type, and those of its own list of suggestions. Where a value comes from
several places its weight is the largest (the union of fuzzy sets), so that reading a page twice teaches nothing new; what your
file says overrules the rest, and a weight of 0 there means never.

Submissions then move the weight. With s successes and f failures of a value that started at w,

    weight = (4 w + s) / (4 + s + f):

the start counts as four submissions, the order of events does not matter, and the weight never leaves [0, 1]. The formula is
ours.

Labels are compared folded, without punctuation, politeness and range words ("Please choose your country *" is "country"), then
by the stems of their words, at last by edit distance (`hiddenweb.querying.label_matching`).

The set forgets: it keeps so many labels, and so many values of each; the least weights go first. What your file says is never
forgotten. Nothing personal is kept or looked up: see `hiddenweb.forms.field_types`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import UNKNOWN, FieldType, label_words, says_something, type_of
from hiddenweb.forms.value_limits import fits
from hiddenweb.language.folding import fold
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.stems import stem
from hiddenweb.model import Field
from hiddenweb.querying.builtin_values import built_in, categories, category_of
from hiddenweb.querying.label_matching import LabelIndex
from hiddenweb.querying.option_groups import groups, label_of_group, real_options, setting
from hiddenweb.querying.user_values import read_value_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date
    from pathlib import Path
    from typing import Self

    from hiddenweb.model import Form

MOST_LABELS = 5_000
MOST_VALUES = 200
MOST_MATCHES = 60
LONGEST_VALUE = 80
LONGEST_LABEL = 60

FROM_LISTS, FROM_ANSWERS = 0.8, 0.6
FROM_US, FROM_US_AT_LEAST = 0.5, 0.3
OWN_SUGGESTIONS = 0.95
STARTS_AS = 4  # submissions that the first weight counts for

USER = "your file"
BUILT_IN = "built in"

_FREE_TYPES = frozenset(
    {"country", "language", "currency", "month", "weekday", "city", "state", "colour", "zip"}
)


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """Something to fill in, what we expect of it, and where we have it from."""

    text: str
    weight: float
    source: str


@dataclass(frozen=True, slots=True)
class ValueMatches:
    """What a control could be given, best first, and why; `label` is the known label that it was matched with."""

    values: tuple[LabelledValue, ...]
    why: str
    type: FieldType = UNKNOWN
    label: str = ""
    distance: int = 0


@dataclass(slots=True)
class _StoredValue:
    """A value as it is kept, with its successes and failures."""

    text: str
    start: float
    source: str
    good: int = 0
    bad: int = 0

    @property
    def weight(self) -> float:
        return (
            (STARTS_AS * self.start + self.good) / (STARTS_AS + self.good + self.bad) if self.start else 0.0
        )


@dataclass(slots=True)
class _StoredLabel:
    """A label as it was first written, and its values by their folded text."""

    text: str
    language: str = ""
    values: dict[str, _StoredValue] = field(default_factory=dict)

    def best_weight(self) -> float:
        return max((kept.weight for kept in self.values.values()), default=0.0)


class LabelledValueSet:
    """Labels and their weighted values: learns from forms, answers, the user and the fate of submissions."""

    def __init__(
        self, today: date, *, most_labels: int = MOST_LABELS, most_values: int = MOST_VALUES
    ) -> None:
        self._today = today
        self._most_labels = most_labels
        self._most_values = most_values
        self._labels: dict[str, _StoredLabel] = {}
        self._aliases: dict[str, str] = {}  # folded label -> the folded label whose values it shares
        self._stems: dict[str, str] = {}
        self._near = LabelIndex()
        self._of_user: set[str] = set()  # labels of the user's file
        self._changed: dict[str, None] = {}
        self._fates: dict[
            tuple[str, str], tuple[int, int]
        ] = {}  # of values of the user's file, from earlier crawls

    # Looking up

    def lookup(self, box: Field, *, language: str = "") -> ValueMatches:
        """Return what a text box could be given; nothing for what is personal."""
        wanted = type_of(box, language)
        if wanted.personal:
            return ValueMatches((), f"never filled in: {wanted.name}, for {wanted.why}", wanted)
        known, distance, how = self._match(box, language)
        found: dict[str, _StoredValue] = {}
        for kept in (*self._values_of(known), *self._values_of_type(wanted, known, language)):
            _unite(found, kept)
        for text in box.suggestions[:MOST_MATCHES]:
            _unite(found, _StoredValue(text, OWN_SUGGESTIONS, "the list of the box itself"))
        fitting = [_value(kept) for kept in found.values() if kept.start > 0 and fits(kept.text, box, wanted)]
        if wanted.name:
            _fill_up(fitting, found, built_in(wanted, box, language, self._today), box, wanted)
        fitting.sort(key=lambda value: -value.weight)
        label = self._labels[known].text if known else wanted.name if fitting else ""
        return ValueMatches(
            tuple(fitting[:MOST_MATCHES]), _why(wanted, how, found, fitting), wanted, label, distance
        )

    @property
    def today(self) -> date:
        """The day that years and dates are counted from."""
        return self._today

    def __len__(self) -> int:
        return len(self._labels)

    def __contains__(self, label: str) -> bool:
        return self._subject(label_words(label)) is not None

    def listing(self, language: str = "") -> Iterator[tuple[str, tuple[LabelledValue, ...]]]:
        """Yield every label with its values, best first, as people read it; with a language what is built in, too."""
        for _, label in sorted(self._labels.items()):
            yield (
                label.text,
                tuple(sorted(map(_value, label.values.values()), key=lambda value: -value.weight)),
            )
        if language:
            for name, texts in categories(language):
                yield (
                    name,
                    tuple(
                        LabelledValue(text, _weight_at(at, len(texts)), BUILT_IN)
                        for at, text in enumerate(texts)
                    ),
                )

    # Learning

    def learn_form(self, form: Form, site: str) -> int:
        """Learn the lists that a form offers, each under its label; return how many values are new."""
        learnt = 0
        for group in groups(form):
            if setting(group) or len(group.options) < 2:
                continue
            label, texts = (
                label_of_group(group),
                [_without_count(option.text) for option in real_options(group)],
            )
            if not label and (category := category_of(texts)):
                label = category
            source = f"from the {group.kind} {label!r} of {site}"
            learnt += self.learn_values(label, texts, source, language=form.language, weight=FROM_LISTS)
        for box in form.fields:
            if box.suggestions and not type_of(box, form.language).personal:
                source = f"from the suggestions of {box.label!r} of {site}"
                learnt += self.learn_values(
                    box.label, box.suggestions, source, language=form.language, weight=FROM_LISTS
                )
        return learnt

    def learn_pairs(self, pairs: Iterable[tuple[str, str]], site: str, *, language: str = "") -> int:
        """Learn what the records of an answer say of themselves ("Author", "Jane Austen"); return how many values are new."""
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
        weight: float = FROM_ANSWERS,
    ) -> int:
        """Add values to a label with a first weight; what is personal or too long is left out. Return how many are new."""
        key = label_words(label)
        if not _is_label(key, label, language):
            return 0
        texts = [text for text in (" ".join(value.split()) for value in values) if _is_value(text)]
        if not texts:
            return 0
        subject = self._subject(key)
        if subject is None:
            subject = self._add_label(key, label, language)
        kept = self._labels[subject].values
        before = len(kept)
        changes = [_add(kept, text, weight, source) for text in texts]
        if any(changes):
            self._changed[subject] = None
            self._forget_values(subject)
        self._forget_labels()
        return max(len(kept) - before, 0)

    def succeeded(self, label: str, value: str) -> None:
        """Note that a submission with a value brought something; `label` is that of the control or of its matches."""
        self._happened(label, value, good=1, bad=0)

    def failed(self, label: str, value: str) -> None:
        """Note that a submission with a value brought nothing."""
        self._happened(label, value, good=0, bad=1)

    def load_user_file(self, path: Path) -> int:
        """Read the user's own values (see docs/values.md) and return how many; raises BadValueFile."""
        read = read_value_file(path)
        for label, (aliases, weights) in read.items():
            key = label_words(label)
            subject = self._subject(key) or self._add_label(key, label, "")
            self._of_user.add(subject)
            for alias in aliases:
                if self._subject(label_words(alias)) is None:
                    self._name(label_words(alias), subject, "")
                else:
                    self._take_over(label_words(alias), subject)
            kept = self._labels[subject].values
            for text, weight in weights.items():
                good, bad = self._fates.pop((subject, fold(text)), (0, 0))
                kept[fold(text)] = _StoredValue(text, weight, USER, good, bad)
        return sum(len(weights) for _, weights in read.values())

    # Keeping

    def changes(self) -> Iterator[tuple[str, str]]:
        """Yield what changed since the last time: labels and what to keep of them, empty for a label to forget."""
        changed, self._changed = self._changed, {}
        for subject in changed:
            yield subject, self._row(subject)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield every label and what to keep of it."""
        for subject in self._labels:
            if row := self._row(subject):
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
        """Return the set that was kept; what is in the user's file comes back when that file is read."""
        values = cls(today, most_labels=most_labels, most_values=most_values)
        for subject, row in rows:
            if row:
                values._restore(subject, json.loads(row))
        values._forget_labels()
        return values

    def _row(self, subject: str) -> str:
        label = self._labels.get(subject)
        if label is None:
            return ""
        kept = [one for one in label.values.values() if one.source != USER or one.good or one.bad]
        if not kept:
            return ""
        sources = list(dict.fromkeys(one.source for one in kept))
        values = [
            [one.text, round(one.start, 4), sources.index(one.source), one.good, one.bad] for one in kept
        ]
        row = {"label": label.text, "language": label.language, "sources": sources, "values": values}
        return json.dumps(row, ensure_ascii=False, separators=(",", ":"))

    def _restore(self, subject: str, row: Mapping[str, object]) -> None:
        sources, values = row["sources"], row["values"]
        assert isinstance(sources, list)
        assert isinstance(values, list)
        kept = {}
        for text, start, source, good, bad in values:
            if sources[source] == USER:
                self._fates[subject, fold(text)] = good, bad
            else:
                kept[fold(text)] = _StoredValue(text, start, sources[source], good, bad)
        if kept:
            self._add_label(subject, str(row["label"]), str(row["language"]), changed=False)
            self._labels[subject].values = kept

    # Labels

    def _match(self, box: Field, language: str) -> tuple[str, int, str]:
        """Return the known label that a control matches, the edits between them, and how it was found."""
        texts = list(_texts_of(box))
        for where, text in texts:
            if subject := self._subject(label_words(text)):
                return subject, 0, f"its {where} {text!r} is the label {self._labels[subject].text!r}"
        for where, text in texts:
            if subject := self._stems.get(_stems_of(label_words(text), language)):
                return (
                    subject,
                    0,
                    f"its {where} {text!r} is a form of the label {self._labels[subject].text!r}",
                )
        for where, text in texts:
            key = label_words(text)
            near = self._near.nearest(key) if key not in _NO_MISTAKES else None
            if near is not None and (subject := self._subject(near[0])):
                edits = f"{near[1]} edit" + ("s" if near[1] > 1 else "")
                return (
                    subject,
                    near[1],
                    f"its {where} {text!r} is {edits} from {self._labels[subject].text!r}",
                )
        return "", 0, ""

    def _subject(self, key: str) -> str | None:
        if key in self._labels:
            return key
        return self._aliases.get(key)

    def _add_label(self, key: str, text: str, language: str, *, changed: bool = True) -> str:
        self._labels[key] = _StoredLabel(" ".join(text.split())[:LONGEST_LABEL], language)
        self._name(key, key, language)
        if changed:
            self._changed[key] = None
        return key

    def _name(self, key: str, subject: str, language: str) -> None:
        """Make a label findable by one of its names."""
        if key != subject:
            self._aliases[key] = subject
        self._stems.setdefault(_stems_of(key, language), subject)
        self._near.add(key)

    def _take_over(self, key: str, subject: str) -> None:
        """Give the values of a label to another one whose alias it is."""
        if key in self._labels and key != subject:
            for folded_text, kept in self._labels.pop(key).values.items():
                self._labels[subject].values.setdefault(folded_text, kept)
            self._changed |= {key: None, subject: None}
            self._stems = {name: subject if kept == key else kept for name, kept in self._stems.items()}
            self._aliases = {name: subject if kept == key else kept for name, kept in self._aliases.items()}
        self._aliases[key] = subject
        self._of_user.discard(key)

    def _values_of(self, subject: str) -> Iterable[_StoredValue]:
        return self._labels[subject].values.values() if subject else ()

    def _values_of_type(self, wanted: FieldType, known: str, language: str) -> Iterable[_StoredValue]:
        """Return what was learnt under the English name of a type, as far as it was in the language of the page."""
        subject = self._subject(label_words(wanted.name)) if wanted.name else None
        if subject is None or subject == known:
            return ()
        label = self._labels[subject]
        return label.values.values() if label.language in ("", language) or not language else ()

    def _happened(self, label: str, value: str, *, good: int, bad: int) -> None:
        text = fold(" ".join(value.split()))
        key = label_words(label)
        wanted = type_of(Field("", "text", label=label))
        for subject in (self._subject(key), self._subject(label_words(wanted.name))):
            if subject is not None and (kept := self._labels[subject].values.get(text)):
                kept.good += good
                kept.bad += bad
                self._changed[subject] = None
                return
        if not wanted.personal and _is_value(value):
            subject = self._subject(key) or self._add_label(key, label, "")
            kept = _StoredValue(" ".join(value.split()), FROM_US, BUILT_IN, good, bad)
            self._labels[subject].values[text] = kept
            self._changed[subject] = None
            self._forget_values(subject)
            self._forget_labels()

    # Forgetting

    def _forget_values(self, subject: str) -> None:
        """Forget the values of least weight; those of the user's file stay, above all those of weight 0."""
        values = self._labels[subject].values
        if len(values) > self._most_values:
            best = sorted(values.items(), key=lambda item: (item[1].source != USER, -item[1].weight))
            kept = max(self._most_values, sum(value.source == USER for value in values.values()))
            self._labels[subject].values = dict(best[:kept])

    def _forget_labels(self) -> None:
        """Forget the labels of least weight, a twentieth at once: sorting for every new one would cost too much.

        Labels of the user's file stay, and do not count.
        """
        too_many = len(self._labels) - len(self._of_user) - self._most_labels
        if too_many <= 0:
            return
        weights = {
            subject: label.best_weight()
            for subject, label in self._labels.items()
            if subject not in self._of_user
        }
        least = sorted(weights, key=lambda subject: weights[subject])
        for subject in least[: too_many + self._most_labels // 20]:
            del self._labels[subject]
            self._changed[subject] = None
        self._aliases = {
            alias: subject for alias, subject in self._aliases.items() if subject in self._labels
        }
        self._stems = {key: subject for key, subject in self._stems.items() if subject in self._labels}
        self._near = LabelIndex()
        for key in (*self._labels, *self._aliases):
            self._near.add(key)


def _fill_up(
    fitting: list[LabelledValue],
    found: Mapping[str, _StoredValue],
    texts: tuple[str, ...],
    box: Field,
    wanted: FieldType,
) -> None:
    """Add the built-in values that fit a control, likeliest first, until there are enough."""
    anything = box.max_length is None and not box.pattern and wanted.name in _FREE_TYPES
    for key, value in _weighted(texts):
        if len(fitting) >= MOST_MATCHES:
            return
        if key not in found and (anything or fits(value.text, box, wanted)):
            fitting.append(value)


@lru_cache(maxsize=512)
def _weighted(texts: tuple[str, ...]) -> tuple[tuple[str, LabelledValue], ...]:
    many = len(texts)
    return tuple(
        (fold(text), LabelledValue(text, _weight_at(at, many), BUILT_IN)) for at, text in enumerate(texts)
    )


def _value(kept: _StoredValue) -> LabelledValue:
    return LabelledValue(kept.text, round(kept.weight, 4), kept.source)


def _weight_at(at: int, many: int) -> float:
    """Return the first weight of a built-in value: what is likelier stands earlier, and weighs more."""
    return round(FROM_US - (FROM_US - FROM_US_AT_LEAST) * at / max(many - 1, 1), 4)


def _unite(found: dict[str, _StoredValue], kept: _StoredValue) -> None:
    """Add a value to a fuzzy set: the larger weight counts, but your file and the fate of submissions have the last word."""
    key = fold(kept.text)
    before = found.get(key)
    is_open = before is None or not (before.source == USER or before.good or before.bad)
    if kept.source == USER or (is_open and (before is None or kept.weight > before.weight)):
        found[key] = kept


def _add(kept: dict[str, _StoredValue], text: str, weight: float, source: str) -> bool:
    """Add a value to those of a label, or raise its first weight; say whether that changed anything."""
    key = fold(text)
    before = kept.get(key)
    if before is None:
        kept[key] = _StoredValue(text, weight, source)
        return True
    if before.source == USER or before.start >= weight:
        return False
    before.start, before.source = weight, source
    return True


def _why(wanted: FieldType, how: str, found: Mapping[str, _StoredValue], fitting: list[LabelledValue]) -> str:
    reasons = [how] if how else []
    if wanted.name:
        reasons.append(f"it takes a value of the type {wanted.name}: {wanted.why}")
    if not reasons:
        return "no known label is like its own, and nothing says what type of value it takes"
    if not fitting:
        reasons.append("none of the values we have fits it" if found else "we have no values for that")
    return "; ".join(reasons)


def _texts_of(box: Field) -> Iterator[tuple[str, str]]:
    """Yield what may be the label of a control, the best first, each once."""
    seen = set()
    for where, text in (
        ("label", box.label),
        *((hint.where, hint.text) for hint in box.hints if hint.where != "description"),
        ("placeholder", box.placeholder),
        ("name", split_identifier(box.name) if says_something(box.name) else ""),
        ("id", split_identifier(box.element_id) if says_something(box.element_id) else ""),
    ):
        if text and len(text) <= LONGEST_LABEL and text not in seen:
            seen.add(text)
            yield where, text


def _without_count(text: str) -> str:
    """Return what a choice is called, without the number of its records and the marks of its level: "-- Drama (12)"."""
    return _COUNT.sub("", text).lstrip("-–—.>|+•·\u00a0 ")


def _is_label(key: str, label: str, language: str) -> bool:
    if not key or len(label) > LONGEST_LABEL or key.isdigit():
        return False
    return not type_of(Field("", "text", label=label), language).personal


def _is_value(text: str) -> bool:
    return 0 < len(text) <= LONGEST_VALUE and not _LOOKS_PERSONAL.search(text)


@lru_cache(maxsize=8192)
def _stems_of(key: str, language: str) -> str:
    return " ".join(stem(word, language or "en") for word in key.split())


_NO_MISTAKES = frozenset(
    {"county", "prize", "estate", "mouth", "states", "station", "nature", "parts", "party", "dates"}
)
"""Words that are one edit from a common label, and mean something else."""

_LOOKS_PERSONAL = re.compile(r"\S@\S+\.\w|(?<!\d)\+\d[\d ()/-]{7,}")
_COUNT = re.compile(r"(?<!\s)\s*[(\[（]\s*\d[\d.,'\s]*[)\]）]\s*$")
