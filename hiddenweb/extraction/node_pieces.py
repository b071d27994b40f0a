"""Which pieces of text are in which nodes of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hiddenweb.html.layout import PageLayout


class NodePieces:
    """Finds the pieces of text in nodes."""

    def __init__(self, layout: PageLayout) -> None:
        self._ends = layout.skeleton.ends
        nodes = np.array([piece.node for piece in layout.texts.pieces], dtype=np.int64)
        self._order = np.argsort(nodes, kind="stable")
        self._nodes = nodes[self._order]
        later = np.minimum.accumulate(self._order[::-1])[::-1] if len(nodes) else self._order
        self._first_from = np.append(later, len(nodes))

    def inside(self, node: int) -> tuple[int, int]:
        """Return the first piece in a node and the first after it."""
        return self._pieces_of_nodes(node, self._ends[node])

    def pieces_between(self, first: int, last: int, *, is_last: bool) -> tuple[int, int]:
        """Return the range of pieces from one node to another, with loose texts between and after them."""
        start, end = self._pieces_of_nodes(first, self._ends[last])
        if is_last:
            return start, end
        following = int(self._first_from[int(np.searchsorted(self._nodes, self._ends[last]))])
        return start, max(end, following) if end > start else end

    def _pieces_of_nodes(self, first: int, end: int) -> tuple[int, int]:
        low, high = np.searchsorted(self._nodes, (first, end)).tolist()
        inside = self._order[low:high]
        return (int(inside.min()), int(inside.max()) + 1) if high > low else (0, 0)
