"""Reports on extractors and on what they find on pages, for people and for programs."""

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
_MAX_ENTRIES = 3  # printed entries of the list on each page; a limit of taste
_MAX_FINDINGS = 3  # printed findings; a limit of taste


class NoSuchThing(LookupError):
    """Something that was named does not exist; the message says what."""


# Extractors


def load_extractor(extractors: ExtractorStore, name: str) -> StoredExtractor:
    """Return the extractor with a name; raises NoSuchThing."""
    found = extractors.all(name=name)
    if not found:
        names = ", ".join(stored.name for stored in extractors.all())
        raise NoSuchThing(
            f"there is no extractor {name!r}; " + (f"there are {names}" if names else "there is none yet")
        )
    return found[0]


def extractor_facts(stored: StoredExtractor, pages: int, entries: int) -> dict[str, Any]:
    """Return what is known of an extractor, for programs."""
    extractor = stored.extractor
    return {
        "name": stored.name, "site": stored.domain, "made_by": stored.origin, "form": stored.form, "state": stored.state,
        "why": stored.why, "added": stored.added, "page": stored.example.page, "text": stored.example.text,
        "shown": {name: list(texts) for name, texts in stored.example.attributes},
        "kind": extractor.kind if extractor else None,
        "attributes": types_of(extractor) if extractor else {name: None for name, _ in stored.example.attributes},
        "addresses": str(extractor.addresses) if extractor else None,
        "learnt_from": extractor.learnt_from if extractor else 0, "repairs": extractor.repairs if extractor else 0,
        "pages": pages, "entries": entries,
    }  # fmt: skip


def extractor_lines(stored: StoredExtractor, pages: int, entries: int) -> Iterator[str]:
    """Yield what is known of an extractor, for people."""
    yield f"{stored.name}: {stored.domain}, made by a {stored.origin}, {state_in_words(stored.state)}"
    extractor = stored.extractor
    if extractor is None:
        yield f"    {', '.join(name for name, _ in stored.example.attributes)}; shown on {stored.example.page}"
    else:
        what = "entries of lists" if extractor.kind == "list" else "one record a page"
        yield f"    {attributes_in_words(extractor)}; {what}"
        yield (
            f"    at {extractor.addresses}; learnt from {quantity(extractor.learnt_from, 'page')};"
            f" {quantity(entries, 'entry')} extracted from {quantity(pages, 'page')}"
        )
    if stored.why:
        yield f"    {stored.why}"


def state_in_words(state: str) -> str:
    """Return the state of an extractor in words."""
    return {
        "waiting": "waits for its page",
        "learning": "watched when there are ten pages",
        "alarm": "its template has changed",
        "put_off": "suspended",
    }.get(state, state)


def types_of(extractor: Extractor) -> dict[str, str | None]:
    """Return the attributes of an extractor, each with the type of its values if known."""
    return {name: extractor.types.get(name) for name in extractor.attributes}


def attributes_in_words(extractor: Extractor) -> str:
    """Return the attributes of an extractor and their types, in words."""
    return ", ".join(f"{name} ({kind})" if kind else name for name, kind in types_of(extractor).items())


# What is found on pages


def preview_facts(extractor: Extractor, url: str, reading: Extraction) -> dict[str, Any]:
    """Return what an extractor finds on a page, for programs."""
    return {
        "page": url,
        "is_member": reading.is_member,
        "entries": [_values(extractor, entry.values) for entry in reading.entries],
        "missing": [name for name in extractor.attributes if name not in reading.filled],
    }


def preview_lines(extractor: Extractor, pages: Sequence[tuple[str, Extraction]]) -> Iterator[str]:
    """Yield a table of what an extractor finds on pages, and how often it finds each attribute."""
    rows = [
        [short_address(url) if not at else "", *_cells(extractor, entry.values)]
        for url, reading in pages
        for at, entry in enumerate(reading.entries[:_MAX_ENTRIES])
    ]
    yield from table(["page", *extractor.attributes], rows)
    if more := sum(max(0, len(reading.entries) - _MAX_ENTRIES) for _, reading in pages):
        yield f"and {quantity(more, 'entry')} of these pages are not shown"
    if pages:
        found = ", ".join(
            f"{name} on {sum(name in reading.filled for _, reading in pages)}"
            for name in extractor.attributes
        )
        yield f"Found: {found}, of {quantity(len(pages), 'page')}."


def facts_of_test(
    extractor: Extractor, url: str, reading: Extraction, deviation: Deviation | None
) -> dict[str, Any]:
    """Return what an extractor finds on a page and how that page deviates, for programs."""
    return preview_facts(extractor, url, reading) | {
        "types": types_of(extractor),
        "is_at_its_address": extractor.wants(url),
        "deviates": [str(finding) for finding in deviation.findings] if deviation else [],
        "decision": deviation.decision.value if deviation else None,
    }


def lines_of_test(
    extractor: Extractor, url: str, reading: Extraction, deviation: Deviation | None
) -> Iterator[str]:
    """Yield what an extractor finds on a page and how that page deviates, for people."""
    yield url
    if not extractor.wants(url):
        yield f"    is at no address of this extractor, which are {extractor.addresses}"
    if not reading.is_member:
        yield "    does not match the extractor: nothing would be extracted"
    name_width = max(map(len, extractor.attributes), default=0)
    types = types_of(extractor)
    type_width = max((len(kind) for kind in types.values() if kind), default=0)
    for at, entry in enumerate(reading.entries):
        if extractor.kind == "list":
            yield f"    {at + 1}."
        for name, kind in types.items():
            text = "; ".join(entry.values.get(name, ())) or NONE
            yield f"    {name:<{name_width}}  {kind or '':<{type_width}}  {shorten(text, 200)}"
    if deviation is not None:
        yield f"    deviates, {deviation.decision.value}:"
        yield from (f"        {finding}" for finding in deviation.findings[:_MAX_FINDINGS])
        if (more := len(deviation.findings) - _MAX_FINDINGS) > 0:
            yield f"        and {more} more"


# What was extracted


def facts_of_extraction(name: str, extractor: Extractor | None, entry: Extracted) -> dict[str, Any]:
    """Return what was extracted from a page as one record, for programs."""
    return {
        "extractor": name,
        "page": entry.url,
        "place": entry.place or None,
        "at": entry.at,
        "deviates": entry.deviates,
        "attributes": {key: list(values) for key, values in entry.attributes.items()},
        "types": {key: extractor.types.get(key) for key in entry.attributes} if extractor else {},
        "typed": {
            key: [_value(extractor, key, raw) for raw in values] for key, values in entry.attributes.items()
        }
        if extractor
        else {},
    }


def _value(extractor: Extractor, name: str, raw: str) -> object:
    """Return the typed value, if the attribute has a type and the text can be read."""
    read = extractor.parse_value(name, raw)
    return read.value if read is not None else None


def lines_of_extraction(names: Sequence[str], entries: Iterable[Extracted]) -> Iterator[str]:
    """Yield a table of what was extracted; deviating pages are marked."""
    rows = [
        [
            short_address(entry.url) + (" >" if entry.deviates else ""),
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
    """Yield the lines of a table with aligned columns; none if there are no rows.

    >>> list(table(["page", "price"], [["/item/1", "12.50"], ["/item/22", "3"]]))
    ['page      price', '/item/1   12.50', '/item/22  3']
    """
    if not rows:
        return
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for row in (head, *rows):
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def short_address(url: str) -> str:
    """Return an address without its host, for tables of one site.

    >>> short_address("http://books.example:8000/item/5?a=1")
    '/item/5?a=1'
    """
    name = host(url)
    _, _, rest = url.partition(name) if name else ("", "", url)
    return shorten(safe(f"/{rest.partition('/')[2]}"), _MAX_PAGE_COLUMN)


def quote_name(name: str) -> str:
    """Return a name as it is typed in a shell.

    >>> quote_name("books"), quote_name("books.example form 3")
    ('books', "'books.example form 3'")
    """
    return shlex.quote(name)


def _values(extractor: Extractor, values: Values) -> dict[str, list[str]]:
    return {name: list(values.get(name, ())) for name in extractor.attributes}


def _cells(extractor: Extractor, values: Values) -> list[str]:
    return [
        shorten(safe("; ".join(values.get(name, ()))), _MAX_COLUMN) or NONE for name in extractor.attributes
    ]
