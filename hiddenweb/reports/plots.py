"""Plots of the harvest: how many forms were found on how many pages.

The rate at a point is that of the last pages before it, a tenth of all pages: what the crawl finds now, and not its
average since the start.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import ceil, floor, log10
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hiddenweb.reports.summary import HarvestPoint

    Line = Sequence[tuple[float, float]]

PER = 1_000
"""Pages that a rate refers to. A limit of taste."""

ROWS, COLUMNS = 5, 48
"""Characters of a plot in the terminal, without its labels."""

BLOCKS = "▁▂▃▄▅▆▇█"
SHADE = "░"
PLAIN = "########", "."
"""The same for a terminal without block characters."""

_WINDOWS = 10  # a rate is measured over this part of the pages; a limit of taste

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 70, 70, 66, 60
"""Pixels of a drawing, and of its margins. Limits of taste."""
STYLE = """
.paper{fill:#ffffff} text{fill:#303030;font:12px sans-serif} .title{font-size:15px}
.axis{stroke:#8a8a8a} .grid{stroke:#e4e4e4} path{fill:none;stroke-width:2}
.found{stroke:#0b62a4} .on{stroke:#0b62a4;stroke-dasharray:5 4} .rate{stroke:#b84a00}
text.found{fill:#0b62a4;stroke:none} text.on{fill:#0b62a4;stroke:none} text.rate{fill:#b84a00;stroke:none}
@media (prefers-color-scheme:dark){
.paper{fill:#16181c} text{fill:#d8d8d8} .axis{stroke:#808080} .grid{stroke:#30343a}
.found,.on{stroke:#6cb6ff} .rate{stroke:#ff9d5c}
text.found,text.on{fill:#6cb6ff} text.rate{fill:#ff9d5c}}
"""


def rates(pages: Sequence[int], forms: Sequence[int]) -> list[float]:
    """Return the forms found on 1,000 pages, at each point measured over the tenth of all pages before it.

    >>> rates([10, 20, 30], [1, 1, 4])
    [100.0, 0.0, 300.0]
    """
    window = pages[-1] / _WINDOWS if pages else 0.0
    pages_read, forms_found = (0, *pages), (0, *forms)
    first = next((here for here, count in enumerate(pages_read) if count >= window), 0)
    found: list[float] = []
    start = 0
    for here in range(1, len(pages_read)):
        end = max(here, first)
        while end > first and pages_read[end] - pages_read[start + 1] >= window:
            start += 1
        found.append(PER * (forms_found[end] - forms_found[start]) / (pages_read[end] - pages_read[start]))
    return found


# In the terminal


def harvest_lines(series: Sequence[HarvestPoint], *, blocks: bool = True) -> list[str]:
    """Return a plot of the rates for a terminal; nothing if there are fewer than two points."""
    if len(series) < 2:
        return []
    pages = [point.pages for point in series]
    found = _columns(rates(pages, [point.search_forms for point in series]))
    on_topic = _columns(rates(pages, [point.forms_on_topic or 0 for point in series]))
    has_topic = series[-1].forms_on_topic is not None
    most = round_up(max(found))
    height = ROWS / (most or 1)
    front = [height * rate for rate in (on_topic if has_topic else found)]
    behind = [height * rate for rate in found] if has_topic else [0.0] * len(found)
    labels = [f"{most:,.9g}" if row == ROWS - 1 else "0" if row == 0 else "" for row in range(ROWS)]
    wide = max(map(len, labels))
    key = f": {SHADE if blocks else PLAIN[1]} search forms, {BLOCKS[-1] if blocks else PLAIN[0][0]} on topic"
    return [
        f"forms per {PER:,} pages{key if has_topic else ''}",
        *(
            f"{labels[row]:>{wide}} |{_row(front, behind, row, blocks=blocks)}".rstrip()
            for row in reversed(range(ROWS))
        ),
        f"{'':>{wide}} +{'-' * len(found)}",
        f"{'':>{wide}}  0{f'{pages[-1]:,} pages':>{max(len(found) - 1, len(str(pages[-1])) + 8)}}",
    ]


def _columns(values: Sequence[float]) -> list[float]:
    """Return one value for each column: the mean of the values that share it."""
    columns = min(COLUMNS, len(values))
    edges = [len(values) * column // columns for column in range(columns + 1)]
    return [sum(values[first:last]) / (last - first) for first, last in pairwise(edges)]


def _row(front: Sequence[float], behind: Sequence[float], row: int, *, blocks: bool) -> str:
    filled, shade = (BLOCKS, SHADE) if blocks else PLAIN
    return "".join(
        _cell(before - row, after - row, filled, shade) for before, after in zip(front, behind, strict=True)
    )


def _cell(front: float, behind: float, filled: str, shade: str) -> str:
    """Return a character that is filled to a share of its height; small shares stay visible."""
    if front > 0:
        return filled[min(len(filled), ceil(front * len(filled))) - 1]
    return shade if behind > 0 else " "


# As SVG


@dataclass(frozen=True, slots=True)
class PlotPaper:
    """The size of a drawing and of its margins, in pixels."""

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = RIGHT
    top: int = TOP
    bottom: int = BOTTOM


PAPER = PlotPaper()


@dataclass(frozen=True, slots=True)
class PlotFrame:
    """Maps values to positions on the paper."""

    most_x: float
    most_y: float
    paper: PlotPaper = PAPER

    def x(self, value: float) -> float:
        """Return how far to the right a value is."""
        paper = self.paper
        return paper.left + value / (self.most_x or 1) * (paper.width - paper.left - paper.right)

    def y(self, value: float) -> float:
        """Return how far down a value is."""
        bottom = self.paper.height - self.paper.bottom
        return bottom - value / (self.most_y or 1) * (bottom - self.paper.top)


def harvest_svg(series: Sequence[HarvestPoint]) -> str:
    """Return a plot of the harvest: forms found (left axis) and forms per 1,000 pages (right axis), by pages read."""
    pages = [point.pages for point in series]
    found = [point.search_forms for point in series]
    by_pages = rates(pages, found)
    across = float(pages[-1]) if pages else 1.0
    left = PlotFrame(across, round_up(max(found, default=0)) or 1.0)
    right = PlotFrame(across, round_up(max(by_pages, default=0.0)) or 1.0)
    on_topic = [(point.pages, point.forms_on_topic) for point in series if point.forms_on_topic is not None]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
        f"<title>{_title(series)}</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>',
        f'<text class="title" x="{LEFT}" y="24">{_title(series)}</text>',
        *_names(has_topic=bool(on_topic)),
        *_axes(left, right),
        path(left, [(0, 0), *zip(pages, found, strict=True)], "found"),
        path(left, [(0, 0), *on_topic] if on_topic else [], "on"),
        path(right, list(zip(pages, by_pages, strict=True)), "rate"),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _title(series: Sequence[HarvestPoint]) -> str:
    if not series:
        return "Harvest: no page was read yet"
    first, last = series[0], series[-1]
    days = sorted({_day(first.at), _day(last.at)})
    return f"Harvest, {' to '.join(days)}: {last.search_forms:,} search forms in {last.pages:,} pages"


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).astimezone().date().isoformat()


def _names(*, has_topic: bool) -> Iterator[str]:
    names = [("found", "search forms found"), ("rate", f"search forms per {PER:,} pages")]
    if has_topic:
        names.insert(1, ("on", "those on topic"))
    for number, (name, text) in enumerate(names):
        x = LEFT + 200 * number
        yield f'<path class="{name}" d="M{x} 42h24"/><text class="{name}" x="{x + 30}" y="46">{text}</text>'


def _axes(left: PlotFrame, right: PlotFrame) -> Iterator[str]:
    bottom, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    for value in ticks(left.most_y, least=1.0):
        y = left.y(value)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{end}"/>'
        yield f'<text class="found" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,.9g}</text>'
    for value in ticks(right.most_y):
        yield f'<text class="rate" x="{end + 8}" y="{right.y(value) + 4:.1f}">{value:,.9g}</text>'
    for value in ticks(left.most_x, least=1.0):
        yield f'<text x="{left.x(value):.1f}" y="{bottom + 18}" text-anchor="middle">{value:,.9g}</text>'
    yield f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{end}V{TOP}"/>'
    middle = (TOP + bottom) / 2
    yield f'<text x="{(LEFT + end) / 2}" y="{bottom + 42}" text-anchor="middle">pages read</text>'
    yield f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">forms found</text>'
    yield f'<text transform="translate({WIDTH - 12} {middle}) rotate(-90)" text-anchor="middle">forms per {PER:,} pages</text>'


def path(frame: PlotFrame, line: Line, name: str) -> str:
    """Return a line through points; nothing if there are fewer than two."""
    if len(line) < 2:
        return ""
    steps = "L".join(f"{frame.x(x):.1f} {frame.y(y):.1f}" for x, y in line)
    return f'<path class="{name}" d="M{steps}"/>'


def ticks(most: float, least: float = 0.0) -> list[float]:
    """Return round values from zero up, at least `least` apart.

    >>> ticks(50), ticks(1), ticks(1, least=1.0)
    ([0.0, 10.0, 20.0, 30.0, 40.0, 50.0], [0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [0.0, 1.0])
    """
    step = max(_step(most), least)
    return [round(step * number, 9) for number in range(floor(most / step + 1e-9) + 1)]


def round_up(most: float) -> float:
    """Return the next larger round value.

    >>> [round_up(most) for most in (0, 3, 47, 101)]
    [0.0, 3.0, 50.0, 120.0]
    """
    return ceil(most / _step(most) - 1e-9) * _step(most) if most > 0 else 0.0


def _step(most: float) -> float:
    size = 10.0 ** floor(log10(most)) if most > 0 else 1.0
    return next(part * size for part in (0.2, 0.5, 1.0, 2.0) if most / (part * size) <= 6 + 1e-9)
