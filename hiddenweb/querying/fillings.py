"""The ways to fill in a form that follow from a plan: `hiddenweb.querying.plan`.

A form without a query box is asked by its other controls. As Madhavan et al. (2008) start, single controls come first, the
most informative one before the others, then pairs of them.

A single box that the page has ticked is unticked: what we did not choose is not sent.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import (
    FORMATS,
    TEXT_KINDS,
)
from hiddenweb.querying.planned_controls import MOST_CHOICES, MOST_OF_A_BOX, PlannedControl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

    from hiddenweb.model import Field, Form
    from hiddenweb.querying.plan import QueryPlan

Filling = dict[str, "str | tuple[str, ...]"]
"""Names of controls and what they are given; several values of one name are a tuple."""
MOST_QUESTIONS = 200
"""Fillings of a form without a query box that are tried: a limit of taste."""

MOST_PAIRED = 3
"""Controls that are combined: a limit of taste."""


def fillings(plan: QueryPlan, keyword: str, *, most: int = MOST_CHOICES) -> Iterator[Filling]:
    """Yield the ways to ask a form for a keyword, best first; they differ in what else must be chosen. None if it cannot be."""
    if plan.query_box is None or not plan.can_be_filled:
        return
    given: Given = {plan.query_box: keyword}
    for filled in islice(_with_musts(plan, {}), most):
        yield _by_name(plan.form, given | filled)


def questions(
    plan: QueryPlan, *, most: int = MOST_QUESTIONS, chance: Random | None = None
) -> Iterator[Filling]:
    """Yield the fillings to try on a form without a query box, best first, each once.

    With `chance` the choices of a control are asked in a random order, for a fair sample of what the control does.
    """
    if plan.query_box is not None or not plan.can_be_filled:
        return
    asked = set()
    for given in _given(plan, chance):
        filled = _by_name(plan.form, next(_with_musts(plan, given)))
        key = tuple(sorted(filled.items()))
        if key not in asked:
            asked.add(key)
            yield filled
        if len(asked) >= most:
            return


def filling(plan: QueryPlan, given: Given) -> Filling:
    """Return what a form is filled in with when controls at some places are given values: these, and what must have one besides."""
    return _by_name(plan.form, next(_with_musts(plan, given)))


def given_to(form: Form, control: PlannedControl, text: str) -> Given:
    """Return the place that a value of a control is given to: that of the box, or of the first of a group."""
    several = len(control.places) > 1 and form.fields[control.places[0]].kind == "checkbox"
    return {control.places[0]: (text,) if several else text}


Given = dict[int, "str | tuple[str, ...]"]
"""Places of controls in the form and what they are given."""


def _given(plan: QueryPlan, chance: Random | None) -> Iterator[Given]:
    """Yield what single controls are given, the most informative first, then the form as it stands, then pairs."""
    alone = sorted(_askable(plan, chance), key=lambda asked: -asked[0])
    for _, choices in alone:
        yield from choices
    yield {}
    together = [choices for _, choices in alone[:MOST_PAIRED]]
    for at, first in enumerate(together):
        for second in together[at + 1 :]:
            for one, other in product(first, second):
                yield one | other


def _askable(plan: QueryPlan, chance: Random | None) -> Iterator[tuple[float, list[Given]]]:
    for control in plan.controls:
        if control.informative > 0 and control.values:
            most = MOST_OF_A_BOX if _is_box(plan.form, control) else MOST_CHOICES
            choices = [given_to(plan.form, control, value.text) for value in control.values[:most]]
            yield control.informative + control.must, _shuffled(choices, chance)
    for pair in plan.ranges:
        low, high = plan.controls[pair.low].places[0], plan.controls[pair.high].places[0]
        windows: list[Given] = [{low: first, high: last} for first, last in pair.windows]
        yield pair.informative, _shuffled(windows, chance)


def _shuffled(choices: list[Given], chance: Random | None) -> list[Given]:
    if chance is not None:
        chance.shuffle(choices)
    return choices


def _with_musts(plan: QueryPlan, given: Given) -> Iterator[Given]:
    """Yield what is given together with what must have a value, all its choices in turn, the first of them together."""
    musts = [
        control
        for control in plan.controls
        if control.must and control.value is not None and control.places[0] not in given
    ]
    ranked = [_values_in_turn(control) for control in musts]
    if prod(map(len, ranked)) == 1 or not musts:
        yield given | _first_of(plan.form, musts, ranked)
        return
    for texts in product(*ranked):
        yield given | _first_of(plan.form, musts, [(text,) for text in texts])


def _first_of(form: Form, musts: Sequence[PlannedControl], ranked: Sequence[Sequence[str]]) -> Given:
    filled: Given = {}
    for control, texts in zip(musts, ranked, strict=True):
        filled |= given_to(form, control, texts[0])
    return filled


def _values_in_turn(control: PlannedControl) -> tuple[str, ...]:
    assert control.value is not None
    if control.role == "choice" and control.value in {value.text for value in control.values}:
        return tuple(dict.fromkeys((control.value, *(value.text for value in control.values))))
    return (control.value,)


def _is_box(form: Form, control: PlannedControl) -> bool:
    return form.fields[control.places[0]].kind not in ("select", "radio", "checkbox")


def _by_name(form: Form, given: Given) -> Filling:
    """Return what is given by the names of controls; boxes that share a name get a value each, in their order."""
    filled: Filling = dict.fromkeys(_ticked_alone(form), ())
    for place in sorted(given):
        control = form.fields[place]
        if control.kind in ("select", "radio", "checkbox"):
            filled[control.name] = given[place]
            continue
        sharing = [
            at
            for at, other in enumerate(form.fields)
            if other.name == control.name and _takes_text(other) and not other.disabled
        ]
        texts = [_only(given[at]) if at in given else form.fields[at].value for at in sharing]
        filled[control.name] = tuple(texts) if len(texts) > 1 else texts[0]
    return filled


def _ticked_alone(form: Form) -> Iterator[str]:
    """Yield the names of single boxes that a page has ticked for us: what we did not choose is not sent.

    "Send me an alert for this search" is ticked as "only titles" is, and words do not always tell; without it a search
    finds rather more than less.
    """
    boxes = Counter(control.name for control in form.fields if control.kind == "checkbox")
    for control in form.fields:
        is_free = not (control.disabled or control.required or control.readonly)
        if (
            control.kind == "checkbox"
            and control.checked
            and control.name
            and is_free
            and boxes[control.name] == 1
        ):
            yield control.name


def _takes_text(control: Field) -> bool:
    return (
        control.kind in TEXT_KINDS or control.kind in FORMATS or control.kind in ("number", "range", "color")
    )


def _only(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else value[0]


def uses(plan: QueryPlan, filled: Mapping[str, str | tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Yield the labels and values of a filling whose fate the value set wants to know: those it gave."""
    ends = {at for pair in plan.ranges for at in (pair.low, pair.high)}
    for at, control in enumerate(plan.controls):
        value = filled.get(control.name)
        if (
            value is not None
            and at not in ends
            and control.known_label
            and _is_box(plan.form, control)
            and control.role != "keyword box"
        ):
            yield control.known_label, _only(value)
