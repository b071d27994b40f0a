"""The pages of a state as WARC, the format of web archives.

A state keeps the body of a page as it was decoded, its type, its address and the time, and neither the headers of the response nor those of the request. So
each version of a page is a `resource` record, which claims no more, and not a `response`. A page that answers a query has a `metadata` record beside it,
with the query; without it, answers to several POST requests could not be told apart.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING
from uuid import NAMESPACE_URL, uuid5

from warcio.warcwriter import WARCWriter

from hiddenweb import __version__

if TYPE_CHECKING:
    from typing import BinaryIO

    from hiddenweb.reports.records import Progress
    from hiddenweb.store.stored_pages import AnsweredQuery, StoredPage, StoredPages

_ABOUT = {
    "software": f"hiddenweb {__version__}",
    "format": "WARC File Format 1.0",
    "description": "Bodies of pages as they were decoded; the headers of requests and responses were not kept.",
}
_EVERY = 100  # pages between two reports of progress; a limit of taste


def write_pages(file: BinaryIO, pages: StoredPages, *, is_packed: bool, on_progress: Progress) -> None:
    """Write all versions of pages, each record compressed by itself if `is_packed`."""
    writer = WARCWriter(file, gzip=is_packed, warc_version="WARC/1.0")
    writer.write_record(writer.create_warcinfo_record("", _ABOUT))
    for done, page in enumerate(pages, 1):
        _write_page(writer, page)
        if done % _EVERY == 0:
            on_progress(done, len(pages))


def _write_page(writer: WARCWriter, page: StoredPage) -> None:
    number = uuid5(NAMESPACE_URL, f"{page.url} {page.at!r} {page.query}")
    headers = {
        "WARC-Record-ID": f"<urn:uuid:{number}>",
        "WARC-Date": datetime.fromtimestamp(page.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    writer.write_record(
        writer.create_warc_record(
            page.url,
            "resource",
            payload=BytesIO(page.body),
            length=len(page.body),
            warc_content_type=_header(page.content_type) or "application/octet-stream",
            warc_headers_dict=headers,
        )
    )
    if page.query is not None:
        about = _fields(page.query)
        writer.write_record(
            writer.create_warc_record(
                page.url,
                "metadata",
                payload=BytesIO(about),
                length=len(about),
                warc_content_type="application/warc-fields",
                warc_headers_dict=headers
                | {
                    "WARC-Record-ID": f"<urn:uuid:{uuid5(number, 'query')}>",
                    "WARC-Concurrent-To": headers["WARC-Record-ID"],
                },
            )
        )


def _fields(query: AnsweredQuery) -> bytes:
    """Return what is known of a query as fields of WARC."""
    fields = {"form": str(query.form), "query": query.keyword, "method": query.method}
    if query.body:
        fields |= {
            "request-content-type": query.content_type,
            "request-body": query.body.decode("utf-8", "backslashreplace"),
        }
    return "".join(f"{name}: {_header(value)}\r\n" for name, value in fields.items()).encode()


def _header(value: str) -> str:
    """Return a value on one line: a server may have sent anything."""
    return " ".join(value.split())
