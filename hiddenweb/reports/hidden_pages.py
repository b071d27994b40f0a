"""Which of the pages that a crawl read were hidden, in the order of reading, and how deep they were; with three plots.

A page is hidden if only a form leads to it, as far as the crawl knows, and it has something new: the page of a record that an answer
named, or an answer on which records were found for the first time. All others count against precision: pages that links reach, answers without
new records, and duplicates. Nobody knows how many hidden pages there are, so recall is relative to those that were found.

The plots are those of the paper on learning automata, from any crawl: precision by recall, hidden pages by others, hidden pages by depth.
(Kumar and Bhatia: Hidden webpages detection using distributed learning automata, 2018, figures 4 to 6.)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, cast

from hiddenweb.reports.plots import (
    BOTTOM,
    HEIGHT,
    LEFT,
    RIGHT,
    STYLE,
    TOP,
    WIDTH,
    PlotFrame,
    path,
    round_up,
    ticks,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiddenweb.store.database import Store

MAX_POINTS = 100
"""The most moments of a crawl in a plot: a limit of taste."""

RECALLS = tuple(part / 20 for part in range(1, 21))
"""The recalls at which precision is plotted, a twentieth apart: a limit of taste."""

_BAR = 0.6  # share of the width of a depth: a limit of taste
_BARS = ".bar{fill:#0b62a4} @media (prefers-color-scheme:dark){.bar{fill:#6cb6ff}}"
_MEANING = (
    "A hidden page is the page of a record that only an answer led to, or an answer with new records.",
    "Recall is relative to the hidden pages that this crawl found: nobody knows how many there are.",
)


class HiddenCount(NamedTuple):
    """How many pages were read up to a moment, and how many of them were hidden."""

    pages: int
    hidden: int


@dataclass(frozen=True, slots=True)
class HiddenPages:
    """The hidden pages that were found."""

    pages: int = 0
    hidden: int = 0
    course: list[HiddenCount] = field(default_factory=list)  # at selected moments
    precision: list[tuple[float, float]] = field(default_factory=list)  # by recall
    by_depth: dict[int, int] = field(default_factory=dict)  # links and queries from the seed


def find_hidden_pages(store: Store, points: int = MAX_POINTS) -> HiddenPages:
    """Return how hidden pages were found in the course of a crawl; every page row is read once."""
    rows = store.rows(
        "SELECT links.hops, pages.duplicate_of IS NULL AND (pages.kind = 'record'"
        " OR pages.kind IN ('answer', 'paging') AND pages.id IN (SELECT page FROM records))"
        " FROM pages JOIN links ON links.id = pages.link ORDER BY pages.id"
    )
    found = cast("list[tuple[int, int]]", rows)
    hidden_so_far = [0]
    for _, is_hidden in found:
        hidden_so_far.append(hidden_so_far[-1] + is_hidden)
    pages, hidden = len(found), hidden_so_far[-1]
    moments = sorted({pages * point // points for point in range(1, points + 1)} - {0})
    return HiddenPages(
        pages,
        hidden,
        [HiddenCount(at, hidden_so_far[at]) for at in moments],
        _precision_at_recalls(hidden_so_far),
        dict(sorted(Counter(hops for hops, is_hidden in found if is_hidden).items())),
    )


def _precision_at_recalls(hidden_so_far: list[int]) -> list[tuple[float, float]]:
    """Return each recall with the precision when it was reached."""
    hidden = hidden_so_far[-1]
    if not hidden:
        return []
    points = []
    recalls = iter(RECALLS)
    recall = next(recalls, None)
    for pages, reached in enumerate(hidden_so_far):
        while recall is not None and reached and reached >= recall * hidden:
            points.append((recall, reached / pages))
            recall = next(recalls, None)
    return points


def hidden_svg(found: HiddenPages) -> str:
    """Return the three plots, one below the other."""
    panels = (_precision(found), _course(found), _depths(found))
    height = HEIGHT * len(panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">',
        f"<title>Hidden pages: {found.hidden:,} of {found.pages:,} pages read</title>",
        f"<style>{STYLE}{_BARS}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height}"/>',
    ]
    for number, panel in enumerate(panels):
        parts += [
            f'<g transform="translate(0 {number * HEIGHT})">',
            *(part for part in panel if part),
            "</g>",
        ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _precision(found: HiddenPages) -> Iterator[str]:
    frame = PlotFrame(1.0, 1.0)
    yield from _panel_head(
        f"Precision by recall: {found.hidden:,} hidden pages of {found.pages:,} read", *_MEANING
    )
    yield from _axes(frame, "recall", "precision: hidden pages / pages read")
    yield path(frame, found.precision, "found")


def _course(found: HiddenPages) -> Iterator[str]:
    others = found.pages - found.hidden
    frame = PlotFrame(float(others or 1), round_up(found.hidden) or 1.0)
    yield from _panel_head("Hidden pages by other pages")
    yield from _axes(frame, "other pages read", "hidden pages read", least=1.0)
    yield path(frame, [(0, 0), *((at.pages - at.hidden, at.hidden) for at in found.course)], "found")


def _depths(found: HiddenPages) -> Iterator[str]:
    deepest = max(found.by_depth, default=0)
    frame = PlotFrame(deepest + 1.0, round_up(max(found.by_depth.values(), default=0)) or 1.0)
    yield from _panel_head("Hidden pages by depth")
    yield from _axes(frame, "links and queries from the seed", "hidden pages read", least=1.0, across=False)
    for depth in range(deepest + 1):
        x, y = frame.x(depth + 0.5), frame.y(found.by_depth.get(depth, 0))
        wide = _BAR * (frame.x(1) - frame.x(0))
        yield f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{depth}</text>'
        yield (
            f'<rect class="bar" x="{x - wide / 2:.1f}" y="{y:.1f}" width="{wide:.1f}"'
            f' height="{HEIGHT - BOTTOM - y:.1f}"><title>{found.by_depth.get(depth, 0):,}</title></rect>'
        )


def _panel_head(title: str, *explained: str) -> Iterator[str]:
    yield f'<text class="title" x="{LEFT}" y="24">{title}</text>'
    for number, line in enumerate(explained):
        yield f'<text x="{LEFT}" y="{42 + 15 * number}">{line}</text>'


def _axes(
    frame: PlotFrame, across_is: str, up_is: str, *, least: float = 0.0, across: bool = True
) -> Iterator[str]:
    bottom, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    for value in ticks(frame.most_y, least):
        y = frame.y(value)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{end}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,.9g}</text>'
    for value in ticks(frame.most_x, least) if across else ():
        yield f'<text x="{frame.x(value):.1f}" y="{bottom + 18}" text-anchor="middle">{value:,.9g}</text>'
    yield f'<path class="axis" d="M{LEFT} {TOP}V{bottom}H{end}"/>'
    yield f'<text x="{(LEFT + end) / 2}" y="{bottom + 42}" text-anchor="middle">{across_is}</text>'
    yield f'<text transform="translate(18 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">{up_is}</text>'
