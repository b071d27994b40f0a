from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.fetch.connection import ClientLimits, Connection
from hiddenweb.fetch.connection_pool import ConnectionPool

if TYPE_CHECKING:
    from collections.abc import Callable

KEY = ("http", "a.example", 80, None)
OTHER = ("http", "b.example", 80, None)
LIMITS = ClientLimits(connections=2)


class ReadyConnection(Connection):
    """A connection that could always take another request."""

    is_aborted = False

    def is_reusable(self) -> bool:
        return not self.is_aborted

    def abort(self) -> None:
        self.is_aborted = True


def with_pool(test: Callable[[ConnectionPool, Callable[[], ReadyConnection]], None]) -> None:
    async def run() -> None:
        pool = ConnectionPool(replace(LIMITS))
        test(pool, lambda: ReadyConnection("127.0.0.1", LIMITS, pool))
        await pool.close()

    asyncio.run(run())


def test_the_connection_that_was_used_last_is_reused_first() -> None:
    def test(pool: ConnectionPool, connect: Callable[[], ReadyConnection]) -> None:
        first, second = connect(), connect()
        pool.put_back(KEY, first)
        pool.put_back(KEY, second)

        assert pool.take(OTHER) is None
        assert [pool.take(KEY), pool.take(KEY), pool.take(KEY)] == [second, first, None]

    with_pool(test)


def test_a_connection_that_ended_while_it_waited_is_not_reused() -> None:
    def test(pool: ConnectionPool, connect: Callable[[], ReadyConnection]) -> None:
        good, bad = connect(), connect()
        pool.put_back(KEY, good)
        pool.put_back(KEY, bad)
        bad.is_aborted = True

        assert pool.take(KEY) is good

    with_pool(test)


def test_those_that_wait_longest_make_room() -> None:
    def test(pool: ConnectionPool, connect: Callable[[], ReadyConnection]) -> None:
        old, new = connect(), connect()
        pool.put_back(KEY, old)
        pool.put_back(OTHER, new)

        pool.make_room(busy=1)

        assert (old.is_aborted, new.is_aborted) == (True, False)
        assert pool.take(KEY) is None

    with_pool(test)
