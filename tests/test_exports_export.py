"""Exporting stored records with one function."""

from __future__ import annotations

import csv
import gc
import io
import os
import stat
import tempfile
from fcntl import LOCK_EX, flock
from typing import TYPE_CHECKING

import pytest
from record_states import FOUND, keep_records

from hiddenweb.exports.export import export_records
from hiddenweb.exports.formats import FORMATS, ExportError
from hiddenweb.reports.records import UnknownColumn
from hiddenweb.store.database import Store
from hiddenweb.store.errors import NoState
from hiddenweb.store.stored_records import RecordFilter, UnknownName

if TYPE_CHECKING:
    from pathlib import Path


def test_a_file_has_one_row_for_each_record_and_real_columns(tmp_path: Path) -> None:
    form = keep_records(tmp_path / "data")

    done = export_records(tmp_path / "data", tmp_path / "books.csv")

    rows = list(csv.DictReader(io.StringIO((tmp_path / "books.csv").read_text(encoding="utf-8"))))
    assert done.rows == 3
    assert [row["title"] for row in rows] == ["Amber", "Stone", "The River"]
    assert list(rows[0]) == [
        "site", "url", "title", "author", "price", "year", "published", "form", "found_at", "kind", "id"
    ]  # fmt: skip
    assert rows[2]["author"] == "Jane Smith; John Doe"
    assert rows[1]["price"] == "7,99 €"
    assert {row["form"] for row in rows} == {str(form)}


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "warc"])
def test_a_store_that_is_open_can_be_exported_and_stays_open(tmp_path: Path, name: str) -> None:
    keep_records(tmp_path / "data")
    with Store(tmp_path / "data") as store:
        for _ in range(2):
            done = export_records(
                store, tmp_path / "file", name, RecordFilter(since=FOUND, limit=2), columns=["title", "year"]
            )
            assert (done.rows, done.columns) == (2, 2)
        assert not store.db.in_transaction
        keep = store.sites.want("https://other.example/")
    assert keep


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        pytest.param("data/state.sqlite", "belongs to the state of a crawl", id="the state"),
        pytest.param("link.db", "belongs to the state of a crawl", id="a link to it"),
        pytest.param("other/state.sqlite", "belongs to the state of a crawl", id="another state"),
        pytest.param("data/index/index.json", "belongs to the state of a crawl", id="the index"),
        pytest.param("data", "is a folder", id="a folder"),
        pytest.param("none/r.csv", "make it first", id="no folder"),
        pytest.param("/proc/r.csv", "cannot be written", id="a folder that takes no files"),
    ],
)
def test_places_that_would_cost_something_are_refused(tmp_path: Path, name: str, complaint: str) -> None:
    keep_records(tmp_path / "data")
    (tmp_path / "link.db").symlink_to(tmp_path / "data" / "state.sqlite")
    before = (tmp_path / "data" / "state.sqlite").read_bytes()

    with pytest.raises(ExportError, match=complaint):
        export_records(tmp_path / "data", tmp_path / name, "csv")

    assert (tmp_path / "data" / "state.sqlite").read_bytes() == before
    assert export_records(tmp_path / "data", tmp_path / "data" / "r.csv").rows == 3


def test_what_a_killed_export_left_is_removed_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    keep_records(tmp_path / "data")
    killed, running, other = (
        tmp_path / name for name in ("r [1].csv.part-77", "r [1].csv.part-78", "r [1].csv.part-x")
    )
    for path in (killed, running, other):
        path.write_text("half")

    with running.open("rb") as file:
        flock(file, LOCK_EX)
        export_records(tmp_path / "data", tmp_path / "r [1].csv")

    assert not killed.exists()
    assert running.exists()
    assert other.exists()


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json", "xlsx", "parquet", "db"])
def test_an_export_that_fails_leaves_the_file_that_was_there(
    tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    keep_records(tmp_path / "data", [(f"Book {number}", []) for number in range(600)])
    file = tmp_path / f"r.{ending}"
    file.write_text("old")

    def stop(done: int, every: int) -> None:
        if 2 * done > every:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_records(tmp_path / "data", file, on_progress=stop)
    gc.collect()

    assert file.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", file.name, "temporary"]
    assert list((tmp_path / "temporary").iterdir()) == []
    assert capsys.readouterr().err == ""


def test_a_file_keeps_its_permissions_and_a_link_stays_one(tmp_path: Path) -> None:
    keep_records(tmp_path / "data")
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "link.csv").symlink_to("real.csv")

    export_records(tmp_path / "data", tmp_path / "link.csv")

    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("site,")
    assert stat.S_IMODE((tmp_path / "real.csv").stat().st_mode) == 0o640


def test_a_pipe_gets_the_rows_as_they_are(tmp_path: Path) -> None:
    keep_records(tmp_path / "data")
    os.mkfifo(tmp_path / "pipe.jsonl")
    reader = os.open(tmp_path / "pipe.jsonl", os.O_RDONLY | os.O_NONBLOCK)

    export_records(tmp_path / "data", tmp_path / "pipe.jsonl")

    assert os.read(reader, 100_000).count(b"\n") == 3
    os.close(reader)


def test_progress_counts_both_readings(tmp_path: Path) -> None:
    keep_records(tmp_path / "data", [(f"Book {number}", [("n", str(number))]) for number in range(600)])
    heard: list[tuple[int, int]] = []

    export_records(tmp_path / "data", tmp_path / "r.csv", on_progress=lambda *at: heard.append(at))

    assert heard == [(500, 1200), (1100, 1200)]


def test_what_is_wrong_is_said_before_a_file_is_made(tmp_path: Path) -> None:
    keep_records(tmp_path / "data")
    state, path = tmp_path / "data", tmp_path / "r.csv"

    with pytest.raises(NoState):
        export_records(tmp_path / "elsewhere", path)
    with pytest.raises(ExportError, match="ending"):
        export_records(state, tmp_path / "r.txt")
    with pytest.raises(ExportError, match="no columns"):
        export_records(state, tmp_path / "r.warc", columns=["title"])
    with pytest.raises(UnknownColumn, match="no record has 'colour'; there are site, url, title, author"):
        export_records(state, path, columns=["title", "colour"])
    for wanted in (RecordFilter(site="no.example"), RecordFilter(form=9), RecordFilter(extractor="no")):
        with pytest.raises(UnknownName):
            export_records(state, path, filters=wanted)

    assert [each.name for each in tmp_path.iterdir()] == ["data"]
