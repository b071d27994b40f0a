"""Boxes that ask for what is personal, such as a name, and those that only search by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import TEXT_KINDS, FieldType, type_of, words_in
from hiddenweb.language.phrases import SEARCH

if TYPE_CHECKING:
    from hiddenweb.model import Field

_ANYBODYS = frozenset({"name", "address", "message"})  # words that also stand at boxes to search by
_WORDS_FOR_ONE_THING = 4


def personal_query_box(box: Field, language: str) -> str:
    """Return why a box is personal even though it takes the words of a search, or nothing."""
    wanted = type_of(box, language)
    return f"{wanted.name}, for {wanted.why}" if wanted.personal and not searches_by(box, wanted) else ""


def searches_by(box: Field, wanted: FieldType) -> bool:
    """Say whether words of people at a query box say what it searches for: "Search by name", "Title, e-mail or phone number"."""
    if box.kind not in TEXT_KINDS or box.autocomplete.lower() not in ("", "off", "on"):
        return False
    lists_things = len(words_in(box.label)) > _WORDS_FOR_ONE_THING
    return (
        wanted.name in _ANYBODYS
        or lists_things
        or bool(SEARCH.find_words(f"{box.label} | {box.placeholder}"))
    )
