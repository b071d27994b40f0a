"""What a crawl may cost, as arguments say it: `-a queries=50 -a pages=1000 -a time=30m`. Each takes the place of a setting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.frontier.stopping import seconds_of

if TYPE_CHECKING:
    from collections.abc import Mapping

BUDGETS = {
    "queries": ("HIDDENWEB_QUERIES_PER_FORM",),
    "pages": (
        "HIDDENWEB_PAGES_PER_SITE",
        "HIDDENWEB_EXPLORED_PER_SITE",
        "HIDDENWEB_RECORD_PAGES_PER_SITE",
    ),
    "time": ("HIDDENWEB_TIME",),
}
"""Arguments, and the settings whose place they take: so many pages in all, of whatever kind."""

_LEAST = {"queries": 0, "pages": 1}
_MOST_DIGITS = 15


def problems_with_budgets(given: Mapping[str, str]) -> list[str]:
    """Return a line for every budget that cannot be meant so."""
    return [f"{name}: {why}" for name, value in given.items() if (why := _problem(name, str(value)))]


def _problem(name: str, value: str) -> str:
    if name == "time":
        try:
            seconds_of(value)
        except ValueError as error:
            return str(error)
        return ""
    least = _LEAST[name]
    is_number = value.strip().isascii() and value.strip().isdigit() and len(value.strip()) <= _MOST_DIGITS
    if is_number and int(value) >= least:
        return ""
    return f"{value[:100]!r} cannot be used; wanted a whole number, {least} or more"
