"""Distinguishing another excerpt of the same text from a changed text.

Searches show excerpts of what they found: a few lines around the words searched for, with "..." where something was left out. Which lines are chosen depends
on the words of all documents, so excerpts can change when another document is added. Two excerpts are of the same text if they differ only
where one of them was cut. Text between two cuts is compared as always: a different word there is a change.

Not every cut is marked: many excerpts begin or end with a sentence. Where many records of an answer have such marks, all its texts are taken as excerpts whose ends
may move: words added or lost before or after the common part say nothing; the record's own page does. There is one exception: an unmarked text that is clearly
shorter than the cut ones is likely complete, and if it gained words that no record of the answer had, it was edited.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cached_property
from statistics import median
from typing import TYPE_CHECKING

from hiddenweb.revisit.diff import strip_labelled_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.model import Record

_CUT = re.compile(r"\.{3}|…|\[\s?\.\.\s?\]")
_MAX_WORDS = 2_000  # words of two texts that are compared: excerpts are short; a limit of taste
_MIN_CUT_SHARE = 0.2  # share of the records of an answer whose texts say that they were cut; a limit of taste
_MIN_CUT = 2  # of these records, in any case; a limit of taste
_MIN_COMMON_SHARE = 0.4  # share of the shorter of two excerpts that both have in one piece; a limit of taste
_FULL_SHARE = 0.85
"""Share of the length of cut excerpts, above which a text is as long as they; a limit of taste."""


class Excerpts:
    """What is known of the excerpts of an answer, from all its records."""

    def __init__(self, before: Sequence[Record], now: Sequence[Record]) -> None:
        self._before, self._now = before, now
        self._are_excerpts = shows_excerpts(now)

    def are_of_one_text(self, before: str, after: str, *, is_value: bool = False) -> bool:
        """Return whether two texts of a record may be excerpts of one text; `is_value`: of an attribute, whose cuts are always marked."""
        if is_other_excerpt(before, after):
            return True
        if is_value or not self._are_excerpts or not is_other_excerpt(before, after, ends_move=True):
            return False
        return not self._was_edited(before, after)

    def _was_edited(self, before: str, after: str) -> bool:
        """Return whether a text that was shown completely gained words that are new to the answer."""
        if _CUT.search(before) or len(before) > _FULL_SHARE * self._cut_length:
            return False
        old, new = before.split(), after.split()
        opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if any(tag not in ("equal", "insert") for tag, *_ in opcodes):
            return False
        return any(word not in self._words for *_, first, last in opcodes for word in new[first:last])

    @cached_property
    def _cut_length(self) -> float:
        """The median length of cut excerpts, in characters."""
        lengths = [len(text) for record in self._now if _CUT.search(text := strip_labelled_values(record))]
        return median(lengths) if lengths else 0.0

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for record in self._before for word in record.text.split())


def shows_excerpts(records: Sequence[Record]) -> bool:
    """Return whether an answer shows excerpts."""
    marked = sum(_CUT.search(record.text) is not None for record in records)
    return marked >= max(_MIN_CUT, _MIN_CUT_SHARE * len(records))


def is_other_excerpt(before: str, after: str, *, ends_move: bool = False) -> bool:
    """Return whether two texts may be excerpts of one text; `ends_move`: they may have been cut without a mark.

    >>> is_other_excerpt("...a candle of wax in the old...", "...of wax in the old house on the hill.")
    True
    >>> is_other_excerpt("A candle of wax in the old...", "A candle of clay in the old house...")
    False
    """
    if not (ends_move or _CUT.search(before) or _CUT.search(after)):
        return False
    old, new = before.split(), after.split()
    if len(old) + len(new) > _MAX_WORDS:
        return False
    bare_old, bare_new = ([_CUT.sub("", word) for word in words] for words in (old, new))
    matcher = SequenceMatcher(None, bare_old, bare_new, autojunk=False)
    opcodes = matcher.get_opcodes()
    differing = [(tag, part) for tag, *part in opcodes if tag != "equal"]
    if all(_is_cut(old, new, part) for _, part in differing):
        return True
    return ends_move and _ends_moved(opcodes, old, new)


def _ends_moved(opcodes: Sequence[tuple[str, int, int, int, int]], old: list[str], new: list[str]) -> bool:
    """Return whether two texts share one long piece, with at most one difference before it and one after it."""
    common = max((opcode for opcode in opcodes if opcode[0] == "equal"), key=_length, default=None)
    if common is None or _length(common) < _MIN_COMMON_SHARE * min(len(old), len(new)):
        return False
    at = opcodes.index(common)
    for side in (opcodes[:at], opcodes[at + 1 :]):
        differing = [(tag, part) for tag, *part in side if tag != "equal"]
        if len(differing) > 1 or any(
            tag == "replace" and not _is_cut(old, new, part) for tag, part in differing
        ):
            return False
    return True


def _length(opcode: tuple[str, int, int, int, int]) -> int:
    return opcode[2] - opcode[1]


def _is_cut(old: list[str], new: list[str], part: Sequence[int]) -> bool:
    """Return whether one of two texts was cut where they differ: in the difference, just before it, or just after it."""
    start, end, first, last = part
    if any(_CUT.search(word) for word in (*old[start:end], *new[first:last])):
        return True
    before = (words[at - 1] for words, at in ((old, start), (new, first)) if at > 0)
    following = (words[at] for words, at in ((old, end), (new, last)) if at < len(words))
    return any(_ENDS_CUT.search(word) for word in before) or any(
        _BEGINS_CUT.match(word) for word in following
    )


_ENDS_CUT = re.compile(rf"(?:{_CUT.pattern})\W*$")
_BEGINS_CUT = re.compile(rf"\W*(?:{_CUT.pattern})")
