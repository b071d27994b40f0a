"""Controls are values: alike ones are equal, whatever function splits their windows."""

from __future__ import annotations

from hiddenweb.querying.query_control import ControlOption, QueryControl


def test_controls_are_compared_without_their_functions() -> None:
    windows = (ControlOption("1..9"),)

    one = QueryControl("year", "range", windows, "Year", split=lambda _: None)
    other = QueryControl("year", "range", windows, "Year", split=lambda window: (window, window))

    assert one == other
    assert hash(one) == hash(other)
    assert one != QueryControl("year", "select", windows, "Year")
