"""Running commands in processes of their own that need not import anything first."""

from __future__ import annotations

import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
from contextlib import ExitStack
from functools import cache
from multiprocessing.connection import Connection, wait
from multiprocessing.forkserver import ensure_running
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.context import ForkServerContext
    from typing import Self

ROOT = Path(__file__).resolve().parent.parent


class Forked:
    """A process that runs `python -m ...`, in the folder of the repository if no other is named, used like `subprocess.Popen` of text.

    To import what `scrapy` needs takes seconds of the processor, longer than many a crawl of a test. So one process does that and forks
    another whenever it is asked to.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdout: int | IO[bytes] = subprocess.DEVNULL,
        stderr: int | IO[bytes] = subprocess.DEVNULL,
        env: Mapping[str, str] | None = None,
        cwd: Path = ROOT,
    ) -> None:
        assert list(command[:2]) == [sys.executable, "-m"]
        with ExitStack() as theirs:
            self.stdout, out = _pipe(stdout, theirs)
            self.stderr, err = (None, out) if stderr == subprocess.STDOUT else _pipe(stderr, theirs)
            environment = dict(os.environ if env is None else env)
            self._process = _import_context().Process(
                target=_run, args=(command[2:], out, err, environment, cwd)
            )
            self._process.start()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        self.wait()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self.poll()

    def poll(self) -> int | None:
        with self._lock:  # of two threads that look only one would be told
            return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        if not wait([self._process.sentinel], timeout):
            raise subprocess.TimeoutExpired([], timeout or 0.0)
        with self._lock:
            self._process.join()
        code = self.poll()
        assert code is not None
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def run_forked(
    command: Sequence[str],
    *,
    timeout: float = 240,
    env: Mapping[str, str] | None = None,
    cwd: Path = ROOT,
) -> subprocess.CompletedProcess[str]:
    """Run `python -m ...` until it ends."""
    with TemporaryFile() as out, TemporaryFile() as err:
        code = Forked(command, stdout=out, stderr=err, env=env, cwd=cwd).wait(timeout)
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(command, code, out.read().decode(), err.read().decode())


def other_project_environment() -> dict[str, str]:
    """Return the environment without what names a Scrapy project: the folder where a command runs says which one it is."""
    return {name: value for name, value in os.environ.items() if not name.startswith("SCRAPY_")}


@cache
def _import_context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["forking_imports"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        patch.chdir(ROOT)
        ensure_running()
    return context


def _pipe(wanted: int | IO[bytes], theirs: ExitStack) -> tuple[IO[str] | None, Connection]:
    """Return our end of a pipe, if one is wanted, and the end of the process, in a form that can be sent to it."""
    ours = None
    if wanted == subprocess.PIPE:
        reading, writing = os.pipe()
        ours = os.fdopen(reading, encoding="utf-8")
    elif wanted == subprocess.DEVNULL:
        writing = os.open(os.devnull, os.O_RDWR)
    else:
        writing = os.dup(wanted if isinstance(wanted, int) else wanted.fileno())
    return ours, theirs.enter_context(Connection(writing, readable=False))


def _run(
    command: Sequence[str], out: Connection, err: Connection, environment: Mapping[str, str], cwd: Path
) -> None:
    """Be a Python that runs a module with arguments."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    with out, err:
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)
    sys.argv = list(command)
    sys.path[:1] = [str(ROOT), *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    runpy.run_module(command[0], run_name="__main__", alter_sys=True)
