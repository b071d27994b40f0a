"""How far a crawl is, in words, and why nothing happens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.extensions.progress_text import (
    ProgressSnapshot,
    RevisitProgress,
    log_line,
    terminal_lines,
    why_quiet,
)

BUSY = ProgressSnapshot(
    "harvest",
    elapsed=3_725.4,
    pages=1_234,
    rate=12.34,
    forms=12,
    submittable=4,
    submitted=37,
    answered=35,
    new_records=890,
    seen_records=12,
    waiting=4_210,
    active=("a.example",),
    unindexed=120,
)
PAUSED = (
    (42.0, "c.example", "robots.txt is not available; 42 s left"),
    (97.0, "b.example", "status 503; 97 s left"),
)


def test_a_line_names_all_counts() -> None:
    assert log_line(BUSY) == (
        "1,234 pages (12.3/s); 12 forms (4 submittable); 37 queries (35 answered); records 890 new, 12 seen;"
        " index 120 behind; 4,210 links waiting; 1 host active"
    )


def test_the_coverage_of_the_databases_that_are_queried_now_is_shown() -> None:
    databases = ("a.example: about 8,100 of 8,400 (7,900-9,000), 132 queries", "b.example: all 12, 1 query")
    asking = replace(BUSY, databases=databases)

    assert "; a.example: about 8,100 of 8,400 (7,900-9,000), 132 queries; 4,210 links waiting" in log_line(
        asking
    )
    assert terminal_lines(asking).plain.splitlines()[2:4] == list(databases)


def test_the_picture_is_a_few_lines_and_names_the_longest_pauses() -> None:
    many = tuple(
        (float(number), f"h{number}.example", f"status 503; {number} s left") for number in range(1, 10)
    )

    lines = terminal_lines(replace(BUSY, paused=many)).plain.split("\n")

    assert lines[0] == "harvest 1:02:05  1,234 pages (12.3/s)  4,210 links waiting  1 host active, 9 paused"
    assert lines[2:] == [
        "paused: h9.example: status 503; 9 s left",
        "paused: h8.example: status 503; 8 s left",
        "paused: h7.example: status 503; 7 s left (and 6 more)",
    ]


def test_revisits_are_counted_against_the_plan() -> None:
    planning = ProgressSnapshot(
        "revisit", elapsed=61.0, rate=3.25, active=("a.example",), revisits=RevisitProgress(1_000, 40, 4)
    )

    assert log_line(planning) == "40 of 1,000 revisits (3.2/s), 4 found a change; 1 host active"
    assert terminal_lines(planning).plain == (
        "revisit 0:01:01  40 of 1,000 revisits (3.2/s), 4 found a change  1 host active, 0 paused"
    )
    assert "sitemaps are read before revisits are planned, 2 so far" in log_line(
        replace(planning, quiet=9.0, revisits=RevisitProgress(sitemaps=2))
    )


@pytest.mark.parametrize(
    ("moment", "message"),
    [
        pytest.param(BUSY, "", id="busy"),
        pytest.param(replace(BUSY, paused=PAUSED), "", id="one is paused, others are not"),
        pytest.param(
            replace(BUSY, quiet=12.0),
            "waiting: no answer from 1 host for 12 s (a.example)",
            id="a slow host",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), paused=PAUSED),
            "waiting: 2 hosts paused, next in 42 s (c.example: robots.txt is not available)",
            id="all are paused",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), next_in=7.0, next_why="d.example gets 30 s between requests"),
            "waiting: next request in 7 s (d.example gets 30 s between requests)",
            id="a delay",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), next_in=7.0), "waiting: next request in 7 s", id="a turn"
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=()),
            "waiting: the index has 120 documents to add, then the crawl ends",
            id="indexing",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), next_in=0.0),  # it could, but a limit was reached
            "waiting: the index has 120 documents to add, then the crawl ends",
            id="indexing after a limit",
        ),
        pytest.param(
            replace(BUSY, quiet=5.0, active=(), unindexed=None),
            "waiting: nothing is left to fetch, the crawl is about to end",
            id="the end",
        ),
    ],
)
def test_the_reason_why_nothing_happens_is_shown(moment: ProgressSnapshot, message: str) -> None:
    assert why_quiet(moment) == message
    assert log_line(moment).partition("waiting: ")[1:] == message.partition("waiting: ")[1:]
