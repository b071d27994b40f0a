"""What pages disagree about, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from test_store_record_attributes import HOME, NOW, Desk

from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.model import TaskSeed
from hiddenweb.reports.conflicts import describe_conflicts, find_record_at, list_conflicting
from hiddenweb.reports.explanation import explain_address
from hiddenweb.reports.explanation_text import explanation_lines
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Store(tmp_path) as store:
        desk = Desk(store)
        store.frontier.add(
            [TaskSeed(f"{HOME}item/{at}", "record", submission=desk.submission) for at in (1, 2)]
        )
        for at, year in ((1, "1999"), (2, "2001")):
            desk.state(desk.list_record(at), ("year", year))
        yield desk


def test_a_record_says_what_its_pages_disagree_about(desk: Desk) -> None:
    found = find_record_at(desk.store, f"{HOME}item/2")

    assert found is not None
    assert list(describe_conflicts(found)) == ["year: '1999' is kept, its own page says '2001'"]
    assert find_record_at(desk.store, f"{HOME}item/3") is None


def test_a_site_lists_the_records_about_which_pages_disagree(desk: Desk) -> None:
    assert [each.url for each in list_conflicting(desk.store, "a.example")] == [f"{HOME}item/2"]


def test_explain_shows_conflicts_of_a_record_and_of_a_site(desk: Desk) -> None:
    def lines(address: str) -> list[str]:
        return list(explanation_lines(explain_address(desk.store, address, "", FocusedLimits(), NOW), NOW))

    assert "  year: '1999' is kept, its own page says '2001'" in lines(f"{HOME}item/2")
    assert "It is the own page of the record 'Item 1'" in lines(f"{HOME}item/1")
    assert f"  {HOME}item/2: year" in lines(HOME)
