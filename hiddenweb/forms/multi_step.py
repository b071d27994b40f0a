"""Forms over several pages: the answer to the first is a second form, for the rest of the query.

A site that asks for the make first and then for the model answers every make with another second form: the same controls, other
choices, and the make in a hidden control, in the address or in the session. Each of these is a form of its own here, a *variant*: it
has its own choices, is queried on its own, and stores what was chosen before and which query led to it. So the ledger has the whole
way to a record: the query that brought it, the form that was submitted, the query that led to that form.

Variants are distinguished by their hidden values and their choices, without tokens, so a second form that is always the same is one form.
Two steps are followed; a third is skipped. If nothing in the second form says what was chosen, and the answer set a cookie, the session
may know it: then every choice makes a variant, with a session of its own. The variants of a form are limited: after a number of variants,
or after a few in a row that brought nothing, no more are followed.

Forms of a site may be similar without being steps: "search below this page" stands on every page of a wiki, each time with another
address. Similar forms look the same to people. Each may search something else, so they are submitted; after a few in a row that brought
nothing new, the others are skipped.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

from hiddenweb.forms.csrf_tokens import find_tokens, identity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.model import Form, HttpQuery

DEEPEST = 2
"""Steps that are followed, the first form included. A limit of taste."""

MOST_VARIANTS = 100
"""Variants of one second form. A limit of taste."""

MOST_FRUITLESS = 5
"""Variants in a row without a record. A limit of taste."""

MOST_FRUITLESS_IN_SESSION = 2
"""The same for variants that only the session distinguishes: most likely they are the same form. A limit of taste."""

MOST_FRUITLESS_SIMILAR = 3
"""Similar forms in a row that brought no new record of the site. A limit of taste."""

ENOUGH_SIMILAR = "similar forms of the site exist, and the last of them brought nothing new"
ENOUGH = "the query before it leads to many such forms, and no more are followed"


def make_step(
    form: Form, before: Form, query: HttpQuery, submission: int, *, has_session: bool = False
) -> Form:
    """Return a form that came in the answer to a query, as the next step after the form that was submitted."""
    chosen = tuple((name, value) for name, value in query.values if value)
    return replace(
        form,
        step=before.step + 1,
        chosen=(*before.chosen, *chosen),
        asked_by=submission,
        in_session=has_session and not _carries(form, chosen),
    )


def _carries(form: Form, chosen: Sequence[tuple[str, str]]) -> bool:
    """Say whether a form has what was chosen before: in a hidden control, as a selected option, or in its address."""
    pairs = {(field.name, field.value) for field in form.fields if field.kind != "radio" or field.checked}
    pairs |= {(f.name, option.value) for f in form.fields for option in f.options if option.selected}
    pairs |= set(parse_qsl(urlsplit(form.action).query))
    return any(pair in pairs for pair in chosen)


def variant(form: Form) -> list[object]:
    """Return what distinguishes a variant of a form: hidden values, except tokens, and choices."""
    tokens = find_tokens(form)
    hidden = [
        [field.name, field.value]
        for field in form.fields
        if field.kind == "hidden" and field.name and field.name not in tokens
    ]
    offered = [
        [field.name, field.value, *(option.value for option in field.options)]
        for field in form.fields
        if field.options or field.kind in ("radio", "checkbox")
    ]
    return [form.step, hidden, offered, *([form.chosen] if form.in_session else [])]


def are_variants(form: Form, other: Form) -> bool:
    """Say whether two forms are variants of one step."""
    return form.step == other.step and identity(form) == identity(other)


def reason_to_skip_step(step: Form, ended: Sequence[int], variants: int) -> str:
    """Return why a step is not submitted: it is too deep, or there were enough variants; "" if it may be submitted.

    `ended` are the numbers of records of the finished variants, in their order; `variants` is the number of all variants.
    """
    if step.step > DEEPEST:
        return f"it is step {step.step} of a search; {DEEPEST} are followed"
    patience = MOST_FRUITLESS_IN_SESSION if step.in_session else MOST_FRUITLESS
    fruitless = len(ended) >= patience and not any(ended[-patience:])
    return ENOUGH if variants >= MOST_VARIANTS or fruitless else ""


def look_alike(form: Form, other: Form) -> bool:
    """Say whether two first forms look the same to people; their addresses and hidden values may differ."""
    return (
        form.step == other.step == 1
        and form.method == other.method
        and _visible_controls(form) == _visible_controls(other)
    )


def _visible_controls(form: Form) -> list[tuple[str, ...]]:
    visible = (field for field in form.fields if field.kind != "hidden")
    return [
        (field.kind, field.name, field.label, field.placeholder, *(option.text for option in field.options))
        for field in visible
    ]


def reason_to_skip_similar(ended: Sequence[int]) -> str:
    """Return why a form is not submitted; "" if it may be.

    `ended` are the numbers of new records of the finished similar forms, in their order.
    """
    fruitless = len(ended) >= MOST_FRUITLESS_SIMILAR and not any(ended[-MOST_FRUITLESS_SIMILAR:])
    return ENOUGH_SIMILAR if fruitless else ""
