"""All open connections of a client, and which of them wait for another request to the same host."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING

from hiddenweb.fetch.proxies import Proxy

if TYPE_CHECKING:
    from hiddenweb.fetch.connection import ClientLimits, Connection

PoolKey = tuple[str, str, int, Proxy | None]
"""What interchangeable connections share: scheme, host and port, and the proxy."""


class ConnectionPool:
    """Holds all open connections, and those that wait for another request."""

    def __init__(self, limits: ClientLimits) -> None:
        self._limits = limits
        self._open: set[Connection] = set()
        self._waiting: dict[PoolKey, list[Connection]] = {}
        self._since: OrderedDict[Connection, tuple[PoolKey, float]] = OrderedDict()  # oldest first
        self._sweeper: asyncio.TimerHandle | None = None
        self._closing = False

    def add(self, connection: Connection) -> None:
        """Add a new connection."""
        self._open.add(connection)
        if self._closing:
            connection.abort()

    def remove(self, connection: Connection) -> None:
        """Remove a connection that is closed."""
        self._open.discard(connection)
        self._forget(connection)

    def take(self, key: PoolKey) -> Connection | None:
        """Return a connection to reuse: the one used last, which is the least likely to be stale."""
        waiting = self._waiting.get(key)
        while waiting:
            connection = waiting[-1]
            self._forget(connection)
            if connection.is_reusable():
                return connection
            connection.abort()
        return None

    def put_back(self, key: PoolKey, connection: Connection) -> None:
        """Keep a connection for the next request to the same host, if it can be reused."""
        if self._closing or not connection.is_reusable():
            connection.abort()
            return
        self._waiting.setdefault(key, []).append(connection)
        now = asyncio.get_running_loop().time()
        self._since[connection] = key, now
        if self._sweeper is None:
            self._sweep_at(now + self._limits.idle_seconds)

    def make_room(self, busy: int) -> None:
        """Close the longest waiting connections until all, with the busy ones, are within the limit."""
        while self._since and len(self._since) + busy > self._limits.connections:
            connection = next(iter(self._since))
            self._forget(connection)
            connection.abort()

    async def close(self) -> None:
        """Close all connections and wait until they are closed."""
        self._closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        connections = list(self._open)
        for connection in connections:
            connection.abort()
        for connection in connections:
            await connection.wait_closed()

    def _forget(self, connection: Connection) -> None:
        found = self._since.pop(connection, None)
        if found is None:
            return
        waiting = self._waiting[found[0]]
        waiting.remove(connection)
        if not waiting:
            del self._waiting[found[0]]

    def _sweep_at(self, when: float) -> None:
        self._sweeper = asyncio.get_running_loop().call_at(when, self._sweep)

    def _sweep(self) -> None:
        self._sweeper = None
        now = asyncio.get_running_loop().time()
        while self._since:
            connection, (_, since) = next(iter(self._since.items()))
            if since + self._limits.idle_seconds > now:
                self._sweep_at(since + self._limits.idle_seconds)
                return
            self._forget(connection)
            connection.abort()
