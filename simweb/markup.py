"""Writes forms as HTML, in the ways the web writes them: tidy, in tables, without labels, misnested.

All ways are readable by a browser; the tests submit each of them with a real one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from simweb.escaping import escape
from simweb.look import random_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from simweb.forms import Field, Form, Option
    from simweb.look import Skin

_KINDS = {"text": "text", "search": "search", "date": "date", "number": "number", "password": "password",
          "email": "email", "tel": "tel", "file": "file"}  # fmt: skip
_DO_POST_BACK = (
    "<script>function __doPostBack(t,a){var f=document.forms[0];"
    "f.__EVENTTARGET.value=t;f.__EVENTARGUMENT.value=a;f.submit();}</script>"
)


def form_html(form: Form, skin: Skin, given: Mapping[str, str], request: int) -> str:
    """Return a form in the dialect of a site; `given` keeps what a visitor has typed, `request` renews random ids."""
    if form.markup:
        return form.markup
    writer = _Writer(form, skin, given, request)
    match form.style:
        case "formless":
            return writer.formless()
        case "outside":
            return writer.outside()
        case "aspnet":
            return writer.controls() + _DO_POST_BACK
        case _:
            return writer.plain()


def opens_page(form: Form, skin: Skin) -> str:
    """Return the start tag of a form that goes round the whole page."""
    return _start(form, skin, "aspnetForm")


def hidden_inputs(parameters: list[tuple[str, str]]) -> str:
    """Return hidden controls that repeat a submission, for paging by form."""
    return "".join(f'<input type="hidden" name="{escape(n)}" value="{escape(v)}">' for n, v in parameters)


class _Writer:
    def __init__(self, form: Form, skin: Skin, given: Mapping[str, str], request: int) -> None:
        self.form = form
        self.skin = skin
        self.given = given
        self.request = request

    def plain(self) -> str:
        start, end = _start(self.form, self.skin, self._id("form")), "</form>"
        match self.form.labelling:
            case "cells":
                rows = "".join(f"<tr>{row}</tr>" for row in map(self._cells, self._show()))
                return f"{start}{self._hidden()}<table>{rows}<tr><td></td><td>{self._button()}</td></tr></table>{end}"
            case "broken":
                rows = "".join(f"<tr>{row}" for row in map(self._cells, self._show()))
                return f"<table>{start}{rows}<tr><td colspan=2>{self._hidden()}{self._button()}{end}</table>"
            case _:
                return start + self.controls() + end

    def controls(self) -> str:
        return self._hidden() + "".join(map(self._label, self._show())) + self._button()

    def outside(self) -> str:
        name = self._id("form")
        owner = f" form={self.skin.attribute(name)}"
        controls = "".join(self._label(field, owner) for field in self._show())
        start = _start(self.form, self.skin, name)
        return f'{controls}<p>{start}{self._hidden()}</form></p><button type="submit"{owner}>{escape(self.form.button)}</button>'

    def formless(self) -> str:
        box = self.form.fields[0]
        name = self._id(box.name)
        address = f"'{escape(self.form.action)}?{escape(box.name)}='+encodeURIComponent(document.getElementById('{name}').value)"
        return (
            f'<div role="search"><input type="search" id="{name}" aria-label="{escape(box.label)}" '
            f'placeholder="{escape(box.label)}"><button type="button" onclick="location.href={address}">'
            f"{escape(self.form.button)}</button></div>"
        )

    def _show(self) -> list[Field]:
        return [field for field in self.form.fields if field.control != "hidden"]

    def _hidden(self) -> str:
        hidden = (field for field in self.form.fields if field.control == "hidden")
        return hidden_inputs([(field.name, field.value) for field in hidden])

    def _label(self, field: Field, extra: str = "") -> str:
        label = escape(field.label)
        if field.control in ("radio", "checkboxes"):
            return f"<fieldset><legend>{label}</legend>{self._control(field, extra)}</fieldset>"
        if field.control == "checkbox":
            return f"<label>{self._control(field, extra)} {label}</label>"
        match self.form.labelling:
            case "for":
                name = self._id(field.name)
                labelled = f'<label for="{escape(name)}">{label}</label> '
                return self.skin.wrap("row", labelled + self._control(field, f' id="{escape(name)}"{extra}'))
            case "wrapped":
                return self.skin.wrap("row", f"<label>{label} {self._control(field, extra)}</label>")
            case "placeholder":
                return self._control(field, f' placeholder="{label}"{extra}')
            case "aria":
                return self._control(field, f' aria-label="{label}"{extra}')
            case "title":
                return self._control(field, f' title="{label}"{extra}')
            case _:
                return f"{label}: {self._control(field, extra)}<br>"

    def _cells(self, field: Field) -> str:
        return f"<td>{escape(field.label)}</td><td>{self._control(field, '')}</td>"

    def _control(self, field: Field, extra: str) -> str:
        name = self.skin.attribute(field.name)
        value = self.given.get(field.name, field.value)
        required = " required" if field.required and self.form.labelling in ("for", "aria") else ""
        match field.control:
            case "select" | "multiple":
                many = " multiple" if field.control == "multiple" else ""
                return f"<select name={name}{many}{extra}{required}>{self._options(field, value)}</select>{self._script(field)}"
            case "radio" | "checkboxes":
                return "".join(self._choice(field, option, value) for option in field.options)
            case "checkbox":
                return f'<input type="checkbox" name={name} value="{escape(value)}"{extra}>'
            case "textarea":
                return f"<textarea name={name}{extra}{required}>{escape(value)}</textarea>"
            case _:
                typed = f' value="{escape(value)}"' if value else ""
                return f'<input type="{_KINDS[field.control]}" name={name}{typed}{extra}{required}>'

    def _options(self, field: Field, chosen: str) -> str:
        return "".join(
            f'<option value="{escape(option.value)}"{self._parent(option)}'
            f"{' selected' if option.value == chosen and chosen else ''}>{escape(option.label)}</option>"
            for option in field.options
        )

    def _choice(self, field: Field, option: Option, chosen: str) -> str:
        kind = "radio" if field.control == "radio" else "checkbox"
        checked = " checked" if option.value == chosen and (chosen or kind == "radio") else ""
        return (
            f'<label><input type="{kind}" name={self.skin.attribute(field.name)} value="{escape(option.value)}"'
            f"{checked}> {escape(option.label)}</label> "
        )

    def _parent(self, option: Option) -> str:
        return f' data-parent="{escape(option.parent)}"' if option.parent else ""

    def _script(self, field: Field) -> str:
        """Narrow a dependent select by the one before it, as such pages do."""
        if not any(option.parent for option in field.options):
            return ""
        parent = self.form.fields[0].name
        return (
            f"<script>(function(){{var p=document.getElementsByName({parent!r})[0],"
            f"c=document.getElementsByName({field.name!r})[0],all=[].slice.call(c.options);"
            "p.onchange=function(){c.options.length=0;all.forEach(function(o){"
            "if(!o.dataset.parent||o.dataset.parent==p.value)c.add(o);});c.selectedIndex=0;};})();</script>"
        )

    def _button(self) -> str:
        label = escape(self.form.button)
        name = f' name="{escape(self.form.button_name)}"' if self.form.button_name else ""
        if len(self.form.key) % 2 or name:
            return f'<input type="submit"{name} value="{label}">'
        return f"<button>{label}</button>"

    def _id(self, stem: str) -> str:
        plain = "".join(c if c.isalnum() else "_" for c in stem)
        return random_id(self.skin, plain, self.form.key, self.request)


def _start(form: Form, skin: Skin, name: str) -> str:
    parts = [f" id={skin.attribute(name)}", f" action={skin.attribute(form.action)}"]
    if form.method == "post" or skin.look.upper_case:
        parts.append(f' method="{form.method}"')
    if form.multipart:
        parts.append(' enctype="multipart/form-data"')
    if form.accept_charset:
        parts.append(f' accept-charset="{form.accept_charset}"')
    return skin.tag("form", "".join(parts))
