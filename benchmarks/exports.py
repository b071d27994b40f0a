"""What exporting records costs: seconds and memory for each format, with a table of 216 columns.

The records are made by chance, from a seed: on four sites, with a dozen attributes each, one of them of two hundred that few records have. Each format is
written by `scrapy records` in a process of its own; its CPU seconds and its peak memory are those that the system charges it. What matters
is that memory does not grow with the records: the quick run has a tenth of them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from benchmarks.data import ROOT
from benchmarks.report import table
from hiddenweb.model import Record
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from benchmarks import Options

RECORDS, QUICK_RECORDS = 100_000, 10_000
SITES = 4
RARE = 200
"""Attributes of which each record has one: a table is wide where many sites are in it."""

FILES = ("r.csv", "r.jsonl", "r.json", "r.xlsx", "r.parquet", "r.db")
MEGABYTE = 1e6
KIBIBYTE = 1024  # bytes: the unit of `VmHWM`
_PROGRAM = """
import atexit, re, time
from pathlib import Path
from scrapy.cmdline import execute
atexit.register(lambda: print(time.process_time(), re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]))
execute({!r})
"""
"""Runs a command, then prints its CPU seconds and its peak memory in KiB. `ru_maxrss` would have that of the process that started it."""


def run(options: Options) -> dict[str, object]:
    """Export the records in every format, and return what each cost."""
    count = QUICK_RECORDS if options.quick else RECORDS
    figures: dict[str, object] = {"records": count}
    shown = []
    with tempfile.TemporaryDirectory(prefix="hiddenweb-exports-") as folder:
        state = Path(folder) / "state"
        fill_state(state, count, Random(options.seed))
        for name in FILES:
            target = Path(folder) / name
            cpu, memory = export(state, target)
            size = target.stat().st_size / MEGABYTE
            target.unlink()
            what = name.partition(".")[2]
            figures |= {
                f"{what}_cpu": round(cpu, 1),
                f"{what}_peak_mb": round(memory),
                f"{what}_mb": round(size, 1),
            }
            shown.append((what, cpu, memory, size))
    print(table(("format", "CPU s", "peak MB", "file MB"), shown))
    return figures


def fill_state(folder: Path, count: int, rng: Random) -> None:
    """Make a state with so many records."""
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(3, 9))) for _ in range(5_000)]
    with Store(folder) as store:
        for site in range(SITES):
            number = store.sites.want(f"https://site{site}.example/")
            records = (
                make_record(f"https://site{site}.example/{at}", words, rng) for at in range(count // SITES)
            )
            store.records.save(number, records, submission=None, page=None, at=1_763_409_600.0)


def make_record(url: str, words: list[str], rng: Random) -> Record:
    """A record with a dozen attributes."""

    def say(length: int) -> str:
        return " ".join(rng.choices(words, k=length))

    attributes = (
        *(("author", say(2)) for _ in range(rng.randint(1, 3))),
        ("price", f"{rng.randint(1, 999)}.{rng.randint(10, 99)} €"),
        ("year", str(rng.randint(1900, 2024))),
        ("published", f"{rng.randint(1990, 2024)}-0{rng.randint(1, 9)}-{rng.randint(10, 28)}"),
        ("pages", str(rng.randint(10, 2_000))),
        ("isbn", str(rng.randint(10**12, 10**13))),
        ("publisher", say(2)),
        ("summary", say(40)),
        (f"extra {rng.randint(1, RARE)}", say(1)),
    )
    title = say(4)
    return Record(url, title, title, url, attributes=attributes)


def export(state: Path, target: Path) -> tuple[float, float]:
    """Export a state in a process of its own; return its CPU seconds and its peak memory in MB."""
    command = ["scrapy", "records", "-s", f"HIDDENWEB_STATE={state}", "-o", str(target)]
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(command)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    cpu, peak = done.stdout.split()[-2:]
    return float(cpu), float(peak) * KIBIBYTE / MEGABYTE
