"""Where something may differ each time a page is fetched, in terms that hold for all pages of a template."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from hiddenweb.revisit.parts import (
    ASIDE,
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
"""How a place is identified; alone: the part was added or removed without a replacement."""

_SLOTS = frozenset({"after", "before", "after, alone", "before, alone"})
_MIN_ANCHOR_LETTERS = 3  # letters of a place, for it to mean the same on all of a site; a limit of taste
_HEADING = re.compile(r"(?:^|/)h[1-6](?![^./ ])")


class NoisePlace(NamedTuple):
    """Where something may differ, in terms that hold for all pages of a template."""

    kind: PlaceKind
    words: str

    @property
    def sign(self) -> int:
        """The hash in the signs of a version that has this place."""
        if self.kind in ("number", "money", "in records"):
            return sign("number", self.words)
        if self.kind in ("start", "link", "path"):
            return sign(self.kind, self.words)
        if self.kind in ("title", "turns"):
            return sign("part", START)
        return sign("part", self.words.partition(" ")[2] if self.kind in _SLOTS else self.words)

    @property
    def is_general(self) -> bool:
        """Whether it means the same on all templates of a site: its own words identify it."""
        if self.kind == "path":
            return self.is_aside
        anchor = self.words.partition(" ")[2] if self.kind in _SLOTS else self.words
        return sum(map(str.isalpha, anchor)) >= _MIN_ANCHOR_LETTERS

    @property
    def links_elsewhere(self) -> bool:
        """Whether it holds nothing but links to other sites."""
        return self.kind == "link" and self.words.endswith(ELSEWHERE)

    @property
    def is_aside(self) -> bool:
        """Whether it is outside the main content of a page, as advertisements are."""
        return self.kind == "path" and self.words.endswith(ASIDE)

    @property
    def is_suspect(self) -> bool:
        """Whether repeated changes there are noise even if no text returns; headlines are not, wherever they link."""
        return self.is_aside or (self.links_elsewhere and not _HEADING.search(self.words))

    def __str__(self) -> str:
        """Return the place for people."""
        number, _, anchor = self.words.partition(" ")
        where = {START: "the start", END: "the end"}.get(anchor, f'"{anchor}"')
        names: dict[str, str] = {
            "number": f'the number in "{self.words}"',
            "money": f'the price in "{self.words}"',
            "in records": f'the number in "{self.words}" of records',
            "start": f'parts that begin with "{self.words}"',
            "link": f'links at "{self.words}"',
            "path": f'words at "{self.words.removesuffix(ASIDE)}"',
            "text": f'"{self.words}", which comes and goes',
            "title": "the title",
            "turns": "the whole page, which takes turns with what it said before",
        }
        return names.get(self.kind) or f"part {number} {self.kind.partition(',')[0]} {where}"


TURNS = NoisePlace("turns", "")
"""A page as a whole that returns to its former text; counted for single pages only."""
