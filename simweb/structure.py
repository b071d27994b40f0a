"""The tree of a site's public pages, kept as three arrays of numbers.

Pages are numbered breadth first, so the children of a page are a range and a depth is a range too. A site of
20,000 pages costs a quarter of a megabyte and is made in milliseconds.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random


class Structure:
    """Which page lies below which."""

    def __init__(self, pages: int, sections: int, draw: Random) -> None:
        self.pages = pages
        self.parent = array("i", [-1]) * pages
        self.first_child = array("i", [0]) * pages
        self.children_of = array("i", [0]) * pages
        self.depth = array("b", [0]) * pages
        breadth = max(3.0, pages ** (1 / 3.6))
        made = 1
        for page in range(pages):
            if made >= pages:
                break
            count = sections if page == 0 else self._children(page, made, breadth, draw)
            count = min(count, pages - made)
            self.first_child[page] = made
            self.children_of[page] = count
            self.parent[made : made + count] = array("i", [page]) * count
            self.depth[made : made + count] = array("b", [self.depth[page] + 1]) * count
            made += count

    def children(self, page: int) -> range:
        """Return the numbers of the pages right below a page."""
        first = self.first_child[page]
        return range(first, first + self.children_of[page])

    def ancestors(self, page: int) -> list[int]:
        """Return the pages from the homepage down to a page, that page left out."""
        above = []
        while (page := self.parent[page]) >= 0:
            above.append(page)
        return above[::-1]

    def page_at_depth(self, depth: int, draw: Random) -> int:
        """Return a page of a depth, or of the greatest depth there is."""
        depth = min(depth, self.depth[-1])
        first = self._first_of(depth)
        return draw.randrange(first, self._first_of(depth + 1))

    def _first_of(self, depth: int) -> int:
        low, high = 0, self.pages
        while low < high:
            middle = (low + high) // 2
            if self.depth[middle] < depth:
                low = middle + 1
            else:
                high = middle
        return low

    def _children(self, page: int, made: int, breadth: float, draw: Random) -> int:
        """Most pages are leaves or small lists; the last open page always goes on, so that no page is left over."""
        count = int(draw.random() * 2.2 * breadth) if draw.random() < 0.62 else 0
        return max(count, 2) if page == made - 1 else min(count, 40)
