"""One numbered folder is the current index, one process writes it, and its position survives."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hiddenweb.index.location import (
    current_folder,
    last_indexed,
    make_current,
    new_folder,
    replace,
    status,
    write_position,
    writing,
)
from hiddenweb.index.protocol import ForeignIndex, IndexInUse, NoIndex, OldIndex

if TYPE_CHECKING:
    from pathlib import Path


def test_where_there_is_no_index_nothing_is_indexed(tmp_path: Path) -> None:
    assert last_indexed(tmp_path) == 0
    assert last_indexed(tmp_path / "none") == 0
    assert status(tmp_path) == {}


def test_a_new_index_counts_when_it_is_complete_and_the_old_one_goes(tmp_path: Path) -> None:
    first = new_folder(tmp_path)
    with pytest.raises(NoIndex):
        current_folder(tmp_path)
    make_current(tmp_path, first)

    second = new_folder(tmp_path)
    write_position(second, 12)
    before = (current_folder(tmp_path), last_indexed(tmp_path))
    make_current(tmp_path, second)

    assert before == (first, 0)
    assert (current_folder(tmp_path), last_indexed(tmp_path)) == (second, 12)
    assert not first.exists()


def test_only_one_process_writes_and_others_get_its_name(tmp_path: Path) -> None:
    with (
        writing(tmp_path, "the first"),
        pytest.raises(IndexInUse, match="by the first"),
        writing(tmp_path, "two"),
    ):
        pass

    with writing(tmp_path, "two"):
        assert (tmp_path / "index" / "lock").read_text(encoding="utf-8").startswith("two (process ")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"made_by": "somebody"}, ForeignIndex),
        ({"inode": 1}, ForeignIndex),
        ({"format": 1}, OldIndex),
        ({"format": 99}, ForeignIndex),
    ],
)
def test_an_index_that_is_not_ours_or_of_another_version_is_refused(
    tmp_path: Path, change: dict[str, object], problem: type[Exception]
) -> None:
    make_current(tmp_path, new_folder(tmp_path))
    mark = tmp_path / "index" / "index.json"
    replace(mark, json.dumps(json.loads(mark.read_text(encoding="utf-8")) | change))

    with pytest.raises(problem):
        current_folder(tmp_path)
