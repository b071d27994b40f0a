from __future__ import annotations

import time
from dataclasses import replace

import pytest

from hiddenweb.html.limits import LIMITS, PageLimits
from hiddenweb.html.reader import read_page


def test_the_time_for_a_page_begins_when_it_is_asked_for() -> None:
    now = iter([5.0, 60.0])
    limits = PageLimits(seconds=2.5, clock=lambda: next(now))

    assert [limits.deadline(), limits.deadline()] == [7.5, 62.5]


def test_waiting_for_a_busy_machine_takes_nothing_of_the_time() -> None:
    assert LIMITS.clock is time.thread_time


@pytest.mark.parametrize(
    ("limits", "mark"),
    [
        (replace(LIMITS, bytes=50), "truncated"),
        (replace(LIMITS, tags=3), "many_tags"),
        (replace(LIMITS, links=1), "many_links"),
        (replace(LIMITS, forms=1), "many_forms"),
        (replace(LIMITS, fields=1), "many_fields"),
        (replace(LIMITS, options=1), "many_options"),
        (LIMITS, ""),
    ],
)
def test_a_page_beyond_a_limit_says_which(limits: PageLimits, mark: str) -> None:
    form = b"<form><input name=a><input name=b><select name=c><option>1<option>2</select></form>"

    page = read_page(b"<a href=/1>x</a><a href=/2>y</a>" + form * 2, "http://a.example/", limits=limits)

    assert page.marks == ((mark,) if mark else ())
