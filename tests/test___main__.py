"""`python -m hiddenweb` is the command `hiddenweb`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_package_can_be_run() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hiddenweb", "--help"], cwd=Path(__file__).parent.parent, text=True,
        capture_output=True, check=True,
    )  # fmt: skip

    assert done.stdout.startswith("usage: hiddenweb URL")
