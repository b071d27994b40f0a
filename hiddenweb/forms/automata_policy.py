"""Choosing keywords by a learning automaton, behind the protocol of all policies.

The automaton (`hiddenweb.forms.automata`) has the most frequent words of the records that were met for its actions, and asks them by
their probabilities; numbers among them, for a year finds much that words do not. An answer rewards its word if enough of its records were new; what the word had then goes to words of these
records, its heirs. Without heirs it is the policy of the paper, which learns little, as that module explains.

What is written down is of limited size but for the words that were asked. The records that were met are not in it: they are in the
store, and whoever reads the policy again names them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hiddenweb.automaton import PENALTY
from hiddenweb.forms.automata import LEAST_NEW, MOST_WORDS, Automata
from hiddenweb.forms.benefit import Wanted
from hiddenweb.forms.search_habits import Latest
from hiddenweb.text import UNSPACED, stop_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random
    from typing import Self

    from hiddenweb.forms.benefit import Read

_VERSION = 1
_SHORTEST = 3  # letters of a word: many sites refuse less
_PAGES = 2  # of an answer, the last ones: by them it is judged whether the next is worth a request


class ByAutomata:
    """Asks one word at a time, by its probability.

    language: whose stop words are left out; heirs: whether words of new records take over what the rewarded word had.
    """

    def __init__(
        self,
        chance: Random,
        language: str = "",
        *,
        heirs: bool = True,
        penalty: float = PENALTY,
        least_new: float = LEAST_NEW,
        most_words: int = MOST_WORDS,
    ) -> None:
        self.language = language
        self.automata = Automata(chance, penalty=penalty, least_new=least_new, most_words=most_words)
        self._has_heirs = heirs
        self._least_new = least_new
        self._known: set[int] = set()
        self._latest = Latest()

    def next(self) -> Wanted | None:
        """Return a word by its probability, which counts as asked from now on; None when there is none left."""
        word = self.automata.choose()
        if word is None:
            return None
        held = self.automata.held(word)
        self.automata.asks(word)
        why = f"{held:,} records hold {word!r}; it was chosen by its probability"
        return Wanted((word,), held * self._latest.odds, why)

    def asks(self, words: Iterable[str]) -> None:
        """Take note that something is asked that was not chosen here."""
        self.automata.asks(_as_one(words))

    def worth_turning(self, pages: Sequence[tuple[int, int]]) -> bool:
        """Say whether the next page of an answer is worth a request, after pages with so many records, so many of them new."""
        found = sum(found for found, _ in pages[-_PAGES:])
        new = sum(new for _, new in pages[-_PAGES:])
        return len(pages) < _PAGES or (found > 0 and new / found >= self._least_new)

    def answered(self, words: Sequence[str], read: Read) -> int:
        """Learn from an answer, and return how many of its records were new."""
        word = _as_one(words)
        if not self.automata.is_waiting(word):
            self.automata.asks(word)
        heirs: dict[str, None] = {}
        new = 0
        for key, held in read.records:
            if key not in self._known:
                self._known.add(key)
                plain = [each for each in held if self._is_plain(each)]
                self.automata.add(plain)
                heirs.update(dict.fromkeys(plain))
                new += 1
        self._latest.add(len(read.records), new)
        self.automata.answered(word, new, len(read.records) - new, heirs=heirs if self._has_heirs else ())
        return new

    def to_json(self) -> str:
        """Return what was learnt, but for the records that were met."""
        written = {"version": _VERSION, "language": self.language, "automata": self.automata.to_json()}
        return json.dumps(written, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(
        cls,
        state: str,
        chance: Random,
        known: Iterable[int] = (),
        *,
        heirs: bool = True,
        penalty: float = PENALTY,
        least_new: float = LEAST_NEW,
        most_words: int = MOST_WORDS,
    ) -> Self:
        """Return the policy that was written down; known: the keys of all records that were met."""
        written = json.loads(state)
        if not isinstance(written, dict) or written.get("version") != _VERSION:
            version = written.get("version") if isinstance(written, dict) else None
            raise ValueError(f"a policy by automata of version {version!r}, wanted {_VERSION}")
        numbers = {"penalty": penalty, "least_new": least_new}
        policy = cls(chance, written["language"], heirs=heirs, most_words=most_words, **numbers)
        policy.automata = Automata.from_json(written["automata"], chance, most_words=most_words, **numbers)
        policy._known.update(known)
        return policy

    def _is_plain(self, word: str) -> bool:
        if word in stop_words(self.language):
            return False
        return len(word) >= _SHORTEST or self.language in UNSPACED


def _as_one(words: Iterable[str]) -> str:
    """Return several words that were asked together as one action."""
    return " ".join(words)
