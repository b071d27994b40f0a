"""What to ask a form before any answer has come, and where answers lead no further.

First the words of the form's own page. The frequency of a word is F = n / N, n of the N passages that hold it; the most frequent word
comes first (dynamic indexing). Counting passages instead of occurrences keeps one long text from choosing for all. Of the forms of one
word, one is asked, and stop words, numbers and very short words never. A word is asked as it is mostly written, for sites to which
case matters. When the page has no more, words follow that found something elsewhere (the repository), at last a small dictionary
of the page's language.

Where the first words find nothing, others take turns with them: names, which are written with a capital inside a sentence (Riffian,
Gaborone), for they are what databases are about; and the words from elsewhere. If none of them ever finds anything, the records may be in
another language than the page, and the most frequent words of other languages are asked. Before all others come words that the site itself would
rather be asked ("did you mean").
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
"""Words of the page that are kept; a limit of taste, it bounds the stored state."""

MOST_SUGGESTED = 20
"""Words suggested by the site that are kept; a limit of taste."""

_SHORTEST = 3
"""Letters of a word; a limit of taste, many sites refuse shorter ones."""

_PATIENCE = 2
"""Words of the page that may find nothing before others are tried; a limit of taste."""

_LONG_PATIENCE = 6
"""Words that may find nothing before those of other languages are tried; a limit of taste."""

_PASSAGE = re.compile(r"(?<=[.!?。！？])\s+|\n+")


def dictionary(language: str) -> tuple[str, ...]:
    """Return a few words of a language that many databases have; none for a language we have no words of."""
    return tuple(lexicon.split_patterns(lexicon.read_in_language("queries.dictionary", language)))


class SeedWords:
    """Knows the words of one form's page, and which of them were asked."""

    def __init__(self, language: str = "", *, repository: Sequence[str] = ()) -> None:
        self.language = language
        self._repository = tuple(repository)
        self._of_page: dict[str, None] = {}  # as written, the most frequent first
        self._suggested: dict[str, None] = {}
        self._asked: dict[str, None] = {}  # in lower case; only what would be asked here
        self._barren = 0  # questions in a row that found nothing
        self._has_found = False  # one of all found something
        self._own_words: frozenset[str] | None = None

    def learn(self, text: str) -> None:
        """Add the words of the form's own page, passage by passage."""
        counts: Counter[str] = Counter()
        written: dict[str, Counter[str]] = {}
        for passage in _PASSAGE.split(text):
            counts.update(set(words_to_query(passage, self.language)))
            _, _, but_first = passage.partition(" ")
            for term, as_written in words_between_spaces(but_first):
                written.setdefault(term, Counter())[as_written] += 1
        askable = (term for term in counts if self._is_askable(term))
        ranked = sorted(askable, key=lambda term: (-counts[term], -len(term), term))
        self._own_words = None
        self._of_page |= {_mostly(term, written.get(term)): None for term in ranked[:MOST_WORDS]}

    def suggest(self, word: str) -> None:
        """Take note of what the site would rather be asked."""
        if len(self._suggested) < MOST_SUGGESTED:
            self._suggested[word] = None

    def next(self) -> str | None:
        """Return the best word not asked yet, which counts as asked from now on; None when there is none left."""
        word = next(self._candidates(), None)
        if word is not None:
            self._asked[word.lower()] = None
        return word

    def note_query(self, word: str) -> None:
        """Take note that a word is asked that was not chosen here."""
        word = word.lower()
        if word in self._own:
            self._asked[word] = None

    def found(self, *, anything: bool) -> None:
        """Take note of whether the last question found anything."""
        self._barren = 0 if anything else self._barren + 1
        self._has_found = self._has_found or anything

    def to_json(self) -> list[Any]:
        """Return all that was learnt, of limited size."""
        return [
            self.language, list(self._of_page), list(self._suggested), list(self._asked), self._barren, self._has_found,
        ]  # fmt: skip

    @classmethod
    def from_json(cls, written: Sequence[Any], *, repository: Sequence[str] = ()) -> SeedWords:
        """Return what was written down; the repository is handed in anew."""
        language, of_page, suggested, asked, barren, *found = written
        known = cls(language, repository=repository)
        known._of_page, known._suggested = dict.fromkeys(of_page), dict.fromkeys(suggested)
        known._asked, known._barren, known._has_found = dict.fromkeys(asked), barren, any(found)
        return known

    def _candidates(self) -> Iterator[str]:
        """Yield words worth asking, best first."""
        stems = {stem(word, self.language) for word in self._asked}
        yield from (word for word in self._suggested if word.lower() not in self._asked)
        for word in self._in_order():
            if word.lower() not in self._asked and stem(word.lower(), self.language) not in stems:
                yield word

    def _in_order(self) -> Iterator[str]:
        """Yield all words: those of the page first, or in turns with others once they have found nothing."""
        elsewhere = (*self._repository, *self._listed)
        if self._barren < _PATIENCE:
            yield from (*self._of_page, *elsewhere)
            return
        left = [word for word in self._of_page if word.lower() not in self._asked]
        names, others = (
            [word for word in left if not word.islower()],
            [word for word in left if word.islower()],
        )
        kinds = [names, others, [word for word in elsewhere if word.lower() not in self._asked]]
        if self._barren >= _LONG_PATIENCE and not self._has_found:
            strange = [word for word in self._foreign if word not in self._asked]
            kinds = [strange, list(self._in_turns(kinds))]
        yield from self._in_turns(kinds)

    def _in_turns(self, kinds: list[list[str]]) -> Iterator[str]:
        """Yield words of several kinds, one of each after the other."""
        turn = len(self._asked) % len(kinds)  # whose turn it is, also after a kill
        for words_of_kinds in zip_longest(*kinds[turn:], *kinds[:turn]):
            yield from (word for word in words_of_kinds if word is not None)

    @property
    def _own(self) -> frozenset[str]:
        """Return all words that would be asked here, in lower case."""
        if self._own_words is None:
            all_words = (*self._of_page, *self._repository, *self._listed, *self._foreign)
            self._own_words = frozenset(word.lower() for word in all_words)
        return self._own_words

    @property
    def _listed(self) -> tuple[str, ...]:
        return dictionary(self.language or "en")

    @property
    def _foreign(self) -> tuple[str, ...]:
        """Return the most frequent words of the languages that have a dictionary, but for that of the page."""
        return tuple(
            dict.fromkeys(
                most_frequent_word(language)
                for language in lexicon.read_purpose("queries.dictionary")
                if language != (self.language or "en")
            )
        )

    def _is_askable(self, term: str) -> bool:
        if term in stop_words(self.language) or any(character.isdigit() for character in term):
            return False
        return len(term) >= _SHORTEST or self.language in UNSPACED or not term.isascii()


def _mostly(term: str, written: Counter[str] | None) -> str:
    """Return a term as it is mostly written."""
    return min(written, key=lambda form: (-written[form], form)) if written else term
