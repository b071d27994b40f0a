"""Ways to further pages that are no ordinary links: addresses that a script would load, and those in the head of a page or a response.

Pages with a button that loads more have the address in an attribute of it (`data-next`, `data-url`, htmx's `hx-get`). Pages that are turned
by a script have its call in a link. A link that shows only an image without a text gets the name of the image's file as its text
(`next.gif`), and a link with the class "next" gets that word. None of these is followed as a link; `hiddenweb.answers.pagination` judges
them together with the links when it needs the next page of an answer.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from hiddenweb import urls
from hiddenweb.html.tags import TEXT
from hiddenweb.language.identifiers import identifier_parts
from hiddenweb.model import Link

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

_ATTRIBUTES = (
    "data-next", "data-next-url", "data-next-page", "data-next-href", "data-next-page-url", "data-more", "data-more-url",
    "data-load-more", "data-load-more-url", "data-url", "data-href", "data-endpoint", "hx-get", "data-hx-get",
)  # fmt: skip
_SELECTOR = ", ".join(
    (
        *(f"[{name}]" for name in _ATTRIBUTES), "a[href^='javascript:' i]", "[onclick]", "link[rel][href]",
        "a[href] img[src]:not([alt]:not([alt='']))", "a[href][class~=next]", "[class~=next] > a[href]",
    )
)  # fmt: skip
_ADDRESS = re.compile(r"\S*[/?]\S*")
_CALL = re.compile(r"__doPostBack\(|\.submit\(")
_LINK_HEADER = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s,;\"]+))?)*)")
_RELATION = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s,;\"]+))", re.IGNORECASE)
_FILE = re.compile(r"([^/?#]+?)(?:\.\w{2,4})?(?:[?#].*)?$")
_MOST_PARTS = 4  # of the name of a file; a limit of taste
_DEEP = 3  # elements between an image and its link; a limit of taste
_MOST = 200  # elements of a page that may load more; a limit of taste
_LONGEST_TEXT = 80
"""Characters of a link or button that loads more; a limit of taste: a longer text is a teaser."""

_LONGEST_SCRIPT = 500
"""Characters of a script in an attribute that is read; a limit of taste: a script that only calls a function is shorter."""

_MOST_NODES = 60
"""Nodes inside a link that are read for its text; a limit of taste."""


def load_more_links(root: LexborNode, resolve: Callable[[str], str | None]) -> Iterator[Link]:
    """Yield the ways to further pages that are no ordinary links, with an address, or with the call of a script as the address."""
    for node in islice(root.css(_SELECTOR), _MOST):
        attributes = node.attributes
        if node.tag == "link":
            rel = " ".join((attributes.get("rel") or "").lower().split())
            if "next" in rel.split() and (url := resolve(attributes.get("href") or "")):
                yield Link(url, rel=rel)
            continue
        if node.tag == "img":
            yield from _links_named_by_image(node, resolve)
            continue
        if node.tag == "a" and "next" in _classes(node) and (url := resolve(attributes.get("href") or "")):
            yield Link(url, "next")
        text = _visible_words(node) or attributes.get("aria-label") or attributes.get("title") or ""
        if len(text) > _LONGEST_TEXT:
            continue
        for name in _ATTRIBUTES:
            value = attributes.get(name) or ""
            if _ADDRESS.fullmatch(value) and (url := resolve(value)):
                yield Link(url, text, rel="next" if "next" in name else "")
        for script in (attributes.get("href") or "", attributes.get("onclick") or ""):
            if _CALL.search(script) and len(script) <= _LONGEST_SCRIPT:
                yield Link(f"javascript:{script.removeprefix('javascript:').strip()}", text)


def _classes(node: LexborNode) -> set[str]:
    """Return the classes of a link and of the element around it."""
    named = (each.attributes.get("class") or "" for each in (node, node.parent) if each is not None)
    return {name for names in named for name in names.lower().split()}


def _links_named_by_image(image: LexborNode, resolve: Callable[[str], str | None]) -> Iterator[Link]:
    """Yield the link around an image that has no text, once for each word of the name of the image's file."""
    link = image.parent
    for _ in range(_DEEP):
        if link is None or link.tag == "a":
            break
        link = link.parent
    if link is None or link.tag != "a" or _visible_words(link):
        return
    url = resolve(link.attributes.get("href") or "")
    file = _FILE.search(image.attributes.get("src") or "")
    if not url or file is None:
        return
    for part in islice(identifier_parts(file[1]), _MOST_PARTS):
        yield Link(url, part.lower())


def _visible_words(node: LexborNode) -> str:
    """Return the words in an element; of a large one only enough to see that it is no button."""
    pieces: list[str] = []
    waiting, count = [node.first_child], 0
    while waiting and count < _MOST_NODES:
        if (current := waiting.pop()) is None:
            continue
        count += 1
        waiting += (current.next, current.first_child)
        if current.tag_id == TEXT:
            pieces.append((current.text_content or "")[: 2 * _LONGEST_TEXT])
    return " ".join(" ".join(pieces).split())


def next_in_header(header: str, url: str) -> Iterator[Link]:
    """Yield the next page that the Link header of a response names (RFC 8288).

    >>> [link.url for link in next_in_header('</find?page=2>; rel="next", </find?page=9>; rel=last', "http://a.example/find")]
    ['http://a.example/find?page=2']
    """
    for target, parameters in islice(_LINK_HEADER.findall(header), _MOST):
        relation = _RELATION.search(parameters)
        rel = (relation[1] or relation[2] or "").lower() if relation else ""
        if "next" in rel.split() and (found := urls.normalise_url(target.strip(), url)):
            yield Link(found, rel=rel)
