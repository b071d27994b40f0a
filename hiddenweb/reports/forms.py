"""Forms with their verdicts, the values they would get, and the reasons; for people and for programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from hiddenweb.forms.submission import resolve_button
from hiddenweb.querying.plan import planned_of
from hiddenweb.reports.printable import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.model import Field, Form, Verdict
    from hiddenweb.querying.plan import QueryPlan
    from hiddenweb.querying.planned_controls import PlannedControl

SHOWN_VALUES = 5
"""Values of a control that are named. A limit of taste."""


@dataclass(frozen=True, slots=True)
class FormReport:
    """A form with its verdict and plan; the numbers are those of the state, if the form is stored there."""

    form: Form
    verdict: Verdict
    plan: QueryPlan
    number: int | None = None
    site: str = ""
    state: str = ""
    state_why: str = ""
    queries: int = 0
    records: int = 0
    topic: float | None = None
    session: str = ""  # why it is submitted with fresh hidden values and cookies

    @property
    def button(self) -> Field | None:
        """The button that would be pressed."""
        return field_at(self.form, self.verdict.button)

    def refuse(self, why: str) -> FormReport:
        """Return the report with one more reason why the form is not submitted."""
        verdict = replace(self.verdict, may_submit=False, refusals=(*self.verdict.refusals, why))
        return replace(self, verdict=verdict)


def form_facts(report: FormReport) -> dict[str, Any]:
    """Return the facts about a form, for programs."""
    form, verdict = resolve_button(report.form, report.button), report.verdict
    box, button = field_at(form, verdict.query_box), report.button
    facts: dict[str, Any] = {
        "form": report.number, "site": report.site, "page": form.page_url, "place": form.place, "source": form.source,
        "action": form.action, "method": form.method, "enctype": form.enctype, "template": form.template or None,
        "kind": verdict.kind, "probability": round(verdict.probability, 4), "searchable": verdict.searchable,
        "may_submit": verdict.may_submit, "why": list(verdict.why), "refusals": list(verdict.refusals),
        "query_box": box.name if box else None, "button": (button.name or button.label) if button else None,
        "needs_browser": form.needs_browser, "topic": report.topic, "state": report.state or None,
        "state_why": report.state_why or None, "queries": report.queries, "records": report.records,
        "step": form.step, "chosen": [list(pair) for pair in form.chosen], "asked_by": form.asked_by,
        "session": report.session or None, "by_hand": verdict.by_hand or None, "overruled": list(verdict.overruled),
    }  # fmt: skip
    facts["fields"] = [
        _field_facts(field, planned_of(report.plan, at)) for at, field in enumerate(form.fields)
    ]
    return facts


def _field_facts(field: Field, planned: PlannedControl | None) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": field.name, "kind": field.kind, "label": field.label, "required": field.required, "value": field.value,
        "unseen": field.unseen, "hints": [asdict(hint) for hint in field.hints],
        "options": [option.text for option in field.options],
    }  # fmt: skip
    if planned is not None:
        facts["plan"] = {
            "role": planned.role, "value": planned.value, "why": planned.why,
            "values": [asdict(value) for value in planned.values[:SHOWN_VALUES]],
        }  # fmt: skip
    return facts


def form_lines(reports: Sequence[FormReport], *, why: bool) -> Iterator[str]:
    """Yield the lines about forms, for people."""
    if not reports:
        yield "No forms."
        return
    site = None
    for each in reports:
        if each.site != site:
            site = each.site
            yield f"{site or 'a page'}:"
        yield from (f"  {line}" for line in _lines_of_form(each, why))
    yield ""
    yield _total_line(reports) + ("" if why else " --why says why.")


def _lines_of_form(report: FormReport, why: bool) -> Iterator[str]:
    form, verdict = resolve_button(report.form, report.button), report.verdict
    name = f"#{report.number}" if report.number is not None else f"form {form.place + 1}"
    declared = "" if form.source == "form" else f" (by {form.source})"
    yield f"{name}{declared}: {verdict.kind}, searches with {verdict.probability:.3f}; {form.method} {form.template or form.action}"
    yield f"    on {form.page_url}"
    if form.step > 1:
        chosen = ", ".join(f"{name} = {value!r}" for name, value in form.chosen)
        yield f"    step {form.step} of a search, after {chosen or 'nothing that was chosen'} (query {form.asked_by})"
    yield f"    {_state_line(report)}"
    if verdict.by_hand:
        yield f"    BY HAND: {'never submitted' if verdict.by_hand == 'never' else verdict.summary}"
    if report.session:
        yield f"    submitted with fresh hidden values, and its cookies if it sets any: {report.session}"
    if report.topic is not None:
        yield f"    fits the topic with {report.topic:.2f}"
    for control in report.plan.controls:
        if control.role != "fixed" or control.informative or why:
            yield f"    {_control_line(form, control, why)}"
    yield from (f"    cannot be filled in: {obstacle}" for obstacle in report.plan.obstacles)
    if why:
        yield from (f"    {_reason_line(reason)}" for reason in verdict.why)
        yield from (f"    not submitted: {reason}" for reason in verdict.refusals)
        if verdict.may_submit and (button := report.button):
            yield f"    would be submitted by its button {button.label or button.name or button.value!r}"
        for field in form.fields:
            also = [f"{hint.text!r} ({hint.where})" for hint in field.hints if hint.text != field.label]
            if also and field.kind not in ("hidden", "submit", "button", "image", "reset"):
                yield f"    {field.name or field.kind} is also called {', '.join(also)}"


def _reason_line(reason: str) -> str:
    against = reason.removeprefix("against that: ")
    return f"although {against}" if against != reason else f"because {reason}"


def _state_line(report: FormReport) -> str:
    if report.state in ("querying", "queried", "done"):
        reason = f": {report.state_why}" if report.state != "querying" and report.state_why else ""
        return f"{report.state}{reason}; {quantity(report.queries, 'query')}, {quantity(report.records, 'record')}"
    if refusals := report.verdict.refusals:
        return f"left alone: {refusals[0]}" + (
            f" (and {quantity(len(refusals) - 1, 'more reason')})" if refusals[1:] else ""
        )
    return "to be submitted" if report.state else "would be submitted"


def _control_line(form: Form, control: PlannedControl, why: bool) -> str:
    first = form.fields[control.places[0]]
    kind, texts = first.kind, {option.value: option.text for option in first.options}
    label_text = f" {control.label!r}" if control.label else ""
    value_text = f" {control.value!r}" if control.value is not None else ""
    values = ", ".join(repr(texts.get(value.text) or value.text) for value in control.values[:SHOWN_VALUES])
    more = f" and {len(control.values) - SHOWN_VALUES} more" if len(control.values) > SHOWN_VALUES else ""
    values_text = f", of {values}{more}" if values else ""
    reason = f" ({control.why})" if why and control.why else ""
    return (
        f"{kind} {control.name or '(no name)'}{label_text}: {control.role}{value_text}{values_text}{reason}"
    )


def _total_line(reports: Sequence[FormReport]) -> str:
    kinds: dict[str, int] = {}
    for each in reports:
        kinds[each.verdict.kind] = kinds.get(each.verdict.kind, 0) + 1
    counted = ", ".join(
        f"{number} {kind}" for kind, number in sorted(kinds.items(), key=lambda item: -item[1])
    )
    allowed = sum(each.verdict.may_submit for each in reports)
    return f"{quantity(len(reports), 'form')} ({counted}); {allowed} may be submitted."


def field_at(form: Form, place: int | None) -> Field | None:
    """Return the field of a form at a place, if there is one."""
    return form.fields[place] if place is not None and place < len(form.fields) else None
