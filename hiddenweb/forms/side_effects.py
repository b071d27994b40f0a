"""What a form makes its server do: by its address, and by the values it sends in addition to what people fill in.

`/newsletter/subscribe` and a hidden `action=delete` say more than any word on the page. So we read the address to which the form is sent
and every value that it sends by itself: hidden values, the value of the pressed button, selected options. One word for an action that
changes something is enough. Values of several words are texts, not commands. Some names are harmless everywhere: `order` sorts.

An unknown command counts as an action, unless everything else says that the form searches (`trusted`); then only known actions do. In the
same way, only the worst words count in an address that is also the address of the page.
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
"""Names of controls whose values choose what a server does: these must not name an action."""

_DELETE = PhraseMatcher.from_lexicon("deeds.deletion")
_PROCESSING = PhraseMatcher.from_lexicon("deeds.processing")
_ACTIONS = PhraseMatcher.from_lexicon("deeds.commands")
"""Commands that neither search nor show; in an address many of these words mean something else."""

_SETTINGS = re.compile(
    r"cookie|currency|account|email|reset|apply|flag|block|contact|comment|clear_filt|update|edit|orders",
    re.IGNORECASE,
)
"""Names of actions that are often names of settings."""

_SENDING = re.compile(r"(?:send|enviar|senden|envoyer|invia|submit|wyslij|otpravit)\b", re.IGNORECASE)
"""Words for sending a form, which do not say what it does: `send_recherche` sends a search."""

_PARTS = re.compile(r"[/?&=;\s]+")
_PARAMETER = re.compile(r"([^/?&=;\s]+)=([^/?&=;\s]+)")
_SWITCHES = frozenset({"1", "true", "yes", "on", "y", "t", "now"})
_MAX_WORDS = 3  # words of a command ("empty the cart"); a limit of taste
_MAX_COMMAND = 40  # characters of a command; a limit of taste
_MAX_OPTIONS = 50  # options of a select that are read for commands; a limit of taste


def path_and_query(url: str) -> str:
    """Return an address without its host, unescaped."""
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}")


def find_side_effects(form: Form, button: Field | None, *, trusted: bool = False) -> Iterator[str]:
    """Yield in words what sending a form by a button would do besides searching."""
    if word := _find_action_in_address(form, button, trusted):
        yield f"its address says {word!r}"
    for field in form.fields:
        if not field.disabled and (
            word := _find_action_in_control(field, is_pressed=field is button, trusted=trusted)
        ):
            yield f"it also sends {field.name!r}, which says {word!r}"
    if word := _find_deletion_in_choices(form):
        yield f"it lets people choose {word!r}"


def _find_action_in_address(form: Form, button: Field | None, trusted: bool) -> str:
    """Return a word for an action in the address; in the address of the page itself, which was already requested, only the worst."""
    address = form.template or resolve_button(form, button).action
    text = path_and_query(address)
    may_be_requested = resolve_button(form, button).method == "GET" or trusted
    is_own = may_be_requested and urlsplit(address).path == urlsplit(form.page_url).path
    if not is_own or form.template:
        word = find_action(text)
        is_a_list = word.startswith("register") and SEARCH.find_words(split_identifier(text))
        return "" if is_a_list else word
    found = PLAIN_PURPOSES.find(split_identifier(text))
    return found[1] if found and found[0] in ("deletion", "newsletter") else ""


def find_action(text: str) -> str:
    """Return a word for an action in a text made for machines, or "".

    A parameter with the name of a setting is a setting (`flag=all`), unless it is only switched on (`flag=1`).
    """
    text = _PARAMETER.sub(_drop_setting, text)
    return next(filter(None, map(_find_action_in_part, _PARTS.split(text))), "")


def _drop_setting(parameter: re.Match[str]) -> str:
    is_setting = _SETTINGS.fullmatch(parameter[1]) and parameter[2].lower() not in _SWITCHES
    return parameter[2] if is_setting else parameter[0]


def _find_action_in_part(part: str) -> str:
    """Return a word for an action in one step of a path, or in one value; next to a word for searching only plain words count."""
    words = split_identifier(part)
    if SEARCH.find_words(words):
        return PLAIN_PURPOSES.find_words(words)
    return STATE_CHANGES.find_words(words) or find_change_in_name(words)


def _find_action_in_control(field: Field, *, is_pressed: bool, trusted: bool) -> str:
    """Return the words for an action, or what may be one, in the value that a control sends by itself."""
    if field.kind == "hidden" or is_pressed:
        if is_pressed and trusted and SEARCH.find_words(field.value):
            return PLAIN_PURPOSES.find_words(f"{split_identifier(field.name)} | {field.value}")
        return _find_action_in_value(field.name, field.value, trusted)
    if field.kind == "select":
        chosen = next((option for option in field.options if option.selected), None)
        return _find_action_in_value(field.name, chosen.value, trusted) if chosen is not None else ""
    if field.kind in ("radio", "checkbox") and field.checked:
        return _find_action_in_value(field.name, field.value, trusted)
    return ""


def _find_action_in_value(name: str, value: str, trusted: bool) -> str:
    words = split_identifier(value)
    if not name or len(value) > _MAX_COMMAND or words.count(" ") >= _MAX_WORDS:
        return ""
    if _COMMANDS.fullmatch(name):
        return PLAIN_PURPOSES.find_words(words) or (
            _find_action_in_command(value) if trusted else _unknown_command(words)
        )
    if word := find_action(value) if _STEERING.fullmatch(name) else PLAIN_PURPOSES.find_words(words):
        return word
    return _find_action_in_name(name, trusted) if value and not SEARCH.find_words(words) else ""


def _find_action_in_command(value: str) -> str:
    """Return a word for an action in a command, unless it has a word for searching."""
    words = split_identifier(value)
    return find_action(value) or ("" if SEARCH.find_words(words) else _ACTIONS.find_words(words))


def _unknown_command(words: str) -> str:
    """Return the unknown words of a command, unless it searches."""
    if SEARCH.find_words(words):
        return ""
    known = (GO, DISPLAY, HARMLESS, _PROCESSING)
    return " ".join(
        word for word in words.split() if not any(vocabulary.find_words(word) for vocabulary in known)
    )


def _find_action_in_name(name: str, trusted: bool) -> str:
    """Return the action that a control is named after, as in `save_search`, unless it is a setting.

    A form that is trusted may have a control that says that it was sent.
    """
    words = split_identifier(name)
    is_setting = _SETTINGS.search(name) or (_SENDING.match(words) and (trusted or SEARCH.find_words(words)))
    return "" if is_setting else STATE_CHANGES.find_words(words.partition(" ")[0])


def _find_deletion_in_choices(form: Form) -> str:
    """Return a word for deleting among the options: we choose options, and must not choose this one."""
    offered = (
        option.text
        for field in form.fields
        if field.kind == "select" and not field.disabled
        for option in field.options[:_MAX_OPTIONS]
    )
    return next(
        (word for text in offered if (word := _DELETE.find_words(text)) and word == fold(text).strip()), ""
    )
