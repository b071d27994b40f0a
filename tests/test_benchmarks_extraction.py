from __future__ import annotations

from benchmarks._extraction_lists import measure_list, measure_simweb, tally
from benchmarks._extraction_records import (
    COMMAS,
    Tally,
    Value,
    count,
    measure_datasette,
    measure_world,
    total,
)
from benchmarks._extraction_sites import read_site, site_names
from benchmarks.extraction import Counts, Scale, f1, figures_of, learning_pages, list_missed_targets, measure
from hiddenweb.extraction.list_induction import ListEntry
from hiddenweb.model import Record

SMALL = Scale(pages=22, timed=3, shown=1, absent=2, changed=12, attributes=1, kinds=3, compare=False)


def test_generated_sites_are_there_without_data_and_hold_what_they_say() -> None:
    names = site_names(None)

    sites = [read_site(None, name, 5) for name in names]

    assert len(names) == 8
    assert all(site.doubtful == 0 and len(site.pages) == 5 for site in sites)
    assert any(not page.truth["publisher"] for site in sites for page in site.pages)


def test_generated_sites_are_measured_in_all_parts() -> None:
    counted = [
        measure(None, name, 3, SMALL, turn)
        for name, turn in (("generated-0-table", 0), ("generated-0-cards", 2))
    ]

    figures = figures_of(counted)

    assert figures["attribute_recall"] == 1.0
    assert figures["multi_f1"] == 1.0
    assert isinstance(figures["recall_after_repair"], float)
    assert isinstance(figures["recall_redesigned_unrepaired"], float)
    assert figures["recall_redesigned_unrepaired"] < 0.8  # or the redesign changed nothing
    assert sum(each.taken_away for each in counted) > 20


def test_figures_that_are_not_good_enough_are_named() -> None:
    counts = Counts("a", pages=1, learnt=1, seconds=1.0)
    counts.wanted["x"], counts.hits["x"], counts.given["x"], counts.wrong["x"] = 4, 3, 4, 1

    missed = list_missed_targets(figures_of([counts]))

    assert "attribute_recall is 0.75, below 0.99" in missed
    assert "over_extraction is 0.25, above 0.01" in missed
    assert "ms_per_page is 1000.0, above 10.0" in missed


def test_lists_are_measured_by_layout() -> None:
    lists = [measure_list("table", 3, 2), measure_simweb(7, 12)]

    figures = figures_of([Counts("a", pages=1, learnt=1)], lists)

    assert figures["list_f1_generated"] == 1.0
    assert isinstance(figures["list_f1_simweb"], float)
    assert figures["list_f1_simweb"] > 0.9


def test_records_of_a_list_are_held_against_the_ones_they_belong_to() -> None:
    truth = [
        {"title": ["A"], "price": ["1"]},
        {"title": ["B"], "price": ["2"]},
        {"title": ["C"], "price": []},
    ]
    entries = [
        ListEntry({"title": ["a"], "price": ["2"]}, 1, {}),
        ListEntry({"title": ["B"], "price": ["2"]}, 2, {}),
        ListEntry({"title": ["Ad"], "price": []}, 3, {}),
    ]

    counted, without_b = tally(entries, truth, None), tally(entries, truth, 1)

    assert (counted.right, counted.wrong, counted.missed) == (3, 2, 2)
    assert (without_b.right, without_b.wrong, without_b.missed) == (1, 2, 2)


def test_f1_counts_values_once_and_whatever_their_case() -> None:
    assert f1(["A", "a", "b"], ["a", "b"]) == 1.0
    assert f1(["a", "x"], ["a", "b"]) == 0.5
    assert f1([], ["a"]) == 0.0


SHOWN = {
    1: [Value("title", "The River"), Value("year", "1999", "Year")],
    2: [Value("title", "The Sea"), Value("year", "2004", "Year")],
}


def record(*attributes: tuple[str, str]) -> Record:
    return Record("", "", "", attributes=attributes)


def counted(*records: Record) -> Tally:
    tally = Tally()
    count(tally, "a", SHOWN, records)
    return tally


RIVER, SEA = (
    record(("title", "The  River"), ("year", "1999")),
    record(("title", "The Sea"), ("year", "2004")),
)


def test_a_record_is_right_with_all_of_its_values_only() -> None:
    assert counted(RIVER, SEA).record_f1 == 1.0
    assert counted(RIVER, record(("title", "The Sea"))).right == 1
    assert counted(RIVER, record(("title", "The Sea"), ("year", "about 2004"))).right == 1


def test_a_record_that_is_none_counts_against_it() -> None:
    tally = counted(RIVER, SEA, record(("title", "Imprint")))

    assert tally.record_f1 == 0.8
    assert tally.attribute_f1 < 1.0


def test_names_are_those_of_the_page_or_always_the_same() -> None:
    assert counted(RIVER, SEA).name_accuracy == 1.0
    assert counted(record(("name", "The River"), ("jahr", "1999")), SEA).name_accuracy == 0.5


def test_automatic_records_of_simweb_and_of_datasette_are_found() -> None:
    by_layout = measure_world(3, 30)
    datasette = measure_datasette(3, 30, (5,))

    everything = total(by_layout.values())
    assert by_layout[COMMAS].wanted > 0
    assert everything.wanted > 50
    assert everything.record_f1 > 0.97
    assert datasette.wanted > 50
    assert datasette.record_f1 > 0.95


def test_it_is_learnt_from_ten_pages_and_tried_on_later_ones() -> None:
    site = read_site(None, "generated-0-table", 22)
    known = learning_pages(site, 3)

    counts = measure(None, "generated-0-table", 3, SMALL, 0)

    assert known == [page for number, page in enumerate(site.pages[:10]) if number != 3]
    assert counts.wanted["isbn"] == 12
