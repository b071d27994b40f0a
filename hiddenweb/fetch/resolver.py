"""From names to addresses: the system's resolver, with a bounded cache."""

from __future__ import annotations

import asyncio
import socket
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from hiddenweb.fetch.errors import Unresolvable

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a host, best first; raises Unresolvable or OSError."""


class Resolver:
    """Caches the addresses of hosts for a while; one lookup at a time for each host."""

    def __init__(self, resolve: Resolve | None = None, seconds: float = 60.0, size: int = 10_000) -> None:
        self._resolve = resolve or resolve_by_system
        self._seconds = seconds
        self._size = size
        self._cache: OrderedDict[tuple[str, int], tuple[float, Sequence[str]]] = OrderedDict()
        self._lookups: dict[tuple[str, int], asyncio.Task[Sequence[str]]] = {}

    async def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of a host, at least one."""
        key = host, port
        now = asyncio.get_running_loop().time()
        cached = self._cache.get(key)
        if cached is not None and cached[0] > now:
            return cached[1]
        task = self._lookups.get(key)
        if task is None:
            task = self._lookups[key] = asyncio.ensure_future(self._look_up(host, port))
            task.add_done_callback(lambda done: self._remember(key, done))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Stop all running lookups."""
        tasks = list(self._lookups.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look_up(self, host: str, port: int) -> Sequence[str]:
        try:
            found = await self._resolve(host, port)
        except socket.gaierror as error:
            # EAI_AGAIN and similar errors: the name server may answer in a minute.
            temporary = error.errno not in (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", None))
            raise Unresolvable(f"{host}: {error.strerror or error}", temporary=temporary) from None
        except (OSError, UnicodeError) as error:
            raise Unresolvable(f"{host}: {error}", temporary=isinstance(error, OSError)) from None
        if not found:
            raise Unresolvable(f"{host}: no address")
        return found

    def _remember(self, key: tuple[str, int], task: asyncio.Task[Sequence[str]]) -> None:
        self._lookups.pop(key, None)
        if task.cancelled() or task.exception() is not None:
            return
        self._cache[key] = (task.get_loop().time() + self._seconds, task.result())
        self._cache.move_to_end(key)
        while len(self._cache) > self._size:
            self._cache.popitem(last=False)


async def resolve_by_system(host: str, port: int) -> Sequence[str]:
    """Resolve a host by the system's resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(place[0]) for _, _, _, _, place in found))
