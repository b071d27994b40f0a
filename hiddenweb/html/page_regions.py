"""Regions of a page with rules of their own: boilerplate, invisible parts, articles, drawings and formulas, headings, preformatted text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb.html.page_parts import TextSpan
from hiddenweb.html.tags import NUMBERS, numbers_of

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Attributes, Leave
    from hiddenweb.html.tree_walk import TreeWalk

_SVG = NUMBERS["svg"]
BACK_TO_HTML = numbers_of("foreignobject desc annotation-xml")
_ENDS = numbers_of("header footer")  # of a page; of an article they belong to it
HIDING = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_ZERO = r":\s*+0*+\.?0*+(?:px|r?em|%)?\s*(?:[;!]|$)"
CONCEALING = re.compile(
    rf"{HIDING.pattern}|opacity\s*{_ZERO}|(?<![\w-])(?:max-)?(?:height|width)\s*{_ZERO}"
    r"|(?:left|top|right|bottom|margin)\s*:\s*-(?:\d{3}|\d\d(?:r?em|v[wh]|%))|scale\(\s*0\s*[,)]",
    re.IGNORECASE,
)
"""Inline styles that make an element invisible: hidden, transparent, without size, or far outside of the page."""


def enter_concealed(walk: TreeWalk, leave: Leave | None) -> Leave:
    """Begin an invisible part whose text counts."""
    walk.unseen += 1

    def done() -> None:
        walk.unseen -= 1
        if leave is not None:
            leave()

    return done


def enter_apart(walk: TreeWalk, attributes: Attributes, leave: Leave | None) -> Leave:
    """Begin a part that is hidden, or boilerplate by its role."""
    span = TextSpan("", walk.length)
    is_hidden = "hidden" in attributes or bool(HIDING.search(attributes.get("style") or ""))
    (walk.hidden if is_hidden else walk.asides).append(span)
    walk.quiet += 1
    walk.unseen += is_hidden

    def done() -> None:
        span.end = walk.length
        walk.quiet -= 1
        walk.unseen -= is_hidden
        if leave is not None:
            leave()

    return done


def enter_aside(walk: TreeWalk, node: LexborNode, _attributes: Attributes, _path: str) -> Leave | None:
    """Begin navigation, or the head or foot of a page."""
    if walk.articles and node.tag_id in _ENDS:
        return None
    return enter_apart(walk, {}, None)


def enter_article(walk: TreeWalk, _node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
    """Begin a part with a head and foot of its own."""
    walk.articles += 1

    def done() -> None:
        walk.articles -= 1

    return done


def enter_foreign(walk: TreeWalk, node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
    """Begin a drawing or formula, whose text is not that of the page, or HTML inside of one."""
    outer, wordless, drawn = walk.is_foreign, walk.wordless, walk.is_drawn
    walk.is_foreign = node.tag_id not in BACK_TO_HTML
    walk.wordless = 0
    walk.is_drawn = node.tag_id == _SVG

    def done() -> None:
        walk.is_foreign, walk.wordless, walk.is_drawn = outer, wordless, drawn

    return done


def enter_heading(walk: TreeWalk, node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
    """Begin a heading."""
    span = TextSpan("", walk.length)

    def done() -> None:
        span.end = walk.length
        walk.headings.append(span)
        walk.heading_nodes.append(node)

    return done


def enter_preformatted(walk: TreeWalk, _node: LexborNode, _attributes: Attributes, _path: str) -> Leave:
    """Begin a part whose lines are lines."""
    walk.preformatted += 1

    def done() -> None:
        walk.preformatted -= 1

    return done
