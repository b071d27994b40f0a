"""One connection to a host or a proxy: it sends one request at a time and returns the whole response or an error.

The response is parsed by llhttp and decoded as it arrives (`content_decoding`). A response that is too large is cut at the limit and marked
`truncated`; one that ends too early is a `BrokenAnswer`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

from hiddenweb.fetch.content_decoding import Decoder, decoder_for
from hiddenweb.fetch.errors import BrokenAnswer, FetchError, TimedOut, TooLarge
from hiddenweb.fetch.fetcher import Headers, HttpResponse

if TYPE_CHECKING:
    import ssl

    from hiddenweb.fetch.connection_pool import ConnectionPool

_LENGTHS_OF_NAMES = frozenset(map(len, (b"content-length", b"content-encoding", b"transfer-encoding")))


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """The limits for every response and every host."""

    header_bytes: int = 65_536
    headers: int = 256
    connections: int = 256  # open at once, the kept-alive ones included
    connect_seconds: float = 15.0
    idle_seconds: float = 20.0


class _EnoughRead(Exception):
    """Raised inside the parser to stop it when nothing more has to be read."""


class Connection(asyncio.Protocol):
    """One connection: sends one request at a time and collects the response."""

    def __init__(self, address: str, limits: ClientLimits, pool: ConnectionPool) -> None:
        self.address = address
        self.limits = limits
        self.is_closed = False
        self.has_received = False  # any byte of a response to the last request
        self._pool = pool
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._closed_waiter: asyncio.Future[None] | None = None
        self._reset(0)

    def _reset(self, max_bytes: int, *, without_body: bool = False, for_tunnel: bool = False) -> None:
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
        self._is_head_done = False
        self._has_length = False
        self._keeps_alive = False
        self._is_done = False
        self._failure: FetchError | None = None
        self._marks: tuple[str, ...] = ()
        self._latency = 0.0
        self.status = 0
        self.has_surplus = False
        self.has_received = False

    # What the client calls

    def send(
        self,
        data: bytes,
        deadline: float,
        *,
        max_bytes: int,
        without_body: bool = False,
        for_tunnel: bool = False,
    ) -> asyncio.Future[None]:
        """Send a request; the future is done when the response is complete."""
        self._reset(max_bytes, without_body=without_body, for_tunnel=for_tunnel)
        self._sent_at = self._loop.time()
        waiter = self._waiter = self._loop.create_future()
        if self._transport is None or self.is_closed:
            waiter.set_exception(BrokenAnswer("the connection was closed before the request"))
            return waiter
        self._timer = self._loop.call_at(deadline, self._time_out)
        self._transport.write(data)
        return waiter

    def take_response(self, url: str) -> HttpResponse:
        """Return the received response; the connection forgets it."""
        chunks, self._chunks = self._chunks, []
        body = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        return HttpResponse(self.status, self._headers, body, url, self.address, self._marks, self._latency)

    def is_reusable(self) -> bool:
        """Return whether another request can be sent."""
        return (
            self._keeps_alive
            and self._is_done
            and not self.is_closed
            and not self.has_surplus
            and self._transport is not None
            and not self._transport.is_closing()
        )

    async def start_tls(self, context: ssl.SSLContext, host: str) -> None:
        """Continue in TLS, with the host at the other end of the proxy's tunnel."""
        if self._transport is None or self.is_closed:
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
        """Wait until the connection is closed."""
        if not self.is_closed:
            self._closed_waiter = self._loop.create_future()
            await self._closed_waiter

    # What the event loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Register the connection."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's is not derived from it
        self._pool.add(self)

    def data_received(self, data: bytes) -> None:
        """Parse more data."""
        if self._waiter is None:  # there is no request
            self.has_surplus = True
            self.abort()
            return
        self.has_received = True
        self._wire += len(data)
        try:
            self._parser.feed_data(data)
        except HttpParserUpgrade:
            self._failure = BrokenAnswer("the server wants to speak another protocol")
        except HttpParserError as error:
            self._note_stop(error)
        if self._failure is not None:
            self._end(self._failure)
        elif self._is_done:
            self._end(self._find_fault())
        elif not self._is_head_done and self._wire > self.limits.header_bytes:
            self._end(TooLarge(f"a head of more than {self.limits.header_bytes} bytes"))
        elif self._wire > self._max_bytes + self.limits.header_bytes:
            self._cut()
            self._end(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """End the response; some responses have no other end."""
        self.is_closed = True
        self._pool.remove(self)
        if self._closed_waiter is not None and not self._closed_waiter.done():
            self._closed_waiter.set_result(None)
        if self._waiter is None:
            return
        if not self.has_received:
            self._end(BrokenAnswer(f"the connection ended before an answer{_because(exc)}"))
        elif exc is None and self._is_head_done and not self._has_length:
            self._is_done = True
            self._end(self._find_fault())
        else:
            self._end(BrokenAnswer(f"the connection ended inside the answer{_because(exc)}"))

    def _time_out(self) -> None:
        part = (
            "the body was not complete"
            if self._is_head_done
            else "no head"
            if self.has_received
            else "no answer"
        )
        self._end(TimedOut(f"{part} after {self._loop.time() - self._sent_at:.1f} s"))

    # What the parser calls

    def on_message_begin(self) -> None:
        """Notice a surplus response without a request."""
        if self._is_done:
            self.has_surplus = True

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header."""
        self._head_size += len(name) + len(value) + 4
        if self._head_size > self.limits.header_bytes:
            self._stop(TooLarge(f"a head of more than {self.limits.header_bytes} bytes"))
        if self._is_head_done:  # a trailer
            return
        self._headers.append((name, value))
        if len(self._headers) > self.limits.headers:
            self._stop(TooLarge(f"more than {self.limits.headers} headers"))

    def on_headers_complete(self) -> None:
        """Decide how to read the body."""
        if self._is_done:
            return
        status = self.status = self._parser.get_status_code()
        if 100 <= status < 200:
            return
        self._latency = self._loop.time() - self._sent_at
        self._is_head_done = True
        self._keeps_alive = 200 <= status < 300 if self._for_tunnel else self._parser.should_keep_alive()
        if self._without_body:
            self._is_done = True
            return
        for name, value in self._headers:
            if len(name) in _LENGTHS_OF_NAMES:
                lowered = name.lower()
                if lowered == b"content-length":
                    self._has_length = True
                elif lowered == b"content-encoding":
                    self._decode(value)
                elif lowered == b"transfer-encoding":
                    self._frame(value)

    def on_body(self, data: bytes) -> None:
        """Add a piece of the body."""
        if self._without_body:
            self.has_surplus = True
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
            raise _EnoughRead

    def on_message_complete(self) -> None:
        """End the response, unless it was an interim one."""
        if self._is_head_done:
            self._is_done = True
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
            self._has_length = True
        elif coding != b"identity":
            self._stop(BrokenAnswer(f"Transfer-Encoding {coding[:50]!r}, which was not requested"))

    def _stop(self, error: FetchError) -> None:
        self._failure = error
        raise _EnoughRead

    def _note_stop(self, error: HttpParserError) -> None:
        if self._failure is not None or "truncated" in self._marks:
            return
        if self._is_done:  # the data after the response is not HTTP, or surplus
            self.has_surplus = True
        else:
            self._failure = BrokenAnswer(f"not HTTP: {error}")

    # The end of a response

    def _cut(self) -> None:
        excess = self._size - self._max_bytes
        if excess > 0:
            self._chunks[-1] = self._chunks[-1][:-excess]
        self._marks = (*self._marks, "truncated")
        self._keeps_alive = False
        self._is_done = True

    def _find_fault(self) -> FetchError | None:
        """Return what is wrong with a complete response, if anything."""
        if "truncated" in self._marks or (self._for_tunnel and not self._keeps_alive):
            return None
        if self.has_surplus:
            return BrokenAnswer("more came than the answer's own length")
        if self._decoder is not None and not self._decoder.is_complete and self._expects_body():
            return BrokenAnswer("the body ended before its encoding did")
        return None

    def _expects_body(self) -> bool:
        """Return whether an encoding must have begun: an empty body is valid in every encoding."""
        return bool(self._chunks) or (not self._has_length and self.status not in (204, 304))

    def _end(self, error: FetchError | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiter, self._waiter = self._waiter, None
        if not self._keeps_alive or error is not None:
            self._keeps_alive = False
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
