"""The labelled values of a page about one record.

Labels stand in the cell to the left, in the term before a description, at the end of the text before (`Author:`), or at the beginning of the text itself
(`Author: Jane Smith`). One page does not show whether a text before a colon is a label or a sentence; several pages do: labels are repeated.
`make_example` makes an example from the page with most labelled values, as if a person had pasted it.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from hiddenweb.extraction.examples import Example, places_of
from hiddenweb.extraction.features import label_inside
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.html.texts import PageText, PageTexts

MOST_ATTRIBUTES = 16  # of a record; a limit of taste
_LONGEST_LABEL, _LONGEST_VALUE = 40, 200  # characters
_USUAL = 0.3  # the share of pages that have a label
_MOST_VALUES = 5  # of one label: more belong to a table or to comments; a limit of taste
_SAME = 5  # pages with the same value: from then on it is not about the record
_WORD = re.compile(r"[^\W\d_]{2}")
_NO_LABEL = re.compile(
    r"https?\W|\d[/.:]\d", re.IGNORECASE
)  # an address, a date or a time with a colon in it
_ENDS = (":", "：")
TITLE = "title"


def read_labelled_values(page: PageTexts) -> list[tuple[str, str]]:
    """Return names and values in the order of the page; a name with several values is repeated."""
    found: list[tuple[str, str]] = []
    before: PageText | None = None
    for text in page.pieces:
        pair = _pair(text, before)
        if pair is not None:
            found.append(pair)
        before = text
    return list(dict.fromkeys(found))


def make_example(
    pages: Sequence[tuple[str, PageTexts]], site: str, name: str, titles: Sequence[str] = ()
) -> Example | None:
    """Return an example from the page with most labelled values; None if hardly anything has a label.

    `titles` are those of the records of the pages, if known.
    """
    pairs_of_pages = [read_labelled_values(texts) for _, texts in pages]
    counts = Counter(fold_text(label) for pairs in pairs_of_pages for label in {label for label, _ in pairs})
    values: dict[str, set[str]] = {}
    for label, value in (pair for pairs in pairs_of_pages for pair in pairs):
        values.setdefault(fold_text(label), set()).add(fold_text(value))
    usual = {
        label
        for label, count in counts.items()
        if count >= max(2, _USUAL * len(pages)) and (len(values[label]) > 1 or count < _SAME)
    }
    best: tuple[int, Example | None] = 0, None
    for number, (url, texts) in enumerate(pages):
        attributes: dict[str, list[str]] = {}
        title = titles[number] if number < len(titles) else ""
        if title and places_of(title, texts):
            attributes[TITLE] = [title]
        for label, value in pairs_of_pages[number]:
            if fold_text(label) in usual and fold_text(value) not in counts and places_of(value, texts):
                attributes.setdefault(label.casefold(), []).append(value)
        few = [(label, tuple(each)) for label, each in attributes.items() if len(each) <= _MOST_VALUES]
        chosen = tuple(few[:MOST_ATTRIBUTES])
        if len(chosen) > max(best[0], 1):
            best = len(chosen), Example(site, "", chosen, url, name, kind="page")
    return best[1]


def _pair(text: PageText, before: PageText | None) -> tuple[str, str] | None:
    """Return the label and the value of a text, if it has a label."""
    inside = label_inside(text.text)
    if inside and _is_label(inside):
        return _name_value(inside, text.text[len(inside) :])
    if before is None or text.text.rstrip().endswith(_ENDS):
        return None
    if before.text.rstrip().endswith(_ENDS) and _is_label(before.text):
        return _name_value(before.text, text.text)
    if text.left and text.left == before.key and _is_label(before.text):
        return _name_value(before.text, text.text)
    return None


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and bool(_WORD.search(text)) and not _NO_LABEL.search(text)


def _name_value(label: str, value: str) -> tuple[str, str] | None:
    name, text = label.strip().rstrip(":： ").strip(), value.strip()
    return (name, text) if name and 0 < len(text) <= _LONGEST_VALUE else None
