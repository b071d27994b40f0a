"""The features of a form: the evidence that the classifier weighs.

Words are read by their meaning. Every text of a form (button, box, name, address, heading ...) is looked up in the vocabularies, so
"button: search" holds for Search, Suche, 検索 and بحث alike, and what is learnt from forms in one language holds in the others. Names
made for machines are cut into words first, and searched for parts ("sitesearch"). Plain words are no features: in addition to the
meanings they gained nothing in cross-validation, and they hold in one language only.

The shape of a form is described by flags and by counts in steps: how many boxes, selects, passwords; which of them want an address or
a number. Some flags join two facts that mean more together: the only box of a form that says search, selects in one that sorts.

A feature is a short name such as `button: search` and counts as 1 if it holds. It is stored with the words that were found, to explain
a verdict.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from hiddenweb.forms.entry_list import FREE_TEXT
from hiddenweb.forms.explanations import OF_TYPE_SEARCH
from hiddenweb.forms.side_effects import path_and_query
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrase_matcher import PhraseMatcher
from hiddenweb.language.phrases import (
    DISPLAY,
    FORM_WORDS,
    GO,
    IDENTIFIERS,
    LITTLE_KNOWN_PURPOSES,
    OTHER_PURPOSES,
    PLAIN_PURPOSES,
    SEARCH,
    purposes_of_parts,
)
from hiddenweb.urls import host

if TYPE_CHECKING:
    from hiddenweb.model import Field, Form

MEANINGS = PhraseMatcher.combine(SEARCH, PLAIN_PURPOSES, OTHER_PURPOSES, LITTLE_KNOWN_PURPOSES, FORM_WORDS)
BUTTONS = frozenset({"submit", "image", "button"})
_PERSONAL = frozenset({"password", "email", "tel", "file", "textarea", "url"})
_NARROW = {
    "date": "date", "datetime-local": "date", "month": "date", "week": "date", "time": "date", "number": "number",
    "range": "number",
}  # kinds of boxes that older pages write as text boxes, and what they ask for  # fmt: skip

_NAMES = PhraseMatcher.combine(MEANINGS, IDENTIFIERS)
_MIN_JOINED_LETTERS = 6  # letters of a name that may join several words; a limit of taste
OTHER_THAN_SEARCH = frozenset(
    {
        "login", "registration", "account", "newsletter", "payment", "captcha", "deletion", "contact", "comment", "cart",
        "order", "booking", "poll", "upload", "report", "consent", "petition", "tracking", "coupon", "invitation",
        "change", "calculation", "forgotten", "password", "username", "e-mail", "donation",
        "choice of language or currency",
    }
)  # fmt: skip
_OWN_THINGS = frozenset(
    {"account", "forgotten", "tracking", "coupon", "order", "booking", "newsletter"}
)  # what visitors look up for themselves; no search over the content of a site
_OF_A_STAY = frozenset({"booking", "payment", "order"})
_OWN_PLACES = ("button", "box", "box name", "name", "address")
_LISTS = frozenset({"sorting", "paging"})
_WITH_COUNT = re.compile(r"[(（\[]\d+[)）\]]\s*$")  # Red (12)
_TAGS = re.compile(r"(?:^|(?<=\s))(?:body|html|main|table|section|form)\b")  # their names mean nothing
_MAX_WORDS = 80  # words of a form's text; a form around a whole page has thousands; a limit of taste
_MAX_CHARACTERS = 700  # characters of that text: about as many words; a limit of taste
_WORDS_OF_START = 8  # words that stand for a heading inside a form; a limit of taste
_MAX_OPTIONS = 6  # options of a select that are read for what it offers; a limit of taste
_WORD_STEPS = (0, 3, 10, 30, 100, 300)  # words of a form, in steps of about three times; a limit of taste
_MAX_COUNT, _MAX_VISIBLE = 3, 6
"""Higher counts of controls, of a kind and of all, have the same weight; limits of taste."""

_SHORT_BOX = 10  # characters that a short box takes at most; a limit of taste
_MIN_LENGTH_OF_LIST, _MAX_LENGTH_OF_LIST = 5, 100
"""Things on a page, as the first option of a select offers them; limits of taste."""

_MAX_DIGITS = 3  # digits of such a number
_MAX_TITLE = 200  # characters of the title of a page; a limit of taste
_MAX_CONTROLS = 60  # controls of a form that are described; a limit of taste


class FormFeatures(dict[str, str]):
    """The features that hold, each with the words that are its evidence (empty if there are none)."""


def describe_form(form: Form) -> FormFeatures:
    """Return the features of a form."""
    found = FormFeatures()
    controls = [field for field in form.fields if not field.disabled][:_MAX_CONTROLS]
    _describe_shape(found, form, controls)
    _describe_boxes(found, controls, form.source)
    _describe_choices(found, [field for field in controls if field.name])
    _describe_buttons(found, controls)
    _describe_names(found, form)
    _describe_surroundings(found, form)
    _join(found)
    return found


# The shape


def _describe_shape(found: FormFeatures, form: Form, controls: list[Field]) -> None:
    counts: dict[str, int] = {}
    for field in controls:
        group = _group(field, form.source)
        counts[group] = counts.get(group, 0) + 1
    for group, count in counts.items():
        found[f"{group}: {_step(count, _MAX_COUNT)}"] = str(count)
    for group in ("box", "select", "password", "button"):
        if group not in counts:
            found[f"{group}: 0"] = ""
    visible = sum(count for group, count in counts.items() if group not in ("hidden", "button"))
    found[f"controls: {_step(visible, _MAX_VISIBLE)}"] = str(visible)
    found[f"sent by {form.method}"] = ""
    if form.enctype == "multipart/form-data":
        found["sent as multipart"] = ""
    if form.source == "script":
        found[f"source: {form.source}"] = ""
    words = form.text.count(" ") + 1 if form.text else 0
    found[f"words: {_step_of_words(words)}"] = str(words)
    if form.action and host(form.action) != host(form.page_url):
        found["sent to another host"] = host(form.action)
    if any(field.required for field in controls):
        found["something is required"] = ""
    if any(field.multiple for field in controls):
        found["several may be chosen"] = ""


def _group(field: Field, source: str) -> str:
    kind = field.kind
    if kind in BUTTONS or kind == "reset":
        return "button"
    if not field.name and source != "script":
        return "control without a name"
    return "box" if kind in FREE_TEXT or kind in _NARROW else kind


def _step(count: int, most: int) -> str:
    return str(count) if count < most else f"{most}+"


def _step_of_words(words: int) -> str:
    for most in _WORD_STEPS:
        if words <= most:
            return f"<={most}"
    return "more"


# The controls


def _describe_boxes(found: FormFeatures, controls: list[Field], source: str) -> None:
    """Add what the boxes ask for; a box without a name is never sent, and asks for nothing."""
    boxes = [field for field in controls if _group(field, source) == "box"]
    for field in boxes:
        words, names = _meanings_of_box(field)
        _add_meanings(found, "box", words)
        if field.kind == "search":
            found.setdefault("box: search", OF_TYPE_SEARCH)
        if field.kind in _NARROW:
            found.setdefault(f"box: {_NARROW[field.kind]}", field.kind)
        _add_meanings(found, "box name", names)
        if field.max_length is not None and field.max_length <= _SHORT_BOX:
            found["short box"] = str(field.max_length)
        if field.value:
            found["filled box"] = ""
    if len(boxes) == 1:
        _add_meanings(found, "only box", meanings_of(boxes[0]) or {"nothing": ""})
    for field in controls:
        if field.kind in _PERSONAL:
            _add_meanings(found, field.kind, meanings_of(field))
    if any(field.kind == "email" or "e-mail" in meanings_of(field) for field in boxes) or any(
        field.kind == "email" for field in controls
    ):
        found["asks for e-mail"] = ""


def _meanings_of_box(field: Field) -> tuple[dict[str, str], dict[str, str]]:
    """Return what a box asks for by its labels and by its names; in a box for dates, check-in and checkout are dates."""
    words, names = meanings_of_words(field), meanings_of_names(field)
    if "date" in words or "date" in names or _NARROW.get(field.kind) == "date":
        return _drop_meanings(_OF_A_STAY, words), _drop_meanings(_OF_A_STAY, names)
    return words, names


def _drop_meanings(dropped: frozenset[str], meanings: dict[str, str]) -> dict[str, str]:
    return {meaning: word for meaning, word in meanings.items() if meaning not in dropped}


def _describe_choices(found: FormFeatures, controls: list[Field]) -> None:
    """Add what selects, checkboxes and radio buttons are about."""
    for field in controls:
        if field.kind == "select":
            meanings = meanings_of(field)
            offered = MEANINGS.find_all(" | ".join(option.text for option in field.options[:_MAX_OPTIONS]))
            _add_meanings(found, "select", meanings)
            _add_meanings(found, "option", offered)
            if arranges(field):
                found["select that arranges"] = field.name
            else:
                found["select that chooses"] = field.label or field.name
                found[f"options: {_step_of_words(len(field.options))}"] = str(len(field.options))
        elif field.kind in ("checkbox", "radio"):
            _add_meanings(found, "choice", meanings_of(field))
            if _WITH_COUNT.search(field.label):
                found["choice with a count"] = field.label
        elif field.kind == "hidden":
            _add_meanings(found, "hidden", meanings_of_name(field.name))


def arranges(field: Field) -> bool:
    """Say whether a select sorts a list, turns its pages or says how long they are."""
    offered = MEANINGS.find_all(" | ".join(option.text for option in field.options[:_MAX_OPTIONS]))
    return bool(_LISTS & meanings_of(field).keys()) or "sorting" in offered or _is_lengths(field)


def _is_lengths(field: Field) -> bool:
    """Say whether a select offers numbers of things on a page: 10, 20, 50, perhaps all."""
    numbers = [
        text
        for option in field.options
        if (text := option.text.strip()).isdecimal() and len(text) <= _MAX_DIGITS
    ]
    return (
        1 < len(numbers) >= len(field.options) - 1
        and _MIN_LENGTH_OF_LIST <= int(numbers[0]) <= _MAX_LENGTH_OF_LIST
    )


def _describe_buttons(found: FormFeatures, controls: list[Field]) -> None:
    for field in controls:
        if field.kind not in BUTTONS:
            continue
        words = f"{field.label} | {field.value}" if field.label != field.value else field.label
        _add_meanings(found, "button", MEANINGS.find_all(words))
        if word := GO.find_words(words):
            found["button: go"] = word
        if word := DISPLAY.find_words(words):
            found["button: display"] = word
        names = f"{split_identifier(field.name)} | {split_identifier(field.element_id)}"
        _add_meanings(found, "button name", _find_all_in_names(names))


def _describe_names(found: FormFeatures, form: Form) -> None:
    names = split_identifier(form.names)
    address = split_identifier(path_and_query(form.action))
    _add_meanings(found, "name", _find_all_in_names(names))
    _add_meanings(found, "address", _find_all_in_names(address))
    if re.search(r"\bsearch\b", f"{form.rel} {form.names}"):
        found["role of a search"] = ""


def _describe_surroundings(found: FormFeatures, form: Form) -> None:
    _add_meanings(found, "around", _find_all_in_names(split_identifier(_TAGS.sub(" ", form.around))))
    _add_meanings(found, "title", MEANINGS.find_all(form.page_title[:_MAX_TITLE]))
    words = form.text[:_MAX_CHARACTERS].split()
    start = MEANINGS.find_all(" ".join(words[:_WORDS_OF_START]))
    _add_meanings(
        found, "own thing", {meaning: word for meaning, word in start.items() if meaning in _OWN_THINGS}
    )
    _add_meanings(
        found, "text", MEANINGS.find_all(f"{form.aside} | {form.heading} | {' '.join(words[:_MAX_WORDS])}")
    )


# Facts that mean more together


def _join(found: FormFeatures) -> None:
    """Add what follows from several facts.

    A word for searching means a search over the content of a site only if the form does more than arrange a list, and looks for more
    than the user's own order or account.
    """
    shape, own_thing = _shape(found), _own_thing(found)
    of_content = shape != "arranging selects" and not own_thing
    says_search = sum(f"{place}: search" in found for place in _OWN_PLACES) if of_content else 0
    if of_content and "button: display" in found and "button: search" not in found and shape == "selects":
        says_search += 1  # "Show cars" searches if there is nothing but choices
    names = (name.partition(": ") for name in found)
    says_other = len(
        {place for place, _, what in names if place in _OWN_PLACES and what in OTHER_THAN_SEARCH}
    )
    found[f"places that say search: {_step(says_search, _MAX_COUNT)}"] = str(says_search)
    found[f"places that say something else: {_step(says_other, _MAX_COUNT)}"] = str(says_other)
    found[f"shape: {shape}"] = ""
    found[f"shape: {shape}, says {'search' if says_search else 'no search'}"] = ""
    if says_other:
        found[f"shape: {shape}, says something else"] = ""
    if "sent by GET" in found:
        found[f"shape: {shape}, by GET"] = ""
    if own_thing:
        found[f"shape: {shape}, for one's own thing"] = own_thing


def _own_thing(found: FormFeatures) -> str:
    """Return the word for something that visitors look up for themselves by typing it in, if there is one."""
    if "box: 0" in found:
        return ""
    names = (
        f"{place}: {thing}"
        for thing in sorted(_OWN_THINGS)
        for place in ("own thing", "box", "button", "only box")
    )
    return next((found[name] for name in names if name in found), "")


def _shape(found: FormFeatures) -> str:
    if any(f"{kind}: {count}" in found for kind in _PERSONAL for count in ("1", "2", "3+")):
        return "personal"
    if "asks for e-mail" in found:
        return "e-mail"
    chooses = "select that chooses" in found
    if "box: 1" in found:
        return "one box and selects" if chooses else "one box"
    if "box: 0" in found:
        if chooses:
            return "selects"
        if "select that arranges" in found:
            return "arranging selects"
        if any(f"{kind}: {n}" in found for kind in ("radio", "checkbox") for n in ("1", "2", "3+")):
            return "choices"
        return "buttons"
    return "boxes"


# Reading words and names


def meanings_of(field: Field) -> dict[str, str]:
    """Return what a control asks for, by its labels and its names."""
    meanings = meanings_of_words(field) | meanings_of_names(field)
    return meanings | {_NARROW[field.kind]: field.kind} if field.kind in _NARROW else meanings


def meanings_of_words(field: Field) -> dict[str, str]:
    """Return what a control asks for by its labels."""
    texts = [field.label]
    if field.placeholder and field.placeholder != field.label:
        texts.append(field.placeholder)
    if field.kind in FREE_TEXT and field.value and field.value != field.label and not field.value.isdigit():
        texts.append(field.value)  # older pages write a placeholder here
    return MEANINGS.find_all(" | ".join(texts))


def meanings_of_names(field: Field) -> dict[str, str]:
    """Return what a control asks for by its name and its id."""
    meanings = meanings_of_name(field.name)
    return meanings if field.element_id in ("", field.name) else meanings | meanings_of_name(field.element_id)


def meanings_of_name(name: str) -> dict[str, str]:
    """Return the meanings of a name made for machines, word by word."""
    return _meanings_of_words(split_identifier(name))


@lru_cache(maxsize=16_384)
def _meanings_of_words(words: str) -> dict[str, str]:
    return _find_all_in_names(words)


def _find_all_in_names(words: str) -> dict[str, str]:
    meanings = _NAMES.find_all(words)
    for word in words.split():
        if len(word) >= _MIN_JOINED_LETTERS:
            for meaning in purposes_of_parts(word.lower()):
                meanings.setdefault(meaning, word)
    return meanings


def _add_meanings(found: FormFeatures, place: str, meanings: dict[str, str]) -> None:
    for meaning, words in meanings.items():
        found.setdefault(f"{place}: {meaning}", words)
