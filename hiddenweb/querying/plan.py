"""What each control of a form is given, and why.

A form with a query box gets words, and its other controls keep their values: each further restriction hides records. Only
required controls get a value: a select whose default is "please choose" gets the choice that means any, or else a real one; a
required box gets a value of its type or its label; both ends of a required range get its widest extent. And if the number of results on
a page can be chosen, the largest page is, because it needs the fewest requests.

A form without a query box is queried by its other controls (`hiddenweb.querying.fillings`). Madhavan et al. (2008) measure by the answers how
informative a control is; before the first answer we guess by its choices: five to forty are better than two or a thousand, and settings (order,
number of results, the language of the page) never count. A range is one control: its queries are windows that do not overlap, latest first.

Never filled in: invisible controls, those that ask to be left empty, and personal ones. A form that requires such a control cannot be
filled in, and the plan says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.querying.planned_controls import PlannedControl, plan_controls
from hiddenweb.querying.value_ranges import ValueRange, join_ranges

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiddenweb.model import Form
    from hiddenweb.querying.labelled_values import LabelledValueSet


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What every control of a form is given, and what prevents its submission."""

    form: Form
    query_box: int | None
    controls: tuple[PlannedControl, ...]
    ranges: tuple[ValueRange, ...] = ()
    obstacles: tuple[str, ...] = ()

    @property
    def can_be_filled(self) -> bool:
        """Say whether every control that must have a value has one."""
        return not self.obstacles


def plan(form: Form, query_box: int | None, values: LabelledValueSet, *, insists: bool = False) -> QueryPlan:
    """Return what each control of a form would be given; `query_box` is the place of the box that takes keywords.

    If a form insists on more than it says, every control without a value gets a choice.
    """
    controls = sorted(plan_controls(form, query_box, values, insists), key=lambda control: control.places)
    ranges = join_ranges(form, controls, values)
    if query_box is not None:
        controls = [replace(control, informative=0.0) for control in controls]
    obstacles = tuple(_obstacles(controls, query_box, bool(ranges)))
    return QueryPlan(form, query_box, tuple(controls), tuple(ranges), obstacles)


def _obstacles(controls: Iterable[PlannedControl], query_box: int | None, has_ranges: bool) -> Iterator[str]:
    informative = query_box is not None or has_ranges
    for control in controls:
        if control.must and control.value is None:
            name = control.label or control.name
            why = (
                "is required"
                if control.role != "never" or query_box not in control.places
                else "is the query box"
            )
            yield f"{name!r} {why} and gets no value: {control.why}"
        informative |= control.informative > 0 or (control.must and bool(control.values))
    if not informative:
        yield "it has neither a query box nor a control that is worth querying"


# Places


def planned_of(plan: QueryPlan, place: int) -> PlannedControl | None:
    """Return what is planned for the control at a place of the form."""
    return next((control for control in plan.controls if place in control.places), None)
