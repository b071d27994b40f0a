"""Web archives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from record_states import FOUND, keep_records
from shop_state import keep_books, url_of
from stores import fetch, lease_all, save_page
from warcio.archiveiterator import ArchiveIterator

from hiddenweb.exports.export import export_records
from hiddenweb.store.database import Store
from hiddenweb.store.stored_records import RecordFilter

if TYPE_CHECKING:
    from pathlib import Path


def records_in(path: Path) -> list[tuple[str, dict[str, str], bytes]]:
    with path.open("rb") as file:
        return [
            (record.rec_type, dict(record.rec_headers.headers), record.content_stream().read())
            for record in ArchiveIterator(file, check_digests="raise")
        ]


def test_each_version_of_a_page_is_a_resource(tmp_path: Path) -> None:
    with Store(tmp_path / "data") as store:
        keep_books(store, [1, 2])

    done = export_records(tmp_path / "data", tmp_path / "pages.warc")

    info, first, second = records_in(tmp_path / "pages.warc")
    assert done.rows == 2
    assert info[0] == "warcinfo"
    assert b"headers of requests and responses were not kept" in info[2]
    assert first[0] == second[0] == "resource"
    assert [each[1]["WARC-Target-URI"] for each in (first, second)] == [url_of(1), url_of(2)]
    assert first[1]["Content-Type"] == "text/html"
    assert first[1]["WARC-Date"] == "2025-11-17T20:00:00Z"
    assert b"<html" in first[2]


def test_packed_files_say_the_same_each_time(tmp_path: Path) -> None:
    with Store(tmp_path / "data") as store:
        keep_books(store, [2, 1])
    for name in ("a.warc.gz", "b.warc.gz"):
        export_records(tmp_path / "data", tmp_path / name)

    (_, *pages), (_, *again) = records_in(tmp_path / "a.warc.gz"), records_in(tmp_path / "b.warc.gz")
    assert pages == again
    assert len(pages) == 2


def test_an_answer_has_its_query_beside_it(tmp_path: Path) -> None:
    form = keep_records(tmp_path / "data", site="a.example")
    with Store(tmp_path / "data") as store:
        (task,) = lease_all(store)
        save_page(store, fetch(task))
        keep_books(store, [1])

    export_records(tmp_path / "data", tmp_path / "pages.warc", filters=RecordFilter(form=form))

    _, page, query = records_in(tmp_path / "pages.warc")
    assert page[1]["WARC-Target-URI"] == query[1]["WARC-Target-URI"] == task.url
    assert query[0] == "metadata"
    assert query[1]["WARC-Concurrent-To"] == page[1]["WARC-Record-ID"]
    assert query[2].decode() == f"form: {form}\r\nquery: word{FOUND}\r\nmethod: GET\r\n"
