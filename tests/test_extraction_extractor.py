"""Extractors: learnt from an example page, watched, repaired by known values, or suspended."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from bookshop import book, new_page, page, page_example, search

from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.extractor import (
    CannotLearn,
    Extractor,
    UnreadableExtractor,
    learn_extractor,
    repair_extractor,
)
from hiddenweb.html.document import read_layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiddenweb.html.layout import PageLayout

SITE = "http://shop.example"
REGION = Example("shop.example", "", page_example(), f"{SITE}/item/1", "books")
HOME = "<html><body><div class=head><ul><li>Home<li>Books</ul></div><div class=all><p>Welcome</p></div></body></html>"


def url(number: int) -> str:
    return f"{SITE}/item/{number}"


@pytest.fixture
def source() -> Extractor:
    pages = [(url(number), read_layout(page(number).encode())) for number in range(2, 20)]
    return learn_extractor(REGION, read_layout(page(1).encode()), pages)


def values(source: Extractor, html: str) -> list[dict[str, Sequence[str]]]:
    return [dict(entry.values) for entry in source.read(read_layout(html.encode())).entries]


def test_attributes_of_one_page_are_extracted_from_all_others(source: Extractor) -> None:
    assert source.kind == "page"
    assert source.usual == {"title", "author", "price", "isbn"}
    assert values(source, page(77)) == [{name: [value] for name, value in book(77).items()}]
    assert source.wants(url(77))
    assert not source.wants(f"{SITE}/help")


def test_an_extractor_survives_json(source: Extractor) -> None:
    source.see(source.read(read_layout(page(30).encode())))

    again = Extractor.from_json(source.to_json())

    assert again.to_json() == source.to_json()
    assert values(again, page(77)) == values(source, page(77))


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 99}', '{"version": 1, "region": 5}'])
def test_a_text_that_is_no_extractor_is_refused(text: str) -> None:
    with pytest.raises(UnreadableExtractor):
        Extractor.from_json(text)


def test_texts_that_are_not_on_the_page_are_named() -> None:
    region = Example("shop.example", "", (("title", ("No such book",)),), url(1), "books")

    with pytest.raises(CannotLearn, match="title: 'No such book' is nowhere on the page"):
        learn_extractor(region, read_layout(page(1).encode()), [])


def test_one_page_is_enough_to_begin_but_not_to_watch() -> None:
    alone = learn_extractor(REGION, read_layout(page(1).encode()), [])

    assert values(alone, page(5))[0]["price"] == [book(5)["price"]]
    assert not alone.is_watched
    assert alone.alarm() is None


def test_unchanged_pages_raise_no_alarm(source: Extractor) -> None:
    for number in range(20, 60):
        assert source.see(source.read(read_layout(page(number).encode()))) is None

    assert source.alarm() is None


def test_a_redesign_is_noticed_and_repaired_by_known_values(source: Extractor) -> None:
    for number in range(2, 12):
        source.see(source.read(read_layout(new_page(number).encode())))
    assert source.alarm() is not None
    known = [
        (read_layout(new_page(number).encode()), [{name: [value] for name, value in book(number).items()}])
        for number in range(2, 8)
    ]

    fixed, proof = repair_extractor(
        source, known, [(url(n), read_layout(new_page(n).encode())) for n in range(2, 14)]
    )

    assert proof.is_convincing
    assert (proof.known, proof.found_by_old, proof.found_by_new) == (24, 0, 24)
    assert values(fixed, new_page(77)) == [{name: [value] for name, value in book(77).items()}]
    assert fixed.is_watched
    assert fixed.alarm() is None


def test_attributes_that_are_gone_from_all_pages_are_not_repaired(source: Extractor) -> None:
    empty = read_layout(b"<html><body><p>This shop is closed.</p></body></html>")
    known = [(empty, [{name: [value] for name, value in book(number).items()}]) for number in range(2, 8)]

    same, proof = repair_extractor(source, known, [(url(number), empty) for number in range(2, 8)])

    assert proof.is_gone
    assert not proof.is_convincing
    assert same is source


def test_a_page_of_another_kind_at_a_like_address_does_not_count_where_there_were_some_before() -> None:
    pages = [(url(number), read_layout(page(number).encode())) for number in range(2, 20)]
    homes = [(url(number), read_layout(HOME.encode())) for number in range(100, 110)]
    source = learn_extractor(REGION, read_layout(page(1).encode()), [*pages, *homes])
    home = source.read(read_layout(HOME.encode()))

    assert not source.is_pure
    assert source.see(home) is None
    assert source.see(home, was_member=True) is not None


def test_values_are_parsed_by_their_kind_and_stored_as_written(source: Extractor) -> None:
    assert source.types["isbn"] in ("isbn", "number")
    assert source.types["title"] == "text"
    price = source.parse_value("price", "12.50")
    assert price is not None
    assert (price.raw, price.value) == ("12.50", "12.50")
    assert source.parse_value("title", "12.50") is None
    assert source.parse_value("price", "on request") is None


WORDS = ("river", "sea", "mountain", "house", "night", "garden", "winter", "letter", "stone", "bird", "glass")


@pytest.mark.parametrize("body", ["just text", "", "<p>About this shop", page(2).replace("class=", "id=")])
def test_pages_elsewhere_that_have_nothing_of_it_do_not_widen_the_addresses(body: str) -> None:
    pages = [(url(number), read_layout(page(number).encode())) for number in range(2, 5)]
    elsewhere = [(f"{SITE}/{name}", read_layout(body.encode())) for name in ("about", "help.txt")]

    source = learn_extractor(REGION, read_layout(page(1).encode()), [*elsewhere, *pages])

    assert str(source.addresses) == "shop.example/item/*"
    assert source.learnt_from == 4


def answers(*, is_new: bool = False) -> list[tuple[str, PageLayout]]:
    """Pages that list the books with a word in their title; made anew, in other tags and another order."""
    pages = []
    for word in WORDS:
        source = search(f"/search?q={word}", 200)
        if is_new:
            source = source.replace("<table class=found>", "<section><div class=grid>").replace(
                "</table>", "</div></section>"
            )
            source = re.sub(r"<tr><th>.*?</tr>", "", source)
            source = re.sub(
                r"<tr><td>(.*?)<td>(.*?)<td>(.*?)</tr>",
                r"<div class=card><b>\3</b><p>\2</p><h4>\1</h4></div>",
                source,
            )
        pages.append((f"{SITE}/search?q={word}", read_layout(source.encode())))
    return pages


def test_one_record_of_a_list_brings_all_and_is_found_again_after_a_redesign() -> None:
    pages = answers()
    found = [number for number in range(1, 201) if "river" in book(number)["title"].lower().split()]
    shown_book = {name: book(found[2])[name] for name in ("title", "author", "price")}
    region = Example(
        "shop.example", "", tuple((name, (text,)) for name, text in shown_book.items()), pages[0][0], "found"
    )

    source = Extractor.from_json(learn_extractor(region, pages[0][1], pages[1:]).to_json())

    assert source.kind == "list"
    assert learn_extractor(replace(region, kind="page"), pages[0][1], pages[1:]).kind == "page"
    extracted = [dict(entry.values) for entry in source.read(pages[0][1]).entries]
    assert extracted == [{name: [book(n)[name]] for name in ("title", "author", "price")} for n in found[:10]]
    assert source.is_watched
    assert source.see(source.read(pages[3][1])) is None
    changed = answers(is_new=True)
    known = [
        (layout, [dict(entry.values) for entry in source.read(before).entries])
        for (_, layout), (_, before) in zip(changed, pages, strict=True)
    ]
    for _, layout in changed:
        source.see(source.read(layout), was_member=True)
    assert source.alarm() is not None
    fixed, proof = repair_extractor(source, known, changed)
    assert proof.is_convincing
    again = [dict(entry.values) for entry in fixed.read(changed[0][1]).entries]
    assert again == extracted


def test_if_only_losses_count_a_changed_page_with_all_attributes_does_not_deviate(
    source: Extractor,
) -> None:
    other = page(40).replace("<div class=main>", "<div class=banner>New!</div><div class=main>")
    for _ in range(10):
        assert source.see(source.read(read_layout(other.encode())), only_if_lost=True) is None
    assert source.alarm() is None

    for number in range(2, 12):
        source.see(source.read(read_layout(new_page(number).encode())), only_if_lost=True)
    assert source.alarm() is not None
