"""What each control of a form is given, and why; then the questions that follow from it.

A form with a query box is asked words, and everything else stays as it stands: each further restriction hides records. Only
what must have a value gets one: a select that stands on "please choose" gets the choice that means any, or else a real one; a
required box gets a value of its type or its label; both ends of a required range get its widest extent. And where the number of results on
a page can be chosen, the largest page is, for it needs the fewest requests.

A form without a query box is asked by its other controls. As Madhavan et al. (2008) start, single controls come first, the
most informative one before the others, then pairs of them. How informative a control is they measure by the answers; before
there are any we guess by its choices: five to forty are better than two or a thousand, and settings (order, number of results,
the language of the page) never count. A range is one control: its questions are windows that do not overlap, latest first.

A single box that the page has ticked is unticked: what we did not choose is not sent.

Never filled in: what nobody sees, what asks to be left empty, what is personal. A form that requires such a control cannot be
filled, and the plan says so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice, pairwise, product
from math import prod
from typing import TYPE_CHECKING, Literal

from hiddenweb.forms.field_types import (
    FORMATS,
    TEXT_KINDS,
    FieldType,
    asks_to_be_left_empty,
    is_required,
    range_end,
    type_of,
    words_in,
)
from hiddenweb.language.phrase_matcher import PhraseMatcher
from hiddenweb.language.phrases import SEARCH
from hiddenweb.querying.builtin_values import EARLIEST, as_number, as_text, step_of, written_date
from hiddenweb.querying.labelled_values import LabelledValue, fits
from hiddenweb.querying.option_groups import (
    any_option,
    groups,
    label_of_group,
    largest_page,
    real_options,
    setting,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from random import Random

    from hiddenweb.model import Field, Form
    from hiddenweb.querying.labelled_values import LabelledValueSet
    from hiddenweb.querying.option_groups import OptionGroup

Role = Literal["keyword box", "choice", "typed", "fixed", "empty", "never"]
"""What becomes of a control: it gets keywords; a choice; a value; stays as it stands; stays empty; is never filled in."""

Filling = dict[str, "str | tuple[str, ...]"]
"""Names of controls and what they are given; several values of one name are a tuple."""

MOST_QUESTIONS = 200
MOST_CHOICES = 100
MOST_OF_A_BOX = 20
MOST_WINDOWS = 12
MOST_PAIRED = 3  # controls that are combined

_BUTTONS = frozenset({"submit", "image", "button", "reset", "output", "fieldset", "object"})
_RANGED = frozenset({"date", "datetime", "year", "month of a year", "number", "price", "time", "week"})
_ANYBODYS = frozenset({"name", "address", "message"})  # words that also stand at boxes to search by
_WORDS_FOR_ONE_THING = 4
_A_FEW, _A_FEW_DOZEN = 5, 40
_IN_BOXES, _IN_RANGES, _IN_TICKS = (
    0.4,
    0.3,
    0.5,
)  # how informative they are beside a select with as many choices


@dataclass(frozen=True, slots=True)
class PlannedControl:
    """What one control is given; radio buttons of one name are one control, and so are checkboxes of one name.

    `value` is what it must be given, None for a control that stays as it stands. `values` is what it could be given.
    """

    name: str
    label: str
    role: Role
    why: str
    places: tuple[int, ...]  # in `form.fields`
    values: tuple[LabelledValue, ...] = ()
    value: str | None = None
    must: bool = False  # it has to have a value
    known_label: str = ""  # under which the value set keeps its values: for succeeded and failed
    informative: float = 0.0  # 0: it is not worth asking by


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """What every control of a form is given, and what stands in the way."""

    form: Form
    query_box: int | None
    controls: tuple[PlannedControl, ...]
    ranges: tuple[ValueRange, ...] = ()
    obstacles: tuple[str, ...] = ()

    @property
    def can_be_filled(self) -> bool:
        """Say whether every control that must have a value has one."""
        return not self.obstacles


@dataclass(frozen=True, slots=True)
class ValueRange:
    """The two ends of a range, by their places in `QueryPlan.controls`, and the windows to ask for, latest first."""

    low: int
    high: int
    windows: tuple[tuple[str, str], ...] = ()
    widest: tuple[str, str] = ("", "")
    type: str = ""
    informative: float = field(default=_IN_RANGES)


def plan(form: Form, query_box: int | None, values: LabelledValueSet, *, insists: bool = False) -> QueryPlan:
    """Return what each control of a form would be given; `query_box` is the place of the box that takes keywords.

    A form that insists on more than it says has whatever stands on nothing chosen.
    """
    controls = sorted(_planned(form, query_box, values, insists), key=lambda control: control.places)
    ranges = _join_ranges(form, controls, values)
    if query_box is not None:
        controls = [replace(control, informative=0.0) for control in controls]
    obstacles = tuple(_obstacles(controls, query_box, bool(ranges)))
    return QueryPlan(form, query_box, tuple(controls), tuple(ranges), obstacles)


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


# What each control is given


def _planned(
    form: Form, query_box: int | None, values: LabelledValueSet, insists: bool
) -> Iterator[PlannedControl]:
    for group in groups(form):
        yield _planned_group(group, insists)
    for place, control in enumerate(form.fields):
        if control.kind in _BUTTONS or (
            control.kind in ("select", "radio", "checkbox") and not control.disabled and control.name
        ):
            continue
        yield _planned_box(form, place, values, is_query_box=place == query_box)


def _planned_box(form: Form, place: int, values: LabelledValueSet, *, is_query_box: bool) -> PlannedControl:
    box = form.fields[place]
    planned = PlannedControl(box.name, box.label, "empty", "", (place,))
    if refusal := _refusal(box, form.language, is_query_box=is_query_box):
        is_sent = box.name and not box.disabled
        must = bool(is_sent and is_required(box)) and not asks_to_be_left_empty(box)
        return replace(planned, role="never", why=refusal, must=must or is_query_box)
    if is_query_box:
        return replace(planned, role="keyword box", why="it takes the words we search for")
    if box.kind == "hidden" or box.readonly:
        return replace(planned, role="fixed", why=f"{_unchangeable(box)}; it keeps {box.value!r}")
    found = values.lookup(box, language=form.language)
    planned = replace(planned, values=found.values, known_label=found.label)
    required = is_required(box)
    if box.value.strip() and fits(box.value, box):
        informative = _informative_box(planned)
        return replace(
            planned, role="fixed", why=f"it stands on {box.value!r} already", informative=informative
        )
    if box.kind in ("range", "color"):
        return replace(planned, role="fixed", why="a browser always sends a value for it")
    if not required:
        why = f"it need not be filled in; {found.why}"
        return replace(planned, why=why, informative=_informative_box(planned))
    best = found.values[0].text if found.values else None
    role: Role = "typed" if best is not None else "empty"
    why = f"{required}; {found.why}"
    return replace(planned, role=role, why=why, value=best, must=True, informative=_informative_box(planned))


def personal_query_box(box: Field, language: str) -> str:
    """Return why a box is personal even though it takes the words of a search, or nothing."""
    wanted = type_of(box, language)
    return f"{wanted.name}, for {wanted.why}" if wanted.personal and not _searches_by(box, wanted) else ""


def _refusal(box: Field, language: str, *, is_query_box: bool) -> str:
    """Return why nothing is ever filled in, or nothing."""
    if box.disabled:
        return "it is disabled: nothing is sent"
    if not box.name:
        return "it has no name: nothing is sent"
    if box.kind == "hidden":
        return ""
    wanted = type_of(box, language)
    if wanted.personal and not (is_query_box and _searches_by(box, wanted)):
        return f"it is personal ({wanted.name}): {wanted.why}"
    if is_query_box:
        return ""
    if why := asks_to_be_left_empty(box):
        return f"it may be a trap for programs: {why}"
    return "it takes a text of its own" if box.kind == "textarea" else ""


def _searches_by(box: Field, wanted: FieldType) -> bool:
    """Say whether words of people at a query box say what it searches for: "Search by name", "Title, e-mail or phone number"."""
    if box.kind not in TEXT_KINDS or box.autocomplete.lower() not in ("", "off", "on"):
        return False
    lists_things = len(words_in(box.label)) > _WORDS_FOR_ONE_THING
    return (
        wanted.name in _ANYBODYS
        or lists_things
        or bool(SEARCH.find_words(f"{box.label} | {box.placeholder}"))
    )


def _unchangeable(box: Field) -> str:
    return "it is hidden" if box.kind == "hidden" else "the page does not let anybody change it"


def _informative_box(planned: PlannedControl) -> float:
    return _IN_BOXES * min(len(planned.values), MOST_OF_A_BOX) / MOST_OF_A_BOX


def _planned_group(group: OptionGroup, insists: bool) -> PlannedControl:
    first = group.fields[0]
    label = label_of_group(group)
    options = real_options(group)
    source = f"a choice of the {group.kind}"
    choices = tuple(LabelledValue(option.value, 1.0, source) for option in options[:MOST_CHOICES])
    planned = PlannedControl(group.name, label, "fixed", "", group.places, choices, known_label=label)
    if (page := largest_page(group)) is not None:
        why = f"{setting(group)}; with {page.text!r} on a page the fewest requests are needed"
        return replace(planned, role="choice", why=why, values=(), value=page.value, must=True)
    if why := setting(group):
        planned = replace(planned, why=why, values=())
    elif all(control.unseen for control in group.fields):
        planned = replace(planned, why="nobody who looks at the page sees it", values=())
    else:
        planned = replace(
            planned,
            why=_choices_in_words(group, choices),
            informative=_informative_group(group, len(options)),
        )
    if why := _must_be_chosen(group) or (_may_be_wanted(group, planned) if insists else ""):
        return _chosen(replace(planned, must=True), group, why)
    if planned.why and not planned.values:
        return planned
    return replace(
        planned, why=f"it stays on {_default_in_words(group)}; {planned.why}", label=label or first.label
    )


def _must_be_chosen(group: OptionGroup) -> str:
    """Return why a group has to be given a choice that it does not have yet, or nothing."""
    if any(group.default):
        return ""
    required = next(filter(None, (is_required(control) for control in group.fields)), "")
    if required and group.kind == "checkboxes" and len(group.fields) > 1:
        return ""  # a browser asks for each of them alone, and nobody means that
    return required


def _may_be_wanted(group: OptionGroup, planned: PlannedControl) -> str:
    """Return why a group is given a choice where the form came again without one, or nothing."""
    stands_on_nothing = not any(group.default) and group.kind != "checkboxes" and planned.values
    return "the form came again when it stood on nothing" if stands_on_nothing else ""


def _chosen(planned: PlannedControl, group: OptionGroup, required: str) -> PlannedControl:
    """Return the plan for a group that must be chosen: the choice that means any, if it is sent, or the first real one."""
    if group.kind == "checkboxes" and (word := _CONSENT.find_words(group.fields[0].label)):
        return replace(
            planned,
            role="never",
            why=f"{required}, and ticking it consents to something: {word!r}",
            values=(),
        )
    open_choice = any_option(group)
    if open_choice is not None and open_choice.value:
        why = f"{required}; {open_choice.text!r} means no restriction"
        return replace(planned, role="choice", value=open_choice.value, why=why)
    choices = planned.values or tuple(
        LabelledValue(option.value, 1.0, "a choice") for option in real_options(group)[:MOST_CHOICES]
    )
    if not choices:
        return replace(planned, role="empty", why=f"{required}; it offers no choice")
    return replace(
        planned,
        role="choice",
        values=choices,
        value=choices[0].text,
        why=f"{required}; {_choices_in_words(group, choices)}",
    )


def _choices_in_words(group: OptionGroup, choices: Sequence[LabelledValue]) -> str:
    texts = {option.value: option.text for option in group.options}
    shown = ", ".join(repr(texts.get(value.text) or value.text) for value in choices[:3])
    more = f" and {len(choices) - 3} more" if len(choices) > 3 else ""
    return f"it offers {shown}{more}" if choices else "it offers no choice that restricts anything"


def _default_in_words(group: OptionGroup) -> str:
    texts = {option.value: option.text for option in group.options}
    shown = [repr(texts.get(value) or value) for value in group.default]
    return ", ".join(shown) if shown else "no choice"


def _informative_group(group: OptionGroup, choices: int) -> float:
    """Guess how much a group tells: most with five to forty choices; two tell little, a thousand ask for too much."""
    if choices < 1 or (choices == 1 and group.kind != "select"):
        return 0.0
    if range_end(group.fields[0]):
        return 0.1  # its answers contain each other
    score = min(choices / _A_FEW, 1.0) if choices <= _A_FEW_DOZEN else max(_A_FEW_DOZEN / choices, 0.3)
    return 0.4 + 0.6 * score if group.kind != "checkboxes" else _IN_TICKS * score


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
        yield "it has neither a query box nor a control that is worth asking by"


# Ranges


def _join_ranges(form: Form, controls: list[PlannedControl], values: LabelledValueSet) -> list[ValueRange]:
    """Find the controls that are the two ends of a range, and give them coherent values."""
    ranges = []
    for low, high in pairwise(
        at for at, control in enumerate(controls) if control.role in ("empty", "typed")
    ):
        wanted = _type_of_pair(form, controls[low], controls[high])
        if wanted is None:
            continue
        boxes = form.fields[controls[low].places[0]], form.fields[controls[high].places[0]]
        found = ValueRange(low, high, *_windows(boxes, wanted, values), wanted.name)
        if found.windows:
            ranges.append(found)
            controls[low] = _with_end(controls[low], "lower", found.widest[0], wanted)
            controls[high] = _with_end(controls[high], "upper", found.widest[1], wanted)
    return ranges


def _type_of_pair(form: Form, first: PlannedControl, second: PlannedControl) -> FieldType | None:
    low, high = form.fields[first.places[0]], form.fields[second.places[0]]
    if (range_end(low), range_end(high)) != ("from", "to"):
        return None
    types = [type_of(low, form.language), type_of(high, form.language)]
    known = [wanted for wanted in types if wanted.name in _RANGED]
    if not known or any(wanted.name and wanted.name != known[0].name for wanted in types):
        return None
    return known[0]


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
    """Return a window inside the limits that controls set in its own form; empty when nothing is left of it."""
    lowest, highest = boxes[0].minimum, boxes[1].maximum
    low = max(window[0], lowest) if len(lowest) == len(window[0]) and lowest[0].isdigit() else window[0]
    high = min(window[1], highest) if len(highest) == len(window[1]) and highest[0].isdigit() else window[1]
    if boxes[0].kind in TEXT_KINDS or boxes[1].kind in TEXT_KINDS:
        return window
    return (low, high) if low <= high else ("", "")


def _number_windows(boxes: tuple[Field, Field]) -> tuple[list[tuple[str, str]], tuple[str, str]]:
    low, high = as_number(boxes[0].minimum), as_number(boxes[1].maximum or boxes[0].maximum)
    if low is None or high is None or high <= low:
        start = low or 0.0
        ends = [start + size for size in (10, 100, 1_000, 10_000, 100_000, 1_000_000)]
        starts = [start, *(end + 1 for end in ends[:-1])]
        windows = [(as_text(first), as_text(last)) for first, last in zip(starts, ends, strict=True)]
        fitting = [window for window in windows if all(map(fits, window, boxes))]
        return windows, (as_text(start), (fitting or windows)[-1][1])
    step = step_of(boxes[0])
    steps = max(int((high - low) / step), 1)
    many = min(steps, MOST_WINDOWS)
    marks = [round(steps * at / many) for at in range(many + 1)]
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
    form = "%Y" if wanted.name == "year" else FORMATS.get(boxes[0].kind) or wanted.format or "%Y-%m-%d"
    windows = []
    last = today.year
    for size in (1, 1, 1, 2, 5, 10, 20, 30, 50)[:MOST_WINDOWS]:
        first = max(last - size + 1, EARLIEST)
        ends = today.replace(year=first, month=1, day=1), today.replace(year=last, month=12, day=31)
        windows.append((written_date(ends[0], form), written_date(ends[1], form)))
        last = first - 1
    return windows, (written_date(today.replace(year=EARLIEST, month=1, day=1), form), windows[0][1])


# Questions


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


def planned_of(plan: QueryPlan, place: int) -> PlannedControl | None:
    """Return what is planned for the control at a place of the form."""
    return next((control for control in plan.controls if place in control.places), None)


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


_CONSENT = PhraseMatcher.from_lexicon("boxes.consent")
