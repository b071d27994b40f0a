"""The ways to fill in a form that follow from a plan: `hiddenweb.querying.plan`.

A form without a query box is queried by its other controls. As in Madhavan et al. (2008), single controls come first, the
most informative one before the others, then pairs of them.

A single checkbox that the page has ticked is unticked: only our own choices are sent.
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
"""Values by the names of controls; several values of one name are a tuple."""
MOST_FILLINGS = 200
"""The most fillings of a form without a query box: a limit of taste."""

MOST_PAIRED = 3
"""The most controls that are combined in pairs: a limit of taste."""


def fillings(plan: QueryPlan, keyword: str, *, most: int = MOST_CHOICES) -> Iterator[Filling]:
    """Yield the ways to submit a keyword, best first; they differ in the other required choices. None if the form cannot be filled in."""
    if plan.query_box is None or not plan.can_be_filled:
        return
    placed: PlacedValues = {plan.query_box: keyword}
    for filled in islice(_add_required(plan, {}), most):
        yield _by_name(plan.form, placed | filled)


def fillings_without_box(
    plan: QueryPlan, *, most: int = MOST_FILLINGS, chance: Random | None = None
) -> Iterator[Filling]:
    """Yield the fillings of a form without a query box, best first, each once.

    With `chance` the choices of a control come in a random order, for a fair sample.
    """
    if plan.query_box is not None or not plan.can_be_filled:
        return
    yielded = set()
    for placed in _list_placed(plan, chance):
        filled = _by_name(plan.form, next(_add_required(plan, placed)))
        key = tuple(sorted(filled.items()))
        if key not in yielded:
            yielded.add(key)
            yield filled
        if len(yielded) >= most:
            return


def filling(plan: QueryPlan, placed: PlacedValues) -> Filling:
    """Return a filling with values for controls at some places, and for all other controls that must have one."""
    return _by_name(plan.form, next(_add_required(plan, placed)))


def place_value(form: Form, control: PlannedControl, text: str) -> PlacedValues:
    """Return a value of a control with its place: that of the box, or of the first of a group."""
    is_multiple = len(control.places) > 1 and form.fields[control.places[0]].kind == "checkbox"
    return {control.places[0]: (text,) if is_multiple else text}


PlacedValues = dict[int, "str | tuple[str, ...]"]
"""Values by the places of controls in the form."""


def _list_placed(plan: QueryPlan, chance: Random | None) -> Iterator[PlacedValues]:
    """Yield values for single controls, the most informative first, then none, then pairs."""
    ranked = sorted(_list_single_choices(plan, chance), key=lambda scored: -scored[0])
    for _, choices in ranked:
        yield from choices
    yield {}
    combined = [choices for _, choices in ranked[:MOST_PAIRED]]
    for at, first in enumerate(combined):
        for second in combined[at + 1 :]:
            for one, other in product(first, second):
                yield one | other


def _list_single_choices(
    plan: QueryPlan, chance: Random | None
) -> Iterator[tuple[float, list[PlacedValues]]]:
    for control in plan.controls:
        if control.informative > 0 and control.values:
            most = MOST_OF_A_BOX if _is_box(plan.form, control) else MOST_CHOICES
            choices = [place_value(plan.form, control, value.text) for value in control.values[:most]]
            yield control.informative + control.must, _shuffled(choices, chance)
    for pair in plan.ranges:
        low, high = plan.controls[pair.low].places[0], plan.controls[pair.high].places[0]
        windows: list[PlacedValues] = [{low: first, high: last} for first, last in pair.windows]
        yield pair.informative, _shuffled(windows, chance)


def _shuffled(choices: list[PlacedValues], chance: Random | None) -> list[PlacedValues]:
    if chance is not None:
        chance.shuffle(choices)
    return choices


def _add_required(plan: QueryPlan, placed: PlacedValues) -> Iterator[PlacedValues]:
    """Yield the given values with those of required controls, for all combinations of their choices."""
    required = [
        control
        for control in plan.controls
        if control.must and control.value is not None and control.places[0] not in placed
    ]
    ranked = [_values_in_turn(control) for control in required]
    if prod(map(len, ranked)) == 1 or not required:
        yield placed | _first_values(plan.form, required, ranked)
        return
    for texts in product(*ranked):
        yield placed | _first_values(plan.form, required, [(text,) for text in texts])


def _first_values(
    form: Form, controls: Sequence[PlannedControl], ranked: Sequence[Sequence[str]]
) -> PlacedValues:
    filled: PlacedValues = {}
    for control, texts in zip(controls, ranked, strict=True):
        filled |= place_value(form, control, texts[0])
    return filled


def _values_in_turn(control: PlannedControl) -> tuple[str, ...]:
    assert control.value is not None
    if control.role == "choice" and control.value in {value.text for value in control.values}:
        return tuple(dict.fromkeys((control.value, *(value.text for value in control.values))))
    return (control.value,)


def _is_box(form: Form, control: PlannedControl) -> bool:
    return form.fields[control.places[0]].kind not in ("select", "radio", "checkbox")


def _by_name(form: Form, placed: PlacedValues) -> Filling:
    """Return values by the names of controls; boxes that share a name get a value each, in their order."""
    filled: Filling = dict.fromkeys(_list_ticked(form), ())
    for place in sorted(placed):
        control = form.fields[place]
        if control.kind in ("select", "radio", "checkbox"):
            filled[control.name] = placed[place]
            continue
        sharing = [
            at
            for at, other in enumerate(form.fields)
            if other.name == control.name and _takes_text(other) and not other.disabled
        ]
        texts = [_only(placed[at]) if at in placed else form.fields[at].value for at in sharing]
        filled[control.name] = tuple(texts) if len(texts) > 1 else texts[0]
    return filled


def _list_ticked(form: Form) -> Iterator[str]:
    """Yield the names of single checkboxes that the page has ticked; they are unticked.

    Words do not always distinguish "Send me an alert for this search" from "only titles"; without a tick a search
    mostly finds more.
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


def list_used_values(
    plan: QueryPlan, filled: Mapping[str, str | tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    """Yield the labels and values of a filling that came from the value set, to learn whether they succeed."""
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
