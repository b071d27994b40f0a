"""Reading pages in worker processes."""

from __future__ import annotations

import asyncio

from hiddenweb.revisit.page_readers import PageReaders
from hiddenweb.revisit.revisit import FetchedBody, PageToRead


def test_pages_are_read_in_another_process_and_unused_readers_can_be_stopped() -> None:
    parsed: list[int] = []

    async def read() -> str:
        readers = PageReaders(1, 10, lambda: None, parsed.append)
        await readers.stop()
        try:
            read = await readers.read(PageToRead("http://a.example/", FetchedBody(b"<title>A lamp</title>")))
        finally:
            await readers.stop()
        assert read.before is None
        assert read.now is not None
        return read.now.page.title

    assert asyncio.run(read()) == "A lamp"
    assert len(parsed) == 1
