"""The layout of a page: its texts, its skeleton, and where in the skeleton each text stands.

Both are made from the one table of the page's nodes (`Document.layout`), and only where somebody wants them: a page of which nobody wants anything costs nothing here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hiddenweb.html.limits import LIMITS, PageLimits
from hiddenweb.html.node_table import NodeTable
from hiddenweb.html.skeleton import Skeleton, skeleton_of_table
from hiddenweb.html.texts import PageTexts, texts_of_table

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class PageLayout:
    """What a page says, and how it is laid out. `PageText.node` is a node of this skeleton."""

    texts: PageTexts
    skeleton: Skeleton


def layout_of_table(
    table: NodeTable, *, limits: PageLimits = LIMITS, marks: Sequence[str] = ()
) -> PageLayout:
    """Return the layout of a page; an empty one if it has no nodes. `marks` are those of the page so far."""
    skeleton, nodes = skeleton_of_table(table)
    return PageLayout(texts_of_table(table, limits=limits, marks=marks, skeleton_nodes=nodes), skeleton)


NOTHING = layout_of_table(NodeTable())
"""The layout of what is no page."""
