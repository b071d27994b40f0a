"""Where the real data lies, if there is any."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path | None:
    """The folder that HIDDENWEB_BENCH_DATA names, else ../shared/data; None when it is not there."""
    named = os.environ.get("HIDDENWEB_BENCH_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None
