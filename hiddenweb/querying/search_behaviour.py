"""What a search does with words, learnt from what it found for them.

Many searches ignore stop words, short words and numbers, read only some of what a record shows ("Author:" finds nothing, though it stands
in every record), or find records with any of several words instead of all. Nobody says so beforehand. A word that known records hold and that finds nothing tells; one such word is enough, until another of its kind
finds something.
"""

from __future__ import annotations

from collections import deque
from math import sqrt
from typing import TYPE_CHECKING, Any

from hiddenweb.language.stop_words import stop_words
from hiddenweb.language.tokens import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LATEST = 40
"""Answers by which the odds are known that a match is new: as many as in the prototype that was tried on films, books and works of art."""

_UNKNOWN = 2.0
"""Records that count as new, and as known, before anything was found; a limit of taste."""

_LEAST_ODDS = 0.02
"""The least odds that a match is new; a limit of taste, nothing is ever quite known."""

FEW = 3
"""Records that must hold a word before it means anything that it finds nothing; a limit of taste."""

_SHORT = 2
"""Letters of a word that is most often refused for its length when it finds nothing; a limit of taste."""

_NOT_LONG = 4
"""Letters of the longest word that may be refused for its length; a limit of taste."""

_NUMBERS = 2
"""Numbers that found nothing, more than those that did, before no other one is submitted: ranks, dates and counts are seldom searched; a limit of taste."""

_COMMON = 0.3
"""The share of records that hold a word from which it may be a label, which searches ignore; a limit of taste."""


class SearchBehaviour:
    """What a search is known to do with words."""

    def __init__(self, language: str = "") -> None:
        self.language = language
        self.finds_any = False  # of several words
        self._longest_refused = 0
        self._shortest_found: int | None = None
        self._stop_words = 0  # that found something, less those that did not
        self._numbers = 0  # that found something, less those that did not
        self._label_share = 1.01  # more than all: no label is known
        self._ignored: set[str] = set()

    def can_find(self, word: str, share: float) -> bool:
        """Say whether a word that a share of the records holds may find something."""
        if len(word) <= self._too_long_to_refuse or share >= self._label_share or word in self._ignored:
            return False
        if word.isdigit() and self._numbers <= -_NUMBERS:
            return False
        return self._stop_words >= 0 or word not in stop_words(self.language)

    def found(self, word: str, *, held_by: int, share: float, found: int, or_more: bool = False) -> None:
        """Take note of what a single word found, or more than that, which so many known records hold."""
        is_stop_word = word in stop_words(self.language)
        if found:
            self._shortest_found = min(len(word), self._shortest_found or len(word))
            self._stop_words += is_stop_word
            if (
                word.isdigit()
            ):  # a day of the month may find a name with a number, and none of the records of that day
                self._numbers += 1 if or_more or 2 * found >= held_by else -1
            return
        if word.isdigit():
            self._numbers -= held_by > 0
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

    def learn_together(self, total: int, without_one: int) -> None:
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
        """Return what was learnt, but for words that are ignored: what was asked before tells them again."""
        return {
            "finds_any": self.finds_any,
            "longest_refused": self._longest_refused,
            "shortest_found": self._shortest_found,
            "stop_words": self._stop_words,
            "numbers": self._numbers,
            "label_share": self._label_share,
        }

    def restore(self, written: Mapping[str, Any]) -> None:
        """Go on from what was written down."""
        self.finds_any = written["finds_any"]
        self._longest_refused = written["longest_refused"]
        self._shortest_found = written["shortest_found"]
        self._stop_words = written["stop_words"]
        self._numbers = written.get("numbers", 0)
        self._label_share = written["label_share"]


class RecentNewness:
    """How much of what the last answers showed was new."""

    def __init__(self) -> None:
        self._answers: deque[tuple[int, int, int]] = deque(maxlen=LATEST)  # found, new, known before

    def add(self, found: int, new: int, known: int) -> None:
        """Take in an answer that found so many records, so many of them new, when so many were known."""
        self._answers.append((found, new, known))

    def share_of_new(self, answers: int) -> tuple[float, float] | None:
        """Return how much of what the last so many answers showed was new, at least and at most; None if they showed nothing."""
        last = list(self._answers)[-answers:]
        found, new = sum(found for found, _, _ in last), sum(new for _, new, _ in last)
        by_chance = 2 * sqrt(new + 1)
        return (max(new - by_chance, 0.0) / found, min((new + by_chance) / found, 1.0)) if found else None

    @property
    def odds(self) -> float:
        """Return the odds that a match was new."""
        found = sum(found for found, _, _ in self._answers)
        new = sum(new for _, new, _ in self._answers)
        return (new + _UNKNOWN) / (found - new + _UNKNOWN)

    def odds_now(self, known: int) -> float:
        """Return the odds that a match would be new, now that so many records are known; a single answer may have brought half of them.

        If a part of a match was known, the same part of all records was (Lincoln 1930); that tells how many there are.
        """
        again = sum(found - new for found, new, _ in self._answers)
        size = sum(found * before for found, _, before in self._answers) / (again + 1)
        return max(size / known - 1, _LEAST_ODDS) if known else self.odds

    def __len__(self) -> int:
        return len(self._answers)

    def to_json(self) -> list[object]:
        """Return what is remembered."""
        return list(self._answers)

    def restore(self, written: Sequence[tuple[int, int, int]]) -> None:
        """Go on from what was written down."""
        self._answers.extend((found, new, known) for found, new, known in written)


class AnswerReach:
    """How many records of an answer can be had.

    A site that shows no more than a hundred of all it found says so where it says how many it found. Where it does not, answers
    that end at the same number again and again do. Numbers may be wrong by a bit. Other sites show nothing at all of an answer that is too long, and ask for a better question.
    """

    def __init__(self) -> None:
        self.most: int | None = None  # records of an answer that was cut
        self.refused: int | None = None  # records of which nothing is shown, being too many
        self.page_size = 1
        self._is_silent = False  # answers that end there say that they are whole
        self._longest_shown = 0  # as the site says of an answer of which it shows something
        self._ended_at: dict[int, int] = {}
        self._begun: set[int] = set()

    def add_page(self, found: int) -> None:
        """Take note of a page with so many records."""
        self.page_size = max(self.page_size, found)

    def end_answer(
        self, shown: int, total: int | None, *, had_more: bool, known: int = 0, begins: int | None = None
    ) -> None:
        """Take note of an answer that showed so many records, now that so many are known; had_more: it offered another page, which we left.

        begins: what its first page showed, as one number. Answers that show the same records end at the same number, too, and that tells nothing.
        """
        if begins is not None and begins in self._begun:
            return
        self._begun.update(() if begins is None else (begins,))
        self._learn_end(shown, total, had_more=had_more, known=known)

    def _learn_end(self, shown: int, total: int | None, *, had_more: bool, known: int) -> None:
        if not shown:
            if total and total > self._longest_shown:
                self.refused = min(total, self.refused or total)
            return
        if total is not None:
            self._longest_shown = max(self._longest_shown, total)
            if self.refused is not None and self.refused <= total:
                self.refused = None
        if self.most is not None and max(shown, total or 0 if self._is_silent else 0) > self.most:
            self.most = None
            self._is_silent = False
        if had_more:
            if (
                total is not None and known > total
            ):  # it has not everything, though it says the same number as others
                self._is_silent = self._count_end(total, _OFTEN_THOUGH_WHOLE) or self._is_silent
            return
        if total is None:
            self._count_end(shown, _OFTEN_ENOUGH)
        elif total == shown:
            self._is_silent = self._count_end(shown, _OFTEN_THOUGH_WHOLE) or self._is_silent
        elif total > shown * _OFF_BY:
            self.most = max(shown, self.most or 0)

    def ends_at(self, shown: int) -> None:
        """Take note that there was more than so many records, and no way to it."""
        self.most = max(shown, self.most or 0)

    def is_cut(self, shown: int, total: int | None, *, had_more: bool) -> bool:
        """Say whether there is more than an answer showed."""
        if had_more:
            return True
        ends_there = self.most is not None and shown >= self.most
        if total is None or (self._is_silent and total == shown):
            return ends_there
        return total > shown * (1.0 if ends_there else _OFF_BY)

    def refuses(self, found: float) -> None:
        """Take note that nothing is shown of about so many records; the site does not say how many they are."""
        if found > self._longest_shown:
            self.refused = min(round(found), self.refused or round(found))

    def learn_total(self, total: int | None) -> int | None:
        """Return how many records there are by what a site says, unless it says of an answer that was cut how many it shows."""
        return None if self._is_silent and total == self.most else total

    def pages(self, records: float) -> float:
        """Return how many pages an answer with so many records has."""
        shown = records if self.most is None else min(records, self.most)
        return max(shown / self.page_size, 1.0)

    def _count_end(self, shown: int, often: int) -> bool:
        """Take note of where an answer ended; say whether so many do that there is an end to all."""
        if shown < _FEWEST_TO_CUT or shown < max(self._ended_at, default=0):
            return False
        self._ended_at[shown] = times = self._ended_at.pop(shown, 0) + 1
        while len(self._ended_at) > _ENDS_KEPT:
            del self._ended_at[min(self._ended_at)]
        if times >= often:
            self.most = max(shown, self.most or 0)
        return times >= often

    def to_json(self) -> dict[str, object]:
        """Return what was learnt."""
        return {
            "most": self.most,
            "refused": self.refused,
            "page_size": self.page_size,
            "longest_shown": self._longest_shown,
            "is_silent": self._is_silent,
            "ended_at": list(self._ended_at.items()),
        }

    def restore(self, written: Mapping[str, Any]) -> None:
        """Go on from what was written down."""
        self.most = written["most"]
        self.refused = written["refused"]
        self.page_size = written["page_size"]
        self._longest_shown = written["longest_shown"]
        self._is_silent = written.get("is_silent", False)
        self._ended_at = dict(written["ended_at"])


_OFF_BY = 1.1
"""The factor by which the number that a site says may be off, if it only says about how much it found; a limit of taste."""

_FEWEST_TO_CUT = 10
"""Records that an answer must have shown to have been cut there; a limit of taste, shorter ones end by themselves."""

_OFTEN_ENOUGH = 2
"""Answers that end at the same number though they have more, after which answers are known to end there; a limit of taste."""

_OFTEN_THOUGH_WHOLE = 3
"""Answers that end at the same number and say that it is all there is, after which they are not believed; a limit of taste."""

_ENDS_KEPT = 50
"""Numbers at which answers ended that are remembered; a limit of taste, it bounds the stored state."""
