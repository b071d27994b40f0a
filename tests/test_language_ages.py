"""How long ago something was, in many languages."""

from __future__ import annotations

import pytest

from hiddenweb.language.ages import UNITS, age_pattern, is_weekday, may_have_time, unit_patterns


@pytest.mark.parametrize(
    "text",
    [
        "3 minutes ago", "about 3 minutes ago", "1 week, 2 days ago", "vor etwa einem Monat", "il y a 2 jours", "hace una hora",
        "2 ore fa", "för 3 dagar sedan", "5 минут назад", "gestern", "昨天", "3 分钟前", "어제", "เมื่อวาน", "منذ 3 أيام", "yesterday",
    ],
)  # fmt: skip
def test_an_age_is_found_whole(text: str) -> None:
    found = age_pattern().search(f"- {text}")

    assert may_have_time(text)
    assert found is not None
    assert found[0] == text


@pytest.mark.parametrize("text", ["3 rooms", "Old Roads", "agony"])
def test_other_texts_have_no_age(text: str) -> None:
    assert not age_pattern().search(text)


def test_days_of_the_week_are_known_by_their_names() -> None:
    assert is_weekday("Montag")
    assert is_weekday("quarta-feira")
    assert not is_weekday("today")


def test_every_unit_has_words_and_seconds() -> None:
    assert [seconds for seconds, _ in unit_patterns()] == list(UNITS.values())
    assert all(
        pattern.search(f"3 {unit}s") for unit, (_, pattern) in zip(UNITS, unit_patterns(), strict=True)
    )
