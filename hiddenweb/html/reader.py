"""Reading a page once.

`read_page` makes one walk through the tree of a page and collects on the way all that anybody asks of it later: title, text,
links with their surroundings, forms, the skeleton. The text is written down as one string in which a block starts a new
line and a table cell a new column; anchors, labels and headings are spans of that string. So nothing is read
twice: ten words around a link are a slice, the label of a field is what stands before it on its line or in
the cell to the left.

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
from functools import partial

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from hiddenweb.html.charsets import convert_to_utf8
from hiddenweb.html.document import TreeWalk
from hiddenweb.html.hardening import harden, shorten_body
from hiddenweb.html.lazy import LazySequence
from hiddenweb.html.limits import LIMITS, PageLimits
from hiddenweb.html.links import resolver
from hiddenweb.html.load_more import load_more_links
from hiddenweb.html.search_actions import descriptions_of, forms_and_searches
from hiddenweb.language.words import guess_language
from hiddenweb.model import Page, no_items_of_kind
from hiddenweb.near_duplicates.sketch import fingerprint_and_sketch
from hiddenweb.records.repeated_items import items_of_kinds, repeated_items
from hiddenweb.records.single_items import single_items

__all__ = ["LIMITS", "PageLimits", "read_page"]


def read_page(
    body: bytes,
    url: str,
    *,
    content_type: str = "",
    limits: PageLimits = LIMITS,
    want_blocks: bool = False,
    keep_tree: bool = False,
) -> Page:
    """Return everything a page says. Never raises, whatever the body; what was cut or wrong is in its marks.

    With `keep_tree` the page carries what was parsed, for those who want its layout (`hiddenweb.html.layout`) within this process.
    """
    deadline = limits.clock() + limits.seconds
    marks: list[str] = []
    source, charset = convert_to_utf8(shorten_body(body, limits, marks), content_type, marks)
    source = harden(source, limits, marks)
    try:
        tree = LexborHTMLParser(source)
        root = tree.root
    except SelectolaxError:
        root = None
    if root is None:
        return Page(url, charset=charset, marks=(*marks, "not_html"))
    walk = TreeWalk(url, charset, source, limits, deadline, marks, want_blocks)
    walk.through(root)
    page = _put_together(walk)
    return replace(page, tree=tree) if keep_tree else page


def _put_together(walk: TreeWalk) -> Page:
    flat = "".join(walk.pieces)
    text = walk.main_text(flat)
    language = guess_language(text or walk.title, walk.language)
    resolve = walk.resolve = resolver(walk.base, walk.charset)
    fingerprint, sketch = fingerprint_and_sketch(text)
    return Page(
        url=walk.url,
        title=walk.title,
        text=text,
        language=language,
        charset=walk.charset,
        links=tuple(walk.links(flat, resolve, language)),
        forms=forms_and_searches(walk, flat, language),
        blocks=tuple(repeated_items(walk, flat)) if walk.elements else (),
        alone=LazySequence(partial(single_items, walk, flat)) if walk.elements else (),
        like=partial(items_of_kinds, walk, flat) if walk.elements else no_items_of_kind,
        canonical=resolve(walk.canonical) if walk.canonical else None,
        refresh=resolve(walk.refresh) if walk.refresh else None,
        refresh_after=walk.refresh_after,
        nofollow=not walk.robots.isdisjoint(("nofollow", "none")),
        noindex=not walk.robots.isdisjoint(("noindex", "none")),
        structure=walk.structure(),
        fingerprint=fingerprint,
        sketch=sketch,
        descriptions=descriptions_of(walk),
        turns=tuple(load_more_links(walk.root, resolve)) if walk.elements is not None and walk.root else (),
        marks=tuple(walk.marks),
    )
