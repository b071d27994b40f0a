"""Reports on templates and their events, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.extraction.bartree import bar_tree
from hiddenweb.extraction.extractor import Extractor, UnreadableExtractor
from hiddenweb.extraction.extractor_store import ALARM, PUT_OFF
from hiddenweb.extraction.template_paths import REGION, bars_from_json
from hiddenweb.reports.bartree_plot import bars_lines
from hiddenweb.reports.changes import utc_time
from hiddenweb.reports.extraction import quote_name, state_in_words, table
from hiddenweb.reports.printable import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hiddenweb.extraction.bartree import BarTree
    from hiddenweb.extraction.extractor_store import StoredExtractor, TemplateEvent
    from hiddenweb.store.extractors import ExtractorStore

_MAX_PAGES = 5  # pages on which the new place of a node is searched for; a limit of taste


@dataclass(frozen=True, slots=True)
class AlarmReport:
    """An alarm, and what became of it."""

    stored: StoredExtractor
    alarm: TemplateEvent | None  # None: the extractor was suspended without one
    since: tuple[TemplateEvent, ...]  # later events: repaired, proposed, accepted or suspended, in this order
    is_open: bool
    old: BarTree | None
    new: BarTree | None
    page: str  # an example with the new template

    @property
    def proof(self) -> TemplateEvent | None:
        """The last event that says how well a new pattern finds the known values."""
        return next((event for event in reversed(self.since) if event.detail.get("by_attribute")), None)


# Templates


def template_facts(stored: StoredExtractor, last: TemplateEvent | None) -> dict[str, Any]:
    """Return the state of the template of an extractor, for programs."""
    extractor = stored.extractor
    return {
        "name": stored.name, "site": stored.domain, "state": stored.state, "why": stored.why,
        "learnt_from": extractor.learnt_from if extractor else 0, "is_watched": bool(extractor and extractor.is_watched),
        "deviating": _deviating(extractor) if extractor else 0, "of": len(extractor.watch.last) if extractor else 0,
        "last_event": event_facts(stored.name, last) if last else None,
    }  # fmt: skip


def template_lines(templates: Sequence[tuple[StoredExtractor, TemplateEvent | None]]) -> Iterator[str]:
    """Yield a table of templates, for people."""
    head = ["extractor", "state", "learnt from", "last pages", "last event"]
    yield from table(head, [_row(stored, last) for stored, last in templates])


def _row(stored: StoredExtractor, last: TemplateEvent | None) -> list[str]:
    extractor = stored.extractor
    watched = len(extractor.watch.last) if extractor else 0
    last_event = f"{utc_time(last.at)} {last.kind}" if last else "none"
    return [
        stored.name,
        state_in_words(stored.state),
        quantity(extractor.learnt_from, "page") if extractor else "nothing yet",
        f"{_deviating(extractor)} of {watched} deviate" if extractor and watched else "none since",
        last_event,
    ]


def _deviating(extractor: Extractor) -> int:
    return sum(seen.deviation is not None for seen in extractor.watch.last)


# Events


def event_facts(name: str, event: TemplateEvent) -> dict[str, Any]:
    """Return an event, for programs; without the pattern of a proposal, which is long."""
    detail = {key: value for key, value in event.detail.items() if key != "source"}
    return {"extractor": name, "at": event.at, "kind": event.kind, "summary": event.summary, "detail": detail}


def event_lines(events: Sequence[tuple[str, TemplateEvent]]) -> Iterator[str]:
    """Yield events, for people."""
    rows = [[utc_time(event.at), name, event.kind, event.summary] for name, event in events]
    yield from table(["when", "extractor", "what", "how"], rows)


# Alarms


def alarms_of(
    extractors: ExtractorStore, stored: StoredExtractor, *, with_closed: bool = False
) -> list[AlarmReport]:
    """Return the open alarm of an extractor, if there is one; or all its alarms, the newest first."""
    is_open = stored.state in (ALARM, PUT_OFF)
    if not is_open and not with_closed:
        return []
    groups: list[list[TemplateEvent]] = []
    for event in reversed(extractors.events(stored.number)):
        if event.kind == "alarm":
            groups.append([event])
        elif groups and event.kind != "learnt":
            groups[-1].append(event)
    if not groups:
        return [AlarmReport(stored, None, (), True, None, None, "")] if is_open else []
    groups.reverse()
    return [
        _alarm_report(extractors, stored, group, is_open=is_open and group is groups[0])
        for group in (groups if with_closed else groups[:1])
    ]


def _alarm_report(
    extractors: ExtractorStore, stored: StoredExtractor, events: Sequence[TemplateEvent], *, is_open: bool
) -> AlarmReport:
    alarm, *since = events
    pages: list[int] = alarm.detail.get("pages", [])
    old, new = (bars_from_json(alarm.detail.get(key)) for key in ("old", "new"))
    if old is not None and new is None:
        new = _find_again(extractors, stored, alarm, since)
    example = next((url for _, url, _ in extractors.layouts(pages[-1:])), "")
    return AlarmReport(stored, alarm, tuple(since), is_open, old, new, example)


def _find_again(
    extractors: ExtractorStore, stored: StoredExtractor, alarm: TemplateEvent, since: Sequence[TemplateEvent]
) -> BarTree | None:
    """Return the bar-tree of the lost node, where the proposed or accepted pattern finds it."""
    extractor = _newer_extractor(stored, since)
    if extractor is None:
        return None
    path = (alarm.detail.get("finding") or {}).get("path")
    for _, _, layout in extractors.layouts(alarm.detail.get("pages", [])[-_MAX_PAGES:]):
        paths = extractor.read(layout).paths
        node = paths.region if path is None else paths.attributes.get(path)
        if node is not None:
            return bar_tree(paths.skeleton, node)
    return None


def _newer_extractor(stored: StoredExtractor, since: Sequence[TemplateEvent]) -> Extractor | None:
    for event in reversed(since):
        if event.kind in ("repaired", "accepted"):
            return stored.extractor
        if "source" in event.detail:
            try:
                return Extractor.from_json(event.detail["source"])
            except UnreadableExtractor:
                return None
    return None


def alarm_facts(report: AlarmReport) -> dict[str, Any]:
    """Return an alarm and what became of it, for programs."""
    alarm = report.alarm
    return {
        "extractor": report.stored.name, "site": report.stored.domain, "state": report.stored.state, "is_open": report.is_open,
        "at": alarm.at if alarm else None, "summary": alarm.summary if alarm else report.stored.why,
        "kind": alarm.detail.get("kind") if alarm else None,
        "finding": alarm.detail.get("finding") if alarm else None,
        "decision": alarm.detail.get("decision") if alarm else None,
        "old": _bars_facts(report.old), "new": _bars_facts(report.new), "page": report.page or None,
        "since": [event_facts(report.stored.name, event) for event in report.since],
        "next": list(next_steps(report)),
    }  # fmt: skip


def alarm_lines(report: AlarmReport, *, blocks: bool) -> Iterator[str]:
    """Yield an alarm and what became of it, for people: what changed and where, both bar-trees, the proof of a repair, next steps."""
    stored, alarm = report.stored, report.alarm
    now = state_in_words(stored.state) if report.is_open else "over"
    if alarm is None:
        yield f"{stored.name} ({stored.domain}): {now}"
        yield f"    {stored.why}"
    else:
        yield f"{stored.name} ({stored.domain}): {now}; noticed {utc_time(alarm.at)}"
        yield f"    {alarm.summary}"
        if alarm.detail.get("kind") == "template":
            yield f"    the bar-tree says: {alarm.detail.get('decision')}"
        if report.page:
            yield f"    such as {report.page}"
        yield from (f"    {line}" for line in _both_lines(report, blocks=blocks))
    for event in report.since:
        yield f"    {utc_time(event.at)} {event.kind}: {event.summary}"
    if report.proof is not None:
        yield from (f"        {line}" for line in _proof_lines(report.proof.detail))
    yield from (f"    next: {step}" for step in next_steps(report))


def _both_lines(report: AlarmReport, *, blocks: bool) -> Iterator[str]:
    if report.old is not None:
        yield "before:"
        yield from (f"  {line}" for line in bars_lines(report.old, blocks=blocks))
    if report.new is not None:
        yield "now (> where it differs):"
        yield from (f"  {line}" for line in bars_lines(report.new, report.old, blocks=blocks))
    elif report.old is not None:
        yield "now: it is not found any more"


def _proof_lines(detail: Mapping[str, Any]) -> Iterator[str]:
    rows = [[str(cell) for cell in row] for row in detail["by_attribute"]]
    yield from table(["attribute", "known", "found by the old", "by the new"], rows)


def next_steps(report: AlarmReport) -> Iterator[str]:
    """Yield what a person can do about an open alarm."""
    if not report.is_open:
        return
    name = quote_name(report.stored.name)
    again = f"scrapy extract add URL --name {name} --attr NAME=TEXT shows the attributes again"
    if report.stored.state == PUT_OFF:
        yield f"{again}; scrapy extract remove {name} removes it"
    elif any(event.kind == "proposed" for event in report.since):
        yield f"scrapy templates accept {name} accepts the new pattern"
    else:
        yield "wait: when pages with known values come, a repair is tried (scrapy crawl revisit -a budget=100)"
        yield f"scrapy templates accept {name}, if scrapy extract test {name} shows that the right values are extracted"
        yield again


def _bars_facts(tree: BarTree | None) -> dict[str, Any] | None:
    if tree is None:
        return None
    return {
        "d_max": tree.d_max, "total": tree.total, "parallel": list(tree.parallel), "before": list(tree.before),
        "widths": list(tree.widths), "sigma_upper": tree.upper.sigma, "sigma_lower": tree.lower.sigma, "delta": tree.delta,
    }  # fmt: skip


# Bar-trees


def bars_now(extractors: ExtractorStore, stored: StoredExtractor) -> tuple[str, list[tuple[str, BarTree]]]:
    """Return a title and named bar-trees of an extractor: before and after an open alarm, or the learnt one of its region."""
    for report in alarms_of(extractors, stored):
        trees = [
            (name, tree) for name, tree in (("before", report.old), ("now", report.new)) if tree is not None
        ]
        if trees and report.alarm is not None:
            return f"{stored.name}: {report.alarm.summary}", trees
    watched = stored.extractor.watch.watched.get(REGION) if stored.extractor else None
    if watched is None or not watched.variants:
        return "", []
    most = max(watched.variants.values(), key=lambda variant: variant.pages)
    return f"{stored.name}: the region on {quantity(most.pages, 'page')}", [("the region", most.example.bars)]
