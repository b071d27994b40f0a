"""Which parts of its records a search reads, learnt from what words found.

Many searches read less than records show: titles only, or titles and authors, but no descriptions, dates and buttons. If a word finds the known
records that hold it again, it is in a part that is searched; if not, its part is not searched. Each word
counts once for each part in which known records hold it, by the share of these records that it found. A part is searched or it is not: a word that finds
all it should is r times as likely if it is, one that finds nothing r times as likely if it is not:

    odds of a part = a * r ** (2 * sum of shares - number of words),   share of a part = odds / (1 + odds)

Parts are compared with the best one: a search that finds half of what it should does so in all parts.

For a part that is not searched there remains the share of its records that were found anyway, since the word was also in another part. It matters
for words that many records hold there: a thousand times next to nothing would promise more than a name in a title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ODDS = 8.0
"""The odds that a part is searched, before any query; a limit of taste."""

_RATIO = 4.0
"""r: the factor by which a word that finds everything, or nothing, changes the odds; a limit of taste."""

_SURE = 5.0
"""Words after which the odds are not changed any more; a limit of taste, a site may change."""

_LEAST = 0.02
"""The share that remains of a part that is not searched: its words may also be in others; a limit of taste."""

_ENOUGH_RECORDS = 25.0
"""Records with words in such a part, after which they count as much as that share; a limit of taste."""

_NOTHING = 0.001
"""The least share of any part; a limit of taste, it keeps all words comparable."""


class SearchedParts:
    """What is known about the parts of the records of one form."""

    def __init__(self) -> None:
        self._found: dict[str, float] = {}
        self._words: dict[str, int] = {}
        self._records: dict[str, tuple[int, int]] = {}  # by part: found records, and all with words in it

    def learn(self, part: str, found: int, held: int) -> None:
        """Note that a word found so many of the known records that hold it in a part."""
        self._found[part] = self._found.get(part, 0.0) + found / held
        self._words[part] = self._words.get(part, 0) + 1
        counts = self._records.get(part, (0, 0))
        self._records[part] = counts[0] + found, counts[1] + held

    def weights(self, parts: Sequence[str]) -> list[float]:
        """Return how well words of each part find the records that hold them, compared with the best of these parts.

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
        found_anyway, total = self._records.get(part, (0, 0))
        return max((found_anyway + _LEAST * _ENOUGH_RECORDS) / (total + _ENOUGH_RECORDS), _NOTHING)

    def to_json(self) -> dict[str, Sequence[float]]:
        """Return the state to save; there are few parts."""
        return {
            part: (round(self._found[part], 3), words, *self._records.get(part, (0, 0)))
            for part, words in self._words.items()
        }

    def restore(self, saved: Mapping[str, Sequence[float]]) -> None:
        """Restore the saved state; an earlier version saved no numbers of records."""
        self._found = {part: found for part, (found, *_) in saved.items()}
        self._words = {part: int(words) for part, (_, words, *_) in saved.items()}
        self._records = {
            part: (int(records[0]), int(records[1])) for part, (_, _, *records) in saved.items() if records
        }
