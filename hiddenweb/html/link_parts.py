"""The links of a page, with frames and images of links, in the order of the walk; and the words around them."""

from __future__ import annotations

from bisect import bisect_left
from itertools import chain, islice
from typing import TYPE_CHECKING

from hiddenweb.html.lazy import LazySequence
from hiddenweb.html.page_parts import RawLink, TextSpan
from hiddenweb.html.tags import TEXT
from hiddenweb.language.tokens import UNSPACED
from hiddenweb.model import Link
from hiddenweb.urls import normalise_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from selectolax.lexbor import LexborNode

    from hiddenweb.html.page_parts import Attributes, Leave
    from hiddenweb.html.tree_walk import TreeWalk

_ANCHORS_OF_A_LINK = 4  # that lead to the same address, on a page with very many
_PAGE_TYPES = ("text/html", "application/xhtml")
_MOST_NODES_OF_DRAWN = 50  # that are read for the words of a link in a drawing; a limit of taste
_LONGEST_WORDS = 1_000  # characters of a link; a limit of taste
_REACH = 140  # characters that are searched for the ten words on one side of a link; a limit of taste


class LazyLinks(LazySequence[Link]):
    """The links of a page, which are made at their first use: most lead to known addresses, and their words are not needed.

    >>> links = LazyLinks(("http://a.example/", "http://b.example/"), Link)
    >>> links.select(lambda urls: [url for url in urls if "b" in url]) == [links[1]]
    True
    """

    __slots__ = ("_link_to", "_urls")

    def __init__(self, urls: tuple[str, ...], link_to: Callable[[str], Link]) -> None:
        super().__init__(lambda: map(link_to, urls))
        self._urls = urls
        self._link_to = link_to

    def __len__(self) -> int:
        """Return the number of links."""
        return len(self._urls)

    def select(self, choose: Callable[[Sequence[str]], Iterable[str]]) -> list[Link]:
        """Return the links whose addresses are chosen, and make no others."""
        return [self._link_to(url) for url in choose(self._urls)]


def select_links(links: Sequence[Link], choose: Callable[[Sequence[str]], Iterable[str]]) -> list[Link]:
    """Return the links of a page whose addresses are chosen of all."""
    if isinstance(links, LazyLinks):
        return links.select(choose)
    chosen = frozenset(choose([link.url for link in links]))
    return [link for link in links if link.url in chosen]


class PageAnchors:
    """The links found so far, in the order of the page."""

    def __init__(self) -> None:
        self.anchors: list[RawLink] = []
        self.in_anchor = False

    def anchors_in(self, start: int, end: int) -> list[RawLink]:
        """Return the links that begin within a part of the text."""
        first = bisect_left(self.anchors, start, key=_start_of_anchor)
        return self.anchors[first : bisect_left(self.anchors, end, lo=first, key=_start_of_anchor)]

    def end(self, most: int) -> int | None:
        """Return where the stored links end, if there may be more than `most` addresses; behind that place, parts seem to have no links."""
        if len(self.anchors) < _ANCHORS_OF_A_LINK * most:
            return None
        return self.anchors[-1].span.end


def enter_image(walk: TreeWalk, _node: LexborNode, attributes: Attributes, _path: str) -> None:
    """Read an image in a link by its text."""
    if walk.links.in_anchor and attributes.get("alt"):
        walk.say(f" {attributes['alt']} ")


def enter_anchor(walk: TreeWalk, _node: LexborNode, attributes: Attributes, path: str) -> Leave | None:
    """Begin a link."""
    if "href" not in attributes:
        return None
    span = add_anchor(walk, attributes.get("href") or "", attributes, path)
    walk.links.in_anchor = True

    def done() -> None:
        span.end = walk.length
        walk.links.in_anchor = False

    return done


def enter_area(walk: TreeWalk, _node: LexborNode, attributes: Attributes, path: str) -> None:
    """Take the link of an image map."""
    if "href" in attributes:
        add_anchor(walk, attributes.get("href") or "", attributes, path)


def enter_frame(walk: TreeWalk, _node: LexborNode, attributes: Attributes, path: str) -> None:
    """Take a page within the page as a link; of one that is written into the attribute, its links."""
    if attributes.get("srcdoc"):
        take_links_of_written(walk, attributes["srcdoc"] or "", path)
    elif attributes.get("src"):
        add_anchor(walk, attributes["src"] or "", attributes, path)


def take_links_of_written(walk: TreeWalk, source: str, path: str) -> None:
    """Take the links of a page that an attribute holds, with their words."""
    inner = walk.visit_written(source)
    if inner is None:
        return
    flat = "".join(inner.pieces)
    for found in inner.links.anchors:
        href = normalise_url(found.href, inner.head.base) if inner.head.has_base else found.href
        words = " ".join(flat[found.span.start : found.span.end][:_LONGEST_WORDS].split())
        add_anchor(walk, href or "", {"rel": found.rel, "title": words or found.title}, path)


def enter_embedded(walk: TreeWalk, _node: LexborNode, attributes: Attributes, path: str) -> None:
    """Take what is shown within the page as a link, unless it says that it is no page."""
    kind = (attributes.get("type") or "text/html").strip().lower()
    address = attributes.get("data") or attributes.get("src")
    if address and kind.startswith(_PAGE_TYPES):
        add_anchor(walk, address, attributes, path)


def enter_drawn_anchor(walk: TreeWalk, node: LexborNode, attributes: Attributes, path: str) -> None:
    """Take a link in a drawing, with the words that are drawn in it."""
    href = attributes.get("href", attributes.get("xlink:href"))
    if href is None:
        return
    parts = islice(node.traverse(include_text=True), _MOST_NODES_OF_DRAWN)
    words = " ".join((part.text_content or "")[:_LONGEST_WORDS] for part in parts if part.tag_id == TEXT)
    title = " ".join(words.split()) or attributes.get("xlink:title") or attributes.get("aria-label") or ""
    add_anchor(walk, href, {"rel": attributes.get("rel"), "title": title[:_LONGEST_WORDS]}, path)


def add_anchor(walk: TreeWalk, href: str, attributes: Attributes, path: str) -> TextSpan:
    """Store a link until the text around it is known."""
    span = TextSpan("", walk.length)
    if len(walk.links.anchors) >= _ANCHORS_OF_A_LINK * walk.limits.links:
        walk.mark("many_links")
        return span
    rel = attributes.get("rel")
    title = attributes.get("alt") or attributes.get("title") or attributes.get("aria-label") or ""
    walk.links.anchors.append(RawLink(href, span, path, " ".join(rel.lower().split()) if rel else "", title))
    return span


def links_of(walk: TreeWalk, flat: str, resolve: Callable[[str], str | None], language: str) -> LazyLinks:
    """Return a link for every address, with the words of the first link to it."""
    reach = 20 if language in UNSPACED else _REACH
    followed: set[str] = set()
    first: dict[str, RawLink] = {}
    for found in chain(walk.links.anchors, walk.head.related):
        url = resolve(found.href)
        if url is None:
            continue
        if url not in first:
            if len(first) >= walk.limits.links:
                walk.mark("many_links")
                break
            first[url] = found
        if "nofollow" not in found.rel:
            followed.add(url)

    def link_to(url: str) -> Link:
        _, span, path, rel, title = first[url]
        start, end = span.start, span.end
        before = flat[max(start - reach, 0) : start].rsplit(None, 10)[-10:]
        after = flat[end : end + reach].split(None, 10)[:10]
        anchor = flat[start : min(end, start + 1000)]
        words = " ".join(anchor.split()) if "\n" in anchor or "\t" in anchor else anchor.strip()
        return Link(url, words or title, " ".join(before + after), path, url not in followed, rel)

    return LazyLinks(tuple(first), link_to)


def _start_of_anchor(anchor: RawLink) -> int:
    return anchor.span.start
