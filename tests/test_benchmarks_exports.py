"""What exporting costs: every format is written, and memory does not grow with the records."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from benchmarks.exports import export, fill_state

if TYPE_CHECKING:
    from pathlib import Path

MOST_GROWTH = 15.0
"""MB that ten times the records may add: caches of SQLite, and the columns."""


def test_memory_does_not_grow_with_the_records(tmp_path: Path) -> None:
    peaks = []
    for count in (400, 4_000):
        fill_state(tmp_path / str(count), count, Random(1))
        _, memory = export(tmp_path / str(count), tmp_path / "r.csv")
        peaks.append(memory)

    assert (tmp_path / "r.csv").read_bytes().count(b"\n") == 4_001
    assert peaks[1] < peaks[0] + MOST_GROWTH
