"""Showing figures as tables, and keeping them so that they can be made again."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

import hiddenweb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks import Options

RESULTS = Path(__file__).resolve().parent / "results"
PARTS = "part"
"""Below the results, and not in git: figures of quick runs, and of a part of what a full run measures."""
NAMED_PACKAGES = ("scrapy", "twisted", "lxml", "selectolax", "whoosh-reloaded", "uvloop", "httptools")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table whose columns also line up on a terminal; numbers to the right."""
    cells = [[show_value(value) for value in row] for row in rows]
    numeric = [
        bool(rows) and all(isinstance(row[column], int | float) for row in rows)
        for column in range(len(header))
    ]
    widths = [max(3, *(len(line[column]) for line in [header, *cells])) for column in range(len(header))]

    def line(values: Sequence[str]) -> str:
        padded = (
            value.rjust(width) if right else value.ljust(width)
            for value, width, right in zip(values, widths, numeric, strict=True)
        )
        return f"| {' | '.join(padded)} |"

    rule = ["-" * (width - 1) + (":" if right else "-") for width, right in zip(widths, numeric, strict=True)]
    return "\n".join([line(header), line(rule), *(line(row) for row in cells)])


def show_value(value: object) -> str:
    """A value as a table shows it: floats to four digits, the rest as it is."""
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def to_json(figures: object, indent: int | None = None) -> str:
    """Figures as JSON, which knows no NaN: what is not a number is null.

    >>> to_json({"ratio": float("nan"), "of": [1.5]})
    '{"ratio": null, "of": [1.5]}'
    """
    return json.dumps(_numbers(figures), indent=indent, ensure_ascii=False, allow_nan=False)


def _numbers(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _numbers(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_numbers(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value


def save(
    name: str, command: str, options: Options, figures: Mapping[str, object], *, is_full: bool = True
) -> Path:
    """Write the figures of one benchmark, with all it takes to make them again, and no date. Only a full run replaces the figures of one."""
    folder = RESULTS if is_full and not options.quick else RESULTS / PARTS
    path = folder / f"{name}.json"
    result = {
        "benchmark": name,
        "command": command,
        "seed": options.seed,
        "quick": options.quick,
        "data": "real" if options.data else "generated",
        "python": platform.python_version(),
        "versions": versions(),
        "figures": dict(figures),
    }
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(to_json(result, indent=2) + "\n", encoding="utf-8")
    return path


def versions() -> dict[str, str]:
    """The versions of ours and of the packages whose speed shows in the figures."""
    found = {"hiddenweb": hiddenweb.__version__}
    for package in NAMED_PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
