"""Pages that say that a session or a token is not good any more."""

from __future__ import annotations

import pytest

from hiddenweb.answers.expiry import says_expired
from hiddenweb.model import HttpQuery, Page

QUERY = HttpQuery((("q", "wine"),), "wine")


@pytest.mark.parametrize(
    "text",
    [
        "Your session has expired. Please search again.",
        "Page Expired",
        "This form has timed out",
        "Invalid CSRF token",
        "CSRF verification failed: token missing",
        "Validation of viewstate MAC failed",
        "Please enable cookies to search.",
        "Ihre Sitzung ist leider abgelaufen.",
        "Ungültiges Token",
        "Votre session a expiré",
        "Su sesión ha caducado",
        "La sessione è scaduta",
        "Twoja sesja wygasła",
        "Oturumunuzun süresi doldu",
        "Ваша сессия истекла",
        "انتهت صلاحية الجلسة",
        "会话已过期",
        "セッションの有効期限が切れました",
        "เซสชันของคุณหมดอายุ",
    ],
)
def test_a_page_says_so_in_many_languages(text: str) -> None:
    assert says_expired(Page("http://a.example/find", text=text), QUERY)


@pytest.mark.parametrize(
    "text",
    [
        "No results found for wine",
        "3 results",
        "Sessions of the parliament, 1920 to 1950",
        "Token rings and other networks",
        "A page from the history of expired patents",
        "We use cookies.",
        "Sitzungen des Rates",
        "wine " * 600 + "your session has expired",
    ],
)
def test_other_pages_do_not(text: str) -> None:
    assert not says_expired(Page("http://a.example/find", text=text), QUERY)


def test_what_was_asked_for_does_not_count() -> None:
    query = HttpQuery((("q", "session expired"),), "session expired")

    assert not says_expired(Page("http://a.example/find", text="You asked for Session Expired"), query)
