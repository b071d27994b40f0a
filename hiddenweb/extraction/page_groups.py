"""Page groups: pages made from one template.

Pages of one template share most of the *places* of their skeletons: a place is the path of tags and classes to an element, with their digits masked.
The similarity of two pages is the share of places they have in common (Jaccard). The frame of a site, its head and menu, is on all of its pages, so similarity alone says little; it is used
to find the pages most similar to an example.

Addresses show the same more cheaply, and before a page is fetched: `hiddenweb.urls.UrlPatterns`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hiddenweb.html.skeleton import Skeleton

SAME_TEMPLATE = 0.45
"""The least share of places that pages of one template have in common."""

_DIGITS = re.compile(r"\d+")
_DEEPEST = 60  # places below this depth are not distinguished; a limit of taste


def dom_paths(skeleton: Skeleton) -> frozenset[int]:
    """Return the places of a page, as numbers that are valid within this process; without `html`, `head` and `body`."""
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


def jaccard(places: frozenset[int], other_places: frozenset[int]) -> float:
    """Return the share of places that two pages have in common."""
    union = len(places | other_places)
    return len(places & other_places) / union if union else 0.0
