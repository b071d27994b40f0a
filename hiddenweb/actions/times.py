"""Times as people type them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
"""What the letters behind an age mean."""


def time_of(when: str, now: datetime) -> datetime:
    """Return the time of a date or an age.

    >>> time_of("7d", datetime(2024, 5, 8, tzinfo=UTC)) == time_of("2024-05-01", datetime(2024, 5, 8, tzinfo=UTC))
    True
    """
    if age := re.fullmatch(r"(\d{1,5})([hdw])", when):
        return now - int(age[1]) * _UNITS[age[2]]
    date = datetime.fromisoformat(when)
    return date if date.tzinfo else date.replace(tzinfo=UTC)
