"""What each control of a form is given, and why: see `hiddenweb.querying.plan`.

Never filled in: invisible controls, those that ask to be left empty, and personal ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from hiddenweb.forms.field_types import (
    is_required,
    range_end,
    reason_to_leave_empty,
    type_of,
)
from hiddenweb.forms.query_box import is_searched_by
from hiddenweb.forms.value_limits import fits
from hiddenweb.language.phrase_matcher import PhraseMatcher
from hiddenweb.querying.labelled_values import LabelledValue, LabelledValueSet
from hiddenweb.querying.option_groups import (
    OptionGroup,
    any_option,
    groups,
    label_of_group,
    largest_page,
    real_options,
    setting,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.model import Field, Form

Role = Literal["keyword box", "choice", "typed", "fixed", "empty", "never"]
"""The role of a control: it gets keywords; a choice; a value; keeps its value; stays empty; is never filled in."""
MOST_CHOICES = 100
"""The most choices of a control that are tried: a limit of taste."""

MOST_OF_A_BOX = 20
"""The most values of a box that are tried: a limit of taste."""

_BUTTONS = frozenset({"submit", "image", "button", "reset", "output", "fieldset", "object"})

_A_FEW = 5
"""Options from which a control divides the records well; a limit of taste."""

_A_FEW_DOZEN = 40
"""Options up to which it does; a limit of taste."""

_IN_BOXES = 0.4
"""How informative a box is compared with a select with as many options; a guess, and a limit of taste."""

_IN_TICKS = 0.5
"""How informative checkboxes are compared with a select with as many options; a guess, and a limit of taste."""


@dataclass(frozen=True, slots=True)
class PlannedControl:
    """What one control is given; radio buttons of one name are one control, and so are checkboxes of one name.

    `value` is what it must be given, None for a control that keeps its value. `values` is what it could be given.
    """

    name: str
    label: str
    role: Role
    why: str
    places: tuple[int, ...]  # in `form.fields`
    values: tuple[LabelledValue, ...] = ()
    value: str | None = None
    must: bool = False  # it has to have a value
    known_label: str = ""  # its label in the value set: for succeeded and failed
    informative: float = 0.0  # 0: it is not worth querying by


def plan_controls(
    form: Form, query_box: int | None, values: LabelledValueSet, insists: bool
) -> Iterator[PlannedControl]:
    """Yield what each control is given, groups of controls first."""
    for group in groups(form):
        yield _plan_group(group, insists)
    for place, control in enumerate(form.fields):
        if control.kind in _BUTTONS or (
            control.kind in ("select", "radio", "checkbox") and not control.disabled and control.name
        ):
            continue
        yield _plan_box(form, place, values, is_query_box=place == query_box)


def _plan_box(form: Form, place: int, values: LabelledValueSet, *, is_query_box: bool) -> PlannedControl:
    box = form.fields[place]
    planned = PlannedControl(box.name, box.label, "empty", "", (place,))
    if refusal := _refusal(box, form.language, is_query_box=is_query_box):
        is_sent = box.name and not box.disabled
        must = bool(is_sent and is_required(box)) and not reason_to_leave_empty(box)
        return replace(planned, role="never", why=refusal, must=must or is_query_box)
    if is_query_box:
        return replace(planned, role="keyword box", why="it takes the words we search for")
    if box.kind == "hidden" or box.readonly:
        return replace(planned, role="fixed", why=f"{_unchangeable(box)}; it keeps {box.value!r}")
    matches = values.lookup(box, language=form.language)
    planned = replace(planned, values=matches.values, known_label=matches.label)
    required = is_required(box)
    if box.value.strip() and fits(box.value, box):
        informative = _informative_box(planned)
        return replace(
            planned, role="fixed", why=f"it already has the value {box.value!r}", informative=informative
        )
    if box.kind in ("range", "color"):
        return replace(planned, role="fixed", why="a browser always sends a value for it")
    if not required:
        why = f"it need not be filled in; {matches.why}"
        return replace(planned, why=why, informative=_informative_box(planned))
    best = matches.values[0].text if matches.values else None
    role: Role = "typed" if best is not None else "empty"
    why = f"{required}; {matches.why}"
    return replace(planned, role=role, why=why, value=best, must=True, informative=_informative_box(planned))


def _refusal(box: Field, language: str, *, is_query_box: bool) -> str:
    """Return why a box is never filled in, or nothing."""
    if box.disabled:
        return "it is disabled: nothing is sent"
    if not box.name:
        return "it has no name: nothing is sent"
    if box.kind == "hidden":
        return ""
    wanted = type_of(box, language)
    if wanted.personal and not (is_query_box and is_searched_by(box, wanted)):
        return f"it is personal ({wanted.name}): {wanted.why}"
    if is_query_box:
        return ""
    if why := reason_to_leave_empty(box):
        return f"it may be a trap for programs: {why}"
    return "it takes a text of its own" if box.kind == "textarea" else ""


def _unchangeable(box: Field) -> str:
    return "it is hidden" if box.kind == "hidden" else "the page does not let anybody change it"


def _informative_box(planned: PlannedControl) -> float:
    return _IN_BOXES * min(len(planned.values), MOST_OF_A_BOX) / MOST_OF_A_BOX


def _plan_group(group: OptionGroup, insists: bool) -> PlannedControl:
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
        planned = replace(planned, why="it is invisible on the page", values=())
    else:
        planned = replace(
            planned,
            why=_choices_in_words(group, choices),
            informative=_informative_group(group, len(options)),
        )
    if why := _why_required(group) or (_why_choose(group, planned) if insists else ""):
        return _choose(replace(planned, must=True), group, why)
    if planned.why and not planned.values:
        return planned
    return replace(
        planned, why=f"it stays on {_default_in_words(group)}; {planned.why}", label=label or first.label
    )


def _why_required(group: OptionGroup) -> str:
    """Return why a group must be given a choice, or nothing."""
    if any(group.default):
        return ""
    required = next(filter(None, (is_required(control) for control in group.fields)), "")
    if required and group.kind == "checkboxes" and len(group.fields) > 1:
        return ""  # a browser requires each of them, which is never meant
    return required


def _why_choose(group: OptionGroup, planned: PlannedControl) -> str:
    """Return why a group is given a choice after the form came again without one, or nothing."""
    has_no_choice = not any(group.default) and group.kind != "checkboxes" and planned.values
    return "the form came again when nothing was chosen" if has_no_choice else ""


def _choose(planned: PlannedControl, group: OptionGroup, required: str) -> PlannedControl:
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
    examples = ", ".join(repr(texts.get(value.text) or value.text) for value in choices[:3])
    more = f" and {len(choices) - 3} more" if len(choices) > 3 else ""
    return f"it offers {examples}{more}" if choices else "it offers no choice that restricts anything"


def _default_in_words(group: OptionGroup) -> str:
    texts = {option.value: option.text for option in group.options}
    texts_chosen = [repr(texts.get(value) or value) for value in group.default]
    return ", ".join(texts_chosen) if texts_chosen else "no choice"


def _informative_group(group: OptionGroup, choices: int) -> float:
    """Guess how informative a group is: most with five to forty choices; two are few, a thousand need too many queries."""
    if choices < 1 or (choices == 1 and group.kind != "select"):
        return 0.0
    if range_end(group.fields[0]):
        return 0.1  # its answers contain each other
    score = min(choices / _A_FEW, 1.0) if choices <= _A_FEW_DOZEN else max(_A_FEW_DOZEN / choices, 0.3)
    return 0.4 + 0.6 * score if group.kind != "checkboxes" else _IN_TICKS * score


_CONSENT = PhraseMatcher.from_lexicon("boxes.consent")
