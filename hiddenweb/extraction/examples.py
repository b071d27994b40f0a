"""Regions of interest: what a person wants to have watched and taken from the pages of a source, as visible text.

This is the beginning of the reverse algorithm (Akbar and Handoko): a person pastes the text of the region and of each attribute in it, with a name, never source
code. The texts are found on the page, whatever tags are inside them, and all that follows (paths, patterns, templates) is worked out from there. It is kept as TOML,
a table for each source:

    [books]
    site = "books.example"
    page = "http://books.example/item/5"     # where it was copied
    text = "The River by Jane Smith ... 12.50"   # the region; without it, the whole page
    kind = "page"                            # the page is about one record; "list": it has many; without it, that is found out

    [books.attributes]
    title = "The River"
    author = ["Jane Smith", "John Doe"]      # several values

A text may stand in several places, or nowhere. `find_example` says so, with the candidates, before anything is learnt from them.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.extraction.example_texts import KINDS, Example, places_of, span_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from hiddenweb.extraction.example_texts import Kind, PastedPlace
    from hiddenweb.html.texts import PageTexts

__all__ = ["BadExampleFile", "Example", "FoundExample", "FoundText", "PlaceCandidate", "examples_to_toml", "find_example", "read_example_file"]  # fmt: skip

_KEYS = ("site", "page", "text", "kind", "attributes")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SHOWN = 60  # characters


class BadExampleFile(ValueError):
    """A file of regions that cannot be read as one; the message names the file and the key."""


@dataclass(frozen=True, slots=True)
class PlaceCandidate:
    """A place where a pasted text stands, as a person can recognise it: the text it stands in, and the one before."""

    text: str
    before: str
    is_all: bool  # nothing else is said there


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text of an attribute, and the places where it stands: in the region, if it stands there at all."""

    attribute: str
    text: str
    candidates: tuple[PlaceCandidate, ...]
    is_spread: bool = False  # it goes over several blocks, so that no text of the page holds it

    @property
    def is_missing(self) -> bool:
        """Whether no text of the page holds it."""
        return not self.candidates

    @property
    def is_ambiguous(self) -> bool:
        """Whether it stands in several places."""
        return len(self.candidates) > 1


@dataclass(frozen=True, slots=True)
class FoundExample:
    """What was found of a region on a page."""

    span: (
        tuple[int, int] | None
    )  # the first and the last piece of text of the region, if it has a text and that was found
    texts: tuple[FoundText, ...]
    is_missing: bool = False  # the text of the region stands nowhere

    def problems(self) -> list[str]:
        """Return a sentence for everything that a person should know: what is missing, and what may be meant otherwise."""
        missing = [
            f"{each.attribute}: {_short(each.text)} "
            + (
                "is spread over several parts of the page: show each of them"
                if each.is_spread
                else "stands nowhere on the page"
            )
            for each in self.texts
            if each.is_missing
        ]
        several = [
            f"{each.attribute}: {_short(each.text)} stands in {len(each.candidates)} places: "
            + "; ".join(_describe_candidate(candidate) for candidate in each.candidates[:5])
            for each in self.texts
            if each.is_ambiguous
        ]
        gone = ["the text of the region stands nowhere on the page"] if self.is_missing else []
        return gone + missing + several


def find_example(page: PageTexts, region: Example) -> FoundExample:
    """Return where the texts of a region stand on a page."""
    span = span_of(region.text, page) if region.text else None
    texts = tuple(_find_text(page, name, text, span) for name, values in region.attributes for text in values)
    return FoundExample(span, texts, bool(region.text) and span is None)


def read_example_file(path: Path) -> tuple[Example, ...]:
    """Return the regions of a file; raises BadRegionFile, which names what is wrong with each of them, line by line."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadExampleFile(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadExampleFile(f"{path}: is no TOML: {error}") from error
    regions, problems = [], []
    for name, table in tables.items():
        try:
            regions.append(_read_example(f"{path}: [{name}]", name, table))
        except BadExampleFile as error:
            problems.append(str(error))
    if problems:
        raise BadExampleFile("\n".join(problems))
    return tuple(regions)


def examples_to_toml(regions: Iterable[Example]) -> str:
    """Return regions as a file of them is written."""
    return "\n".join(_table(region) for region in regions)


def _find_text(page: PageTexts, name: str, text: str, span: tuple[int, int] | None) -> FoundText:
    candidates = tuple(_candidate(page, place) for place in _places(page, text, span))
    return FoundText(name, text, candidates, not candidates and _is_over_several(page, text))


def _is_over_several(page: PageTexts, text: str) -> bool:
    span = span_of(text, page)
    return span is not None and span[0] < span[1]


def _places(page: PageTexts, text: str, span: tuple[int, int] | None) -> list[PastedPlace]:
    places = places_of(text, page)
    exact = [place for place in places if place.is_all] or places
    if span is None:
        return exact
    texts = page.all()
    inside = [
        place for place in exact if span[0] <= texts[place.index].first and texts[place.index].last <= span[1]
    ]
    return inside or exact


def _candidate(page: PageTexts, place: PastedPlace) -> PlaceCandidate:
    text = page.all()[place.index]
    before = page.pieces[text.first - 1].text if text.first else ""
    return PlaceCandidate(text.text, before, place.is_all)


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def _describe_candidate(candidate: PlaceCandidate) -> str:
    after = f" after {_short(candidate.before)}" if candidate.before else " at the beginning"
    return after.strip() if candidate.is_all else f"in {_short(candidate.text)}{after}"


def _read_example(where: str, name: str, table: object) -> Example:
    if not isinstance(table, dict):
        raise BadExampleFile(f"{where} is {table!r}, wanted a table")
    if unknown := table.keys() - set(_KEYS):
        raise BadExampleFile(f"{where} has the key {min(unknown)!r}, wanted some of {', '.join(_KEYS)}")
    attributes = table.get("attributes")
    if not isinstance(attributes, dict) or not attributes:
        raise BadExampleFile(f"{where} attributes is {attributes!r}, wanted a table of names and texts")
    return Example(
        _text(where, table, "site", is_needed=True),
        _text(where, table, "text"),
        tuple((key, _texts(where, key, value)) for key, value in attributes.items()),
        _text(where, table, "page"),
        name,
        _kind(where, table),
    )


def _kind(where: str, table: Mapping[str, object]) -> Kind | None:
    value = table.get("kind")
    for kind in KINDS:
        if value == kind:
            return kind
    if "kind" in table:
        raise BadExampleFile(f"{where} kind is {value!r}, wanted {' or '.join(map(repr, KINDS))}")
    return None


def _text(where: str, table: Mapping[str, object], key: str, *, is_needed: bool = False) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or ((is_needed or key in table) and not value.strip()):
        raise BadExampleFile(f"{where} {key} is {value!r}, wanted a text")
    return value


def _texts(where: str, key: str, value: object) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts:
        raise BadExampleFile(f"{where} attributes.{key} is {value!r}, wanted a text or a list of texts")
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise BadExampleFile(f"{where} attributes.{key} has {text!r}, wanted a text")
    return tuple(texts)


def _table(region: Example) -> str:
    name = _key(region.name or region.site)
    lines = [f"[{name}]", f"site = {_quote(region.site)}"]
    said = (("page", region.page), ("text", region.text), ("kind", region.kind))
    lines += [f"{key} = {_quote(value)}" for key, value in said if value]
    lines += ["", f"[{name}.attributes]"]
    for attribute, texts in region.attributes:
        written = _quote(texts[0]) if len(texts) == 1 else f"[{', '.join(map(_quote, texts))}]"
        lines.append(f"{_key(attribute)} = {written}")
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quote(name)


def _quote(text: str) -> str:
    """Return a text as a basic string of TOML, which escapes as JSON does, and DEL too; halves of characters cannot be written."""
    return json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007F")
