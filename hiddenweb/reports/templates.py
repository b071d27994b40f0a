"""How templates and what happened to them are told to people and to programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.extraction.bartree import bar_tree
from hiddenweb.extraction.extractor import Extractor, UnreadableExtractor
from hiddenweb.extraction.extractor_store import ALARM, PUT_OFF
from hiddenweb.extraction.template_paths import REGION, bars_from_json
from hiddenweb.reports.bartree_plot import bars_lines
from hiddenweb.reports.changes import time_shown
from hiddenweb.reports.extraction import quote_name, state_shown, table
from hiddenweb.reports.printable import quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hiddenweb.extraction.bartree import BarTree
    from hiddenweb.extraction.extractor_store import StoredExtractor, TemplateEvent
    from hiddenweb.store.extractors import ExtractorStore

_MAX_EVENT = 60  # characters of an event, in a list; a limit of taste
_MAX_PAGES = 5  # pages on which the new place of something is searched for; a limit of taste


@dataclass(frozen=True, slots=True)
class AlarmReport:
    """An alarm, and what became of it."""

    kept: StoredExtractor
    alarm: TemplateEvent | None  # None: it was put off without one
    since: tuple[TemplateEvent, ...]  # repaired, proposed, accepted or put off, in this order
    is_open: bool
    old: BarTree | None
    new: BarTree | None
    page: str  # one that looks new

    @property
    def proof(self) -> TemplateEvent | None:
        """What says how well a new pattern finds what was known, the last of these."""
        return next((event for event in reversed(self.since) if event.detail.get("by_attribute")), None)


# Templates


def template_facts(kept: StoredExtractor, last: TemplateEvent | None) -> dict[str, Any]:
    """Return how the template of a source is, for programs."""
    source = kept.extractor
    return {
        "name": kept.name, "site": kept.domain, "state": kept.state, "why": kept.why,
        "learnt_from": source.learnt_from if source else 0, "is_watched": bool(source and source.is_watched),
        "deviating": _deviating(source) if source else 0, "of": len(source.watch.last) if source else 0,
        "last_event": event_facts(kept.name, last) if last else None,
    }  # fmt: skip


def template_lines(templates: Sequence[tuple[StoredExtractor, TemplateEvent | None]]) -> Iterator[str]:
    """Yield a table of templates, for people."""
    head = ["extractor", "state", "learnt from", "last pages", "last event"]
    yield from table(head, [_row(kept, last) for kept, last in templates])


def _row(kept: StoredExtractor, last: TemplateEvent | None) -> list[str]:
    source = kept.extractor
    seen = len(source.watch.last) if source else 0
    told = f"{time_shown(last.at)} {last.kind}" if last else "none"
    return [
        kept.name,
        state_shown(kept.state),
        quantity(source.learnt_from, "page") if source else "nothing yet",
        f"{_deviating(source)} of {seen} deviate" if source and seen else "none since",
        told,
    ]


def _deviating(source: Extractor) -> int:
    return sum(seen.deviation is not None for seen in source.watch.last)


# Events


def event_facts(name: str, event: TemplateEvent) -> dict[str, Any]:
    """Return something that happened, for programs; without the pattern of a proposal, which is long."""
    detail = {key: value for key, value in event.detail.items() if key != "source"}
    return {"extractor": name, "at": event.at, "kind": event.kind, "summary": event.summary, "detail": detail}


def event_lines(events: Sequence[tuple[str, TemplateEvent]]) -> Iterator[str]:
    """Yield what happened, for people."""
    rows = [[time_shown(event.at), name, event.kind, event.summary] for name, event in events]
    yield from table(["when", "extractor", "what", "how"], rows)


# Alarms


def alarms_of(
    sources: ExtractorStore, kept: StoredExtractor, *, with_closed: bool = False
) -> list[AlarmReport]:
    """Return the open alarm of a source, if there is one; or all that it ever had, the newest first."""
    is_open = kept.state in (ALARM, PUT_OFF)
    if not is_open and not with_closed:
        return []
    groups: list[list[TemplateEvent]] = []
    for event in reversed(sources.events(kept.number)):
        if event.kind == "alarm":
            groups.append([event])
        elif groups and event.kind != "learnt":
            groups[-1].append(event)
    if not groups:
        return [AlarmReport(kept, None, (), True, None, None, "")] if is_open else []
    groups.reverse()
    return [
        _alarm_report(sources, kept, group, is_open=is_open and group is groups[0])
        for group in (groups if with_closed else groups[:1])
    ]


def _alarm_report(
    sources: ExtractorStore, kept: StoredExtractor, events: Sequence[TemplateEvent], *, is_open: bool
) -> AlarmReport:
    alarm, *since = events
    pages: list[int] = alarm.detail.get("pages", [])
    old, new = (bars_from_json(alarm.detail.get(key)) for key in ("old", "new"))
    if old is not None and new is None:
        new = _find_again(sources, kept, alarm, since)
    example = next((url for _, url, _ in sources.layouts(pages[-1:])), "")
    return AlarmReport(kept, alarm, tuple(since), is_open, old, new, example)


def _find_again(
    sources: ExtractorStore, kept: StoredExtractor, alarm: TemplateEvent, since: Sequence[TemplateEvent]
) -> BarTree | None:
    """Return the bar-tree of what was gone, where the pattern that was proposed or taken over finds it."""
    source = _newer_source(kept, since)
    if source is None:
        return None
    path = (alarm.detail.get("finding") or {}).get("path")
    for _, _, layout in sources.layouts(alarm.detail.get("pages", [])[-_MAX_PAGES:]):
        paths = source.read(layout).paths
        node = paths.region if path is None else paths.attributes.get(path)
        if node is not None:
            return bar_tree(paths.skeleton, node)
    return None


def _newer_source(kept: StoredExtractor, since: Sequence[TemplateEvent]) -> Extractor | None:
    for event in reversed(since):
        if event.kind in ("repaired", "accepted"):
            return kept.extractor
        if "source" in event.detail:
            try:
                return Extractor.from_json(event.detail["source"])
            except UnreadableExtractor:
                return None
    return None


def alarm_facts(told: AlarmReport) -> dict[str, Any]:
    """Return an alarm and what became of it, for programs."""
    alarm = told.alarm
    return {
        "extractor": told.kept.name, "site": told.kept.domain, "state": told.kept.state, "is_open": told.is_open,
        "at": alarm.at if alarm else None, "summary": alarm.summary if alarm else told.kept.why,
        "kind": alarm.detail.get("kind") if alarm else None,
        "finding": alarm.detail.get("finding") if alarm else None,
        "decision": alarm.detail.get("decision") if alarm else None,
        "old": _bars_facts(told.old), "new": _bars_facts(told.new), "page": told.page or None,
        "since": [event_facts(told.kept.name, event) for event in told.since],
        "next": list(next_steps(told)),
    }  # fmt: skip


def alarm_lines(told: AlarmReport, *, blocks: bool) -> Iterator[str]:
    """Yield an alarm and what became of it, for people: what changed and where, both bar-trees, the proof of a repair, what to do."""
    kept, alarm = told.kept, told.alarm
    now = state_shown(kept.state) if told.is_open else "over"
    if alarm is None:
        yield f"{kept.name} ({kept.domain}): {now}"
        yield f"    {kept.why}"
    else:
        yield f"{kept.name} ({kept.domain}): {now}; noticed {time_shown(alarm.at)}"
        yield f"    {alarm.summary}"
        if alarm.detail.get("kind") == "template":
            yield f"    the bar-tree says: {alarm.detail.get('decision')}"
        if told.page:
            yield f"    such as {told.page}"
        yield from (f"    {line}" for line in _both_lines(told, blocks=blocks))
    for event in told.since:
        yield f"    {time_shown(event.at)} {event.kind}: {event.summary}"
    if told.proof is not None:
        yield from (f"        {line}" for line in _proof_lines(told.proof.detail))
    yield from (f"    next: {step}" for step in next_steps(told))


def _both_lines(told: AlarmReport, *, blocks: bool) -> Iterator[str]:
    if told.old is not None:
        yield "before:"
        yield from (f"  {line}" for line in bars_lines(told.old, blocks=blocks))
    if told.new is not None:
        yield "now (> where it differs):"
        yield from (f"  {line}" for line in bars_lines(told.new, told.old, blocks=blocks))
    elif told.old is not None:
        yield "now: it is not found any more"


def _proof_lines(detail: Mapping[str, Any]) -> Iterator[str]:
    rows = [[str(cell) for cell in row] for row in detail["by_attribute"]]
    yield from table(["attribute", "known", "found by the old", "by the new"], rows)


def next_steps(told: AlarmReport) -> Iterator[str]:
    """Yield what a person can do about an open alarm."""
    if not told.is_open:
        return
    name = quote_name(told.kept.name)
    again = f"scrapy extract add URL --name {name} --attr NAME=TEXT shows the attributes again"
    if told.kept.state == PUT_OFF:
        yield f"{again}; scrapy extract remove {name} removes it"
    elif any(event.kind == "proposed" for event in told.since):
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


def bars_now(sources: ExtractorStore, kept: StoredExtractor) -> tuple[str, list[tuple[str, BarTree]]]:
    """Return the bar-trees of a source with their names, and what they are: before and after an open alarm, or the region's as it was learnt."""
    for told in alarms_of(sources, kept):
        trees = [(name, tree) for name, tree in (("before", told.old), ("now", told.new)) if tree is not None]
        if trees and told.alarm is not None:
            return f"{kept.name}: {told.alarm.summary}", trees
    watched = kept.extractor.watch.watched.get(REGION) if kept.extractor else None
    if watched is None or not watched.variants:
        return "", []
    most = max(watched.variants.values(), key=lambda variant: variant.pages)
    return f"{kept.name}: the region on {quantity(most.pages, 'page')}", [("the region", most.example.bars)]
