from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hiddenweb.frontier.stopping import (
    REMEMBERED,
    ExplorationProgress,
    SiteBudget,
    StopCriteria,
    TrapDetector,
    parse_seconds,
    reason_to_leave,
    reason_to_skip_records,
    reason_to_stop_exploring,
)


def test_site_is_left_when_its_budget_is_spent() -> None:
    assert reason_to_leave(9, SiteBudget(pages=10)) is None
    assert reason_to_leave(10, SiteBudget(pages=10)) == "its budget of 10 pages is spent"


def test_exploring_ends_when_its_budget_is_spent_or_nothing_is_new_for_long() -> None:
    patience = SiteBudget(explored=60, nothing_new=5)

    assert reason_to_stop_exploring(50, 4, patience) is None
    assert reason_to_stop_exploring(50, 5, patience) == "nothing new on the last 5 pages"
    assert reason_to_stop_exploring(60, 0, patience) == "its budget of 60 pages to explore is spent"


def test_pages_of_records_are_skipped_when_their_budget_is_spent() -> None:
    assert reason_to_skip_records(9, SiteBudget(record_pages=10)) is None
    assert (
        reason_to_skip_records(10, SiteBudget(record_pages=10))
        == "its budget of 10 pages of records is spent"
    )


def test_shape_is_closed_after_enough_duplicates_in_a_row() -> None:
    traps = TrapDetector(SiteBudget(alike=3))

    closed = [traps.closes_shape(1, f"https://a.example/list?colour={n}", new=False) for n in range(4)]

    assert closed == [False, False, True, False]  # it is closed once


def test_something_new_starts_the_count_again() -> None:
    traps = TrapDetector(SiteBudget(alike=2))

    closed = [
        traps.closes_shape(1, f"https://a.example/list/{n}", new=new)
        for n, new in enumerate((False, True, False, False))
    ]

    assert closed == [False, False, False, True]


def test_sites_and_shapes_are_counted_separately() -> None:
    traps = TrapDetector(SiteBudget(alike=2))
    traps.closes_shape(1, "https://a.example/list/1", new=False)

    assert not traps.closes_shape(2, "https://a.example/list/1", new=False)
    assert not traps.closes_shape(1, "https://a.example/other/1", new=False)


def test_memory_is_bounded() -> None:
    traps = TrapDetector(SiteBudget(alike=2))

    for number in range(REMEMBERED + 100):
        traps.closes_shape(number, "https://a.example/", new=False)

    assert len(traps._in_a_row) == REMEMBERED


# The five criteria of SmartCrawler

ALL_OFF = StopCriteria(depth=3, pages=0, forms=0, formless=0, formless_in_all=0)


def progress(criteria: StopCriteria, *pages: tuple[int, int]) -> ExplorationProgress:
    made = ExplorationProgress(criteria)
    for depth, forms in pages:
        made.note(depth, forms)
    return made


def test_sc1_no_page_is_deeper_than_allowed() -> None:
    begun = ExplorationProgress(replace(ALL_OFF, depth=2))

    assert begun.reason_to_skip(2) is None
    assert begun.reason_to_skip(3) == "SC1: deeper than 2"


def test_sc2_a_depth_has_its_share_of_pages() -> None:
    criteria = replace(ALL_OFF, pages=3)

    assert progress(criteria, (1, 0), (1, 1), (2, 0)).reason_to_skip(1) is None
    assert progress(criteria, (1, 0), (1, 1), (1, 0)).reason_to_skip(1) == "SC2: 3 pages at depth 1"
    assert progress(criteria, (1, 0), (1, 1), (1, 0)).reason_to_skip(2) is None


def test_sc3_a_depth_that_gave_enough_forms_is_done() -> None:
    criteria = replace(ALL_OFF, forms=3)

    assert progress(criteria, (1, 2), (2, 5)).reason_to_skip(1) is None
    assert progress(criteria, (1, 2), (1, 1)).reason_to_skip(1) == "SC3: 3 forms at depth 1"
    assert progress(criteria, (1, 2), (1, 1)).reason_to_skip(0) is None


def test_sc4_a_depth_with_too_many_formless_pages_is_done() -> None:
    criteria = replace(ALL_OFF, formless=2)

    assert progress(criteria, (1, 0), (2, 0), (1, 1), (1, 4)).reason_to_skip(1) is None
    assert (
        progress(criteria, (1, 0), (1, 1), (1, 0)).reason_to_skip(1)
        == "SC4: 2 pages at depth 1 without a new search form"
    )


def test_sc5_a_site_with_too_many_formless_pages_is_left() -> None:
    criteria = replace(ALL_OFF, formless_in_all=3)

    assert progress(criteria, (0, 0), (1, 0), (1, 2), (2, 1)).reason_to_leave() is None
    assert (
        progress(criteria, (0, 0), (1, 0), (1, 2), (2, 0)).reason_to_leave()
        == "SC5: 3 pages without a new search form"
    )


def test_criteria_are_those_of_the_paper() -> None:
    assert StopCriteria() == StopCriteria(depth=3, pages=100, forms=10, formless=30, formless_in_all=60)


def test_criterion_of_zero_is_switched_off_except_the_depth() -> None:
    much = progress(replace(ALL_OFF, depth=0), *[(0, 0)] * 200, (0, 50))

    assert much.reason_to_leave() is None
    assert much.reason_to_skip(0) is None
    assert much.reason_to_skip(1) == "SC1: deeper than 0"


def test_pages_and_forms_are_counted_over_all_depths() -> None:
    made = progress(StopCriteria(), (0, 0), (1, 2), (3, 1))

    assert (made.pages, made.forms) == (3, 3)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3)), max_size=40))
@settings(max_examples=50)
def test_progress_that_was_written_down_is_the_same(pages: list[tuple[int, int]]) -> None:
    criteria = StopCriteria(depth=3, pages=8, forms=5, formless=4, formless_in_all=12)
    before = progress(criteria, *pages)

    after = ExplorationProgress.from_json(criteria, json.loads(json.dumps(before.to_json())))

    assert after.to_json() == before.to_json()
    assert (after.pages, after.forms) == (before.pages, before.forms)
    assert after.reason_to_leave() == before.reason_to_leave()
    assert [after.reason_to_skip(n) for n in range(6)] == [before.reason_to_skip(n) for n in range(6)]


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("45", 45),
        ("45s", 45),
        (" 30M ", 1800),
        ("2h", 7200),
        ("1.5h", 5400),
        ("1d12h", 129_600),
        ("0.5", 0.5),
    ],
)
def test_times_are_read_as_people_write_them(written: str, seconds: float) -> None:
    assert parse_seconds(written) == seconds


@pytest.mark.parametrize(
    "written", ["", "0", "0m", "-5m", "m", "5 minutes", "1h30", "1.2.3h", "nan", "٣m", "9999d"]
)
def test_text_that_is_no_time_is_refused_by_name(written: str) -> None:
    with pytest.raises(ValueError, match="wanted a time such as 90s") as raised:
        parse_seconds(written)

    assert repr(written) in str(raised.value)
