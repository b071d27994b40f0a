"""Extraction by example: texts that a person pasted from a page, and where they stand on it.

This is the beginning of the reverse algorithm (Akbar and Handoko): a person pastes the text of the region of interest and of each attribute in it, with a name, never source
code. The texts are found in spite of inline tags, entities, white space, case and the kind of quotation marks, as a complete text or as a part of one that
does not begin or end within a word ("Author: Jane Smith"). Paths, patterns and templates are derived from there.

A text may stand in several places, or nowhere. `find_example` reports that, with the candidates, before anything is learnt.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hiddenweb.html.texts import PageText, PageTexts

_LONGEST_TEXT = 60  # characters of a text in a message; a limit of taste


_MOST_PLACES = 60  # of one text on a page; a limit of taste


_UNSPACED = 0x2E80  # from this code point on most scripts have no spaces between words


Kind = Literal["page", "list"]


KINDS: tuple[Kind, ...] = get_args(Kind)
"""The kinds of pages: about one record, or a list of many."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a person wants from the pages of a site: the text of a region on one page, and of each attribute in it."""

    site: str
    text: str = ""  # of the region of interest; empty: the whole page
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()  # names, each with its values on that page
    page: str = ""  # the address it was pasted from
    name: str = ""  # of the extractor
    kind: Kind | None = None  # of the page; None: it is detected


@dataclass(frozen=True, slots=True)
class PastedPlace:
    """Where a pasted text stands: the index of the text of the page (pieces first, then wholes), and the characters."""

    index: int
    start: int
    end: int
    is_all: bool  # the text has nothing else


@dataclass(frozen=True, slots=True)
class PlaceCandidate:
    """A place of a pasted text for people: the text it stands in, and the text before."""

    text: str
    before: str
    is_all: bool  # the text has nothing else


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text of an attribute and its places: those in the region, if there are any."""

    attribute: str
    text: str
    candidates: tuple[PlaceCandidate, ...]
    is_spread: bool = False  # it spans several blocks, so no single text of the page holds it

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
    """What was found of an example on a page."""

    span: (
        tuple[int, int] | None
    )  # the first and the last piece of the region, if its text was given and found
    texts: tuple[FoundText, ...]
    is_missing: bool = False  # the text of the region was not found

    def problems(self) -> list[str]:
        """Return a sentence for every missing or ambiguous text."""
        missing = [
            f"{each.attribute}: {_short(each.text)} "
            + (
                "is spread over several parts of the page: show each of them"
                if each.is_spread
                else "is nowhere on the page"
            )
            for each in self.texts
            if each.is_missing
        ]
        ambiguous = [
            f"{each.attribute}: {_short(each.text)} is in {len(each.candidates)} places: "
            + "; ".join(_describe_candidate(candidate) for candidate in each.candidates[:5])
            for each in self.texts
            if each.is_ambiguous
        ]
        region = ["the text of the region is nowhere on the page"] if self.is_missing else []
        return region + missing + ambiguous


def find_example(page: PageTexts, example: Example) -> FoundExample:
    """Return where the texts of an example stand on a page."""
    span = span_of(example.text, page) if example.text else None
    texts = tuple(
        _find_text(page, name, text, span) for name, values in example.attributes for text in values
    )
    return FoundExample(span, texts, bool(example.text) and span is None)


def example_to_json(example: Example) -> dict[str, object]:
    """Return an example as values for JSON."""
    return {**asdict(example), "attributes": [[name, list(texts)] for name, texts in example.attributes]}


def example_from_json(read: Mapping[str, Any]) -> Example:
    """Return the example that `example_to_json` returned."""
    return Example(
        str(read["site"]),
        str(read["text"]),
        tuple((str(name), tuple(map(str, texts))) for name, texts in read["attributes"]),
        str(read["page"]),
        str(read["name"]),
        next((kind for kind in KINDS if kind == read.get("kind")), None),
    )


def places_of(pasted: str, page: PageTexts) -> list[PastedPlace]:
    """Return all places of a pasted text; a whole only if none of its pieces has the complete text."""
    wanted = fold_text(pasted)
    if not wanted:
        return []
    without_spaces = "".join(wanted.split())
    found: list[PastedPlace] = []
    covered: set[int] = set()
    for index, text in enumerate(page.all()):
        if index >= len(page.pieces) and not covered.isdisjoint(range(text.first, text.last + 1)):
            continue
        place = _place_in(text, index, wanted, without_spaces)
        if place:
            found.append(place)
            covered.update(range(text.first, text.last + 1))
        if len(found) == _MOST_PLACES:
            break
    return found


def span_of(pasted: str, page: PageTexts) -> tuple[int, int] | None:
    """Return the first and the last piece of a text that may span several elements."""
    wanted = "".join(fold_text(pasted).split())
    if not wanted:
        return None
    squeezed = ["".join(piece.folded.split()) for piece in page.pieces]
    start = "".join(squeezed).find(wanted)
    if start < 0:
        return None
    first = last = -1
    at = 0
    for index, text in enumerate(squeezed):
        if first < 0 and at + len(text) > start:
            first = index
        at += len(text)
        if at >= start + len(wanted):
            last = index
            break
    return first, last


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
    return repr(text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…")


def _describe_candidate(candidate: PlaceCandidate) -> str:
    after = f" after {_short(candidate.before)}" if candidate.before else " at the beginning"
    return after.strip() if candidate.is_all else f"in {_short(candidate.text)}{after}"


def _place_in(text: PageText, index: int, wanted: str, without_spaces: str) -> PastedPlace | None:
    if text.folded == wanted:
        return PastedPlace(index, 0, len(text.text), True)
    if len(text.folded) < len(without_spaces):
        return None
    if len(text.folded) <= len(wanted) and "".join(text.folded.split()) == without_spaces:
        return PastedPlace(index, 0, len(text.text), True)
    if wanted not in text.folded:
        return None
    for match in _loose_pattern(wanted).finditer(text.text if len(text.text) < 5_000 else text.text[:5_000]):
        if _is_word_boundary(text.text, match.start()) and _is_word_boundary(text.text, match.end()):
            return PastedPlace(index, match.start(), match.end(), False)
    return None


@lru_cache(maxsize=256)
def _loose_pattern(wanted: str) -> re.Pattern[str]:
    """Return a pattern for the spellings of a folded text."""
    parts = (re.escape(word) for word in wanted.split())
    pattern = (
        r"\s+".join(parts).replace("'", "['‘’‚ʼ`´]").replace('"', '["“”„«»]').replace(r"\-", "[-‐‑‒–—−]")
    )
    return re.compile(pattern, re.IGNORECASE)


def _is_word_boundary(text: str, at: int) -> bool:
    """Return whether a place of a text is not inside a word."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    if not (before.isalnum() and after.isalnum()):
        return True
    return ord(before) >= _UNSPACED or ord(after) >= _UNSPACED
