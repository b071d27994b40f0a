"""Whether a search takes the forms of a word for one word, learnt from what they found.

Many searches look for stems: "games" finds what "game" found, and a query for it is wasted. Nobody says so beforehand, but two forms of one word whose
answers begin with the same records tell, and so do two whose answers do not. A few records may be the same by chance, so these tell nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hiddenweb.language.stems import stem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class WordForms:
    """What is known of how the search of one form treats the forms of a word."""

    def __init__(self, language: str = "") -> None:
        self._language = language
        self._same = 0  # pairs of forms that found the same, less those that did not
        self._began: dict[str, int] = {}  # stems, and what the answer to one of their words began with
        self._submitted: dict[tuple[str, ...], set[tuple[str, ...]]] = {}  # by stems: the words

    @property
    def are_one(self) -> bool:
        """Whether one form of a word finds what the others do."""
        return self._same > 0

    def submits(self, words: Sequence[str]) -> None:
        """Take note of words that are submitted together."""
        self._submitted.setdefault(self._stems(words), set()).add(tuple(sorted(words)))

    def found(self, word: str, began: int | None) -> None:
        """Take note of the records that the answer to a word begins with, as one number; None if these are too few to tell."""
        if began is None:
            return
        (stemmed,) = self._stems((word,))
        if stemmed not in self._began:
            self._began[stemmed] = began
        elif len(self._submitted.get((stemmed,), ())) > 1:
            self._same += 1 if self._began[stemmed] == began else -1

    def are_found(self, words: Sequence[str]) -> bool:
        """Say whether words find nothing that other forms of them did not, or that one of them does not alone."""
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

    def restore(self, written: Mapping[str, Any]) -> None:
        """Resume from what was written down."""
        self._same = written.get("same", 0)
