"""Figures that can be made again: `python -m benchmarks NAME [--quick]`.

A benchmark is a module here with a docstring, whose first line says what it measures, and

    def run(options: Options) -> Mapping[str, object]: ...

which prints what it likes and returns its figures. They are printed as the last line, one JSON object, and
saved with seed, versions and command under `benchmarks/results/`, those of a quick run below `part/` there. One that takes further options has
`parser()`, which reads them, may have `result_name(options)` for where the figures go, and `is_full(options)`, which is false where they leave
out a part; one that cannot run here raises `Skipped`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Options:
    """What every benchmark is told."""

    quick: bool  # end within 50 seconds
    seed: int
    data: Path | None  # real data; without it, generate data of the same shape and say so
    further: tuple[str, ...] = ()  # options of this benchmark alone, as they were given


class Skipped(Exception):
    """A benchmark cannot run here: it says what is missing."""
