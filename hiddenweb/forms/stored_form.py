"""Forms and submissions as they are stored, and the hashes that identify them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.forms.csrf_tokens import drop_session, is_random_name
from hiddenweb.forms.multi_step import variant
from hiddenweb.forms.page_copies import bare_name, copied_names
from hiddenweb.forms.submission import resolve_button
from hiddenweb.model import Field, Form, LabelHint, Option
from hiddenweb.urls import text_hash, url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.model import HttpQuery, Verdict

_BUTTONS = frozenset({"submit", "button", "image"})
_WITHOUT_QUERY = _BUTTONS | {"hidden", "reset"}
_WRITTEN = frozenset({"textarea", "password", "file"})
"""Kinds of controls that forms to write with have, and searches by POST have not."""

_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class StoredForm:
    """A form in the store."""

    id: int
    site: int
    form: Form
    verdict: Verdict
    state: str
    why: str  # why it is in its state
    queries: int = 0
    records: int = 0
    conversation_state: str = ""  # JSON: what was learnt about what to submit
    domain: str = ""  # of its site
    found: float = 0.0
    coverage: str = ""  # JSON: records found, how many there are by our estimate, at least, at most

    @property
    def button(self) -> Field | None:
        """The button that is pressed, if there is one."""
        return self.form.fields[self.verdict.button] if self.verdict.button is not None else None

    @property
    def as_sent(self) -> Form:
        """The form with the method and the address that its button gives it."""
        return resolve_button(self.form, self.button)


@dataclass(frozen=True, slots=True)
class Submission:
    """A query in the ledger."""

    id: int
    form: int
    query: HttpQuery
    state: str


@dataclass(frozen=True, slots=True)
class PagePost:
    """The request for a further page of an answer by POST."""

    body: bytes
    content_type: str
    sent: float | None = None


def query_hash(query: HttpQuery) -> int:
    """Return the identity of a query's request: for GET that of its address, unless a session holds a part of the query."""
    if query.method == "GET" and not query.session_values:
        return url_hash(query.url)
    session_values = json.dumps(query.session_values) if query.session_values else ""
    return text_hash(f"{query.method} {query.url} {query.body.hex()}{session_values}")


def form_hash(form: Form) -> int:
    """Return a number that is equal for one form on all pages of a site.

    Pages vary it: they copy the parameters of their own address into hidden controls, add a numbered row of controls for each filter in
    force, and, where there is nothing to search for, let it post to the page itself ("delete this").
    """
    more: list[object] = [form.template] if form.template else []
    if form.step > 1:
        more += variant(form)
    return text_hash(json.dumps([form.method, _place_of(form), _controls_of(form), *more]))


def _controls_of(form: Form) -> list[tuple[str, str]]:
    """Return names and kinds of the controls that a form has on all pages, without those that are numbered after another.

    What it copies from the address of its page narrows what it finds, so a form with copies is told from the one without, however many they are.
    """
    copies = copied_names(form)
    controls = (
        (bare_name(field.name), field.kind)
        for field in form.fields
        if field.kind not in _BUTTONS
        and not (field.kind == "hidden" and (is_random_name(field.name) or field.name in copies))
    )
    return list(dict.fromkeys([*controls, *([("", "copies")] if copies else [])]))


def _place_of(form: Form) -> str:
    """Return where a form is sent; of one that changes or shows only the page it stands on, the same for all such pages."""
    place = _without_query(form.action)
    if _has_query(form):
        return place
    return "" if place == _without_query(form.page_url) else _NUMBER.sub("0", place)


def _has_query(form: Form) -> bool:
    """Say whether a form has a control that may take what is searched for."""
    kinds = {field.kind for field in form.fields if field.name}
    if form.method == "POST" and kinds & _WRITTEN:
        return False
    return not kinds <= _WITHOUT_QUERY or bool(form.template)


def _without_query(address: str) -> str:
    return drop_session(address.partition("?")[0])


def values_as_json(values: Iterable[tuple[str, str]]) -> str:
    """Return the values that were filled in, as the ledger stores them."""
    return json.dumps([list(pair) for pair in values], ensure_ascii=False)


def form_as_json(form: Form) -> str:
    """Return a form as it is stored: without default values."""
    return json.dumps(_drop_defaults(form), ensure_ascii=False)


def _drop_defaults(value: object) -> object:
    if isinstance(value, tuple):
        return [_drop_defaults(each) for each in value]
    if not is_dataclass(value):
        return value
    return {
        each.name: _drop_defaults(own)
        for each in fields(value)
        if (own := getattr(value, each.name)) != each.default
    }


def form_from_json(text: str) -> Form:
    """Return the form that `form_as_json` wrote."""
    values = json.loads(text)
    chosen = tuple((name, value) for name, value in values.get("chosen", ()))
    return Form(**{**values, "fields": tuple(map(_field, values.get("fields", ()))), "chosen": chosen})


def _field(values: dict[str, Any]) -> Field:
    options = tuple(Option(**option) for option in values.get("options", ()))
    hints = tuple(LabelHint(**hint) for hint in values.get("hints", ()))
    suggestions = tuple(values.get("suggestions", ()))
    return Field(**{**values, "options": options, "hints": hints, "suggestions": suggestions})
