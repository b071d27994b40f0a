"""What a search does with words, learnt from what it found for them.

Many searches ignore stop words and short words, read only some of what a record shows ("Author:" finds nothing, though it stands
in every record), or find records with any of several words instead of all. Nobody says so beforehand. A word that known records hold and that finds nothing tells; one such word is enough, until another of its kind
finds something.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from hiddenweb.text import UNSPACED, stop_words

if TYPE_CHECKING:
    from collections.abc import Mapping

LATEST = 40
"""Answers by which the odds are known that a match is new."""

_UNKNOWN = 2.0  # records that count as new, and as known, before anything was found

FEW = 3
"""Records that must hold a word before it means anything that it finds nothing."""

_SHORT, _NOT_LONG = 2, 4  # letters: what is so short is most often refused for that; longer words seldom are
_COMMON = 0.3  # the share of records that hold a word which may be a label


class Habits:
    """What a search is known to do with words."""

    def __init__(self, language: str = "") -> None:
        self.language = language
        self.finds_any = False  # of several words
        self._longest_refused = 0
        self._shortest_found: int | None = None
        self._stop_words = 0  # that found something, less those that did not
        self._label_share = 1.0
        self._ignored: set[str] = set()

    def can_find(self, word: str, share: float) -> bool:
        """Say whether a word that a share of the records holds may find something."""
        if len(word) <= self._too_long_to_refuse or share >= self._label_share or word in self._ignored:
            return False
        return self._stop_words >= 0 or word not in stop_words(self.language)

    def found(self, word: str, *, held_by: int, share: float, found: int) -> None:
        """Take note of what a single word found that so many known records hold."""
        is_stop_word = word in stop_words(self.language)
        if found:
            self._shortest_found = min(len(word), self._shortest_found or len(word))
            self._stop_words += is_stop_word
            return
        if held_by < FEW:
            return
        is_spaced = self.language not in UNSPACED
        if is_spaced and len(word) <= _SHORT and not self._has_found(len(word)):
            self._longest_refused = max(self._longest_refused, len(word))
        elif is_stop_word:
            self._stop_words -= 1
        elif share >= _COMMON:
            self._label_share = min(self._label_share, share)
        elif is_spaced and len(word) <= _NOT_LONG and not self._has_found(len(word)):
            self._longest_refused = max(self._longest_refused, len(word))

    def found_together(self, total: int, without_one: int) -> None:
        """Take note that several words found so many records together, and so many with one word less."""
        if total > without_one:
            self.finds_any = True

    def ignores(self, word: str) -> None:
        """Take note that a word made no difference beside others."""
        self._ignored.add(word)

    def _has_found(self, length: int) -> bool:
        return self._shortest_found is not None and self._shortest_found <= length

    @property
    def _too_long_to_refuse(self) -> int:
        """Return the length up to which words find nothing."""
        return min(self._longest_refused, (self._shortest_found or 100) - 1)

    def to_json(self) -> dict[str, object]:
        """Return what was learnt."""
        return {
            "finds_any": self.finds_any,
            "longest_refused": self._longest_refused,
            "shortest_found": self._shortest_found,
            "stop_words": self._stop_words,
            "label_share": self._label_share,
            "ignored": sorted(self._ignored),
        }

    @classmethod
    def from_json(cls, language: str, known: Mapping[str, object]) -> Habits:
        """Return what was written down."""
        habits = cls(language)
        habits.finds_any = bool(known["finds_any"])
        for name in ("longest_refused", "shortest_found", "stop_words", "label_share"):
            setattr(habits, f"_{name}", known[name])
        ignored = known["ignored"]
        assert isinstance(ignored, list)
        habits._ignored = set(ignored)
        return habits


class Latest:
    """How much of what the last answers showed was new."""

    def __init__(self) -> None:
        self._answers: deque[tuple[int, int]] = deque(maxlen=LATEST)  # found, new

    def add(self, found: int, new: int) -> None:
        """Take in an answer."""
        self._answers.append((found, new))

    @property
    def odds(self) -> float:
        """Return the odds that a match is new."""
        found = sum(found for found, _ in self._answers)
        new = sum(new for _, new in self._answers)
        return (new + _UNKNOWN) / (found - new + _UNKNOWN)


class Reach:
    """How many records of an answer can be had.

    A site that shows no more than a hundred of all it found says so where it says how many it found. Where it does not, answers
    that end at the same number again and again do.
    """

    def __init__(self) -> None:
        self.most: int | None = None  # records of an answer that was cut
        self.page_size = 1
        self._ended_at: dict[int, int] = {}

    def is_cut(self, shown: int, total: int | None, *, had_more: bool) -> bool:
        """Say whether an answer that showed so many records has more; had_more: it offered another page, which we left."""
        cut = had_more or (total is not None and total > shown) or (total is None and self._ends_there(shown))
        if cut and not had_more:
            self.most = max(shown, self.most or 0)
        return cut

    def pages(self, records: float) -> float:
        """Return how many pages an answer with so many records has."""
        shown = records if self.most is None else min(records, self.most)
        return max(shown / self.page_size, 1.0)

    def _ends_there(self, shown: int) -> bool:
        if shown < _FEWEST_TO_CUT:
            return False
        self._ended_at[shown] = times = self._ended_at.get(shown, 0) + 1
        return times >= _OFTEN_ENOUGH and shown >= max(self._ended_at)

    def to_json(self) -> dict[str, object]:
        """Return what was learnt."""
        return {"most": self.most, "page_size": self.page_size, "ended_at": list(self._ended_at.items())}

    @classmethod
    def from_json(cls, known: Mapping[str, object]) -> Reach:
        """Return what was written down."""
        reach = cls()
        most, size, ended = known["most"], known["page_size"], known["ended_at"]
        assert most is None or isinstance(most, int)
        assert isinstance(size, int)
        assert isinstance(ended, list)
        reach.most, reach.page_size, reach._ended_at = most, size, {int(a): int(b) for a, b in ended}
        return reach


_FEWEST_TO_CUT = 20
_OFTEN_ENOUGH = 2
