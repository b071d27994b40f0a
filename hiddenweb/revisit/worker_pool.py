"""Consumers: a bounded queue, and processes that compare what producers fetched (MTCCDW, configuration 3).

Producers are the requests in flight. They put pages into one queue of limited `capacity` and wait while it is full, so memory is bounded however
fast they are; results wait in a queue of the same capacity, and workers wait until they are taken. Comparing is CPU-bound Python code, and all
threads share one interpreter lock with the loop that fetches. While pages of 3,000 words were
compared by `difflib` in two threads, the loop was delayed for 17 ms on average and for 70 ms in one of 100 cases; with two processes it was 2 ms and 14 ms, on the
same busy machine of two cores. A hanging thread also cannot be ended. So workers are processes, as many as there are cores; sending two
versions of 50 kB and the result back takes 0.4 ms.

Each worker has a supervisor. A worker that dies closes its end of a socket, which is noticed at once, whether it was busy or idle; a worker that has
not answered after `patience` seconds is killed. While it waits for a processor the time does not count, up to six times the patience: on a busy machine
it does not hang, it is starved. In both cases another worker replaces it, and the page goes to the end of the queue: a page
that kills workers costs the others little, and after `tries` workers it is given up with a result that has only an error. A page is with one worker at a
time and an answer counts only if it arrived completely, so every page that was put gets exactly one result. An exception of `work` is a
result as well, and is not tried again.

Workers are spawned and not forked, because a fork would copy the threads and sockets of a crawl in whatever state they are. So `work` must
be a function that can be imported, and items and results must be picklable. Workers ignore Ctrl-C, which the crawl handles; they end
when the socket is closed, and set themselves an alarm that ends them when they hang, so none outlives a killed crawl.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from operator import attrgetter
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from types import TracebackType

Item = TypeVar("Item")
Result = TypeVar("Result")

CAPACITY = 500
"""Pages that wait, as in the paper."""

PATIENCE = 2.0
"""Seconds after which a worker that has not answered counts as hanging; comparing takes milliseconds. A limit of taste."""

TRIES = 3
"""Workers that a page may kill. A limit of taste."""

# Seconds that a worker may take to import what it needs; twice as many after each that took longer. A limit of taste.
_START_SECONDS = 4.0
_STARVED_FACTOR = 6.0  # times its patience that a worker without a processor may take; a limit of taste
_MAX_FAILED_STARTS = 3  # starts in a row that may fail before we give up; a limit of taste
_MAX_DEATHS = 12  # workers in a row that may die without a message before we give up; a limit of taste
_LENGTH = Struct("!i")  # what multiprocessing writes before a message
_COMMAND = "from hiddenweb.revisit.worker_pool import serve; serve()"


class WorkersFailed(RuntimeError):
    """No worker can be started; the message is that of the last one."""


class PoolStopped(RuntimeError):
    """A page was put into a pool that is closed."""


class _Lost(Exception):
    """A worker died or hangs."""


@dataclass(frozen=True, slots=True)
class WorkerResult(Generic[Item, Result]):
    """The result for an item, or the reason why there is none."""

    item: Item
    result: Result | None
    error: str = ""
    tries: int = 1


@dataclass(slots=True)
class PoolCounts:
    """How often what happened."""

    put: int = 0
    done: int = 0
    raised: int = 0  # by the work itself
    given_up: int = 0  # with too many workers lost
    died: int = 0  # workers
    hung: int = 0
    started: int = 0


@dataclass(slots=True)
class _Job(Generic[Item, Result]):
    item: Item
    message: bytes  # the item as the worker gets it
    reply: asyncio.Future[WorkerResult[Item, Result]] | None = None  # None: results() yields it
    tries: int = 0


class WorkerPool(Generic[Item, Result]):
    """Supervised processes that do `work` on items.

    async with WorkerPool(compare) as pool:
        await pool.put(page)             # waits while the queue is full
        outcome = await pool.run(page)   # the same, and waits for its outcome
    and elsewhere `async for outcome in pool.results()`, which ends after `close()`.
    """

    def __init__(
        self,
        work: Callable[[Item], Result],
        workers: int | None = None,
        *,
        capacity: int = CAPACITY,
        patience: float = PATIENCE,
        tries: int = TRIES,
    ) -> None:
        self._work = f"{work.__module__}:{work.__qualname__}"
        self._count = workers or os.cpu_count() or 1
        self._patience, self._tries = patience, tries
        self._room = asyncio.Semaphore(capacity)
        self._putting = 0
        self._jobs: deque[_Job[Item, Result]] = deque()
        self._idle: deque[asyncio.Future[_Job[Item, Result]]] = deque()
        self._results: asyncio.Queue[WorkerResult[Item, Result] | None] = asyncio.Queue(capacity)
        self._open = 0  # jobs without an outcome
        self._closed = False
        self._error: Exception | None = None
        self._supervisors: list[asyncio.Task[None]] = []
        self._workers: set[_Worker] = set()
        self._ready = 0  # workers that have started
        self._replies: set[asyncio.Future[WorkerResult[Item, Result]]] = set()
        self._ended = False  # there are no further results
        self.counts = PoolCounts()

    async def __aenter__(self) -> WorkerPool[Item, Result]:
        self._supervisors = [asyncio.create_task(self._supervise()) for _ in range(self._count)]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def put(self, item: Item) -> None:
        """Add an item whose outcome `results()` yields; waits while the queue is full."""
        await self._add(item, None)

    async def run(self, item: Item) -> WorkerResult[Item, Result]:
        """Add an item and return its outcome; waits while the queue is full, then for the work."""
        reply: asyncio.Future[WorkerResult[Item, Result]] = asyncio.get_running_loop().create_future()
        await self._add(item, reply)
        self._replies.add(reply)
        try:
            return await reply
        finally:
            self._replies.discard(reply)

    async def results(self) -> AsyncIterator[WorkerResult[Item, Result]]:
        """Yield the outcomes of items as they arrive; ends after `close()`, raises if workers fail."""
        while not (self._ended and self._results.empty()):
            outcome = await self._results.get()
            if outcome is not None:
                yield outcome
        self._wake_readers()  # there may be another one
        if isinstance(self._error, WorkersFailed):
            raise self._error

    def close(self) -> None:
        """Take no more items; `results()` ends with the last outcome."""
        self._closed = True
        self._end_results_if_done()

    async def stop(self) -> None:
        """End all workers now. Items without an outcome get none."""
        self._fail(PoolStopped("the pool was stopped"))
        for supervisor in self._supervisors:
            supervisor.cancel()
        await asyncio.gather(*self._supervisors, return_exceptions=True)
        for worker in list(self._workers):
            await self._end(worker)

    def processes(self) -> list[int]:
        """Return the process ids of the workers, for monitoring."""
        return [worker.process.pid for worker in self._workers if not worker.ended]

    async def _add(self, item: Item, reply: asyncio.Future[WorkerResult[Item, Result]] | None) -> None:
        self._putting += 1
        try:
            await self._room.acquire()
        finally:
            self._putting -= 1
        try:
            self._refuse_if_over()
            job = _Job(item, _message(item), reply)
        except BaseException:
            self._room.release()
            raise
        self.counts.put += 1
        self._open += 1
        self._hand_out(job)

    def _refuse_if_over(self) -> None:
        if self._error:
            raise self._error
        if self._closed:
            raise PoolStopped("the pool was closed")

    def _hand_out(self, job: _Job[Item, Result]) -> None:
        while self._idle:
            waiting = self._idle.popleft()
            if not waiting.done():
                waiting.set_result(job)
                return
        self._jobs.append(job)

    async def _supervise(self) -> None:
        """Keep one worker busy; replace it when it is lost."""
        failed = 0
        while not self._error:
            try:
                worker = await self._start_worker(_START_SECONDS * 2 ** min(failed, 4))
            except (WorkersFailed, _Lost) as error:
                failed += 1
                self._fail_after(failed, error)
                await asyncio.sleep(min(failed * 0.05, 1.0))
                continue
            failed = 0
            self._ready += 1
            try:
                while not self._error:
                    await self._deliver(*await self._one_job(worker))
            except _Lost:
                pass
            finally:
                self._ready -= 1
                await self._end(worker)

    def _fail_after(self, failed: int, error: WorkersFailed | _Lost) -> None:
        """Give up when workers report repeatedly that they cannot start; if they only die, they may have been killed."""
        if isinstance(error, _Lost):
            self._count_lost(str(error))
            if failed >= _MAX_DEATHS and not self._ready:
                self._fail(WorkersFailed(f"workers for {self._work} die while they start"))
        elif failed >= _MAX_FAILED_STARTS and not self._ready:
            self._fail(error)

    async def _start_worker(self, patience: float) -> _Worker:
        """Return a new worker that is ready."""
        self.counts.started += 1
        try:
            worker = await _start(self._work, self._patience)
        except OSError as error:  # no memory, no file left
            raise WorkersFailed(f"a worker for {self._work} cannot start: {error}") from error
        self._workers.add(worker)
        try:
            complaint = ForkingPickler.loads(await worker.answer(patience))
        except _Lost:
            await self._end(worker)
            raise
        if complaint:
            await self._end(worker)
            raise WorkersFailed(f"a worker for {self._work} cannot start: {complaint}")
        return worker

    async def _one_job(self, worker: _Worker) -> tuple[_Job[Item, Result], WorkerResult[Item, Result]]:
        """Return a job and its outcome; the job of a lost worker is queued again, or given up."""
        job = self._jobs.popleft() if self._jobs else await self._next_job(worker)
        if not job.tries:
            self._room.release()
        job.tries += 1
        try:
            worker.send(job.message)
            answer = await worker.answer(self._patience)
        except _Lost as lost:
            self._count_lost(str(lost))
            if job.tries < self._tries:
                self._hand_out(job)
            else:
                self.counts.given_up += 1
                await self._deliver(job, WorkerResult(job.item, None, f"the worker {lost}", job.tries))
            raise
        result, error = _read(answer)
        self.counts.raised += error != ""
        return job, WorkerResult(job.item, result, error, job.tries)

    async def _next_job(self, worker: _Worker) -> _Job[Item, Result]:
        waiting: asyncio.Future[_Job[Item, Result]] = asyncio.get_running_loop().create_future()
        self._idle.append(waiting)
        worker.on_end = partial(_fail_if_waiting, waiting, "died")
        try:
            return await waiting
        except _Lost as lost:
            self._count_lost(str(lost))
            raise
        finally:
            worker.on_end = None

    def _count_lost(self, how: str) -> None:
        if how == "hung":
            self.counts.hung += 1
        else:
            self.counts.died += 1

    async def _deliver(self, job: _Job[Item, Result], outcome: WorkerResult[Item, Result]) -> None:
        self.counts.done += outcome.error == ""
        if job.reply is None:
            await self._results.put(outcome)
        elif not job.reply.done():  # it was cancelled if nobody waits for it
            job.reply.set_result(outcome)
        self._open -= 1
        self._end_results_if_done()

    def _end_results_if_done(self) -> None:
        if self._closed and not self._open:
            self._ended = True
            self._wake_readers()

    def _wake_readers(self) -> None:
        if self._results.empty():  # otherwise they find the end after the last result
            self._results.put_nowait(None)

    def _fail(self, error: Exception) -> None:
        """Wake everybody who waits, with an error."""
        self._error = self._error or error
        for reply in self._replies:
            if not reply.done():
                reply.set_exception(self._error)
        for _ in range(self._putting):
            self._room.release()
        self._ended = True
        self._wake_readers()

    async def _end(self, worker: _Worker) -> None:
        worker.end()
        await asyncio.to_thread(worker.process.wait)  # or it stays as a zombie
        self._workers.discard(worker)


class _Worker(asyncio.Protocol):
    """One process, and our end of its socket."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.ended = False
        self.on_end: Callable[[], object] | None = None
        self._transport: asyncio.Transport | None = None
        self._read = bytearray()
        self._waiting: asyncio.Future[bytes] | None = None
        self._timer: asyncio.TimerHandle
        self._lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's does not inherit from it

    def data_received(self, data: bytes) -> None:
        self._read += data
        self._answer_if_complete()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._lost = True
        self._give_up("died")
        if self.on_end:
            self.on_end()

    def send(self, message: bytes) -> None:
        """Send a message; what the socket does not accept yet is buffered."""
        if self._lost:  # waiting for the answer raises
            return
        assert self._transport is not None
        self._transport.writelines((_LENGTH.pack(len(message)), message))

    async def answer(self, patience: float) -> bytes:
        """Return the next message of the worker; raises _Lost if it dies or takes too long."""
        if self._lost:
            raise _Lost("died")
        loop = asyncio.get_running_loop()
        self._waiting = loop.create_future()
        self._answer_if_complete()
        started, deadline = _read_usage(self.process.pid)[1], loop.time() + _STARVED_FACTOR * patience

        def check_usage() -> None:
            is_starved, used = _read_usage(self.process.pid)
            left = patience - (used - started)
            if is_starved and left > 0 and loop.time() < deadline:
                self._timer = loop.call_later(min(max(left, 0.1), patience), check_usage)
            else:
                self._give_up("hung")

        # Not asyncio.timeout: if this process itself was delayed, an answer that has arrived still counts.
        self._timer = loop.call_later(patience, check_usage)
        try:
            return await self._waiting
        finally:
            self._timer.cancel()
            self._waiting = None

    def end(self) -> None:
        """Kill the process. Its work can be done again by others."""
        self.ended = True
        self.process.kill()
        if self._transport:
            self._transport.abort()

    def _answer_if_complete(self) -> None:
        if self._waiting is None or self._waiting.done() or len(self._read) < _LENGTH.size:
            return
        end = _LENGTH.size + int(_LENGTH.unpack_from(self._read)[0])
        if len(self._read) >= end:
            message = bytes(self._read[_LENGTH.size : end])
            del self._read[:end]
            self._waiting.set_result(message)

    def _give_up(self, how: str) -> None:
        if self._waiting:
            _fail_if_waiting(self._waiting, how)


def _read_usage(process: int) -> tuple[bool, float]:
    """Return whether a process waits for a processor or a disk, and its processor time in seconds; unknown without Linux."""
    try:
        state = (
            Path(f"/proc/{process}/stat")
            .read_text(encoding="ascii", errors="replace")
            .rpartition(")")[2]
            .split()
        )
    except OSError:
        return False, 0.0
    return state[0] in "RD", (int(state[11]) + int(state[12])) / os.sysconf("SC_CLK_TCK")


def _fail_if_waiting(future: asyncio.Future[Any], how: str) -> None:
    if not future.done():
        future.set_exception(_Lost(how))


async def _start(work: str, patience: float) -> _Worker:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        process = _process(theirs.fileno(), work, patience)
    worker = _Worker(process)
    try:
        await asyncio.get_running_loop().create_unix_connection(lambda: worker, sock=ours)
    except BaseException:
        process.kill()
        process.wait()
        ours.close()
        raise
    return worker


def _process(number: int, work: str, patience: float) -> subprocess.Popen[bytes]:
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    return subprocess.Popen(
        [sys.executable, "-P", "-c", _COMMAND, str(number), work, str(patience)],
        pass_fds=[number],
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths},
    )


def _message(item: object) -> bytes:
    return bytes(ForkingPickler.dumps(item))


def _read(answer: bytes) -> tuple[Any, str]:
    """Return the result and the error in an answer, which was written by our own process from what `work` returned."""
    try:
        result, error = ForkingPickler.loads(answer)
    except Exception as unreadable:  # noqa: BLE001 - whatever the class of the result raises
        return None, f"its result cannot be read: {unreadable!r}"
    return result, error


def serve() -> None:
    """Run as a worker: do the jobs from a socket until it is closed. The arguments are its number, the work and the patience."""
    number, name, patience = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Connection(int(number)) as channel, suppress(EOFError, BrokenPipeError, ConnectionResetError):
        try:
            module, function = name.split(":")
            work = attrgetter(function)(import_module(module))
        except Exception as error:  # noqa: BLE001 - whatever importing raises
            channel.send(f"{type(error).__name__}: {error}")
            return
        channel.send("")
        while True:
            message = channel.recv_bytes()
            signal.setitimer(
                signal.ITIMER_REAL, _STARVED_FACTOR * float(patience) + 1
            )  # unless caught, it ends the process
            answer = _answer(work, message)
            signal.setitimer(signal.ITIMER_REAL, 0)
            channel.send_bytes(answer)


def _answer(work: Callable[[Any], object], message: bytes) -> bytes:
    try:
        return _message((work(ForkingPickler.loads(message)), ""))
    except Exception as error:  # noqa: BLE001 - the outermost loop of a process
        return _message((None, f"{type(error).__name__}: {error}"))
