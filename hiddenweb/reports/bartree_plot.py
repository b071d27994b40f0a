"""Drawings of bar-trees: as SVG, and as text for a terminal.

As in the paper's figures there is a bar for each depth, of the width w_d, and the bar of depth d + 1 lies inside that of depth d: in that one of its P_d parts which is on
the path. Here depth runs from top to bottom and widths from left to right, so a change above the region shows as a bar that moves to the right, and a change below it as a bar
that gets narrower in its place. Two bar-trees in one drawing, old and new, show where they differ.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.extraction.bartree import BarTree

WIDTH, ROW = 560, 20
LEFT, RIGHT, TOP, BOTTOM = 44, 190, 46, 16
"""Pixels of a drawing, of a row and of the margins. Limits of taste."""

GAP = 26  # pixels between two trees; a limit of taste
LEAST_WIDTH = 1.5  # pixels of a bar, so that it can be seen; a limit of taste
MOST_ROWS = 60
"""Depths that are drawn; deeper ones are counted. A limit of taste."""

COLUMNS = 48
"""Characters of the widest bar in a terminal. A limit of taste."""

STYLE = """
.paper{fill:#ffffff} text{fill:#303030;font:12px sans-serif} .title{font-size:15px}
.bar{fill:#0b62a4} .new{fill:#b84a00} .rest{fill:#8a8a8a;fill-opacity:.22} .part{stroke:#ffffff}
@media (prefers-color-scheme:dark){
.paper{fill:#16181c} text{fill:#d8d8d8} .bar{fill:#6cb6ff} .new{fill:#ff9d5c} .rest{fill:#a0a0a0} .part{stroke:#16181c}}
"""
_MAX_PARTS = 40  # parts of a bar that are drawn separately; a limit of taste


def bars_svg(title: str, trees: Sequence[tuple[str, BarTree]]) -> str:
    """Return a drawing of one bar-tree, or of an old and a new one below each other, each with its name."""
    heights = [TOP + ROW * min(len(tree.widths), MOST_ROWS) + BOTTOM for _, tree in trees]
    width, height = LEFT + WIDTH + RIGHT, GAP + sum(heights)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<text class="title" x="{LEFT}" y="22">{escape(title)}</text>',
    ]
    y = GAP
    for number, (name, tree) in enumerate(trees):
        other = trees[number - 1][1] if number else None
        parts += _draw_tree(name, tree, other, y)
        y += heights[number]
    return "\n".join([*parts, "</svg>"]) + "\n"


def bars_lines(tree: BarTree, other: BarTree | None = None, *, blocks: bool = True) -> list[str]:
    """Return a bar-tree for a terminal, a line for each depth; `>` marks depths that differ from the other tree."""
    full, empty = ("█", "░") if blocks else ("#", ".")
    lines = [f"  d   P_d  {'w_d':<{COLUMNS}}       w_d        A_d"]
    for depth, (left, width) in enumerate(_spans(tree)[:MOST_ROWS]):
        start = min(COLUMNS - 1, int(left * COLUMNS))
        size = min(COLUMNS - start, max(1, round(width * COLUMNS)))
        parallel = tree.parallel[depth]
        parent_size = min(COLUMNS - start, max(size, round(_parent_part(tree, depth) * COLUMNS)))
        bar = f"{' ' * start}{full * size}{empty * (parent_size - size)}"
        mark = ">" if other is not None and differs(tree, other, depth) else " "
        numbers = f"{tree.widths[depth]:10.4g} {tree.areas[depth]:10.4g}"
        lines.append(f"{mark}{depth:>2} {parallel:>5}  {bar:<{COLUMNS}}{numbers}")
    if len(tree.widths) > MOST_ROWS:
        lines.append(f"  and {len(tree.widths) - MOST_ROWS} depths more")
    return [*lines, summary(tree)]


def summary(tree: BarTree) -> str:
    """Return the variables of a bar-tree in one line."""
    return (
        f"d_max {tree.d_max}, A_total {tree.total:.4g}, Sigma upper {tree.upper.sigma}, lower {tree.lower.sigma},"
        f" Delta {tree.delta} ({tree.symmetry})"
    )


def differs(tree: BarTree, other: BarTree, depth: int) -> bool:
    """Return whether two bar-trees differ in the elements next to the path at a depth."""
    return (
        depth >= len(other.parallel)
        or tree.parallel[depth] != other.parallel[depth]
        or tree.before[depth] != other.before[depth]
    )


def _spans(tree: BarTree) -> list[tuple[float, float]]:
    """Return where each bar starts and how wide it is: inside the part of the bar above that is on the path."""
    spans = [(0.0, tree.widths[0])]
    for depth in range(1, len(tree.widths)):
        left, width = spans[-1]
        part = width / tree.parallel[depth - 1]
        spans.append((left + part * tree.before[depth - 1], tree.widths[depth]))
    return spans


def _parent_part(tree: BarTree, depth: int) -> float:
    """Return the width of the part of the bar above that holds the bar of a depth; r makes the bar narrower than that."""
    return tree.widths[depth - 1] / tree.parallel[depth - 1] if depth else tree.widths[0]


def _draw_tree(name: str, tree: BarTree, other: BarTree | None, y: int) -> Iterator[str]:
    yield f'<text x="{LEFT}" y="{y + 16}">{escape(name)}: {escape(summary(tree))}</text>'
    y += TOP - GAP
    for depth, (left, width) in enumerate(_spans(tree)[:MOST_ROWS]):
        top = y + ROW * depth
        x = LEFT + left * WIDTH
        size = max(LEAST_WIDTH, width * WIDTH)
        kind = "new" if other is not None and differs(tree, other, depth) else "bar"
        parent_size = max(size, _parent_part(tree, depth) * WIDTH)
        yield f'<rect class="rest" x="{x:.2f}" y="{top}" width="{parent_size:.2f}" height="{ROW}"/>'
        yield f'<rect class="{kind}" x="{x:.2f}" y="{top + 1}" width="{size:.2f}" height="{ROW - 2}"/>'
        parallel = tree.parallel[depth]
        if 1 < parallel <= _MAX_PARTS and size / parallel >= 3:
            marks = "".join(
                f"M{x + size * part / parallel:.2f} {top + 1}v{ROW - 2}" for part in range(1, parallel)
            )
            yield f'<path class="part" d="{marks}"/>'
        yield f'<text x="{LEFT - 8}" y="{top + 14}" text-anchor="end">{depth}</text>'
        yield f'<text x="{LEFT + WIDTH + 12}" y="{top + 14}">P {parallel}, w {tree.widths[depth]:.3g}, A {tree.areas[depth]:.3g}</text>'
