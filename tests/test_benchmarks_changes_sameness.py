from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks._changes_sameness import Scale, measure

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_copies_are_found_and_records_kept_apart_at_any_scale(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HIDDENWEB_BENCH_DATA", str(tmp_path / "nowhere"))

    figures = measure(Scale(fingerprints=500, texts=3, lookups=20), seed=7)

    assert figures["recall_at_3_percent"] == {
        f"{script}_{length}": 1.0
        for script in ("spaced", "unspaced")
        for length in ("short", "medium", "long")
    }
    assert figures["merges_template"] == 0
    assert figures["pairs_swde"] == 0, "there are no real pages, and it works without"
    assert figures.keys() >= {"fingerprints", "rss_mb", "us_per_lookup", "us_per_insert", "bytes_per_page"}
