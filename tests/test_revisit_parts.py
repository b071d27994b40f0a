"""What a page says, part by part."""

from __future__ import annotations

import pytest
from timing import within

from hiddenweb.model import Record
from hiddenweb.revisit.parts import drop_record_lines, numbers_in, signs_of


def test_text_of_records_is_no_part_of_the_page() -> None:
    lines = ["Results", "Green tea", "Price: 5", "Black tea", "Price: 6", "Black tea is popular."]
    records = [Record("1", "Green tea", "Green tea Price: 5"), Record("2", "Black tea", "Black tea Price: 6")]

    assert drop_record_lines(lines, records) == ["Results", "Black tea is popular."]


@pytest.mark.parametrize(
    ("text", "is_money"),
    [
        ("£5", True),
        ("5,00 €", True),
        ("12 zł", True),
        ("¥300", True),
        ("300 บาท", True),
        ("5 krs", False),
        ("5 times", False),
        ("USD 5", True),
    ],
)
def test_prices_are_recognised_by_their_currency(text: str, is_money: bool) -> None:
    assert [number.is_money for number in numbers_in(text)] == [is_money]


@pytest.mark.parametrize("text", ["a" * 20_000, "acgt" * 10_000, "a-" * 10_000, "ab1-" * 5_000])
def test_long_words_cost_little_time(text: str) -> None:
    within(0.5, lambda: signs_of((text, text + "b")))
    within(0.5, lambda: numbers_in(text))
