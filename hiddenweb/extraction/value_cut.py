"""Cutting the value out of a longer text: "Author: Jane Smith", "205 lbs", "Drama, War".

The text before and after the pasted value is cut off if it is the same on another page. If not, its punctuation decides: a label ends with a colon, the
second part of "Hardcover, 2008" begins after the first comma. Several values in one text are divided by the separators of the pasted ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from hiddenweb.extraction.features import label_inside

_NUMBER = re.compile(r"\d[\d.,]*(?<=\d)|\d")
_MARK = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True)
class ValueCut:
    """The text around a value, the value, and the separators of several values."""

    before: str = ""
    value: str = ""
    after: str = ""
    separators: tuple[str, ...] = ()

    def values_in(self, text: str) -> list[str]:
        """Return the values of a text in the same place on another page."""
        text = self._drop_rest(self._drop_start(text)).strip()
        if not self.separators:
            return [text] if text else []
        divided = re.split("|".join(map(_separator_pattern, self.separators)), text)
        return [value for each in divided if (value := each.strip())]

    def _drop_start(self, text: str) -> str:
        if not self.before:
            return text
        if text[: len(self.before)].casefold() == self.before.casefold():
            return text[len(self.before) :]
        if label_inside(self.before):
            return text[len(label_inside(text)) :]
        marks = _MARK.findall(self.before)
        if not marks:
            return text
        parts = text.split(marks[-1], marks.count(marks[-1]))
        return parts[-1] if len(parts) > marks.count(marks[-1]) else text

    def _drop_rest(self, text: str) -> str:
        if not self.after:
            return text
        if text.casefold().endswith(self.after.casefold()):
            return text[: -len(self.after)]
        mark = _MARK.search(self.after)
        if mark and not self.after[: mark.start()].strip():
            return mark[0].join(text.split(mark[0])[: self.value.count(mark[0]) + 1])
        number = _NUMBER.match(text) if _NUMBER.fullmatch(self.value) else None
        return number[0] if number else text


WHOLE = ValueCut()


def cut_around(text: str, start: int, end: int) -> ValueCut:
    """Return how a value is cut out of its text, given its first character and its end."""
    if not text[:start].strip() and not text[end:].strip():
        return WHOLE
    return ValueCut(text[:start], text[start:end], text[end:])


def cut_between(text: str, spans: list[tuple[int, int]]) -> ValueCut:
    """Return how several values are cut out of one text."""
    between = [text[end:start] for (_, end), (start, _) in pairwise(spans)]
    separators = tuple(dict.fromkeys(" ".join(each.split()) for each in between if each.strip()))
    first, last = spans[0][0], spans[-1][1]
    outside = cut_around(text, first, last)
    return ValueCut(outside.before, outside.value, outside.after, separators)


def _separator_pattern(separator: str) -> str:
    """Return a pattern for a separator: a word only between spaces, a comma with or without spaces."""
    words = (re.escape(word) for word in separator.split())
    space = r"\s+" if separator[:1].isalnum() or separator[-1:].isalnum() else r"\s*"
    return space + r"\s+".join(words) + space
