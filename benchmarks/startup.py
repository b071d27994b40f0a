"""What CPU a command costs before it does anything, against the same command of Scrapy in a project of its own.

Scrapy loads every command before it runs one, and every spider before it lists them, so a heavy import in one of them makes all
commands slow. Both sides run the same interpreter and the same Scrapy, in turns, each in a fresh process; the CPU seconds are those
that the system charges it, user and system. A command that Scrapy does not have is held against `scrapy list`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.data import ROOT
from benchmarks.report import table
from hiddenweb.index.location import writing
from hiddenweb.index.process import rebuild
from hiddenweb.index.whoosh import WhooshIndex
from hiddenweb.store.database import Store
from hiddenweb.store.outbox import open_outbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks import Options

RUNS, QUICK_RUNS = 15, 5
"""Of each command on either side. The median of five differs from that of fifteen by less than 3 % on an idle machine."""

EXIT_CODES = (0, 1)
"""Of a command that did its work; 1: a search found nothing."""

SPIDER = """import scrapy


class PlainSpider(scrapy.Spider):
    name = "plain"
"""
"""What `scrapy genspider` writes, but for the address: a project without any spider would not even load requests."""


@dataclass(frozen=True, slots=True)
class StartedCommand:
    """A command of ours, and the one of Scrapy that it is held against."""

    name: str
    ours: tuple[str, ...]
    plain: tuple[str, ...] = ("list",)
    opening: str = ""  # what it does besides, which the plain one does too: a statement of Python


OPEN_INDEX = (
    "from pathlib import Path; from hiddenweb.index.location import current_folder;"
    " from hiddenweb.index.whoosh import WhooshIndex; WhooshIndex(current_folder(Path({state!r}))).close()"
)
COMMANDS = (
    StartedCommand("list", ("list",)),
    StartedCommand("help", ("--help",), ("--help",)),
    StartedCommand("status", ("status",)),
    StartedCommand("search", ("search", "lamp"), opening=OPEN_INDEX),
)


def run(options: Options) -> dict[str, object]:
    """Measure every command and return the ratios."""
    runs = QUICK_RUNS if options.quick else RUNS
    figures: dict[str, object] = {"runs": runs}
    shown = []
    with tempfile.TemporaryDirectory(prefix="hiddenweb-startup-") as folder:
        state, plain = prepare(Path(folder))
        for command in COMMANDS:
            ours, theirs = measure(command, state, plain, runs)
            figures[f"{command.name}_ratio"] = round(ours / theirs, 3)
            figures[f"{command.name}_cpu"] = round(ours, 3)
            shown.append((f"scrapy {command.name}", ours, theirs, ours / theirs))
    print(table(("command", "ours, CPU s", "plain, CPU s", "ratio"), shown))
    return figures


def prepare(folder: Path) -> tuple[Path, Path]:
    """Make a state with an empty index, and a project of Scrapy's with one spider; return both folders."""
    state, plain = folder / "state", folder / "plain"
    Store(state).close()
    outbox = open_outbox(state)
    with writing(state, "a benchmark"):
        rebuild(state, outbox, WhooshIndex)
    outbox.close()
    subprocess.run(scrapy("startproject", "plain", str(plain)), check=True, stdout=subprocess.DEVNULL)
    (plain / "plain" / "spiders" / "plain.py").write_text(SPIDER, encoding="utf-8")
    return state, plain


def scrapy(*arguments: str) -> list[str]:
    """The command line of Scrapy, by this interpreter."""
    return [sys.executable, "-m", "scrapy", *arguments]


def measure(command: StartedCommand, state: Path, plain: Path, runs: int) -> tuple[float, float]:
    """Return the CPU seconds of a command in both projects, medians of runs in turns; the first run of each only fills caches."""
    settings = () if command.ours == ("--help",) else ("-s", f"HIDDENWEB_STATE={state}")
    mine = scrapy(*command.ours, *settings)
    theirs = scrapy(*command.plain)
    if command.opening:
        program = f"from scrapy.cmdline import execute; {command.opening.format(state=str(state))}; execute({['scrapy', *command.plain]!r})"
        theirs = [sys.executable, "-c", program]
    pairs = [(cpu_seconds(mine, ROOT), cpu_seconds(theirs, plain)) for _ in range(runs + 1)][1:]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def cpu_seconds(command: Sequence[str], folder: Path) -> float:
    """Run a command; return its CPU seconds, user and system."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("SCRAPY_SETTINGS_MODULE", None)
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in EXIT_CODES:
        raise RuntimeError(f"{' '.join(command)} ended with exit code {process.returncode}")
    return usage.ru_utime + usage.ru_stime
