"""Reading pages in worker processes, which are started when the first page has to be read."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from hiddenweb.revisit.revisit import PageReadings, read_versions
from hiddenweb.revisit.worker_pool import WorkerPool

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.revisit.revisit import PageToRead

logger = logging.getLogger(__name__)

HUNG_AFTER = 10.0
"""Seconds that reading a page may take. It takes milliseconds, except for the first page on a busy machine and the worst pages. A limit of taste."""


class PageReaders:
    """Reads pages, one in each process; further pages wait in a queue of limited capacity, then callers wait."""

    def __init__(
        self,
        processes: int,
        capacity: int,
        on_unreadable: Callable[[], None],
        on_parsed: Callable[[int], None],
    ) -> None:
        self._processes, self._capacity = processes, capacity
        self._on_unreadable = on_unreadable
        self._on_parsed = on_parsed
        self._pool: WorkerPool[PageToRead, PageReadings] | None = None

    async def read(self, wanted: PageToRead) -> PageReadings:
        """Return what a page says; nothing if it cannot be read."""
        if self._pool is None:
            self._pool = WorkerPool(
                read_versions, self._processes or None, capacity=self._capacity, patience=HUNG_AFTER
            )
            await self._pool.__aenter__()
        done = await self._pool.run(wanted)
        if done.result is None:
            self._on_unreadable()
            logger.error("%s: cannot be read: %s", wanted.url, done.error)
            return PageReadings(None, None)
        self._on_parsed(done.result.parsed)
        return done.result

    async def stop(self) -> None:
        """End the processes."""
        if self._pool is not None:
            await self._pool.stop()
