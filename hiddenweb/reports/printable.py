"""Texts, numbers and times for people and programs, as commands, crawl logs and reports print them."""

from __future__ import annotations

import json
from datetime import datetime

LONGEST_TEXT = 500
"""Characters of a printed text; a page or a server may have sent more. A limit of taste."""


def clean_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text without control characters that could move the cursor: parts of it come from servers.

    >>> clean_text("two" + chr(10) + "lines"), clean_text("long", longest=2)
    ('two lines', 'lo')
    """
    return "".join(letter if letter.isprintable() else " " for letter in text[:longest])


def json_text(facts: object, indent: int | None = 2) -> str:
    """Return facts as JSON without control or direction characters: parts of it come from servers."""
    text = json.dumps(facts, ensure_ascii=False, indent=indent)
    return "".join(
        letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text
    )


def quantity(number: int, noun: str) -> str:
    """Return a number with its noun; the noun is passed in the singular.

    >>> quantity(1, "page"), quantity(1200, "query")
    ('1 page', '1,200 queries')
    """
    return f"{number:,} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Return the regular plural of an English noun, or of the last word of several.

    >>> plural("stored page"), plural("query"), plural("day"), plural("match"), plural("address")
    ('stored pages', 'queries', 'days', 'matches', 'addresses')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "z", "ch", "sh")) else f"{noun}s"


def time_text(at: float) -> str:
    """Return a time in the local time zone."""
    return datetime.fromtimestamp(at).astimezone().isoformat(" ", "seconds")
