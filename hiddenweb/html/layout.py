"""The layout of a page: its texts, its skeleton, and the place of each text in the skeleton.

Both are made from the one table of the page's nodes (`Document.layout`), and only if they are needed.
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
    """The texts of a page and its skeleton. `PageText.node` is a node of this skeleton."""

    texts: PageTexts
    skeleton: Skeleton


def layout_of_table(
    table: NodeTable, *, limits: PageLimits = LIMITS, marks: Sequence[str] = ()
) -> PageLayout:
    """Return the layout of a page; an empty one if it has no nodes. `marks` are those of the page so far."""
    skeleton, nodes = skeleton_of_table(table)
    return PageLayout(texts_of_table(table, limits=limits, marks=marks, skeleton_nodes=nodes), skeleton)


NOTHING = layout_of_table(NodeTable())
"""The layout of a response that is no page."""
