"""The forms of a page: which controls belong to which, and what stands in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from hiddenweb import identity
from hiddenweb.items import Field, Form, Option
from hiddenweb.page.addresses import resolver
from hiddenweb.page.charsets import encoding
from hiddenweb.page.harmless import RAW_TEXT, TOKEN
from hiddenweb.page.labels import Labels
from hiddenweb.page.tags import OPTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

    from hiddenweb.page.walk import Attributes, Control, OpenForm, Walk

_INPUT_TYPES = frozenset(
    [
        "button",
        "checkbox",
        "color",
        "date",
        "datetime-local",
        "email",
        "file",
        "hidden",
        "image",
        "month",
        "number",
        "password",
        "radio",
        "range",
        "reset",
        "search",
        "submit",
        "tel",
        "text",
        "time",
        "url",
        "week",
    ]
)
_ENCTYPES = frozenset({"application/x-www-form-urlencoded", "multipart/form-data", "text/plain"})
_PARSED_AS_CONTROL = frozenset({b"input", b"select", b"textarea", b"button"})


def forms_of(walk: Walk, flat: str) -> Iterator[Form]:
    """Return the forms of a page with their controls, whether these stand inside or are tied to them."""
    if not walk.forms:
        return
    owned = _controls_by_form(walk)
    labels = Labels(walk, flat)
    for place, form in enumerate(walk.forms):
        yield _form(
            walk, flat, place, form, [_field(control, labels, walk) for control in owned[place]], owned[place]
        )


def _form(
    walk: Walk, flat: str, place: int, form: OpenForm, fields: list[Field], controls: list[Control]
) -> Form:
    attributes, span, heading = form
    end = max([span.end, *(control.span.end for control in controls if span.start == span.end)])
    action = (attributes.get("action") or "").strip()
    method = (attributes.get("method") or "get").strip().upper()
    enctype = (attributes.get("enctype") or "").strip().lower()
    words = [flat[span.start : end], *(f.label for f in fields if f.kind in ("submit", "image") and f.label)]
    named = (attributes.get(name) for name in ("id", "name", "class", "role", "aria-label"))
    return Form(
        page_url=walk.url,
        action=(resolver(walk.base, walk.charset)(action) or action)
        if action
        else identity.normalised(walk.url) or walk.url,
        method=method if method in ("POST", "DIALOG") else "GET",
        fields=tuple(fields),
        enctype=enctype if enctype in _ENCTYPES else "application/x-www-form-urlencoded",
        charset=_charset_of_form(attributes, walk.charset),
        text=" ".join(" ".join(words).split()),
        heading=" ".join(flat[heading.start : heading.end].split()) if heading else "",
        names=" ".join(name for name in named if name),
        place=place,
    )


def _charset_of_form(attributes: Attributes, charset: str) -> str:
    labels = re.split(r"[\s,]+", attributes.get("accept-charset") or "")
    known = next(filter(None, map(encoding, filter(None, labels))), None)
    name = known[0] if known else charset
    return "utf-8" if name.startswith("utf-16") else name


def _controls_by_form(walk: Walk) -> dict[int, list[Control]]:
    """Return the controls of each form: by `form=`, by the form around them, or as the parser of a browser ties them."""
    by_id: dict[str, int] = {}
    for place, form in enumerate(walk.forms):
        by_id.setdefault(form.attributes.get("id") or "", place)
    by_id.pop("", None)
    owned: dict[int, list[Control]] = {place: [] for place in range(len(walk.forms))}
    tied = _ties_of_parser(walk)
    for control in walk.controls:
        nearby = tied[key].pop(0) if tied and tied.get(key := _key(control)) else -1
        if "form" in control.attributes:
            owner = by_id.get(control.attributes["form"] or "", -1)
        else:
            owner = control.form if control.form >= 0 else nearby
        if owner in owned:
            owned[owner].append(control)
    return owned


def _ties_of_parser(walk: Walk) -> dict[tuple[str, str, str], list[int]]:
    """Return the form that was open in the source at each control, if there are controls outside of forms.

    A form that is misnested (started in a table but outside of its cells, or closed with a tag around it) is an
    empty element in the tree. The parser still ties to it every control up to the end tag.
    """
    first = min(form.span.start for form in walk.forms)
    if all(c.form >= 0 or "form" in c.attributes or c.span.start < first for c in walk.controls):
        return {}
    ties: dict[tuple[str, str, str], list[int]] = {}
    current, forms, at = -1, 0, 0
    found = 0
    while found <= len(walk.controls) and (match := TOKEN.search(walk.source, at)):
        at = match.end()
        closing, name = match.groups()
        name = (name or b"").lower()
        if name == b"form":
            if closing:
                current = -1
            elif current < 0:
                current, forms = forms, forms + 1
        elif closing:
            continue
        elif name in _PARSED_AS_CONTROL:
            found += 1
            node = LexborHTMLParser(match[0]).css_first(name.decode())
            if node is not None:
                ties.setdefault(_key_of(name.decode(), node.attributes), []).append(current)
        if name in RAW_TEXT and (end := RAW_TEXT[name].search(walk.source, at)):
            at = end.start()
    return ties


def _key(control: Control) -> tuple[str, str, str]:
    return _key_of(control.tag, control.attributes)


def _key_of(tag: str, attributes: Attributes) -> tuple[str, str, str]:
    return tag, attributes.get("name") or "", attributes.get("value") or ""


def _field(control: Control, labels: Labels, walk: Walk) -> Field:
    attributes = control.attributes
    kind = _kind_of(control)
    options = _options(control, walk) if kind == "select" else ()
    length = attributes.get("maxlength") or ""
    return Field(
        name=attributes.get("name") or "",
        kind=kind,
        label=labels.label(control, kind),
        value=_value(control, kind, options),
        options=options,
        placeholder=attributes.get("placeholder") or "",
        autocomplete=attributes.get("autocomplete") or "",
        element_id=attributes.get("id") or "",
        required="required" in attributes,
        disabled=control.disabled or "disabled" in attributes,
        readonly="readonly" in attributes,
        multiple="multiple" in attributes,
        checked="checked" in attributes,
        max_length=int(length) if length.isascii() and length.isdigit() and len(length) < 10 else None,
    )


def _kind_of(control: Control) -> str:
    kind = (control.attributes.get("type") or "").lower()
    if control.tag == "input":
        return kind if kind in _INPUT_TYPES else "text"
    if control.tag == "button":
        return kind if kind in ("reset", "button") else "submit"
    return control.tag


def _value(control: Control, kind: str, options: tuple[Option, ...]) -> str:
    if kind == "textarea":
        return control.node.text()
    if kind == "select":
        return next((option.value for option in options if option.selected), "")
    if kind in ("checkbox", "radio") and "value" not in control.attributes:
        return "on"
    return control.attributes.get("value") or ""


def _options(control: Control, walk: Walk) -> tuple[Option, ...]:
    """Return the choices of a select; of those it shows one at a time exactly one is selected."""
    found: list[Option] = []
    for node in control.node.traverse():
        if node.tag_id != OPTION:
            continue
        if walk.options >= walk.limits.options:
            walk.mark("many_options")
            break
        walk.options += 1
        attributes = node.attributes
        text = " ".join(node.text().split())
        value = (attributes["value"] or "") if "value" in attributes else text
        found.append(
            Option(value, attributes.get("label") or text, "selected" in attributes, _is_disabled(node))
        )
    if "multiple" in control.attributes or not found:
        return tuple(found)
    return _with_one_selected(found, (control.attributes.get("size") or "1").strip() in ("0", "1"))


def _with_one_selected(found: list[Option], is_menu: bool) -> tuple[Option, ...]:
    chosen = max((place for place, option in enumerate(found) if option.selected), default=-1)
    if chosen < 0 and is_menu:
        chosen = next((place for place, option in enumerate(found) if not option.disabled), -1)
    return tuple(
        option
        if option.selected is (place == chosen)
        else Option(option.value, option.text, place == chosen, option.disabled)
        for place, option in enumerate(found)
    )


def _is_disabled(option: LexborNode) -> bool:
    if "disabled" in option.attributes:
        return True
    parent = option.parent
    return parent is not None and parent.tag == "optgroup" and "disabled" in parent.attributes
