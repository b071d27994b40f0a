"""Reporting records as they are found, to feeds and other receivers of `signals.record_found`."""

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

_RESERVED = frozenset((*RECORD_COLUMNS, ATTRIBUTES, TYPED))


def report_record(
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
    """Report a new or changed record of a fetched page; this costs next to nothing without receivers."""
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
    """Return a record as a row of feeds.

    The attribute `title` is the title; an attribute with the name of another column gets an underscore.

    >>> row_of("a.example", "http://a.example/5", "The River", [("author", "Jane Smith"), ("url", "river.example")])
    ... # doctest: +NORMALIZE_WHITESPACE
    {'site': 'a.example', 'url': 'http://a.example/5', 'title': 'The River', 'author': 'Jane Smith', 'url_': 'river.example',
     'extractor': '', 'found_at': '1970-01-01T00:00:00+00:00', 'kind': 'record'}
    """
    values = values_by_name(attributes)
    row: dict[str, str | list[str]] = {"site": site, "url": url, "title": values.pop("title", title)}
    for name, value in values.items():
        column = name
        while column in _RESERVED or column in row:
            column += "_"
        row[column] = value
    found_at = datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")
    return row | {"extractor": source, "found_at": found_at, "kind": kind}
