"""An example made of what the own pages of records state.

What is a label there, and what its value, is known from the markup and from many pages (`hiddenweb.records.own_page`, `hiddenweb.records.own_labels`).
`make_example` makes an example from the page that states most, as if a person had pasted it.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.extraction.examples import Example, places_of
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.extraction.extractor_store import RecordPage

MOST_ATTRIBUTES = 16  # of a record; a limit of taste
_LONGEST_VALUE = 200  # characters
_USUAL = 0.6
"""The share of pages that must state an attribute of the example; a limit of taste. What fewer pages have would be missed on the others, and alarm."""

_MOST_VALUES = 5  # of one label: more belong to a table or to comments; a limit of taste
_SAME = 5  # pages with the same value: from then on it is not about the record
TITLE = "title"


def make_example(pages: Sequence[RecordPage], site: str, name: str) -> Example | None:
    """Return an example from the page that states most attributes; None if hardly anything is stated."""
    counts = Counter(label for page in pages for label in {label for label, _ in page.stated})
    values: dict[str, set[str]] = {}
    for page in pages:
        for label, value in page.stated:
            values.setdefault(label, set()).add(fold_text(value))
    usual = {
        label
        for label, count in counts.items()
        if count >= max(2, _USUAL * len(pages)) and (len(values[label]) > 1 or count < _SAME)
    }
    best: tuple[int, Example | None] = 0, None
    for page in pages:
        texts = page.layout.texts
        attributes: dict[str, list[str]] = {}
        if page.title and places_of(page.title, texts):
            attributes[TITLE] = [page.title]
        for label, value in page.stated:
            if label in usual and label != TITLE and len(value) <= _LONGEST_VALUE and places_of(value, texts):
                attributes.setdefault(label, []).append(value)
        few = [(label, tuple(each)) for label, each in attributes.items() if len(each) <= _MOST_VALUES]
        chosen = tuple(few[:MOST_ATTRIBUTES])
        if len(chosen) > max(best[0], 1):
            best = len(chosen), Example(site, "", chosen, page.url, name, kind="page")
    return best[1]
