"""The words to submit before the first answer, and when answers lead no further.

First come the words of the form's own page. The frequency of a word is F = n / N, if n of the N passages hold it; the most frequent word
comes first (dynamic indexing). Passages are counted, not occurrences, so that one long text does not decide alone. Of the forms of one
word, one is submitted; stop words, numbers and very short words never are. A word has its most frequent spelling, for sites that distinguish
upper and lower case. After the words of the page come words that found something at other forms (the repository), finally a small dictionary
of the page's language.

If the first words find nothing, others take turns with them: names, written with a capital inside a sentence (Riffian,
Gaborone), since databases are often about them; and the words from other forms. If none of them ever finds anything, the records may be in
another language than the page, and the most frequent words of other languages are submitted. Words that the site suggests ("did you mean")
come before all others.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from hiddenweb.language import lexicon
from hiddenweb.language.stems import stem
from hiddenweb.language.stop_words import stop_words
from hiddenweb.language.tokens import UNSPACED, words_between_spaces, words_to_query
from hiddenweb.querying.wide_queries import most_frequent_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_WORDS = 300
"""The most words of the page; a limit of taste, it bounds the stored state."""

MOST_SUGGESTED = 20
"""The most words suggested by the site; a limit of taste."""

_SHORTEST = 3
"""Letters of a word; a limit of taste, many sites refuse shorter ones."""

_PATIENCE = 2
"""Words of the page that may find nothing before others are tried; a limit of taste."""

_LONG_PATIENCE = 6
"""Words that may find nothing before those of other languages are tried; a limit of taste."""

_PASSAGE = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def dictionary(language: str) -> tuple[str, ...]:
    """Return a few words of a language that many databases have; none for an unknown language."""
    return tuple(lexicon.split_patterns(lexicon.read_in_language("queries.dictionary", language)))


class SeedWords:
    """Knows the words of one form's page, and which of them were submitted."""

    def __init__(self, language: str = "", *, repository: Sequence[str] = ()) -> None:
        self.language = language
        self._repository = tuple(repository)
        self._of_page: dict[str, None] = {}  # as written, the most frequent first
        self._suggested: dict[str, None] = {}
        self._submitted: dict[str, None] = {}  # in lower case; only words that could be chosen here
        self._fruitless = 0  # queries in a row that found nothing
        self._has_found = False  # some query found something
        self._all_words_cache: frozenset[str] | None = None

    def learn(self, text: str) -> None:
        """Add the words of the form's own page, passage by passage."""
        counts: Counter[str] = Counter()
        spellings: dict[str, Counter[str]] = {}
        for passage in _PASSAGE.split(text):
            counts.update(set(words_to_query(passage, self.language)))
            _, _, after_first = passage.partition(" ")
            for term, spelling in words_between_spaces(after_first):
                spellings.setdefault(term, Counter())[spelling] += 1
        submittable = (term for term in counts if self._is_submittable(term))
        ranked = sorted(submittable, key=lambda term: (-counts[term], -len(term), term))
        self._all_words_cache = None
        self._of_page |= {_usual_spelling(term, spellings.get(term)): None for term in ranked[:MOST_WORDS]}

    def suggest(self, word: str) -> None:
        """Note a word that the site suggests."""
        if len(self._suggested) < MOST_SUGGESTED:
            self._suggested[word] = None

    def next(self) -> str | None:
        """Return the best word not submitted yet, which counts as submitted from now on; None if there is none left."""
        word = next(self._candidates(), None)
        if word is not None:
            self._submitted[word.lower()] = None
        return word

    def note_query(self, word: str) -> None:
        """Note a submitted word that was not chosen here."""
        word = word.lower()
        if word in self._all_words:
            self._submitted[word] = None

    def learn_result(self, *, anything: bool) -> None:
        """Note whether the last query found anything."""
        self._fruitless = 0 if anything else self._fruitless + 1
        self._has_found = self._has_found or anything

    def to_json(self) -> list[Any]:
        """Return the state to save, of limited size."""
        return [
            self.language, list(self._of_page), list(self._suggested), list(self._submitted), self._fruitless, self._has_found,
        ]  # fmt: skip

    @classmethod
    def from_json(cls, saved: Sequence[Any], *, repository: Sequence[str] = ()) -> SeedWords:
        """Return the words of a saved state; the repository is not saved."""
        language, of_page, suggested, submitted, fruitless, *found = saved
        words = cls(language, repository=repository)
        words._of_page, words._suggested = dict.fromkeys(of_page), dict.fromkeys(suggested)
        words._submitted, words._fruitless, words._has_found = dict.fromkeys(submitted), fruitless, any(found)
        return words

    def _candidates(self) -> Iterator[str]:
        """Yield words worth submitting, best first."""
        stems = {stem(word, self.language) for word in self._submitted}
        yield from (word for word in self._suggested if word.lower() not in self._submitted)
        for word in self._in_order():
            if word.lower() not in self._submitted and stem(word.lower(), self.language) not in stems:
                yield word

    def _in_order(self) -> Iterator[str]:
        """Yield all words: those of the page first, or in turns with others after they found nothing."""
        other_words = (*self._repository, *self._dictionary_words)
        if self._fruitless < _PATIENCE:
            yield from (*self._of_page, *other_words)
            return
        unsubmitted = [word for word in self._of_page if word.lower() not in self._submitted]
        names, others = (
            [word for word in unsubmitted if not word.islower()],
            [word for word in unsubmitted if word.islower()],
        )
        kinds = [names, others, [word for word in other_words if word.lower() not in self._submitted]]
        if self._fruitless >= _LONG_PATIENCE and not self._has_found:
            foreign = [word for word in self._foreign_words if word not in self._submitted]
            kinds = [foreign, list(self._in_turns(kinds))]
        yield from self._in_turns(kinds)

    def _in_turns(self, kinds: list[list[str]]) -> Iterator[str]:
        """Yield words of several kinds in turns."""
        turn = len(self._submitted) % len(kinds)  # the kind whose turn it is, also after a kill
        for words_of_kinds in zip_longest(*kinds[turn:], *kinds[:turn]):
            yield from (word for word in words_of_kinds if word is not None)

    @property
    def _all_words(self) -> frozenset[str]:
        """Return all words that could be chosen here, in lower case."""
        if self._all_words_cache is None:
            all_words = (*self._of_page, *self._repository, *self._dictionary_words, *self._foreign_words)
            self._all_words_cache = frozenset(word.lower() for word in all_words)
        return self._all_words_cache

    @property
    def _dictionary_words(self) -> tuple[str, ...]:
        return dictionary(self.language or "en")

    @property
    def _foreign_words(self) -> tuple[str, ...]:
        """Return the most frequent words of the languages that have a dictionary, except that of the page."""
        return tuple(
            dict.fromkeys(
                most_frequent_word(language)
                for language in lexicon.read_purpose("queries.dictionary")
                if language != (self.language or "en")
            )
        )

    def _is_submittable(self, term: str) -> bool:
        if term in stop_words(self.language) or any(character.isdigit() for character in term):
            return False
        return len(term) >= _SHORTEST or self.language in UNSPACED or not term.isascii()


def _usual_spelling(term: str, spellings: Counter[str] | None) -> str:
    """Return the most frequent spelling of a term."""
    return min(spellings, key=lambda form: (-spellings[form], form)) if spellings else term
