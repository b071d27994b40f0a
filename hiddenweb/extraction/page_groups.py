"""Which pages are of one kind: those made from one template.

Pages of one template share most of the *places* of their skeletons: a place is the path of tags and classes to an element, with the digits in them masked.
Two pages are as like as the share of places they have in common (Jaccard). The frame of a site, its head and menu, is on all of its pages, so likeness alone says little; what is asked is
which of many pages are like one that was shown.

Their addresses say the same more cheaply, and before a page is fetched: `hiddenweb.urls.UrlPatterns`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.html.skeleton import Skeleton

SAME_TEMPLATE = 0.45
"""The share of places that pages of one template have in common, at the least."""

_DIGITS = re.compile(r"\d+")
_DEEPEST = 60  # places below this depth are not told apart; a limit of taste


def dom_paths(skeleton: Skeleton) -> frozenset[int]:
    """Return the places of a page, as numbers that hold within this process; without `html`, `head` and `body`, which every page has."""
    paths: list[int] = []
    places: set[int] = set()
    labels: dict[tuple[str, str], str] = {}
    for node, parent in enumerate(skeleton.parents):
        key = skeleton.tags[node], skeleton.classes[node]
        label = labels.get(key)
        if label is None:
            label = labels[key] = f"{key[0]}.{_DIGITS.sub('0', key[1])}"
        above = paths[parent] if parent >= 0 else 0
        paths.append(hash((above, label)) if skeleton.depths[node] < _DEEPEST else above)
        if skeleton.depths[node] > 1:
            places.add(paths[-1])
    return frozenset(places)


def jaccard(one: frozenset[int], other: frozenset[int]) -> float:
    """Return the share of places that two pages have in common."""
    together = len(one | other)
    return len(one & other) / together if together else 0.0
