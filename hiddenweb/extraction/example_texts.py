"""What a person pasted from a page, and where it stands there.

People paste what they see. It is found in spite of inline tags, entities, white space, case and the kind of quotation marks; as a text of its own, or as a part
of one that does not begin or end within a word ("Author: Jane Smith").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from hiddenweb.html.texts import fold_text

if TYPE_CHECKING:
    from hiddenweb.html.texts import PageText, PageTexts

Kind = Literal["page", "list"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What a page can be: about one record, or a list of many."""

_MOST_PLACES = 60
_UNSPACED = 0x2E80  # from here on scripts mostly write no spaces between words


@dataclass(frozen=True, slots=True)
class Example:
    """What a person wants from the pages of a site: the text of a region on one page, and of each attribute in it."""

    site: str
    text: str = ""  # of the region of interest; empty: the whole page
    attributes: tuple[tuple[str, tuple[str, ...]], ...] = ()  # names, each with its values on that page
    page: str = ""  # the address it was pasted from
    name: str = ""  # of the source
    kind: Kind | None = None  # of the page; None: nobody said, it is found out


@dataclass(frozen=True, slots=True)
class PastedPlace:
    """Where a pasted text stands: in which text of a page (pieces first, then wholes), from which character to which."""

    index: int
    start: int
    end: int
    is_all: bool  # the text says nothing else


def places_of(pasted: str, page: PageTexts) -> list[PastedPlace]:
    """Return all places of a pasted text; a whole only where none of its pieces has all of it."""
    wanted = fold_text(pasted)
    if not wanted:
        return []
    tight = "".join(wanted.split())
    found: list[PastedPlace] = []
    covered: set[int] = set()
    for index, text in enumerate(page.all()):
        if index >= len(page.pieces) and not covered.isdisjoint(range(text.first, text.last + 1)):
            continue
        place = _place_in(text, index, wanted, tight)
        if place:
            found.append(place)
            covered.update(range(text.first, text.last + 1))
        if len(found) == _MOST_PLACES:
            break
    return found


def span_of(pasted: str, page: PageTexts) -> tuple[int, int] | None:
    """Return the first and the last piece of the part of a page that says a text, whatever tags are in it."""
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


def _place_in(text: PageText, index: int, wanted: str, tight: str) -> PastedPlace | None:
    if text.folded == wanted:
        return PastedPlace(index, 0, len(text.text), True)
    if len(text.folded) < len(tight):
        return None
    if len(text.folded) <= len(wanted) and "".join(text.folded.split()) == tight:
        return PastedPlace(index, 0, len(text.text), True)
    if wanted not in text.folded:
        return None
    for match in _loose_pattern(wanted).finditer(text.text if len(text.text) < 5_000 else text.text[:5_000]):
        if _is_apart(text.text, match.start()) and _is_apart(text.text, match.end()):
            return PastedPlace(index, match.start(), match.end(), False)
    return None


@lru_cache(maxsize=256)
def _loose_pattern(wanted: str) -> re.Pattern[str]:
    """Return a pattern for a folded text as a page may write it."""
    parts = (re.escape(word) for word in wanted.split())
    written = (
        r"\s+".join(parts).replace("'", "['‘’‚ʼ`´]").replace('"', '["“”„«»]').replace(r"\-", "[-‐‑‒–—−]")
    )
    return re.compile(written, re.IGNORECASE)


def _is_apart(text: str, at: int) -> bool:
    """Say whether no word goes on at a place of a text."""
    if at in (0, len(text)):
        return True
    before, after = text[at - 1], text[at]
    if not (before.isalnum() and after.isalnum()):
        return True
    return ord(before) >= _UNSPACED or ord(after) >= _UNSPACED
