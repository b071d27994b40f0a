"""The signs that a form searches: its words for people, its names, its address, and its kinds of controls.

A form says so in several places: at its box, on its button, in its headings, its names and its address. What people read counts more
than what is made for machines, since names and classes are copied with a theme from one form to another. A sentence next to the box
that is not about searching may be a consent.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from hiddenweb.forms.buttons import (
    PRESSED,
    button_text,
    says_apply,
    says_only_send,
    says_search,
    says_send,
    speaks_of_own,
)
from hiddenweb.forms.entry_list import FREE_TEXT
from hiddenweb.forms.query_box import (
    text_for_people,
)
from hiddenweb.forms.side_effects import path_and_query
from hiddenweb.forms.submission import resolve_button
from hiddenweb.language import lexicon
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrases import (
    DISPLAY,
    SEARCH,
    THINGS,
    searches_in_little_known_words,
)
from hiddenweb.language.tokens import UNSPACED_CHARACTER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field, Form

_USUAL_NAMES = frozenset({
    "q", "s", "k", "w", "kw", "wd", "sq", "qs", "query", "keyword", "keywords", "term", "terms", "text", "words", "phrase", "string",
})  # fmt: skip


_SEARCH_NAMES = _USUAL_NAMES - {"text", "string", "words", "w", "k"}


FILLABLE_KINDS = frozenset(
    {"text", "search", "", "select", "date", "month", "week", "time", "datetime-local", "number", "range", "radio", "checkbox"}
)  # fmt: skip


LONGEST_TEXT = 600  # characters of a form's text that is read whole for signs; a limit of taste


_MAX_BUTTONS = 50  # labels of buttons that are removed from a text; a limit of taste


_FEW_CHOICES = 2  # options of a select: two can be a yes and a no; a limit of taste


_WORDS_OF_SENTENCE, _SIGNS_OF_SENTENCE = 5, 10
"""Words, or characters of a script without spaces, from which on a text is a sentence. Limits of taste."""


CLEAR_SIGNS = 2  # places that must say "search" for the title of the page not to count; a limit of taste


def has_other_sentence(form: Form, button: Field | None) -> bool:
    """Say whether a form has a sentence that is no label, no choice and no button, and is not about searching."""
    text = own_text(form, button, trusted=True)
    if len(text) > LONGEST_TEXT:
        return False  # the form is around the whole page
    for field in form.fields:
        for label in filter(None, (field.label, field.placeholder)):
            text = text.replace(label, " | ")
    sentences = (each.strip() for each in text.split("|"))
    return any(_is_sentence(each) and not SEARCH.find_words(each) for each in sentences)


def _is_sentence(text: str) -> bool:
    letters = sum(map(bool, map(UNSPACED_CHARACTER.match, text)))
    return text.count(" ") >= _WORDS_OF_SENTENCE - 1 or letters >= _SIGNS_OF_SENTENCE


def may_be_message(button: Field | None) -> bool:
    """Say whether the label of a button allows that a message is sent to somebody."""
    return button is not None and says_send(button) and not says_search(button)


def sends_what_is_searched(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a button only says that it sends, but the box is made for searching and says so to people: then a search is sent."""
    return (
        button is not None
        and query_box is not None
        and says_only_send(button)
        and bool(SEARCH.find_words(f"{text_for_people(query_box)} | {query_box.value}"))
        and is_made_for_searching(form, button, query_box)
    )


def is_made_for_searching(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a box is made for searching by its type or its name, or by a usual name and the address together.

    Classes do not count: they are copied with a theme from one form to another. Nor does the address alone.
    """
    if query_box is None:
        return False
    if query_box.kind == "search" or SEARCH.find_words(split_identifier(query_box.name)):
        return True
    address = split_identifier(path_and_query(resolve_button(form, button).action))
    return query_box.name.lower() in _SEARCH_NAMES and bool(SEARCH.find_words(address))


def find_lack_of_words(form: Form, button: Field | None, query_box: Field | None) -> Iterator[str]:
    """Yield what is missing if the button does not say that it searches: then something else that people read has to.

    Names and classes are made for machines and are copied with a theme from one form to another. They count only for a box that
    has no words for people either, as next to a magnifier.
    """
    if text := text_for_people(query_box):
        if not SEARCH.find_words(text):
            yield f"neither its button nor its box ({text!r}) says that it searches"
        return
    if SEARCH.find_words(f"{join_headings(form)} | {form.page_title}") or _shows_choices(
        form, button, query_box
    ):
        return
    if not (
        _has_usual_name(query_box)
        or SEARCH.find_words(split_identifier(form.names))
        or SEARCH.find_words(split_identifier(path_and_query(form.action)))
        or form.template
    ):
        yield "nothing says that it searches"


def _shows_choices(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form has nothing to write into, and its button shows what was chosen: "Show cars"."""
    lists = [len(field.options) for field in usable_fields(form) if field.kind == "select"]
    has_lists = (
        any(length > _FEW_CHOICES for length in lists) or sum(length == _FEW_CHOICES for length in lists) > 1
    )
    return (
        query_box is None
        and has_lists
        and button is not None
        and bool(DISPLAY.find_words(button_text(button)))
    )


def find_lack_of_understanding(form: Form, query_box: Field | None) -> Iterator[str]:
    """Yield what is missing in a little-known language: there we have to understand what the box wants."""
    text = text_for_people(query_box)
    if text and not SEARCH.find_words(f"{text} | {join_headings(form)}") and not THINGS.find_words(text):
        yield f"we do not know what its box ({text!r}) asks for"


def is_in_little_known_language(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form is in a little-known language, by the language of the page or by its own words."""
    text = f"{button_text(button) if button is not None else ''} | {text_for_people(query_box)}"
    return bool(form.language and form.language not in lexicon.WELL_KNOWN) or searches_in_little_known_words(
        text
    )


def _has_usual_name(box: Field | None) -> bool:
    """Say whether a box is made for searching, or has a name that is usual for search boxes."""
    if box is None:
        return False
    name = re.sub(r"[\W\d_]+", "", box.name.lower())
    return box.kind == "search" or name in _USUAL_NAMES or bool(SEARCH.find_words(split_identifier(box.name)))


def is_plain_search(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a form has one box and nothing else to fill in, is sent by GET, and says twice by itself that it searches.

    Then it only searches, whatever the headings of other parts of the page say.
    """
    if query_box is None or resolve_button(form, button).method != "GET":
        return False
    filled_in = [field for field in usable_fields(form) if field.kind in FILLABLE_KINDS and not field.unseen]
    says_so = bool(SEARCH.find_words(text_for_people(query_box))) or (
        button is not None and says_search(button)
    )
    alone = replace(form, heading="", aside="", page_title="")
    return (
        filled_in == [query_box]
        and not speaks_of_own(text_for_people(query_box))
        and (says_so or query_box.kind == "search")
        and count_search_signs(alone, button) >= CLEAR_SIGNS
    )


def may_speak_to_visitors(form: Form, button: Field | None, query_box: Field | None) -> bool:
    """Say whether a search box that is sent by GET to the address of a search may address visitors: "Type your question"."""
    sent = resolve_button(form, button)
    return (
        query_box is not None
        and query_box.kind == "search"
        and sent.method == "GET"
        and not may_be_message(button)
        and bool(SEARCH.find_words(split_identifier(path_and_query(sent.action))))
    )


def join_headings(form: Form) -> str:
    """Return the headings before a form and next to it."""
    return f"{form.aside} | {form.heading}"


def says_what_it_searches(query_box: Field | None) -> bool:
    """Say whether a box says in words that it searches. Then further boxes may ask for people; they stay empty."""
    return bool(SEARCH.find_words(text_for_people(query_box)))


def buttons_that_count(form: Form, pressed: Field | None, trusted: bool) -> list[Field]:
    """Return the buttons whose words count: all, unless the one that is pressed says that it searches.

    Then other buttons that send something of their own, or nothing at all, do not matter: they are not pressed. In a form that is
    trusted, the others only count if the one that is pressed does not say what it does.
    """
    if trusted and pressed is not None and (says_search(pressed) or says_apply(pressed)):
        return [pressed]
    if pressed is None or not says_search(pressed):
        kinds = PRESSED if trusted else (*PRESSED, "button")
        return [field for field in form.fields if field.kind in kinds]
    return [
        field
        for field in form.fields
        if field is pressed or (field.kind in PRESSED and not field.name and field.form_action is None)
    ]


def count_search_signs(form: Form, button: Field | None) -> int:
    """Return in how many places a form says that it searches."""
    boxes = [field for field in usable_fields(form) if field.kind in FREE_TEXT]
    texts = (
        " | ".join(f"{field.label} | {field.placeholder}" for field in boxes),
        " | ".join(split_identifier(field.name) for field in boxes),
        button_text(button) if button is not None else "",
        split_identifier(form.names),
        split_identifier(path_and_query(resolve_button(form, button).action)),
        join_headings(form),
        form.page_title,
    )
    return sum(map(bool, map(SEARCH.find_words, texts))) + any(field.kind == "search" for field in boxes)


def usable_fields(form: Form) -> list[Field]:
    """Return the controls that people can change."""
    return [field for field in form.fields if not (field.disabled or field.readonly)]


def own_text(form: Form, button: Field | None, trusted: bool) -> str:
    """Return the visible words without the choices, since a select may offer anything, and without buttons that do not count."""
    counting = {id(field) for field in buttons_that_count(form, button, trusted)}
    unpressed = {field.label for field in form.fields if field.kind in PRESSED and id(field) not in counting}
    text = form.text
    for label in islice(filter(None, unpressed), _MAX_BUTTONS):
        text = text.replace(label, " ")
    pieces, at = [], 0
    for choice in _choice_texts(form):
        found = text.find(choice, at, at + len(choice) + LONGEST_TEXT)
        if found >= 0:
            pieces.append(text[at:found])
            at = found + len(choice)
    return " ".join([*pieces, text[at:]])


def _choice_texts(form: Form) -> Iterator[str]:
    """Yield the choices of a form in their order."""
    for field in form.fields:
        yield from (option.text for option in field.options if option.text)
        if field.kind in ("radio", "checkbox") and field.label:
            yield field.label
