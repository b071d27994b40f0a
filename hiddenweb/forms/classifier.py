"""Telling search forms that may be asked from all others.

One wrong submission costs more than ten missed forms, so a form is asked only if three things hold. Its shape is that of a
search: one free text box, whatever selects, radio buttons and checkboxes stand beside it, nothing that takes a password, an
address or a file, sent by GET (by POST where the user allows it) to the site itself. Something says "search": a word in
one of many languages, the role, the type or the usual name of the box. And nothing says anything else.

Where a word stands decides what it means. The button, the box, the heading, the form's name and its address say what a form
is for: there any word of another purpose is enough ("find my account", "search unsubscribe"). The rest of a search form may
well speak of other things, such as a link to e-mail alerts: there only words count that never belong to a search. The title
of the page counts only when the form itself says little: a shop may say "basket" above its search box.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hiddenweb.forms.submission import FREE_TEXT, URLENCODED
from hiddenweb.forms.vocabulary import (
    GO,
    OTHER_PURPOSES,
    PLAIN_PURPOSES,
    RUN_TOGETHER,
    SEARCH,
    STATE_CHANGES,
    identifier_words,
)
from hiddenweb.identity import normalised, registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.items import Field, Form

_BESIDE_A_BOX = frozenset(
    {"select", "radio", "checkbox", "hidden", "submit", "image", "button", "reset", "output"}
)
_PERSONAL_KINDS = {
    "password": "login", "email": "e-mail", "tel": "person", "file": "upload", "textarea": "message",
    "url": "address",
}  # fmt: skip
_PERSONAL_AUTOCOMPLETE = re.compile(
    r"\b(?:username|email|(?:new|current)-password|one-time-code|tel\b|cc-|(?:given|family|additional)-name|name\b|"
    r"nickname|street-address|address-|postal-code|bday|organization|country|sex\b|impp|transaction-)"
)
_COMMANDS = re.compile(
    r"_?(?:action|act|do|cmd|command|op|task|method|event|func|function|mode|m)", re.IGNORECASE
)
_BOX_NAMES = frozenset({
    "q", "query", "search", "keyword", "keywords", "kw", "searchterm", "searchterms", "searchtext", "searchquery",
    "searchword", "searchwords", "searchstring", "searchfor", "querytext", "suchbegriff", "suche", "recherche",
    "busqueda", "buscar", "ricerca", "szukaj", "poisk", "zoeken", "find",
})  # fmt: skip
_WEAK_BOX_NAMES = frozenset({
    "s", "k", "w", "p", "term", "terms", "text", "words", "word", "phrase", "wd", "key", "string", "sq", "qs",
})  # fmt: skip
_PAGE_NAMES = frozenset({"page", "p", "pg", "pageno", "pagenum", "seite", "pagina", "strona", "sayfa"})
_SHORTEST_BOX = 4  # what holds fewer characters takes a number or a code
_ENOUGH = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a form may be asked, what it is for, and why, for people to read."""

    ask: bool
    purpose: str
    why: tuple[str, ...]


def judge(form: Form, *, page_title: str = "", allow_post: bool = False) -> Verdict:
    """Say whether a form is a search that may be asked."""
    if other := _own_purpose(form):
        return Verdict(False, other[0], other[1:])
    evidence = list(_evidence(form, page_title))
    weight = sum(weight for weight, _ in evidence)
    reasons = tuple(reason for _, reason in evidence)
    if other := _purpose_of_surroundings(form, page_title, weight):
        return Verdict(False, other[0], other[1:])
    box = _only_box(form)
    if box is None or weight < _ENOUGH:
        return Verdict(
            False, "unknown", (_shape(form) if box is None else "nothing says that it searches", *reasons)
        )
    if refusal := _refusal(form, box, allow_post):
        return Verdict(False, "search", (refusal, *reasons))
    return Verdict(True, "search", ("it has one text box", *reasons))


def _evidence(form: Form, page_title: str) -> Iterator[tuple[int, str]]:
    """Yield what speaks for a search, with its weight; a strong sign is enough alone."""
    box = _only_box(form)
    if box is not None:
        yield from _evidence_of_box(box)
    buttons = " | ".join(_buttons(form))
    if word := SEARCH.word_in(buttons):
        yield 2, f"its button says {word!r}"
    elif word := GO.word_in(buttons):
        yield 1, f"its button says {word!r}"
    if word := SEARCH.word_in(identifier_words(form.names)):
        yield 2, f"its name says {word!r}"
    if word := SEARCH.word_in(identifier_words(_path_and_query(form.action))):
        yield 2, f"its address says {word!r}"
    if word := SEARCH.word_in(form.heading):
        yield 1, f"its heading says {word!r}"
    if word := SEARCH.word_in(page_title):
        yield 1, f"the page's title says {word!r}"


def _evidence_of_box(box: Field) -> Iterator[tuple[int, str]]:
    name = _bare(box.name.lower())
    if box.kind == "search":
        yield 2, "its box is made for searching"
    if name in _BOX_NAMES or SEARCH.word_in(identifier_words(box.name)):
        yield 2, f"its box is called {box.name}"
    elif name in _WEAK_BOX_NAMES:
        yield 1, f"its box is called {box.name}, as search boxes often are"
    if word := SEARCH.word_in(f"{box.label} | {box.placeholder}"):
        yield 2, f"its box says {word!r}"
    elif word := SEARCH.word_in(identifier_words(box.element_id)):
        yield 1, f"the id of its box says {word!r}"


def _own_purpose(form: Form) -> tuple[str, str] | None:
    """Return another purpose than searching, and where the form itself speaks of it."""
    return _purpose_of_controls(form) or _purpose_of_address(form) or _purpose_of_words(form)


def _purpose_of_controls(form: Form) -> tuple[str, str] | None:
    for field in _usable(form):
        if field.kind in _PERSONAL_KINDS:
            return _PERSONAL_KINDS[field.kind], f"it has a control of the type {field.kind}"
        if _PERSONAL_AUTOCOMPLETE.search(field.autocomplete.lower()):
            return "person", f"a control is filled in with {field.autocomplete!r}"
        name = identifier_words(field.name)
        if found := PLAIN_PURPOSES.find(name):
            return found[0], f"a control is called {field.name}"
        if part := RUN_TOGETHER.search(name.lower()):
            return part[0], f"a control is called {field.name}"
    return None


def _purpose_of_address(form: Form) -> tuple[str, str] | None:
    """Return what the address, or a field that names a command, says will be done."""
    said = [_path_and_query(form.action)]
    said += [
        field.value for field in form.fields if field.kind == "hidden" and _COMMANDS.fullmatch(field.name)
    ]
    for words in map(identifier_words, said):
        part = RUN_TOGETHER.search(words.lower())
        if word := STATE_CHANGES.word_in(words) or (part[0] if part else ""):
            return word, f"its address or its command says {word!r}"
    return None


def _purpose_of_words(form: Form) -> tuple[str, str] | None:
    for place, words in _own_words(form):
        found = PLAIN_PURPOSES.find(words) or OTHER_PURPOSES.find(words)
        if found:
            return found[0], f"its {place} says {found[1]!r}"
    return None


def _purpose_of_surroundings(form: Form, page_title: str, weight: int) -> tuple[str, str] | None:
    if found := PLAIN_PURPOSES.find(_text_without_options(form)):
        return found[0], f"it says {found[1]!r}"
    if weight < 2 * _ENOUGH and (found := PLAIN_PURPOSES.find(page_title) or OTHER_PURPOSES.find(page_title)):
        return found[0], f"the page's title says {found[1]!r}"
    return None


def _own_words(form: Form) -> Iterator[tuple[str, str]]:
    """Yield the places where a form says what it is for, and what they say."""
    for button in _buttons(form):
        yield "button", button
    for field in _usable(form):
        if field.kind in FREE_TEXT:
            yield "box", f"{field.label} | {field.placeholder}"
            yield "box", identifier_words(field.name)
            yield "box", identifier_words(field.element_id.removeprefix("edit-"))  # Drupal calls all so
    yield "heading", form.heading
    yield "name", identifier_words(form.names)


def _refusal(form: Form, box: Field, allow_post: bool) -> str:
    """Return why a search form is not asked, or nothing."""
    if form.method == "POST" and not allow_post:
        return "it is sent by POST, which is not allowed"
    if form.method not in ("GET", "POST") or (form.method == "POST" and form.enctype != URLENCODED):
        return f"it is sent by {form.method} as {form.enctype}"
    if not _stays_on_site(form):
        return f"it is sent to another site, {urlsplit(form.action).netloc or form.action}"
    if box.max_length is not None and box.max_length < _SHORTEST_BOX:
        return f"its box takes only {box.max_length} characters"
    if box.name.lower() in _PAGE_NAMES and box.value.isdigit():
        return "its box takes the number of a page"
    if missing := next((field for field in _usable(form) if _lacks_a_choice(field)), None):
        return f"{missing.label or missing.name} must be chosen"
    return ""


def _lacks_a_choice(field: Field) -> bool:
    """Say whether a select must be chosen and stands on nothing."""
    if field.kind != "select" or not field.required:
        return False
    standing = next((o for o in field.options if o.selected), field.options[0] if field.options else None)
    return standing is None or not standing.value


def _only_box(form: Form) -> Field | None:
    """Return the text box of a form that has one, and beside it nothing that must be filled in by hand."""
    boxes = [field for field in _usable(form) if field.kind in FREE_TEXT]
    if len(boxes) != 1 or not boxes[0].name:
        return None
    others = {field.kind for field in _usable(form)} - FREE_TEXT
    return boxes[0] if others <= _BESIDE_A_BOX else None


def _shape(form: Form) -> str:
    boxes = [field for field in _usable(form) if field.kind in FREE_TEXT]
    strange = sorted({field.kind for field in _usable(form)} - FREE_TEXT - _BESIDE_A_BOX)
    if strange:
        return f"it has controls of the types {', '.join(strange)}"
    return "its text box has no name" if len(boxes) == 1 else f"it has {len(boxes)} text boxes"


def _usable(form: Form) -> list[Field]:
    return [field for field in form.fields if not (field.disabled or field.readonly)]


def _buttons(form: Form) -> list[str]:
    """Return what the buttons say; a value without a label is what an input shows."""
    return [
        f"{field.label} | {field.value}"
        for field in form.fields
        if field.kind in ("submit", "image", "button")
    ]


def _text_without_options(form: Form) -> str:
    """Return the visible words, less the choices: a select of topics may offer anything."""
    text = form.text
    for field in form.fields:
        for option in field.options:
            text = text.replace(option.text, " ", 1) if option.text else text
    return text


def _path_and_query(url: str) -> str:
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}")


def _stays_on_site(form: Form) -> bool:
    """Say whether a form is sent to the site of its page, if to another host of it."""
    there = normalised(form.action)
    return there is not None and registered_domain(there) == registered_domain(form.page_url)


def _bare(name: str) -> str:
    return re.sub(r"[\W\d_]+", "", name)
