"""Commands start nearly as fast as those of plain Scrapy: none loads what only another one needs."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from benchmarks.startup import COMMANDS, StartedCommand, measure, prepare

if TYPE_CHECKING:
    from pathlib import Path

HEAVY = {"numpy", "simweb", "whoosh", "selectolax", "tldextract", "py3langid", "protego", "rich"}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return prepare(tmp_path_factory.mktemp("startup"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_starts_in_less_than_twice_the_time_of_plain_scrapy(
    command: StartedCommand, folders: tuple[Path, Path]
) -> None:
    ours, plain = measure(command, *folders, runs=1)

    assert ours < 2 * plain


@pytest.mark.parametrize("command", ["list", "-h"])
def test_what_scrapy_loads_for_every_command_is_light(command: str, root: Path) -> None:
    code = f"""
import sys
from scrapy.cmdline import execute
try:
    execute(["scrapy", "{command}"])
except SystemExit:
    print("loaded:", *{{name.partition(".")[0] for name in sys.modules}})
"""

    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)

    loaded = set(done.stdout.rpartition("loaded: ")[2].split())
    assert "scrapy" in loaded
    assert loaded & HEAVY == set()
