"""Extractors in the state: what is stored of them, of extracted values, and of events."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from bookshop import book, page
from shop_state import NOW, REGION, SITE, keep, keep_books, url_of

from hiddenweb.extraction.extractor import Extractor, learn_extractor
from hiddenweb.extraction.extractor_store import ALARM, CRAWL, LEARNING, PERSON, WAITING, WATCHED
from hiddenweb.html.document import read_layout
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore, split_into_batches

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


@pytest.fixture
def sources(store: Store) -> ExtractorStore:
    return ExtractorStore(store)


@pytest.fixture(scope="module")
def learnt() -> Extractor:
    """A source that knows its template."""
    pages = [(url_of(number), read_layout(page(number).encode())) for number in range(2, 14)]
    return learn_extractor(REGION, read_layout(page(1).encode()), pages)


def fresh(source: Extractor) -> Extractor:
    """A copy whose watch has seen nothing."""
    return Extractor.from_json(source.to_json())


def values_of(number: int, **other: str) -> dict[str, list[str]]:
    return {name: [value] for name, value in (book(number) | other).items()}


# Sources


def test_an_extractor_is_stored_with_its_example_and_what_it_learnt(
    sources: ExtractorStore, learnt: Extractor
) -> None:
    number = sources.add(REGION, learnt, NOW)

    stored = sources.get(number)

    assert stored is not None
    assert (stored.name, stored.domain, stored.origin, stored.state, stored.added) == (
        "books", "shop.example", PERSON, WATCHED, NOW,
    )  # fmt: skip
    assert stored.example == REGION
    assert stored.extractor is not None
    assert stored.extractor.to_json() == learnt.to_json()
    assert sources.get(number + 1) is None


def test_what_an_extractor_has_learnt_decides_its_state(sources: ExtractorStore, learnt: Extractor) -> None:
    alone = learn_extractor(REGION, read_layout(page(1).encode()), [])

    for name, source in (("a", None), ("b", alone), ("c", learnt)):
        sources.add(replace(REGION, name=name), source, NOW)

    assert [stored.state for stored in sources.all()] == [WAITING, LEARNING, WATCHED]


def test_sources_are_found_by_site_name_and_form(sources: ExtractorStore) -> None:
    other = replace(REGION, name="jobs", site="jobs.example", page="http://jobs.example/1")
    sources.add(REGION, None, NOW)
    sources.add(other, None, NOW, origin=CRAWL, form=3)

    assert [stored.name for stored in sources.all()] == ["books", "jobs"]
    assert [stored.name for stored in sources.all(domain="jobs.example")] == ["jobs"]
    assert [stored.name for stored in sources.all(name="books")] == ["books"]
    assert [stored.name for stored in sources.all(form=3)] == ["jobs"]


def test_an_extractor_of_the_same_name_replaces_the_other_with_its_values(
    store: Store, sources: ExtractorStore
) -> None:
    keep_books(store, [1])
    first = sources.add(REGION, None, NOW)
    sources.save_entries(first, 1, [(0, None, values_of(1))], NOW, deviates=False)
    sources.note(first, "learnt", "something", NOW)

    second = sources.add(replace(REGION, text="The"), None, NOW)

    (stored,) = sources.all()
    assert (stored.number, stored.example.text) == (second, "The")
    assert list(sources.load_extracted()) == []
    assert sources.events() == []


def test_removing_says_whether_there_was_anything(sources: ExtractorStore) -> None:
    sources.add(REGION, None, NOW)

    assert sources.remove("books")
    assert not sources.remove("books")
    assert sources.all() == []


@pytest.mark.parametrize("written", ["nonsense", "{}", '{"version": 99}'])
def test_an_unreadable_extractor_waits_for_its_page_and_says_why(
    store: Store, sources: ExtractorStore, learnt: Extractor, written: str
) -> None:
    sources.add(REGION, learnt, NOW)
    store.write("UPDATE extractors SET extractor = ?", (written,))

    (stored,) = sources.all()

    assert (stored.extractor, stored.state, stored.example) == (None, WAITING, REGION)
    assert stored.why


def test_last_pages_of_the_watch_are_stored_until_something_new_is_learnt(
    sources: ExtractorStore, learnt: Extractor
) -> None:
    source = fresh(learnt)
    number = sources.add(REGION, source, NOW)
    source.see(source.read(read_layout(page(20).encode())))
    source.see(source.read(read_layout(b"<html><body><p>closed</p></body></html>")), was_member=True)

    sources.save_watch(number, source, [(20, False), (21, True)])
    again = sources.get(number)

    assert again is not None
    assert again.extractor is not None
    assert again.last == ((20, False), (21, True))
    assert [seen.deviation is not None for seen in again.extractor.watch.last] == [False, True]
    sources.save_learnt(number, learnt, "anew")
    after = sources.get(number)
    assert after is not None
    assert (after.last, after.why) == ((), "anew")


def test_states_are_set_with_a_reason(sources: ExtractorStore, learnt: Extractor) -> None:
    number = sources.add(REGION, learnt, NOW)

    sources.set_state(number, ALARM, "it looks different")

    (stored,) = sources.all()
    assert (stored.state, stored.why) == (ALARM, "it looks different")


# Pages


def test_other_pages_of_a_site_are_ordered_by_similar_addresses_and_then_by_age(
    store: Store, sources: ExtractorStore
) -> None:
    keep(store, f"{SITE}/", "<p>Home of the shop</p>")
    keep_books(store, [1, 2])
    keep(store, f"{SITE}/help/pay", "<p>Paying in this shop</p>")
    keep_books(store, [3])
    keep(store, "http://other.example/item/1", "<p>Another site</p>")

    found = [url for url, _ in sources.other_pages(url_of(1))]

    assert found == [url_of(3), url_of(2), f"{SITE}/help/pay", f"{SITE}/"]
    assert [url for url, _ in sources.other_pages(url_of(1), 2)] == [url_of(3), url_of(2)]


def test_a_page_is_shown_as_its_newest_version_has_it(store: Store, sources: ExtractorStore) -> None:
    number = keep(store, url_of(1), page(1))
    keep(store, url_of(1), page(1, price="1.23"), NOW + 60)

    shown = sources.layout_at(url_of(1))

    assert shown is not None
    assert shown[0] == number
    assert "1.23" in [piece.text for piece in shown[1].texts.pieces]
    assert sources.layout_at(url_of(2)) is None
    assert sources.layout(number + 1) is None


def test_pages_at_addresses_are_those_of_the_site_only(
    store: Store, sources: ExtractorStore, learnt: Extractor
) -> None:
    keep(store, f"{SITE}/", "<p>Home of the shop</p>")
    keep_books(store, [5, 6])
    keep(store, "http://other.example/item/1", "<p>Another site</p>")

    assert sources.pages_at("shop.example", learnt.addresses) == [2, 3]
    assert [url for _, url, _ in sources.layouts([2, 3])] == [url_of(5), url_of(6)]


def test_numbers_are_handed_out_in_small_lists() -> None:
    assert list(split_into_batches(range(5), 2)) == [[0, 1], [2, 3], [4]]


# Extracted values


def test_values_of_a_page_are_new_once(store: Store, sources: ExtractorStore) -> None:
    keep_books(store, [1])
    number = sources.add(REGION, None, NOW)

    assert sources.save_entries(number, 1, [(0, None, values_of(1))], NOW, deviates=False)
    assert not sources.save_entries(number, 1, [(0, None, values_of(1))], NOW + 1, deviates=False)
    assert sources.save_entries(number, 1, [(0, None, values_of(1, price="2"))], NOW + 2, deviates=False)

    (entry,) = sources.load_extracted(extractor=number)
    assert (entry.url, entry.at, entry.deviates, entry.attributes["price"]) == (
        url_of(1), NOW + 2, False, ["2"],
    )  # fmt: skip


def test_values_from_before_a_change_of_the_template_stay(store: Store, sources: ExtractorStore) -> None:
    keep_books(store, [1])
    number = sources.add(REGION, None, NOW)
    sources.save_entries(number, 1, [(0, None, values_of(1))], NOW, deviates=False)

    for minute, price in enumerate(("Home", "Contact"), start=1):
        sources.save_entries(
            number, 1, [(0, None, values_of(1, price=price))], NOW + 60 * minute, deviates=True
        )

    assert sources.attributes_on(number, 1) == [values_of(1)]
    (entry,) = sources.load_extracted()
    assert (entry.deviates, entry.attributes["price"]) == (True, ["Contact"])
    assert store.rows("SELECT count(*) FROM extractions") == [(2,)]

    sources.save_entries(number, 1, [(0, None, values_of(1, price="3"))], NOW + 180, deviates=False)

    assert sources.attributes_on(number, 1) == [values_of(1, price="3")]
    assert store.rows("SELECT count(*) FROM extractions") == [(1,)]


def test_entries_of_a_list_keep_their_order_and_are_counted(store: Store, sources: ExtractorStore) -> None:
    keep_books(store, [1, 2])
    number = sources.add(REGION, None, NOW)
    sources.save_entries(number, 1, [(1, None, values_of(1)), (2, None, values_of(2))], NOW, deviates=False)
    sources.save_entries(number, 2, [(1, None, values_of(3))], NOW, deviates=False)

    assert [entry.place for entry in sources.load_extracted()] == [1, 2, 1]
    assert [entry.attributes for entry in sources.load_extracted(page=1)] == [values_of(1), values_of(2)]
    assert len(list(sources.load_extracted(limit=2))) == 2
    assert sources.attributes_on(number, 1) == [values_of(1), values_of(2)]
    assert sources.counts() == {number: (2, 3)}


# Events


def test_events_come_the_newest_first_and_by_kind(sources: ExtractorStore) -> None:
    one = sources.add(REGION, None, NOW)
    two = sources.add(replace(REGION, name="other"), None, NOW)
    sources.note(one, "learnt", "from ten pages", NOW)
    sources.note(two, "learnt", "from twelve pages", NOW)
    sources.note(one, "alarm", "it looks different", NOW + 1, {"old": [[0], [0]], "why": "Größe"})

    assert [(event.extractor, event.kind) for event in sources.events()] == [
        (one, "alarm"), (two, "learnt"), (one, "learnt"),
    ]  # fmt: skip
    assert [event.kind for event in sources.events(one, kinds=("learnt", "repaired"))] == ["learnt"]
    (newest,) = sources.events(limit=1)
    assert (newest.at, newest.summary) == (NOW + 1, "it looks different")
    assert newest.detail == {"old": [[0], [0]], "why": "Größe"}
    assert json.dumps(sources.events(two)[0].detail) == "{}"
