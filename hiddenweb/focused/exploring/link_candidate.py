"""Leads: the links of a site that wait, with all that is known about where they may lead."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.language.terms import path_terms, terms_of

if TYPE_CHECKING:
    from collections.abc import Mapping

PATH, ANCHOR, AROUND = "path", "anchor", "around"
CONTEXTS = (PATH, ANCHOR, AROUND)
"""What says something about a link: FSL = {P, A, T} in the paper."""


@dataclass(frozen=True, slots=True)
class LinkCandidate:
    """A link to a page of its own site."""

    url: str
    depth: int  # links from the homepage
    anchor: str = ""
    around: str = ""
    tag_path: str = ""
    language: str = ""
    number: int = 0  # in the frontier
    parent: str = ""  # the page it stands on

    def terms(self, context: str) -> tuple[str, ...]:
        """Return what one context says, in terms."""
        match context:
            case "path":
                return path_terms(self.url)
            case "anchor":
                return terms_of(self.anchor, self.language)
            case _:
                return terms_of(self.around, self.language)

    def bags(self) -> Mapping[str, Counter[str]]:
        """Return how often each term stands in each context."""
        return {context: Counter(self.terms(context)) for context in CONTEXTS}
