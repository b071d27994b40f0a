"""Reading a page once.

`read_page` makes one walk through the tree of a page and collects all that is needed of it later: title, text, links with their
surroundings, forms, the skeleton. The text is stored as one string in which a block starts a new line and a table cell a new column;
anchors, labels and headings are spans of that string. So nothing is read twice: ten words around a link are a slice, the label of a field
is the text before it on its line or in the cell to the left.

The parser is Lexbor (selectolax), not lxml. It repairs HTML as the standard says, and so as browsers do: misnested tables and
forms, stray and missing end tags give the links and controls that Chromium sees, where lxml differs and drops all below a
depth of 2,048. It is also faster: on pages of simweb of 10 KB parsing takes 0.06 ms against 0.15, at 80 KB 0.10 against 0.36,
and visiting a node costs 0.1 microseconds.

A page is cut down before it is parsed (`hiddenweb.html.hardening`). After parsing, numbers of links, forms and fields and a deadline bound the walk. Whatever was
cut is named in `Page.marks`:

truncated, tag_cut, too_deep, many_tags, slow, many_links, many_blocks, many_forms, many_fields, many_options, charset_guessed, bad_charset, not_html,
many_boxes, bad_json, long_json.

The time a page takes, in ms, is printed by

    python -m timeit -s "from hiddenweb.html.reader import read_page; b = open('page.html', 'rb').read()" "read_page(b, 'http://a.example/')"
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.html.document import parse_document
from hiddenweb.html.limits import LIMITS, PageLimits
from hiddenweb.html.link_parts import links_of
from hiddenweb.html.links import resolver
from hiddenweb.html.load_more import load_more_links
from hiddenweb.html.search_actions import descriptions_of, forms_and_searches
from hiddenweb.html.tree_walk import TreeWalk
from hiddenweb.language.guess import guess_language
from hiddenweb.model import Page
from hiddenweb.near_duplicates.sketch import fingerprint_and_sketch

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.html.document import Document

__all__ = ["LIMITS", "PageLimits", "read_page"]


def read_document(document: Document, url: str, deadline: float | None = None) -> Page:
    """Return what a parsed page says; the time for it begins now, or ends at a deadline."""
    if document.root is None:
        return Page(url, charset=document.charset, marks=document.marks)
    walk = TreeWalk(document, url, deadline or document.limits.deadline())
    walk.visit(document.root)
    return page_of_walk(walk, "".join(walk.pieces))


def read_page(
    body: bytes,
    url: str,
    *,
    content_type: str = "",
    limits: PageLimits = LIMITS,
    keep_document: bool = False,
    on_parse: Callable[[], object] | None = None,
    read: Callable[[Document, str, float], Page] = read_document,
) -> Page:
    """Return everything a page says, without its repeated items. Never raises for any body; what was cut or is wrong is in its marks.

    With `keep_document` the page has its document, for further views of it within this process. `read` is the function that reads a
    parsed page.
    """
    deadline = limits.deadline()
    document = parse_document(body, content_type=content_type, limits=limits, on_parse=on_parse)
    page = read(document, url, deadline)
    return replace(page, document=document) if keep_document else page


def page_of_walk(walk: TreeWalk, flat: str) -> Page:
    """Return the page that a walk has collected; `flat` is its text."""
    text = walk.main_text(flat)
    language = guess_language(text or walk.head.title, walk.head.language)
    resolve = walk.resolve = resolver(walk.head.base, walk.charset)
    fingerprint, sketch = fingerprint_and_sketch(text)
    return Page(
        url=walk.url,
        title=walk.head.title,
        text=text,
        language=language,
        charset=walk.charset,
        links=links_of(walk, flat, resolve, language),
        forms=forms_and_searches(walk, flat, language),
        canonical=resolve(walk.head.canonical) if walk.head.canonical else None,
        refresh=resolve(walk.head.refresh) if walk.head.refresh else None,
        refresh_after=walk.head.refresh_after,
        nofollow=not walk.head.robots.isdisjoint(("nofollow", "none")),
        noindex=not walk.head.robots.isdisjoint(("noindex", "none")),
        structure=walk.structure(),
        fingerprint=fingerprint,
        sketch=sketch,
        descriptions=descriptions_of(walk),
        paging_links=tuple(load_more_links(walk.root, resolve))
        if walk.elements is not None and walk.root
        else (),
        marks=tuple(walk.marks),
    )
