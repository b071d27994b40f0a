"""The balanced link tree: which links of a site to visit when there are too many, without staying in one corner of it.

The directories of the addresses make a tree, one node for each; a link is a leaf. Addresses that differ in their query only are one
link. With N links and at most V visits every node gets its share of them,

    quota = M * V / N        M: its leaves

Children whose share is less than one visit are put together into a node "#". Shares become whole visits by the largest remainder,
so that they add up, and each node shares its own visits out among its children in the same way. In a node "#" the best links
come first. If V >= N all are visited.

From SmartCrawler (Zhao et al., IEEE Transactions on Services Computing 2016), whose example is the test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

REST = "#"
"""The name of the node that holds what is too small for visits of its own."""

MAX_DEPTH = 20
"""Directories of an address that count: below that a site repeats itself. A limit of taste."""


@dataclass(slots=True)
class LinkTreeNode:
    """A directory of a site, with the links below it."""

    name: str
    children: dict[str, LinkTreeNode] = field(default_factory=dict)
    links: list[str] = field(default_factory=list)  # those that end here
    size: int = 0  # links in it and below


@dataclass(frozen=True, slots=True)
class VisitQuota:
    """How many visits a node gets for its links, and how it shares them out."""

    name: str
    links: int
    visits: int
    parts: tuple[VisitQuota, ...] = ()


def choose_balanced(scores: Mapping[str, float], visits: int) -> list[str]:
    """Return the links to visit, best first: each part of a site gets its quota."""
    chosen = _choose(build_tree(scores), visits, scores)
    return sorted(chosen, key=lambda url: (-scores[url], url))


def share_visits(urls: Iterable[str], visits: int) -> VisitQuota:
    """Return how visits are shared out over the tree of some addresses."""
    return _share(build_tree(urls), visits)


def build_tree(urls: Iterable[str]) -> LinkTreeNode:
    """Return the tree of the directories of some addresses."""
    root = LinkTreeNode("")
    paths: set[str] = set()
    for url in urls:
        path = url.partition("?")[0].rstrip("/")
        if path not in paths:
            paths.add(path)
            _add_link(root, url)
    return root


def _add_link(root: LinkTreeNode, url: str) -> None:
    parts = urlsplit(url)
    node = root
    node.size += 1
    for name in [part for part in parts.path.split("/") if part][:MAX_DEPTH]:
        node = node.children.setdefault(name, LinkTreeNode(name))
        node.size += 1
    node.links.append(url)


def _share(node: LinkTreeNode, visits: int) -> VisitQuota:
    visits = min(visits, node.size)
    if not node.children or visits >= node.size:
        parts = tuple(VisitQuota(child.name, child.size, child.size) for child in node.children.values())
        return VisitQuota(node.name, node.size, visits, parts if visits >= node.size else ())
    rest, large = _parts(node, visits)
    sizes = [len(rest), *(child.size for child in large)]
    quotas = whole_visits(sizes, visits)
    parts = tuple(_share(child, quota) for child, quota in zip(large, quotas[1:], strict=True))
    few = (VisitQuota(REST, len(rest), quotas[0]),) if rest else ()
    return VisitQuota(node.name, node.size, visits, (*few, *parts))


def _choose(node: LinkTreeNode, visits: int, scores: Mapping[str, float]) -> Iterator[str]:
    if visits >= node.size:
        yield from _links(node)
        return
    rest, large = _parts(node, visits)
    quotas = whole_visits([len(rest), *(child.size for child in large)], visits)
    yield from sorted(rest, key=lambda url: (-scores[url], url))[: quotas[0]]
    for child, quota in zip(large, quotas[1:], strict=True):
        yield from _choose(child, quota, scores)


def _parts(node: LinkTreeNode, visits: int) -> tuple[list[str], list[LinkTreeNode]]:
    """Return the links of a node that are too few for visits of their own, and the children that are large enough."""
    rest, large = list(node.links), []
    for child in node.children.values():
        if child.size * visits < node.size:
            rest.extend(_links(child))
        else:
            large.append(child)
    return rest, large


def _links(node: LinkTreeNode) -> Iterator[str]:
    yield from node.links
    for child in node.children.values():
        yield from _links(child)


def whole_visits(sizes: list[int], visits: int) -> list[int]:
    """Share visits out in proportion to sizes, in whole numbers that add up: the largest remainders get what is left.

    >>> whole_visits([8, 47, 9, 9, 10, 5, 3], 50)
    [4, 26, 5, 5, 5, 3, 2]
    """
    total = sum(sizes)
    if not total:
        return [0] * len(sizes)
    visits = min(visits, total)
    exact = [size * visits / total for size in sizes]
    whole = [int(quota) for quota in exact]
    by_remainder = sorted(range(len(sizes)), key=lambda place: (whole[place] - exact[place], place))
    for place in by_remainder[: visits - sum(whole)]:
        whole[place] += 1
    return whole
