"""An extractor learnt from an example: a preview on other pages, for people and for programs, and saving it."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hiddenweb.extraction.examples import find_example
from hiddenweb.extraction.extractor import CannotLearn, learn_extractor
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.extraction.template_watch import LEAST_PAGES
from hiddenweb.reports.extraction import (
    NoSuchThing,
    attributes_in_words,
    preview_facts,
    preview_lines,
    quote_name,
    types_of,
)
from hiddenweb.reports.printable import quantity
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hiddenweb.extraction.examples import Example
    from hiddenweb.extraction.extractor import Extraction, Extractor
    from hiddenweb.extraction.extractor_store import StoredExtractor
    from hiddenweb.extraction.template_paths import Deviation
    from hiddenweb.html.layout import PageLayout

PREVIEWED = 10
"""Pages of a preview. A limit of taste."""


@dataclass(frozen=True, slots=True)
class LearnedExample:
    """An extractor learnt from an example, and what it would extract from other pages."""

    region: Example
    extractor: Extractor
    problems: tuple[str, ...]
    preview: tuple[tuple[str, Extraction], ...]
    strangers: tuple[str, ...]  # pages at its addresses that are of another kind
    replaces: bool  # an extractor of this name exists


def learn_example(
    extractors: ExtractorStore | None, region: Example, layout: PageLayout, problems: Sequence[str]
) -> LearnedExample:
    """Return what is learnt from an example; raises CannotLearn if its texts are not on the page."""
    found = find_example(layout.texts, region)
    if found.is_missing or any(text.is_missing for text in found.texts):
        raise CannotLearn("\n".join(problems))
    others = extractors.other_pages(region.page) if extractors is not None else []
    extractor = learn_extractor(region, layout, others)
    readings = [(url, extractor.read(other)) for url, other in others if extractor.wants(url)]
    members = [each for each in readings if each[1].is_member]
    return LearnedExample(
        replace(region, kind=extractor.kind),  # as the person sees it before it is saved
        extractor,
        tuple(problems),
        tuple(members[:PREVIEWED]),
        tuple(url for url, reading in readings if not reading.is_member),
        extractors is not None and bool(extractors.all(name=region.name)),
    )


def lines_of_example(learned: LearnedExample) -> Iterator[str]:
    """Yield what was learnt, for people."""
    extractor = learned.extractor
    yield from (f"note: {problem}" for problem in learned.problems)
    if learned.problems:
        yield "note: if the wrong place is chosen below, --roi with more of the text around the right one says which one is meant"
    what = "each entry of its lists" if extractor.kind == "list" else "each page"
    yield f"{attributes_in_words(extractor)} of {what}, learnt from {quantity(extractor.learnt_from, 'page')} at {extractor.addresses}"
    if lost := [name for name, _ in learned.region.attributes if name not in extractor.attributes]:
        yield f"note: {', '.join(lost)} could not be learnt"
    if not learned.preview:
        yield "No other page of this kind is in the state, so nothing can be shown of others."
        return
    yield f"What it extracts from {quantity(len(learned.preview), 'other page')}:"
    yield from (f"  {line}" for line in preview_lines(extractor, learned.preview))
    if learned.strangers:
        yield (
            f"Of another kind, and skipped: {quantity(len(learned.strangers), 'page')} at such addresses,"
            f" such as {learned.strangers[0]}"
        )


def facts_of_example(learned: LearnedExample) -> dict[str, Any]:
    """Return what was learnt, for programs."""
    extractor = learned.extractor
    return {
        "name": learned.region.name, "site": learned.region.site, "page": learned.region.page, "kind": extractor.kind,
        "attributes": types_of(extractor), "addresses": str(extractor.addresses), "learnt_from": extractor.learnt_from,
        "is_watched": extractor.is_watched, "problems": list(learned.problems), "replaces": learned.replaces,
        "preview": [preview_facts(extractor, url, reading) for url, reading in learned.preview],
        "of_another_kind": list(learned.strangers),
    }  # fmt: skip


def save_example(folder: Path, learned: LearnedExample) -> int:
    """Save an extractor; return from how many stored pages it extracted."""
    with Store(folder) as state:
        return ExtractorMaintenance(ExtractorStore(state)).add(learned.region, learned.extractor, time.time())


def lines_of_saving(learned: LearnedExample, pages: int) -> Iterator[str]:
    """Yield what was saved, and what to do next."""
    name = learned.region.name
    instead = ", in place of the one of that name" if learned.replaces else ""
    yield f"{name} was saved{instead}, and has extracted from {quantity(pages, 'stored page')}: scrapy extract show {quote_name(name)}"
    if not learned.extractor.is_watched:
        yield f"Its template is watched when there are {LEAST_PAGES} pages: scrapy crawl explore -a sites={origin(learned.region.page)}/"


def require_extractor(stored: StoredExtractor) -> Extractor:
    """Return the extractor that was learnt; raises NoSuchThing if there is none yet."""
    if stored.extractor is None:
        raise NoSuchThing(f"{stored.name}: nothing was learnt yet: it waits for {stored.example.page}")
    return stored.extractor


def deviation_of(extractor: Extractor, reading: Extraction) -> Deviation | None:
    """Return how a page deviates, if it belongs to the extractor and deviates."""
    if not extractor.is_watched or not (reading.is_member or extractor.is_pure):
        return None
    return extractor.watch.deviation(reading.paths)


def load_layouts(
    extractors: ExtractorStore, domain: str, extractor: Extractor
) -> list[tuple[str, PageLayout]]:
    """Return the newest stored pages of an extractor."""
    newest = extractors.pages_at(domain, extractor.addresses)[-PREVIEWED:]
    return [(url, layout) for _, url, layout in extractors.layouts(newest)]
