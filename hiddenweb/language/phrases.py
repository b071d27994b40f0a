"""What people and programmers write to say what a form is for: one matcher for each query that is put to a text.

The words are in the lexicon, language by language; here it is said what each matcher is for.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from hiddenweb.language import lexicon
from hiddenweb.language.phrase_matcher import PhraseMatcher

SEARCH = PhraseMatcher.from_lexicon("buttons.search")
"""To search: what a button does, and what a box is for."""

_WELL_KNOWN_SEARCH = PhraseMatcher.from_lexicon("buttons.search", well_known=True)
_FURTHER_SEARCH = PhraseMatcher.from_lexicon("buttons.search", well_known=False)

GO = PhraseMatcher.from_lexicon("buttons.go")
"""To go on, whatever that does."""

SENDING = PhraseMatcher.from_lexicon("buttons.sending")
"""What sends a message as well as a search; and what sends whatever was written, and says no more."""

DISPLAY = PhraseMatcher.from_lexicon("buttons.display")
"""What a button says that shows what was chosen. It may name what it shows."""

RESULTS = PhraseMatcher.from_lexicon("buttons.results")
"""What a search brings. A button that shows it searches."""

APPLY = PhraseMatcher.from_lexicon("buttons.apply")
"""The whole text of a button that takes over what was chosen."""

HARMLESS = PhraseMatcher.from_lexicon("buttons.harmless")
"""What may stand beside a word for searching on a button."""

SEARCHED = PhraseMatcher.from_lexicon("buttons.searched")
"""What is searched, beside a word for searching on a button; beside one for sending it would be what is sent."""

THINGS = PhraseMatcher.from_lexicon("boxes.things")
"""What catalogues are searched by, in languages beyond the well-known ones."""

CONTENT_QUESTIONS = PhraseMatcher.from_lexicon("boxes.questions")
"""What begins a question for something, not for whether or how."""

NUMBERS = PhraseMatcher.from_lexicon("boxes.numbers")
"""What a box asks for that takes a number or a code instead of words."""

TELEPHONES = PhraseMatcher.from_lexicon("boxes.telephones")
"""What a box asks for that takes the number of a telephone."""

PLAIN_PURPOSES = PhraseMatcher.from_lexicon("purposes.plain")
"""Enough to leave a form alone wherever they stand in it."""

OTHER_PURPOSES = PhraseMatcher.from_lexicon("purposes.other")
"""Enough to leave a form alone where a form says what it is for: button, box, heading, name, address."""

FURTHER_LANGUAGES = PhraseMatcher.from_lexicon("purposes.further")
"""The same in languages beyond the well-known ones."""

FORM_WORDS = PhraseMatcher.from_lexicon("form_words")
"""What controls ask for, and what forms do to lists: read by the classifier, not reasons to leave a form alone."""

STATE_CHANGES = PhraseMatcher.from_lexicon("deeds.state_changes")
"""What an address or a command says that changes something, in English all over the world."""

IDENTIFIERS = PhraseMatcher.from_lexicon("identifiers")
"""How programmers write the purposes of controls."""


def is_in_further_language(text: str) -> bool:
    """Say whether a text speaks of searching in a language beyond the well-known ones, and in none of these."""
    return bool(_FURTHER_SEARCH.find_words(text)) and not _WELL_KNOWN_SEARCH.find_words(text)


def find_change_in_name(name: str) -> str:
    """Return the part of a name written together that speaks of a change, or nothing: `signupform`."""
    found = _run_together().search(name.lower())
    return found[0] if found else ""


@lru_cache(maxsize=16_384)
def purposes_of_parts(name: str) -> tuple[str, ...]:
    """Return the purposes of the parts of a name written together, in their order: `sitesearch` is for a search."""
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
