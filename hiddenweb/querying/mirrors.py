"""Whether a search shows again what another of its site has shown, under other addresses.

One database may be searched in several dresses: a table and the index made of it, an old and a new address of the same program, a version for
telephones. To harvest each is to store every record several times. A record is told again if a known one has its title and holds nearly
all that it says; a search is a mirror if nearly all records of its first answer are told again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.language.tokens import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.model import Record

FEWEST_RECORDS = 10
"""Records of an answer with titles of their own, from which on it shows whether the search is a mirror; a limit of taste."""

TOLD_AGAIN = 0.9
"""The share of these that must be known; a limit of taste."""

HELD = 0.8
"""The share of the words of a record that a known one must hold; a limit of taste."""

FEWEST_WORDS = 5
"""Words of a record that can be recognised: fewer say too little; a limit of taste."""


def titles_to_compare(records: Sequence[Record]) -> list[str]:
    """Return the titles by which known records are looked for; none if the answer says too little."""
    titles = list(dict.fromkeys(record.title for record in records if record.title))
    return titles if len(titles) >= max(FEWEST_RECORDS, TOLD_AGAIN * len(records)) else []


def shows_again(records: Sequence[Record], known: Iterable[tuple[str, str]]) -> bool:
    """Say whether records are told again, by the titles and texts of known ones that have other addresses.

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
    told = sum(
        any(_holds(other, said) for other in texts.get(record.title, ())) for record, said in _said(records)
    )
    return told >= max(FEWEST_RECORDS, TOLD_AGAIN * len(records))


def _said(records: Iterable[Record]) -> Iterable[tuple[Record, set[str]]]:
    return ((record, set(words(record.text))) for record in records)


def _holds(known: set[str], said: set[str]) -> bool:
    return len(said) >= FEWEST_WORDS and len(said & known) >= HELD * len(said)
