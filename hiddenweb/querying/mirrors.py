"""Whether a search shows the records of another search of its site, under other addresses.

One database may have several searches: a table and its index, an old and a new address of the same program, a version for
telephones. Querying all of them would store every record several times. A record is repeated if a known one has its title and nearly
all of its words; a search is a mirror if nearly all records of its first answer are repeated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.language.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.model import Record

FEWEST_RECORDS = 10
"""The fewest records with different titles by which an answer shows whether the search is a mirror; a limit of taste."""

REPEATED_SHARE = 0.9
"""The share of these that must be repeated; a limit of taste."""

SAME_WORDS = 0.8
"""The share of the words of a record that a known one must have; a limit of taste."""

FEWEST_WORDS = 5
"""The fewest words of a record that can be recognised; a limit of taste."""


def titles_to_compare(records: Sequence[Record]) -> list[str]:
    """Return the titles to look up in known records; none if the answer has too few."""
    titles = list(dict.fromkeys(record.title for record in records if record.title))
    return titles if len(titles) >= max(FEWEST_RECORDS, REPEATED_SHARE * len(records)) else []


def shows_again(records: Sequence[Record], known: Iterable[tuple[str, str]]) -> bool:
    """Say whether known records, given by their titles and texts, repeat these under other addresses.

    >>> from hiddenweb.model import Record
    >>> texts = [f"Bridge {n}: an old bridge over the river number {n}" for n in range(12)]
    >>> records = [Record(f"http://a.example/new/{n}", f"Bridge {n}", text) for n, text in enumerate(texts)]
    >>> shows_again(records, [(f"Bridge {n}", f"{text}, built of stone") for n, text in enumerate(texts)])
    True
    >>> shows_again(records, [(f"Bridge {n}", "a photograph of the year 1990") for n in range(12)])
    False
    """
    texts: dict[str, list[set[str]]] = {}
    for title, text in known:
        texts.setdefault(title, []).append(set(words(text)))
    repeated = sum(
        any(_holds(known_words, record_words) for known_words in texts.get(record.title, ()))
        for record, record_words in _words_of(records)
    )
    return repeated >= max(FEWEST_RECORDS, REPEATED_SHARE * len(records))


def _words_of(records: Iterable[Record]) -> Iterable[tuple[Record, set[str]]]:
    return ((record, set(words(record.text))) for record in records)


def _holds(known_words: set[str], record_words: set[str]) -> bool:
    return len(record_words) >= FEWEST_WORDS and len(record_words & known_words) >= SAME_WORDS * len(
        record_words
    )
