"""Running a command to its end, and what it took: seconds, CPU with that of its children, and memory."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.data import ROOT

if TYPE_CHECKING:
    import resource
    from collections.abc import Mapping, Sequence

    from benchmarks._changes_site import Site

_ELAPSED = re.compile(r"'elapsed_time_seconds': ([\d.]+)")
_PEAK = re.compile(r"VmHWM:\s+(\d+) kB")
_LOOK_EVERY = 0.02
_COUNT = re.compile(r"'hiddenweb/(revisits/\w+|changes/\w+)': (\d+)")


class Failed(RuntimeError):
    """A command did not do what it was started for: there is no figure."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command took. The memory is that of its first process, at its peak."""

    wall: float
    cpu: float
    rss_mb: float
    output: str

    @property
    def elapsed(self) -> float:
        """Seconds from the opening of a spider to its end, when all that it kept is on disk."""
        found = _ELAPSED.search(self.output)
        assert found is not None
        return float(found[1])

    def count(self, name: str) -> int:
        """Return what a crawl counted, such as revisits/same_bytes."""
        return int(dict(_COUNT.findall(self.output)).get(name, 0))


def run(command: Sequence[str], log: Path, env: Mapping[str, str] | None = None) -> Ran:
    """Run a command; raises Failed if it does not end well."""
    with log.open("wb") as output:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        peak, status, used = _watch(process.pid)
        wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    said = log.read_text(encoding="utf-8", errors="replace")
    if process.returncode:
        raise Failed(f"{command[:6]} ended with code {process.returncode}:\n{said[-2000:]}")
    return Ran(wall, used.ru_utime + used.ru_stime, peak, said)


def _watch(process: int) -> tuple[float, int, resource.struct_rusage]:
    """Wait for the end of a process; return its peak memory, its status, and what it used with the children that it waited for.

    The peak is looked at again and again: that of `wait4` would be ours, if ours was larger when the process began.
    """
    peak = 0.0
    while True:
        ended, status, used = os.wait4(process, os.WNOHANG)
        if ended:
            return peak, status, used
        if found := _PEAK.search(Path(f"/proc/{process}/status").read_text()):
            peak = int(found[1]) / 1024
        time.sleep(_LOOK_EVERY)


def crawl_command(
    spider: str,
    state: Path,
    site: Site,
    at_once: int,
    settings: Mapping[str, object] | None = None,
    **arguments: object,
) -> list[str]:
    """Return the command of a crawl of the site with so many requests at a time."""
    told: dict[str, object] = {
        "HIDDENWEB_STATE": state,
        "HIDDENWEB_ALLOW_ADDRESSES": site.place,
        "HIDDENWEB_PROXY": "",
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_CONCURRENT_REQUESTS_PER_HOST": at_once,
        "CONCURRENT_REQUESTS": at_once,
        "CONCURRENT_REQUESTS_PER_DOMAIN": at_once,
        "HIDDENWEB_PAGES_PER_SITE": 1_000_000,
        "HIDDENWEB_EXPLORED_PAGES_PER_SITE": 1_000_000,
        "HIDDENWEB_INDEX": False,
        "HIDDENWEB_PROGRESS_SECONDS": 0,
        "STATS_DUMP": True,
        **(settings or {}),
    }
    return [
        *(sys.executable, "-m", "scrapy", "crawl", spider),
        *(part for key, value in arguments.items() for part in ("-a", f"{key}={value}")),
        *(part for key, value in told.items() for part in ("-s", f"{key}={value}")),
    ]
