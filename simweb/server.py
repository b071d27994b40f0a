"""Puts a world on the wire: one loopback port for all hosts as a proxy, a few addresses of their own, a control port.

Requests come in absolute form to the proxy ("GET http://books.example/ HTTP/1.1") or in origin form to an address of its
own. Faults are made here, where bytes are sent: connections reset, bodies cut, headers dripped.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
import traceback
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING

import httptools

from simweb.compression import compress_body
from simweb.messages import Request, Response, host_name
from simweb.pages import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from simweb.faults import Fault
    from simweb.site import Site
    from simweb.world import World

LOOPBACK = "127.0.0.1"

_REASONS = {status.value: status.phrase for status in HTTPStatus}
_LARGEST_BODY = 16 << 20
_HEADERS = {
    name.encode(): name
    for name in ("host", "user-agent", "accept-encoding", "accept-language", "if-none-match", "if-modified-since",
                 "cookie", "referer", "connection")
}  # fmt: skip
_AUTHORITY = re.compile(r"[^/?]*")
_WITHOUT_BODY = (204, 304)
_DAMAGES = ("truncated-gzip", "truncated-brotli", "bad-charset")
_PIECES = 8


class Server:
    """A world being served."""

    def __init__(self, world: World, control: Callable[[Request], Response]) -> None:
        self.world = world
        self.control = control
        self.control_port = 0
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


@dataclass(slots=True)
class _Asked:
    """One request as it came in; `error` says why it is none."""

    method: str = ""
    url: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    keep_alive: bool = False
    error: str = ""


class _Connection(asyncio.Protocol):
    """One client; requests are answered in the order they come, one at a time."""

    def __init__(self, server: Server, is_control: bool = False) -> None:
        self._server = server
        self._is_control = is_control
        self._parser = httptools.HttpRequestParser(self)
        self._asked = _Asked()
        self._waiting: list[_Asked] = []
        self._task: asyncio.Task[None] | None = None
        self._resume: asyncio.Event | None = None
        self._keep_alive = True
        self._begun = False
        self._ended = False
        self._closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport: asyncio.Transport = transport  # type: ignore[assignment]

    def connection_lost(self, _: Exception | None) -> None:
        self._closed = True
        if self._resume is not None:
            self._resume.set()

    def eof_received(self) -> bool:
        self._ended = True
        return self._task is not None  # whoever has asked all may still listen

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
            self._ended = True  # we stay with HTTP/1.1, and the parser says no more
        except httptools.HttpParserError as error:
            self._waiting.append(replace(self._asked, keep_alive=False, error=f"not a request: {error}"))
        self._serve_waiting()

    # What the parser calls

    def on_message_begin(self) -> None:
        self._asked = _Asked()

    def on_url(self, url: bytes) -> None:
        self._asked.url += url.decode("latin-1")

    def on_header(self, name: bytes, value: bytes) -> None:
        known = _HEADERS.get(name.lower())
        if known:
            self._asked.headers[known] = value.decode("latin-1")

    def on_body(self, body: bytes) -> None:
        if len(self._asked.body) + len(body) <= _LARGEST_BODY:
            self._asked.body += body

    def on_message_complete(self) -> None:
        self._asked.method = self._parser.get_method().decode("latin-1")
        self._asked.keep_alive = self._parser.should_keep_alive()
        self._waiting.append(self._asked)
        self._asked = _Asked()

    # Answering

    def _serve_waiting(self) -> None:
        while self._waiting and self._task is None and not self._closed:
            self._serve(self._waiting.pop(0))
        if self._ended and self._task is None:
            self._close()

    def _serve(self, asked: _Asked) -> None:
        self._keep_alive = asked.keep_alive
        self._begun = False
        request = self._request(asked)
        try:
            if asked.error:
                self._refuse(request, 400, asked.error)
            elif asked.method == "CONNECT":
                self._refuse(request, 501, "this proxy speaks plain http only")
            elif not request.host:
                self._refuse(request, 400, f"not an address: {asked.url[:200]}")
            elif self._is_control:
                self._send(request, self._server.control(request))
            else:
                self._answer(request)
        except Exception as error:  # noqa: BLE001 - the outermost loop: one bad page costs one page
            self._crash(request, error)

    def _request(self, asked: _Asked) -> Request:
        """Return a request with host and target as they were asked for; without a host if there is none."""
        host, target = asked.headers.get("host", ""), asked.url.partition("#")[0]
        if asked.method == "CONNECT":
            host = target
        elif not target.startswith("/"):
            rest = target.partition("://")[2]
            host = _AUTHORITY.match(rest)[0]  # type: ignore[index]  # it matches anything
            target = rest[len(host) :] if host else target
        path, _, query = target.partition("?")
        now = self._server.world.now
        return Request(asked.method, host.lower(), path or "/", query, asked.headers, asked.body, time=now)

    def _answer(self, request: Request) -> None:
        world = self._server.world
        number = world.number_of(host_name(request.host, world.port))
        if number is None:
            return self._refuse(request, 502, f"no such host in this world: {request.host}", "stranger")
        site, host = world.site(number), world.host(number)
        request = replace(request, host=host, count=world.journal.next_count(host))
        fault = world.faults.hitting(host, request.path, request.count) if world.faults.active else None
        if fault is None:
            response = site.respond(request)
        elif fault.kind == "reset":
            self._note(request, 0, "fault", 0, fault.name)
            self._closed = True
            return self._transport.abort()
        else:
            response, fault = _faulty_answer(site, request, fault)
        if fault is None and response.stream is None:
            return self._send(request, response)
        self._task = asyncio.get_running_loop().create_task(self._send_slowly(request, response, fault))
        return None

    def _refuse(self, request: Request, status: int, text: str, kind: str = "refused") -> None:
        self._keep_alive = False
        self._send(request, self._trouble(status, text, kind))

    def _crash(self, request: Request, error: Exception) -> None:
        """Show what went wrong in simweb itself; the next request may fare better."""
        traceback.print_exception(error)
        text = f"simweb failed: {type(error).__name__}: {error}"
        if self._begun or self._closed:
            self._note(request, 0, "crash", 0, text)
            self._closed = True
            self._transport.abort()
        else:
            self._send(request, self._trouble(500, text, "crash"), text)

    def _trouble(self, status: int, text: str, kind: str) -> Response:
        if self._is_control:
            body = json.dumps({"error": text}).encode()
            return Response(status, body, [("Content-Type", "application/json; charset=utf-8")], kind)
        return Response(status, text.encode(), [("Content-Type", "text/plain; charset=utf-8")], kind)

    # Sending

    def _send(self, request: Request, response: Response, fault: str = "") -> None:
        head, body = self._frame(request, response)
        self._note(request, response.status, response.kind, len(body), fault)
        self._write(head + body)
        self._finish()

    async def _send_slowly(self, request: Request, response: Response, fault: Fault | None) -> None:
        try:
            if fault is None:
                await self._send_stream(request, response)
            else:
                await self._send_faulty(request, response, fault)
            self._finish()
        except Exception as error:  # noqa: BLE001 - the outermost loop of this task
            self._crash(request, error)
        self._task = None
        self._serve_waiting()

    async def _send_stream(self, request: Request, response: Response) -> None:
        """Send a body of unknown length in chunks, no faster than it is read."""
        assert response.stream is not None
        head, _ = self._frame(request, response)
        self._note(request, response.status, response.kind, 0, "")
        self._write(head)
        if request.method == "HEAD":
            return
        for piece in response.stream:
            if self._closed:
                return
            self._write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            if self._resume is not None:
                await self._resume.wait()
        self._write(b"0\r\n\r\n")

    async def _send_faulty(self, request: Request, response: Response, fault: Fault) -> None:
        length = len(response.body)
        if fault.kind in ("short-length", "long-length"):
            length = length // 2 if fault.kind == "short-length" else length * 2 + 10
        head, body = self._frame(request, response, length)
        self._note(request, response.status, response.kind, len(body), fault.name)
        await self._drip(head, fault.seconds if fault.kind == "slow-headers" else 0)
        await self._drip(body, fault.seconds if fault.kind == "slow-body" else 0)
        if length != len(response.body):
            self._keep_alive = False

    async def _drip(self, data: bytes, seconds: float) -> None:
        size = max(1, -(-len(data) // _PIECES)) if seconds else len(data) or 1
        for at in range(0, len(data), size):
            if self._closed:
                return
            self._write(data[at : at + size])
            if seconds:
                await asyncio.sleep(seconds / _PIECES)

    def _frame(self, request: Request, response: Response, length: int | None = None) -> tuple[bytes, bytes]:
        """Return an answer as it goes on the wire, head and body; `length` is what the head says, true or not."""
        framing = []
        if response.stream is not None:
            framing.append(("Transfer-Encoding", "chunked"))
        elif response.status not in _WITHOUT_BODY:
            framing.append(("Content-Length", str(len(response.body) if length is None else length)))
        if not self._keep_alive:
            framing.append(("Connection", "close"))
        lines = [f"HTTP/1.1 {response.status} {_REASONS.get(response.status, 'Unknown')}\r\n"]
        lines += [f"{name}: {value}\r\n" for name, value in (*response.headers, *framing)]
        is_bare = request.method == "HEAD" or response.status in _WITHOUT_BODY
        return "".join([*lines, "\r\n"]).encode("latin-1"), b"" if is_bare else response.body

    def _write(self, data: bytes) -> None:
        self._begun = True
        self._transport.write(data)

    def _finish(self) -> None:
        if not self._keep_alive:
            self._close()

    def _close(self) -> None:
        self._closed = True
        self._transport.close()

    def _note(self, request: Request, status: int, kind: str, size: int, fault: str) -> None:
        if self._is_control and kind != "crash":
            return
        host = "control" if self._is_control else request.host
        sent = request.body.decode("utf-8", "replace") if request.body else ""
        agent = request.headers.get("user-agent", "")
        self._server.world.journal.add((
            time.monotonic(), request.time, host, request.method, request.target, sent,
            status, kind, size, agent, fault,
        ))  # fmt: skip


def _faulty_answer(site: Site, request: Request, fault: Fault) -> tuple[Response, Fault | None]:
    """Return what a faulty host answers, and the fault if this answer has it.

    A body that never ends is never faulty, and only whole pages are damaged.
    """
    if response := answer_instead(site, request, fault):
        return response, fault
    if fault.kind not in _DAMAGES:
        response = site.respond(request)
        return response, fault if response.stream is None else None
    headers = {name: value for name, value in request.headers.items() if name != "accept-encoding"}
    response = site.respond(replace(request, headers=headers))
    if response.status != 200 or not response.body:
        return response, None
    if fault.kind == "bad-charset":
        _mislabel(response, "utf-16" if site.plan.charset == "utf-8" else "utf-8")
    else:
        _truncate(response, "gzip" if fault.kind == "truncated-gzip" else "br")
    return response, fault


def answer_instead(site: Site, request: Request, fault: Fault) -> Response | None:
    """Return what is answered instead of what was asked for, or None where that is not the fault."""
    match fault.kind:
        case "429" | "503" | "500":
            headers = [("Content-Type", "text/plain")]
            if fault.kind != "500":
                headers.append(("Retry-After", str(fault.retry_after)))
            return Response(int(fault.kind), b"try again later", headers, "fault")
        case "redirect-loop":
            return site.redirect(request.target, kind="fault")
        case "error-page" | "block-page" | "block-403":
            sheet = Sheet(site, request)
            name = "error" if fault.kind == "error-page" else "blocked"
            sheet.heading(site.say(f"{name}_title"))
            sheet.paragraph(site.say(f"{name}_text"))
            return site.page(sheet, 403 if fault.kind == "block-403" else 200, "fault")
        case _:
            return None


def _mislabel(response: Response, charset: str) -> None:
    media = dict(response.headers).get("Content-Type", "text/html").partition(";")[0]
    response.headers = [header for header in response.headers if header[0] != "Content-Type"]
    response.headers.append(("Content-Type", f"{media}; charset={charset}"))


def _truncate(response: Response, encoding: str) -> None:
    whole = compress_body(response.body, encoding)
    response.body = whole[: len(whole) // 2]
    response.headers.append(("Content-Encoding", encoding))
