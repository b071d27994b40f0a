from __future__ import annotations

from typing import TYPE_CHECKING

from stores import NOW

from hiddenweb.model import (
    Record,
)

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_record_is_stored_once_whatever_answers_list_it(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    record = Record("key", "title", "text", "https://a.example/5")

    first = store.records.save(site, [record, record], submission=None, page=None, at=NOW)
    second = store.records.save(site, [record], submission=None, page=None, at=NOW + 1)

    assert [saved for _, saved in first] == [record]
    assert second == []
    assert store.rows("SELECT times, last_seen FROM records") == [(3, NOW + 1)]
    assert store.records.find_known(site, ["key", "other"]) == {"key"}
