"""Puts a world on the wire: one loopback port for all hosts as a proxy, a few addresses of their own, a control port.

Requests come in absolute form to the proxy ("GET http://books.example/ HTTP/1.1") or in origin form to an address of its
own. Faults are made here, where bytes are sent: connections reset, bodies cut, headers dripped.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

import httptools

from simweb.compression import compressed
from simweb.messages import Request, Response
from simweb.pages import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from simweb.faults import Fault
    from simweb.world import World

LOOPBACK = "127.0.0.1"

_REASONS = {status.value: status.phrase for status in HTTPStatus}
_LARGEST_BODY = 16 << 20
_HEADERS = {name.encode(): name for name in ("host", "user-agent", "accept-encoding", "if-none-match")}
_PIECES = 8


class Server:
    """A world being served."""

    def __init__(self, world: World, control: Callable[[Request], Response]) -> None:
        self.world = world
        self.control = control
        self.control_port = 0
        self._counts: dict[str, int] = {}
        self._servers: list[asyncio.Server] = []

    @property
    def port(self) -> int:
        """Return the port of the proxy, and of every address of its own."""
        return self.world.port

    async def start(self, port: int = 0, control_port: int = 0) -> None:
        """Listen on loopback; port 0 takes free ones. Sites with an address of their own use the proxy's port number."""
        loop = asyncio.get_running_loop()
        for attempt in range(20):
            try:
                await self._listen(loop, port)
                break
            except OSError:
                await self.stop()
                if port or attempt == 19:
                    raise
        control = await loop.create_server(lambda: _Connection(self, is_control=True), LOOPBACK, control_port)
        self._servers.append(control)
        self.control_port = control.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening."""
        servers, self._servers = self._servers, []
        for server in servers:
            server.close()

    async def _listen(self, loop: asyncio.AbstractEventLoop, port: int) -> None:
        proxy = await loop.create_server(lambda: _Connection(self), LOOPBACK, port, backlog=2048)
        self._servers.append(proxy)
        self.world.port = proxy.sockets[0].getsockname()[1]
        for number in range(self.world.direct):
            host = f"127.0.0.{number + 2}"
            self._servers.append(await loop.create_server(lambda: _Connection(self), host, self.world.port))

    def next_count(self, host: str) -> int:
        """Return how many requests a host had before this one."""
        count = self._counts.get(host, 0)
        self._counts[host] = count + 1
        return count

    def forget_counts(self) -> None:
        """Start counting anew, as after a restart."""
        self._counts.clear()


class _Connection(asyncio.Protocol):
    """One client; requests are answered in the order they come."""

    def __init__(self, server: Server, is_control: bool = False) -> None:
        self._server = server
        self._is_control = is_control
        self._parser = httptools.HttpRequestParser(self)
        self._waiting: list[tuple[str, str, dict[str, str], bytes]] = []
        self._busy = False
        self._resume: asyncio.Event | None = None
        self._closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]

    def connection_lost(self, _: Exception | None) -> None:
        self._closed = True
        if self._resume is not None:
            self._resume.set()

    def pause_writing(self) -> None:
        self._resume = asyncio.Event()

    def resume_writing(self) -> None:
        if self._resume is not None:
            self._resume.set()
            self._resume = None

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._transport.close()
        except httptools.HttpParserError as error:
            self._send_plain(400, f"not a request: {error}")

    # What the parser calls

    def on_message_begin(self) -> None:
        self._url = b""
        self._headers: dict[str, str] = {}
        self._body = b""

    def on_url(self, url: bytes) -> None:
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        known = _HEADERS.get(name.lower())
        if known:
            self._headers[known] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        if len(self._body) + len(body) <= _LARGEST_BODY:
            self._body += body

    def on_message_complete(self) -> None:
        method = self._parser.get_method().decode("latin-1")
        self._waiting.append((method, self._url.decode("latin-1"), self._headers, self._body))
        if not self._busy:
            self._serve_waiting()

    # Answering

    def _serve_waiting(self) -> None:
        while self._waiting and not self._busy and not self._closed:
            self._serve(*self._waiting.pop(0))

    def _serve(self, method: str, url: str, headers: dict[str, str], body: bytes) -> None:
        if method == "CONNECT":
            return self._send_plain(501, "this proxy speaks plain http only")
        request = self._request(method, url, headers, body)
        if request is None:
            return self._send_plain(400, f"not an address: {url[:200]}")
        if self._is_control:
            return self._send(request, self._server.control(request), "")
        world = self._server.world
        fault = (
            world.faults.hitting(request.host, request.path, request.count) if world.faults.active else None
        )
        if fault is not None and fault.kind == "reset":
            self._note(request, 0, "fault", 0, fault.kind)
            self._closed = True
            return self._transport.abort()
        response = _faulty_answer(world, request, fault) if fault else None
        if response is None:
            response = world.respond(request)
        if response is None:
            return self._send_plain(502, f"no such host in this world: {request.host}")
        if fault is not None or response.stream is not None:
            self._busy = True
            asyncio.get_running_loop().create_task(self._send_slowly(request, response, fault))
        else:
            self._send(request, response, "")
        return None

    def _request(self, method: str, url: str, headers: dict[str, str], body: bytes) -> Request | None:
        target = url.partition("#")[0]
        host = headers.get("host", "")
        if not target.startswith("/"):
            host, slash, rest = target.partition("://")[2].partition("/")
            target = slash + rest
        if not host:
            return None
        host = host.lower()
        if not self._is_control and not host.startswith("127."):
            host = host.removesuffix(":80")
        path, _, query = target.partition("?")
        count = 0 if self._is_control else self._server.next_count(host)
        return Request(method, host, path or "/", query, headers, body, count, self._server.world.now)

    def _send(self, request: Request, response: Response, fault: str) -> None:
        self._transport.write(
            _head(response, len(response.body)) + (b"" if request.method == "HEAD" else response.body)
        )
        if not self._is_control:
            self._note(request, response.status, response.kind, len(response.body), fault)
        if not self._parser.should_keep_alive():
            self._transport.close()

    async def _send_slowly(self, request: Request, response: Response, fault: Fault | None) -> None:
        kind = fault.name if fault else ""
        self._note(request, response.status, response.kind, len(response.body), kind)
        try:
            if response.stream is not None:
                await self._send_stream(response)
            elif fault is not None:
                await self._send_faulty(response, fault)
        finally:
            self._busy = False
            self._serve_waiting()

    async def _send_stream(self, response: Response) -> None:
        """Send a body of unknown length in chunks, no faster than it is read."""
        assert response.stream is not None
        response.headers.append(("Transfer-Encoding", "chunked"))
        self._transport.write(_head(response, None))
        for piece in response.stream:
            if self._closed:
                return
            self._transport.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            if self._resume is not None:
                await self._resume.wait()
        self._transport.write(b"0\r\n\r\n")

    async def _send_faulty(self, response: Response, fault: Fault) -> None:
        body = response.body
        match fault.kind:
            case "slow-headers":
                await self._drip(_head(response, len(body)), fault.seconds)
                self._transport.write(body)
            case "slow-body":
                self._transport.write(_head(response, len(body)))
                await self._drip(body, fault.seconds)
            case "short-length":
                self._transport.write(_head(response, len(body) // 2) + body)
                self._transport.close()
            case "long-length":
                self._transport.write(_head(response, len(body) * 2 + 10) + body)
                self._transport.close()
            case _:
                self._transport.write(_head(response, len(body)) + body)

    async def _drip(self, data: bytes, seconds: float) -> None:
        size = max(1, -(-len(data) // _PIECES))
        for at in range(0, len(data), size):
            if self._closed:
                return
            self._transport.write(data[at : at + size])
            await asyncio.sleep(seconds / _PIECES)

    def _send_plain(self, status: int, text: str) -> None:
        response = Response(status, text.encode(), [("Content-Type", "text/plain; charset=utf-8")])
        self._transport.write(_head(response, len(response.body)) + response.body)
        self._transport.close()

    def _note(self, request: Request, status: int, kind: str, size: int, fault: str) -> None:
        sent = request.body.decode("utf-8", "replace") if request.body else ""
        agent = request.headers.get("user-agent", "")
        self._server.world.journal.served((
            time.monotonic(), request.time, request.host, request.method, request.target, sent,
            status, kind, size, agent, fault,
        ))  # fmt: skip


def _head(response: Response, length: int | None) -> bytes:
    lines = [f"HTTP/1.1 {response.status} {_REASONS.get(response.status, 'Unknown')}\r\n"]
    lines += [f"{name}: {value}\r\n" for name, value in response.headers]
    if length is not None and response.status != 304:
        lines.append(f"Content-Length: {length}\r\n")
    lines.append("\r\n")
    return "".join(lines).encode("latin-1")


def _faulty_answer(world: World, request: Request, fault: Fault) -> Response | None:
    """Return what a faulty host answers, or None where only the sending is faulty."""
    site = world.site_at(request.host)
    if site is None:
        return None
    match fault.kind:
        case "429" | "503" | "500":
            headers = [("Content-Type", "text/plain")]
            if fault.kind != "500":
                headers.append(("Retry-After", f"{fault.retry_after:g}"))
            return Response(int(fault.kind), b"try again later", headers, "fault")
        case "redirect-loop":
            return site.redirect(request.target, kind="fault")
        case "error-page" | "block-page" | "block-403":
            sheet = Sheet(site, request)
            name = "error" if fault.kind == "error-page" else "blocked"
            sheet.heading(site.say(f"{name}_title"))
            sheet.paragraph(site.say(f"{name}_text"))
            return site.page(sheet, 403 if fault.kind == "block-403" else 200, "fault")
        case "truncated-gzip" | "truncated-brotli":
            return _truncated(site.respond(_plain(request)), fault.kind)
        case "bad-charset":
            response = site.respond(_plain(request))
            wrong = "utf-16" if site.plan.charset == "utf-8" else "utf-8"
            response.headers = [h for h in response.headers if h[0] != "Content-Type"]
            response.headers.append(("Content-Type", f"text/html; charset={wrong}"))
            return response
        case _:
            return None


def _truncated(response: Response, kind: str) -> Response:
    encoding = "gzip" if kind == "truncated-gzip" else "br"
    whole = compressed(response.body, encoding)
    response.body = whole[: len(whole) // 2]
    response.headers.append(("Content-Encoding", encoding))
    return response


def _plain(request: Request) -> Request:
    headers = {name: value for name, value in request.headers.items() if name != "accept-encoding"}
    return replace(request, headers=headers)
