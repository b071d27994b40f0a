"""The labels of the Labelled Value Set, found by any of their names.

Labels are compared folded, without punctuation, polite phrases and range words ("Please choose your country *" is "country"), then
by the stems of their words, finally by edit distance (`hiddenweb.querying.label_matching`). The folded label is its key.

The number of labels is limited: those of least weight are forgotten first, those of the user's file never.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.forms.field_types import has_meaning, label_words
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.stems import stem
from hiddenweb.querying.label_matching import LabelIndex
from hiddenweb.querying.stored_label import LONGEST_LABEL, StoredLabel, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field

_FORGOTTEN_SHARE = 20
"""One label in so many is forgotten at a time: sorting for every new one would cost too much; a limit of taste."""

_NO_MISSPELLINGS = frozenset(
    {"county", "prize", "estate", "mouth", "states", "station", "nature", "parts", "party", "dates"}
)
"""Words that are one edit from a common label, but mean something else."""


class LabelMatch(NamedTuple):
    """The known label that a control matches, the edits between them, and how it was found."""

    subject: str = ""
    distance: int = 0
    how: str = ""


class LabelTable:
    """Labels and their values, found by label, alias, stem or with small mistakes."""

    def __init__(self, most_labels: int) -> None:
        self._most_labels = most_labels
        self._labels: dict[str, StoredLabel] = {}
        self._aliases: dict[str, str] = {}  # folded label -> the folded label whose values it shares
        self._stems: dict[str, str] = {}
        self._near = LabelIndex()
        self._of_user: set[str] = set()  # labels of the user's file
        self._changed: dict[str, None] = {}

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, subject: str) -> StoredLabel:
        return self._labels[subject]

    def __iter__(self) -> Iterator[str]:
        return iter(self._labels)

    def find(self, key: str) -> str | None:
        """Return the label that a folded text is a name of."""
        return key if key in self._labels else self._aliases.get(key)

    def match(self, box: Field, language: str) -> LabelMatch:
        """Return the known label that a control matches best."""
        names = [(label_words(text), f"its {where} {text!r}") for where, text in list_names(box)]
        for key, name in names:
            if subject := self.find(key):
                return LabelMatch(subject, 0, f"{name} is the label {self._labels[subject].text!r}")
        for key, name in names:
            if subject := self._stems.get(_stem_words(key, language)):
                how = f"{name} is a form of the label {self._labels[subject].text!r}"
                return LabelMatch(subject, 0, how)
        for key, name in names:
            near = self._near.nearest(key) if key not in _NO_MISSPELLINGS else None
            if near is not None and (subject := self.find(near[0])):
                edits = "1 edit" if near[1] == 1 else f"{near[1]} edits"
                how = f"{name} is {edits} from {self._labels[subject].text!r}"
                return LabelMatch(subject, near[1], how)
        return LabelMatch()

    def add(self, key: str, text: str, language: str = "") -> str:
        """Add a label without values, and return it."""
        self.restore(key, StoredLabel(shorten(text), language))
        self._changed[key] = None
        return key

    def find_or_add(self, key: str, text: str, language: str = "") -> str:
        """Return the label that a folded text is a name of; it is added if there is none."""
        return self.find(key) or self.add(key, text, language)

    def restore(self, key: str, label: StoredLabel) -> None:
        """Add a saved label."""
        self._labels[key] = label
        self._add_name(key, key, label.language)

    def add_user_names(self, subject: str, aliases: list[str]) -> None:
        """Make a label of the user's file findable by its aliases; it takes over the values of labels that are its aliases."""
        self._of_user.add(subject)
        for alias in map(label_words, aliases):
            if self.find(alias) is None:
                self._add_name(alias, subject, "")
            else:
                self._merge(alias, subject)

    def note_change(self, subject: str) -> None:
        """Mark a label to be saved again."""
        self._changed[subject] = None

    def list_changes(self) -> Iterator[tuple[str, str]]:
        """Yield the labels that changed since the last call, with their states; empty for a deleted label."""
        changed, self._changed = self._changed, {}
        for subject in changed:
            label = self._labels.get(subject)
            yield subject, label.to_json() if label is not None else ""

    def forget_least(self) -> None:
        """Forget the labels of least weight if there are too many; those of the user's file stay, and do not count."""
        too_many = len(self._labels) - len(self._of_user) - self._most_labels
        if too_many <= 0:
            return
        weights = {
            subject: label.best_weight()
            for subject, label in self._labels.items()
            if subject not in self._of_user
        }
        least = sorted(weights, key=lambda subject: weights[subject])
        for subject in least[: too_many + self._most_labels // _FORGOTTEN_SHARE]:
            del self._labels[subject]
            self._changed[subject] = None
        self._forget_names()

    def _forget_names(self) -> None:
        """Forget the names of forgotten labels."""
        self._aliases = {
            alias: subject for alias, subject in self._aliases.items() if subject in self._labels
        }
        self._stems = {key: subject for key, subject in self._stems.items() if subject in self._labels}
        self._near = LabelIndex()
        for key in (*self._labels, *self._aliases):
            self._near.add(key)

    def _add_name(self, key: str, subject: str, language: str) -> None:
        if key != subject:
            self._aliases[key] = subject
        self._stems.setdefault(_stem_words(key, language), subject)
        self._near.add(key)

    def _merge(self, key: str, subject: str) -> None:
        """Move the values of a label to another one whose alias it is."""
        if key in self._labels and key != subject:
            for folded_text, value in self._labels.pop(key).values.items():
                self._labels[subject].values.setdefault(folded_text, value)
            self._changed |= {key: None, subject: None}
            self._stems = {name: subject if of == key else of for name, of in self._stems.items()}
            self._aliases = {name: subject if of == key else of for name, of in self._aliases.items()}
        self._aliases[key] = subject
        self._of_user.discard(key)


def list_names(box: Field) -> Iterator[tuple[str, str]]:
    """Yield the texts that may be the label of a control, and their kinds, best first, each once."""
    yielded = set()
    for where, text in (
        ("label", box.label),
        *((hint.where, hint.text) for hint in box.hints if hint.where != "description"),
        ("placeholder", box.placeholder),
        ("name", split_identifier(box.name) if has_meaning(box.name) else ""),
        ("id", split_identifier(box.element_id) if has_meaning(box.element_id) else ""),
    ):
        if text and len(text) <= LONGEST_LABEL and text not in yielded:
            yielded.add(text)
            yield where, text


@lru_cache(maxsize=8192)
def _stem_words(key: str, language: str) -> str:
    return " ".join(stem(word, language or "en") for word in key.split())
