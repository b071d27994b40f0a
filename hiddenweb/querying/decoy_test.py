"""Whether a form that looks like a search answers like one.

A classifier sees what a form promises. Its answers show what it does: a search answers different words differently, and finds nothing
for a word that does not exist. A decoy shows the same list for every query, perhaps with the word written into it, or only
ever thanks, greets and shows the form again.

The likely words are submitted first anyway, so testing them costs nothing. If their records hold the word, the form is confirmed,
until another word brings the same records, or records that differ only by the word. In a doubt, and in any case after five answers, a
word that does not exist is submitted as well: a list that writes each word into other records looks like a good answer
every time. This probe decides for good: the form does not search if the probe brings the same records, or as
many records that hold it. If it brings records that other words brought without holding them, this is what the site shows when it
finds nothing. Three answers in a row without records, and without a message that nothing was found, end the form too.

A query that fails says nothing. Then another word that does not exist is submitted later; if that fails as well, the existing answers
decide.

A form without a box for words is a decoy if three of its choices bring the same records, and none has brought others or nothing.

A form that only comes again may require more than it says: from then on every choice that can be made is made (`insists`).
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
"""Letters of a probe word; a limit of taste, at that length it is no real word by chance."""

_ENOUGH = 0.5
"""The share of an answer's records that must hold the word; a limit of taste."""

_SAME_SHARE = 0.8
"""The share of common records from which two answers count as the same; a limit of taste."""

_AS_MANY = 0.5
"""The share of the first answer's records from which another answer has "as many"; a limit of taste."""

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
    """Say whether a word is one of `nonsense`."""
    return word.startswith(_START) and len(word) == _LENGTH


def hash_texts(word: str, texts: Iterable[str]) -> int:
    """Return a hash that is equal for records that differ only by the submitted word; 0 for no records."""
    submitted = word.casefold()
    remaining = sorted(" ".join(text.casefold().replace(submitted, " ").split()) for text in texts)
    return xxh3_64_intdigest("\n".join(remaining).encode("utf-8", "replace")) if remaining else 0


@dataclass(slots=True)
class DecoyTest:
    """What the answers to one form say about it so far."""

    word: str  # the probe: a word that does not exist
    stage: Stage = "open"
    why: str = ""
    keys: frozenset[str] = frozenset()  # of the first records
    unanswered: int = 0  # answers in a row without records or a message
    settled: bool = False  # there is no doubt any more, and no new one arises
    last_word: str = ""  # the word of the last answer: after a kill it may be read again
    insists: bool = False  # the form came again instead of an answer
    has_word: bool = False  # the first records hold their word
    signature: int = 0  # of the first records
    text_hash: int = 0  # hash of the first records without their word
    repeats: int = 0  # answers with the records of another one
    failures: int = 0  # of probes
    answers: int = 0  # to real words

    @property
    def next_probe(self) -> str:
        """The probe to submit now; empty if there is no doubt, or if the last probe has just failed."""
        return self.word if self.stage == "doubtful" and not is_nonsense(self.last_word) else ""

    def learn_answer(
        self,
        word: str,
        case: str,
        keys: Sequence[str],
        holding: float,
        *,
        signature: int = 0,
        text_hash: int = 0,
    ) -> None:
        """Learn from the first page of an answer: the keys of its records, and the share of them that hold the word.

        The signature identifies its records; the text hash is that of `hash_texts`.
        """
        if word == self.last_word:
            return
        self.last_word = word
        if is_nonsense(word):
            self._learn_probe(word, case, frozenset(keys), holding, signature)
        elif case == "duplicate" or (text_hash and text_hash == self.text_hash):
            self._doubt(word)
        elif self.stage == "open":
            self.signature, self.text_hash = signature, text_hash
            self._learn_word(word, case, frozenset(keys), holding)
        self.answers += not is_nonsense(word)
        if self.stage == "confirmed" and self.answers >= _TO_BE_SURE and not self.settled:
            self._settle("doubtful", f"{self.answers} answers, and none to a word that does not exist")

    def learn_choice(self, choice: str, case: str, keys: Sequence[str]) -> None:
        """Learn from the first page of an answer to a choice, for a form that takes no words."""
        if choice == self.last_word or self.stage != "open":
            return
        self.last_word = choice
        if case == "duplicate":
            self.repeats += 1
            if self.repeats >= _CHOICES - 1 and not self.settled:
                self._settle("decoy", f"{_CHOICES} different choices bring the same records")
        elif keys or case == "nothing_found":
            if self.keys or (keys and self.settled):
                self._settle("confirmed", "different choices bring different records")
            self.keys = self.keys or frozenset(keys)
            self.settled = self.settled or not keys

    def learn_silence(self, word: str) -> None:
        """Learn that a query failed, or could not be submitted; only a failed probe says anything."""
        if word != self.word or self.stage != "doubtful":
            return
        self.last_word, self.word = word, nonsense(word)
        self.failures += 1
        if self.failures >= _PROBES:
            self.settled = True
            is_decoy = self.repeats > 0 and not self.has_word
            self._settle("decoy" if is_decoy else "confirmed", f"{self.why}, and nonsense gets no answer")

    def _learn_word(self, word: str, case: str, keys: frozenset[str], holding: float) -> None:
        if keys:
            self.unanswered = 0
            self.keys, self.has_word = keys, holding >= _ENOUGH
            why = f"{holding:.0%} of {len(keys)} records hold {word!r}"
            self._settle("confirmed" if self.has_word else "doubtful", why)
        elif case == "nothing_found":
            self.unanswered = 0
        else:
            self.unanswered += 1
            self.insists = self.insists or case == "form_again"
            if self.unanswered >= _PATIENCE:
                self._settle(
                    "decoy", f"{self.unanswered} queries brought neither records nor a word about them"
                )

    def _doubt(self, word: str) -> None:
        self.repeats += 1
        if not self.settled and self.stage != "decoy":
            self._settle("doubtful", f"{word!r} brings the same records as another word")

    def _learn_probe(
        self, word: str, case: str, keys: frozenset[str], holding: float, signature: int
    ) -> None:
        self.settled = True
        is_as_much = case == "duplicate" or len(keys) >= _AS_MANY * len(self.keys)
        if self.has_word and holding >= _ENOUGH and is_as_much:
            self._settle("decoy", f"{word!r}, which does not exist, is in its records")
        elif self._shows_same_records(case, keys, signature):
            self._settle("decoy", f"{word!r}, which does not exist, brings the same records")
        else:
            self._settle("confirmed", f"{word!r}, which does not exist, brings something else")

    def _shows_same_records(self, case: str, keys: frozenset[str], signature: int) -> bool:
        """Say whether the probe brought the records of real words, and not those that a site shows if it finds nothing."""
        if case == "duplicate":
            return signature == self.signature or not self.has_word
        return bool(keys) and len(keys & self.keys) / len(keys | self.keys) >= _SAME_SHARE

    def _settle(self, stage: Stage, why: str) -> None:
        self.stage, self.why = stage, why

    def to_json(self) -> list[Any]:
        """Return the state to save."""
        return [
            self.word, self.stage, self.why, sorted(self.keys), self.unanswered, self.settled, self.last_word, self.insists, self.has_word,
            self.signature, self.text_hash, self.repeats, self.failures, self.answers,
        ]  # fmt: skip

    @classmethod
    def from_json(cls, saved: Sequence[Any]) -> DecoyTest:
        """Return the test of a saved state."""
        word, stage, why, keys, *rest = saved
        return cls(word, stage, why, frozenset(keys), *rest)
