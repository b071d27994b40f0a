"""SQLite databases, as Datasette and people read them."""

from __future__ import annotations

import asyncio
import json
import resource
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from datasette.app import Datasette
from datasette.utils import detect_fts, detect_primary_keys
from hypothesis import given, settings
from record_states import Attributes, export_of, keep_records, states

from hiddenweb.exports import sqlite_file
from hiddenweb.exports.cells import plain_value
from hiddenweb.exports.export import export_records
from hiddenweb.reports.records import RecordTable
from hiddenweb.store.database import Store


def rows_in(path: Path, sql: str, *values: object) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        return [dict(row) for row in db.execute(sql, values)]


@settings(max_examples=30)
@given(states)
def test_every_value_comes_back(records: list[tuple[str, Attributes]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = export_of(folder, "r.db", records)
        (source,) = rows_in(path, "SELECT * FROM sources")
        rows = rows_in(path, f"SELECT * FROM {source['table_name']} ORDER BY url")
        with Store(folder / "data", write=False) as store:
            table = RecordTable(store)
            expected = [list(row.cells) for row in table.rows()]

    names = [name for name in rows[0] if name != "id"]
    assert source["records"] == len(rows)
    for row, cells in zip(rows, expected, strict=True):
        by_place = [
            json.loads(row[name]) if column.is_list and row[name] is not None else row[name]
            for name, column in zip(names, table.columns, strict=False)
        ]
        plain = [
            [*map(plain_value, cell)] if isinstance(cell, list) else cell and plain_value(cell)
            for cell in cells
        ]
        assert by_place == plain[:-1]
        assert row["id"] == cells[-1]


def test_datasette_finds_keys_and_full_text_search_of_every_table(tmp_path: Path) -> None:
    keep_records(tmp_path / "data")
    keep_records(
        tmp_path / "data", [("Chair", [("rank", "1"), ("select", "no"), ("rowid", "3")])], "chairs.example"
    )
    export_records(tmp_path / "data", tmp_path / "r.db")

    with closing(sqlite3.connect(tmp_path / "r.db")) as db:
        for table in ("books_example_form_1", "chairs_example_form_2"):
            assert detect_primary_keys(db, table) == ["id"]
            assert detect_fts(db, table) == f"{table}_fts"
        found = db.execute(
            "SELECT title FROM books_example_form_1 WHERE rowid IN"
            " (SELECT rowid FROM books_example_form_1_fts WHERE books_example_form_1_fts MATCH 'jane')"
        ).fetchall()
    assert found == [("The River",)]
    (chair,) = rows_in(tmp_path / "r.db", "SELECT * FROM chairs_example_form_2")
    assert (chair["rank_"], chair["select"], chair["rowid_"]) == (1, "no", 3)


def test_a_view_has_the_records_of_all_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "_MOST_SELECTS", 2)
    for number in range(7):
        keep_records(tmp_path / "data", [(f"Title {number}", [("n", str(number))])], f"site{number}.example")

    export_records(tmp_path / "data", tmp_path / "r.db")

    rows = rows_in(tmp_path / "r.db", "SELECT * FROM records ORDER BY title")
    assert [row["title"] for row in rows] == [f"Title {number}" for number in range(7)]
    assert rows[3]["source"] == "site3.example form 4"
    assert rows[3]["site"] == "site3.example"


def test_a_table_has_only_the_columns_that_its_records_fill(tmp_path: Path) -> None:
    keep_records(tmp_path / "data")
    keep_records(tmp_path / "data", [("Chair", [("legs", "4")])], "chairs.example")
    export_records(tmp_path / "data", tmp_path / "r.db")

    (chair,) = rows_in(tmp_path / "r.db", "SELECT * FROM chairs_example_form_2")
    assert list(chair) == ["id", "site", "url", "title", "legs", "form", "found_at", "kind"]
    assert chair["legs"] == 4


def test_columns_that_have_no_room_are_one_column(tmp_path: Path) -> None:
    wide = [(f"column {number}", f"value {number}") for number in range(5_000)]
    keep_records(tmp_path / "data", [("Wide", wide)])

    done = export_records(tmp_path / "data", tmp_path / "r.sqlite")

    (row,) = rows_in(tmp_path / "r.sqlite", "SELECT * FROM books_example_form_1")
    further = json.loads(row["further_attributes"])
    assert {name: value for name, value in (row | further).items() if name.startswith("column")} == dict(wide)
    assert [*done.notes.values()] == [len(further)]


def test_a_full_disk_is_an_error_of_the_system_that_names_the_folder(tmp_path: Path) -> None:
    keep_records(tmp_path / "data", [(f"Book {number}", [("note", "x" * 500)]) for number in range(300)])
    (tmp_path / "r.db").write_text("old")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(
        resource.RLIMIT_FSIZE, (64 * 1024, usual[1])
    )  # bytes of a file: room for reading the state
    try:
        with pytest.raises(OSError, match="in the temporary folder"):
            export_records(tmp_path / "data", tmp_path / "r.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)

    assert (tmp_path / "r.db").read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "r.db"]


def test_nothing_stored_is_a_database_with_an_empty_view(tmp_path: Path) -> None:
    path = export_of(tmp_path, "r.db", [])

    assert rows_in(path, "SELECT * FROM records") == rows_in(path, "SELECT * FROM sources") == []


def test_datasette_serves_and_searches_the_file(tmp_path: Path) -> None:
    path = export_of(tmp_path, "r.db")

    async def ask(address: str) -> dict[str, Any]:
        served = Datasette([str(path)])
        await served.invoke_startup()
        answer = await served.client.get(f"/r/{address}")
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    table = asyncio.run(ask("books_example_form_1.json?_search=doe&_shape=objects&_facet_array=author"))
    view = asyncio.run(ask("records.json?_shape=objects"))

    assert [row["title"] for row in table["rows"]] == ["The River"]
    assert {each["value"] for each in table["facet_results"]["author"]["results"]} == {
        "Jane Smith",
        "John Doe",
    }
    assert [row["url"] for row in view["rows"]] == [
        "https://books.example/amber",
        "https://books.example/stone",
        "https://books.example/the-river",
    ]
