"""An HTTP/1.1 client for crawlers: every address judged, every size limited, every answer whole or an error.

The way of a request: the URL is read as browsers read it; a kept-alive connection is taken up, or the host is
resolved, every address judged (`addresses.judge`), and a connection opened to exactly one of the judged addresses,
so that nothing can change between the check and its use. Behind a proxy names are the proxy's business, while
literal addresses and localhost are judged all the same. The answer is parsed by llhttp, decoded as it arrives
(`decoding`) and handed over whole.

What is too large is cut at the limit and marked `truncated`; what ends too early is a `BrokenAnswer`. Redirects are
not followed and cookies not kept: that is the business of whoever asks.

A connection the server closes just as it is taken up again looks like a failure. Requests that may be repeated
(GET, HEAD, OPTIONS) are then sent once more, on a new connection, if not one byte of an answer came; all others,
which must not be sent twice, get a new connection from the start.
"""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ada_url import URL
from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from hiddenweb.fetch.address_guard import (
    LOOPBACK,
    NOTHING_ALLOWED,
    AllowList,
    is_localhost,
    judge,
    judge_name,
    literal_address,
)
from hiddenweb.fetch.content_decoding import Decoder, decoder_for
from hiddenweb.fetch.errors import (
    BrokenAnswer,
    FetchError,
    Refused,
    TimedOut,
    TlsFailure,
    TooLarge,
    Unreachable,
    Unresolvable,
)
from hiddenweb.fetch.fetcher import Headers, HttpRequest, HttpResponse
from hiddenweb.fetch.proxies import Proxy, proxy_at
from hiddenweb.fetch.resolver import Resolve, Resolver

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import TracebackType
    from typing import Self


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """What no answer and no host may exceed."""

    header_bytes: int = 65_536
    headers: int = 256
    connections: int = 256  # open at once, the kept-alive ones included
    connect_seconds: float = 15.0
    idle_seconds: float = 20.0


class HttpClient:
    """Fetches by the rules. `count` is told what happens to connections: opened, retried."""

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
        self._names = Resolver(resolve)
        self._count = count or _nothing
        self._pool = _Pool(self.limits)
        self._turns = asyncio.Semaphore(self.limits.connections)
        self._busy = 0
        self._origins: dict[str, _Origin] = {}

    async def fetch(self, request: HttpRequest) -> HttpResponse:
        """Return the answer to a request, or raise a FetchError."""
        origin, path = self._parts(request.url)
        proxy = _proxy_of(request)
        if proxy is not None:
            _refuse(judge_name(origin.host, origin.port, self.allowed), request.url)
        question = _question(request, origin, path, proxy)
        deadline = asyncio.get_running_loop().time() + request.timeout
        await self._turn(deadline)
        self._busy += 1
        try:
            return await self._ask(request, question, origin, proxy, deadline)
        finally:
            self._busy -= 1
            self._turns.release()

    async def close(self) -> None:
        """Close every connection and wait until they are closed."""
        await self._names.close()
        await self._pool.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _turn(self, deadline: float) -> None:
        if not self._turns.locked():
            await self._turns.acquire()
            return
        try:
            async with asyncio.timeout_at(deadline):
                await self._turns.acquire()
        except TimeoutError:
            raise TimedOut("all connections are in use") from None

    async def _ask(
        self, request: HttpRequest, question: bytes, origin: _Origin, proxy: Proxy | None, deadline: float
    ) -> HttpResponse:
        key: _Key = (origin.scheme, origin.host, origin.port, proxy)
        if proxy is not None and origin.scheme == "http":  # one connection to a proxy serves all hosts
            key = ("http", "", 0, proxy)
        if request.method in _REPEATABLE:
            connection = self._pool.take(key)
            if connection is not None:
                try:
                    return await self._exchange(connection, key, request, question, deadline)
                except BrokenAnswer:
                    if connection.heard:
                        raise
                    self._count("retried")
        connection = await self._open(origin, proxy, deadline)
        return await self._exchange(connection, key, request, question, deadline)

    async def _exchange(
        self, connection: _Connection, key: _Key, request: HttpRequest, question: bytes, deadline: float
    ) -> HttpResponse:
        try:
            await connection.ask(
                question, deadline, max_bytes=request.max_bytes, without_body=request.method == "HEAD"
            )
        except BaseException:
            connection.abort()
            raise
        answer = connection.answer(request.url)
        self._pool.keep(key, connection)
        return answer

    def _parts(self, url: str) -> tuple[_Origin, str]:
        plain = _PLAIN_URL.fullmatch(url)
        if plain is None or "/." in plain[2]:  # not as the URL standard writes it
            url = _normal(url)
            prefix, path = url[: len(url) - len(_path(url))], _path(url)
        else:
            prefix, path = plain[1], plain[2]
        origin = self._origins.get(prefix)
        if origin is None:
            if len(self._origins) >= _MOST_ORIGINS:
                self._origins.clear()
            origin = self._origins[prefix] = _origin_at(prefix)
        return origin, path

    async def _open(self, origin: _Origin, proxy: Proxy | None, deadline: float) -> _Connection:
        self._pool.make_room(self._busy)
        until = min(deadline, asyncio.get_running_loop().time() + self.limits.connect_seconds)
        try:
            async with asyncio.timeout_at(until):
                if proxy is None:
                    return await self._open_directly(origin, until)
                return await self._open_through(proxy, origin, until)
        except TimeoutError:
            raise TimedOut(f"no connection to {origin.host}:{origin.port} in time") from None

    async def _open_directly(self, origin: _Origin, until: float) -> _Connection:
        addresses = await self._addresses(origin.host, origin.literal, origin.port)
        judgements = [judge(address, origin.port, origin.host, self.allowed) for address in addresses]
        good = [address for address, why in zip(addresses, judgements, strict=True) if why is None]
        if not good:
            _refuse(judgements[0], origin.host)
        return await self._dial(good, origin.port, until, origin.tls_name)

    async def _open_through(self, proxy: Proxy, origin: _Origin, until: float) -> _Connection:
        # The user named the proxy; where it is need not be judged.
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
        if is_localhost(host):  # never a question for a name server (RFC 6761)
            return LOOPBACK
        return await self._names.addresses(host, port)

    async def _dial(
        self, addresses: Sequence[str], port: int, until: float, tls_name: str | None
    ) -> _Connection:
        """Connect to the first address that takes the call; each gets a fair share of the time left."""
        loop = asyncio.get_running_loop()
        failure: Exception | None = None
        for tried, address in enumerate(addresses):
            share = (until - loop.time()) / (len(addresses) - tried)
            try:
                async with asyncio.timeout(share):
                    _, connection = await loop.create_connection(
                        lambda address=address: _Connection(address, self.limits, self._pool),
                        address,
                        port,
                        ssl=self._verifying() if tls_name else None,
                        server_hostname=tls_name,
                    )
            except ssl.SSLError as error:
                raise _tls_failure(tls_name or "", error) from None
            except OSError as error:
                failure = error
            else:
                self._count("opened")
                return connection
        if isinstance(failure, TimeoutError) and failure.errno is None:
            raise TimedOut(f"no connection to {addresses[-1]} port {port} in time")
        raise Unreachable(f"no connection to {addresses[-1]} port {port}: {failure}")

    def _verifying(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = tls_context()
        return self._tls

    async def _tunnel(self, connection: _Connection, proxy: Proxy, origin: _Origin, until: float) -> None:
        """Have the proxy connect us to the host, then speak TLS with the host."""
        await connection.ask(_connect_question(proxy, origin), until, max_bytes=0, for_tunnel=True)
        status = connection.status
        if not 200 <= status < 300:
            # 403 and 407 are the proxy's decision, all others may be the host's bad day.
            raise Unreachable(
                f"the proxy answered {status} to CONNECT {origin.host}:{origin.port}",
                temporary=status not in (403, 407),
            )
        try:
            await connection.start_tls(self._verifying(), origin.tls_name or origin.host)
        except ssl.SSLError as error:
            raise _tls_failure(origin.host, error) from None
        except OSError as error:
            raise Unreachable(f"{origin.host}: {error or 'closed during the TLS handshake'}") from None


def tls_context(ca_file: str | None = None) -> ssl.SSLContext:
    """Return how certificates are verified: by the system's authorities, and those of a file beside them."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    if ca_file:
        context.load_verify_locations(cafile=ca_file)
    return context


@dataclass(frozen=True, slots=True)
class _Origin:
    scheme: str
    host: str  # without brackets
    port: int
    authority: bytes  # as it stands in Host
    literal: str | None

    @property
    def tls_name(self) -> str | None:
        """The name a certificate has to be for; None without TLS."""
        return self.host.removesuffix(".") if self.scheme == "https" else None


_Key = tuple[str, str, int, Proxy | None]

_REPEATABLE = frozenset({"GET", "HEAD", "OPTIONS"})
_MOST_ORIGINS = 10_000
# What is the same for the URL standard and for everybody else, so that it need not be read again.
_PLAIN_URL = re.compile(
    r"(https?://[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?)(/[!$%&()*+,\-./:;=?@_~A-Za-z0-9]*)"
)
_METHOD = re.compile(r"[A-Z]+")
_TELLING_LENGTHS = frozenset(map(len, (b"content-length", b"content-encoding", b"transfer-encoding")))
_OURS = frozenset(
    b"host connection content-length transfer-encoding keep-alive proxy-authorization proxy-connection "
    b"te trailer upgrade expect".split()
)


def _nothing(what: str) -> None:
    """Count nothing."""


def _proxy_of(request: HttpRequest) -> Proxy | None:
    if not request.proxy:
        return None
    try:
        return proxy_at(request.proxy)
    except ValueError as error:
        raise Refused(str(error)) from None


def _refuse(why: str | None, about: str) -> None:
    if why is not None:
        raise Refused(f"{about}: {why}")


def _tls_failure(host: str, error: ssl.SSLError) -> TlsFailure:
    if isinstance(error, ssl.SSLCertVerificationError):
        return TlsFailure(f"{host}: {error.verify_message or error}")
    return TlsFailure(f"{host}: {error.reason or error}", temporary=True)


def _normal(url: str) -> str:
    try:
        parts = URL(url)
    except ValueError:
        raise Refused(f"{url[:200]!r} is not a URL") from None
    if parts.protocol not in ("http:", "https:"):
        raise Refused(f"{parts.protocol} is neither http nor https")
    return f"{parts.protocol}//{parts.host}{parts.pathname}{parts.search}"


def _path(normal_url: str) -> str:
    return normal_url[normal_url.index("/", 8) :]


def _origin_at(prefix: str) -> _Origin:
    try:
        parts = URL(prefix)
    except ValueError:
        raise Refused(f"{prefix[:200]!r} is not a URL") from None
    scheme = parts.protocol.removesuffix(":")
    port = int(parts.port) if parts.port else 443 if scheme == "https" else 80
    host = parts.hostname.strip("[]")
    literal = literal_address(host)
    if literal is None and not all(0 < len(label) < 64 for label in host.removesuffix(".").split(".")):
        raise Unresolvable(f"{host[:200]}: no host can have this name", temporary=False)
    return _Origin(scheme, host, port, parts.host.encode(), literal)


def _question(request: HttpRequest, origin: _Origin, path: str, proxy: Proxy | None) -> bytes:
    """Write the request as it goes over the wire."""
    if not _METHOD.fullmatch(request.method):
        raise Refused(f"{request.method!r} is not a method")
    target = path.encode("ascii")
    whole = proxy is not None and origin.scheme == "http"
    if whole:
        target = b"http://" + origin.authority + target
    lines = [b"%b %b HTTP/1.1" % (request.method.encode(), target), b"Host: " + origin.authority]
    any_encoding = True
    for name, value in request.headers:
        lowered = name.lower()
        if lowered == b"accept-encoding":
            any_encoding = False
        if lowered not in _OURS:
            lines.append(b"%b: %b" % (name, value))
    if any_encoding:
        lines.append(b"Accept-Encoding: gzip, deflate, br, zstd")
    if whole and proxy is not None and proxy.authorization:
        lines.append(b"Proxy-Authorization: " + proxy.authorization)
    if request.body or request.method in ("POST", "PUT", "PATCH"):
        lines.append(b"Content-Length: %d" % len(request.body))
    lines.append(b"\r\n")
    head = b"\r\n".join(lines)
    if head.count(b"\n") != len(lines) or head.count(b"\r") != len(lines) or b"\0" in head:
        raise Refused("a line break inside a header")
    return head + request.body if request.body else head


def _connect_question(proxy: Proxy, origin: _Origin) -> bytes:
    host = f"[{origin.host}]" if ":" in origin.host else origin.host
    place = f"{host}:{origin.port}".encode()
    head = b"CONNECT %b HTTP/1.1\r\nHost: %b\r\n" % (place, place)
    if proxy.authorization:
        head += b"Proxy-Authorization: %b\r\n" % proxy.authorization
    return head + b"\r\n"


class _Enough(Exception):
    """Nothing more is to be read. Raised inside the parser to stop it."""


class _Connection(asyncio.Protocol):
    """One connection: asks one question at a time and gathers the answer."""

    def __init__(self, address: str, limits: ClientLimits, pool: _Pool) -> None:
        self.address = address
        self.limits = limits
        self.closed = False
        self.heard = False  # a byte of an answer to the question asked last
        self._pool = pool
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tells_when_closed: asyncio.Future[None] | None = None
        self._begin(0)

    def _begin(self, max_bytes: int, *, without_body: bool = False, for_tunnel: bool = False) -> None:
        self._parser = HttpResponseParser(self)
        self._parser.set_dangerous_leniencies(lenient_optional_cr_before_lf=True)
        self._max_bytes = max_bytes
        self._without_body = without_body or for_tunnel
        self._for_tunnel = for_tunnel
        self._headers: Headers = []
        self._head_size = 0
        self._wire = 0
        self._chunks: list[bytes] = []
        self._size = 0
        self._decoder: Decoder | None = None
        self._head_done = False
        self._framed = False
        self._keep = False
        self._done = False
        self._failure: FetchError | None = None
        self._marks: tuple[str, ...] = ()
        self._latency = 0.0
        self.status = 0
        self.surplus = False
        self.heard = False

    # What the client calls

    def ask(
        self,
        question: bytes,
        deadline: float,
        *,
        max_bytes: int,
        without_body: bool = False,
        for_tunnel: bool = False,
    ) -> asyncio.Future[None]:
        """Send a question; the future is done when the whole answer is there."""
        self._begin(max_bytes, without_body=without_body, for_tunnel=for_tunnel)
        self._asked_at = self._loop.time()
        waiter = self._waiter = self._loop.create_future()
        if self._transport is None or self.closed:
            waiter.set_exception(BrokenAnswer("the connection was closed before the question"))
            return waiter
        self._timer = self._loop.call_at(deadline, self._time_out)
        self._transport.write(question)
        return waiter

    def answer(self, url: str) -> HttpResponse:
        """Hand over the answer that has come; nothing of it is kept here."""
        chunks, self._chunks = self._chunks, []
        body = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        return HttpResponse(self.status, self._headers, body, url, self.address, self._marks, self._latency)

    def is_reusable(self) -> bool:
        """Say whether another question can be asked."""
        return (
            self._keep
            and self._done
            and not self.closed
            and not self.surplus
            and self._transport is not None
            and not self._transport.is_closing()
        )

    async def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        """Go on in TLS, with the host at the other end of the proxy's tunnel."""
        if self._transport is None or self.closed:
            raise ConnectionResetError("the proxy closed the tunnel")
        transport = await self._loop.start_tls(self._transport, self, context, server_hostname=host)
        if transport is None:
            raise ConnectionResetError("the proxy closed the tunnel")
        self._transport = transport

    def abort(self) -> None:
        """Close the connection now."""
        if self._transport is not None:
            self._transport.abort()

    async def wait_closed(self) -> None:
        """Wait until the connection is gone."""
        if not self.closed:
            self._tells_when_closed = self._loop.create_future()
            await self._tells_when_closed

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is not derived from it
        self._pool.opened(self)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        if self._waiter is None:  # nobody asked
            self.surplus = True
            self.abort()
            return
        self.heard = True
        self._wire += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._failure = BrokenAnswer("the server wants to speak another protocol")
        except HttpParserError as error:
            self._stopped(error)
        if self._failure is not None:
            self._end(self._failure)
        elif self._done:
            self._end(self._verdict())
        elif not self._head_done and self._wire > self.limits.header_bytes:
            self._end(TooLarge(f"a head of more than {self.limits.header_bytes} bytes"))
        elif self._wire > self._max_bytes + self.limits.header_bytes:
            self._cut()
            self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """End; that is also how some answers end."""
        self.closed = True
        self._pool.lost(self)
        if self._tells_when_closed is not None and not self._tells_when_closed.done():
            self._tells_when_closed.set_result(None)
        if self._waiter is None:
            return
        if not self.heard:
            self._end(BrokenAnswer(f"the connection ended before an answer{_because(exc)}"))
        elif exc is None and self._head_done and not self._framed:
            self._done = True
            self._end(self._verdict())
        else:
            self._end(BrokenAnswer(f"the connection ended inside the answer{_because(exc)}"))

    def _time_out(self) -> None:
        part = "the body was not complete" if self._head_done else "no head" if self.heard else "no answer"
        self._end(TimedOut(f"{part} after {self._loop.time() - self._asked_at:.1f} s"))

    # What the parser calls

    def on_message_begin(self) -> None:
        """Notice another answer, which nobody asked for."""
        if self._done:
            self.surplus = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        self._head_size += len(name) + len(value) + 4
        if self._head_size > self.limits.header_bytes:
            self._stop(TooLarge(f"a head of more than {self.limits.header_bytes} bytes"))
        if self._head_done:  # a trailer
            return
        self._headers.append((name, value))
        if len(self._headers) > self.limits.headers:
            self._stop(TooLarge(f"more than {self.limits.headers} headers"))

    def on_headers_complete(self) -> None:
        """Decide how the body is to be read."""
        if self._done:
            return
        status = self.status = self._parser.get_status_code()
        if 100 <= status < 200:
            return
        self._latency = self._loop.time() - self._asked_at
        self._head_done = True
        self._keep = 200 <= status < 300 if self._for_tunnel else self._parser.should_keep_alive()
        if self._without_body:
            self._done = True
            return
        for name, value in self._headers:
            if len(name) in _TELLING_LENGTHS:
                lowered = name.lower()
                if lowered == b"content-length":
                    self._framed = True
                elif lowered == b"content-encoding":
                    self._decode(value)
                elif lowered == b"transfer-encoding":
                    self._frame(value)

    def on_body(self, data: bytes) -> None:
        """Take a piece of the body."""
        if self._without_body:
            self.surplus = True
            return
        if self._decoder is not None:
            try:
                data = self._decoder.feed(data, self._max_bytes - self._size + 1)
            except BrokenAnswer as error:
                self._stop(error)
        self._size += len(data)
        self._chunks.append(data)
        if self._size > self._max_bytes:
            self._cut()
            raise _Enough

    def on_message_complete(self) -> None:
        """End the answer, unless it was only an interim one."""
        if self._head_done:
            self._done = True
        else:
            self._headers = []

    def _decode(self, encoding: bytes) -> None:
        if self._decoder is not None:
            self._stop(BrokenAnswer("two Content-Encodings"))
        try:
            self._decoder, known = decoder_for(encoding)
        except BrokenAnswer as error:
            self._stop(error)
        if not known:
            self._marks = ("unknown_encoding",)

    def _frame(self, coding: bytes) -> None:
        coding = coding.strip().lower()
        if coding == b"chunked":
            self._framed = True
        elif coding != b"identity":
            self._stop(BrokenAnswer(f"Transfer-Encoding {coding[:50]!r}, which nobody asked for"))

    def _stop(self, error: FetchError) -> None:
        self._failure = error
        raise _Enough

    def _stopped(self, error: HttpParserError) -> None:
        if self._failure is not None or "truncated" in self._marks:
            return
        if self._done:  # what follows the answer is not HTTP, or not wanted
            self.surplus = True
        else:
            self._failure = BrokenAnswer(f"not HTTP: {error}")

    # How an answer ends

    def _cut(self) -> None:
        excess = self._size - self._max_bytes
        if excess > 0:
            self._chunks[-1] = self._chunks[-1][:-excess]
        self._marks = (*self._marks, "truncated")
        self._keep = False
        self._done = True

    def _verdict(self) -> FetchError | None:
        """Judge an answer whose end has come."""
        if "truncated" in self._marks or (self._for_tunnel and not self._keep):
            return None
        if self.surplus:
            return BrokenAnswer("more came than the answer's own length")
        if self._decoder is not None and not self._decoder.ended and self._expects_body():
            return BrokenAnswer("the body ended before its encoding did")
        return None

    def _expects_body(self) -> bool:
        """Say whether an encoding must have begun: an empty body may be empty in every encoding."""
        return bool(self._chunks) or (not self._framed and self.status not in (204, 304))

    def _end(self, error: FetchError | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiter, self._waiter = self._waiter, None
        if not self._keep or error is not None:
            self._keep = False
            self.abort()
        if waiter is None or waiter.done():
            return
        if error is None:
            waiter.set_result(None)
        else:
            self._chunks = []
            waiter.set_exception(error)


def _because(error: Exception | None) -> str:
    return f": {error}" if error is not None and str(error) else ""


class _Pool:
    """All open connections, and those among them that wait for another question."""

    def __init__(self, limits: ClientLimits) -> None:
        self._limits = limits
        self._open: set[_Connection] = set()
        self._waiting: dict[_Key, list[_Connection]] = {}
        self._since: OrderedDict[_Connection, tuple[_Key, float]] = OrderedDict()  # oldest first
        self._sweeper: asyncio.TimerHandle | None = None
        self._closing = False

    def opened(self, connection: _Connection) -> None:
        """Know a new connection."""
        self._open.add(connection)
        if self._closing:
            connection.abort()

    def lost(self, connection: _Connection) -> None:
        """Forget a connection that is gone."""
        self._open.discard(connection)
        self._forget(connection)

    def take(self, key: _Key) -> _Connection | None:
        """Return a connection to go on with: the one used last, which is the least likely to be stale."""
        waiting = self._waiting.get(key)
        while waiting:
            connection = waiting[-1]
            self._forget(connection)
            if connection.is_reusable():
                return connection
            connection.abort()
        return None

    def keep(self, key: _Key, connection: _Connection) -> None:
        """Keep a connection for the next question to the same place, if it can take one."""
        if self._closing or not connection.is_reusable():
            connection.abort()
            return
        self._waiting.setdefault(key, []).append(connection)
        now = asyncio.get_running_loop().time()
        self._since[connection] = key, now
        if self._sweeper is None:
            self._sweep_at(now + self._limits.idle_seconds)

    def make_room(self, busy: int) -> None:
        """Close those that wait longest until they and the busy ones are within the limit."""
        while self._since and len(self._since) + busy > self._limits.connections:
            connection = next(iter(self._since))
            self._forget(connection)
            connection.abort()

    async def close(self) -> None:
        """Close all, and wait for it."""
        self._closing = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        connections = list(self._open)
        for connection in connections:
            connection.abort()
        for connection in connections:
            await connection.wait_closed()

    def _forget(self, connection: _Connection) -> None:
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
