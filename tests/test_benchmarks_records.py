"""The benchmark of records judges what is stored by the rows of a database, column by column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import Options, records
from benchmarks._record_judging import StoredRecord, Tally, judge_records
from benchmarks.records import add_up, list_missed, read_records
from hiddenweb.model import Record
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ROWS: dict[str, dict[str, tuple[str, ...]]] = {
    "1": {"title": ("The River",), "year": ("1999",), "by": ("Jane Smith", "Smith, Jane")},
    "2": {"title": ("The Hill",), "year": ("2004",)},
}
LABELS = {"by": "Author"}


def stored(
    number: str | None,
    *attributes: tuple[str, str],
    text: str = "",
    sources: Sequence[Sequence[tuple[str, str]]] = (),
) -> StoredRecord:
    return StoredRecord(number, f"http://a.example/{number}", attributes, text, tuple(sources))


def test_all_is_well_if_each_row_is_there_once_with_its_values_in_their_columns() -> None:
    tally = judge_records(
        ROWS,
        [
            stored("1", ("title", "The River"), ("year", "1999"), ("author", "Smith, Jane")),
            stored(
                "2", ("title", "The  Hill"), ("year", "2004"), ("more", "what the database does not have")
            ),
        ],
        LABELS,
    )

    assert tally.figures == {
        "record_precision": 1.0, "record_recall": 1.0, "attribute_accuracy": 1.0, "duplicate_keys": 0, "overwritten_worse": 0,
    }  # fmt: skip
    assert not tally.faults


def test_what_is_no_row_and_what_is_there_twice_counts() -> None:
    tally = judge_records(ROWS, [stored("1"), stored("1"), stored(None), stored("7")], LABELS)

    assert (tally.figures["record_precision"], tally.figures["record_recall"]) == (0.5, 0.5)
    assert tally.figures["duplicate_keys"] == 1


def test_a_value_is_right_under_the_name_of_its_column_alone() -> None:
    tally = judge_records(
        ROWS,
        [
            stored(
                "1", ("title", "The River"), ("year", "2004"), ("text 2", "Jane Smith"), text="Jane Smith"
            ),
            stored("2", ("title", "The Hill"), ("year", "2004"), ("year", "1999")),
        ],
        LABELS,
    )

    assert (tally.cells, tally.cells_right) == (5, 2)
    assert set(tally.faults) == {"by as text 2", "year wrong", "year as year"}


def test_what_no_page_showed_is_no_fault_and_is_told_apart() -> None:
    tally = judge_records(ROWS, [stored("1", ("title", "The River"), text="The River 1999")], LABELS)

    assert (tally.cells, tally.cells_right, tally.unread) == (2, 1, 1)


def test_a_value_that_was_read_rightly_and_is_wrong_now_was_overwritten() -> None:
    sources = [[("year", "1999")], [("year", "1950")]]
    tally = judge_records(ROWS, [stored("1", ("year", "1950"), sources=sources)], LABELS)

    assert tally.overwritten == 1


def test_columns_without_label_are_called_by_the_name_that_most_values_have() -> None:
    records = [stored("1", ("name", "The River")), stored("2", ("name", "The Hill"))]

    assert judge_records(ROWS, records, {}).faults == {}


def test_a_state_is_read_with_what_answers_and_pages_say_apart(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        site = store.sites.want("http://a.example/")
        record = Record(
            "http://a.example/1", "The River", "text", "http://a.example/1", attributes=(("year", "1999"),)
        )
        store.records.save(site, [record], submission=None, page=None, at=1.0)

    (found,) = read_records(tmp_path, lambda url, _: url.rpartition("/")[2])

    assert (found.id, found.attributes) == ("1", [("year", "1999")])
    assert found.sources == ([("year", "1999")], [])


def test_what_is_missed_is_named() -> None:
    tally = Tally(rows=100, stored=100, right=100, distinct=97, cells=10, cells_right=10)

    assert list_missed({"a": tally, "b": add_up([tally])}) == [
        "record_recall of a is 0.97", "duplicate_keys of a is 3", "record_recall of b is 0.97", "duplicate_keys of b is 3",
    ]  # fmt: skip


def test_a_small_datasette_is_harvested_and_all_is_right() -> None:
    figures = records.run(Options(quick=True, seed=7, data=None))

    assert figures["record_precision"] == figures["record_recall"] == figures["attribute_accuracy"] == 1.0
    assert figures["duplicate_keys"] == figures["overwritten_worse"] == 0
