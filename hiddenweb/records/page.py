"""Reading a page with its repeated items: the results, rows and cards that may be records.

Only pages that may show records are read so, above all answers: to find the items takes as long as to read all else.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hiddenweb.html.document import document_of
from hiddenweb.html.lazy import LazySequence
from hiddenweb.html.reader import page_of_walk, read_page
from hiddenweb.html.tree_walk import TreeWalk
from hiddenweb.model import Page
from hiddenweb.records.repeated_items import find_repeated_items, items_of_kinds
from hiddenweb.records.single_items import single_items

if TYPE_CHECKING:
    from hiddenweb.html.document import Document


def read_document_with_items(document: Document, url: str, deadline: float) -> Page:
    """Return everything that a parsed page says."""
    if document.root is None:
        return Page(url, charset=document.charset, marks=document.marks)
    walk = TreeWalk(document, url, deadline, keep_elements=True)
    walk.visit(document.root)
    flat = "".join(walk.pieces)
    page = page_of_walk(walk, flat)
    if not walk.elements:
        return page
    return replace(
        page,
        blocks=tuple(find_repeated_items(walk, flat)),
        single_items=LazySequence(partial(single_items, walk, flat)),
        items_of_kind=partial(items_of_kinds, walk, flat),
        marks=tuple(walk.marks),
    )


read_page_with_items = partial(read_page, read=read_document_with_items)
"""Return everything a page says, as `hiddenweb.html.reader.read_page` does, with its repeated items. Never raises."""


def find_items(page: Page) -> Page | None:
    """Return a page together with its repeated items, from the same parse; None if the page did not keep the parse."""
    document = document_of(page)
    if document is None:
        return None
    return read_document_with_items(document, page.url, document.limits.deadline())
