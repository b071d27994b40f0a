"""Telling of records as they are found, to feeds and to whoever else listens to `signals.record_found`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pydispatch.dispatcher import getReceivers

from hiddenweb.model import values_by_name
from hiddenweb.signals import ATTRIBUTES, RECORD_COLUMNS, TYPED, record_found
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.signalmanager import SignalManager

    from hiddenweb.model import Fetched

_TAKEN = frozenset((*RECORD_COLUMNS, ATTRIBUTES, TYPED))


def tell_record(
    signals: SignalManager,
    visit: Fetched,
    title: str,
    url: str,
    attributes: Iterable[tuple[str, str]],
    *,
    source: str = "",
    kind: str = "record",
    typed: Mapping[str, list[object]] | None = None,
) -> None:
    """Tell of a record that is new or has other attributes, which a visit has brought; costs next to nothing if nobody listens."""
    if not getReceivers(signals.sender, record_found):
        return
    site = registered_domain(visit.task.url)
    signals.send_catch_log(
        record_found,
        row=row_of(site, url, title, attributes, source=source, at=visit.at, kind=kind)
        | (
            {TYPED: {name: each[0] if len(each) == 1 else each for name, each in typed.items()}}
            if typed
            else {}
        ),
    )


def row_of(
    site: str,
    url: str,
    title: str,
    attributes: Iterable[tuple[str, str]],
    *,
    source: str = "",
    at: float = 0.0,
    kind: str = "record",
) -> dict[str, str | list[str]]:
    """Return a record as feeds write it.

    An attribute that is called title is the title; one whose name is taken by another column gets a line behind it.

    >>> row_of("a.example", "http://a.example/5", "The River", [("author", "Jane Smith"), ("url", "river.example")])
    ... # doctest: +NORMALIZE_WHITESPACE
    {'site': 'a.example', 'url': 'http://a.example/5', 'title': 'The River', 'author': 'Jane Smith', 'url_': 'river.example',
     'extractor': '', 'found_at': '1970-01-01T00:00:00+00:00', 'kind': 'record'}
    """
    values = values_by_name(attributes)
    row: dict[str, str | list[str]] = {"site": site, "url": url, "title": values.pop("title", title)}
    for name, value in values.items():
        free = name
        while free in _TAKEN or free in row:
            free += "_"
        row[free] = value
    found_at = datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    return row | {"extractor": source, "found_at": found_at, "kind": kind}
