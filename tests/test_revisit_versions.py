"""Which versions of a page are kept, and what differs between any two."""

from __future__ import annotations

import random

import pytest

from hiddenweb.model import Record
from hiddenweb.reports.changes import comparison_as_data, comparison_shown
from hiddenweb.revisit.change import Edit
from hiddenweb.revisit.parts import PageVersion
from hiddenweb.revisit.versions import ALL, HistoryLimits, VersionDiff, compare_versions, versions_to_drop

DAY = 86_400.0


@pytest.mark.parametrize(
    ("days", "limits", "gone"),
    [
        ([], HistoryLimits(versions=1, days=1), []),
        ([0], HistoryLimits(versions=1, days=1), []),
        ([0, 1], HistoryLimits(versions=1, days=0.1), []),
        ([0, 1, 2], ALL, []),
        ([0, 1, 2, 3], HistoryLimits(versions=4), []),
        ([0, 1, 2, 3], HistoryLimits(versions=1), [1, 2]),
        ([0, 1, 99, 100], HistoryLimits(days=30), []),  # what was replaced yesterday stood for three months
        ([0, 1, 2, 99, 100], HistoryLimits(days=30), [1]),
        ([0, 1, 2, 3, 99, 100], HistoryLimits(versions=5, days=30), [1, 2]),
        ([0, 1, 2, 3, 99, 100], HistoryLimits(versions=3, days=30), [1, 2, 3]),
    ],
)
def test_what_is_let_go(days: list[float], limits: HistoryLimits, gone: list[int]) -> None:
    times = [DAY * day for day in days]

    assert list(versions_to_drop(times, limits, max(times, default=0.0))) == gone


def test_the_first_and_the_newest_are_always_kept() -> None:
    rng = random.Random(3)
    for _ in range(500):
        times = sorted(rng.uniform(0, 100 * DAY) for _ in range(rng.randrange(1, 12)))
        limits = HistoryLimits(rng.randrange(6), rng.choice((0.0, 0.5, 20.0)))
        left = set(range(len(times))) - set(
            versions_to_drop(times, limits, rng.uniform(times[-1], 200 * DAY))
        )
        assert {0, len(times) - 1} <= left
        if limits.versions:
            assert len(left) <= max(limits.versions, 2)


OLD = PageVersion(
    "Lamps", ("Made of brass in 1900 by hand.", "It stands in the hall.", "Ask for it.", "Closed on Monday.")
)
NEW = PageVersion(
    "Lamps and more",
    ("Made of silver in 1900 by hand.", "Ask for it.", "Open all week now.", "Closed on Monday."),
)


def test_any_two_versions_are_compared_word_by_word_in_the_order_of_the_page() -> None:
    found = compare_versions(OLD, NEW)

    assert found.parts[:2] == (
        Edit("Lamps", "Lamps and more"),
        Edit("Made of brass in 1900 by hand.", "Made of silver in 1900 by hand."),
    )
    assert found.edits[:2] == (Edit("", "and more"), Edit("brass", "silver"))
    assert [part.before or part.after for part in found.parts[2:]] == [
        "It stands in the hall.",
        "Open all week now.",
    ]
    assert compare_versions(NEW, NEW) == VersionDiff()
    assert {Edit(edit.after, edit.before) for edit in found.edits} == set(compare_versions(NEW, OLD).edits)


def test_a_comparison_shows_words_in_their_sentence() -> None:
    long = "It was found under the floor of an old house by the sea. " * 5
    found = compare_versions(
        PageVersion("", (f"{long}Made of brass.",)), PageVersion("", (f"{long}Made of silver\x1b[2J.",))
    )

    (plain,) = comparison_shown(found, in_colour=False)
    assert plain.endswith("by the sea. Made of [-brass-]{+silver[2J+}.")
    assert plain.startswith("    …")
    assert len(plain) < 120
    inserted = compare_versions(PageVersion("", ("The red house",)), PageVersion("", ("The old red house",)))
    assert comparison_shown(inserted, in_colour=False) == ["    The {+old+} red house"]
    (coloured,) = comparison_shown(found)
    assert "\x1b[31;9mbrass\x1b[0m\x1b[32;4msilver[2J\x1b[0m" in coloured


def test_records_are_compared_by_key() -> None:
    old = [
        Record("http://a.example/1", "One", "One 5", None, (("Price", "5"),)),
        Record("http://a.example/2", "Two", "Two"),
    ]
    new = [
        Record("http://a.example/3", "Three", "Three"),
        Record("http://a.example/1", "One", "One 6", None, (("Price", "6"),)),
    ]
    found = compare_versions(PageVersion(), PageVersion(), old, new)

    assert comparison_shown(found, in_colour=False) == [
        "    ~ record changed  One",
        "        Price: [-5-]{+6+}",
        "    + record added  Three",
        "        {+Three+}",
        "    - record removed  Two",
        "        [-Two-]",
    ]
    assert comparison_as_data(found)["records"] == [
        {
            "kind": "record changed",
            "key": "http://a.example/1",
            "title": "One",
            "attribute": "Price",
            "before": "5",
            "after": "6",
        },
        {"kind": "record added", "key": "http://a.example/3", "title": "Three", "after": "Three"},
        {"kind": "record removed", "key": "http://a.example/2", "title": "Two", "before": "Two"},
    ]
