"""What a search does with words, learnt from what it found for them.

Many searches ignore stop words, short words and numbers, read only parts of a record ("Author:" finds nothing, though every record
shows it), or find records with any of several words instead of all. This must be learnt: one word that known records hold and that finds nothing is enough, until another of its kind
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
"""Answers that give the odds that a match is new: as many as in the prototype that was tried on films, books and works of art."""

_PRIOR_RECORDS = 2.0
"""Records that count as new, and as known, before the first answer; a limit of taste."""

_LEAST_ODDS = 0.02
"""The least odds that a match is new; a limit of taste, some record may always be hidden."""

FEW = 3
"""The fewest records with a word by which it counts that the word finds nothing; a limit of taste."""

_SHORT = 2
"""Letters of a word that is mostly refused for its length; a limit of taste."""

_NOT_LONG = 4
"""Letters of the longest word that may be refused for its length; a limit of taste."""

_NUMBERS = 2
"""How many more numbers must find nothing than something before no other is submitted: ranks, dates and counts are seldom searched; a limit of taste."""

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
        """Say whether a word in a share of the records may find something."""
        if len(word) <= self._refused_length or share >= self._label_share or word in self._ignored:
            return False
        if word.isdigit() and self._numbers <= -_NUMBERS:
            return False
        return self._stop_words >= 0 or word not in stop_words(self.language)

    def learn_word(self, word: str, *, held_by: int, share: float, found: int, or_more: bool = False) -> None:
        """Learn from what a single word found; held_by: known records with it; or_more: it may have found more."""
        is_stop_word = word in stop_words(self.language)
        if found:
            self._shortest_found = min(len(word), self._shortest_found or len(word))
            self._stop_words += is_stop_word
            if (
                word.isdigit()
            ):  # a day of the month may find a name with a number instead of the records of that day
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
        """Learn from how many records several words found together, and how many with one word less."""
        if total > without_one:
            self.finds_any = True

    def note_ignored(self, word: str) -> None:
        """Note that a word made no difference together with others."""
        self._ignored.add(word)

    def _has_found(self, length: int) -> bool:
        return self._shortest_found is not None and self._shortest_found <= length

    @property
    def _refused_length(self) -> int:
        """Return the length up to which words find nothing."""
        return min(self._longest_refused, (self._shortest_found or 100) - 1)

    def to_json(self) -> dict[str, object]:
        """Return the state to save, without the ignored words: they follow from the ledger."""
        return {
            "finds_any": self.finds_any,
            "longest_refused": self._longest_refused,
            "shortest_found": self._shortest_found,
            "stop_words": self._stop_words,
            "numbers": self._numbers,
            "label_share": self._label_share,
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the saved state."""
        self.finds_any = saved["finds_any"]
        self._longest_refused = saved["longest_refused"]
        self._shortest_found = saved["shortest_found"]
        self._stop_words = saved["stop_words"]
        self._numbers = saved.get("numbers", 0)
        self._label_share = saved["label_share"]


class RecentNewness:
    """How many records of the last answers were new."""

    def __init__(self) -> None:
        self._answers: deque[tuple[int, int, int]] = deque(maxlen=LATEST)  # found, new, known before

    def add(self, found: int, new: int, known: int) -> None:
        """Add an answer with so many records, so many of them new, when so many were known."""
        self._answers.append((found, new, known))

    def share_of_new(self, answers: int) -> tuple[float, float] | None:
        """Return the share of new records in so many last answers, at least and at most; None if they had no records."""
        last = list(self._answers)[-answers:]
        found, new = sum(found for found, _, _ in last), sum(new for _, new, _ in last)
        by_chance = 2 * sqrt(new + 1)
        return (max(new - by_chance, 0.0) / found, min((new + by_chance) / found, 1.0)) if found else None

    @property
    def odds(self) -> float:
        """Return the odds that a match was new."""
        found = sum(found for found, _, _ in self._answers)
        new = sum(new for _, new, _ in self._answers)
        return (new + _PRIOR_RECORDS) / (found - new + _PRIOR_RECORDS)

    def odds_now(self, known: int) -> float:
        """Return the odds that a match would be new, now that so many records are known; a single answer may have found half of them.

        The share of known records in an answer estimates their share in the database (Lincoln 1930), and so its size.
        """
        known_found = sum(found - new for found, new, _ in self._answers)
        size = sum(found * known_before for found, _, known_before in self._answers) / (known_found + 1)
        return max(size / known - 1, _LEAST_ODDS) if known else self.odds

    def __len__(self) -> int:
        return len(self._answers)

    def to_json(self) -> list[object]:
        """Return what is remembered."""
        return list(self._answers)

    def restore(self, saved: Sequence[tuple[int, int, int]]) -> None:
        """Restore the saved state."""
        self._answers.extend((found, new, known) for found, new, known in saved)


class AnswerReach:
    """How many records of an answer can be had.

    A site may show no more than a hundred of all records it found. Its totals show that; without totals, answers do
    that end at the same number again and again. Totals may be slightly wrong. Other sites show nothing of an answer that is too long, and ask for a narrower query.
    """

    def __init__(self) -> None:
        self.most: int | None = None  # records of an answer that was cut
        self.refused: int | None = None  # so many records are too many: nothing of them is shown
        self.page_size = 1
        self._is_silent = False  # answers that end there claim to be whole
        self._highest_total_shown = 0  # the highest total of an answer with records
        self._ended_at: dict[int, int] = {}
        self._begun: set[int] = set()

    def add_page(self, found: int) -> None:
        """Note a page with so many records."""
        self.page_size = max(self.page_size, found)

    def end_answer(
        self, shown: int, total: int | None, *, had_more: bool, known: int = 0, begins: int | None = None
    ) -> None:
        """Learn from an answer that showed so many records, now that so many are known; had_more: it offered another page, which was not read.

        begins: a hash of its first page. Answers with the same records end at the same number, which proves nothing.
        """
        if begins is not None and begins in self._begun:
            return
        self._begun.update(() if begins is None else (begins,))
        self._learn_end(shown, total, had_more=had_more, known=known)

    def _learn_end(self, shown: int, total: int | None, *, had_more: bool, known: int) -> None:
        if not shown:
            if total and total > self._highest_total_shown:
                self.refused = min(total, self.refused or total)
            return
        if total is not None:
            self._highest_total_shown = max(self._highest_total_shown, total)
            if self.refused is not None and self.refused <= total:
                self.refused = None
        if self.most is not None and max(shown, total or 0 if self._is_silent else 0) > self.most:
            self.most = None
            self._is_silent = False
        if had_more:
            if (
                total is not None and known > total
            ):  # it does not have everything, though it has the same total as others
                self._is_silent = self._count_end(total, _OFTEN_THOUGH_WHOLE) or self._is_silent
            return
        if total is None:
            self._count_end(shown, _OFTEN_ENOUGH)
        elif total == shown:
            self._is_silent = self._count_end(shown, _OFTEN_THOUGH_WHOLE) or self._is_silent
        elif total > shown * _OFF_BY:
            self.most = max(shown, self.most or 0)

    def note_cut_at(self, shown: int) -> None:
        """Note that an answer had more than so many records, which cannot be reached."""
        self.most = max(shown, self.most or 0)

    def is_cut(self, shown: int, total: int | None, *, had_more: bool) -> bool:
        """Say whether an answer has more records than it showed."""
        if had_more:
            return True
        ends_there = self.most is not None and shown >= self.most
        if total is None or (self._is_silent and total == shown):
            return ends_there
        return total > shown * (1.0 if ends_there else _OFF_BY)

    def note_refusal(self, found: float) -> None:
        """Note that the site shows nothing of about so many records, and no total."""
        if found > self._highest_total_shown:
            self.refused = min(round(found), self.refused or round(found))

    def learn_total(self, total: int | None) -> int | None:
        """Return a total of the site; None if it is only how many records of a cut answer are shown."""
        return None if self._is_silent and total == self.most else total

    def pages(self, records: float) -> float:
        """Return how many pages an answer with so many records has."""
        shown = records if self.most is None else min(records, self.most)
        return max(shown / self.page_size, 1.0)

    def _count_end(self, shown: int, often: int) -> bool:
        """Note where an answer ended; say whether so many ended there that it is a limit."""
        if shown < _FEWEST_TO_CUT or shown < max(self._ended_at, default=0):
            return False
        self._ended_at[shown] = times = self._ended_at.pop(shown, 0) + 1
        while len(self._ended_at) > _MOST_ENDS:
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
            "longest_shown": self._highest_total_shown,
            "is_silent": self._is_silent,
            "ended_at": list(self._ended_at.items()),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the saved state."""
        self.most = saved["most"]
        self.refused = saved["refused"]
        self.page_size = saved["page_size"]
        self._highest_total_shown = saved["longest_shown"]
        self._is_silent = saved.get("is_silent", False)
        self._ended_at = dict(saved["ended_at"])


_OFF_BY = 1.1
"""The factor by which a total may be off, if it is only approximate; a limit of taste."""

_FEWEST_TO_CUT = 10
"""Records that an answer must have shown to have been cut there; a limit of taste, shorter ones end by themselves."""

_OFTEN_ENOUGH = 2
"""Answers with more records that end at the same number, after which this is the limit; a limit of taste."""

_OFTEN_THOUGH_WHOLE = 3
"""Answers that end at the same number and claim to be whole, after which they are not believed; a limit of taste."""

_MOST_ENDS = 50
"""The most remembered numbers at which answers ended; a limit of taste, it bounds the stored state."""
