"""Stored records, with what extractors found on their own pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bookshop import page
from record_states import FOUND, keep_records
from shop_state import NOW, REGION, keep, keep_books, url_of
from stores import lease_all

from hiddenweb.extraction.extractor import learn_extractor
from hiddenweb.extraction.maintenance import ExtractorMaintenance
from hiddenweb.html.document import read_layout
from hiddenweb.model import Record
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore
from hiddenweb.store.stored_records import (
    RecordFilter,
    StoredRecords,
    UnknownName,
    load_records,
    prepare,
    read_at_once,
)

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.store.stored_records import StoredRecord


def titles(store: Store, **wanted: object) -> list[str]:
    return [record.title for record in StoredRecords(store, RecordFilter(**wanted))]  # type: ignore[arg-type]


def keep_shop(store: Store, numbers: range = range(1, 6)) -> None:
    """Store pages of books, and what an extractor takes from them."""
    keep_books(store, numbers)
    layout = read_layout(page(1).encode())
    others = [(url_of(number), read_layout(page(number).encode())) for number in numbers if number > 1]
    ExtractorMaintenance(ExtractorStore(store)).add(REGION, learn_extractor(REGION, layout, others), NOW)


def test_records_come_by_site_and_key(tmp_path: Path) -> None:
    keep_records(tmp_path, [("B", []), ("A", [])], "z.example")
    keep_records(tmp_path, [("D", []), ("C", [])], "a.example")

    with Store(tmp_path, write=False) as store:
        assert titles(store) == ["C", "D", "A", "B"]
        assert titles(store, limit=3) == ["C", "D", "A"]
        assert len(StoredRecords(store)) == 4


def test_filters_are_by_site_form_and_time(tmp_path: Path) -> None:
    first = keep_records(tmp_path, [("A", []), ("B", [])], at=FOUND)
    other = keep_records(tmp_path, [("C", [])], "c.example", at=FOUND + 10)
    keep_records(tmp_path, [("B", []), ("D", [])], at=FOUND + 20)

    with Store(tmp_path, write=False) as store:
        assert titles(store, site="c.example") == ["C"]
        assert titles(store, form=first) == ["A", "B", "D"]
        assert titles(store, form=other) == ["C"]
        assert titles(store, since=FOUND + 10) == ["D", "C"]
        assert titles(store, until=FOUND + 10) == ["A", "B"]
        assert titles(store, since=FOUND + 5, until=FOUND + 15) == ["C"]
        for unknown in ({"site": "d.example"}, {"form": 99}, {"extractor": "no"}):
            with pytest.raises(UnknownName):
                titles(store, **unknown)


def test_what_changed_is_found_by_its_time(tmp_path: Path) -> None:
    keep_records(tmp_path, [("A", []), ("B", [])])
    with Store(tmp_path) as store:
        number = keep(store, "https://books.example/b", "<p>B")
        store.write(
            "UPDATE records SET link = (SELECT link FROM pages WHERE id = ?) WHERE title = 'B'", (number,)
        )
        store.write(
            "INSERT INTO changes (page, site, kind, at, change) VALUES (?, 1, 'content', ?, '{}')",
            (number, FOUND + 50),
        )

        assert titles(store, changed_since=FOUND + 1) == ["B"]
        assert titles(store, changed_since=FOUND) == ["A", "B"]
        assert titles(store, changed_since=FOUND + 51) == []
        assert [record.changed_at for record in StoredRecords(store)] == [None, FOUND + 50]


def test_what_an_extractor_found_on_the_own_page_of_a_record_comes_first(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        keep_shop(store)
        site = store.sites.want(url_of(2))
        listed = (("Author", "somebody"), ("shelf", "12"))
        store.records.save(
            site,
            [Record(url_of(2), "Book 2", "", url_of(2), attributes=listed)],
            submission=None,
            page=None,
            at=NOW,
        )
        records = list(StoredRecords(store))
        only = list(StoredRecords(store, RecordFilter(extractor="books", limit=2)))

    by_url = {record.url: record for record in records}
    assert len(records) == len(by_url) == 5
    second = by_url[url_of(2)]
    names = [name for name, _ in second.attributes]
    assert (second.kind, second.extractors, second.source) == ("record", ("books",), "books")
    assert names[-1] == "shelf"
    assert "Author" not in names
    assert "author" in names
    assert {record.kind for record in records if record is not second} == {"page"}
    assert only == records[:2]
    assert len({record.id for record in records}) == 5


def test_the_identity_of_a_record_is_the_same_in_another_state(tmp_path: Path) -> None:
    def ids(folder: Path, *names: str) -> dict[str, str]:
        keep_records(folder, [(name, []) for name in names])
        with Store(folder, write=False) as store:
            return {record.title: record.id for record in StoredRecords(store)}

    assert ids(tmp_path / "a", "A", "B") == ids(tmp_path / "b", "B", "A")


def test_some_records_can_be_loaded_by_their_numbers(tmp_path: Path) -> None:
    keep_records(tmp_path, [("A", []), ("B", []), ("C", [])])
    with Store(tmp_path, write=False) as store:
        prepare(store)
        found: list[StoredRecord] = load_records(store, [3, 1, 99])

    assert [record.title for record in found] == ["C", "A"]


def test_what_a_crawl_writes_meanwhile_is_not_read(tmp_path: Path) -> None:
    keep_records(tmp_path, [("A", [])])
    with Store(tmp_path, write=False) as reader:
        with read_at_once(reader):
            before = titles(reader)
            keep_records(tmp_path, [("B", [])], at=FOUND + 1)
            meanwhile = titles(reader)
        after = titles(reader)

    assert before == meanwhile == ["A"]
    assert after == ["A", "B"]


def test_reading_at_once_leaves_the_transaction_of_a_writer_alone(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.sites.want("https://a.example/")
        store.begin()
        with read_at_once(store):
            assert lease_all(store) == []
        assert store.db.in_transaction
