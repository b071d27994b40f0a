"""Running a command to its end although somebody keeps killing it.

A command is started in a session of its own, killed with SIGKILL at a moment drawn from a seeded generator, and started
again, the very same command, until it has been killed often enough; then it is left in peace until it ends by itself.

Most kills fall into the work: after a random amount of work that is safe on disk since this start, and then a random part
of a second, so that they meet every place between two commits. Work is counted by the caller, who looks at what the command
has written. One kill in eight falls into the start-up, whatever it is doing then. A kill counts as `at_work` only if the run
had got something done: kills that meet a process before it does anything would prove nothing, and are told apart.

Nobody looks at the files between a kill and the first write of the next run: whoever opens a database repairs it, and
that is the next run's business.

Killed are, as chance has it, the main process alone, its whole group, or its children first.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

from benchmarks.data import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from random import Random

LONGEST_RUN = 300.0
"""Seconds after which a run that does not end, or does nothing, counts as hanging."""

STARTING = 1 / 8
"""The share of kills that fall into the start-up."""

START_UP = 1.2
"""Seconds in which the kills at start-up fall."""

BETWEEN_COMMITS = 0.4
"""Seconds in which a kill falls after the work that was drawn."""

_LOOK_EVERY = 0.02
_WAYS = ("the crawl", "the crawl", "the crawl", "the group", "the children first")


class Hanging(RuntimeError):
    """A run did not end by itself, or did nothing."""


class Work:
    """How much a command has done so far, over all its runs, by what it has written."""

    def __init__(self, file: Path, count: Callable[[], int]) -> None:
        self._file = file  # grows or changes with every piece of work
        self._count = count
        self._written = _last_write(file)
        self.done = 0

    def look(self) -> int:
        """Count again if something was written since the last look, or since the last kill."""
        written = _last_write(self._file)
        if written != self._written:
            self._written = written
            self.done = self._count()
        return self.done

    def settle(self) -> None:
        """Let all that is written now be old: the run that wrote it is dead."""
        self._written = _last_write(self._file)


def _last_write(file: Path) -> tuple[int, int]:
    try:
        status = file.stat()
    except FileNotFoundError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


@dataclass(slots=True)
class Killings:
    """What was done to a command until it ended by itself."""

    kills: int = 0
    at_work: int = 0
    ways: Counter[str] = field(default_factory=Counter)
    work: list[int] = field(default_factory=list)  # done in each run that was killed
    exit_code: int | None = None
    seconds: float = 0.0


def run_killed(
    command: Sequence[str],
    log: Path,
    work: Work,
    kills: int,
    most_work: int,
    draw: Random,
    *,
    starting: float = STARTING,
) -> Killings:
    """Start a command again and again, killing it so many times, until it ends by itself.

    A run is killed after at most `most_work` of new work, or, with the probability `starting`, while it starts.
    """
    result, began = Killings(), time.monotonic()
    while result.exit_code is None:
        before = work.done
        with run_killable(command, log) as process:
            if result.kills >= kills:
                result.exit_code = _end_of(process)
            elif _wait_for_moment(process, work, before + draw.randint(1, most_work), draw, starting):
                _kill(process, way := draw.choice(_WAYS))
                work.settle()
                _count(result, way, work.done - before)
            else:
                result.exit_code = process.returncode
    result.seconds = time.monotonic() - began
    return result


def _count(result: Killings, way: str, done: int) -> None:
    result.kills += 1
    result.at_work += done > 0
    result.ways[way] += 1
    result.work.append(done)


@contextmanager
def run_killable(command: Sequence[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command that writes to a log; kill it in the end, with all that it started, if it still runs."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _end_of(process: subprocess.Popen[bytes]) -> int:
    try:
        return process.wait(LONGEST_RUN)
    except subprocess.TimeoutExpired:
        raise Hanging(f"{process.args!r} does not end") from None


def _wait_for_moment(
    process: subprocess.Popen[bytes], work: Work, enough: int, draw: Random, starting: float
) -> bool:
    """Wait until it is time to kill; False if the process has ended by itself before."""
    if draw.random() < starting:
        return _still_runs(process, draw.uniform(0.0, START_UP))
    deadline = time.monotonic() + LONGEST_RUN
    while work.look() < enough:
        if time.monotonic() > deadline:
            raise Hanging(f"{process.args!r} does too little")
        if not _still_runs(process, _LOOK_EVERY):
            return False
    return _still_runs(process, draw.uniform(0.0, BETWEEN_COMMITS))


def _still_runs(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return True
    return False


def _kill(process: subprocess.Popen[bytes], way: str) -> None:
    if way == "the group":
        os.killpg(process.pid, signal.SIGKILL)
    elif way == "the children first":
        for child in psutil.Process(process.pid).children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()
    process.kill()
    process.wait()
