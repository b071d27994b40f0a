from __future__ import annotations

from hiddenweb.exploring.stopping import REMEMBERED, Patience, Sameness, reason_to_leave


def test_site_is_left_when_its_budget_is_spent() -> None:
    assert reason_to_leave(9, 0, Patience(pages=10)) is None
    assert reason_to_leave(10, 0, Patience(pages=10)) == "its budget of 10 pages is spent"


def test_site_is_left_when_nothing_is_new_for_long() -> None:
    patience = Patience(nothing_new=5)

    assert reason_to_leave(50, 4, patience) is None
    assert reason_to_leave(50, 5, patience) == "nothing new on the last 5 pages"


def test_shape_is_closed_after_enough_duplicates_in_a_row() -> None:
    sameness = Sameness(Patience(alike=3))

    said = [sameness.is_too_much(1, f"https://a.example/list?colour={n}", new=False) for n in range(4)]

    assert said == [False, False, True, False]  # it is said once


def test_something_new_starts_the_count_again() -> None:
    sameness = Sameness(Patience(alike=2))

    said = [
        sameness.is_too_much(1, f"https://a.example/list/{n}", new=new)
        for n, new in enumerate((False, True, False, False))
    ]

    assert said == [False, False, False, True]


def test_sites_and_shapes_are_counted_apart() -> None:
    sameness = Sameness(Patience(alike=2))
    sameness.is_too_much(1, "https://a.example/list/1", new=False)

    assert not sameness.is_too_much(2, "https://a.example/list/1", new=False)
    assert not sameness.is_too_much(1, "https://a.example/other/1", new=False)


def test_memory_is_bounded() -> None:
    sameness = Sameness(Patience(alike=2))

    for number in range(REMEMBERED + 100):
        sameness.is_too_much(number, "https://a.example/", new=False)

    assert len(sameness._in_a_row) == REMEMBERED
