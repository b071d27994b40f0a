"""Whether a form that looks like a search answers like one.

A classifier sees what a form promises. What it does shows in its answers: a search answers different words differently, and a word
that does not exist with nothing. A decoy shows the same list whatever is asked, or only ever thanks, greets and asks again.

The likely words are the first questions anyway, so they cost nothing. If the records they bring hold the word, that settles
it, until another word brings the same that does not hold it. Where there is a doubt, a word that does not exist is asked as well, once: if it brings
the same records, the form does not search. Three questions in a row without records, and without a word that nothing was found, end it too.

A form that only comes again may want more than it says: from then on it is asked with everything chosen that can be (`insists`).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Stage = Literal["open", "doubtful", "confirmed", "decoy"]

_START = "xqz"  # with which no word of any language begins
_LETTERS = "bdfgklmnprtvwz"
_LENGTH = 9
_ENOUGH = 0.5  # of the records hold the word
_THE_SAME = 0.8  # of the records
_PATIENCE = 3  # answers that are none


def nonsense(seed: int) -> str:
    """Return a word that does not exist."""
    chance = Random(seed)
    return _START + "".join(chance.choices(_LETTERS, k=_LENGTH - len(_START)))


def is_nonsense(word: str) -> bool:
    """Say whether a word was made up here."""
    return word.startswith(_START) and len(word) == _LENGTH


@dataclass(slots=True)
class Confirmation:
    """What the answers to one form say about it so far."""

    word: str  # the one that does not exist
    stage: Stage = "open"
    why: str = ""
    keys: frozenset[str] = frozenset()  # of the records that the word in doubt brought
    silent: int = 0  # answers in a row that were none
    probed: bool = False
    last: str = ""  # the word whose answer was read last: after a kill it may be read again
    insists: bool = False  # the form came again instead of an answer

    @property
    def next_probe(self) -> str:
        """The word to ask now, before any other; nothing if there is no doubt."""
        return self.word if self.stage == "doubtful" else ""

    def answered(self, word: str, case: str, keys: Sequence[str], holding: float) -> None:
        """Learn from the first page of an answer: the keys of its records, and the share of these that hold the word."""
        if word == self.last:
            return
        self.last = word
        if word == self.word:
            self._probed(case, frozenset(keys))
        elif case == "duplicate" and holding < _ENOUGH and not self.probed:
            self._settle("doubtful", f"{word!r} brings the same records as another word")
        elif self.stage == "open":
            self._asked(word, case, frozenset(keys), holding)

    def _asked(self, word: str, case: str, keys: frozenset[str], holding: float) -> None:
        if keys:
            self.silent = 0
            self.keys = keys
            found = f"{holding:.0%} of {len(keys)} records hold {word!r}"
            self._settle("confirmed" if holding >= _ENOUGH else "doubtful", found)
        elif case in ("nothing_found", "duplicate"):
            self.silent = 0
        else:
            self.silent += 1
            self.insists = self.insists or case == "form_again"
            if self.silent >= _PATIENCE:
                self._settle(
                    "decoy", f"{self.silent} questions brought neither records nor a word about them"
                )

    def _probed(self, case: str, keys: frozenset[str]) -> None:
        self.probed = True
        same = len(keys & self.keys) / len(keys | self.keys) if keys else 0.0
        if case == "duplicate" or same >= _THE_SAME:
            self._settle("decoy", f"{self.word!r}, which does not exist, brings the same records")
        else:
            self._settle("confirmed", f"{self.word!r}, which does not exist, brings something else")

    def _settle(self, stage: Stage, why: str) -> None:
        self.stage, self.why = stage, why

    def to_json(self) -> list[Any]:
        """Return it as it is written down."""
        keys = sorted(self.keys)
        return [self.word, self.stage, self.why, keys, self.silent, self.probed, self.last, self.insists]

    @classmethod
    def from_json(cls, written: Sequence[Any]) -> Confirmation:
        """Take up what was written down."""
        word, stage, why, keys, *more = written
        return cls(word, stage, why, frozenset(keys), *more)
