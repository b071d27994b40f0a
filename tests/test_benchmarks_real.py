"""The benchmark on real applications judges what a tap saw, and says when there is nothing to measure."""

from __future__ import annotations

import json
import sys
from math import inf
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks import Options, Skipped, real
from benchmarks import __main__ as runner
from benchmarks._real_changes import (
    Found,
    Harvested,
    Shown,
    Verdict,
    figures_of_changes,
    judge,
    read_page,
    visible,
)
from benchmarks._real_judging import (
    LEAST_REQUESTS,
    Estimate,
    Sent,
    Stored,
    Truth,
    comparison_points,
    count_seen,
    curve,
    estimate_of,
    forbidden,
    interpolate,
    last_useful_request,
    oracle_in,
    page_size,
    posts,
    requests_in,
    times_the_best,
    versus,
)
from benchmarks._real_sites import Crawled, Sites, find_sites, run_crawl
from benchmarks.real import HALVES, Kept, Outcome, choose_sites, figures_of, row
from hiddenweb.revisit.change import Change

if TYPE_CHECKING:
    from pathlib import Path

ORACLE = """
shop: 1,000 records, 9260 terms, cap 50, page size 50; all single words together reach 99.7%; greedy needs - queries for its 99%  (29 s)
  first greedy words: a b c
  k                     10              50     (coverage %, result pages fetched)
  bound         0.8             3.9
  greedy       10.0     10     40.0     50
  freq          0.8     10      3.8     50

wiki: 994 records, 42908 terms, cap None, page size None; all single words together reach 100.0%; greedy needs 1 queries for its 99%  (14 s)
  first greedy words: debian
  k                     10              50     (coverage %, result pages fetched)
  greedy      100.0      1    100.0      1
"""
TRUTH = Truth({"1", "2", "3", "a b"}, r"/item/([^/?#]+)")


def answers(*new: int, shown: int = 10) -> tuple[Sent, ...]:
    return tuple(Sent("GET", f"http://a.test/?q={at}", 200, shown, count) for at, count in enumerate(new))


def crawled(*new: int, strangers: int = 0, ended: bool = True) -> Crawled:
    return Crawled(answers(*new), strangers, 1.5, ended)


def outcome(name: str = "a", **given: Any) -> Outcome:
    usual: dict[str, Any] = {
        "records": 100, "page_size": 10, "ours": crawled(0, *[10] * 10), "theirs": crawled(0, *[5] * 20),
        "kept": Kept(1, Stored(100, 100, 100), Estimate(100, 104.0, 100.0, 120.0)), "posts": 0, "forbidden": 0, "oracle": None,
    }  # fmt: skip
    return Outcome(name, **(usual | given))


def test_the_log_of_a_tap_is_read() -> None:
    rows = [
        [0.1, "GET", "http://a.test/", 200, 900, 0, 0, ""],
        [0.2, "POST", "http://a.test/search", 200, 900, 10, 8, "q=a"],
    ]

    found = requests_in([*map(json.dumps, rows), "\n"])

    assert found == [
        Sent("GET", "http://a.test/", 200, 0, 0),
        Sent("POST", "http://a.test/search", 200, 10, 8),
    ]
    assert (curve(found), posts(found)) == ([0, 8], 1)


def test_both_are_compared_at_the_requests_that_we_needed() -> None:
    ours, theirs = curve(answers(0, 10, 10, 0, 0, 0)), curve(answers(0, 5, 0, 5, 10))

    assert (last_useful_request(ours), comparison_points(ours)) == (3, 3)
    assert versus(ours, theirs, comparison_points(ours), they_ended=True) == 20 / 5
    assert versus(ours, theirs, len(ours), they_ended=True) == 20 / 20


def test_a_harvest_that_gave_up_is_compared_with_what_there_was_to_find() -> None:
    ours, theirs = curve(answers(0, 0)), curve(answers(0, 0, 0, 10, 10))

    assert comparison_points(ours) == LEAST_REQUESTS
    assert versus(ours, theirs, comparison_points(ours), they_ended=True) == 0


def test_a_script_that_was_stopped_is_compared_where_it_was_stopped() -> None:
    ours, theirs = curve(answers(*[1] * 30)), curve(answers(*[1] * 10))

    assert versus(ours, theirs, 30, they_ended=False) == 1
    assert versus(ours, theirs, 30, they_ended=True) == 3


def test_nothing_is_compared_where_the_script_found_nothing() -> None:
    assert versus(curve(answers(5)), curve(answers(0)), 1, they_ended=True) is None
    assert outcome(theirs=None).versus_script is None


@pytest.mark.parametrize(
    ("seen", "requests", "records"), [([0, 3, 7], 2, 3), ([0, 3, 7], 50, 7), ([0, 3], 0, 0), ([], 4, 0)]
)
def test_records_seen_at_a_request(seen: list[int], requests: int, records: int) -> None:
    assert count_seen(seen, requests) == records


def test_stored_records_are_held_against_the_truth_by_their_addresses() -> None:
    urls = [
        "http://a.test/item/1",
        "http://a.test/item/1?from=search",  # the same record again
        "http://a.test/item/a%20b",
        "http://a.test/item/a_b",
        "http://a.test/item/99",  # no record of the truth
        "http://a.test/about",
        None,  # without an address
    ]

    stored = TRUTH.judge(urls)

    assert stored == Stored(records=7, right=4, distinct=2)
    assert (stored.precision, stored.duplicates) == (4 / 7, 2)
    assert TRUTH.judge([]).precision is None


def test_the_best_possible_sees_every_record_once_on_full_pages() -> None:
    assert times_the_best(requests=55, seen=500, records=500, size=10, queries=5) == 1
    assert times_the_best(requests=55, seen=250, records=500, size=10, queries=5) == 2
    assert times_the_best(requests=6, seen=0, records=500, size=10, queries=0) == inf


def test_the_page_size_is_given_or_the_largest_that_was_seen() -> None:
    pages = [*answers(5, shown=7), *answers(5, shown=12)]

    assert (page_size(20, pages), page_size(None, pages), page_size(None, [])) == (20, 12, 1)


def test_requests_are_held_against_robots_txt() -> None:
    robots = "User-agent: *\nDisallow: /search\n\nUser-agent: hiddenweb\nDisallow: /private\n"
    urls = [
        "http://a.test/robots.txt",
        "http://a.test/search?q=a",
        "http://a.test/private/1",
        "http://a.test/private/1",
    ]

    assert forbidden(robots, "hiddenweb/0.1", urls) == {"http://a.test/private/1": 2}
    assert forbidden(robots, "another", urls) == {"http://a.test/search?q=a": 1}
    assert forbidden("", "hiddenweb/0.1", urls).total() == 0


@pytest.mark.parametrize(
    ("kept", "estimate"),
    [
        pytest.param(["[50, 51, 50, 52]"], Estimate(50, 51.0, 50.0, 52.0), id="an interval"),
        pytest.param(["", "[7, 9, 8, 10]", "[50, 51, 50, 52]"], Estimate(50, 51.0, 50.0, 52.0), id="of the largest"),
        pytest.param(["[50, null, 1205, null]"], Estimate(50, None, 1205.0, None), id="unknown, at least"),
        pytest.param(["[50, 60, 50, Infinity]"], Estimate(50, 60.0, 50.0, None), id="without an upper end"),
        pytest.param(["[50]"], Estimate(50, None, 50.0, None), id="only what is known"),
        pytest.param(
            ['{"known": 50, "size": 60, "low": 55, "high": 70}'], Estimate(50, 60.0, 55.0, 70.0), id="by names"
        ),
        pytest.param([""], None, id="none"),
    ],
)  # fmt: skip
def test_estimates_are_read_as_the_state_keeps_them(kept: list[str], estimate: Estimate | None) -> None:
    assert estimate_of(kept) == estimate


def test_an_estimate_is_false_when_its_interval_does_not_hold_the_truth() -> None:
    assert Estimate(50, 51, 50, 52).is_false(63_436)
    assert Estimate(50, 90, 80, 100).is_false(70)
    assert not Estimate(974, 974, 974, 974).is_false(975)  # one of them no search finds
    assert not Estimate(50, None, 50, None).is_false(63_436)
    assert Estimate(50, None, 200, None).is_false(100)
    assert Estimate(50, 110, 50, 120).error(100) == pytest.approx(0.1)
    assert Estimate(50, None, 50, None).error(100) is None


def test_the_oracle_is_read_and_interpolated() -> None:
    points = oracle_in(ORACLE)

    assert points == {"shop": {10: 0.1, 50: 0.4}, "wiki": {10: 1.0, 50: 1.0}}
    assert interpolate(points["shop"], 30) == pytest.approx(0.25)
    assert interpolate(points["shop"], 5) == pytest.approx(0.05)
    assert interpolate(points["shop"], 51) is None


def test_beyond_its_table_the_oracle_is_computed(tmp_path: Path) -> None:
    (tmp_path / "oracle.txt").write_text(ORACLE, encoding="utf-8")
    program = "import json, sys\nname, _, k, _, into = sys.argv[1:]\n"
    program += "json.dump({name: {'greedy': {k: [0.62, 70]}}}, open(into, 'w'))\n"
    (tmp_path / "oracle.py").write_text(program, encoding="utf-8")
    sites = Sites(tmp_path)

    assert (sites.oracle("shop", 50), sites.oracle("shop", 70), sites.oracle("other", 5)) == (0.4, 0.62, None)


def test_a_capped_site_counts_by_the_oracle() -> None:
    capped = outcome(ours=crawled(40), oracle=0.44)

    assert capped.is_reached
    assert not outcome(ours=crawled(40), oracle=0.5).is_reached
    assert not outcome(ours=crawled(40)).is_reached
    assert not outcome(ours=crawled(0), oracle=0.0).is_reached


def test_figures_are_those_that_are_wanted() -> None:
    unknown = Estimate(40, None, 40.0, None)
    outcomes = [
        outcome(),
        outcome("b", ours=crawled(0, strangers=2), kept=Kept(0, Stored(0, 0, 0), None), posts=1),
        outcome("c", ours=crawled(40), kept=Kept(1, Stored(40, 39, 39), unknown), theirs=None, forbidden=4),
    ]

    figures = figures_of(outcomes)

    assert {name: value for name, value in figures.items() if name != "sites"} == {
        "sites_at_95": 1,
        "sites_at_0": 1,
        "median_coverage": 0.4,
        "vs_homemade_min": 0.0,
        "vs_homemade_median": 1.0,
        "requests_vs_best_median": 1.0,
        "record_precision_min": 0.975,
        "estimate_error_median": 0.04,
        "estimates_false": 0,
        "harm": 7,
    }
    assert list(figures["sites"]) == ["a", "b", "c"]  # type: ignore[call-overload]


def test_a_site_without_a_script_shows_a_dash() -> None:
    with_script, without = row(outcome()), row(outcome(theirs=None))

    assert [("-", cell) for cell in with_script if cell == "-"] == []
    assert without.count("-") == 3


def test_the_halves_share_nothing_and_sites_can_be_named() -> None:
    known = (*HALVES["development"], *HALVES["held-out"])

    assert len(set(known)) == 14
    assert choose_sites("", "development", known) == list(HALVES["development"])
    assert choose_sites("", "held-out", ("datasette", "redmine")) == ["redmine"]
    assert choose_sites("sks, omega", "held-out", known) == ["sks", "omega"]
    assert len(choose_sites("", "all", known)) == 14


def test_without_the_sites_it_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HIDDENWEB_REALSITES", str(tmp_path / "nowhere"))
    with pytest.raises(Skipped, match="HIDDENWEB_REALSITES names the folder of the real sites"):
        find_sites()

    assert runner.run_one("real", Options(quick=False, seed=7, data=None)) == 0

    assert "there is no realsites" in json.loads(capsys.readouterr().out.splitlines()[-1])["skipped"]


def test_it_is_no_part_of_a_quick_run() -> None:
    with pytest.raises(Skipped, match="no quick run"):
        real.run(Options(quick=True, seed=7, data=None))

    assert "real" in runner.NOT_IN_ALL


def test_changes_are_kept_apart_from_harvests() -> None:
    def kept_as(*further: str) -> str:
        return real.result_name(Options(quick=False, seed=7, data=None, further=further))

    assert (kept_as("--minutes", "3"), kept_as("--changes")) == ("real", "real_changes")


@pytest.mark.parametrize(
    ("further", "is_full"),
    [
        ((), True),
        (("--jobs", "2", "--keep", "x"), True),
        (("--changes",), True),
        (("--sites", "omega"), False),
        (("--half", "held-out"), False),
        (("--minutes", "3"), False),
        (("--home-made-minutes", "0"), False),
    ],
)
def test_a_run_that_leaves_something_out_is_known(further: tuple[str, ...], is_full: bool) -> None:
    assert real.is_full(Options(quick=False, seed=7, data=None, further=further)) is is_full


def test_only_benchmarks_with_options_of_their_own_take_some(monkeypatch: pytest.MonkeyPatch) -> None:
    assert runner.takes_more("real")
    assert not runner.takes_more("forms")
    monkeypatch.setattr(sys, "argv", ["benchmarks", "forms", "--minutes", "3"])

    with pytest.raises(SystemExit):
        runner.main()


def test_a_crawl_that_overruns_its_time_is_interrupted(tmp_path: Path) -> None:
    waits, ends = "import signal; print('here', flush=True); signal.pause()", "print('done')"

    _, in_time = run_crawl([sys.executable, "-c", waits], tmp_path, tmp_path / "log", seconds=2.0)
    assert not in_time
    assert "here" in (tmp_path / "log").read_text(encoding="utf-8")

    _, in_time = run_crawl([sys.executable, "-c", ends], tmp_path, tmp_path / "log", seconds=60.0)
    assert in_time
    assert (tmp_path / "log").read_text(encoding="utf-8") == "done\n"


BEFORE = {"1": ("/item/1", "one\nold"), "2": ("/item/2", "two"), "3": ("/item/3", "three")}
AFTER = {"1": ("/item/1", "one\nold\nRevised today."), "3": ("/item/3", "three"), "a b": ("/item/a_b", "new")}


def test_the_records_of_a_page_are_known_by_their_addresses() -> None:
    page = read_page(
        "http://a.test/?q=x", '<p>A &amp; B <a href="/item/1">one</a> <a href=item/9>x</a>', TRUTH
    )

    assert page == Shown(frozenset({"1"}), "A & B one x")


@pytest.mark.parametrize(
    ("known", "shown", "own", "can_be_seen"),
    [
        pytest.param(
            Harvested(frozenset({"1", "2"}), frozenset(), (), 3),
            [Shown(frozenset({"1", "a b"}), "one old Revised today. new")],
            {},
            {("edit", "1"), ("delete", "2"), ("add", "a b")},
            id="all on an answer",
        ),
        pytest.param(
            Harvested(frozenset({"1"}), frozenset(), (), 3), [Shown(frozenset({"1"}), "one")], {}, set(),
            id="an edit that no page shows, a deleted record that nobody had met",
        ),
        pytest.param(
            Harvested(frozenset({"1"}), frozenset({"1"}), (), 3), [], {"1": "one old Revised today."}, {("edit", "1")},
            id="an edit on the record's own page",
        ),
    ],
)  # fmt: skip
def test_what_can_be_seen_of_a_change(
    known: Harvested, shown: list[Shown], own: dict[str, str], can_be_seen: set[Found]
) -> None:
    assert visible(BEFORE, AFTER, known, shown, own) == can_be_seen


def test_what_a_revisit_told_is_judged() -> None:
    url = "http://a.test/?q=x"
    told = [
        Change("record added", url, 1.0, key="http://a.test/item/a_b"),
        Change("record removed", url, 1.0, key="http://a.test/item/3"),  # it was pushed to another page
        Change("content", "http://a.test/item/1", 1.0),
        Change("content", url, 1.0),
        Change("template", "http://a.test/item/3", 1.0),
    ]
    can_be_seen: frozenset[Found] = frozenset({("edit", "1"), ("delete", "2"), ("add", "a b")})

    verdict = judge(told, TRUTH, BEFORE, AFTER, {"1", "2", "3"}, can_be_seen)

    assert verdict == Verdict(
        can_be_seen, can_be_seen - {("delete", "2")}, frozenset({("delete", "3")}), 0, 2
    )
    assert verdict.missed == {("delete", "2")}
    figures = figures_of_changes({"a": verdict})
    assert (figures["changes_found"], figures["changes_false"]) == (0.6667, 1)


def test_a_record_that_nobody_had_met_is_not_falsely_added() -> None:
    told = [Change("record added", "http://a.test/?q=x", 1.0, key="http://a.test/item/3")]

    assert judge(told, TRUTH, BEFORE, AFTER, {"1", "2"}, frozenset()).newly_met == 1
    assert judge(told, TRUTH, BEFORE, AFTER, {"1", "2", "3"}, frozenset()).false == {("add", "3")}
