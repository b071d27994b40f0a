from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from walked_pages import walk_page

from hiddenweb.records.json_ld import items_in, statements_about

if TYPE_CHECKING:
    from hiddenweb.html.tree_walk import TreeWalk

BOOK = {"@type": "Book", "url": "/1", "name": "The  River", "isbn": "17"}
SAID = [("name", "The River"), ("isbn", "17")]


def walk_of(*scripts: object) -> TreeWalk:
    written = (each if isinstance(each, str) else json.dumps(each) for each in scripts)
    return walk_page("".join(f"<script type='application/ld+json'>{each}</script>" for each in written))[0]


@pytest.mark.parametrize(
    "data",
    [
        [BOOK],
        {"@graph": [BOOK]},
        {"@type": "ItemList", "itemListElement": [{"@type": "ListItem", "position": 1, "item": BOOK}]},
        {"mainEntity": {"@type": "ItemList", "itemListElement": [BOOK]}},
        [{**BOOK, "@id": "/other"}],  # its url counts, not its name in JSON-LD
        {"itemListElement": [{"url": "/1", "item": {"name": "The River", "isbn": 17}}]},
    ],
    ids=["an array", "a graph", "a list", "a list in an entity", "with an id", "an element with an address"],
)
def test_what_lists_hold_is_found_by_address_and_by_name(data: object) -> None:
    items = items_in(walk_of(data))

    assert items == {"http://a.example/1": SAID, "the river": SAID}


@pytest.mark.parametrize(
    "data",
    [
        BOOK,  # of which record of the page is it said?
        [{"isbn": "17"}],  # of nobody
        [{"url": "/1"}, {"url": "/2", "image": "x", "position": 1, "@type": "Book"}],  # nothing
        [{"url": 1, "name": [], "isbn": "17"}],
        [{"url": "javascript:x", "isbn": "17"}],
        [None, 1, "x", [[]]],
    ],
    ids=["a single thing", "without a name", "nothing said", "no texts", "no address", "no things"],
)
def test_what_is_said_of_no_record_is_left_out(data: object) -> None:
    assert items_in(walk_of(data)) == {}


def test_values_are_texts_whatever_they_are_in_json() -> None:
    book = {
        "name": "Winter",
        "author": [{"@type": "Person", "name": "Jane"}, "John"],
        "offers": {"price": 12.5, "priceCurrency": "EUR"},
        "aggregateRating": {"ratingValue": "4"},
        "isFamilyFriendly": True,
        "availability": "https://schema.org/InStock",
        "abstract": " two\n lines ",
        "award": None,
        "publisher": {"@id": "#x"},
    }

    assert items_in(walk_of([book]))["winter"] == [
        ("name", "Winter"),
        ("author", "Jane"),
        ("author", "John"),
        ("offers", "12.5"),
        ("aggregate rating", "4"),
        ("abstract", "two lines"),
    ]


def test_what_is_said_first_of_an_item_counts() -> None:
    items = items_in(walk_of([BOOK], [{**BOOK, "isbn": "18"}]))

    assert items["http://a.example/1"] == SAID


def test_a_broken_script_is_marked_and_the_others_are_read() -> None:
    walk = walk_of("{broken", [BOOK], "[" * 100_000)

    assert items_in(walk)["the river"] == SAID
    assert walk.marks == ["bad_json"]


def test_scripts_beyond_the_limit_are_not_read() -> None:
    walk = walk_of([BOOK], " " * 500_000, [{"name": "Late", "isbn": "1"}])

    assert set(items_in(walk)) == {"http://a.example/1", "the river"}
    assert walk.marks == ["long_json"]


def test_a_record_is_found_by_its_address_or_else_by_its_name() -> None:
    items = {"http://a.example/1": [("a", "1")], "the river": [("b", "2")]}

    assert statements_about(items, "The River", "http://a.example/1") == [("a", "1")]
    assert statements_about(items, "The RIVER", "http://a.example/2") == [("b", "2")]
    assert statements_about(items, "Winter", None) == []
