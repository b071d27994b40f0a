"""urlwatch on the same pages: what it takes to look at pages that have not changed.

urlwatch (PyPI) is run as its users run it, by its own command, with a list of jobs and its own database of what it saw. Jobs have no filter, so a page is compared as it came:
that is the least work it can do for a page; `html2text`, which its users need against noise in markup, would add to it. It has ten threads and no way to say otherwise.
A first run stores all pages, which the site answers without delay, the second, which finds nothing changed, is measured. A run with one job says what its start takes, and
that is subtracted, as it is for ours. Its reports go to standard output and nowhere else, and no proxy is used.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks._changes_processes import Failed, run
from benchmarks._changes_site import DELAY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks._changes_processes import Ran
    from benchmarks._changes_site import Site

NAMED = "HIDDENWEB_URLWATCH"
"""The environment variable that names the command, if it is not where commands are."""

_CONFIG = """\
display: {new: false, error: true, unchanged: false, empty-diff: true}
report:
  text: {line_length: 75, details: true, footer: true, minimal: false}
  stdout: {enabled: true, color: false}
job_defaults: {all: {}, browser: {}, shell: {}, url: {}}
"""


@dataclass(frozen=True, slots=True)
class Watched:
    """What urlwatch took for pages that had not changed."""

    pages: int
    cpu_ms: float  # of a page
    ms: float  # of a page, on the clock
    rss_mb: float
    version: str


def command() -> str | None:
    """Return the command urlwatch: the one that is named, that of this Python, or that of the path."""
    named = os.environ.get(NAMED)
    if named:
        return named
    beside = Path(sys.executable).with_name("urlwatch")
    if importlib.util.find_spec("urlwatch") is not None and beside.exists():
        return str(beside)
    return shutil.which("urlwatch")


def watch(urlwatch: str, site: Site, pages: int, folder: Path) -> Watched:
    """Let urlwatch see pages twice, and measure the second time."""
    prepare(folder, {"all": site.urls(pages), "one": site.urls(1)})
    site.take_counts()
    site.take(0.0)
    run_jobs(urlwatch, folder, "all")
    site.take(DELAY)
    again = run_jobs(urlwatch, folder, "all")
    asked = site.take_counts()
    if asked != (2 * pages, pages):
        raise Failed(f"urlwatch asked for {asked}, wanted {pages} pages twice:\n{again.output[-2000:]}")
    run_jobs(urlwatch, folder, "one")
    one = run_jobs(urlwatch, folder, "one")
    return Watched(
        pages,
        1000 * (again.cpu - one.cpu) / (pages - 1),
        1000 * (again.wall - one.wall) / (pages - 1),
        again.rss_mb,
        _version(urlwatch),
    )


def prepare(folder: Path, jobs: Mapping[str, Sequence[str]], more: str = "") -> None:
    """Make a folder with a configuration and lists of jobs, each an address and what else is said of it."""
    folder.mkdir()
    (folder / "config.yaml").write_text(_CONFIG, encoding="utf-8")
    for name, urls in jobs.items():
        (folder / f"{name}.yaml").write_text(
            "---\n".join(f"url: {url}\n{more}" for url in urls), encoding="utf-8"
        )


def run_jobs(urlwatch: str, folder: Path, jobs: str) -> Ran:
    """Run urlwatch on a list of jobs, with what it knows of them."""
    arguments = (
        "--urls",
        f"{jobs}.yaml",
        "--config",
        "config.yaml",
        "--cache",
        f"{jobs}.db",
        "--hooks",
        "hooks.py",
    )
    placed = [part if part.startswith("--") else str(folder / part) for part in arguments]
    env = {key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}
    env |= {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "NO_PROXY": "*"}
    return run([urlwatch, *placed], folder / "log", env)


def _version(urlwatch: str) -> str:
    said = subprocess.run([urlwatch, "--version"], capture_output=True, text=True, check=True)
    return said.stdout.split()[-1]
