from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stores import NOW, fetch, lease_seeds, save_page

from hiddenweb.model import (
    Record,
)
from hiddenweb.store.outbox import open_outbox

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_outbox_lists_new_documents_in_order(store: Store) -> None:
    first, second = lease_seeds(store, "https://a.example/1", "https://a.example/2")
    for task, text in ((first, "one"), (second, "two")):
        number = save_page(store, fetch(task, text))
        assert store.outbox.save_page(number, task.url, text, behind_form=False)
    store.commit()
    outbox = open_outbox(store.folder)

    results = outbox.read_after(0, 10)

    assert [(position, document.text) for position, document in results if not isinstance(document, str)] == [
        (1, "one"),
        (2, "two"),
    ]
    assert outbox.read_after(1, 10) == results[1:]
    assert [document.key for document in outbox.documents()] == [first.url, second.url]
    outbox.close()


def test_unchanged_document_is_not_queued_again(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/")
    number = save_page(store, fetch(task))

    results = [store.outbox.save_page(number, task.url, digest, behind_form=False) for digest in "aab"]

    assert results == [True, False, True]


def test_record_gives_way_to_its_own_page_and_not_the_other_way_round(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/5")
    record = Record("https://a.example/5", "short", "in a list", "https://a.example/5")
    ((number, _),) = store.records.save(task.site, [record], submission=None, page=None, at=NOW)
    assert store.outbox.save_record(number, record.key, "r")
    page = save_page(store, fetch(task, "the whole text"))
    assert store.outbox.save_page(page, task.url, "p", behind_form=True)

    assert not store.outbox.save_record(number, record.key, "r2")

    store.commit()
    outbox = open_outbox(store.folder)
    assert [(document.kind, document.text) for document in outbox.documents()] == [
        ("record", "the whole text")
    ]
    outbox.close()


def test_numbers_of_the_outbox_continue_after_it_was_trimmed(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/")
    number = save_page(store, fetch(task))
    store.outbox.save_page(number, task.url, "a", behind_form=False)
    store.outbox.trim(1)
    store.outbox.save_page(number, task.url, "b", behind_form=False)
    store.commit()
    outbox = open_outbox(store.folder)

    assert [position for position, _ in outbox.read_after(0, 10)] == [2]
    assert outbox.last() == 2
    outbox.close()


def test_attributes_of_a_record_are_indexed_and_extractors_come_first(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/item/1")
    pairs = (("author", "Jane"), ("author", "Joe"), ("price", "12"))
    record = Record(
        "https://a.example/item/1", "River", "River Jane", "https://a.example/item/1", attributes=pairs
    )
    ((number, _),) = store.records.save(task.site, [record], submission=None, page=None, at=NOW)
    page = save_page(store, fetch(task, "River by Jane"))
    store.outbox.save_page(page, task.url, "digest", behind_form=True, record=number)
    store.write(
        "INSERT INTO extractions (extractor, page, place, at, deviates, attributes) VALUES (1, ?, 0, ?, 0, ?)",
        (page, NOW, json.dumps({"price": ["12.50"]})),
    )
    store.commit()

    (document,) = open_outbox(store.folder).documents()

    assert document.attributes == (("price", "12.50"), ("author", "Jane"), ("author", "Joe"))
