"""The layout of a page: its texts, its skeleton, and where in the skeleton each text stands.

Both are made from one parse. In a crawl that is the parse of `read_page`, which a page carries with it as `Page.tree` where it was asked to; so a page of which
nobody wants anything costs nothing here, and no page is parsed twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from hiddenweb.html.charsets import convert_to_utf8
from hiddenweb.html.hardening import harden, shorten_body
from hiddenweb.html.limits import LIMITS, PageLimits
from hiddenweb.html.skeleton import Skeleton, build_skeleton, skeleton_and_nodes
from hiddenweb.html.texts import PageTexts, texts_in

if TYPE_CHECKING:
    from hiddenweb.model import Page


@dataclass(frozen=True, slots=True)
class PageLayout:
    """What a page says, and how it is laid out. `Text.node` is a node of this skeleton."""

    texts: PageTexts
    skeleton: Skeleton


NOTHING = PageLayout(PageTexts(), build_skeleton([], [], []))
"""The layout of what is no page."""


def read_layout(body: bytes, *, content_type: str = "", limits: PageLimits = LIMITS) -> PageLayout:
    """Return the layout of a page as it was sent; an empty one if it cannot be parsed. Never raises."""
    marks: list[str] = []
    source, _ = convert_to_utf8(shorten_body(body, limits, marks), content_type, marks)
    try:
        tree = LexborHTMLParser(harden(source, limits, marks))
    except SelectolaxError:
        return NOTHING
    return layout_of(tree, limits=limits, marks=marks)


def layout_of(
    tree: LexborHTMLParser, *, limits: PageLimits = LIMITS, marks: list[str] | None = None
) -> PageLayout:
    """Return the layout of a page that is parsed."""
    if tree.root is None:
        return NOTHING
    skeleton, nodes = skeleton_and_nodes(tree)
    return PageLayout(texts_in(tree.root, limits=limits, marks=marks, nodes=nodes), skeleton)


def layout_of_page(page: Page) -> PageLayout | None:
    """Return the layout of a page that was read and still has its tree; None if it has not."""
    return layout_of(page.tree) if isinstance(page.tree, LexborHTMLParser) else None
