from __future__ import annotations

import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from pathlib import Path


def demo(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "demo", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=120, check=False)


def test_the_demo_counts_what_is_hidden_and_what_links_reach(root: Path) -> None:
    world = World(3, 12, pages_per_site=25, largest_database=400, port=8000)
    truth = Truth(world)
    reach = truth.reachable(world.plan(number).url for number in world.numbers)
    records = sum(1 for site in truth.sites(databases=True) for _ in truth.records(site.plan.host))
    world.close()

    ended = demo(root, "--seed", "3", "--sites", "12")

    text = " ".join(ended.stdout.split())
    assert ended.returncode == 0, ended.stderr
    assert f"{records:,} records behind search forms" in text
    assert f"finds {len(reach.pages):,} pages and {len(reach.records):,} records" in text
    assert re.search(rf"The other {records - len(reach.records):,} records \(\d+%\)", text)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x"], "scrapy demo takes no arguments, but was given 'x'"),
        (["--sites", "0"], "--sites must be at least 1, not 0"),
    ],
)
def test_bad_arguments_are_clear_errors(root: Path, arguments: list[str], message: str) -> None:
    ended = demo(root, *arguments)

    assert ended.returncode == 2
    assert message in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr
