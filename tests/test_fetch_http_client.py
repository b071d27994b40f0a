from __future__ import annotations

import asyncio
import gc
import gzip
import socket
import ssl
import struct
import sys
import tracemalloc
import zlib
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, Protocol, TypeVar

import brotli
import pytest
import uvloop
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from hiddenweb.fetch.address_guard import AllowList
from hiddenweb.fetch.connection import ClientLimits
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
from hiddenweb.fetch.fetcher import HttpRequest, HttpResponse
from hiddenweb.fetch.http_client import HttpClient, tls_context
from simweb.running import Simweb

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
    from pathlib import Path

T = TypeVar("T")
PAGE = b"<p>a page of some length, said again and again</p>\n" * 200
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


Script = Callable[["Server", asyncio.StreamWriter], Awaitable[bool]]


class Server:
    """A server on loopback. Its script gets each request and says what goes back, and whether to go on."""

    def __init__(self, script: Script, greeting: bytes = b"") -> None:
        self.script = script
        self.greeting = greeting
        self.connections = 0
        self.requests: list[bytes] = []
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self.gone = asyncio.Event()  # a client has closed its connection

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        writer.write(self.greeting)
        try:
            while request := await self._request(reader):
                self.requests.append(request)
                if not await self.script(self, writer):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._tasks.discard(task)
            self.gone.set()

    async def _request(self, reader: asyncio.StreamReader) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                return head + await reader.readexactly(int(line.partition(b":")[2]))
        return head

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def serving(
    script: Script,
    host: str = "127.0.0.1",
    port: int = 0,
    tls: ssl.SSLContext | None = None,
    greeting: bytes = b"",
) -> AsyncIterator[Server]:
    server = Server(script, greeting)
    listening = await asyncio.start_server(server.serve, host, port, ssl=tls)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        await server.stop()
        await asyncio.sleep(0)


def says(*answers: bytes, close: bool = False) -> Script:
    """A script that gives the answers in turn, the last one again and again."""

    async def script(server: Server, writer: asyncio.StreamWriter) -> bool:
        writer.write(answers[min(len(server.requests), len(answers)) - 1])
        await writer.drain()
        return not close

    return script


def says_without_end(start: bytes, again: bytes) -> Script:
    async def script(_: Server, writer: asyncio.StreamWriter) -> bool:
        writer.write(start)
        while True:
            writer.write(again)
            await writer.drain()
            await asyncio.sleep(0)

    return script


def says_and_falls_silent(start: bytes) -> Script:
    async def script(_: Server, writer: asyncio.StreamWriter) -> bool:
        writer.write(start)
        await writer.drain()
        await asyncio.Event().wait()
        return False

    return script


def resets_after(start: bytes) -> Script:
    async def script(_: Server, writer: asyncio.StreamWriter) -> bool:
        writer.write(start)
        await writer.drain()
        # To close without lingering is to reset.
        writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
        )
        writer.transport.abort()
        return False

    return script


class Run(Protocol):
    """Runs a test on an event loop, and fails it if something is left behind."""

    def __call__(self, coroutine: Coroutine[None, None, T]) -> T: ...


@pytest.fixture(params=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    factory = uvloop.new_event_loop if request.param == "uvloop" else asyncio.new_event_loop

    async def clean(coroutine: Coroutine[None, None, T]) -> T:
        problems: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, problem: problems.append(problem))
        result = await asyncio.wait_for(coroutine, 30)
        await asyncio.sleep(0)
        assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        assert not problems
        return result

    def runner(coroutine: Coroutine[None, None, T]) -> T:
        with asyncio.Runner(loop_factory=factory) as loop:
            return loop.run(clean(coroutine))

    gc.freeze()  # what earlier tests have left is many times as much, and no matter of this one
    yield runner
    gc.collect()


def loopback(*servers: Server) -> AllowList:
    return AllowList.parse(
        f"{host}:{server.port}" for server in servers for host in ("127.0.0.1", "127.0.0.3")
    )


async def fetched(
    script: Script,
    method: str = "GET",
    *,
    max_bytes: int = 1_000_000,
    timeout: float = 20.0,  # noqa: ASYNC109
    limits: ClientLimits | None = None,
) -> HttpResponse:
    async with serving(script) as server, HttpClient(loopback(server), limits=limits) as client:
        url = f"http://127.0.0.1:{server.port}/"
        return await client.fetch(HttpRequest(method, url, timeout=timeout, max_bytes=max_bytes))


def answer(body: bytes, *headers: bytes, length: int | None = None, status: bytes = b"200 OK") -> bytes:
    size = len(body) if length is None else length
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % size, *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def chunked(*pieces: bytes, end: bytes = b"0\r\n\r\n", headers: bytes = b"") -> bytes:
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + headers + b"\r\n"
    return head + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + end


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


# Answers


@pytest.mark.parametrize(
    ("sent", "status", "body"),
    [
        pytest.param(answer(PAGE), 200, PAGE, id="with a length"),
        pytest.param(answer(b"", status=b"404 Not Found"), 404, b"", id="empty"),
        pytest.param(chunked(PAGE, PAGE), 200, PAGE * 2, id="in chunks"),
        pytest.param(chunked(b"a", end=b"0\r\nX: y\r\n\r\n"), 200, b"a", id="with a trailer"),
        pytest.param(b"HTTP/1.1 100 Continue\r\n\r\n" + OK, 200, b"ok", id="after an interim answer"),
        pytest.param(
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3 + OK, 200, b"ok", id="after several"
        ),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok\r\n",
            200,
            b"ok",
            id="a line break after",
        ),
        pytest.param(b"HTTP/1.1 204 No Content\r\n\r\n", 204, b"", id="204"),
        pytest.param(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n", 304, b"", id="304"),
        pytest.param(
            b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n", 302, b"", id="redirect"
        ),
        pytest.param(b"HTTP/1.1 200 OK\nContent-Length: 2\n\nok", 200, b"ok", id="bare line feeds"),
        pytest.param(answer(b"", b"Content-Encoding: gzip"), 200, b"", id="empty, though encoded"),
        pytest.param(answer(b"x", b"Content-Encoding: utf-8"), 200, b"x", id="unknown encoding"),
    ],
)
def test_complete_responses_are_returned(run: Run, sent: bytes, status: int, body: bytes) -> None:
    incoming = run(fetched(says(sent)))

    assert (incoming.status, incoming.body) == (status, body)
    assert incoming.address == "127.0.0.1"
    assert "truncated" not in incoming.marks


def test_a_body_without_length_ends_with_the_connection(
    run: Run,
) -> None:
    incoming = run(fetched(says(b"HTTP/1.0 200 OK\r\nX: y\r\n\r\n" + PAGE, close=True)))

    assert incoming.body == PAGE
    assert incoming.headers == [(b"X", b"y")]


def test_the_answer_to_head_has_no_body_and_leaves_the_connection_usable() -> None:
    async def test() -> tuple[list[int], int]:
        heads = says(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\nContent-Encoding: gzip\r\n\r\n")
        async with serving(heads) as server, HttpClient(loopback(server)) as client:
            url = f"http://127.0.0.1:{server.port}/"
            answers = [await client.fetch(HttpRequest("HEAD", url)) for _ in range(3)]
            return [len(each.body) for each in answers], server.connections

    assert asyncio.run(test()) == ([0, 0, 0], 1)


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZIP": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: brotli.compress(data, quality=5),
    "zstd": zstd.compress,
    "gzip, br": lambda data: brotli.compress(gzip.compress(data)),
}


@pytest.mark.parametrize("coding", CODINGS)
@pytest.mark.parametrize("pieces", [1, 7])
def test_encoded_bodies_are_decoded(coding: str, pieces: int) -> None:
    data = CODINGS[coding](PAGE)
    size = len(data) // pieces + 1
    parts = [data[i : i + size] for i in range(0, len(data), size)]
    sent = chunked(*parts, headers=b"Content-Encoding: " + coding.encode() + b"\r\n")

    assert asyncio.run(fetched(says(sent))).body == PAGE


@pytest.mark.parametrize(
    ("coding", "data", "body"),
    [
        pytest.param(b"deflate", raw_deflate(PAGE), PAGE, id="deflate without its wrapper"),
        pytest.param(
            b"gzip", gzip.compress(b"one ") + gzip.compress(b"two"), b"one two", id="two gzip members"
        ),
        pytest.param(b"gzip", gzip.compress(b"one") + b"\0" * 20, b"one", id="padding after gzip"),
        pytest.param(
            b"zstd", zstd.compress(b"one ") + zstd.compress(b"two"), b"one two", id="two zstd frames"
        ),
    ],
)
def test_encodings_are_read_as_browsers_read_them(coding: bytes, data: bytes, body: bytes) -> None:
    assert asyncio.run(fetched(says(answer(data, b"Content-Encoding: " + coding)))).body == body


def test_an_unknown_encoding_is_marked() -> None:
    assert asyncio.run(fetched(says(answer(b"x", b"Content-Encoding: utf-8")))).marks == ("unknown_encoding",)


# Broken answers


GZIPPED = gzip.compress(PAGE)
BROTLIED = brotli.compress(PAGE)
ZSTD = zstd.compress(PAGE)


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Le", id="half a head"),
        pytest.param(b"220 mail.example ESMTP\r\n", id="not HTTP"),
        pytest.param(answer(b"half", length=8), id="less than its length"),
        pytest.param(answer(b"twice as long", length=5), id="more than its length"),
        pytest.param(answer(b"abc", b"Content-Length: 4"), id="two lengths"),
        pytest.param(answer(b"abc", length=-3), id="a negative length"),
        pytest.param(answer(b"0\r\n\r\n", b"Transfer-Encoding: chunked"), id="length and chunks"),
        pytest.param(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", id="a transfer encoding"
        ),
        pytest.param(
            answer(gzip.compress(b"") * 1001, b"Content-Encoding: gzip"), id="a thousand gzip members"
        ),
        pytest.param(
            answer(zstd.compress(b"") * 1001, b"Content-Encoding: zstd"), id="a thousand zstd frames"
        ),
        pytest.param(
            answer(b"okHTTP/1.1 200 OK\r\n\r\n", b"Connection: close", length=2), id="two, then closed"
        ),
        pytest.param(OK + b"H", id="the beginning of another answer"),
        pytest.param(OK + OK, id="two responses to one request"),
        pytest.param(chunked(PAGE, end=b""), id="no last chunk"),
        pytest.param(chunked(PAGE, end=b"zz\r\n\r\n"), id="a bad chunk"),
        pytest.param(answer(GZIPPED[:-4], b"Content-Encoding: gzip"), id="gzip without its end"),
        pytest.param(answer(GZIPPED[: len(GZIPPED) // 2], b"Content-Encoding: gzip"), id="half a gzip"),
        pytest.param(answer(GZIPPED[:-8] + b"\0" * 8, b"Content-Encoding: gzip"), id="a wrong checksum"),
        pytest.param(answer(GZIPPED + GZIPPED[:30], b"Content-Encoding: gzip"), id="half a second member"),
        pytest.param(answer(PAGE, b"Content-Encoding: gzip"), id="gzip that is none"),
        pytest.param(answer(zlib.compress(PAGE)[:-4], b"Content-Encoding: deflate"), id="deflate cut"),
        pytest.param(answer(BROTLIED[: len(BROTLIED) // 2], b"Content-Encoding: br"), id="half a brotli"),
        pytest.param(answer(b"\xff" * 50, b"Content-Encoding: br"), id="brotli that is none"),
        pytest.param(answer(ZSTD[: len(ZSTD) // 2], b"Content-Encoding: zstd"), id="half a zstd"),
        pytest.param(answer(PAGE, b"Content-Encoding: zstd"), id="zstd that is none"),
        pytest.param(answer(b"x", b"Content-Encoding: gzip, br, gzip"), id="encoded three times"),
        pytest.param(b"HTTP/1.0 200 OK\r\nContent-Encoding: gzip\r\n\r\n", id="an encoding without a body"),
        pytest.param(
            b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", id="another protocol"
        ),
        pytest.param(b"HTTP/1.1 200 OK\r\nX y\r\n\r\n", id="a header without a colon"),
        pytest.param(b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n", id="a null in a header"),
    ],
)
def test_broken_answers_are_failures(run: Run, sent: bytes) -> None:
    with pytest.raises(BrokenAnswer) as caught:
        run(fetched(says(sent, close=True)))

    assert caught.value.temporary


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\n", answer(b"half", length=8)])
def test_a_reset_is_a_broken_answer(run: Run, start: bytes) -> None:
    with pytest.raises(BrokenAnswer):
        run(fetched(resets_after(start)))


def test_a_reset_does_not_end_a_body_without_length() -> None:
    with pytest.raises(BrokenAnswer):
        asyncio.run(fetched(resets_after(b"HTTP/1.0 200 OK\r\n\r\nhalf a pa")))


# Limits


HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("start", "again"),
    [
        pytest.param(HEAD, b"X: y\r\n", id="headers"),
        pytest.param(HEAD + b"X: ", b"y" * 1000, id="one header"),
        pytest.param(HEAD + b"X", b"y" * 1000, id="the name of a header"),
        pytest.param(b"HTTP/1.1 200 ", b"OK" * 500, id="the status line"),
        pytest.param(b"", b"HTTP/1.1 100 Continue\r\nX: y\r\n\r\n", id="interim answers"),
        pytest.param(chunked(b"x", end=b"0\r\n"), b"X: y\r\n", id="trailers"),
    ],
)
def test_endless_heads_are_given_up(run: Run, start: bytes, again: bytes) -> None:
    with pytest.raises(TooLarge) as caught:
        run(fetched(says_without_end(start, again)))

    assert not caught.value.temporary


def test_heads_within_the_limits_pass_and_those_beyond_do_not() -> None:
    limits = ClientLimits(header_bytes=2000, headers=10)
    few, many = [b"X: " + b"y" * 100] * 9, [b"X: y"] * 10
    large = [b"X: " + b"y" * 400] * 5

    assert asyncio.run(fetched(says(answer(PAGE, *few)), limits=limits)).body == PAGE
    for headers in (many, large):
        with pytest.raises(TooLarge):
            asyncio.run(fetched(says(answer(PAGE, *headers)), limits=limits))


@pytest.mark.parametrize(
    ("start", "again"),
    [
        pytest.param(HEAD + b"\r\n", b"x" * 1000, id="close-delimited"),
        pytest.param(HEAD + b"Content-Length: 99999999999\r\n\r\n", b"x" * 1000, id="with a length"),
        pytest.param(chunked(end=b""), b"3e8\r\n" + b"x" * 1000 + b"\r\n", id="in chunks"),
        pytest.param(
            chunked(end=zlib.compress(b"", wbits=31)[:0], headers=b"Content-Encoding: gzip\r\n"),
            b"%x\r\n%b\r\n" % (len(gzip.compress(b"x" * 1000)), gzip.compress(b"x" * 1000)),
            id="gzip members",
        ),
    ],
)
def test_endless_bodies_are_cut(run: Run, start: bytes, again: bytes) -> None:
    incoming = run(fetched(says_without_end(start, again), max_bytes=50_000))

    assert incoming.body == b"x" * 50_000
    assert incoming.marks == ("truncated",)


def test_a_body_of_exactly_the_limit_is_whole() -> None:
    exactly = asyncio.run(fetched(says(answer(PAGE)), max_bytes=len(PAGE)))
    beyond = asyncio.run(fetched(says(answer(PAGE)), max_bytes=len(PAGE) - 1))

    assert (exactly.body, exactly.marks) == (PAGE, ())
    assert (beyond.body, beyond.marks) == (PAGE[:-1], ("truncated",))


def test_what_a_chunk_says_about_itself_counts_against_the_limit() -> None:
    endless = says_without_end(chunked(b"abc", end=b"3;x="), b"y" * 1000)

    incoming = asyncio.run(fetched(endless, max_bytes=50_000))

    assert (incoming.body, incoming.marks) == (b"abc", ("truncated",))


BOMB = b"\0" * 50_000_000


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_a_decompression_bomb_costs_no_more_than_the_limit(coding: str) -> None:
    packed = CODINGS[coding](BOMB)
    sent = answer(packed, b"Content-Encoding: " + coding.encode())

    tracemalloc.start()
    incoming = asyncio.run(fetched(says(sent), max_bytes=1_000_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert (len(incoming.body), incoming.marks) == (1_000_000, ("truncated",))
    assert peak < 10_000_000


@pytest.mark.parametrize(
    "start",
    [b"", b"HTTP/1.1 200 OK\r\nX: ", answer(b"half", length=8)],
    ids=["silence", "slow head", "slow body"],
)
def test_slow_answers_end_at_the_deadline(run: Run, start: bytes) -> None:
    with pytest.raises(TimedOut) as caught:
        run(fetched(says_and_falls_silent(start), timeout=0.1))

    assert caught.value.temporary


def test_a_trickle_of_interim_answers_does_not_move_the_deadline() -> None:
    async def trickle(_: Server, writer: asyncio.StreamWriter) -> bool:
        while True:
            writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            await writer.drain()
            await asyncio.sleep(0.01)

    with pytest.raises(TimedOut):
        asyncio.run(fetched(trickle, timeout=0.1))


# Connections


def test_connections_are_used_again() -> None:
    async def test() -> int:
        async with serving(says(OK)) as server, HttpClient(loopback(server)) as client:
            for number in range(5):
                await client.fetch(HttpRequest("GET", f"http://127.0.0.1:{server.port}/{number}"))
            return server.connections

    assert asyncio.run(test()) == 1


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(answer(b"x", b"Connection: close"), id="the server says so"),
        pytest.param(b"HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx", id="HTTP/1.0"),
        pytest.param(answer(PAGE), id="cut"),
    ],
)
def test_unusable_connections_are_not_reused(sent: bytes) -> None:
    async def test() -> int:
        async with serving(says(sent)) as server, HttpClient(loopback(server)) as client:
            url = f"http://127.0.0.1:{server.port}/"
            for _ in range(3):
                await client.fetch(HttpRequest("GET", url, max_bytes=1000))
            return server.connections

    assert asyncio.run(test()) == 3


def test_a_get_on_a_stale_connection_is_sent_once_more(
    run: Run,
) -> None:
    async def test() -> None:
        async def closes_silently(server: Server, writer: asyncio.StreamWriter) -> bool:
            # The second request on a connection is read and not answered: the moment a server gives up waiting.
            if len(server.requests) == 2:
                return False
            writer.write(OK)
            return True

        events: list[str] = []
        async with (
            serving(closes_silently) as server,
            HttpClient(loopback(server), count=events.append) as client,
        ):
            url = f"http://127.0.0.1:{server.port}/"
            answers = [await client.fetch(HttpRequest("GET", url)) for _ in range(2)]

        assert [each.body for each in answers] == [b"ok", b"ok"]
        assert events == ["opened", "retried", "opened"]

    run(test())


def test_a_get_is_sent_once_more_only_once() -> None:
    async def test() -> int:
        async def answers_once(server: Server, writer: asyncio.StreamWriter) -> bool:
            writer.write(OK if len(server.requests) == 1 else b"")
            return len(server.requests) == 1

        async with serving(answers_once) as server, HttpClient(loopback(server)) as client:
            url = f"http://127.0.0.1:{server.port}/"
            await client.fetch(HttpRequest("GET", url))
            with pytest.raises(BrokenAnswer):
                await client.fetch(HttpRequest("GET", url))
            return len(server.requests)

    assert asyncio.run(test()) == 3


def test_a_get_that_was_answered_in_part_is_not_repeated() -> None:
    async def test() -> int:
        async def breaks_off_the_second(server: Server, writer: asyncio.StreamWriter) -> bool:
            is_first = len(server.requests) == 1
            writer.write(OK if is_first else answer(b"half", length=8))
            return is_first

        async with serving(breaks_off_the_second) as server, HttpClient(loopback(server)) as client:
            url = f"http://127.0.0.1:{server.port}/"
            await client.fetch(HttpRequest("GET", url))
            with pytest.raises(BrokenAnswer):
                await client.fetch(HttpRequest("GET", url))
            return len(server.requests)

    assert asyncio.run(test()) == 2


def test_waiting_for_a_free_connection_ends_at_the_deadline() -> None:
    async def test() -> None:
        silent = says_and_falls_silent(b"")
        async with (
            serving(silent) as server,
            HttpClient(loopback(server), limits=ClientLimits(connections=1)) as client,
        ):
            url = f"http://127.0.0.1:{server.port}/"
            first = asyncio.ensure_future(client.fetch(HttpRequest("GET", url)))
            await asyncio.sleep(0)
            with pytest.raises(TimedOut, match="in use"):
                await client.fetch(HttpRequest("GET", url, timeout=0.05))
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first

    asyncio.run(test())


def test_a_post_is_never_sent_twice() -> None:
    async def test() -> list[bytes]:
        async def answers_gets(server: Server, writer: asyncio.StreamWriter) -> bool:
            is_get = server.requests[-1].startswith(b"GET")
            writer.write(OK if is_get else b"")
            return is_get

        async with serving(answers_gets) as server, HttpClient(loopback(server)) as client:
            url = f"http://127.0.0.1:{server.port}/"
            await client.fetch(HttpRequest("GET", url))
            with pytest.raises(BrokenAnswer):
                await client.fetch(HttpRequest("POST", url, body=b"order=1"))
            return [request.partition(b" ")[0] for request in server.requests]

    assert asyncio.run(test()) == [b"GET", b"POST"]


def test_a_connection_with_unrequested_data_is_dropped() -> None:
    async def test() -> int:
        async with serving(says(OK)) as server, HttpClient(loopback(server)) as client:
            url = f"http://127.0.0.1:{server.port}/"
            await client.fetch(HttpRequest("GET", url))
            [connection] = client._pool._open
            connection.data_received(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison")
            assert (await client.fetch(HttpRequest("GET", url))).body == b"ok"
            return server.connections

    assert asyncio.run(test()) == 2


def test_an_idle_connection_keeps_nothing_of_its_last_answer() -> None:
    async def test() -> None:
        async with serving(says(answer(PAGE))) as server, HttpClient(loopback(server)) as client:
            incoming = await client.fetch(HttpRequest("GET", f"http://127.0.0.1:{server.port}/"))
            assert not [each for each in gc.get_referrers(incoming.body) if isinstance(each, list)]

    asyncio.run(test())


def test_idle_connections_are_closed_after_a_while() -> None:
    async def test() -> None:
        limits = ClientLimits(idle_seconds=0.05)
        async with serving(says(OK)) as server, HttpClient(loopback(server), limits=limits) as client:
            await client.fetch(HttpRequest("GET", f"http://127.0.0.1:{server.port}/"))
            await asyncio.wait_for(server.gone.wait(), 60)
            assert server.gone.is_set()

    asyncio.run(test())


def test_no_more_connections_are_open_than_allowed() -> None:
    async def test() -> tuple[int, int]:
        most = 0

        async def counts(_: Server, writer: asyncio.StreamWriter) -> bool:
            nonlocal most
            most = max(most, len(client._pool._open))
            writer.write(OK)
            return True

        async with (
            serving(counts) as first,
            serving(counts) as second,
            HttpClient(loopback(first, second), limits=ClientLimits(connections=3)) as client,
        ):
            urls = [f"http://127.0.0.1:{server.port}/" for server in (first, second) for _ in range(10)]
            await asyncio.gather(*(client.fetch(HttpRequest("GET", url)) for url in urls))
        return most, len(first.requests) + len(second.requests)

    assert asyncio.run(test()) == (3, 20)


def test_a_cancelled_fetch_closes_its_connection(run: Run) -> None:
    async def test() -> None:
        requested = asyncio.Event()

        async def script(_: Server, writer: asyncio.StreamWriter) -> bool:
            requested.set()
            reader: asyncio.StreamReader = writer._protocol._stream_reader  # type: ignore[attr-defined]
            await reader.read()
            return False

        async with serving(script) as server, HttpClient(loopback(server)) as client:
            task = asyncio.ensure_future(client.fetch(HttpRequest("GET", f"http://127.0.0.1:{server.port}/")))
            await requested.wait()
            [connection] = client._pool._open
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await connection.wait_closed()
            await asyncio.wait_for(server.gone.wait(), 60)
            assert not client._pool._open

    run(test())


def test_closing_the_client_ends_what_is_under_way(
    run: Run,
) -> None:
    async def test() -> None:
        requested = asyncio.Event()

        async def script(_server: Server, _writer: asyncio.StreamWriter) -> bool:
            requested.set()
            await asyncio.Event().wait()
            return False

        async with serving(script) as server:
            client = HttpClient(loopback(server))
            task = asyncio.ensure_future(client.fetch(HttpRequest("GET", f"http://127.0.0.1:{server.port}/")))
            await requested.wait()
            await client.close()
            with pytest.raises(BrokenAnswer):
                await task

    run(test())


def test_a_port_nobody_listens_on_is_unreachable(run: Run) -> None:
    async def test() -> None:
        async with serving(says(OK)) as server:
            pass
        async with HttpClient(loopback(server)) as client:
            with pytest.raises(Unreachable) as caught:
                await client.fetch(HttpRequest("GET", f"http://127.0.0.1:{server.port}/"))
        assert caught.value.temporary

    run(test())


def test_a_server_that_hangs_up_on_tls_is_told_from_one_that_is_not_there() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(5)
        writer.close()

    async def test() -> None:
        server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, HttpClient(AllowList.parse([f"127.0.0.1:{port}"])) as client:
            with pytest.raises(TlsFailure, match=f"port {port} closed the connection") as caught:
                await client.fetch(HttpRequest("GET", f"https://127.0.0.1:{port}/"))
        assert caught.value.temporary
        assert "begin the address with http://" in caught.value.remedy

    asyncio.run(test())


# Requests


def test_a_request_has_its_headers_and_those_that_http_needs() -> None:
    async def test() -> bytes:
        async with serving(says(OK)) as server, HttpClient(loopback(server)) as client:
            headers = [(b"User-Agent", b"hiddenweb"), (b"Host", b"elsewhere"), (b"Connection", b"close")]
            headers += [
                (b"Content-Length", b"99"),
                (b"Transfer-Encoding", b"chunked"),
                (b"Proxy-Authorization", b"x"),
            ]
            url = f"http://127.0.0.1:{server.port}/a%20b?c=d#fragment"
            await client.fetch(HttpRequest("POST", url, headers, b"q=1"))
            return server.requests[0].replace(str(server.port).encode(), b"PORT")

    assert asyncio.run(test()) == (
        b"POST /a%20b?c=d HTTP/1.1\r\n"
        b"Host: 127.0.0.1:PORT\r\n"
        b"User-Agent: hiddenweb\r\n"
        b"Accept-Encoding: gzip, deflate, br, zstd\r\n"
        b"Content-Length: 3\r\n"
        b"\r\n"
        b"q=1"
    )


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("", b"/"),
        ("?q=1", b"/?q=1"),
        ("/a/../b", b"/b"),
        ("/a b", b"/a%20b"),
        ("/straße?q=ü", b"/stra%C3%9Fe?q=%C3%BC"),
        ("\\a", b"/a"),
        ("/a|b?'\"<", b"/a|b?%27%22%3C"),
    ],
)
def test_a_url_is_sent_as_the_url_standard_writes_it(path: str, sent: bytes) -> None:
    async def test() -> bytes:
        async with serving(says(OK)) as server, HttpClient(loopback(server)) as client:
            await client.fetch(HttpRequest("GET", f"http://127.0.0.1:{server.port}{path}"))
            return server.requests[0].split(b" ")[1]

    assert asyncio.run(test()) == sent


@pytest.mark.parametrize(
    "request_",
    [
        HttpRequest("GET", "http://{}/", [(b"X", b"a\r\nHost: evil")]),
        HttpRequest("GET", "http://{}/", [(b"X\r\nY", b"a")]),
        HttpRequest("GET", "http://{}/", [(b"X", b"a\nb")]),
        HttpRequest("GET / HTTP/1.1\r\nX:", "http://{}/"),
        HttpRequest("GET", "ftp://{}/"),
        HttpRequest("GET", "file:///etc/passwd"),
        HttpRequest("GET", "data:text/html,x"),
        HttpRequest("GET", "javascript:alert(1)"),
        HttpRequest("GET", "http://"),
        HttpRequest("GET", "not a url"),
        HttpRequest("GET", "//{}/"),
        HttpRequest("GET", "http://{}/", proxy="socks5://127.0.0.1:1"),
    ],
)
def test_requests_that_are_none_are_refused(request_: HttpRequest) -> None:
    async def test() -> None:
        async with serving(says(OK)) as server, HttpClient(loopback(server)) as client:
            url = request_.url.format(f"127.0.0.1:{server.port}")
            with pytest.raises(Refused) as caught:
                await client.fetch(HttpRequest(request_.method, url, request_.headers, proxy=request_.proxy))
            assert not caught.value.temporary
            assert server.connections == 0

    asyncio.run(test())


# The guard


SPELLINGS = [
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "127.0.0.1.",
    "１２７.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "0",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "[::]",
    "[64:ff9b::7f00:1]",
    "localhost",
    "LOCALHOST.",
    "user:password@127.0.0.1",
]


@pytest.mark.parametrize("host", SPELLINGS)
def test_the_canary_hears_nothing_whatever_its_address_is_called(run: Run, host: str) -> None:
    async def test() -> None:
        async with serving(says(OK)) as canary, HttpClient() as client:
            scheme, _, place = host.rpartition("@")
            login = f"{scheme}@" if scheme else ""
            with pytest.raises(Refused) as caught:
                await client.fetch(HttpRequest("GET", f"http://{login}{place}:{canary.port}/"))
            assert not caught.value.temporary
        assert canary.connections == 0

    run(test())


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost", "127.0.0.1."]
)
def test_the_canary_would_hear_what_is_allowed(host: str) -> None:
    async def test() -> int:
        async with serving(says(OK)) as canary:
            allowed = AllowList.parse([f"127.0.0.1:{canary.port}"])
            async with HttpClient(allowed) as client:
                await client.fetch(HttpRequest("GET", f"http://{host}:{canary.port}/"))
            return canary.connections

    assert asyncio.run(test()) == 1


def resolving(*answers: Sequence[str]) -> tuple[Callable[[str, int], Awaitable[Sequence[str]]], list[str]]:
    """A resolver that returns the answers in turn, then the last one repeatedly, and remembers the names it resolved."""
    resolved: list[str] = []

    async def resolve(host: str, _: int) -> Sequence[str]:
        resolved.append(host)
        return answers[min(len(resolved), len(answers)) - 1]

    return resolve, resolved


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["::ffff:127.0.0.1"], ["::1", "127.0.0.1"], ["0.0.0.0"], ["fe80::1%lo"]]
)
def test_a_name_that_leads_to_the_canary_is_refused(addresses: list[str]) -> None:
    async def test() -> None:
        resolve, resolved = resolving(addresses)
        async with serving(says(OK)) as canary, HttpClient(resolve=resolve) as client:
            with pytest.raises(Refused):
                await client.fetch(HttpRequest("GET", f"http://innocent.example:{canary.port}/"))
        assert (resolved, canary.connections) == (["innocent.example"], 0)

    asyncio.run(test())


@pytest.mark.parametrize("addresses", [["127.0.0.2", "127.0.0.3"], ["127.0.0.3", "127.0.0.2"]])
def test_of_several_addresses_only_the_good_ones_are_called(addresses: list[str]) -> None:
    async def test() -> None:
        resolve, _ = resolving(addresses)
        async with (
            serving(says(OK), "127.0.0.3") as good,
            serving(says(OK), "127.0.0.2", good.port) as canary,
            HttpClient(loopback(good), resolve=resolve) as client,
        ):
            incoming = await client.fetch(HttpRequest("GET", f"http://mixed.example:{good.port}/"))
            assert (incoming.address, good.connections, canary.connections) == ("127.0.0.3", 1, 0)

    asyncio.run(test())


def test_when_the_good_address_does_not_answer_the_bad_one_is_not_tried() -> None:
    async def test() -> None:
        resolve, _ = resolving(["127.0.0.3", "127.0.0.2"])
        async with serving(says(OK), "127.0.0.2") as canary:
            allowed = AllowList.parse([f"127.0.0.3:{canary.port}"])
            async with HttpClient(allowed, resolve=resolve) as client:
                with pytest.raises(Unreachable):
                    await client.fetch(HttpRequest("GET", f"http://mixed.example:{canary.port}/"))
        assert canary.connections == 0

    asyncio.run(test())


def test_the_next_good_address_is_tried_when_the_first_does_not_answer() -> None:
    async def test() -> None:
        resolve, _ = resolving(["127.0.0.3", "127.0.0.1"])
        async with (
            serving(says(OK), "127.0.0.1") as server,
            HttpClient(loopback(server), resolve=resolve) as client,
        ):
            incoming = await client.fetch(HttpRequest("GET", f"http://two.example:{server.port}/"))
        assert incoming.address == "127.0.0.1"

    asyncio.run(test())


def test_a_name_that_changes_its_address_gains_nothing() -> None:
    async def test() -> None:
        resolve, resolved = resolving(["127.0.0.3"], ["127.0.0.2"])
        async with (
            serving(says(answer(b"x", b"Connection: close")), "127.0.0.3") as good,
            serving(says(OK), "127.0.0.2", good.port) as canary,
            HttpClient(loopback(good), resolve=resolve) as client,
        ):
            url = f"http://rebinding.example:{good.port}/"
            for _ in range(3):
                await client.fetch(HttpRequest("GET", url))
            client._resolver._cache.clear()  # as if its time had come
            with pytest.raises(Refused):
                await client.fetch(HttpRequest("GET", url))
        assert (resolved, good.connections, canary.connections) == (["rebinding.example"] * 2, 3, 0)

    asyncio.run(test())


def test_a_name_without_address_is_unresolvable() -> None:
    async def test() -> bool:
        async def resolve(_host: str, _port: int) -> Sequence[str]:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        async with HttpClient(resolve=resolve) as client:
            with pytest.raises(Unresolvable) as caught:
                await client.fetch(HttpRequest("GET", "http://nowhere.example/"))
            return caught.value.temporary

    assert asyncio.run(test()) is False


def test_names_that_cannot_be_written_are_unresolvable() -> None:
    async def test() -> None:
        async with HttpClient() as client:
            with pytest.raises(FetchError):
                await client.fetch(HttpRequest("GET", f"http://{'a' * 70}.example/"))

    asyncio.run(test())


def test_a_resolver_that_never_answers_ends_at_the_deadline(
    run: Run,
) -> None:
    async def test() -> None:
        async def resolve(_host: str, _port: int) -> Sequence[str]:
            await asyncio.Event().wait()
            return ()

        async with HttpClient(resolve=resolve, limits=ClientLimits(connect_seconds=0.05)) as client:
            with pytest.raises(TimedOut):
                await client.fetch(HttpRequest("GET", "http://slow.example/"))

    run(test())


# Proxies


def proxying(*, connect: bytes = b"HTTP/1.1 200 Connected\r\n\r\n") -> Script:
    """A proxy that answers http itself and connects CONNECT to the requested port, whatever the host."""

    async def script(server: Server, writer: asyncio.StreamWriter) -> bool:
        request = server.requests[-1]
        if not request.startswith(b"CONNECT"):
            writer.write(OK)
            return True
        writer.write(connect)
        await writer.drain()
        if b" 200 " not in connect:
            return False
        port = int(request.split(b" ")[1].rpartition(b":")[2])
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", port)
        near_reader: asyncio.StreamReader = writer._protocol._stream_reader  # type: ignore[attr-defined]
        await asyncio.gather(_pour(near_reader, far_writer), _pour(far_reader, writer))
        return False

    return script


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


def test_http_goes_to_the_proxy_whole_and_names_are_its_business() -> None:
    async def test() -> list[bytes]:
        async with serving(proxying()) as proxy, HttpClient() as client:
            address = f"http://me:p%40ss@127.0.0.1:{proxy.port}"
            for url in ("http://some.example:81/a", "http://some.example:81/b", "http://other.example/"):
                await client.fetch(HttpRequest("GET", url, proxy=address))
            assert proxy.connections == 1  # for all hosts
            with pytest.raises(Refused):
                await client.fetch(HttpRequest("GET", "http://127.0.0.1/", proxy=address))
            assert len(proxy.requests) == 3
            return proxy.requests[0].split(b"\r\n")[:4]

    assert asyncio.run(test()) == [
        b"GET http://some.example:81/a HTTP/1.1",
        b"Host: some.example:81",
        b"Accept-Encoding: gzip, deflate, br, zstd",
        b"Proxy-Authorization: Basic bWU6cEBzcw==",
    ]


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", SPELLINGS)
def test_behind_a_proxy_literal_addresses_are_judged(scheme: str, host: str) -> None:
    async def test() -> None:
        async with serving(proxying()) as proxy, serving(says(OK)) as canary, HttpClient() as client:
            address = f"http://127.0.0.1:{proxy.port}"
            with pytest.raises(Refused):
                await client.fetch(HttpRequest("GET", f"{scheme}://{host}:{canary.port}/", proxy=address))
        assert (proxy.connections, canary.connections) == (0, 0)

    asyncio.run(test())


@pytest.mark.parametrize("host", ["a" * 70 + ".example", ".example", "a..example", "_a.example"])
@pytest.mark.parametrize("through_proxy", [True, False])
def test_odd_names_are_failures_of_ours(host: str, *, through_proxy: bool) -> None:
    async def test() -> None:
        hangs_up = proxying(connect=b"HTTP/1.1 200 Connected\r\n\r\n")
        resolve, _ = resolving(["127.0.0.1"])
        async with serving(hangs_up) as proxy, serving(says(OK), greeting=OK) as server:
            allowed = AllowList.parse([f"127.0.0.1:{server.port}"])
            async with HttpClient(allowed, resolve=resolve) as client:
                address = f"http://127.0.0.1:{proxy.port}" if through_proxy else None
                request = HttpRequest("GET", f"https://{host}:{server.port}/", proxy=address, timeout=5)
                with pytest.raises(FetchError):
                    await client.fetch(request)

    asyncio.run(test())


@pytest.mark.parametrize(("status", "temporary"), [(b"502 Bad Gateway", True), (b"403 Forbidden", False)])
def test_a_proxy_may_say_no(status: bytes, *, temporary: bool) -> None:
    async def test() -> bool:
        says_no = proxying(connect=b"HTTP/1.1 " + status + b"\r\nContent-Length: 2\r\n\r\nno")
        async with serving(says_no) as proxy, HttpClient() as client:
            request = HttpRequest("GET", "https://some.example/", proxy=f"http://127.0.0.1:{proxy.port}")
            with pytest.raises(Unreachable) as caught:
                await client.fetch(request)
            return caught.value.temporary

    assert asyncio.run(test()) is temporary


# TLS


class Authority:
    """A certificate that vouches for itself, for some.example and 127.0.0.1."""

    def __init__(self, folder: Path) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "some.example")])
        now = datetime.now(UTC)
        names = [x509.DNSName("some.example"), x509.IPAddress(ip_address("127.0.0.1"))]
        certificate = (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.file = folder / "authority.pem"
        self.file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        key_file = folder / "key.pem"
        key_file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(self.file, key_file)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"))


def test_a_certificate_nobody_vouches_for_is_refused(run: Run, authority: Authority) -> None:
    async def test() -> None:
        async with serving(says(OK), tls=authority.server) as server, HttpClient(loopback(server)) as client:
            with pytest.raises(TlsFailure) as caught:
                await client.fetch(HttpRequest("GET", f"https://127.0.0.1:{server.port}/"))
        assert (caught.value.temporary, server.requests) == (False, [])

    run(test())


def test_a_certificate_of_a_named_authority_is_accepted(run: Run, authority: Authority) -> None:
    async def test() -> None:
        tls = tls_context(str(authority.file))
        resolve, _ = resolving(["127.0.0.1"])
        async with serving(says(OK), tls=authority.server) as server:
            async with HttpClient(loopback(server), tls=tls, resolve=resolve) as client:
                for _ in range(3):
                    incoming = await client.fetch(HttpRequest("GET", f"https://some.example:{server.port}/"))
                    assert incoming.body == b"ok"
                with pytest.raises(TlsFailure):
                    await client.fetch(HttpRequest("GET", f"https://other.example:{server.port}/"))
            assert len(server.requests) == 3

    run(test())


def test_a_server_without_tls_fails_clearly() -> None:
    async def test() -> None:
        # It answers at once, which is no greeting of TLS.
        async with serving(says(OK), greeting=OK) as server, HttpClient(loopback(server)) as client:
            with pytest.raises(TlsFailure):
                await client.fetch(HttpRequest("GET", f"https://127.0.0.1:{server.port}/"))

    asyncio.run(test())


def test_https_goes_through_the_proxy_and_is_verified_at_its_end(run: Run, authority: Authority) -> None:
    async def test() -> None:
        tls = tls_context(str(authority.file))
        async with serving(says(OK), tls=authority.server) as server, serving(proxying()) as proxy:
            address = f"http://127.0.0.1:{proxy.port}"
            async with HttpClient(tls=tls) as client:
                for _ in range(2):
                    url = f"https://some.example:{server.port}/x"
                    assert (await client.fetch(HttpRequest("GET", url, proxy=address))).body == b"ok"
                with pytest.raises(TlsFailure):
                    await client.fetch(
                        HttpRequest("GET", f"https://other.example:{server.port}/", proxy=address)
                    )
            assert [request.split(b" ")[0] for request in proxy.requests] == [b"CONNECT", b"CONNECT"]
            assert [request.split(b"\r\n")[0] for request in server.requests] == [b"GET /x HTTP/1.1"] * 2

    run(test())


# simweb


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(seed=5, sites=4, direct=1) as web:
        yield web


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("reset", BrokenAnswer),
        ("slow-headers", TimedOut),
        ("slow-body", TimedOut),
        ("truncated-gzip", BrokenAnswer),
        ("truncated-brotli", BrokenAnswer),
        ("long-length", BrokenAnswer),
        ("short-length", BrokenAnswer),
    ],
)
def test_the_faults_of_simweb_are_failures(web: Simweb, kind: str, error: type[FetchError]) -> None:
    url = web.sites()[0]["url"]
    timeout = 0.5 if error is TimedOut else 20
    web.post("fault", kind=kind, seconds=5)

    async def test() -> None:
        async with HttpClient() as client:
            await client.fetch(HttpRequest("GET", url, proxy=web.proxy, timeout=timeout))

    try:
        with pytest.raises(error):
            asyncio.run(test())
    finally:
        web.post("clear-faults")


def test_all_pages_of_simweb_come_whole_without_faults(web: Simweb) -> None:
    async def test() -> list[HttpResponse]:
        async with HttpClient(AllowList.parse(["127.0.0.2:*"])) as client:
            return [
                await client.fetch(HttpRequest("GET", site["url"], proxy=web.proxy)) for site in web.sites()
            ]

    answers = asyncio.run(test())

    assert all(b"</html>" in each.body.lower() and not each.marks for each in answers)
    assert {each.status for each in answers} == {200}
