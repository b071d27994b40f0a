"""Hidden values that change from fetch to fetch: finding them, and submitting fresh ones.

Many sites write something into a form that only one visitor may send back, or only once: a token against forgery, a view state, a
nonce, the number of a session. They refuse a form with the values it had when it was found. So the page of the form is fetched again
(`hiddenweb.querying.form_refresh` says when), the same form is found on it (`find_same_form`), and its hidden values replace the old
ones: in the form (`copy_hidden_fields`) and in a query that was already planned (`renew_query`). The values that visitors would fill in
stay as they were planned.

A query is not rebuilt: only the hidden values are replaced in its address or its body. So it stays exactly the query in the ledger.
Some sites put the token into the name of a control; such a control replaces the old one.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hiddenweb.forms.encodings import encode
from hiddenweb.forms.submission import URLENCODED, serialise

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.model import Field, Form, HttpQuery

    Change = tuple[Field | None, Field | None]

_TOKEN_NAME = re.compile(
    r"csrf|xsrf|nonce|token|__viewstate$|__eventvalidation|authenticity|requestverification|form_?build_?id|form_?key$|ticket|"
    r"(?:^|[^a-z])(?:s|sess|session|php_?sess|j_?session|asp_?session)_?(?:id|key|hash)$|^sess(?:ion)?$|secur\w*_?(?:key|code|hash)",
    re.IGNORECASE,
)
_RANDOM_NAME = re.compile(r"[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|[A-Za-z_]{0,8}[0-9a-f]{24,}")
_OPAQUE = re.compile(r"[A-Za-z0-9+/=_.:|~%-]{16,}")
_NUMBERS = re.compile(r"\d")
_LETTERS = re.compile(r"[A-Za-z]")
_FEW_CHARACTERS = 3  # what people write has no more digits, or no more letters; a limit of taste
_MIN_TOKEN = 6  # characters of a hidden value that is a token by its name; a limit of taste
_SESSION_IN_PATH = re.compile(r";(?:[a-z]*sess?(?:ion)?id|sid)=[^/?;]*", re.IGNORECASE)
_PART_NAME = re.compile(rb'name="([^"]*)"')
_UNCOMPARED = ("submit", "image", "button", "reset", "hidden")


def find_tokens(form: Form) -> tuple[str, ...]:
    """Return the names of the hidden controls of a form whose values seem to be made for one visitor."""
    return tuple(dict.fromkeys(field.name for field in _hidden(form) if _is_token(field)))


def is_random_name(name: str) -> bool:
    """Say whether the name of a control was generated for one page.

    >>> is_random_name("d41d8cd98f00b204e9800998ecf8427e"), is_random_name("language")
    (True, False)
    """
    return bool(_RANDOM_NAME.fullmatch(name))


def drop_session(address: str) -> str:
    """Return an address without the number of a session in its path.

    >>> drop_session("http://a.example/find;jsessionid=0A1B?q=1")
    'http://a.example/find?q=1'
    """
    return _SESSION_IN_PATH.sub("", address)


def identity(form: Form) -> tuple[object, ...]:
    """Return a value that is equal for a form and the same form with other hidden values, or filled in."""
    parts = urlsplit(form.action)
    controls = sorted(
        (field.name, field.kind) for field in form.fields if field.name and field.kind not in _UNCOMPARED
    )
    return form.method, parts.netloc, drop_session(parts.path), tuple(controls)


def find_same_form(form: Form, others: Iterable[Form]) -> Form | None:
    """Return the form that differs only in hidden values; of several the one whose place on the page is nearest."""
    found = [other for other in others if identity(other) == identity(form)]
    return min(found, key=lambda other: abs(other.place - form.place), default=None)


def find_changed_tokens(form: Form, other: Form) -> tuple[str, ...]:
    """Return the names of hidden controls that look like tokens and differ between two copies of a form."""
    values = {field.name: field.value for field in _hidden(other)}
    return tuple(
        field.name
        for field in _hidden(form)
        if field.name in values and values[field.name] != field.value and _is_token(field)
    )


def copy_hidden_fields(form: Form, fresh: Form, names: Iterable[str] | None = None) -> Form:
    """Return a form with the hidden values and the address of the same form fetched later; with `names`, only these values.

    Controls stay in their places. A hidden control that is gone is replaced by a new one, or disabled.
    """
    fresh_fields = _hidden_by_name(fresh)
    if names is not None:
        fresh_fields = {name: fresh_fields[name] for name in names if name in fresh_fields}
    fields = list(form.fields)
    free: list[int] = []
    for place, field in enumerate(fields):
        if _is_hidden(field) and not field.disabled and fresh_fields.get(field.name):
            fields[place] = replace(field, value=fresh_fields[field.name].pop(0).value)
        elif _is_hidden(field):
            free.append(place)
    if names is not None:
        return replace(form, fields=tuple(fields))
    for field in (field for same in fresh_fields.values() for field in same):
        if free:
            fields[free.pop(0)] = field
        else:
            fields.append(field)
    for place in free:
        fields[place] = replace(fields[place], disabled=True)
    return replace(form, action=fresh.action, fields=tuple(fields))


def renew_query(query: HttpQuery, form: Form, fresh: Form) -> HttpQuery:
    """Return a query to a form with the hidden values of the same form fetched later.

    `fresh` is the result of `copy_hidden_fields`.
    """
    if form.template or form == fresh:
        return query
    query, changes = _move_to_address(query, form, fresh), list(_changes(form, fresh))
    if query.method == "GET":
        address, _, sent = query.url.partition("?")
        return replace(query, url=f"{address}?{_replace_in_query(sent, changes, form.charset)}")
    if query.content_type == URLENCODED:
        return replace(
            query, body=_replace_in_query(query.body.decode("ascii"), changes, form.charset).encode()
        )
    if query.content_type.startswith("multipart/"):
        return replace(query, body=_replace_in_parts(query, changes, form.charset))
    return query


def _changes(form: Form, fresh: Form) -> Iterator[Change]:
    """Yield the old and the new hidden control of every place where they differ; None for none."""
    for old, new in zip_longest(form.fields, fresh.fields):
        old_hidden = old if old is not None and _is_sent_hidden(old) else None
        new_hidden = new if new is not None and _is_sent_hidden(new) else None
        if old_hidden != new_hidden:
            yield old_hidden, new_hidden


def _move_to_address(query: HttpQuery, form: Form, fresh: Form) -> HttpQuery:
    """Return a query with the address of the fresh form, which may carry a session."""
    old, new = form.action.partition("#")[0], fresh.action.partition("#")[0]
    if query.method == "GET":
        old, new = old.partition("?")[0], new.partition("?")[0]
    if old == new or query.url.partition("?" if query.method == "GET" else "#")[0] != old:
        return query
    return replace(query, url=new + query.url[len(old) :])


def _hidden(form: Form) -> Iterator[Field]:
    return (field for field in form.fields if _is_sent_hidden(field))


def _is_sent_hidden(field: Field) -> bool:
    return _is_hidden(field) and not field.disabled


def _is_hidden(field: Field) -> bool:
    return field.kind == "hidden" and bool(field.name) and field.name.lower() != "_charset_"


def _is_token(field: Field) -> bool:
    if is_random_name(field.name):
        return True
    if _TOKEN_NAME.search(field.name):
        return len(field.value) >= _MIN_TOKEN
    return _looks_random(field.value)


def _looks_random(value: str) -> bool:
    """Say whether a value is letters and digits in no order: long, and with some of both.

    >>> _looks_random("9f86d081884c7d659a2feaa0c55ad015"), _looks_random("/catalogue/search/advanced")
    (True, False)
    """
    if not _OPAQUE.fullmatch(value) or "/" in value[:1]:
        return False
    return len(_NUMBERS.findall(value)) > _FEW_CHARACTERS and len(_LETTERS.findall(value)) > _FEW_CHARACTERS


def _hidden_by_name(form: Form) -> dict[str, list[Field]]:
    found: dict[str, list[Field]] = {}
    for field in _hidden(form):
        found.setdefault(field.name, []).append(field)
    return found


# Planned queries


def _replace_in_query(sent: str, changes: Sequence[Change], charset: str) -> str:
    """Return a url-encoded query with some hidden values changed."""
    parts = [part for part in sent.split("&") if part]
    for old, new in changes:
        after = [serialise([(new.name, new.value)], charset)] if new is not None else []
        at = None if old is None else _place(parts, serialise([(old.name, old.value)], charset))
        if at is not None:
            parts[at : at + 1] = after
        else:
            parts += after
    return "&".join(parts)


def _place(parts: list[str], pair: str) -> int | None:
    """Return the place of a name and its value among the parts; else the place of the name."""
    if pair in parts:
        return parts.index(pair)
    name = pair.partition("=")[0]
    return next((at for at, part in enumerate(parts) if part.partition("=")[0] == name), None)


def _replace_in_parts(query: HttpQuery, changes: Sequence[Change], charset: str) -> bytes:
    """Return a body in parts with some hidden values changed."""
    border = b"--" + query.content_type.rpartition("boundary=")[2].encode()
    parts = query.body.split(border)[1:-1]
    for old, new in changes:
        after = [_part(new, charset)] if new is not None else []
        at = None if old is None else _place_of_part(parts, _encode_name(old, charset))
        if at is not None:
            parts[at : at + 1] = after
        else:
            parts += after
    return b"".join(border + part for part in parts) + border + b"--\r\n"


def _place_of_part(parts: list[bytes], name: bytes) -> int | None:
    named = ((at, _PART_NAME.search(part)) for at, part in enumerate(parts))
    return next((at for at, found in named if found and found[1] == name), None)


def _part(field: Field, charset: str) -> bytes:
    head = b'\r\nContent-Disposition: form-data; name="' + _encode_name(field, charset)
    return head + b'"\r\n\r\n' + encode(field.value, charset) + b"\r\n"


def _encode_name(field: Field, charset: str) -> bytes:
    return encode(field.name, charset).replace(b'"', b"%22")
