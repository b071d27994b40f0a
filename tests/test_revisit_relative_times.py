"""Ages depend on the clock, unless they became younger."""

from __future__ import annotations

import pytest

from hiddenweb.revisit.relative_times import only_time_passed


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("just now", "1 minute ago"),
        ("3 minutes ago", "an hour ago"),
        ("less than a minute ago", "about 2 hours ago"),
        ("6 days, 23 hours ago", "1 week ago"),
        ("1 week, 2 days ago", "2 weeks ago"),
        ("30 hours ago", "1 day ago"),
        ("just now", "3/4 hours ago"),
        ("3/4 hours ago", "1 1/2 hours ago"),
        ("1.5 hours ago", "2 hours ago"),
        ("40 days ago", "1 month ago"),
        ("11 months ago", "over 1 year ago"),
        ("3 hours ago", "yesterday"),
        ("yesterday", "Tuesday"),
        ("vor 5 Minuten", "vor etwa einer Stunde"),
        ("gestern", "vor 2 Tagen"),
        ("il y a 20 heures", "il y a environ 2 jours"),
        ("hace 3 días", "hace más de 1 semana"),
        ("há 2 dias", "há 3 dias"),
        ("2 ore fa", "3 giorni fa"),
        ("5 dagen geleden", "2 weken geleden"),
        ("för 2 timmar sedan", "för 3 dagar sedan"),
        ("2 godziny temu", "3 dni temu"),
        ("5 минут назад", "2 часа назад"),
        ("10 dakika önce", "3 saat önce"),
        ("3分前", "2時間前"),
        ("刚刚", "5分钟前"),
        ("5분 전", "2시간 전"),
        ("5 phút trước", "2 giờ trước"),
        ("منذ 5 دقائق", "منذ 3 أيام"),
    ],
)
def test_time_that_passed_is_no_change(before: str, after: str) -> None:
    old, new = f"31 Lamp of brass, {before} · unread", f"31 Lamp of brass, {after} · unread"
    assert only_time_passed(old, new)
    assert not only_time_passed(old, new.replace("unread", "resolved"))
    assert not only_time_passed(old, new.replace("31", "32"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("3 months ago", "just now"),
        ("3 days ago", "2 days ago"),
        ("about 1 year ago", "5 hours ago"),
        ("vor 2 Tagen", "vor 5 Minuten"),
        ("il y a 2 semaines", "hier"),
        ("2ヶ月前", "たった今"),
        ("2 года назад", "3 дня назад"),
        ("1 week, 2 days ago", "4 hours, 1 minute ago"),
    ],
)
def test_an_age_that_became_younger_is_a_change(before: str, after: str) -> None:
    assert not only_time_passed(f"Lamp, {before}", f"Lamp, {after}")


@pytest.mark.parametrize(
    ("before", "after"),
    [("Open on Monday", "Open on Tuesday"), ("in 3 rooms", "in 4 rooms"), ("2026-11-17", "2026-11-18")],
)
def test_dates_and_numbers_are_no_ages(before: str, after: str) -> None:
    assert not only_time_passed(before, after)


def test_a_number_before_a_fraction_is_no_part_of_the_age() -> None:
    assert only_time_passed("Issue 251 just now", "Issue 251 3/4 hours ago")
    assert not only_time_passed("Issue 251 just now", "Issue 252 3/4 hours ago")
