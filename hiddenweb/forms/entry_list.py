"""What a form would send: the HTML standard's "constructing the entry list", on the forms that were read from pages.

A form is filled in first. A visitor can tick boxes, choose options and write into boxes that are neither disabled nor locked, and
nothing else. A value that a control cannot have (an invalid date, an option that is not offered) is refused with `UnreadableForm`.
Then the entries are made in the order of the tree: checked boxes, chosen options, sanitised text, hidden values, and the button that
was pressed, if any. Controls without a name send nothing, except that an image button sends the point where it was pressed; we send
its corner.

Where Chromium and the standard differ, we do as Chromium does, since sites are made for it: controls in a <datalist> are sent, an
empty `dirname` sends a direction without a name, a submit button sends its direction before its value, pressed or not, and a hidden
`_charset_` sends none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.forms.encodings import web_name
from hiddenweb.forms.sanitisation import sanitise
from hiddenweb.forms.wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.model import Field, Form, Option

Filled = Mapping[str, str | tuple[str, ...]]
"""What is filled in: by the name of a control its value, or the values of several controls or choices of one name."""

SUBMIT_KINDS = frozenset({"submit", "image"})
FREE_TEXT = frozenset({"", "text", "search"})

_BUTTONS = SUBMIT_KINDS | {"button", "reset"}
_TICKED = frozenset({"radio", "checkbox"})
_DATED = frozenset({"date", "month", "week", "time", "datetime-local"})
_LOCKABLE = FREE_TEXT | _DATED | {"tel", "url", "email", "password", "number", "textarea"}
_LIMITED = FREE_TEXT | {"tel", "url", "email", "password", "textarea"}
_BLOCKING = _LOCKABLE - {"textarea"}
_FILLABLE = _LOCKABLE | _TICKED | {"select", "range", "color"}
_UNSENT = frozenset({"object", "output", "fieldset"})
_NEWLINE = re.compile(r"\r\n?")
_MOST_CHOICES_NAMED = 10  # choices that a message names; a limit of taste


class UnreadableForm(ValueError):
    """A form that cannot be submitted as it is; the message says what was found."""


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A name and a value that a form sends; an empty file for a control for files."""

    name: str
    value: str
    is_file: bool = False


def entry_list(form: Form, filled: Filled | None = None, submitter: Field | None = None) -> list[FormEntry]:
    """Return what a form sends with some controls filled in, when a button is pressed or, without one, by a script."""
    pressed = _place_of(submitter, form) if submitter is not None else None
    return list(_entries(fill_in(form, filled or {}), pressed))


def fill_in(form: Form, filled: Filled) -> Form:
    """Return a form after a visitor has filled in some of its controls."""
    if not filled:
        return form
    fields = list(form.fields)
    for name, values in filled.items():
        _fill(form, fields, name, (values,) if isinstance(values, str) else values)
    return replace(form, fields=tuple(fields))


def default_button(form: Form) -> Field | None:
    """Return the button that Enter presses: the first that submits. If it is disabled, nothing happens."""
    return next((field for field in form.fields if field.kind in SUBMIT_KINDS), None)


def is_sent_by_enter(form: Form) -> bool:
    """Say whether pressing Enter in a box sends a form: by a button that is not disabled, or without a button if there is one box."""
    button = default_button(form)
    if button is not None:
        return not button.disabled
    return sum(field.kind in _BLOCKING for field in form.fields) <= 1


def text_box(form: Form) -> Field | None:
    """Return the only control of a form that takes free words, or None when there is none, or more than one."""
    boxes = [
        field
        for field in form.fields
        if field.kind in FREE_TEXT and field.name and not (field.disabled or field.readonly)
    ]
    return boxes[0] if len(boxes) == 1 else None


def name_of(form: Form) -> str:
    """Return where a form is, for messages."""
    return f"{form.page_url}: the form at place {form.place}"


def _place_of(submitter: Field, form: Form) -> int:
    if submitter not in form.fields or submitter.kind not in SUBMIT_KINDS:
        raise UnreadableForm(f"{name_of(form)} has no button {submitter.name!r} that submits it")
    if submitter.disabled:
        raise UnreadableForm(f"{name_of(form)} has a disabled button {submitter.name!r}: nothing is sent")
    return form.fields.index(submitter)


# Filling in


def _fill(form: Form, fields: list[Field], name: str, values: Sequence[str]) -> None:
    """Give each value to the first control of a name that accepts it; ticks and choices of that name are cleared first."""
    places = [place for place, field in enumerate(fields) if field.name == name and _can_be_filled(field)]
    if not places:
        raise UnreadableForm(f"{name_of(form)} has {_why_not(form, name)}")
    for place in places:
        fields[place] = _clear(fields[place])
    free = sorted(places, key=lambda place: not _is_choice(fields[place]))
    for value in values:
        accepting = next((place for place in free if _accepts(fields[place], value)), None)
        if accepting is None:
            raise UnreadableForm(f"{name_of(form)} takes no {value!r} in {name!r}{_choices(fields, places)}")
        field = fields[accepting] = _set_value(fields[accepting], value)
        if field.kind == "radio":
            free = [place for place in free if fields[place].kind != "radio"]
        elif not (field.kind == "select" and field.multiple):
            free.remove(accepting)


def _can_be_filled(field: Field) -> bool:
    is_locked = field.readonly and field.kind in _LOCKABLE
    return field.kind in _FILLABLE and not (field.disabled or is_locked)


def _why_not(form: Form, name: str) -> str:
    found = next((field for field in form.fields if field.name == name), None)
    if found is None:
        return f"no control named {name!r}"
    state = "disabled" if found.disabled else "locked" if found.readonly else found.kind
    return f"nothing to fill in named {name!r}: it is {state}"


def _is_choice(field: Field) -> bool:
    return field.kind in _TICKED or field.kind == "select"


def _clear(field: Field) -> Field:
    if field.kind in _TICKED and field.checked:
        return replace(field, checked=False)
    if field.kind == "select" and field.multiple:
        return replace(field, options=tuple(_select(option, False) for option in field.options))
    return field


def _accepts(field: Field, value: str) -> bool:
    if field.kind in _TICKED:
        return field.value == value
    if field.kind == "select":
        return _option_with(field, value) is not None
    return not value or field.kind in _LIMITED or _survives(field, value)


def _survives(field: Field, value: str) -> bool:
    """Say whether a control keeps a number, a date, a range or a colour as it was given."""
    sanitised = sanitise(field, value)
    if field.kind in ("range", "color"):
        return sanitised == value.strip().lower()
    return bool(sanitised)


def _option_with(select: Field, value: str) -> int | None:
    """Return the place of an option that may be chosen and has not been."""
    matching = (place for place, option in enumerate(select.options) if option.value == value)
    free = (
        p
        for p in matching
        if not (select.options[p].disabled or (select.multiple and select.options[p].selected))
    )
    return next(free, None)


def _set_value(field: Field, value: str) -> Field:
    """Return a control with a value in it, or ticked."""
    if field.kind in _TICKED:
        return replace(field, checked=True)
    if field.kind != "select":
        return replace(field, value=sanitise(field, _cut(field, value)))
    chosen = _option_with(field, value)
    options = tuple(
        _select(option, place == chosen or (field.multiple and option.selected))
        for place, option in enumerate(field.options)
    )
    return replace(field, options=options, value=value)


def _select(option: Option, selected: bool) -> Option:
    return option if option.selected is selected else replace(option, selected=selected)


def _cut(field: Field, value: str) -> str:
    """Return as much of a value as a box accepts; its length is counted in units of UTF-16, a line break as one."""
    value = _NEWLINE.sub("\n", value) if field.kind == "textarea" else value
    if field.max_length is None or field.kind not in _LIMITED or len(value) * 2 <= field.max_length:
        return value
    return value.encode("utf-16-le", "replace")[: 2 * field.max_length].decode("utf-16-le", "ignore")


def _choices(fields: list[Field], places: list[int]) -> str:
    """Return the values that would be accepted, for messages."""
    offered: list[str] = []
    for field in (fields[place] for place in places):
        if field.kind in _TICKED:
            offered.append(field.value)
        offered += [option.value for option in field.options if not option.disabled]
    if not offered:
        return f", which is {fields[places[0]].kind or 'text'}" if len(places) == 1 else ""
    more = ", ..." if len(offered) > _MOST_CHOICES_NAMED else ""
    return f", only {', '.join(map(repr, offered[:_MOST_CHOICES_NAMED]))}{more}"


# Entries


def _entries(form: Form, pressed: int | None) -> Iterator[FormEntry]:
    """Yield names and values in the order of the controls."""
    last_checked = {
        field.name: place
        for place, field in enumerate(form.fields)
        if field.kind == "radio" and field.checked and field.name
    }
    for place, field in enumerate(form.fields):
        if field.disabled:
            continue
        if field.kind in _BUTTONS and place != pressed:
            if field.kind == "submit" and field.name and field.dirname is not None:
                yield FormEntry(field.dirname, _direction(field, field.value))
            continue
        if field.kind == "image":
            prefix = f"{field.name}." if field.name else ""
            yield from (FormEntry(prefix + axis, "0") for axis in "xy")
        elif not field.name or field.kind in _UNSENT:
            continue
        elif field.kind == "select":
            yield from (FormEntry(field.name, value) for value in _selected_values(field))
        elif field.kind == "radio":
            if last_checked.get(field.name) == place:
                yield FormEntry(field.name, field.value)
        elif field.kind == "checkbox":
            if field.checked:
                yield FormEntry(field.name, field.value)
        else:
            yield from _entries_of_value(field, form.charset)


def _selected_values(select: Field) -> list[str]:
    """Return the values a select sends. A disabled option may be shown as chosen, and is not sent."""
    selected = [option for option in select.options if option.selected]
    if not select.multiple:
        first = next((option for option in select.options if not option.disabled), None)
        shows_one = select.size <= 1
        selected = selected[-1:] or ([first] if first and shows_one else [])
    return [option.value for option in selected if not option.disabled]


def _entries_of_value(field: Field, charset: str) -> Iterator[FormEntry]:
    """Yield the value of a control with a text, and the writing direction if it is sent."""
    value = field.value
    if field.kind == "file":
        yield FormEntry(field.name, "", is_file=True)
        return
    if names_charset := field.kind == "hidden" and field.name.lower() == "_charset_":
        value = web_name(charset)
    elif field.kind == "textarea":
        value = _NEWLINE.sub("\n", value)
        value = wrap_text(value, field.wrap) if field.wrap else value
    elif field.kind not in ("hidden", "submit"):
        value = sanitise(field)
    entries = [FormEntry(field.name, value)]
    if field.dirname is not None and not names_charset:
        place = 0 if field.kind == "submit" else 1
        entries.insert(place, FormEntry(field.dirname, _direction(field, value)))
    yield from entries


def _direction(field: Field, value: str) -> str:
    if field.direction != "auto":
        return field.direction
    from hiddenweb.html.forms import direction_of  # noqa: PLC0415  loaded when it is used: reading a page is more than a stored form needs

    return direction_of(value)
