"""What a form tells its server to do: by its address, and by what it sends whatever people fill in.

`/newsletter/subscribe` and a hidden `action=delete` say more than any word on the page. So the address by which the form is sent is read,
and every value that goes along unasked: hidden ones, what the pressed button sends, what a list or a choice stands on. One
word for a deed is enough. Values of several words are texts, not commands. Some names are harmless all over the world: `order` sorts.

A command that is not understood counts as a deed, unless all else says that the form searches (`vouched`); then only what is
known as one does. The same holds for what a search on a page of another purpose says by that page's address.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from hiddenweb.forms.submission import resolve_button
from hiddenweb.language.folding import fold
from hiddenweb.language.identifiers import split_identifier
from hiddenweb.language.phrase_matcher import PhraseMatcher
from hiddenweb.language.phrases import (
    DISPLAY,
    GO,
    HARMLESS,
    PLAIN_PURPOSES,
    SEARCH,
    STATE_CHANGES,
    find_change_in_name,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.model import Field, Form

_COMMANDS = re.compile(
    r"_?(?:action|act|do|cmd|command|op|oper|operation|task|event|func|function|intent|accion|aktion|azione|acao)(?:_?type)?",
    re.IGNORECASE,
)
"""Names of controls whose values are commands: these have to be understood."""

_STEERING = re.compile(
    r"_?(?:method|mode|m|page|view|route|screen|step|type|kind|form_?id|controller|fuseaction)", re.IGNORECASE
)
"""Names of controls whose values choose what a server does: these must not speak of a deed."""

_DELETE = PhraseMatcher.from_lexicon("deeds.deletion")
_PROCESSING = PhraseMatcher.from_lexicon("deeds.processing")
_DEEDS = PhraseMatcher.from_lexicon("deeds.commands")
"""What a command does that neither searches nor shows; in an address many of these words mean something else."""

_SETTINGS = re.compile(
    r"cookie|currency|account|email|reset|apply|flag|block|contact|comment|clear_filt|update|edit|orders",
    re.IGNORECASE,
)
"""Names that speak of a deed, and are often those of settings."""

_SENDING = re.compile(r"(?:send|enviar|senden|envoyer|invia|submit|wyslij|otpravit)\b", re.IGNORECASE)
"""Words for sending a form, whatever it does: `send_recherche` sends a search."""

_PARTS = re.compile(r"[/?&=;\s]+")
_PARAMETER = re.compile(r"([^/?&=;\s]+)=([^/?&=;\s]+)")
_SWITCHES = frozenset({"1", "true", "yes", "on", "y", "t", "now"})
_MAX_WORDS = 3  # words of a command ("empty the cart"); a limit of taste
_MAX_COMMAND = 40  # characters of a command; a limit of taste
_MAX_OPTIONS = 50  # options of a select that are read for commands; a limit of taste


def path_and_query(url: str) -> str:
    """Return what an address says after its host."""
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}")


def find_deeds(form: Form, button: Field | None, *, vouched: bool = False) -> Iterator[str]:
    """Yield in words what sending a form by a button would do beside searching."""
    if word := _find_deed_of_address(form, button, vouched):
        yield f"its address says {word!r}"
    for field in form.fields:
        if not field.disabled and (
            word := _find_deed_of_control(field, is_pressed=field is button, vouched=vouched)
        ):
            yield f"it sends {field.name!r} along, which says {word!r}"
    if word := _find_deletion_in_choices(form):
        yield f"it lets people choose {word!r}"


def _find_deed_of_address(form: Form, button: Field | None, vouched: bool) -> str:
    """Return a word for a deed in the address; in that of the page itself, which was requested before, only the worst."""
    address = form.template or resolve_button(form, button).action
    said = path_and_query(address)
    is_asked_for = resolve_button(form, button).method == "GET" or vouched
    is_own = is_asked_for and urlsplit(address).path == urlsplit(form.page_url).path
    if not is_own or form.template:
        word = find_deed(said)
        is_a_list = word.startswith("register") and SEARCH.find_words(split_identifier(said))
        return "" if is_a_list else word
    found = PLAIN_PURPOSES.find(split_identifier(said))
    return found[1] if found and found[0] in ("deletion", "newsletter") else ""


def find_deed(text: str) -> str:
    """Return a word for a deed in a text made for machines, or nothing.

    A parameter that is called as a setting is one, unless it is only switched on: `flag=all`, but `flag=1`.
    """
    text = _PARAMETER.sub(_drop_setting, text)
    return next(filter(None, map(_find_deed_in_part, _PARTS.split(text))), "")


def _drop_setting(parameter: re.Match[str]) -> str:
    is_setting = _SETTINGS.fullmatch(parameter[1]) and parameter[2].lower() not in _SWITCHES
    return parameter[2] if is_setting else parameter[0]


def _find_deed_in_part(part: str) -> str:
    """Return a word for a deed in one step of a path, or one value; what says search has to be plain about it."""
    words = split_identifier(part)
    if SEARCH.find_words(words):
        return PLAIN_PURPOSES.find_words(words)
    return STATE_CHANGES.find_words(words) or find_change_in_name(words)


def _find_deed_of_control(field: Field, *, is_pressed: bool, vouched: bool) -> str:
    """Return the words for a deed that a control sends which nobody filled in, or for what may be one."""
    if field.kind == "hidden" or is_pressed:
        if is_pressed and vouched and SEARCH.find_words(field.value):
            return PLAIN_PURPOSES.find_words(f"{split_identifier(field.name)} | {field.value}")
        return _find_deed_in_value(field.name, field.value, vouched)
    if field.kind == "select":
        chosen = next((option for option in field.options if option.selected), None)
        return _find_deed_in_value(field.name, chosen.value, vouched) if chosen is not None else ""
    if field.kind in ("radio", "checkbox") and field.checked:
        return _find_deed_in_value(field.name, field.value, vouched)
    return ""


def _find_deed_in_value(name: str, value: str, vouched: bool) -> str:
    words = split_identifier(value)
    if not name or len(value) > _MAX_COMMAND or words.count(" ") >= _MAX_WORDS:
        return ""
    if _COMMANDS.fullmatch(name):
        return PLAIN_PURPOSES.find_words(words) or (
            _find_deed_in_command(value) if vouched else _unknown_command(words)
        )
    if word := find_deed(value) if _STEERING.fullmatch(name) else PLAIN_PURPOSES.find_words(words):
        return word
    return _find_deed_in_name(name, vouched) if value and not SEARCH.find_words(words) else ""


def _find_deed_in_command(value: str) -> str:
    """Return a word for a deed in a command, unless it speaks of searching."""
    words = split_identifier(value)
    return find_deed(value) or ("" if SEARCH.find_words(words) else _DEEDS.find_words(words))


def _unknown_command(words: str) -> str:
    """Return what a command says if that is neither searching nor showing."""
    if SEARCH.find_words(words):
        return ""
    known = (GO, DISPLAY, HARMLESS, _PROCESSING)
    return " ".join(
        word for word in words.split() if not any(vocabulary.find_words(word) for vocabulary in known)
    )


def _find_deed_in_name(name: str, vouched: bool) -> str:
    """Return the deed that a control is named after, as in `save_search`; many settings are called like one.

    A form that is vouched for may say to its server that it was sent.
    """
    words = split_identifier(name)
    is_setting = _SETTINGS.search(name) or (_SENDING.match(words) and (vouched or SEARCH.find_words(words)))
    return "" if is_setting else STATE_CHANGES.find_words(words.partition(" ")[0])


def _find_deletion_in_choices(form: Form) -> str:
    """Return a word for deleting among the choices: a form may be submitted by its choices, and that is nothing to choose."""
    offered = (
        option.text
        for field in form.fields
        if field.kind == "select" and not field.disabled
        for option in field.options[:_MAX_OPTIONS]
    )
    return next(
        (word for text in offered if (word := _DELETE.find_words(text)) and word == fold(text).strip()), ""
    )
