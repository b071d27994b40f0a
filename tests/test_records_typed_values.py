from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb.records.typed_values import WrittenAs, kind_of, parse_value, source_of

KINDS = (
    "url", "email", "doi", "isbn", "issn", "coordinates", "percentage", "price", "year", "date", "duration", "size", "phone", "boolean", "number",
)  # fmt: skip


def value(raw: str, kind: str, *, decimal: str = "", order: str = "", language: str = "") -> object:
    read = parse_value(raw, kind, WrittenAs(decimal, order, language))
    assert read is None or (read.raw, read.kind) == (raw, kind)
    return read.value if read else None


def test_other_values_decide_the_decimal_mark_and_then_the_language_does() -> None:
    assert value("1.234", "number", decimal=source_of(["1.234", "2,5"]).decimal) == 1234
    assert value("1.234", "number", decimal=source_of(["1.234", "2.5"]).decimal) == "1.234"
    assert value("1,234", "number", decimal=source_of(["1,234", "1,234,567"]).decimal) == 1234
    assert value("1.234", "number", decimal=source_of(["1.234"], "de").decimal) == 1234
    assert value("1.234", "number", decimal=source_of(["1.234"], "en-GB").decimal) == "1.234"
    assert source_of(["1.234"]).decimal == ""
    assert source_of(["1,5", "1.5"]).decimal == ""  # they contradict each other
    assert source_of(["2.5"], "de").decimal == "."  # what is written decides before the language
    assert value("2,5", "number", decimal=".") is None
    assert source_of(["04.03.2021"]).decimal == ""  # a date is no number


@pytest.mark.parametrize(
    ("raw", "amount", "currency"),
    [
        ("12,50 €", "12.50", "EUR"),
        ("€12.50", "12.50", "EUR"),
        ("€ 1.234,00", "1234.00", "EUR"),
        ("12.50 EUR", "12.50", "EUR"),
        ("eur 12", "12", "EUR"),
        ("12 euros", "12", "EUR"),
        ("12,- €", "12", "EUR"),
        ("£9", "9", "GBP"),
        ("US$ 1,299.00", "1299.00", "USD"),
        ("$9,970.00", "9970.00", "$"),  # of which country?
        ("$ 5 USD", None, None),  # the two do not say the same
        ("CHF 1'234.50", "1234.50", "CHF"),
        ("₹1,23,456.00", "123456.00", "INR"),
        ("1 299,00 zł", "1299.00", "PLN"),
        ("1\u00a0299 ₽", "1299", "RUB"),
        ("500 руб.", "500", "RUB"),
        ("1.299,00 TL", "1299.00", "TRY"),
        ("1200 円", "1200", "JPY"),
        ("￥1200", "1200", "¥"),
        ("฿350", "350", "THB"),
        ("350 บาท", "350", "THB"),
        ("٣٥٠ ر.س", "350", "SAR"),
        ("R$ 10,00", "10.00", "BRL"),
        ("-5,00 €", "-5.00", "EUR"),
        ("12.50", None, None),  # no currency
        ("12.50 XYZ", None, None),
        ("from 12 €", None, None),
        ("12 € / kg", None, None),
        ("6 ft", None, None),  # feet
        ("1.234 €", None, None),  # twelve hundred or one?
    ],
)
def test_prices_have_an_amount_and_a_currency(raw: str, amount: str | None, currency: str | None) -> None:
    assert value(raw, "price") == ({"amount": amount, "currency": currency} if amount else None)


def test_the_language_decides_currencies_that_share_a_sign() -> None:
    assert value("100 kr", "price") == {"amount": "100", "currency": "kr"}
    assert value("100 kr", "price", language="sv") == {"amount": "100", "currency": "SEK"}
    assert value("¥100", "price", language="ja") == {"amount": "100", "currency": "JPY"}
    assert value("500 Ft", "price", language="hu") == {"amount": "500", "currency": "HUF"}
    assert value("500 Ft", "price") is None


@pytest.mark.parametrize(
    ("raw", "low", "high"),
    [("10-12 EUR", "10", "12"), ("10 – 12 €", "10", "12"), ("€10 - €12.50", "10", "12.50"), ("12-10 EUR", None, None), ("10-12", None, None), ("10 € - 12 £", None, None)],
)  # fmt: skip
def test_ranges_of_prices_have_two_ends_or_stay_as_they_are(
    raw: str, low: str | None, high: str | None
) -> None:
    assert value(raw, "price") == ({"low": low, "high": high, "currency": "EUR"} if low else None)


def test_other_dates_decide_whether_the_day_comes_first() -> None:
    values = ["03/04/2021", "25/12/2020"]

    assert value(values[0], "date", order=source_of(values).order) == {"date": "2021-04-03", "precision": "day"}  # fmt: skip
    assert value(values[0], "date", order=source_of([values[0], "12/25/2020"]).order) == {"date": "2021-03-04", "precision": "day"}  # fmt: skip
    assert source_of([*values, "12/25/2020"]).order == ""
    assert value("1 listopad 2020", "date", language="pl") == {"date": "2020-11-01", "precision": "day"}


@pytest.mark.parametrize(
    ("raw", "seconds"),
    [
        ("2h 30m", 9000), ("2 hours 5 minutes", 7500), ("120 min", 7200), ("1:30:00", 5400), ("PT1H30M", 5400), ("P1D", 86400), ("1 Std. 30 Min.", 5400),
        ("1 ч 30 мин", 5400), ("2時間5分", 7500), ("90分", 5400), ("1 hour and 5 minutes", 3900), ("2:05", None), ("5 m", None), ("30m 2h", None), ("2 months", None), ("PT", None), ("h", None),
    ],
)  # fmt: skip
def test_durations_are_seconds(raw: str, seconds: int | None) -> None:
    assert value(raw, "duration") == seconds


@pytest.mark.parametrize(
    ("raw", "kind", "read"),
    [
        ("978-3-16-148410-0", "isbn", "9783161484100"),
        ("ISBN-13: 9783161484100", "isbn", "9783161484100"),
        ("ISBN 3-16-148410-X", "isbn", "9783161484100"),
        ("9783161484101", "isbn", None),  # the check digit is wrong
        ("3161484101", "isbn", None),
        ("ISSN 0317-8471", "issn", "0317-8471"),
        ("2434-561x", "issn", "2434-561X"),
        ("0317-8472", "issn", None),
        ("https://doi.org/10.1000/ABC.1", "doi", "10.1000/abc.1"),
        ("doi:10.1000/182", "doi", "10.1000/182"),
        ("10.5/x", "doi", None),
        ("https://a.example/b?c=1", "url", "https://a.example/b?c=1"),
        ("www.a.example", "url", "www.a.example"),
        ("http://[", "url", None),
        ("a.example", "url", None),
        ("mailto:a.b@c.example", "email", "a.b@c.example"),
        ("a@b", "email", None),
        ("+49 (30) 123-4567", "phone", "+49301234567"),
        ("(555) 123-4567", "phone", "5551234567"),
        ("12.03.2021", "phone", None),
        ("12", "phone", None),
        ("52.5200, 13.4050", "coordinates", {"lat": 52.52, "lon": 13.405}),
        ("52°31′12″N 13°24′18″E", "coordinates", {"lat": 52.52, "lon": 13.405}),
        ("33°52'10\"S, 151°12'30\"E", "coordinates", {"lat": -33.8694444, "lon": 151.2083333}),
        ("95.00, 13.40", "coordinates", None),
        ("12.5 %", "percentage", "12.5"),
        ("12,5%", "percentage", "12.5"),
        ("%5", "percentage", 5),
        ("٥٪", "percentage", 5),
        ("12", "percentage", None),
        ("10 x 20 cm", "size", {"values": ["10", "20"], "unit": "cm"}),
        ("10 × 20,5 × 3 mm", "size", {"values": ["10", "20.5", "3"], "unit": "mm"}),
        ("1920×1080", "size", {"values": ["1920", "1080"], "unit": ""}),
        ("180 cm", "size", {"values": ["180"], "unit": "cm"}),
        ("5 apples", "size", None),
        ("5", "size", None),
        ("10 cm x 2 kg", "size", None),
        ("1998", "year", 1998),
        ("198", "year", None),
        ("3021", "year", None),
        ("Ja", "boolean", True),
        ("НЕТ", "boolean", False),
        ("perhaps", "boolean", None),
        ("x", "no such kind", None),
    ],
)  # fmt: skip
def test_values_of_other_kinds(raw: str, kind: str, read: object) -> None:
    assert value(raw, kind) == read


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], "text"),
        (["", " "], "text"),
        (["The River", "Old Roads"], "text"),
        (["12", "13", "x1"], "text"),
        (["1", "2", "3", "4", "many"], "number"),  # four of five are enough
        (["1.234", "5.678"], "number"),
        (["1998", "2004", "1875"], "year"),
        (["1998", "2004", "12"], "number"),
        (["12,50 €", "13,00 €", "1.300 €"], "price"),
        (["03/04/2021", "05/06/2021"], "date"),
        (["March 2021", "2020-01-05"], "date"),
        (["9783161484100"], "isbn"),
        (["3161484100", "1111111111", "2222222222"], "number"),
        (["5 %", "7,5 %"], "percentage"),
        (["https://a.example/", "http://b.example/x"], "url"),
        (["a@b.example"], "email"),
        (["10.1000/182"], "doi"),
        (["+49 30 1234567", "+1 555 123 4567"], "phone"),
        (["10 x 20 cm", "3 kg"], "size"),
        (["90 min", "1h 20m"], "duration"),
        (["yes", "no", "no"], "boolean"),
        (["52.5200, 13.4050"], "coordinates"),
        (["x" * 10_000], "text"),
        (["1" * 10_000], "text"),
    ],
)
def test_the_kind_is_decided_from_all_values(values: list[str], kind: str) -> None:
    assert kind_of(values) == kind


def test_the_name_of_an_attribute_may_decide_its_kind() -> None:
    assert kind_of(["555-123-4567"]) != "phone"
    assert kind_of(["555-123-4567"], "Phone number") == "phone"
    assert kind_of(["316148410X"], "ISBN") == "isbn"


TEXTS = st.text(max_size=60) | st.text(
    "0123456789.,'- /:%€$¥x٠٣٫٬१２年月日APM°′N+()@\u00a0\u202fmarchMärz", max_size=40
)


@given(TEXTS, st.sampled_from(KINDS), st.sampled_from(["", ".", ","]), st.sampled_from(["", "dmy", "mdy"]))
def test_any_text_is_read_or_not_and_what_is_read_is_json(
    raw: str, kind: str, decimal: str, order: str
) -> None:
    read = parse_value(raw, kind, WrittenAs(decimal, order))

    assert read is None or json.loads(json.dumps(read.value)) == read.value


@given(st.lists(TEXTS, max_size=8), st.text(max_size=10), st.text(max_size=5))
def test_any_texts_have_a_kind(values: list[str], name: str, language: str) -> None:
    kind = kind_of(values, name, language)
    source = source_of(values, language)

    assert kind in (*KINDS, "text")
    assert all(
        read is None or read.kind == kind for read in (parse_value(each, kind, source) for each in values)
    )


@given(st.integers(-(10**15), 10**15))
def test_whole_numbers_come_back(number: int) -> None:
    assert value(str(number), "number") == number
