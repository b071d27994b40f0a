"""Workers that are killed at random while a revisit reads pages that have all changed.

`scrapy crawl revisit` runs with as many workers as there are cores. Again and again one of its children, drawn by chance, is killed with SIGKILL, whatever it is doing, starting included. As
in `benchmarks.kill`, kills meet a crawl at work: each falls after a random number of changes told since the last one, but for one in four, which follows within half a second, work or no work, and
so meets the worker that is left, or the one that starts. Kills that always came faster than a worker can start would show only that the dead do not work.
Then the state has to show that every page was looked at, and its change told exactly once. A stall is the time in which no change was told, between the first one and the last,
by the crawl's own log.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import psutil

from benchmarks._changes_processes import Failed, crawl_command
from benchmarks._killing import run_killable
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path
    from random import Random

    from benchmarks._changes_site import Site

LONGEST = 900.0
"""Seconds after which a crawl that does not end hangs."""

_LOOK_EVERY = 0.02
_AT_ONCE = 1 / 4
"""The share of kills that are followed by another one at once."""

_TOLD = re.compile(r"^([\d.]+) content: http", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Killed:
    """What became of a crawl whose workers were killed."""

    kills: int
    pages: int
    lost: int  # pages whose change was not told, or that still wait
    told_twice: int
    longest_stall: float
    seconds: float


def revisit_killed(site: Site, state: Path, at_once: int, pages: int, kills: int, draw: Random) -> Killed:
    """Change all pages, look at so many again while workers are killed, and say what was lost."""
    site.change()
    log, began = state.with_name("killed.log"), time.time()
    settings = {"LOG_FORMAT": "%(created)f %(message)s"}
    command = crawl_command("revisit", state, site, at_once, settings, budget=pages)
    with run_killable(command, log) as process:
        killed = _kill_workers(process, log, kills, max(2 * pages // (kills + 1), 1), draw)
        code = process.wait(LONGEST)
    said = log.read_text(encoding="utf-8", errors="replace")
    if code:
        raise Failed(f"the revisit whose workers were killed ended with code {code}:\n{said[-2000:]}")
    told, waiting = _count_reported(state, began)
    times = [float(at) for at in _TOLD.findall(said)]
    return Killed(
        killed,
        pages,
        lost=pages - len(told) + waiting,
        told_twice=told.total() - len(told),
        longest_stall=max((late - early for early, late in pairwise(times)), default=0.0),
        seconds=time.time() - began,
    )


def _kill_workers(process: subprocess.Popen[bytes], log: Path, kills: int, most: int, draw: Random) -> int:
    """Kill children of a crawl until there were enough kills, or it has ended; return how many."""
    crawl, done, deadline = psutil.Process(process.pid), 0, time.monotonic() + LONGEST
    with log.open("rb") as lines:
        told, wanted = 0, 1
        while done < kills and process.poll() is None and time.monotonic() < deadline:
            told += lines.read().count(b" content: http")
            if told < wanted:
                time.sleep(_LOOK_EVERY)
                continue
            with suppress(psutil.NoSuchProcess):
                if workers := crawl.children():
                    draw.choice(workers).kill()
                    done += 1
            if draw.random() < _AT_ONCE:
                time.sleep(draw.uniform(0.0, 0.5))
            else:
                wanted = told + draw.randint(1, most)
    return done


def _count_reported(state: Path, since: float) -> tuple[Counter[object], int]:
    """Return how often a change was told of each page, and how many looks still wait."""
    with Store(state, write=False) as kept:
        rows = kept.rows("SELECT page, count(*) FROM changes WHERE at >= ? GROUP BY page", (since,))
        waiting = kept.rows("SELECT count(*) FROM revisit_queue")
    return Counter({page: int(str(count)) for page, count in rows}), int(str(waiting[0][0]))
