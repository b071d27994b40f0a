"""The records that a run found or changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from record_states import FOUND, keep_records, record_of
from shop_state import NOW, keep, keep_books, url_of

from hiddenweb.model import TaskSeed
from hiddenweb.store import found_records
from hiddenweb.store.database import Store
from hiddenweb.store.found_records import FoundRecords
from hiddenweb.store.stored_records import load_records

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SITE = "books.example"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    keep_records(tmp_path, [("Known", [("shelf", "1")])])
    with Store(tmp_path) as opened:
        yield opened


def save(store: Store, *titles: str, page: bool = True, **attributes: str) -> None:
    records = [record_of(SITE, title, list(attributes.items())) for title in titles]
    for record in records:
        if page and record.url:
            store.frontier.add([TaskSeed(record.url, "record", submission=1)])
    store.records.save(1, records, submission=1, page=None, at=FOUND + 9)


def named(store: Store, numbers: list[int]) -> list[str]:
    return [record.title for record in load_records(store, numbers)]


def rest(found: FoundRecords) -> list[int]:
    return [number for numbers in found.take_rest() for number in numbers]


def test_what_an_earlier_run_found_is_not_reported_unless_it_changes(store: Store) -> None:
    found = FoundRecords(store)
    save(store, "Known", shelf="1")
    save(store, "New")

    first = named(store, rest(found))
    store.write("UPDATE records SET attributes = '[[\"shelf\", \"2\"]]' WHERE title = 'Known'")
    store.write("UPDATE records SET times = 9 WHERE title = 'New'")

    assert first == ["New"]
    assert named(store, rest(found)) == ["Known"]


def test_a_record_waits_until_its_own_page_was_read(store: Store) -> None:
    found = FoundRecords(store)
    save(store, "A", "B")
    waiting = [found.take_settled(), found.take_settled()]
    task = store.frontier.lease_url(f"https://{SITE}/a")
    assert task is not None
    waiting.append(found.take_of_link(task.link))

    store.frontier.finish(task)

    assert waiting == [[], [], []]
    assert named(store, found.take_of_link(task.link)) == ["A"]
    assert named(store, found.take_settled()) == []
    assert named(store, rest(found)) == ["B"]


def test_a_page_that_cannot_be_read_is_not_waited_for(store: Store) -> None:
    found = FoundRecords(store)
    save(store, "A", "B")
    store.write("UPDATE links SET state = 3 WHERE url LIKE '%/a'")
    store.write("UPDATE links SET state = 4 WHERE url LIKE '%/b'")

    assert named(store, found.take_settled()) == ["A", "B"]


def test_a_record_whose_page_is_in_no_frontier_is_reported_at_the_second_look(store: Store) -> None:
    found = FoundRecords(store)
    save(store, "A", page=False)

    assert found.take_settled() == []
    assert named(store, found.take_settled()) == ["A"]


def test_a_page_that_came_into_the_frontier_later_is_waited_for(store: Store) -> None:
    found = FoundRecords(store)
    save(store, "A", page=False)
    store.frontier.add([TaskSeed(f"https://{SITE}/a", "record", submission=1)])

    assert [found.take_settled() for _ in range(3)] == [[], [], []]


def test_each_record_is_taken_once(store: Store) -> None:
    found = FoundRecords(store)
    save(store, "A", page=False)
    first = rest(found)
    store.write("UPDATE records SET attributes = '[[\"late\", \"1\"]]' WHERE title = 'A'")

    assert named(store, first) == ["A"]
    assert rest(found) == []


def test_a_few_are_looked_at_each_time_and_all_in_the_end(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_records, "WINDOW", 2)
    found = FoundRecords(store)
    save(store, "A", "B", "C", "D", "E")
    store.write("UPDATE links SET state = 2 WHERE url LIKE '%/c' OR url LIKE '%/e'")

    looks = [named(store, found.take_settled()) for _ in range(4)]

    assert looks == [[], ["C"], ["E"], []]
    assert named(store, rest(found)) == ["A", "B", "D"]


def test_what_is_rolled_back_was_not_found(store: Store) -> None:
    found = FoundRecords(store)
    store.begin()
    save(store, "A", page=False)
    store.db.execute("ROLLBACK")

    assert rest(found) == []


def test_entries_of_extractors_are_reported_when_they_are_new_or_differ(store: Store) -> None:
    keep_books(store, [1])
    keep(store, url_of(2), "<p>two")
    store.write(
        "INSERT INTO extractors (name, domain, origin, state, added, example)"
        " VALUES ('books', 'shop.example', 'person', 'watched', 1, '{}')"
    )
    found = FoundRecords(store)

    def extract(page: int, value: str) -> list[tuple[str, str]]:
        store.write("DELETE FROM extractions WHERE page = ?", (page,))
        store.write(
            "INSERT INTO extractions (extractor, page, place, at, deviates, attributes) VALUES (1, ?, 0, ?, 0, ?)",
            (page, NOW, f'{{"price": ["{value}"]}}'),
        )
        return [(record.url, record.attributes[0][1]) for record in load_records(store, found.take_settled())]

    assert extract(1, "5") == [(url_of(1), "5")]
    assert extract(1, "5") == []
    assert extract(1, "6") == [(url_of(1), "6")]
    assert extract(2, "7") == [(url_of(2), "7")]
