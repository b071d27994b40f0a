"""Whether a search treats the forms of a word as one word, learnt from what they found.

Many searches use stems: "games" finds what "game" found, and a query for it is wasted. Two forms of one word whose
answers begin with the same records show that, and two whose answers differ show the opposite. A few records may be the same by chance and do not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.language.stems import stem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class WordForms:
    """How the search of one form treats the forms of a word."""

    def __init__(self, language: str = "") -> None:
        self._language = language
        self._same = 0  # pairs of forms that found the same, minus those that did not
        self._began: dict[str, int] = {}  # by stem: the beginning of the answer to one of its words
        self._submitted: dict[tuple[str, ...], set[tuple[str, ...]]] = {}  # by stems: the words

    @property
    def are_one(self) -> bool:
        """Whether one form of a word finds what the others do."""
        return self._same > 0

    def note_query(self, words: Sequence[str]) -> None:
        """Note words that are submitted together."""
        self._submitted.setdefault(self._stems(words), set()).add(tuple(sorted(words)))

    def learn_word(self, word: str, began: int | None) -> None:
        """Learn from the records that the answer to a word begins with, as a hash; None if they are too few."""
        if began is None:
            return
        (stemmed,) = self._stems((word,))
        if stemmed not in self._began:
            self._began[stemmed] = began
        elif len(self._submitted.get((stemmed,), ())) > 1:
            self._same += 1 if self._began[stemmed] == began else -1

    def are_found(self, words: Sequence[str]) -> bool:
        """Say whether other forms of the words found the same, or one of the words alone does."""
        if not self.are_one:
            return False
        stems = self._stems(words)
        return len(set(stems)) < len(stems) or bool(
            self._submitted.get(stems, set()) - {tuple(sorted(words))}
        )

    def _stems(self, words: Sequence[str]) -> tuple[str, ...]:
        return tuple(sorted(stem(word, self._language) for word in words))

    def to_json(self) -> dict[str, object]:
        """Return what was learnt; which words were submitted is known from the ledger."""
        return {"same": self._same}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore the saved state."""
        self._same = saved.get("same", 0)
