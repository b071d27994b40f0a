"""The controls of a form that are the two ends of a range, and matching values for them: windows that do not overlap."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import (
    FORMATS,
    TEXT_KINDS,
    FieldType,
    range_end,
    type_of,
)
from hiddenweb.forms.value_limits import fits, parse_number, step_of
from hiddenweb.querying.builtin_values import EARLIEST, as_text, format_date

if TYPE_CHECKING:
    from hiddenweb.model import Field, Form
    from hiddenweb.querying.labelled_values import LabelledValueSet
    from hiddenweb.querying.planned_controls import PlannedControl

MOST_WINDOWS = 12
"""The most windows of a range that are tried: a limit of taste."""

_RANGED = frozenset({"date", "datetime", "year", "month of a year", "number", "price", "time", "week"})

_IN_RANGES = 0.3
"""How informative a range is compared with a select with as many options; a guess, and a limit of taste."""


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The two ends of a range, by their places in `QueryPlan.controls`, and the windows to submit, latest first."""

    low: int
    high: int
    windows: tuple[tuple[str, str], ...] = ()
    widest: tuple[str, str] = ("", "")
    type: str = ""
    informative: float = field(default=_IN_RANGES)


def join_ranges(form: Form, controls: list[PlannedControl], values: LabelledValueSet) -> list[ValueRange]:
    """Find the controls that are the two ends of a range, and give them matching values."""
    ranges = []
    for low, high in pairwise(
        at for at, control in enumerate(controls) if control.role in ("empty", "typed")
    ):
        wanted = _type_of_pair(form, controls[low], controls[high])
        if wanted is None:
            continue
        boxes = form.fields[controls[low].places[0]], form.fields[controls[high].places[0]]
        value_range = ValueRange(low, high, *_windows(boxes, wanted, values), wanted.name)
        if value_range.windows:
            ranges.append(value_range)
            controls[low] = _with_end(controls[low], "lower", value_range.widest[0], wanted)
            controls[high] = _with_end(controls[high], "upper", value_range.widest[1], wanted)
    return ranges


def _type_of_pair(form: Form, first: PlannedControl, second: PlannedControl) -> FieldType | None:
    low, high = form.fields[first.places[0]], form.fields[second.places[0]]
    if (range_end(low), range_end(high)) != ("from", "to"):
        return None
    types = [type_of(low, form.language), type_of(high, form.language)]
    ranged = [wanted for wanted in types if wanted.name in _RANGED]
    if not ranged or any(wanted.name and wanted.name != ranged[0].name for wanted in types):
        return None
    return ranged[0]


def _with_end(control: PlannedControl, end: str, text: str, wanted: FieldType) -> PlannedControl:
    why = f"it is the {end} end of a range of the type {wanted.name}; {control.why}"
    if not control.must:
        return replace(control, why=why, informative=0.0)
    return replace(control, role="typed", value=text, why=why, informative=0.0)


def _windows(
    boxes: tuple[Field, Field], wanted: FieldType, values: LabelledValueSet
) -> tuple[tuple[tuple[str, str], ...], tuple[str, str]]:
    """Return windows of a range that do not overlap, latest or lowest first, and its whole extent."""
    is_number = wanted.name in ("number", "price")
    windows, widest = _number_windows(boxes) if is_number else _time_windows(boxes, wanted, values)
    clipped = [window if is_number else _clipped(window, boxes) for window in (*windows, widest)]
    *fitting, extent = (
        window
        if window[0] and all(fits(*each, wanted) for each in zip(window, boxes, strict=True))
        else ("", "")
        for window in clipped
    )
    usable = tuple(window for window in fitting if window[1])
    if not extent[1] and usable:
        extent = (usable[0][0], usable[-1][1]) if is_number else (usable[-1][0], usable[0][1])
    return usable or ((extent,) if extent[1] else ()), extent


def _clipped(window: tuple[str, str], boxes: tuple[Field, Field]) -> tuple[str, str]:
    """Return a window cut to the limits of its controls; empty if nothing is left of it."""
    lowest, highest = boxes[0].minimum, boxes[1].maximum
    low = max(window[0], lowest) if len(lowest) == len(window[0]) and lowest[0].isdigit() else window[0]
    high = min(window[1], highest) if len(highest) == len(window[1]) and highest[0].isdigit() else window[1]
    if boxes[0].kind in TEXT_KINDS or boxes[1].kind in TEXT_KINDS:
        return window
    return (low, high) if low <= high else ("", "")


def _number_windows(boxes: tuple[Field, Field]) -> tuple[list[tuple[str, str]], tuple[str, str]]:
    low, high = parse_number(boxes[0].minimum), parse_number(boxes[1].maximum or boxes[0].maximum)
    if low is None or high is None or high <= low:
        start = low or 0.0
        ends = [start + size for size in (10, 100, 1_000, 10_000, 100_000, 1_000_000)]
        starts = [start, *(end + 1 for end in ends[:-1])]
        windows = [(as_text(first), as_text(last)) for first, last in zip(starts, ends, strict=True)]
        fitting = [window for window in windows if all(map(fits, window, boxes))]
        return windows, (as_text(start), (fitting or windows)[-1][1])
    step = step_of(boxes[0])
    steps = max(int((high - low) / step), 1)
    count = min(steps, MOST_WINDOWS)
    marks = [round(steps * at / count) for at in range(count + 1)]
    windows = [
        (as_text(low + (mark + (at > 0)) * step), as_text(low + following * step))
        for at, (mark, following) in enumerate(pairwise(marks))
    ]
    return windows, (as_text(low), as_text(high))


def _time_windows(
    boxes: tuple[Field, Field], wanted: FieldType, values: LabelledValueSet
) -> tuple[list[tuple[str, str]], tuple[str, str]]:
    if wanted.name in ("time", "week"):
        widest = (
            ("00:00", "23:59") if wanted.name == "time" else ("1990-W01", values.today.strftime("%G-W%V"))
        )
        return [widest], widest
    today = values.today
    pattern = "%Y" if wanted.name == "year" else FORMATS.get(boxes[0].kind) or wanted.format or "%Y-%m-%d"
    windows = []
    last = today.year
    for size in (1, 1, 1, 2, 5, 10, 20, 30, 50)[:MOST_WINDOWS]:
        first = max(last - size + 1, EARLIEST)
        ends = today.replace(year=first, month=1, day=1), today.replace(year=last, month=12, day=31)
        windows.append((format_date(ends[0], pattern), format_date(ends[1], pattern)))
        last = first - 1
    return windows, (format_date(today.replace(year=EARLIEST, month=1, day=1), pattern), windows[0][1])
