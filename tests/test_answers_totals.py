"""How many records a page says there are, and which of them it shows."""

from __future__ import annotations

import pytest

from hiddenweb.answers.totals import ShownRange, read_lower_bound, read_range, read_total, says_one, says_zero
from hiddenweb.model import HttpQuery, Page

QUERY = HttpQuery((("q", "1984"),), "1984")


def page(text: str) -> Page:
    return Page("http://a.example/find?q=1984", text=text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1-20 of 8,412", ShownRange(1, 20, 8412)),
        ("Showing 1 to 20 of 8412 entries", ShownRange(1, 20, 8412)),
        ("Treffer 1 – 20 von 8.412", ShownRange(1, 20, 8412)),
        ("Résultats 1 à 20 sur 8 412", ShownRange(1, 20, 8412)),
        ("全8412件中 1〜20件目", ShownRange(1, 20, 8412)),
        ("共8412条，第1到20条", ShownRange(1, 20, 8412)),
        ('"1984": 1-3 of 3', ShownRange(1, 3, 3)),
        ("Today is 2026-01-01", None),
        ("Open 9-17, since 1862", None),
        ("", None),
    ],
)
def test_a_range_and_a_total_are_read_in_any_order(text: str, expected: ShownRange | None) -> None:
    assert read_range(page(text), QUERY) == expected


def test_numbers_that_cannot_be_those_of_a_later_page_give_no_total() -> None:
    assert read_total(page("all 95: 21, to 40"), QUERY, 20, 2) == 95
    assert read_total(page("0, up to 5, or 5"), QUERY, 6, 2) is None
    assert (
        read_total(page("word " * 40 + "all 95: 21, to 40"), QUERY, 20, 2) is None
    )  # a text with numbers in it


def test_a_later_page_does_not_begin_with_the_first_record() -> None:
    assert read_range(page("21-40 of 95"), QUERY, 2) == ShownRange(21, 40, 95)
    assert read_range(page("21-40 of 95"), QUERY, 1) is None
    assert ShownRange(21, 40, 95).shown == 20


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("340 results", 340),
        ("Show 20 50 100\n340 results for wine", 340),
        ("Seite 1 2 3 340 Treffer", 340),
        ("32 rows where search matches", 32),
        ("A 2009 documentary about casinos", None),
        ("About 12,340 documents", 12340),
        ("Найдено записей: 340", 340),
        ("Löytyi 340 tulosta", 340),
        ("Hittade 340 träffar", 340),
        ("Nalezeno 340 záznamů", 340),
        ("340 találat", 340),
        ("Βρέθηκαν 340 αποτελέσματα", 340),
        ("נמצאו 340 תוצאות", 340),
        ("검색결과 340건", 340),
        ("Ditemukan 340 hasil", 340),
        ("Tìm thấy 340 kết quả", 340),
        ('Search results for "1984" (340)', 340),
        ("共1,340条", 1340),
        ("Books of 1984, 2 rooms", None),
        ("1 result", None),
        ("16 pages found:", 16),
        ("page 3 of 16", None),
        ("Search matched 114 pages:", 114),
        ("114 Seiten gefunden", 114),
        ("20 results per page", None),
        ("10 Treffer pro Seite", None),
        ("Powered by Search 1.2.22", None),
        ("Changed 2024-11-12\nresults", None),
        ("See RFC 1.23 documents", None),
        ("Items 4/12 found", None),
        ("340\nresults", 340),
    ],
)
def test_a_total_without_a_range_stands_beside_a_word_for_results(text: str, total: int | None) -> None:
    assert read_total(page(text), QUERY, 2) == total


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("100 books", 100),
        ("100 livres anciens", 100),
        ("300 books", None),
        ("100 of them", None),
        ("1 2 3 290 books", 290),
        ("1 2 … 20 1,999 книги", 1999),
        ("1 2 3 400 books", None),
        ("1 2 3", None),
    ],
)
def test_things_of_any_name_are_counted_if_they_fill_the_pages(text: str, total: int | None) -> None:
    assert read_total(page(text), QUERY, 100) == total


@pytest.mark.parametrize(
    ("text", "one"), [("1 result", True), ("1-1 of 1", True), ("11 results", False), ("nothing", False)]
)
def test_a_page_may_say_that_it_found_one(text: str, one: bool) -> None:
    assert says_one(page(text), QUERY) == one


def test_a_range_gives_the_total_though_one_of_its_records_is_shown_apart() -> None:
    assert read_total(page("Results 1 – 21 of 584"), QUERY, 20) == 584
    assert read_total(page("Results 1 – 21 of 584"), QUERY, 5) is None


@pytest.mark.parametrize(
    "text",
    [
        "Query returning more than 50 rows", "Over 50 results", "50+ hits", "at least 50 matches", "mehr als 50 Treffer", "Über 50 Ergebnisse",
        "au moins 50 résultats", "plus de 50 résultats", "más de 50 resultados", "oltre 50 risultati", "ponad 50 wyników", "более 50 результатов",
        "50件以上", "超过 50 条", "50'den fazla sonuç", "Only the first 50 are shown", "nur die ersten 50 Treffer", "1-50 of more than 50",
    ],
)  # fmt: skip
def test_a_number_that_there_is_more_than_is_a_bound_and_no_total(text: str) -> None:
    assert read_total(page(text), QUERY, 50) is None
    assert read_lower_bound(page(text), QUERY, 50) == 50


@pytest.mark.parametrize(
    ("text", "count", "bound"),
    [
        ("1-10 of over 1,000 results", 10, 1000),
        ("Founded more than 50 years ago", 10, None),
        ("50 results", 50, None),
        ("more than 20 results on each page", 50, None),
    ],
)
def test_a_bound_speaks_of_results(text: str, count: int, bound: int | None) -> None:
    assert read_lower_bound(page(text), QUERY, count) == bound


@pytest.mark.parametrize(
    ("text", "none"),
    [
        ("Found 0 matching: wine (0.0s)", True),
        ("Gefunden: 0", True),
        ("Найдено: 0", True),
        ("Found 10 matching: wine", False),
        ("Found 0 books and 3 records found", False),
        ("0 stars", False),
    ],
)
def test_a_page_that_says_0_found_nothing(text: str, *, none: bool) -> None:
    assert says_zero(page(text), QUERY) is none
