"""Ways to further pages that are no links: what a script would load, and what the head of a page or of an answer names.

Pages that load more at the press of a button keep the address in an attribute of it (`data-next`, `data-url`, htmx's `hx-get`). Pages that turn by
a script have its call in a link. Neither is followed as a link; whoever looks for the next page of an answer
(`hiddenweb.results.pagination`) judges them as it judges links.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from hiddenweb import identity
from hiddenweb.items import Link
from hiddenweb.page.tags import TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from selectolax.lexbor import LexborNode

_ATTRIBUTES = (
    "data-next", "data-next-url", "data-next-page", "data-next-href", "data-next-page-url", "data-more", "data-more-url",
    "data-load-more", "data-load-more-url", "data-url", "data-href", "data-endpoint", "hx-get", "data-hx-get",
)  # fmt: skip
_SELECTOR = ", ".join(
    (*(f"[{name}]" for name in _ATTRIBUTES), "a[href^='javascript:' i]", "[onclick]", "link[rel][href]")
)
_ADDRESS = re.compile(r"\S*[/?]\S*")
_CALL = re.compile(r"__doPostBack\(|\.submit\(")
_LINK_HEADER = re.compile(r"<([^<>]*)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s,;\"]+))?)*)")
_RELATION = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s,;\"]+))", re.IGNORECASE)
_MOST = 200
_LONGEST_TEXT = 80
_LONGEST_SCRIPT = 500
_MOST_NODES = 60


def turns_in(root: LexborNode, resolve: Callable[[str], str | None]) -> Iterator[Link]:
    """Yield what leads on without being a link: with its address, or with the call of a script in its place."""
    for node in islice(root.css(_SELECTOR), _MOST):
        attributes = node.attributes
        if node.tag == "link":
            rel = " ".join((attributes.get("rel") or "").lower().split())
            if "next" in rel.split() and (url := resolve(attributes.get("href") or "")):
                yield Link(url, rel=rel)
            continue
        text = _said(node) or attributes.get("aria-label") or attributes.get("title") or ""
        if len(text) > _LONGEST_TEXT:
            continue
        for name in _ATTRIBUTES:
            value = attributes.get(name) or ""
            if _ADDRESS.fullmatch(value) and (url := resolve(value)):
                yield Link(url, text, rel="next" if "next" in name else "")
        for script in (attributes.get("href") or "", attributes.get("onclick") or ""):
            if _CALL.search(script) and len(script) <= _LONGEST_SCRIPT:
                yield Link(f"javascript:{script.removeprefix('javascript:').strip()}", text)


def _said(node: LexborNode) -> str:
    """Return the words in an element; of a large one as much as shows that it is no button."""
    pieces: list[str] = []
    waiting, seen = [node.first_child], 0
    while waiting and seen < _MOST_NODES:
        if (here := waiting.pop()) is None:
            continue
        seen += 1
        waiting += (here.next, here.first_child)
        if here.tag_id == TEXT:
            pieces.append((here.text_content or "")[: 2 * _LONGEST_TEXT])
    return " ".join(" ".join(pieces).split())


def next_in_header(header: str, url: str) -> Iterator[Link]:
    """Yield what the Link header of an answer names as the next page (RFC 8288).

    >>> [link.url for link in next_in_header('</find?page=2>; rel="next", </find?page=9>; rel=last', "http://a.example/find")]
    ['http://a.example/find?page=2']
    """
    for target, parameters in islice(_LINK_HEADER.findall(header), _MOST):
        relation = _RELATION.search(parameters)
        rel = (relation[1] or relation[2] or "").lower() if relation else ""
        if "next" in rel.split() and (found := identity.normalised(target.strip(), url)):
            yield Link(found, rel=rel)
