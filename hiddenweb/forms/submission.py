"""From a filled form to a request, as a browser makes it.

The entry list (`hiddenweb.forms.entry_list`) is encoded in the form's charset, with `&#8364;` for characters it lacks. GET puts it
url-encoded in the place of the action's query, POST into the body: url-encoded, in parts or as plain text. Url-encoded
(URL standard), letters, digits and `*-._` stand for themselves, a space is `+`, all other bytes are `%XX`. The button that is
pressed may have an address, a method and an encoding of its own.

A form is sent as if somebody had pressed Enter in its box: the first button that submits counts as pressed. If a browser would then do
nothing (that button is disabled, or there is none and more than one box), `UnreadableForm` is raised. Such a form can still be sent as
a script sends it, without any button: pass None as the submitter. The same error refuses what we never send: files, mail, dialogs, and
forms that only a script can submit.

A search that a page declares (schema.org, OpenSearch) is an address with gaps: `{name}` takes a value, `{name?}` may stay
empty. Values are percent-encoded, in a query with `+` for a space.
"""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from hiddenweb.forms.encodings import encode, web_name
from hiddenweb.forms.entry_list import (
    FREE_TEXT,
    Filled,
    FormEntry,
    UnreadableForm,
    default_button,
    entry_list,
    fill_in,
    is_sent_by_enter,
    name_of,
    text_box,
)
from hiddenweb.model import HttpQuery

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.model import Field, Form

__all__ = [
    "FREE_TEXT",
    "URLENCODED",
    "UnreadableForm",
    "build_submission",
    "resolve_button",
    "serialise",
    "text_box",
]

URLENCODED = "application/x-www-form-urlencoded"

_MULTIPART = "multipart/form-data"
_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789*-._")
_ESCAPED = tuple(
    chr(byte) if byte in _PLAIN else "+" if byte == 0x20 else f"%{byte:02X}" for byte in range(256)
)
_NEWLINE = re.compile(r"\r\n?|\n")
_GAP = re.compile(r"\{([^{}?]+)(\??)\}")
_NOTHING: Filled = MappingProxyType({})


def build_submission(
    form: Form, filled: Filled = _NOTHING, *, submitter: Field | Literal["default"] | None = "default"
) -> HttpQuery:
    """Return the query that sends a form with some of its controls filled in, the others as they are.

    `submitter` is the button that is pressed: by default the one that Enter presses, or None for none.
    Raises UnreadableForm if no request can be made, or if a browser would send nothing.
    """
    if form.needs_browser and (filled or form.source != "form"):
        raise UnreadableForm(f"{name_of(form)} can only be submitted by a script")
    if form.template:
        return _fill_template(form, filled)
    button = _button_of_enter(form) if submitter == "default" else submitter
    entries = entry_list(form, filled, button)
    action, method, enctype = _target(form, button)
    query = _keyword_of(form, filled)
    if method == "GET":
        return _replace_url(query, _join_query(action, _serialise_entries(entries, form.charset)))
    body, content_type = _body(entries, enctype, form.charset)
    return replace(query, method="POST", url=action, body=body, content_type=content_type)


def resolve_button(form: Form, button: Field | None) -> Form:
    """Return a form with the address, the method and the encoding that it has when a button is pressed."""
    if button is None:
        return form
    return replace(
        form,
        action=form.action if button.form_action is None else button.form_action,
        method=button.form_method or form.method,
        enctype=button.form_enctype or form.enctype,
    )


def serialise(entries: list[tuple[str, str]], charset: str = "utf-8") -> str:
    """Return names and values as a query string.

    >>> serialise([("q", "a b~*é"), ("price", "5 €")], "cp1250")
    'q=a+b%7E*%E9&price=5+%80'
    >>> serialise([("q", "日")], "latin-1")
    'q=%26%2326085%3B'
    """
    return "&".join(f"{_escape(name, charset)}={_escape(value, charset)}" for name, value in entries)


def _button_of_enter(form: Form) -> Field | None:
    if not is_sent_by_enter(form):
        button = default_button(form)
        why = "its first button is disabled" if button else "it has several boxes and no button"
        raise UnreadableForm(f"{name_of(form)} is not sent by Enter: {why}")
    return default_button(form)


def _target(form: Form, button: Field | None) -> tuple[str, str, str]:
    """Return where a form is sent, how, and in which encoding: the button overrides the form."""
    sent = resolve_button(form, button)
    if sent.method not in ("GET", "POST"):
        raise UnreadableForm(f"{name_of(form)} has the method {sent.method}, wanted GET or POST")
    if not sent.action.startswith(("http://", "https://")):
        raise UnreadableForm(f"{name_of(form)} is sent to {sent.action!r}, wanted http or https")
    path, question, query = sent.action.partition("#")[0].partition("?")
    return path.replace("|", "%7C") + question + query, sent.method, sent.enctype


def _keyword_of(form: Form, filled: Filled) -> HttpQuery:
    """Return the values of a query, for people and for the ledger, without what a box cuts off."""
    box = text_box(form)
    in_box = next(f.value for f in fill_in(form, filled).fields if _is_box(box, f)) if box else ""
    keyword = in_box if box and box.name in filled else ""
    values = [
        (name, keyword if box and name == box.name else value)
        for name, given in filled.items()
        for value in ((given,) if isinstance(given, str) else given)
    ]
    return HttpQuery(tuple(values), keyword, session_values=form.chosen if form.in_session else ())


def _is_box(box: Field, field: Field) -> bool:
    return field.name == box.name and field.kind == box.kind and not (field.disabled or field.readonly)


def _replace_url(query: HttpQuery, url: str) -> HttpQuery:
    return replace(query, method="GET", url=url)


def _join_query(action: str, query: str) -> str:
    return f"{action.partition('?')[0]}?{query}"


# Encodings


def _body(entries: list[FormEntry], enctype: str, charset: str) -> tuple[bytes, str]:
    if enctype == _MULTIPART:
        return _write_parts(entries, charset)
    if enctype == "text/plain":
        lines = (f"{_write_crlf(entry.name)}={_write_crlf(entry.value)}\r\n" for entry in entries)
        return encode("".join(lines), charset), "text/plain"
    return _serialise_entries(entries, charset).encode("ascii"), URLENCODED


def _serialise_entries(entries: Iterable[FormEntry], charset: str) -> str:
    return serialise([(entry.name, entry.value) for entry in entries], charset)


def _escape(text: str, charset: str) -> str:
    return "".join([_ESCAPED[byte] for byte in encode(_write_crlf(text), charset)])


def _write_crlf(text: str) -> str:
    return _NEWLINE.sub("\r\n", text) if "\n" in text or "\r" in text else text


def _write_parts(entries: list[FormEntry], charset: str) -> tuple[bytes, str]:
    parts = [_part(entry, charset) for entry in entries]
    boundary = _boundary(b"".join(parts))
    start = b"--" + boundary.encode() + b"\r\n"
    body = b"".join(start + part for part in parts) + b"--" + boundary.encode() + b"--\r\n"
    return body, f"{_MULTIPART}; boundary={boundary}"


def _part(entry: FormEntry, charset: str) -> bytes:
    name = encode(_write_crlf(entry.name), charset)
    name = name.replace(b"\r", b"%0D").replace(b"\n", b"%0A").replace(b'"', b"%22")
    head = b'Content-Disposition: form-data; name="' + name + b'"'
    if entry.is_file:
        head += b'; filename=""\r\nContent-Type: application/octet-stream'
    return head + b"\r\n\r\n" + encode(_write_crlf(entry.value), charset) + b"\r\n"


def _boundary(data: bytes) -> str:
    """Return a boundary that does not occur in the data; it is always the same for the same data."""
    while True:
        boundary = f"----hiddenweb{blake2b(data, digest_size=12).hexdigest()}"
        if boundary.encode() not in data:
            return boundary
        data += boundary.encode()


# Addresses with gaps


def _fill_template(form: Form, filled: Filled) -> HttpQuery:
    if form.method != "GET":
        raise UnreadableForm(f"{name_of(form)} is described for {form.method}, wanted GET")
    values = _values_of_gaps(form, filled)
    start = form.template.find("?")

    def value_of(gap: re.Match[str]) -> str:
        name, may_be_empty = gap.groups()
        value = values.get(name, "")
        if not value and not may_be_empty:
            raise UnreadableForm(f"{name_of(form)} needs a value for {name!r}")
        written = _escape(value, form.charset)
        return written if 0 <= start < gap.start() else written.replace("+", "%20")

    url = _GAP.sub(value_of, form.template).partition("#")[0]
    if not url.startswith(("http://", "https://")):
        raise UnreadableForm(f"{name_of(form)} is sent to {url!r}, wanted http or https")
    return _replace_url(_keyword_of(form, filled), url)


def _values_of_gaps(form: Form, filled: Filled) -> dict[str, str]:
    values = {"inputEncoding": web_name(form.charset), "outputEncoding": "UTF-8"}
    values |= {field.name: field.value for field in fill_in(form, filled).fields if field.value}
    return values
