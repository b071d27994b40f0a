from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest
from timing import within

from hiddenweb.extraction.examples import Example
from hiddenweb.extraction.induction import learn
from hiddenweb.extraction.pattern import AttributePattern, UnreadablePattern
from hiddenweb.extraction.repair import repair
from hiddenweb.extraction.value_cut import cut_around, cut_between
from hiddenweb.html.layout import read_layout
from hiddenweb.html.texts import read_texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.html.texts import PageTexts

    Record = dict[str, list[str]]

TITLES = (
    "The River",
    "Old Roads",
    "Winter",
    "A House in Rome",
    "Letters",
    "Night Train",
    "The Gardener",
    "Salt",
    "Blue Hour",
    "Maps",
)
PEOPLE = ("Jane Smith", "Omar Diaz", "Li Wei", "Eva Novak", "Ada Berg", "Tom Hardy", "Ines Costa")
HOUSES = ("North Press", "Meridian", "Alder & Sons", "Quay")


def records(count: int = 10) -> list[Record]:
    draw = Random(3)
    return [
        {
            "title": [title],
            "author": draw.sample(PEOPLE, 1 + (number % 3)),
            "publisher": [draw.choice(HOUSES)] if number % 4 != 3 else [],
            "price": [f"{draw.randint(5, 60)}.{draw.randint(10, 99)} €"],
            "year": [str(draw.randint(1950, 2020))],
        }
        for number, title in enumerate(TITLES[:count])
    ]


def rows(record: Record, names: dict[str, str]) -> list[tuple[str, str]]:
    return [(label, record[name][0].replace("&", "&amp;")) for name, label in names.items() if record[name]]


GERMAN = {"publisher": "Verlag", "price": "Preis", "year": "Erscheinungsjahr"}
RUSSIAN = {"publisher": "Издательство", "price": "Цена", "year": "Год"}
JAPANESE = {"publisher": "出版社", "price": "価格", "year": "発行年"}
ENGLISH = {"publisher": "Publisher", "price": "Price", "year": "Year"}


def as_table(record: Record) -> str:
    cells = "".join(f"<tr><th>{label}<td>{value}" for label, value in rows(record, GERMAN))
    return page_around(record, f"<table>{cells}</table>")


def as_terms(record: Record) -> str:
    terms = "".join(f"<dt>{label}<dd>{value}" for label, value in rows(record, RUSSIAN))
    return page_around(record, f"<dl>{terms}</dl>")


def as_lines(record: Record) -> str:
    lines = "".join(f"<p>{label}：{value}</p>" for label, value in rows(record, JAPANESE))
    return page_around(record, lines)


def as_bold_lines(record: Record) -> str:
    lines = "".join(f"<b>{label}:</b> {value}<br>" for label, value in rows(record, ENGLISH))
    return page_around(record, f"<div>{lines}</div>")


def as_cards(record: Record) -> str:
    cards = "".join(
        f'<div class="card {name}">{record[name][0].replace("&", "&amp;")}</div>' for name in ENGLISH if record[name]
    )  # fmt: skip
    return page_around(record, cards)


def page_around(record: Record, facts: str) -> str:
    authors = ", ".join(f'<a href="/who/{len(name)}">{name}</a>' for name in record["author"])
    others = "".join(f"<li><a href=/x>{title}</a> 9.99 €" for title in TITLES[2:5])
    return (
        f"<title>x</title><ul id=menu><li>Home<li>1999<li>Meridian</ul><h1>{record['title'][0]}</h1>"
        f"<p class=by>by {authors}</p>{facts}<h2>Others</h2><ul>{others}</ul><p>All prices with tax"
    )


LAYOUTS = [as_table, as_terms, as_lines, as_bold_lines, as_cards]


def texts(source: str) -> PageTexts:
    return read_texts(source.encode())


def shown(record: Record, *names: str) -> Example:
    return Example("books.example", "", tuple((name, tuple(record[name])) for name in names))


NAMES = ("title", "publisher", "price", "year")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_attributes_shown_on_one_page_are_found_on_the_others(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [texts(layout(record)) for record in all_records]

    pattern = learn(pages[0], shown(all_records[0], *NAMES), pages[1:])

    found = [pattern.values(page) for page in pages]
    assert found == [{name: record[name] for name in NAMES} for record in all_records]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_new_page_needs_nothing_but_the_pattern_as_json(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [texts(layout(record)) for record in all_records]
    learnt = learn(pages[0], shown(all_records[0], *NAMES), pages[1:8])

    pattern = AttributePattern.from_json(learnt.to_json())

    assert pattern == learnt
    assert pattern.values(pages[9]) == {name: all_records[9][name] for name in NAMES}
    assert len(learnt.to_json()) < 10_000


@pytest.mark.parametrize("layout", LAYOUTS)
def test_lists_of_like_texts_give_all_their_values(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [texts(layout(record)) for record in all_records]

    pattern = learn(pages[2], shown(all_records[2], "author"), pages[:2] + pages[3:])

    assert [pattern.values(page)["author"] for page in pages] == [record["author"] for record in all_records]


def test_values_within_one_text_are_divided_as_the_pasted_ones_were() -> None:
    said = ("Drama, War", "Comedy", "Crime, Drama, Film noir", "Western, War", "Opera")
    pages = [texts(f"<h1>{number}</h1><p>Genre: {each}</p><p>Colour") for number, each in enumerate(said)]

    pattern = learn(pages[0], Example("a", "", (("genre", ("Drama", "War")),)), pages[1:])

    assert [pattern.values(page)["genre"] for page in pages] == [each.split(", ") for each in said]


def test_a_value_that_inline_tags_divide_is_found_whole() -> None:
    people = ("Jane <b>Smith</b>", "Omar <b>Diaz</b>", "Eva <b>Novak</b>", "Li <b>Wei</b>")
    pages = [texts(f"<h1>{at}</h1><p class=who>{each}</p><p>All rights reserved") for at, each in enumerate(people)]  # fmt: skip

    pattern = learn(pages[0], Example("a", "", (("who", ("jane smith",)),)), pages[1:])

    assert [pattern.values(page)["who"] for page in pages] == [["Jane Smith"], ["Omar Diaz"], ["Eva Novak"], ["Li Wei"]]  # fmt: skip


@pytest.mark.parametrize("shown_at", [1, 9], ids=["shown without tags", "shown with tags"])
def test_a_value_that_inline_tags_divide_on_some_pages_is_found_whole_on_all(shown_at: int) -> None:
    sources = [*TITLES[:9], "Letters from <i>Rome</i> and back"]
    said = [*TITLES[:9], "Letters from Rome and back"]
    pages = [texts(f"<p>News</p><h1>{each}</h1><p>Written by <b>{at}</b> of us</p>") for at, each in enumerate(sources)]  # fmt: skip
    others = pages[:shown_at] + pages[shown_at + 1 :]

    pattern = learn(pages[shown_at], Example("a", "", (("title", (said[shown_at],)),)), others)

    assert [pattern.values(page)["title"] for page in pages] == [[each] for each in said]


def test_a_list_ends_where_another_label_begins() -> None:
    tags = (("frost", "ice"), ("sand",), ("rain", "hail", "fog"), ("wind", "dust"))
    names = (("N-1",), ("N-2", "M-2"), ("N-3",), ("N-4", "M-4"))
    pages = [
        texts(
            f"<h1>Report {at}</h1><dl><dt>Kinds<dd><ul>{listed(kinds)}</ul><dt>Names<dd><ul>{listed(called)}</ul></dl>"
        )
        for at, (kinds, called) in enumerate(zip(tags, names, strict=True))
    ]

    pattern = learn(pages[0], Example("a", "", (("kind", tags[0]),)), pages[1:])

    assert [pattern.values(page)["kind"] for page in pages] == [list(kinds) for kinds in tags]


@pytest.mark.parametrize(
    ("pasted", "found"),
    [("Nikon", "Samsung"), ("NIKON", "SAMSUNG"), ("nikon", "samsung")],
)
def test_of_places_that_say_the_same_one_is_taken_that_is_written_as_it_was_pasted(
    pasted: str, found: str
) -> None:
    makers = ("Nikon", "Samsung", "Casio", "Canon", "Leica", "Sony", "Pentax", "Ricoh", "Kodak", "Sigma")
    pages = [
        texts(
            f"<h1>Camera {title}</h1><p><b>Maker</b> <span>{maker}</span></p><div><i>{maker.upper()}</i> makes it</div>"
            f"<ul><li>small<li>{maker.lower()}</ul>"
        )
        for title, maker in zip(TITLES, makers, strict=True)
    ]

    pattern = learn(pages[0], Example("a", "", (("maker", (pasted,)),)), pages[1:])

    assert pattern.values(pages[1])["maker"] == [found]


def listed(values: tuple[str, ...]) -> str:
    return "".join(f"<li><a href=/x/{len(value)}>{value}</a></li>" for value in values)


def test_of_several_places_the_one_whose_text_differs_from_page_to_page_is_taken() -> None:
    all_records = records()
    all_records[0] = all_records[0] | {
        "publisher": ["Meridian"],
        "year": ["1999"],
    }  # both stand in the menu, too
    pages = [texts(as_cards(record)) for record in all_records]

    pattern = learn(pages[0], shown(all_records[0], "publisher", "year"), pages[1:])

    assert [pattern.values(page)["year"] for page in pages] == [record["year"] for record in all_records]


def test_the_region_decides_which_place_is_meant() -> None:
    pages = [
        texts(f"<div class=old>Was <b>{was} €</b></div><div class=new>Now <b>{now} €</b></div>")
        for was, now in ((5, 5), (7, 6), (9, 3), (8, 2), (4, 1))
    ]

    old = learn(pages[0], Example("a", "Was 5 €", (("price", ("5 €",)),)), pages[1:])
    new = learn(pages[0], Example("a", "Now 5 €", (("price", ("5 €",)),)), pages[1:])

    assert [old.values(page)["price"] for page in pages[1:]] == [["7 €"], ["9 €"], ["8 €"], ["4 €"]]
    assert [new.values(page)["price"] for page in pages[1:]] == [["6 €"], ["3 €"], ["2 €"], ["1 €"]]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_values_come_with_the_place_where_they_stand(layout: Callable[[Record], str]) -> None:
    all_records = records()
    pages = [read_layout(layout(record).encode()) for record in all_records]
    pattern = learn(pages[2].texts, shown(all_records[2], "author", *NAMES), [page.texts for page in pages])

    found = [pattern.found(page.texts) for page in pages]

    for page, values in zip(pages, found, strict=True):
        said = page.texts.all()
        assert pattern.values(page.texts) == {name: [each.value for each in values[name]] for name in values}
        assert all(each.value in said[each.index].text for name in values for each in values[name])
        assert all(each.node == said[each.index].node > 0 for name in values for each in values[name])
        assert [page.skeleton.tags[each.node] for each in values["title"]] == ["h1"]


def test_one_page_alone_teaches_something() -> None:
    all_records = records()
    pages = [texts(as_bold_lines(record)) for record in all_records]

    pattern = learn(pages[0], shown(all_records[0], "price"), [])

    assert [pattern.values(page)["price"] for page in pages] == [record["price"] for record in all_records]


def test_a_text_that_stands_nowhere_is_left_out() -> None:
    pages = [texts(as_table(record)) for record in records()]

    pattern = learn(pages[0], Example("a", "", (("isbn", ("978",)),)), pages[1:])

    assert pattern.attributes == ()
    assert pattern.values(pages[1]) == {}


@pytest.mark.parametrize(
    ("pasted_in", "start", "end", "other", "value"),
    [
        ("Author: Jane Smith", 8, 18, "Author: Omar Diaz", ["Omar Diaz"]),
        ("Author: Jane Smith", 8, 18, "Authors: Omar Diaz", ["Omar Diaz"]),  # another label
        ("205 lbs", 0, 3, "198 lbs", ["198"]),
        ("205 lbs", 0, 3, "90 kg", ["90"]),
        ("Hardcover, 2008", 11, 15, "Paperback, 1999", ["1999"]),
        ("Jane Smith (born 1960)", 0, 10, "Omar Diaz (died 1990)", ["Omar Diaz"]),
        ("by Jane", 3, 7, "by Omar", ["Omar"]),
        ("Author: Jane", 8, 12, "Author: ", []),
        ("Jane", 0, 4, "Omar: a life", ["Omar: a life"]),  # nothing was cut, nothing is
    ],
)
def test_a_value_is_cut_out_of_its_text(
    pasted_in: str, start: int, end: int, other: str, value: list[str]
) -> None:
    assert cut_around(pasted_in, start, end).of(other) == value


def test_words_divide_values_only_between_spaces() -> None:
    cut = cut_between("Ann and Bob", [(0, 3), (8, 11)])

    assert cut.of("Andy and Sandy and Mia") == ["Andy", "Sandy", "Mia"]


@pytest.mark.parametrize(
    "written",
    ["", "[]", "{}", "null", '{"version": 1}', '{"version": 99, "features": []}', "[" * 100_000, '"x"'],
)
def test_what_is_no_pattern_is_refused(written: str) -> None:
    with pytest.raises(UnreadablePattern):
        AttributePattern.from_json(written)


def test_a_pattern_with_a_damaged_slot_is_refused() -> None:
    pages = [texts(as_table(record)) for record in records()]
    written = json.loads(learn(pages[0], shown(records()[0], "price"), pages[1:]).to_json())
    written["slots"][0]["agree"] = [1.0]

    with pytest.raises(UnreadablePattern, match="price"):
        AttributePattern.from_json(json.dumps(written))


HOSTILE = {
    "empty": b"",
    "no html": bytes(range(256)) * 20,
    "deep": b"<div class=a><b>x" * 60_000,
    "wide": b"<p>1</p>" * 90_000,
    "inline": b"<p>" + b"<i>a</i>" * 90_000,
    "attributes": b"<p " + b" ".join(b"a%d=1" % number for number in range(40_000)) + b">x</p>",
    "one long text": b"<p>" + b"price: 5 " * 200_000,
    "cells": b"<table>" + b"<tr>" + b"<td>x" * 90_000,
    "classes": b"".join(b"<p class='c%d'>x</p>" % number * 2 for number in range(30_000)),
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_cost_little_and_raise_nothing(body: bytes) -> None:
    pages = [texts(as_table(record)) for record in records()]
    pattern = learn(pages[0], shown(records()[0], *NAMES), [*pages[1:], read_texts(b"")])

    values = within(3, lambda: pattern.values(read_texts(body)))

    assert set(values) == set(NAMES)


def redesign(record: Record) -> str:
    facts = "".join(f"<li><em>{record[name][0].replace('&', '&amp;')}</em> {name.title()}</li>" for name in ("year", "price", "publisher") if record[name])  # fmt: skip
    return f"<main><ol>{facts}</ol><h4>{record['title'][0]}</h4></main><footer>Contact</footer>"


def test_known_values_are_found_again_after_a_redesign() -> None:
    all_records = records()
    old_pages = [texts(as_table(record)) for record in all_records]
    new_pages = [texts(redesign(record)) for record in all_records]
    pattern = learn(old_pages[0], shown(all_records[0], *NAMES), old_pages[1:])
    known = [pattern.values(page) for page in old_pages]

    repaired = repair(pattern, list(zip(new_pages[:7], known[:7], strict=True)))

    assert repaired.is_new
    assert repaired.found_by_new == repaired.known == 27  # a publisher is missing once
    assert repaired.found_by_old < 14
    assert [repaired.pattern.values(page) for page in new_pages[7:]] == known[7:]


def test_a_pattern_that_still_finds_everything_is_kept() -> None:
    all_records = records()
    pages = [texts(as_table(record)) for record in all_records]
    pattern = learn(pages[0], shown(all_records[0], *NAMES), pages[1:])
    known = [pattern.values(page) for page in pages]

    repaired = repair(pattern, list(zip(pages, known, strict=True)))

    assert not repaired.is_new
    assert repaired.pattern is pattern
    assert repaired.found_by_old == repaired.known


def test_nothing_known_repairs_nothing() -> None:
    pages = [texts(as_table(record)) for record in records()]
    pattern = learn(pages[0], shown(records()[0], "price"), pages[1:])

    assert repair(pattern, []).pattern is pattern
    assert repair(pattern, [(texts("<p>Gone</p>"), {"price": ["5 €"]})]).pattern is pattern


def test_a_director_who_also_acts_is_looked_for_where_the_page_names_directors() -> None:
    draw = Random(5)
    casts = [draw.sample(PEOPLE, 4) for _ in range(14)]
    films = [
        read_texts(
            (
                f"<h1>{draw.choice(TITLES)} {number}</h1><table><tr><th>Produced by:</th><td><a href='/p/{number}'>{cast[1]}</a></td></tr>"
                f"<tr><th>Directed by:</th><td><a href='/p/{number}'>{cast[0]}</a></td></tr></table>"
                f"<ul class=cast>{''.join(f'<li><a href=/p/9>{who}</a>' for who in (cast if number == 0 else cast[1:]))}</ul>"
            ).encode()
        )
        for number, cast in enumerate(casts)
    ]

    pattern = learn(films[0], Example("films", "", (("director", (casts[0][0],)),)), films[1:10])

    assert [pattern.values(film)["director"] for film in films[10:]] == [[cast[0]] for cast in casts[10:]]


def test_the_name_of_an_attribute_decides_between_places_that_say_the_same() -> None:
    draw = Random(6)
    pairs = [("Alder", "Alder"), *(tuple(draw.sample((*PEOPLE, *HOUSES), 2)) for _ in range(13))]
    pages = [
        read_texts(f"<h1>{one}</h1><dl><dt>Author<dd>{one}<dt>Publisher<dd>{two}</dl>".encode())
        for one, two in pairs
    ]
    region = Example("books", "", (("publisher", ("Alder",)), ("author", ("Alder",))))

    pattern = learn(pages[0], region, pages[1:10])

    for page, (author, publisher) in zip(pages[10:], pairs[10:], strict=True):
        assert pattern.values(page) == {"publisher": [publisher], "author": [author]}


def test_a_value_whose_score_is_low_is_taken_where_nothing_else_comes_near() -> None:
    def page(number: int, step: str, who: str) -> PageTexts:
        return read_texts(
            f"<div class=m><a href=/>Home</a></div><div class='{step}'><b>Author:</b> <i>{who}</i></div><p>Text {TITLES[number % 10]}".encode()
        )

    draw = Random(7)
    pages = [page(number, "facts", draw.choice(PEOPLE)) for number in range(10)]
    pattern = learn(pages[0], Example("a", "", (("author", (pages[0].pieces[2].text,)),)), pages[1:])

    assert pattern.values(page(11, "other-box", "J. C. van den Berg/Hotek"))["author"] == [
        "J. C. van den Berg/Hotek"
    ]
    assert pattern.values(read_texts(b"<div class=m><a href=/>Home</a></div><p>Text"))["author"] == []
    assert AttributePattern.from_json(pattern.to_json()) == pattern


def learnt_from_a_coincidence(page: str) -> list[dict[str, list[str]]]:
    """Return what is found on later pages after title and company were shown where both said the same."""
    draw = Random(8)
    pairs = [("Alder", "Alder"), *(tuple(draw.sample((*PEOPLE, *TITLES), 2)) for _ in range(12))]
    pages = [read_texts(page.format(*pair).encode()) for pair in pairs]
    region = Example("jobs", "", (("title", ("Alder",)), ("company", ("Alder",))))
    pattern = learn(pages[0], region, pages[1:10])
    wanted = [{"title": [title], "company": [company]} for title, company in pairs[10:]]
    assert [pattern.values(page) for page in pages[10:]] == wanted
    return wanted


@pytest.mark.parametrize(
    "page",
    [
        "<p class=lead>{1}</p><h1>{0}</h1><p>Apply now",  # a title is a heading
        "<div class=job-title>{0}</div><div class=hiringCompany>{1}</div><p>Apply now",
        "<p><b itemprop=title>{0}</b></p><div><span itemprop=company>{1}</span></div><p>Apply now",
        "<p class=b>Company: {1}</p><p class=c>{0}</p><p>Apply now",  # the other one is named
        "<table><tr><th>Place<th>Company<th>Title<tr><td>Here<td>{1}<td>{0}</table>",
    ],
)
def test_what_a_page_calls_its_elements_decides_between_places_that_say_the_same(page: str) -> None:
    assert len(learnt_from_a_coincidence(page)) == 3


def test_a_name_that_many_elements_of_a_page_have_decides_nothing() -> None:
    draw = Random(9)
    titles = [draw.sample(TITLES, 6) for _ in range(13)]
    pages = [
        read_texts(
            (
                f"<div id=top><b>{title}</b></div><p>Apply now</p><ul>"
                + "".join(f"<li class=title>{each}" for each in ((title, *others) if number == 0 else others))
                + "</ul>"
            ).encode()
        )
        for number, (title, *others) in enumerate(titles)
    ]

    pattern = learn(pages[0], Example("a", "", (("title", (titles[0][0],)),)), pages[1:10])

    assert [pattern.values(page)["title"] for page in pages[10:]] == [[each[0]] for each in titles[10:]]
