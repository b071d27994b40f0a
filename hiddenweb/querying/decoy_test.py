"""Whether a form that looks like a search answers like one.

A classifier sees what a form promises. What it does shows in its answers: a search answers different words differently, and a word
that does not exist with nothing. A decoy shows the same list whatever is asked, perhaps with the word written into it, or only
ever thanks, greets and asks again.

The likely words are the first questions anyway, so they cost nothing. If the records they bring hold the word, that settles it
until another word brings the same records, or records that say the same but for the word. Where there is a doubt, a word that does
not exist is asked as well, and in any case after five answers: a list that writes each word into other records looks like a good answer
every time. It decides, once and for all: the form does not search if that word brings the same records, or as
many records that hold it. Where it brings what other words brought in vain, that is what the site shows when it finds
nothing. Three questions in a row without records, and without a word that nothing was found, end it too.

A question that fails says nothing. Then another word that does not exist is asked later; if that fails as well, the answers that
there are have to do.

A form without a box for words is a decoy if three of its choices bring the same records, and none has brought others or nothing.

A form that only comes again may want more than it says: from then on it is asked with everything chosen that can be (`insists`).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, Literal

from xxhash import xxh3_64_intdigest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Stage = Literal["open", "doubtful", "confirmed", "decoy"]

_START = "xqz"  # with which no word of any language begins
_LETTERS = "bdfgklmnprtvwz"

_LENGTH = 9
"""Letters of a probe word; a limit of taste, no real word is met by chance at that length."""

_ENOUGH = 0.5
"""The share of the records that must hold the word for the answer to be about it; a limit of taste."""

_THE_SAME = 0.8
"""The share of their records that two answers have in common which count as the same; a limit of taste."""

_AS_MANY = 0.5
"""The share of the number of records before, from which an answer has as many; a limit of taste."""

_PATIENCE = 3
"""Queries that show no records, after which the form is a decoy; a limit of taste."""

_CHOICES = 3
"""Queries with different options that bring the same records, after which the form is a decoy; a limit of taste."""

_PROBES = 2
"""Probes that may fail before the test is given up; a limit of taste."""

_TO_BE_SURE = 5
"""Answers after which a probe word is submitted in any case; a limit of taste."""


def nonsense(seed: int | str) -> str:
    """Return a word that does not exist."""
    chance = Random(seed)
    return _START + "".join(chance.choices(_LETTERS, k=_LENGTH - len(_START)))


def is_nonsense(word: str) -> bool:
    """Say whether a word was made up here."""
    return word.startswith(_START) and len(word) == _LENGTH


def count_mentions(word: str, texts: Iterable[str]) -> int:
    """Return a number that is equal for records that say the same but for the word that was asked for; 0 for no records."""
    asked = word.casefold()
    said = sorted(" ".join(text.casefold().replace(asked, " ").split()) for text in texts)
    return xxh3_64_intdigest("\n".join(said).encode("utf-8", "replace")) if said else 0


@dataclass(slots=True)
class DecoyTest:
    """What the answers to one form say about it so far."""

    word: str  # the one that does not exist
    stage: Stage = "open"
    why: str = ""
    keys: frozenset[str] = frozenset()  # of the first records that came
    silent: int = 0  # answers in a row that were none
    settled: bool = False  # there is no doubt any more, and none is raised
    last: str = ""  # the word whose answer was read last: after a kill it may be read again
    insists: bool = False  # the form came again instead of an answer
    held: bool = False  # the first records hold the word that brought them
    signature: int = 0  # of the first records
    said: int = 0  # by the first records, but for the word
    alike: int = 0  # answers that brought what another had brought
    failures: int = 0  # of words that do not exist
    answers: int = 0  # to words that may exist

    @property
    def next_probe(self) -> str:
        """The word to ask now, before any other; nothing if there is no doubt, or if the last one has just failed."""
        return self.word if self.stage == "doubtful" and not is_nonsense(self.last) else ""

    def learn_answer(
        self, word: str, case: str, keys: Sequence[str], holding: float, *, signature: int = 0, said: int = 0
    ) -> None:
        """Learn from the first page of an answer: the keys of its records, and the share of these that hold the word.

        The signature tells its records from others; what they say besides the word is a number as well.
        """
        if word == self.last:
            return
        self.last = word
        if is_nonsense(word):
            self._probed(word, case, frozenset(keys), holding, signature)
        elif case == "duplicate" or (said and said == self.said):
            self._doubt(word)
        elif self.stage == "open":
            self.signature, self.said = signature, said
            self._asked(word, case, frozenset(keys), holding)
        self.answers += not is_nonsense(word)
        if self.stage == "confirmed" and self.answers >= _TO_BE_SURE and not self.settled:
            self._settle("doubtful", f"{self.answers} answers, and none to a word that does not exist")

    def learn_choice(self, choice: str, case: str, keys: Sequence[str]) -> None:
        """Learn from the first page of an answer of a form that takes no words."""
        if choice == self.last or self.stage != "open":
            return
        self.last = choice
        if case == "duplicate":
            self.alike += 1
            if self.alike >= _CHOICES - 1 and not self.settled:
                self._settle("decoy", f"{_CHOICES} different choices bring the same records")
        elif keys or case == "nothing_found":
            if self.keys or (keys and self.settled):
                self._settle("confirmed", "different choices bring different records")
            self.keys = self.keys or frozenset(keys)
            self.settled = self.settled or not keys

    def learn_silence(self, word: str) -> None:
        """Learn that a question failed, or could not be asked; of other words than the one that does not exist this says nothing."""
        if word != self.word or self.stage != "doubtful":
            return
        self.last, self.word = word, nonsense(word)
        self.failures += 1
        if self.failures >= _PROBES:
            self.settled = True
            is_decoy = self.alike > 0 and not self.held
            self._settle("decoy" if is_decoy else "confirmed", f"{self.why}, and nonsense gets no answer")

    def _asked(self, word: str, case: str, keys: frozenset[str], holding: float) -> None:
        if keys:
            self.silent = 0
            self.keys, self.held = keys, holding >= _ENOUGH
            found = f"{holding:.0%} of {len(keys)} records hold {word!r}"
            self._settle("confirmed" if self.held else "doubtful", found)
        elif case == "nothing_found":
            self.silent = 0
        else:
            self.silent += 1
            self.insists = self.insists or case == "form_again"
            if self.silent >= _PATIENCE:
                self._settle("decoy", f"{self.silent} queries brought neither records nor a word about them")

    def _doubt(self, word: str) -> None:
        self.alike += 1
        if not self.settled and self.stage != "decoy":
            self._settle("doubtful", f"{word!r} brings the same records as another word")

    def _probed(self, word: str, case: str, keys: frozenset[str], holding: float, signature: int) -> None:
        self.settled = True
        is_as_much = case == "duplicate" or len(keys) >= _AS_MANY * len(self.keys)
        if self.held and holding >= _ENOUGH and is_as_much:
            self._settle("decoy", f"{word!r}, which does not exist, stands in its records")
        elif self._is_the_same(case, keys, signature):
            self._settle("decoy", f"{word!r}, which does not exist, brings the same records")
        else:
            self._settle("confirmed", f"{word!r}, which does not exist, brings something else")

    def _is_the_same(self, case: str, keys: frozenset[str], signature: int) -> bool:
        """Say whether records are those that words bring, and not those that a site shows instead of any."""
        if case == "duplicate":
            return signature == self.signature or not self.held
        return bool(keys) and len(keys & self.keys) / len(keys | self.keys) >= _THE_SAME

    def _settle(self, stage: Stage, why: str) -> None:
        self.stage, self.why = stage, why

    def to_json(self) -> list[Any]:
        """Return it as it is written down."""
        return [
            self.word, self.stage, self.why, sorted(self.keys), self.silent, self.settled, self.last, self.insists, self.held,
            self.signature, self.said, self.alike, self.failures, self.answers,
        ]  # fmt: skip

    @classmethod
    def from_json(cls, written: Sequence[Any]) -> DecoyTest:
        """Take up what was written down."""
        word, stage, why, keys, *more = written
        return cls(word, stage, why, frozenset(keys), *more)
