"""An HTTP/1.1 client for crawlers: every address judged, every size limited, every response complete or an error.

The steps of a request: the URL is read as by browsers; a kept-alive connection is reused, or the host is
resolved, every address judged (`address_guard.judge`), and a connection opened to exactly one of the judged addresses,
so that nothing can change between the check and its use. Behind a proxy the proxy resolves names, while
literal addresses and localhost are judged all the same. The response is parsed by llhttp, decoded as it arrives
and returned complete (`connection`).

Following redirects and storing cookies is left to the caller.

If the server closes a connection just when it is reused, this looks like a failure. Requests that may be repeated
(GET, HEAD, OPTIONS) are then sent once more, on a new connection, if no byte of a response was received; all others,
which must not be sent twice, get a new connection from the start.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING

from hiddenweb.fetch.address_guard import (
    LOOPBACK,
    NOTHING_ALLOWED,
    AllowList,
    is_localhost,
    judge,
    judge_name,
    literal_address,
)
from hiddenweb.fetch.connection import ClientLimits, Connection
from hiddenweb.fetch.connection_pool import ConnectionPool, PoolKey
from hiddenweb.fetch.errors import (
    BlockedAddress,
    BrokenAnswer,
    Refused,
    TimedOut,
    TlsFailure,
    Unreachable,
)
from hiddenweb.fetch.proxies import Proxy, parse_proxy
from hiddenweb.fetch.resolver import Resolve, Resolver
from hiddenweb.fetch.wire_request import HttpOrigin, encode_connect, encode_request, read_origin, split_url

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Self

    from hiddenweb.fetch.fetcher import HttpRequest, HttpResponse


class HttpClient:
    """Fetches with every address judged and every size limited. `count` is called with events of connections: opened, retried."""

    def __init__(
        self,
        allowed: AllowList = NOTHING_ALLOWED,
        *,
        resolve: Resolve | None = None,
        limits: ClientLimits | None = None,
        tls: ssl.SSLContext | None = None,
        count: Callable[[str], object] | None = None,
    ) -> None:
        self.allowed = allowed
        self.limits = limits or ClientLimits()
        self._tls = tls
        self._resolver = Resolver(resolve)
        self._count = count or _ignore
        self._pool = ConnectionPool(self.limits)
        self._turns = asyncio.Semaphore(self.limits.connections)
        self._busy = 0
        self._origins: dict[str, HttpOrigin] = {}

    async def fetch(self, request: HttpRequest) -> HttpResponse:
        """Return the response to a request; raises FetchError."""
        origin, path = self._origin_and_path(request.url)
        proxy = _read_proxy(request)
        if proxy is not None:
            _raise_blocked(judge_name(origin.host, origin.port, self.allowed), request.url, origin)
        data = encode_request(request, origin, path, proxy)
        deadline = asyncio.get_running_loop().time() + request.timeout
        await self._wait_for_turn(deadline)
        self._busy += 1
        try:
            return await self._send(request, data, origin, proxy, deadline)
        finally:
            self._busy -= 1
            self._turns.release()

    async def close(self) -> None:
        """Close every connection and wait until they are closed."""
        await self._resolver.close()
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _wait_for_turn(self, deadline: float) -> None:
        if not self._turns.locked():
            await self._turns.acquire()
            return
        try:
            async with asyncio.timeout_at(deadline):
                await self._turns.acquire()
        except TimeoutError:
            raise TimedOut("all connections are in use") from None

    async def _send(
        self, request: HttpRequest, data: bytes, origin: HttpOrigin, proxy: Proxy | None, deadline: float
    ) -> HttpResponse:
        key: PoolKey = (origin.scheme, origin.host, origin.port, proxy)
        if proxy is not None and origin.scheme == "http":  # one connection to a proxy serves all hosts
            key = ("http", "", 0, proxy)
        if request.method in _REPEATABLE:
            connection = self._pool.take(key)
            if connection is not None:
                try:
                    return await self._exchange(connection, key, request, data, deadline)
                except BrokenAnswer:
                    if connection.has_received:
                        raise
                    self._count("retried")
        connection = await self._open(origin, proxy, deadline)
        return await self._exchange(connection, key, request, data, deadline)

    async def _exchange(
        self, connection: Connection, key: PoolKey, request: HttpRequest, data: bytes, deadline: float
    ) -> HttpResponse:
        try:
            await connection.send(
                data, deadline, max_bytes=request.max_bytes, without_body=request.method == "HEAD"
            )
        except BaseException:
            connection.abort()
            raise
        answer = connection.take_response(request.url)
        self._pool.put_back(key, connection)
        return answer

    def _origin_and_path(self, url: str) -> tuple[HttpOrigin, str]:
        prefix, path = split_url(url)
        origin = self._origins.get(prefix)
        if origin is None:
            if len(self._origins) >= _MAX_ORIGINS:
                self._origins.clear()
            origin = self._origins[prefix] = read_origin(prefix)
        return origin, path

    async def _open(self, origin: HttpOrigin, proxy: Proxy | None, deadline: float) -> Connection:
        self._pool.make_room(self._busy)
        until = min(deadline, asyncio.get_running_loop().time() + self.limits.connect_seconds)
        try:
            async with asyncio.timeout_at(until):
                if proxy is None:
                    return await self._open_directly(origin, until)
                return await self._open_through(proxy, origin, until)
        except TimeoutError:
            raise TimedOut(f"no connection to {origin.host}:{origin.port} in time") from None

    async def _open_directly(self, origin: HttpOrigin, until: float) -> Connection:
        addresses = await self._addresses(origin.host, origin.literal, origin.port)
        judgements = [judge(address, origin.port, origin.host, self.allowed) for address in addresses]
        good = [address for address, why in zip(addresses, judgements, strict=True) if why is None]
        if not good:
            _raise_blocked(judgements[0], origin.host, origin)
        return await self._dial(good, origin.port, until, origin.tls_name)

    async def _open_through(self, proxy: Proxy, origin: HttpOrigin, until: float) -> Connection:
        # The user named the proxy; its address need not be judged.
        addresses = await self._addresses(proxy.host, literal_address(proxy.host), proxy.port)
        connection = await self._dial(addresses, proxy.port, until, None)
        if origin.scheme == "https":
            try:
                await self._tunnel(connection, proxy, origin, until)
            except BaseException:
                connection.abort()
                raise
        return connection

    async def _addresses(self, host: str, literal: str | None, port: int) -> Sequence[str]:
        if literal is not None:
            return (literal,)
        if is_localhost(host):  # never a query for a name server (RFC 6761)
            return LOOPBACK
        return await self._resolver.addresses(host, port)

    async def _dial(
        self, addresses: Sequence[str], port: int, until: float, tls_name: str | None
    ) -> Connection:
        """Connect to the first address that accepts; each gets a fair share of the remaining time."""
        loop = asyncio.get_running_loop()
        failure: Exception | None = None
        for tried, address in enumerate(addresses):
            share = (until - loop.time()) / (len(addresses) - tried)
            try:
                async with asyncio.timeout(share):
                    _, connection = await loop.create_connection(
                        lambda address=address: Connection(address, self.limits, self._pool),
                        address,
                        port,
                        ssl=self._verifying_context() if tls_name else None,
                        server_hostname=tls_name,
                    )
            except ssl.SSLError as error:
                raise _tls_failure(tls_name or "", error) from None
            except (ConnectionResetError, ConnectionAbortedError) as error:
                # a connection that was open: TCP alone is refused, and not reset
                failure = error
                if tls_name:
                    failure = TlsFailure(
                        f"{tls_name}: port {port} closed the connection during the TLS handshake",
                        temporary=True,
                    )
            except OSError as error:
                failure = error
            else:
                self._count("opened")
                return connection
        if isinstance(failure, TimeoutError) and failure.errno is None:
            raise TimedOut(f"no connection to {addresses[-1]} port {port} in time")
        if isinstance(failure, TlsFailure):
            raise failure
        raise Unreachable(f"no connection to {addresses[-1]} port {port}: {failure}")

    def _verifying_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = tls_context()
        return self._tls

    async def _tunnel(self, connection: Connection, proxy: Proxy, origin: HttpOrigin, until: float) -> None:
        """Have the proxy connect us to the host, then speak TLS with the host."""
        await connection.send(encode_connect(proxy, origin), until, max_bytes=0, for_tunnel=True)
        status = connection.status
        if not 200 <= status < 300:
            # 403 and 407 are decisions of the proxy, all others may be temporary problems of the host.
            raise Unreachable(
                f"the proxy answered {status} to CONNECT {origin.host}:{origin.port}",
                temporary=status not in (403, 407),
            )
        try:
            await connection.start_tls(self._verifying_context(), origin.tls_name or origin.host)
        except ssl.SSLError as error:
            raise _tls_failure(origin.host, error) from None
        except OSError as error:
            raise Unreachable(f"{origin.host}: {error or 'closed during the TLS handshake'}") from None


def tls_context(ca_file: str | None = None) -> ssl.SSLContext:
    """Return a context that verifies certificates by the system's authorities, and by those of a file."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if ca_file:
        context.load_verify_locations(cafile=ca_file)
    return context


_REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS"})
_MAX_ORIGINS = 10_000  # read once and remembered: a limit of taste


def _ignore(what: str) -> None:
    """Count nothing."""


def _read_proxy(request: HttpRequest) -> Proxy | None:
    if not request.proxy:
        return None
    try:
        return parse_proxy(request.proxy)
    except ValueError as error:
        raise Refused(str(error)) from None


def _raise_blocked(why: str | None, about: str, origin: HttpOrigin) -> None:
    if why is not None:
        host = f"[{origin.host}]" if ":" in origin.host else origin.host
        raise BlockedAddress(f"{about}: {why}", f"{host}:{origin.port}")


def _tls_failure(host: str, error: ssl.SSLError) -> TlsFailure:
    if isinstance(error, ssl.SSLCertVerificationError):
        return TlsFailure(f"{host}: {error.verify_message or error}")
    return TlsFailure(f"{host}: {error.reason or error}", temporary=True)
