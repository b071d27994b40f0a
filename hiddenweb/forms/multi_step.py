"""Forms over several pages: the answer to the first is a second form, which asks for the rest.

A site that asks for the make first and for the model then answers every make with another second form: the same controls, other
choices, and the make in a hidden control, in the address or in the session. Each of these is a form of its own here, a *variant*: it
has its own choices, is asked on its own, and remembers what was chosen before and which question led to it. So the ledger has the whole way
to a record: the question that brought it, the form that was asked, the question that led to that form.

Variants are told apart by what they hide and what they offer, tokens aside, so a second form that is always the same is one form. Two
steps are followed; the third is left alone. Where nothing in the second form says what was chosen, and the answer set a cookie, the session may
know it: then every choice makes a variant, with a session of its own. What a form leads to is bounded: after so many variants, or after a few in a
row that brought nothing, no more are taken.

Forms of a site may be twins without being steps: "search below this page" stands on every page of a wiki, each time with another address. Twins look the
same to people. Each may search something of its own, so they are asked; after a few in a row that brought nothing new, the others are left.
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

MOST_BARREN = 5
"""Variants in a row without a record. A limit of taste."""

MOST_BARREN_ALIKE = 2
"""The same, where they look all alike: then most likely they are. A limit of taste."""

MOST_BARREN_TWINS = 3
"""Forms in a row that look the same and brought no record that the site had not shown before. A limit of taste."""

ENOUGH_TWINS = "similar forms of the site exist, and the last of them brought nothing new"
ENOUGH = "the query before it leads to many such forms, and no more are followed"


def make_step(
    form: Form, before: Form, query: HttpQuery, submission: int, *, has_session: bool = False
) -> Form:
    """Return a form that came in the answer to a question, as the next step after the form that was asked."""
    chosen = tuple((name, value) for name, value in query.values if value)
    return replace(
        form,
        step=before.step + 1,
        chosen=(*before.chosen, *chosen),
        asked_by=submission,
        in_session=has_session and not _carries(form, chosen),
    )


def _carries(form: Form, chosen: Sequence[tuple[str, str]]) -> bool:
    """Say whether a form says itself what was chosen before: it hides it, shows it as chosen, or has it in its address."""
    standing = {(field.name, field.value) for field in form.fields if field.kind != "radio" or field.checked}
    standing |= {(f.name, option.value) for f in form.fields for option in f.options if option.selected}
    standing |= set(parse_qsl(urlsplit(form.action).query))
    return any(pair in standing for pair in chosen)


def variant(form: Form) -> list[object]:
    """Return what tells a variant of a form from others: hidden values and choices, but no tokens."""
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


def reason_to_leave(step: Form, ended: Sequence[int], variants: int) -> str:
    """Return why a step is not asked: it is too deep, or there were enough; nothing if it may be.

    `ended` are the records that the variants brought which are done, in their order; `variants` is how many there are.
    """
    if step.step > DEEPEST:
        return f"it is step {step.step} of a search; {DEEPEST} are followed"
    patience = MOST_BARREN_ALIKE if step.in_session else MOST_BARREN
    barren = len(ended) >= patience and not any(ended[-patience:])
    return ENOUGH if variants >= MOST_VARIANTS or barren else ""


def are_twins(form: Form, other: Form) -> bool:
    """Say whether two first forms look the same to people, wherever they are sent and whatever they hide."""
    return form.step == other.step == 1 and form.method == other.method and _look(form) == _look(other)


def _look(form: Form) -> list[tuple[str, ...]]:
    shown = (field for field in form.fields if field.kind != "hidden")
    return [
        (field.kind, field.name, field.label, field.placeholder, *(option.text for option in field.options))
        for field in shown
    ]


def reason_to_leave_twin(ended: Sequence[int]) -> str:
    """Return why a form is not asked, by the new records that its twins brought which are done, in their order; nothing if it may be."""
    barren = len(ended) >= MOST_BARREN_TWINS and not any(ended[-MOST_BARREN_TWINS:])
    return ENOUGH_TWINS if barren else ""
