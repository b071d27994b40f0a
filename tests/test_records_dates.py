from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.records.dates import PartialDate, date_in, date_order, days_in
from hiddenweb.records.numbers import LONGEST


@pytest.mark.parametrize(
    ("raw", "iso"),
    [
        ("2021-03-04", "2021-03-04"),
        ("2021/3/4", "2021-03-04"),
        ("04.03.2021", "2021-03-04"),
        ("25/04/2021", "2021-04-25"),
        ("04/25/2021", "2021-04-25"),
        ("04/04/2021", "2021-04-04"),
        ("03/04/2021", None),
        ("03-04-2021", None),
        ("03/04/21", None),
        ("4 March 2021", "2021-03-04"),
        ("March 4th, 2021", "2021-03-04"),
        ("Thu, 4 Mar 2021", "2021-03-04"),
        ("10th of May 2020", "2020-05-10"),
        ("4. März 2021", "2021-03-04"),
        ("Donnerstag, 4. März 2021", "2021-03-04"),
        ("mar. 4 mars 2021", "2021-03-04"),
        ("1er février 2021", "2021-02-01"),
        ("4 de marzo de 2021", "2021-03-04"),
        ("4 marzo 2021", "2021-03-04"),
        ("12 grudnia 2020", "2020-12-12"),
        ("4 Mart 2021", "2021-03-04"),
        ("4 марта 2021 г.", "2021-03-04"),
        ("٤ مارس ٢٠٢١", "2021-03-04"),
        ("2021年3月4日", "2021-03-04"),
        ("2021年3月4日(木)", "2021-03-04"),
        ("２０２１年３月", "2021-03"),
        ("2021년 3월 4일", "2021-03-04"),
        ("4 มีนาคม 2564", "2021-03-04"),  # the Thai calendar
        ("४ मार्च २०२१", "2021-03-04"),
        ("2021. március 4.", "2021-03-04"),
        ("4 maart 2021", "2021-03-04"),
        ("March 2021", "2021-03"),
        ("2021-03", "2021-03"),
        ("2021-03-04T10:30:00Z", "2021-03-04T10:30:00Z"),
        ("04.03.2021 10:30", "2021-03-04T10:30"),
        ("Mar 4, 2021 10:30 PM", "2021-03-04T22:30"),
        ("29 February 2021", None),  # there was none
        ("31.04.2021", None),
        ("2021-13-01", None),
        ("4 March 2021 and later", None),
        ("March", None),
        ("4 March", None),
        ("1 2 March 2021", None),
        ("0 March 2021", None),
        ("2021-00-05", None),
        ("00/12/2021", "2021-12"),  # of an unknown day
        ("4 March 2021 12:05 am", "2021-03-04T00:05"),
        ("4 March 2021 13:00 pm", None),
        ("2021-03-04 25:00", None),
        ("2021-03-04T10:30:00.5+0530", "2021-03-04T10:30:00+05:30"),
        ("2021-03-04T10:30+15:00", None),  # no place is so far ahead
        ("0999-01-01", None),
        ("1 listopad 2020", None),  # October in Croatia, November in Poland
        ("Model 2021-03-04", None),
    ],
)
def test_dates_are_as_exact_as_they_are_written(raw: str, iso: str | None) -> None:
    read = date_in(raw)

    assert (read.iso if read else None) == iso


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2021", []),  # a number
        ("2021年", [PartialDate("2021", "year")]),
        ("3/2021", [PartialDate("2021-03", "month")]),
        ("2021-03-04 10:30:05", [PartialDate("2021-03-04T10:30:05", "second")]),
        ("25/04/2021", [PartialDate("2021-04-25", "day", "dmy")]),
        ("25/25/2021", []),
        ("03.04.2021", [PartialDate("2021-04-03", "day")]),  # with dots the day is always first
        (
            "03/04/2021",
            [PartialDate("2021-04-03", "day", "dmy", True), PartialDate("2021-03-04", "day", "mdy", True)],
        ),
    ],
)
def test_a_date_says_how_exact_it_is_and_which_order_it_has(text: str, days: list[PartialDate]) -> None:
    assert days_in(text) == days


@pytest.mark.parametrize(
    ("texts", "order"),
    [
        (["03/04/2021", "25/12/2020"], "dmy"),
        (["03/04/2021", "12/25/2020"], "mdy"),
        (["03/04/2021"], ""),
        (["25/12/2020", "12/25/2020"], ""),  # they contradict each other
        (["25.12.2020", "2020-12-25", "x"], ""),
    ],
)
def test_dates_of_one_source_decide_the_order_of_all(texts: list[str], order: str) -> None:
    assert date_order(texts) == order


def test_a_date_in_figures_is_read_in_the_order_that_is_known() -> None:
    found = [date_in("03/04/2021", order) for order in ("dmy", "mdy", "")]

    assert [day.iso if day else None for day in found] == ["2021-04-03", "2021-03-04", None]


def test_the_language_decides_months_that_share_a_name() -> None:
    found = [date_in("1 listopad 2020", language=language) for language in ("pl", "hr_HR", "de")]

    assert [day.iso if day else None for day in found] == ["2020-11-01", "2020-10-01", None]


def test_a_raised_figure_is_no_day() -> None:
    assert days_in("March¹ 2021") == days_in("²") == []


def test_no_long_text_is_a_date() -> None:
    assert days_in("4 March 2021" + " " * LONGEST) == []


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)))
def test_dates_written_in_any_way_come_back(day: date) -> None:
    iso = day.isoformat()
    written = (iso, f"{day.day}.{day.month}.{day.year}", f"{day.year}年{day.month}月{day.day}日", f"{day:%B} {day.day}, {day.year}")  # fmt: skip

    assert [read.iso for each in written if (read := date_in(each))] == [iso] * 4
    assert iso in {read.iso for read in days_in(f"{day.day}/{day.month}/{day.year}")}
