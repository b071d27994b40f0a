from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from hiddenweb.fetch.connection import ClientLimits, Connection
from hiddenweb.fetch.connection_pool import ConnectionPool
from hiddenweb.fetch.errors import BrokenAnswer

if TYPE_CHECKING:
    from hiddenweb.fetch.fetcher import HttpResponse

LIMITS = ClientLimits()


class Wire(asyncio.Transport):
    """Keeps what is sent, and answers with what was prepared."""

    def __init__(self, connection: Connection, answer: bytes) -> None:
        super().__init__()
        self.sent = b""
        self._connection = connection
        self._answer = answer
        self._is_closed = False
        connection.connection_made(self)

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent += bytes(data)
        self._connection.data_received(self._answer)

    def is_closing(self) -> bool:
        return self._is_closed

    def abort(self) -> None:
        self._is_closed = True


async def answer_from(answer: bytes, max_bytes: int = 100) -> tuple[HttpResponse, bool]:
    connection = Connection("127.0.0.1", LIMITS, ConnectionPool(LIMITS))
    wire = Wire(connection, answer)
    deadline = asyncio.get_running_loop().time() + 5
    await connection.send(b"GET / HTTP/1.1\r\n\r\n", deadline, max_bytes=max_bytes)
    assert wire.sent == b"GET / HTTP/1.1\r\n\r\n"
    return connection.take_response("http://a.example/"), connection.is_reusable()


def test_a_whole_answer_leaves_a_connection_that_can_be_used_again() -> None:
    response, is_reusable = asyncio.run(answer_from(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"))

    assert (response.status, response.body, response.marks) == (200, b"hello", ())
    assert is_reusable


def test_a_body_beyond_the_limit_is_cut_and_ends_the_connection() -> None:
    response, is_reusable = asyncio.run(
        answer_from(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", max_bytes=3)
    )

    assert (response.body, response.marks) == (b"hel", ("truncated",))
    assert not is_reusable


def test_what_is_not_http_is_broken() -> None:
    with pytest.raises(BrokenAnswer, match="not HTTP"):
        asyncio.run(answer_from(b"220 mail.example ready\r\n"))
