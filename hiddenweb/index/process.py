"""The one process that writes the index, and how a crawl starts and ends it.

    python -m hiddenweb.index.process --state FOLDER [--once]

It reads the outbox in batches, indexes each without merging, and saves its position when the index is safely on
disk. A batch begins when 500 documents wait, or the first has waited five seconds, and takes up to 5,000. When there is
nothing to do it reads the outbox less and less often, up to once a second, and merges segments. It never writes to the
database. A missing index is built from all documents of the store, as by `scrapy reindex`.

The crawl controls it through its standard input. The line "finish" means: index everything and end. The end of the
input without that line means that the crawl has died: end at once, the next one continues. SIGTERM means the same. Both cancel
a merge, which changes nothing until it is complete. SIGINT is handled by the crawl.

Its status is in `STATE/index/status.json`, its error messages in `STATE/index/indexing.log`.

Exit codes:

    0   ended as ordered
    1   a fault; the log has the traceback
    2   wrong arguments
    3   another process is writing this index; the message says which
    4   no state folder, a store that cannot be read, or an index that was not made here
    5   the disk is full, or cannot be read or written
"""

from __future__ import annotations

import argparse
import gc
import json
import logging
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Protocol, Self

import hiddenweb
from hiddenweb.index.location import (
    current_folder,
    make_current,
    new_folder,
    position_in,
    replace,
    write_position,
    writing,
)
from hiddenweb.index.protocol import (
    IndexDocument,
    IndexInUse,
    IndexKind,
    IndexProblem,
    NoIndex,
    Outbox,
    load_named,
    open_outbox,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType

OUTBOX = "hiddenweb.store.outbox:open_outbox"
INDEX = "hiddenweb.index.whoosh:WhooshIndex"

SMALLEST_BATCH = 500
"""The fewest documents of a batch; fewer wait for more, up to LONGEST_WAIT. A limit of taste."""

LARGEST_BATCH = 5_000
"""The most documents of a batch, which is in memory. A limit of taste."""

LARGEST_TEXT = 16_000_000
"""The most characters of a batch, which is in memory. A limit of taste."""

LONGEST_WAIT = 5.0
"""Seconds after which an incomplete batch is indexed. A limit of taste."""

IDLE = 2.0
"""Seconds without anything new after which segments are merged. A limit of taste."""

NICE = 5
"""The `nice` value by which the crawl has priority. A limit of taste."""

_READ_AT_ONCE = 500  # rows of the outbox: a limit of taste
_SHORTEST_SLEEP, _LONGEST_SLEEP = 0.05, 1.0  # seconds between two reads of the outbox: limits of taste
_ORDERS_EVERY = 0.2  # seconds between two reads of its orders while it works: a limit of taste
_SLEEP_GROWTH = 1.5  # times that a sleep is longer than the one before: a limit of taste
_IN_USE, _NO_INDEX, _NO_FILE = (
    3,
    4,
    5,
)  # exit codes: another process writes it, it cannot be used, a file cannot be

logger = logging.getLogger(__name__)


def rebuild(
    state: Path, outbox: Outbox, kind: IndexKind, progress: Callable[[int], None] = lambda _: None
) -> tuple[int, list[str]]:
    """Build a new index from all documents and replace the old one; return the count and bad keys.

    Requires the lock. The old index is not changed until the new one is complete.
    """
    folder = new_folder(state)
    index = kind.create(folder)
    position = outbox.last()  # before the documents are read: later changes are indexed again
    count, bad = 0, []
    for batch in _batches(outbox.documents()):
        bad += index.update(batch)
        count += len(batch)
        progress(count)
        index.merge(idle=False, keep_going=lambda: True)
    index.close()
    write_position(folder, position)
    make_current(state, folder)
    return count - len(bad), bad


class ProcessOrders(Protocol):
    """The orders that the process has received."""

    finish: bool  # index everything, then end
    stop: bool  # end now

    def wait(self, seconds: float) -> None:
        """Wait for an order, at most so long."""


class IndexUpdater:
    """Moves the changes of an outbox into the index of a state folder. Requires the lock."""

    def __init__(self, state: Path, outbox: Outbox, kind: IndexKind, orders: ProcessOrders) -> None:
        self._state = state
        self._outbox = outbox
        self._orders = orders
        self._indexed = self._bad = 0
        self._last_commit = 0.0
        self._orders_read = 0.0
        self._write_status("building")
        self._folder = self._open_index(kind)
        self._index = kind(self._folder)
        self._position = position_in(self._folder)

    def run(self) -> None:
        """Index until an order ends it."""
        sleep, new_since, old_since = _SHORTEST_SLEEP, 0.0, time.monotonic()
        while not self._orders.stop:
            now = time.monotonic()
            waiting = self._outbox.last() - self._position
            if waiting and not new_since:
                new_since, sleep = now, _SHORTEST_SLEEP
            if waiting >= SMALLEST_BATCH or (
                waiting and (self._orders.finish or now - new_since >= LONGEST_WAIT)
            ):
                self.drain(self._position + waiting)
                new_since, old_since = 0.0, time.monotonic()
                continue
            if self._orders.finish:
                return
            if not waiting and now - old_since >= IDLE and self._merge(idle=True):
                continue
            self._orders.wait(sleep)
            sleep = min(_LONGEST_SLEEP, sleep * _SLEEP_GROWTH)

    def drain(self, last: int) -> int:
        """Index one batch of the outbox, in which numbers up to `last` were given out; return the number of its rows."""
        rows = self._load_rows()
        if not rows:  # they were removed: the index was rebuilt with their changes
            self._position = last
            return 0
        bad = self._index.update([change for _, change in rows])
        self._position = rows[-1][0]
        write_position(self._folder, self._position)
        self._count_rows(bad, len(rows))
        self._write_status("indexing")
        self._merge(idle=False)
        gc.collect()
        return len(rows)

    def close(self) -> None:
        """Report the end, and close the index."""
        self._write_status("ended")
        self._index.close()

    def _open_index(self, kind: IndexKind) -> Path:
        try:
            folder = current_folder(self._state)
            if position_in(folder) <= self._outbox.last():
                return folder
            # The store lost its last commits in a power cut, and uses their numbers again.
            raise NoIndex(f"The index in {self._state} is ahead of the store.")
        except NoIndex:
            count, bad = rebuild(self._state, self._outbox, kind)
            self._count_rows(bad, count + len(bad))
            return current_folder(self._state)

    def _load_rows(self) -> list[tuple[int, IndexDocument | str]]:
        rows: list[tuple[int, IndexDocument | str]] = []
        letters, position = 0, self._position
        while len(rows) < LARGEST_BATCH and letters < LARGEST_TEXT:
            more = self._outbox.read_after(position, min(_READ_AT_ONCE, LARGEST_BATCH - len(rows)))
            if not more:
                break
            rows += more
            position = more[-1][0]
            letters += sum(len(change.text) for _, change in more if not isinstance(change, str))
        return rows

    def _count_rows(self, bad: Sequence[str], rows: int) -> None:
        for key in bad:
            logger.warning("%s cannot be indexed", key)
        self._bad += len(bad)
        self._indexed += rows - len(bad)
        self._last_commit = time.time()

    def _merge(self, *, idle: bool) -> bool:
        self._orders_read = time.monotonic()
        if idle:
            self._write_status("merging")
        merged = self._index.merge(idle=idle, keep_going=self._can_continue)
        self._write_status("waiting")
        return merged

    def _can_continue(self) -> bool:
        now = time.monotonic()
        if now - self._orders_read > _ORDERS_EVERY:
            self._orders_read = now
            self._orders.wait(0)
        return not (self._orders.stop or self._orders.finish)

    def _write_status(self, doing: str) -> None:
        facts: dict[str, object] = {"process": os.getpid(), "doing": doing, "at": time.time()}
        if doing != "building":
            facts |= {
                "indexed": self._indexed,
                "bad": self._bad,
                "documents": self._index.count(),
                "segments": len(self._index.segments()),
                "position": self._position,
                "lag": max(0, self._outbox.last() - self._position),
                "last_commit": self._last_commit,
            }
        replace(self._state / "index" / "status.json", json.dumps(facts), durable=False)


class IndexingProcess:
    """The indexing process of a crawl, which starts and finishes with it."""

    def __init__(self, state: Path, process: subprocess.Popen[bytes]) -> None:
        self._state = state
        self._process = process

    @classmethod
    def start(cls, state: Path, *, outbox: str = OUTBOX, index: str = INDEX) -> Self:
        """Start the process for a state folder."""
        home = state.resolve() / "index"
        home.mkdir(mode=0o700, exist_ok=True)
        command = [
            sys.executable,
            "-m",
            __name__ if __name__ != "__main__" else "hiddenweb.index.process",
        ]
        command += ["--state", str(state.resolve()), "--outbox", outbox, "--index", index]
        with (home / "indexing.log").open("wb") as log:
            process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=_environment(), close_fds=True
            )
        return cls(state, process)

    @property
    def process_id(self) -> int:
        """The id of the process."""
        return self._process.pid

    def exit_code(self) -> int | None:
        """Return its exit code, None while it runs."""
        return self._process.poll()

    def complaints(self) -> str:
        """Return its error messages."""
        try:
            return (
                (self._state / "index" / "indexing.log").read_text(encoding="utf-8", errors="replace").strip()
            )
        except FileNotFoundError:
            return ""

    def order_finish(self) -> None:
        """Order it to index everything and end; do not wait for it."""
        self._send(b"finish\n")

    def finish(self, timeout: float | None = None) -> int | None:
        """Order it to index everything and wait; return its exit code, None if it has not ended in time."""
        self.order_finish()
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None

    def stop(self, timeout: float = 10.0) -> int:
        """End it after the current batch, or kill it: nothing is lost either way."""
        self._process.terminate()
        self._send(b"")
        try:
            return self._process.wait(timeout)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self.stop()
        self._send(b"")

    def _send(self, words: bytes) -> None:
        pipe = self._process.stdin
        if pipe is None or pipe.closed:
            return
        try:
            pipe.write(words)
            pipe.close()
        except BrokenPipeError:  # it has ended by itself; the exit code says why
            pass


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the indexing process; return its exit code."""
    options = _options(arguments)
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    state: Path = options.state
    try:
        with writing(state, "the indexing process"):
            _index(state, options)
    except IndexInUse as problem:
        return _report_failure(_IN_USE, problem)
    except IndexProblem as problem:
        return _report_failure(_NO_INDEX, problem)
    except OSError as problem:
        return _report_failure(_NO_FILE, problem)
    return 0


def _index(state: Path, options: argparse.Namespace) -> None:
    orders = _OneRun() if options.once else _PipeOrders(sys.stdin.buffer)
    os.nice(options.nice)
    # Postings are millions of small objects without cycles; looking for cycles in them costs a fifth of the time.
    gc.freeze()
    gc.disable()
    outbox = open_outbox(state, options.outbox)
    try:
        indexing = IndexUpdater(state, outbox, load_named(options.index), orders)
        indexing.run()
        indexing.close()
    finally:
        outbox.close()


class _OneRun:
    """The orders of a single run: index everything and end."""

    finish = True
    stop = False

    def __init__(self) -> None:
        signal.signal(signal.SIGTERM, self._stop_on_signal)

    def wait(self, seconds: float) -> None:
        pass

    def _stop_on_signal(self, *_: object) -> None:
        self.stop = True


class _PipeOrders:
    """Orders from a pipe and from signals."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.finish = self.stop = False
        self._pipe = pipe.fileno()
        self._received = b""
        self._is_open = True
        self._wakes, wakes = os.pipe()
        os.set_blocking(wakes, False)
        signal.set_wakeup_fd(wakes)
        signal.signal(signal.SIGTERM, self._stop_on_signal)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def wait(self, seconds: float) -> None:
        sources = [self._wakes, self._pipe] if self._is_open else [self._wakes]
        ready, _, _ = select.select(sources, [], [], seconds)
        if self._pipe in ready:
            self._read()

    def _read(self) -> None:
        more = os.read(self._pipe, 1000)
        self._received += more
        if b"finish" in self._received.split(b"\n")[:-1]:
            self.finish = True
        if not more:
            self._is_open = False
            self.stop = self.stop or not self.finish

    def _stop_on_signal(self, *_: object) -> None:
        self.stop = True


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python -m hiddenweb.index.process", description="Write the index of a crawl."
    )
    parser.add_argument("--state", type=Path, required=True, help="the state folder of the crawl")
    parser.add_argument("--once", action="store_true", help="index everything and end")
    parser.add_argument(
        "--outbox", default=OUTBOX, help="what opens the outbox of a state folder (%(default)s)"
    )
    parser.add_argument("--index", default=INDEX, help="the technology of the index (%(default)s)")
    parser.add_argument("--nice", type=int, default=NICE, help="how far others go first (%(default)s)")
    return parser.parse_args(arguments)


def _report_failure(code: int, problem: Exception) -> int:
    sys.stderr.write(f"{problem}\n")
    return code


def _environment() -> dict[str, str]:
    """Return an environment in which the process finds this package, installed or not."""
    root = str(Path(hiddenweb.__file__).resolve().parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def _batches(documents: Iterable[IndexDocument]) -> Iterator[list[IndexDocument]]:
    batch: list[IndexDocument] = []
    letters = 0
    for document in documents:
        batch.append(document)
        letters += len(document.text)
        if len(batch) >= LARGEST_BATCH or letters >= LARGEST_TEXT:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


if __name__ == "__main__":
    sys.exit(main())
