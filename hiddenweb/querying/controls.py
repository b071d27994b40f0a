"""From the plan of a form to the controls that policies use, and from a query back to what the form is filled in with.

Policies know controls by a name and options by a value (`hiddenweb.querying.policies.options`); a plan (`hiddenweb.querying.plan`) knows places in a
form. Whatever divides the records becomes a control: selects, radio buttons, checkboxes one at a time; the two ends of a range
together, whose values are windows, "1990..1999". Other boxes become controls only if there is no box for words, or if
they must be filled in. Settings and invisible controls keep their values. Controls that must have a value are in every query,
unless an option that means "any" is sent.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.forms.field_types import FORMATS, range_end, type_of
from hiddenweb.forms.value_limits import parse_number
from hiddenweb.querying.builtin_values import as_text, format_date
from hiddenweb.querying.fillings import filling, place_value
from hiddenweb.querying.planned_controls import MOST_CHOICES, MOST_OF_A_BOX
from hiddenweb.querying.query_control import ControlOption, QueryControl
from hiddenweb.querying.value_ranges import ValueRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.model import Field
    from hiddenweb.querying.fillings import Filling, PlacedValues
    from hiddenweb.querying.plan import QueryPlan
    from hiddenweb.querying.planned_controls import PlannedControl
    from hiddenweb.querying.query import Choice
    from hiddenweb.querying.query_control import Kind

BETWEEN = ".."
"""The text between the two ends of a window."""

_KINDS: dict[str, Kind] = {"select": "select", "radio": "radio", "checkbox": "checkboxes"}

_IN_RANGES = 0.3
"""How informative a range is compared with the best select, whose 5 to 40 options count 1; a guess, and a limit of taste."""

_IN_ENDS = 0.1
"""How informative a single end of a range is compared with the best select; a guess, and a limit of taste."""

_A_FEW = 5
"""Options from which a control divides the records well; a limit of taste."""

_MANY = 40
"""Options up to which it does: more would cost more queries than they are worth; a limit of taste."""


class _QueriedControl(NamedTuple):
    """A control, and what the plan has for it."""

    control: QueryControl
    planned: PlannedControl | ValueRange


def controls_of(plan: QueryPlan) -> tuple[QueryControl, ...]:
    """Return the controls of a form that queries use, except its box for words."""
    return tuple(queried.control for queried in _list_queried(plan))


def filling_of(plan: QueryPlan, words: Sequence[str], choices: Iterable[Choice]) -> Filling:
    """Return what a form is filled in with for a query; a choice that it does not have is a ValueError."""
    planned_by_name = {queried.control.name: queried.planned for queried in _list_queried(plan)}
    placed: PlacedValues = {}
    if words:
        if plan.query_box is None:
            raise ValueError(
                f"{plan.form.page_url}: its form takes no words, but the query has {' '.join(words)!r}"
            )
        placed[plan.query_box] = " ".join(words)
    for name, value in choices:
        if name not in planned_by_name:
            raise ValueError(f"{plan.form.page_url}: its form has no control {name!r} to choose {value!r} in")
        placed |= _find_places(plan, planned_by_name[name], value)
    return filling(plan, placed)


def choices_in(plan: QueryPlan, filled: Iterable[tuple[str, str]]) -> tuple[Choice, ...]:
    """Return the choices of a submission, by the names and values in the ledger."""
    values: dict[str, list[str]] = {}
    for name, value in filled:
        values.setdefault(name, []).append(value)
    chosen = (
        (queried.control, _chosen_value(plan, queried.planned, values)) for queried in _list_queried(plan)
    )
    return tuple((control.name, value) for control, value in chosen if value)


def _list_queried(plan: QueryPlan) -> Iterator[_QueriedControl]:
    ends = {at for pair in plan.ranges for at in (pair.low, pair.high)}
    names = Counter(planned.name for planned in plan.controls)
    for at, planned in enumerate(plan.controls):
        if at in ends or not planned.name:
            continue
        name = planned.name if names[planned.name] == 1 else f"{planned.name} ({planned.places[0] + 1})"
        control = _control(plan, planned, name)
        if control is not None:
            yield _QueriedControl(control, planned)
    for pair in plan.ranges:
        if (control := _control_of_range(plan, pair)) is not None:
            yield _QueriedControl(control, pair)


def _control(plan: QueryPlan, planned: PlannedControl, name: str) -> QueryControl | None:
    first = plan.form.fields[planned.places[0]]
    is_group = first.kind in _KINDS
    values = [value.text for value in planned.values]
    must = planned.must and planned.value in values
    if planned.role == "never" or not values or not (must or _is_useful(plan, planned, is_group=is_group)):
        return None
    texts = _texts_of(plan, planned)
    offered = tuple(
        ControlOption(value, texts.get(value, value))
        for value in values[: MOST_CHOICES if is_group else MOST_OF_A_BOX]
    )
    kind: Kind = _KINDS[first.kind] if is_group and not range_end(first) else "box"
    return QueryControl(name, kind, offered, planned.label, must, _guess_informative(len(offered), first))


def _is_useful(plan: QueryPlan, planned: PlannedControl, *, is_group: bool) -> bool:
    """Say whether an optional control is worth using in queries."""
    if is_group:
        return len(planned.values) > 1
    return plan.query_box is None and planned.informative > 0 and planned.role in ("empty", "typed", "fixed")


def _guess_informative(options: int, first: Field) -> float:
    """Guess how informative a control is, before any answer: five to forty options are better than two or hundreds."""
    if range_end(first):
        return _IN_ENDS
    return min(options / _A_FEW, 1.0) if options <= _MANY else max(_MANY / options, 0.3)


def _texts_of(plan: QueryPlan, planned: PlannedControl) -> dict[str, str]:
    """Return the texts of the options of a group, by their values."""
    fields = [plan.form.fields[place] for place in planned.places]
    if fields[0].kind == "select":
        return {option.value: option.text for option in fields[0].options}
    return {each.value: each.label for each in fields if each.kind in _KINDS}


def _find_places(plan: QueryPlan, planned: PlannedControl | ValueRange, value: str) -> PlacedValues:
    if not isinstance(planned, ValueRange):
        return place_value(plan.form, planned, value)
    low, high = _ends(value)
    return {
        plan.controls[planned.low].places[0]: low,
        plan.controls[planned.high].places[0]: high,
    }


def _chosen_value(plan: QueryPlan, planned: PlannedControl | ValueRange, values: dict[str, list[str]]) -> str:
    """Return the value that a control was given, or nothing; a value that the form always sends is no choice."""
    if not isinstance(planned, ValueRange):
        offered = {value.text for value in planned.values}
        return next((value for value in values.get(planned.name, ()) if value in offered), "")
    ends = [values.get(plan.controls[at].name, [""]) for at in (planned.low, planned.high)]
    low, high = ends[0][0], ends[1][-1]
    return f"{low}{BETWEEN}{high}" if low and high and (low, high) != planned.widest else ""


# Ranges


def _control_of_range(plan: QueryPlan, pair: ValueRange) -> QueryControl | None:
    low, high = plan.controls[pair.low], plan.controls[pair.high]
    if len(pair.windows) < 2:
        return None
    options = tuple(ControlOption(BETWEEN.join(window), " to ".join(window)) for window in pair.windows)
    box = plan.form.fields[low.places[0]]
    pattern = FORMATS.get(box.kind) or type_of(box, plan.form.language).format or "%Y-%m-%d"
    is_number = pair.type in ("number", "price", "year")
    split = _halves_of_numbers if is_number else partial(_halves_of_days, pattern=pattern)
    name = f"{low.name}{BETWEEN}{high.name}"
    return QueryControl(name, "range", options, low.label, informative=_IN_RANGES, split=split)


def _ends(window: str) -> tuple[str, str]:
    low, _, high = window.partition(BETWEEN)
    return low, high


def _halves_of_numbers(window: str) -> tuple[str, str] | None:
    """Split a window of numbers.

    >>> _halves_of_numbers("1990..1999"), _halves_of_numbers("7..7")
    (('1990..1994', '1995..1999'), None)
    """
    low, high = map(parse_number, _ends(window))
    if low is None or high is None or low != int(low) or high != int(high) or low >= high:
        return None
    middle = (int(low) + int(high)) // 2
    return f"{as_text(low)}{BETWEEN}{middle}", f"{middle + 1}{BETWEEN}{as_text(high)}"


def _halves_of_days(window: str, *, pattern: str) -> tuple[str, str] | None:
    """Split a window of days in a date format.

    >>> _halves_of_days("2001-01-01..2001-01-04", pattern="%Y-%m-%d")
    ('2001-01-01..2001-01-02', '2001-01-03..2001-01-04')
    """
    try:
        low, high = (_day(end, pattern) for end in _ends(window))
    except ValueError:
        return None
    middle = low + (high - low) // 2
    following = middle + timedelta(days=1)
    while following <= high and format_date(following, pattern) == format_date(middle, pattern):
        following += timedelta(days=1)  # a format of months alone is not split inside a month
    if following > high:
        return None
    ends = [format_date(day, pattern) for day in (low, middle, following, high)]
    return f"{ends[0]}{BETWEEN}{ends[1]}", f"{ends[2]}{BETWEEN}{ends[3]}"


def _day(text: str, pattern: str) -> date:
    return datetime.strptime(text, pattern).date()  # noqa: DTZ007
