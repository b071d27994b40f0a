from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks._extraction_lists import LAYOUTS, fullest, generate_list, tally
from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.list_induction import ListPattern, learn_list
from hiddenweb.extraction.pattern import UnreadablePattern
from hiddenweb.extraction.repair import repair_list
from hiddenweb.html.document import read_layout
from hiddenweb.html.layout import NOTHING

if TYPE_CHECKING:
    from hiddenweb.html.layout import PageLayout

BOOKS = [
    ("The River", "Jane Smith", "12.50 €"),
    ("Old Roads", "Omar Diaz", "8.00 €"),
    ("Winter", "Li Wei", "9.90 €"),
    ("A House in Rome", "Eva Novak", "30.10 €"),
    ("Letters", "Ada Berg", "17.20 €"),
    ("Night Train", "Tom Hardy", "5.40 €"),
]
MORE = [
    ("Salt", "Ines Costa", "11.00 €"),
    ("Blue Hour", "Jane Smith", "19.00 €"),
    ("Maps", "Ali Khan", "7.70 €"),
    ("The Gardener", "Mia Wolf", "2.30 €"),
]
NAMES = ("title", "author", "price")


def layout(source: str) -> PageLayout:
    return read_layout(source.encode())


def example_of(book: tuple[str, ...]) -> Example:
    return Example("books.example", "", tuple(zip(NAMES, ((value,) for value in book), strict=True)))


def found(pattern: ListPattern | None, page: PageLayout) -> list[tuple[str, ...]]:
    assert pattern is not None
    return [
        tuple(", ".join(entry.values[name]) for name in pattern.attributes) for entry in pattern.records(page)
    ]


def around(results: str) -> PageLayout:
    menu = "".join(f"<li><a href=/{each}>{each}</a></li>" for each in ("Home", "Books", "Help", "About"))
    return layout(
        f"<ul>{menu}</ul><div><h1>Books</h1>{results}</div><p><a href=?p=1>1</a> <a href=?p=2>2</a><p>Imprint"
    )


def card(book: tuple[str, ...], kind: str = "book") -> str:
    return f'<li class="{kind}"><h3><a href="/b/{len(book[0])}">{book[0]}</a></h3><i>{book[1]}</i> <span>{book[2]}</span></li>'


def cards(books: list[tuple[str, str, str]]) -> PageLayout:
    return around(f"<ul>{''.join(map(card, books))}</ul>")


@pytest.mark.parametrize("name", LAYOUTS)
def test_one_pasted_record_brings_all_records_of_all_pages(name: str) -> None:
    site = generate_list(name, seed=11, pages=4)
    pages = site.pages
    page, record = fullest(site, Random(1))

    pattern = learn_list(
        pages[page], site.region(page, record), [each for at, each in enumerate(pages) if at != page]
    )

    assert pattern is not None
    counted = [tally(pattern.records(each), truth, None) for each, truth in zip(pages, site.truth, strict=True)]  # fmt: skip
    assert all(each.f1 >= 0.97 for each in counted), counted


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_new_page_needs_nothing_but_the_pattern_as_json(name: str) -> None:
    site = generate_list(name, seed=3, pages=3)
    pages = site.pages
    page, record = fullest(site, Random(1))
    learnt = learn_list(pages[page], site.region(page, record), pages)
    assert learnt is not None

    pattern = ListPattern.from_json(learnt.to_json())

    assert pattern == learnt
    assert [pattern.records(each) for each in pages] == [learnt.records(each) for each in pages]


def test_one_page_alone_is_enough() -> None:
    pattern = learn_list(cards(BOOKS), example_of(BOOKS[2]), [])

    assert found(pattern, cards(BOOKS)) == BOOKS
    assert found(pattern, cards(MORE)) == MORE


def test_two_records_are_a_list() -> None:
    pattern = learn_list(cards(BOOKS[:2]), example_of(BOOKS[0]), [])

    assert found(pattern, cards(BOOKS[:2])) == BOOKS[:2]
    assert found(pattern, cards(MORE)) == MORE


def test_records_and_attributes_come_with_their_nodes() -> None:
    page = cards(BOOKS)
    pattern = learn_list(page, example_of(BOOKS[2]), [])
    assert pattern is not None

    entries = pattern.records(page)

    assert {page.skeleton.tags[entry.node] for entry in entries} == {"li"}
    assert [page.skeleton.classes[entry.node] for entry in entries] == ["book"] * len(BOOKS)
    assert [page.skeleton.tags[entries[0].nodes[name]] for name in NAMES] == ["a", "li", "span"]


@pytest.mark.parametrize(
    "kinds",
    [
        ["first", "", "", "", "", "last"],
        ["odd", "even", "odd", "even", "odd", "even"],
        ["item first odd", "item even", "item odd", "item even", "item odd", "item even last"],
        ["item-1", "item-2", "item-3", "item-4", "item-5", "item-6"],
        ["book sponsored", "book", "book", "sponsored", "book", "book"],
    ],
)
@pytest.mark.parametrize("pasted", range(len(BOOKS)))
def test_members_may_differ_in_their_classes(kinds: list[str], pasted: int) -> None:
    page = around(f"<ul>{''.join(map(card, BOOKS, kinds))}</ul>")

    pattern = learn_list(page, example_of(BOOKS[pasted]), [cards(MORE)])

    assert found(pattern, page) == BOOKS


def test_other_pages_show_that_rows_of_a_grid_are_striped() -> None:
    def page(books: list[tuple[str, str, str]]) -> PageLayout:
        rows = (
            f"<div class={('light', 'dark')[at // 2 % 2]}>{''.join(map(card, books[at : at + 2]))}</div>"
            for at in range(0, len(books), 2)
        )
        return around(f"<section>{''.join(rows)}</section><div class=side>{card(MORE[3], 'book')}</div>")

    pattern = learn_list(page(BOOKS[:2]), example_of(BOOKS[0]), [page(BOOKS), page(MORE)])

    assert found(pattern, page(BOOKS)) == BOOKS
    assert found(pattern, page(BOOKS[:2])) == BOOKS[:2]


@pytest.mark.parametrize("at", [0, 3, len(BOOKS)])
@pytest.mark.parametrize(
    "ad",
    [
        "<li class=ad><a href=/ink>Cheap ink, now!</a></li>",
        "<li class=book>Your ad here</li>",
        "<li><img src=x></li>",
        '<li class="book"><h3><a href="/go">Win a car</a></h3></li>',
    ],
)
def test_advertisements_are_no_records(ad: str, at: int) -> None:
    parts = [card(book) for book in BOOKS]
    page = around(f"<ul>{''.join([*parts[:at], ad, *parts[at:]])}</ul>")

    pattern = learn_list(page, example_of(BOOKS[2]), [cards(MORE)])

    assert found(pattern, page) == BOOKS


@pytest.mark.parametrize("cell", ["th", "td"])
def test_the_names_of_columns_are_no_record(cell: str) -> None:
    head = "".join(f"<{cell}>{name.title()}" for name in NAMES)
    rows = "".join("<tr>" + "".join(f"<td>{value}" for value in book) for book in BOOKS)
    page = around(f"<table><tr>{head}{rows}</table>")

    pattern = learn_list(page, example_of(BOOKS[2]), [])

    assert found(pattern, page) == BOOKS


def test_other_similar_tables_are_not_the_list() -> None:
    def table(names: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
        head = "".join(f"<th>{name}" for name in names)
        return f"<table><tr>{head}{''.join('<tr>' + ''.join(f'<td>{cell}' for cell in row) for row in rows)}</table>"

    shops = [
        ("Rome", "Via Appia", "9.00 €"),
        ("Paris", "Rue Noire", "7.50 €"),
        ("Oslo", "Torggata", "8.10 €"),
    ]

    def page(books: list[tuple[str, str, str]]) -> PageLayout:
        return around(table(NAMES, [*books]) + "<h2>Our shops</h2>" + table(("Town", "Street", "Parking"), [*shops]))  # fmt: skip

    pattern = learn_list(page(BOOKS), example_of(BOOKS[2]), [page(MORE), page(BOOKS[1:3] + MORE[:2])])

    assert found(pattern, page(BOOKS)) == BOOKS
    assert found(pattern, page(MORE)) == MORE


def test_what_a_record_lacks_stays_missing() -> None:
    books = [(title, author if at % 3 else "", price if at != 4 else "") for at, (title, author, price) in enumerate(BOOKS)]  # fmt: skip
    parts = [
        f"<li><h3>{title}</h3>{f'<i>{author}</i>' if author else ''}<p>{f'<span>{price}</span>' if price else ''}</p></li>"
        for title, author, price in books
    ]
    page = around(f"<ul>{''.join(parts)}</ul>")

    pattern = learn_list(page, example_of(books[1]), [])

    assert found(pattern, page) == books


@pytest.mark.parametrize(
    ("line", "between"),
    [
        ("{} - <i>{}</i>, {}", "<br>"),
        ("{}<br>{}<br>{}", "<br>\n<br>"),
        ("{}<br><br>{}<br>{}", "<hr>"),
        ("<b>{}</b><br>{}<br>{}", "<br>"),
        ("<a href=/b>{}</a> {}<br>{}", "<br>"),
    ],
)
@pytest.mark.parametrize("tag", ["div", "td"])
def test_line_breaks_and_rules_divide_records_too(tag: str, line: str, between: str) -> None:
    def page(books: list[tuple[str, str, str]]) -> PageLayout:
        return around(f"<{tag}>{between.join(line.format(*book) for book in books)}</{tag}>")

    pattern = learn_list(page(BOOKS), example_of(BOOKS[2]), [])

    assert found(pattern, page(BOOKS)) == BOOKS
    assert found(pattern, page(MORE)) == MORE
    assert found(pattern, page(MORE[:2])) == MORE[:2]


@pytest.mark.parametrize("others", [0, 5])
def test_a_page_about_one_record_is_no_list(others: int) -> None:
    def page(book: tuple[str, str, str], year: int) -> PageLayout:
        facts = (("Author", book[1]), ("Price", book[2]), ("Year", str(year)), ("Pages", str(year // 7)), ("Weight", "1 kg"))  # fmt: skip
        rows = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in facts)
        also = "".join(f"<li><a href=/x>{each[0]}</a> {each[2]}" for each in MORE)
        return around(f"<h2>{book[0]}</h2><table>{rows}</table><h3>Others also liked</h3><ul>{also}</ul>")

    pages = [page(book, 1990 + at) for at, book in enumerate(BOOKS)]

    assert learn_list(pages[0], example_of(BOOKS[0]), pages[1 : 1 + others]) is None


@pytest.mark.parametrize("tag", ["tr", "li", "p", "div", "br"])
def test_facts_of_one_record_are_no_list_though_they_are_similar(tag: str) -> None:
    def page(book: tuple[str, str, str], year: int) -> PageLayout:
        facts = (("Author", book[1]), ("Publisher", f"House {book[0]}"), ("Editor", f"{book[1]} II"), ("Printer", f"Print {year}"), ("Seller", "Shop"), ("Place", book[0]))  # fmt: skip
        rows = "".join(f"<{tag}><td>{label}</td> <td><b>{value}</b></td>{f'</{tag}>' if tag != 'br' else ''}" for label, value in facts)  # fmt: skip
        return around(f"<table>{rows}</table>" if tag == "tr" else f"<section>{rows}</section>")

    pages = [page(book, 1990 + at) for at, book in enumerate(BOOKS)]
    region = Example("a", "", (("author", ("Jane Smith",)), ("publisher", ("House The River",))))

    assert learn_list(pages[0], region, pages[1:]) is None


def test_texts_that_are_not_on_the_page_give_no_pattern() -> None:
    assert learn_list(cards(BOOKS), Example("a", "", (("title", ("Nowhere",)),)), []) is None
    assert learn_list(NOTHING, example_of(BOOKS[0]), [cards(BOOKS)]) is None
    assert learn_list(cards(BOOKS), Example("a"), []) is None


def test_the_region_decides_which_record_is_meant() -> None:
    twice = [("Same", "Jane Smith", "5.00 €"), ("Same", "Omar Diaz", "5.00 €"), *BOOKS[2:]]
    page = cards(twice)

    pattern = learn_list(page, Example("a", "Same Omar Diaz 5.00 €", (("title", ("Same",)), ("price", ("5.00 €",)))), [])  # fmt: skip

    assert found(pattern, page) == [(title, price) for title, _, price in twice]


def test_a_page_without_the_list_has_no_records() -> None:
    pattern = learn_list(cards(BOOKS), example_of(BOOKS[2]), [cards(MORE)])
    assert pattern is not None

    assert pattern.records(around("<p>Nothing found")) == []
    assert pattern.records(NOTHING) == []


HOSTILE = {
    "deep": b"<div class=book><b>x" * 60_000,
    "wide": b"<ul>" + b"<li class=book><h3><a>x</a></h3>" * 30_000,
    "lists in lists": b"<ul><li class=book>x" * 30_000,
    "lines": b"<p>x" + b"<br>x<hr>" * 60_000,
    "no html": bytes(range(256)) * 20,
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_raise_nothing(body: bytes) -> None:
    page = read_layout(body)
    pattern = learn_list(cards(BOOKS), example_of(BOOKS[2]), [cards(MORE), page])

    assert pattern is not None
    assert len(pattern.records(page)) <= 1_000
    learn_list(page, Example("a", "", (("title", ("x",)),)), [page, cards(BOOKS)])


@pytest.mark.parametrize("written", ["", "[]", "{}", "null", '{"version": 1}', '{"version": 9}', "[" * 100_000, '"x"'])  # fmt: skip
def test_what_is_no_pattern_is_refused(written: str) -> None:
    with pytest.raises(UnreadablePattern):
        ListPattern.from_json(written)


@pytest.mark.parametrize(("key", "value"), [("steps", []), ("steps", [[]]), ("shares", [1.0]), ("kinds", []), ("pattern", {})])  # fmt: skip
def test_a_damaged_pattern_is_refused(key: str, value: object) -> None:
    pattern = learn_list(cards(BOOKS), example_of(BOOKS[2]), [])
    assert pattern is not None
    written = json.loads(pattern.to_json()) | {key: value}

    with pytest.raises(UnreadablePattern):
        ListPattern.from_json(json.dumps(written))


def redesigned(books: list[tuple[str, str, str]]) -> PageLayout:
    rows = "".join(f"<dt>{price} - {author}</dt><dd>{title}</dd>" for title, author, price in books)
    return around(f"<section><dl>{rows}</dl></section>")


def as_known(books: list[tuple[str, str, str]]) -> list[dict[str, list[str]]]:
    return [{name: [value] for name, value in zip(NAMES, book, strict=True)} for book in books]


def test_known_records_are_found_again_after_a_redesign() -> None:
    pattern = learn_list(cards(BOOKS), example_of(BOOKS[2]), [cards(MORE)])
    assert pattern is not None
    new = [redesigned(BOOKS), redesigned(MORE)]

    repaired = repair_list(pattern, [(new[0], as_known(BOOKS[1:4])), (new[1], as_known(MORE[:1]))])

    assert repaired.is_new
    assert (repaired.known, repaired.found_by_old, repaired.found_by_new) == (12, 0, 12)
    assert repaired.by_attribute == tuple((name, 4, 0, 4) for name in NAMES)
    assert [found(repaired.pattern, page) for page in new] == [BOOKS, MORE]


def test_a_pattern_that_still_finds_everything_is_kept() -> None:
    pattern = learn_list(cards(BOOKS), example_of(BOOKS[2]), [cards(MORE)])
    assert pattern is not None

    repaired = repair_list(pattern, [(cards(BOOKS), as_known(BOOKS))])

    assert repaired.pattern is pattern
    assert not repaired.is_new
    assert repaired.known == repaired.found_by_old == repaired.found_by_new == 18


def test_nothing_known_repairs_nothing() -> None:
    pattern = learn_list(cards(BOOKS), example_of(BOOKS[2]), [cards(MORE)])
    assert pattern is not None

    assert repair_list(pattern, []).pattern is pattern
    assert repair_list(pattern, [(around("<p>Gone"), as_known(BOOKS))]).pattern is pattern
