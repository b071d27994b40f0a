"""Finding the region and the attributes of pages, from texts that were pasted of one page of the source.

`locate` finds pasted texts in the page they were copied from. `Locator` then finds what stands in the same places of other pages of which no text is known: by
the path of tags and classes, the positions on it and the text before it. It is as simple as this benchmark allows, which is about what happens then:
`locate` and `Locator` are all that the benchmark asks of it, so anything else that finds nodes can stand in their place.
"""

from __future__ import annotations

import html as html_entities
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborHTMLParser

from hiddenweb.changes.path_patterns import Paths
from hiddenweb.page.skeleton import FORMATTING, UNSEEN, Skeleton, skeleton_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TEXT, COMMENT = 2, 4
LEAST_SCORE = 1.2
TEMPLATE_SHARE = 0.3  # a text on so many pages is one of the template
_LONGEST_LABEL = 60


@dataclass(frozen=True, slots=True)
class Spot:
    """A layout element with text of its own."""

    node: int
    labels: tuple[str, ...]  # of its path: tags and classes
    positions: tuple[int, ...]
    before: str  # the text before it
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Told:
    """A page with its texts, without white space, and where they stand."""

    skeleton: Skeleton
    text: str
    spans: tuple[tuple[int, int], ...]  # of each node
    spots: tuple[Spot, ...]
    texts: frozenset[str]


def locate(page_html: str, texts: Mapping[str, str]) -> dict[str, int | None]:
    """Return the node that says each of the pasted texts."""
    return located(told(page_html), texts)


def located(page: Told, texts: Mapping[str, str]) -> dict[str, int | None]:
    """Return the same for a page that was read already; of several places that which is nearest to the others."""
    places = {name: _places(page, text) for name, text in texts.items()}
    nodes: dict[str, int | None] = {}
    chosen: list[int] = []
    for name in sorted(places, key=lambda name: len(places[name])):
        options = places[name]
        if not options:
            nodes[name] = None
            continue
        middle = sorted(chosen)[len(chosen) // 2] if chosen else None
        best = options[0] if middle is None else min(options, key=lambda node: abs(node - middle))
        nodes[name] = best
        chosen.append(best)
    return {name: nodes[name] for name in texts}


def _places(page: Told, text: str) -> list[int]:
    """Return the smallest elements that hold a text; those that hold nothing else, if there are any."""
    wanted = squeezed(html_entities.unescape(text))
    found: list[tuple[bool, int]] = []
    at = page.text.find(wanted) if wanted else -1
    while at >= 0:
        end = at + len(wanted)
        spot = next((spot for spot in page.spots if spot.start <= at and spot.end >= end), None)
        if spot is not None:
            node = _smallest(page, at, end)
            found.append((page.spans[node] == (at, end), node))
        at = page.text.find(wanted, at + 1)
    whole = [node for is_whole, node in found if is_whole]
    return list(dict.fromkeys(whole or [node for _, node in found]))


def _smallest(page: Told, start: int, end: int) -> int:
    best = 0
    for node, (first, last) in enumerate(page.spans):
        if first <= start and last >= end:
            best = node
    return best


class Locator:
    """Finds on further pages what was located on one."""

    def __init__(self, page: Told, nodes: Mapping[str, int | None], pages: Sequence[Told]) -> None:
        counts = Counter(text for each in pages for text in each.texts)
        self.template = {text for text, count in counts.items() if count >= TEMPLATE_SHARE * len(pages)}
        by_node = {spot.node: spot for spot in page.spots}
        self.rules = {
            name: by_node.get(node) or _spot_around(page, node) if node is not None else None
            for name, node in nodes.items()
        }

    def paths(self, page: Told) -> Paths:
        """Return where a page has its attributes, and the region that holds them."""
        nodes = {name: self._best(rule, page) if rule else None for name, rule in self.rules.items()}
        found = [node for node in nodes.values() if node is not None]
        region = page.skeleton.common(found)
        return Paths(page.skeleton, region if region >= 0 else None, nodes)

    def _best(self, rule: Spot, page: Told) -> int | None:
        best, score = None, LEAST_SCORE
        for spot in page.spots:
            if (value := self._score(rule, spot)) > score:
                best, score = spot.node, value
        return best

    def _score(self, rule: Spot, spot: Spot) -> float:
        score = 0.0
        if rule.labels == spot.labels:
            score += 2.0
        else:
            score += 1.5 * _same_end(rule.labels, spot.labels)
        if rule.positions == spot.positions:
            score += 1.0
        else:
            score += 0.5 * _same_start(rule.positions, spot.positions)
        if rule.before and rule.before in self.template:
            score += 1.5 if rule.before == spot.before else -1.5 if spot.before in self.template else 0.0
        return score


def _spot_around(page: Told, node: int) -> Spot | None:
    start, end = page.spans[node]
    return next((spot for spot in page.spots if spot.start >= start and spot.end <= end), None)


def _same_end(one: Sequence[str], other: Sequence[str]) -> float:
    count = 0
    for left, right in zip(reversed(one), reversed(other), strict=False):
        if left != right:
            break
        count += 1
    return count / max(len(one), len(other))


def _same_start(one: Sequence[int], other: Sequence[int]) -> float:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count / max(len(one), len(other))


def told(page_html: str) -> Told:
    """Return a page with its texts."""
    tree = LexborHTMLParser(page_html)
    skeleton = skeleton_of(tree)
    spans, pieces, own, before = _texts(tree, skeleton)
    labels: list[tuple[str, ...]] = []
    positions: list[tuple[int, ...]] = []
    for node, parent in enumerate(skeleton.parents):
        label = f"{skeleton.tags[node]}.{skeleton.classes[node]}"
        labels.append((*labels[parent], label) if parent >= 0 else (label,))
        positions.append((*positions[parent], skeleton.positions[node]) if parent >= 0 else (0,))
    spots = tuple(
        Spot(node, labels[node], positions[node], before[node], *spans[node]) for node in sorted(own)
    )
    return Told(skeleton, "".join(pieces), tuple(spans), spots, frozenset(pieces))


def _texts(
    tree: LexborHTMLParser, skeleton: Skeleton
) -> tuple[list[tuple[int, int]], list[str], set[int], dict[int, str]]:
    """Return the span of each node, all texts, the nodes with text of their own and what is said before these."""
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    pieces: list[str] = []
    own: set[int] = set()
    before: dict[int, str] = {}
    length = number = 0
    place = -1
    element = tree.root
    around: list[tuple[int, bool]] = []
    is_unseen = False
    while element is not None:
        child = None
        if element.tag_id == TEXT:
            piece = squeezed(element.text_content or "")
            if piece and not is_unseen and place >= 0:
                if place not in own:
                    before[place] = pieces[-1][-_LONGEST_LABEL:] if pieces else ""
                    own.add(place)
                pieces.append(piece)
                node = place
                while node >= 0:
                    starts.setdefault(node, length)
                    ends[node] = length + len(piece)
                    node = skeleton.parents[node]
                length += len(piece)
        elif element.tag_id != COMMENT:
            here = skeleton.places[number]
            number += 1
            child = element.first_child
            if child is not None:
                around.append((place, is_unseen))
                place, is_unseen = (
                    here,
                    is_unseen or (element.tag in UNSEEN and element.tag not in FORMATTING),
                )
                element = child
                continue
        while (following := element.next) is None and around:
            place, is_unseen = around.pop()
            parent = element.parent
            assert parent is not None
            element = parent
        element = following if around else None
    spans = [(starts.get(node, 0), ends.get(node, 0)) for node in range(len(skeleton))]
    return spans, pieces, own, before


def squeezed(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())
