"""How sources, and what they find on pages, are told to people and to programs."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from hiddenweb.language.shortening import shorten
from hiddenweb.reports.changes import safe
from hiddenweb.reports.printable import quantity
from hiddenweb.urls import host

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hiddenweb.extraction.extractor import Extraction, Extractor
    from hiddenweb.extraction.extractor_store import Extracted, StoredExtractor
    from hiddenweb.extraction.template_paths import Deviation
    from hiddenweb.store.extractors import ExtractorStore

    Values = Mapping[str, Sequence[str]]

NONE = "(none)"
"""Stands where a page lacks an attribute."""

_MAX_COLUMN = 32  # characters of a column; a limit of taste
_MAX_PAGE_COLUMN = 44  # characters of the column of pages; a limit of taste
_MAX_ENTRIES = 3  # entries of a list that are shown of each page; a limit of taste
_MAX_FINDINGS = 3  # findings that are shown; a limit of taste


class NoSuchThing(LookupError):
    """Something that was named is not there; the message says what."""


# Sources


def load_extractor(sources: ExtractorStore, name: str) -> StoredExtractor:
    """Return the source with a name; raises NotThere."""
    found = sources.all(name=name)
    if not found:
        names = ", ".join(kept.name for kept in sources.all())
        raise NoSuchThing(
            f"there is no extractor {name!r}; " + (f"there are {names}" if names else "there is none yet")
        )
    return found[0]


def source_facts(kept: StoredExtractor, pages: int, entries: int) -> dict[str, Any]:
    """Return what is known of a source, for programs."""
    source = kept.extractor
    return {
        "name": kept.name, "site": kept.domain, "made_by": kept.origin, "form": kept.form, "state": kept.state,
        "why": kept.why, "added": kept.added, "page": kept.example.page, "text": kept.example.text,
        "shown": {name: list(texts) for name, texts in kept.example.attributes},
        "kind": source.kind if source else None,
        "attributes": types_of(source) if source else {name: None for name, _ in kept.example.attributes},
        "addresses": str(source.addresses) if source else None,
        "learnt_from": source.learnt_from if source else 0, "repairs": source.repairs if source else 0,
        "pages": pages, "entries": entries,
    }  # fmt: skip


def source_lines(kept: StoredExtractor, pages: int, entries: int) -> Iterator[str]:
    """Yield what is known of a source, for people."""
    yield f"{kept.name}: {kept.domain}, made by a {kept.origin}, {state_shown(kept.state)}"
    source = kept.extractor
    if source is None:
        yield f"    {', '.join(name for name, _ in kept.example.attributes)}; shown on {kept.example.page}"
    else:
        what = "entries of lists" if source.kind == "list" else "one record a page"
        yield f"    {attributes_shown(source)}; {what}"
        yield (
            f"    at {source.addresses}; learnt from {quantity(source.learnt_from, 'page')};"
            f" {quantity(entries, 'entry')} extracted from {quantity(pages, 'page')}"
        )
    if kept.why:
        yield f"    {kept.why}"


def state_shown(state: str) -> str:
    """Return what a source is doing, in words."""
    return {
        "waiting": "waits for its page",
        "learning": "watched when there are ten pages",
        "alarm": "its template has changed",
        "put_off": "suspended",
    }.get(state, state)


def types_of(source: Extractor) -> dict[str, str | None]:
    """Return the attributes of a source, each with the type of its values, if that is known."""
    return {name: source.types.get(name) for name in source.attributes}


def attributes_shown(source: Extractor) -> str:
    """Return the attributes of a source and their types, in words."""
    return ", ".join(f"{name} ({kind})" if kind else name for name, kind in types_of(source).items())


# What is found on pages


def preview_facts(source: Extractor, url: str, reading: Extraction) -> dict[str, Any]:
    """Return what a source finds on a page, for programs."""
    return {
        "page": url,
        "is_member": reading.is_member,
        "entries": [_values(source, entry.values) for entry in reading.entries],
        "missing": [name for name in source.attributes if name not in reading.filled],
    }


def preview_lines(source: Extractor, pages: Sequence[tuple[str, Extraction]]) -> Iterator[str]:
    """Yield a table of what a source finds on pages, and how often it finds each attribute."""
    rows = [
        [page_shown(url) if not at else "", *_cells(source, entry.values)]
        for url, reading in pages
        for at, entry in enumerate(reading.entries[:_MAX_ENTRIES])
    ]
    yield from table(["page", *source.attributes], rows)
    if more := sum(max(0, len(reading.entries) - _MAX_ENTRIES) for _, reading in pages):
        yield f"and {quantity(more, 'entry')} of these pages are not shown"
    if pages:
        found = ", ".join(
            f"{name} on {sum(name in reading.filled for _, reading in pages)}" for name in source.attributes
        )
        yield f"Found: {found}, of {quantity(len(pages), 'page')}."


def facts_of_test(
    source: Extractor, url: str, reading: Extraction, deviation: Deviation | None
) -> dict[str, Any]:
    """Return what a source finds on a page and how that page deviates, for programs."""
    return preview_facts(source, url, reading) | {
        "types": types_of(source),
        "is_at_its_address": source.wants(url),
        "deviates": [str(finding) for finding in deviation.findings] if deviation else [],
        "decision": deviation.decision.value if deviation else None,
    }


def lines_of_test(
    source: Extractor, url: str, reading: Extraction, deviation: Deviation | None
) -> Iterator[str]:
    """Yield what a source finds on a page and how that page deviates, for people."""
    yield url
    if not source.wants(url):
        yield f"    is at no address of this extractor, which are {source.addresses}"
    if not reading.is_member:
        yield "    does not match the extractor: nothing would be extracted"
    name_width = max(map(len, source.attributes), default=0)
    types = types_of(source)
    type_width = max((len(kind) for kind in types.values() if kind), default=0)
    for at, entry in enumerate(reading.entries):
        if source.kind == "list":
            yield f"    {at + 1}."
        for name, kind in types.items():
            said = "; ".join(entry.values.get(name, ())) or NONE
            yield f"    {name:<{name_width}}  {kind or '':<{type_width}}  {shorten(said, 200)}"
    if deviation is not None:
        yield f"    deviates, {deviation.decision.value}:"
        yield from (f"        {finding}" for finding in deviation.findings[:_MAX_FINDINGS])
        if (more := len(deviation.findings) - _MAX_FINDINGS) > 0:
            yield f"        and {more} more"


# What was taken


def facts_of_extraction(name: str, source: Extractor | None, entry: Extracted) -> dict[str, Any]:
    """Return what was taken from a page as one record, for programs."""
    return {
        "extractor": name,
        "page": entry.url,
        "place": entry.place or None,
        "at": entry.at,
        "deviates": entry.deviates,
        "attributes": {key: list(values) for key, values in entry.attributes.items()},
        "types": {key: source.types.get(key) for key in entry.attributes} if source else {},
        "typed": {
            key: [_value(source, key, raw) for raw in values] for key, values in entry.attributes.items()
        }
        if source
        else {},
    }


def _value(source: Extractor, name: str, raw: str) -> object:
    """Return what a value says, if that is more than a text and can be read."""
    read = source.parse_value(name, raw)
    return read.value if read is not None else None


def lines_of_extraction(names: Sequence[str], entries: Iterable[Extracted]) -> Iterator[str]:
    """Yield a table of what was taken; a page that looked different is marked."""
    rows = [
        [
            page_shown(entry.url) + (" >" if entry.deviates else ""),
            *(
                shorten(safe("; ".join(entry.attributes.get(name, ()))), _MAX_COLUMN) or NONE
                for name in names
            ),
        ]
        for entry in entries
    ]
    yield from table(["page", *names], rows)
    if any(row[0].endswith(" >") for row in rows):
        yield "> the page differed from those that the extractor was learnt from"


# Tables


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield lines in which columns stand below each other; none if there are no rows.

    >>> list(table(["page", "price"], [["/item/1", "12.50"], ["/item/22", "3"]]))
    ['page      price', '/item/1   12.50', '/item/22  3']
    """
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def page_shown(url: str) -> str:
    """Return an address without its host, which a table of one site need not repeat.

    >>> page_shown("http://books.example:8000/item/5?a=1")
    '/item/5?a=1'
    """
    name = host(url)
    _, _, rest = url.partition(name) if name else ("", "", url)
    return shorten(safe(f"/{rest.partition('/')[2]}"), _MAX_PAGE_COLUMN)


def quote_name(name: str) -> str:
    """Return a name as it is typed.

    >>> quote_name("books"), quote_name("books.example form 3")
    ('books', "'books.example form 3'")
    """
    return shlex.quote(name)


def _values(source: Extractor, values: Values) -> dict[str, list[str]]:
    return {name: list(values.get(name, ())) for name in source.attributes}


def _cells(source: Extractor, values: Values) -> list[str]:
    return [shorten(safe("; ".join(values.get(name, ()))), _MAX_COLUMN) or NONE for name in source.attributes]
