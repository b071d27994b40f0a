"""What a page says about itself: its title, language and address, where it forwards visitors, its rules for robots, and where its search is described."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hiddenweb.html.page_parts import RawLink, TextSpan
from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Attributes
    from hiddenweb.html.tree_walk import TreeWalk

SEARCH_PROPERTIES = frozenset({"target", "urlTemplate", "template", "query-input"})
_DESCRIPTION = "application/opensearchdescription+xml"
_MOST_PROPERTIES = 50
"""Most elements with microdata about search actions; a limit of taste."""

_MOST_RELATED = 10
"""Most related pages in the head; a limit of taste: next, previous and few others."""

_TURNING = frozenset({"next", "prev", "previous"})
_SECONDS = re.compile(r"\s*(\d{1,9}(?:\.\d*)?|\.\d+)")
_REFRESH = re.compile(
    r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?(?:\"([^\"]*)|'([^']*)|(.*))", re.IGNORECASE | re.DOTALL
)


class PageHead:
    """What the page has said about itself so far."""

    def __init__(self, url: str) -> None:
        self.base = url
        self.has_base = False
        self.title = self.language = ""
        self.canonical: str | None = None
        self.refresh: str | None = None
        self.refresh_after = 0.0
        self.robots: set[str] = set()
        self.related: list[RawLink] = []  # links in the head, which are invisible
        self.descriptions: list[str] = []  # addresses of OpenSearch descriptions
        self.linked_data: list[LexborNode] = []  # scripts with JSON-LD
        self.properties: list[LexborNode] = []  # microdata of searches


def enter_html(walk: TreeWalk, _node: LexborNode, attributes: Attributes, _path: str) -> None:
    """Take the language a page declares."""
    walk.head.language = attributes.get("lang") or attributes.get("xml:lang") or ""


def enter_title(walk: TreeWalk, node: LexborNode, _attributes: Attributes, _path: str) -> None:
    """Take the title of a page."""
    if not walk.head.title:
        walk.head.title = " ".join(node.text().split())


def enter_base(walk: TreeWalk, _node: LexborNode, attributes: Attributes, _path: str) -> None:
    """Take the address others are relative to; the first counts."""
    href = attributes.get("href")
    if href is not None and not walk.head.has_base:
        walk.head.has_base = True
        walk.head.base = normalise_url(href, walk.url) or walk.url


def enter_link(walk: TreeWalk, node: LexborNode, attributes: Attributes, path: str) -> None:
    """Take the canonical address, the pages before and after, and where the page's search is described."""
    rel = (attributes.get("rel") or "").lower().split()
    if walk.head.canonical is None and "canonical" in rel:
        walk.head.canonical = attributes.get("href")
    elif "search" in rel and _DESCRIPTION in (attributes.get("type") or "").lower():
        walk.head.descriptions.append(attributes.get("href") or "")
    elif attributes.get("href") and not _TURNING.isdisjoint(rel) and len(walk.head.related) < _MOST_RELATED:
        walk.head.related.append(RawLink(attributes["href"] or "", TextSpan("", 0), path, " ".join(rel), ""))
    if "itemprop" in attributes:
        add_property(walk, node, attributes)


def enter_script(walk: TreeWalk, node: LexborNode, attributes: Attributes, _path: str) -> None:
    """Store the scripts with JSON-LD."""
    if "ld+json" in (attributes.get("type") or "").lower():
        walk.head.linked_data.append(node)


def add_property(walk: TreeWalk, node: LexborNode, attributes: Attributes) -> None:
    """Store microdata that may describe a search."""
    if len(walk.head.properties) < _MOST_PROPERTIES and SEARCH_PROPERTIES.intersection(
        (attributes["itemprop"] or "").split()
    ):
        walk.head.properties.append(node)


def enter_meta(walk: TreeWalk, node: LexborNode, attributes: Attributes, _path: str) -> None:
    """Take the rules for robots, and the address where visitors are forwarded."""
    content = attributes.get("content") or ""
    if (attributes.get("name") or "").lower() == "robots":
        walk.head.robots.update(re.split(r"[\s,]+", content.lower()))
    elif (attributes.get("http-equiv") or "").lower() == "refresh" and walk.head.refresh is None:
        walk.head.refresh = refresh_target(content)
        walk.head.refresh_after = refresh_seconds(content)
    elif "itemprop" in attributes:
        add_property(walk, node, attributes)


def refresh_target(content: str) -> str | None:
    """Return where a Refresh header, or the meta element in its place, forwards visitors.

    >>> refresh_target("0; url=/new"), refresh_target("5")
    ('/new', None)
    """
    found = _REFRESH.match(content)
    return (found[1] or found[2] or found[3] or "").strip() if found else None


def refresh_seconds(content: str) -> float:
    """Return after how many seconds a Refresh header, or the meta element in its place, forwards visitors.

    >>> refresh_seconds("2;URL=results?id=5"), refresh_seconds(" .5, /x"), refresh_seconds("soon")
    (2.0, 0.5, 0.0)
    """
    found = _SECONDS.match(content)
    return float(found[1]) if found else 0.0
