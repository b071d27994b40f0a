"""The pages of a state with their sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from shop_state import NOW, keep, keep_books, url_of

from hiddenweb.store.database import Store
from hiddenweb.store.stored_pages import StoredPages
from hiddenweb.store.stored_records import RecordFilter, UnknownName

if TYPE_CHECKING:
    from pathlib import Path


def test_every_version_comes_by_address_and_time(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        keep_books(store, [2, 1])
        keep(store, url_of(1), "<title>New</title><p>something else", at=NOW + 60)
        pages = list(StoredPages(store))
        late = list(StoredPages(store, RecordFilter(since=NOW + 1)))
        early = list(StoredPages(store, RecordFilter(until=NOW + 1, limit=1)))

    assert [(page.url, page.at) for page in pages] == [
        (url_of(1), NOW),
        (url_of(1), NOW + 60),
        (url_of(2), NOW),
    ]
    assert pages[1].body == b"<title>New</title><p>something else"
    assert pages[1].content_type == "text/html"
    assert pages[1].query is None
    assert late == pages[1:2]
    assert early == pages[:1]


def test_pages_of_a_site_only(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        keep_books(store, [1])
        keep(store, "https://other.example/", "<p>other")

        assert [page.url for page in StoredPages(store, RecordFilter(site="other.example"))] == [
            "https://other.example/"
        ]
        with pytest.raises(UnknownName, match="scrapy status"):
            StoredPages(store, RecordFilter(site="no.example"))
