"""Matchers for the words with which people and programmers say what a form is for.

The words are in the lexicon, language by language; here stands what each matcher is for.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from hiddenweb.language import lexicon
from hiddenweb.language.phrase_matcher import PhraseMatcher

SEARCH = PhraseMatcher.from_lexicon("buttons.search")
"""Words for searching, on buttons and at boxes."""

_WELL_KNOWN_SEARCH = PhraseMatcher.from_lexicon("buttons.search", well_known=True)
_LITTLE_KNOWN_SEARCH = PhraseMatcher.from_lexicon("buttons.search", well_known=False)

GO = PhraseMatcher.from_lexicon("buttons.go")
"""Words such as "go", which do not say what a button does."""

SENDING = PhraseMatcher.from_lexicon("buttons.sending")
"""Words for sending, which may send a message or a search."""

DISPLAY = PhraseMatcher.from_lexicon("buttons.display")
"""Words of a button that shows what was chosen; it may name what it shows."""

RESULTS = PhraseMatcher.from_lexicon("buttons.results")
"""Words for the results of a search. A button that shows results searches."""

APPLY = PhraseMatcher.from_lexicon("buttons.apply")
"""The whole text of a button that applies what was chosen."""

HARMLESS = PhraseMatcher.from_lexicon("buttons.harmless")
"""Harmless words next to a word for searching on a button."""

SEARCHED = PhraseMatcher.from_lexicon("buttons.searched")
"""Things that are searched, next to a word for searching on a button; next to a word for sending they would be sent."""

THINGS = PhraseMatcher.from_lexicon("boxes.things")
"""Words such as title or author, by which catalogues are searched, in little-known languages."""

CONTENT_QUESTIONS = PhraseMatcher.from_lexicon("boxes.questions")
"""Beginnings of questions for a thing, not for whether or how."""

NUMBERS = PhraseMatcher.from_lexicon("boxes.numbers")
"""Words of a box that takes a number or a code."""

TELEPHONES = PhraseMatcher.from_lexicon("boxes.telephones")
"""Words of a box that takes a telephone number."""

PLAIN_PURPOSES = PhraseMatcher.from_lexicon("purposes.plain")
"""Enough not to submit a form, anywhere in it."""

OTHER_PURPOSES = PhraseMatcher.from_lexicon("purposes.other")
"""Enough not to submit a form in the places that say what it is for: button, box, heading, name, address."""

LITTLE_KNOWN_PURPOSES = PhraseMatcher.from_lexicon("purposes.little_known")
"""Enough not to submit a form in these places, on pages in little-known languages."""

FORM_WORDS = PhraseMatcher.from_lexicon("form_words")
"""What controls ask for, and what forms do to lists: read by the classifier, no reasons not to submit a form."""

STATE_CHANGES = PhraseMatcher.from_lexicon("deeds.state_changes")
"""Words of addresses and commands that change something, in English, which is used everywhere."""

IDENTIFIERS = PhraseMatcher.from_lexicon("identifiers")
"""Words of programmers for the purposes of controls."""


def searches_in_little_known_words(text: str) -> bool:
    """Say whether a text has a word for searching in a little-known language, and none in a well-known one."""
    return bool(_LITTLE_KNOWN_SEARCH.find_words(text)) and not _WELL_KNOWN_SEARCH.find_words(text)


def find_change_in_name(name: str) -> str:
    """Return the part of a name that means a change, or "", in a name of joined words such as `signupform`."""
    found = _run_together().search(name.lower())
    return found[0] if found else ""


@lru_cache(maxsize=16_384)
def purposes_of_parts(name: str) -> tuple[str, ...]:
    """Return the purposes of the parts of a name of joined words, in their order: `sitesearch` is for a search."""
    pattern, purposes = _identifier_parts()
    return tuple(purposes[(part.lastindex or 1) - 1] for part in pattern.finditer(name))


@cache
def _run_together() -> re.Pattern[str]:
    return re.compile(lexicon.alternatives("deeds.run_together"))


@cache
def _identifier_parts() -> tuple[re.Pattern[str], tuple[str, ...]]:
    purposes = lexicon.purposes("identifier_parts")
    return re.compile(
        "|".join(f"({lexicon.alternatives(f'identifier_parts.{purpose}')})" for purpose in purposes)
    ), purposes
