"""Where something may differ each time a page is fetched, in terms that hold for all pages of a template."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from hiddenweb.revisit.parts import (
    BESIDE,
    ELSEWHERE,
    END,
    START,
    sign,
)

PlaceKind = Literal[
    "number",
    "money",
    "start",
    "link",
    "path",
    "after",
    "before",
    "after, alone",
    "before, alone",
    "text",
    "title",
    "in records",
    "turns",
]
"""How a place is known; alone: the part came or went, and none took its place."""

_SLOTS = frozenset({"after", "before", "after, alone", "before, alone"})
_MIN_ANCHOR_LETTERS = 3  # letters of a place, for it to mean the same on all of a site; a limit of taste
_HEADING = re.compile(r"(?:^|/)h[1-6](?![^./ ])")


class NoisePlace(NamedTuple):
    """Where something may differ, in terms that hold for all pages of a template."""

    kind: PlaceKind
    words: str

    @property
    def sign(self) -> int:
        """The hash by which a version tells that it has this place."""
        if self.kind in ("number", "money", "in records"):
            return sign("number", self.words)
        if self.kind in ("start", "link", "path"):
            return sign(self.kind, self.words)
        if self.kind in ("title", "turns"):
            return sign("part", START)
        return sign("part", self.words.partition(" ")[2] if self.kind in _SLOTS else self.words)

    @property
    def is_general(self) -> bool:
        """Whether it means the same on all templates of a site: its own words tell."""
        if self.kind == "path":
            return self.is_beside
        anchor = self.words.partition(" ")[2] if self.kind in _SLOTS else self.words
        return sum(map(str.isalpha, anchor)) >= _MIN_ANCHOR_LETTERS

    @property
    def leads_elsewhere(self) -> bool:
        """Whether it holds nothing but links to other sites."""
        return self.kind == "link" and self.words.endswith(ELSEWHERE)

    @property
    def is_beside(self) -> bool:
        """Whether it holds what stands beside the matter of a page, as advertisements do."""
        return self.kind == "path" and self.words.endswith(BESIDE)

    @property
    def is_suspect(self) -> bool:
        """Whether what changes there again and again is noise even if nothing of it returns; headlines are none, wherever they lead."""
        return self.is_beside or (self.leads_elsewhere and not _HEADING.search(self.words))

    def __str__(self) -> str:
        """Return the place as people read it."""
        number, _, anchor = self.words.partition(" ")
        where = {START: "the start", END: "the end"}.get(anchor, f'"{anchor}"')
        said: dict[str, str] = {
            "number": f'the number in "{self.words}"',
            "money": f'the price in "{self.words}"',
            "in records": f'the number in "{self.words}" of records',
            "start": f'parts that begin with "{self.words}"',
            "link": f'links at "{self.words}"',
            "path": f'words at "{self.words.removesuffix(BESIDE)}"',
            "text": f'"{self.words}", which comes and goes',
            "title": "the title",
            "turns": "the whole page, which takes turns with what it said before",
        }
        return said.get(self.kind) or f"part {number} {self.kind.partition(',')[0]} {where}"


TURNS = NoisePlace("turns", "")
"""Stands for a page as a whole, where it comes back to what it said before; it is counted for one page only."""
