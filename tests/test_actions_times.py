"""Times as people type them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from hiddenweb.actions.times import time_of

NOW = datetime(2024, 5, 8, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("when", "at"),
    [
        ("12h", NOW - timedelta(hours=12)),
        ("2w", NOW - timedelta(weeks=2)),
        ("2024-05-01", datetime(2024, 5, 1, tzinfo=UTC)),
        ("2024-05-01 10:30", datetime(2024, 5, 1, 10, 30, tzinfo=UTC)),
        ("2024-05-01T10:30+02:00", datetime(2024, 5, 1, 8, 30, tzinfo=UTC)),
    ],
)
def test_dates_and_ages_are_times(when: str, at: datetime) -> None:
    assert time_of(when, NOW) == at


@pytest.mark.parametrize("when", ["", "soon", "7", "7 d", "01.05.2024"])
def test_other_words_are_none(when: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        time_of(when, NOW)
