"""Which parts of its records a search reads, learnt from what words found.

Many searches read less than records show: titles only, or titles and authors, but no descriptions, dates and buttons. A word that known
records hold, and that finds these again, stands in a part that is searched; one that does not find them stands in a part that is not. Each word
counts once for each part in which known records hold it, by the share of these records that it found. A part is searched or it is not, and a word that finds
all it should is so many times as likely if it is, one that finds nothing so many times as likely if it is not:

    odds of a part = a * r ** (2 * sum of shares - number of words),   share of a part = odds / (1 + odds)

Only what parts have less than the best one tells: a search that finds half of what it should does so everywhere.

Of a part that is not searched remains the share of its records that were found all the same, since the word stood elsewhere in them, too. It matters
for words that many records hold there: a thousand times next to nothing would promise more than a name in a title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ODDS = 8.0
"""The odds that a part is searched, before any query; a limit of taste."""

_RATIO = 4.0
"""The factor by which a word changes the odds that finds everything, or nothing; a limit of taste."""

_SURE = 5.0
"""Words after which the odds are not changed any more; a limit of taste, a site may change."""

_LEAST = 0.02
"""The share that remains of a part that is not searched: its words may stand in others, unseen; a limit of taste."""

_TELLING = 25.0
"""Records that hold words in such a part, after which they say as much as that share; a limit of taste."""

_NOTHING = 0.001
"""The least share of any part; a limit of taste, it keeps all words comparable."""


class SearchedParts:
    """What is known of the parts of the records of one form."""

    def __init__(self) -> None:
        self._found: dict[str, float] = {}
        self._words: dict[str, int] = {}
        self._records: dict[str, tuple[int, int]] = {}  # that were found, of those that hold words in a part

    def learn(self, part: str, found: int, held: int) -> None:
        """Take note that a word found so many of the known records that hold it in a part."""
        self._found[part] = self._found.get(part, 0.0) + found / held
        self._words[part] = self._words.get(part, 0) + 1
        before = self._records.get(part, (0, 0))
        self._records[part] = before[0] + found, before[1] + held

    def weights(self, parts: Sequence[str]) -> list[float]:
        """Return how far words of each of some parts find what they should, next to those of the best of these.

        >>> titles_only = SearchedParts()
        >>> for _ in range(3):
        ...     titles_only.learn("text", 0, 1)
        >>> [round(weight, 2) for weight in titles_only.weights(["text", "title"])], titles_only.weights(["text"])
        ([0.12, 1.0], [1.0])
        """
        shares = [self._share(part) for part in parts]
        return [share / max(shares) for share in shares]

    def _share(self, part: str) -> float:
        found, words = self._found.get(part, 0.0), self._words.get(part, 0)
        odds: float = _ODDS * _RATIO ** min(max(2 * found - words, -_SURE), _SURE)
        share = odds / (1 + odds)
        if share > _LEAST:
            return share
        found_again, held = self._records.get(part, (0, 0))
        return max((found_again + _LEAST * _TELLING) / (held + _TELLING), _NOTHING)

    def to_json(self) -> dict[str, Sequence[float]]:
        """Return what was learnt; there are few parts."""
        return {
            part: (round(self._found[part], 3), words, *self._records.get(part, (0, 0)))
            for part, words in self._words.items()
        }

    def restore(self, written: Mapping[str, Sequence[float]]) -> None:
        """Resume from what was written down; an earlier version wrote no numbers of records."""
        self._found = {part: found for part, (found, *_) in written.items()}
        self._words = {part: int(words) for part, (_, words, *_) in written.items()}
        self._records = {
            part: (int(records[0]), int(records[1])) for part, (_, _, *records) in written.items() if records
        }
