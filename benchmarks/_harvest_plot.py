"""A plot of curves as SVG: lines with their names at their ends, one axis from zero, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from hiddenweb.reports.plots import PlotFrame, PlotPaper, ticks

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT = 760, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 150, 44, 52
PAPER = PlotPaper(WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM)
COLOURS = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's, which people with any colour vision tell apart."""

_LINE = 15  # the least distance of two names


@dataclass(frozen=True, slots=True)
class Curve:
    """A named line through points, from left to right."""

    name: str
    points: tuple[tuple[float, float], ...]
    dashed: bool = False


def plot(title: str, across: str, up: str, curves: Sequence[Curve]) -> str:
    """Return the SVG of curves, the first drawn on top; `across` and `up` name the axes."""
    frame = PlotFrame(
        max(x for curve in curves for x, _ in curve.points),
        max(y for curve in curves for _, y in curve.points),
        PAPER,
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        '<g font-family="sans-serif" font-size="12" fill="#333333">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15">{escape(title)}</text>',
        *_axes(frame, across, up),
        *(_line(frame, curve, colour) for curve, colour in reversed(_colour_curves(curves))),
        *_names(frame, curves),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def number(value: float) -> str:
    """Return a value as it is written beside a line: whole, or a share with two digits.

    >>> number(12_345.0), number(0.8712), number(0.30000000000000004), number(0.0)
    ('12,345', '0.87', '0.3', '0')
    """
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:.2g}"


def _axes(frame: PlotFrame, across: str, up: str) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    lines = []
    for value in ticks(frame.most_y):
        y = frame.y(value)
        lines.append(f'<path d="M{LEFT} {y:.1f}H{right}" stroke="#dddddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{number(value)}</text>')
    for value in ticks(frame.most_x):
        x = frame.x(value)
        lines.append(f'<text x="{x:.1f}" y="{bottom + 18}" text-anchor="middle">{number(value)}</text>')
    middle = (LEFT + right) / 2
    lines.append(f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">{escape(across)}</text>')
    lines.append(
        f'<text transform="translate(16 {(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(up)}</text>'
    )
    return lines


def _line(frame: PlotFrame, curve: Curve, colour: str) -> str:
    points = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in curve.points)
    dashes = ' stroke-dasharray="5 4"' if curve.dashed else ""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def _names(frame: PlotFrame, curves: Sequence[Curve]) -> list[str]:
    """Return the names beside the ends of the lines, moved up where they would cover each other."""
    names = []
    free = float(HEIGHT)
    for curve, colour in sorted(_colour_curves(curves), key=lambda each: each[0].points[-1][1]):
        x, y = curve.points[-1]
        at = min(frame.y(y), free)
        free = at - _LINE
        shown = f"{escape(curve.name)} {number(y)}"
        names.append(f'<text x="{frame.x(x) + 8:.1f}" y="{at + 4:.1f}" fill="{colour}">{shown}</text>')
    return names


def _colour_curves(curves: Sequence[Curve]) -> list[tuple[Curve, str]]:
    return [(curve, COLOURS[number % len(COLOURS)]) for number, curve in enumerate(curves)]
