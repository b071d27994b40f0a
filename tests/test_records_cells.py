from __future__ import annotations

import pytest
from walked_pages import elements_of, members_of, places_of, walk_page

from hiddenweb.html.tags import NUMBERS
from hiddenweb.records.cells import (
    CellMember,
    CellPaths,
    CellText,
    has_content,
    has_words,
    pieces_of,
    subtree,
)

PEOPLE = ("Jane Smith", "John Doe", "Ann Lee")
TOLD = ("How the river came to the town.", "A long way to the sea.", "Nothing is as it was.")


def cells_of(html: str, tag: str = "li") -> list[list[CellText]]:
    walk, flat = walk_page(html)
    return pieces_of(walk, flat, members_of(walk, tag))


def texts_of(form: str) -> list[list[str]]:
    """Return the texts of three records made alike."""
    items = (f"<li>{form.format(n=n, who=PEOPLE[n], told=TOLD[n])}</li>" for n in range(3))
    return [[cell.text for cell in record] for record in cells_of(f"<ul>{''.join(items)}</ul>")]


@pytest.mark.parametrize(
    ("form", "second"),
    [
        pytest.param("<h3>Book</h3><p>{who}</p>", ["Book", "John Doe"], id="blocks"),
        pytest.param("Book<br>{who}", ["Book", "John Doe"], id="lines"),
        pytest.param("{told} <b itemprop=by>{who}</b> says {told}", [TOLD[1], "John Doe", f"says {TOLD[1]}"], id="it says what it tells"),
        pytest.param("{told} <b class=by>{who}</b> says {told}", [f"{TOLD[1]} John Doe says {TOLD[1]}"], id="it does not say so"),
        pytest.param("by <a>{who}</a>, <a>Bo</a>", ["by", "John Doe", "Bo"], id="commas and the same words between"),
        pytest.param("<b>{who}, 199{n}</b> {told}", ["John Doe, 1991", TOLD[1]], id="it begins the line"),
        pytest.param("{told} <i>{who}</i>", [TOLD[1], "John Doe"], id="it ends the line"),
        pytest.param("<b>Price</b> 1{n}.50 <b>Year</b> 199{n}", ["Price", "11.50", "Year", "1991"], id="labels"),
        pytest.param("<b>By:</b> {who}", ["By:", "John Doe"], id="a colon"),
        pytest.param("<p><span>£</span>1{n}.00</p>", ["£11.00"], id="a sign that sticks"),
        pytest.param("<a>Book <b>{n}</b></a>", ["Book 1"], id="a link is never divided"),
        pytest.param("<a><b>{who}</b> <i>{told}</i></a>", ["John Doe", TOLD[1]], id="but a card is"),
        pytest.param("<p>{who} | 199{n} | new</p>", ["John Doe", "1991", "new"], id="signs between"),
        pytest.param("<a>{who} | {n}</a>", ["John Doe | 1"], id="signs in a link"),
        pytest.param("<p>---</p><p>{who}</p>", ["---", "John Doe"], id="a line without letters"),
        pytest.param("<p>x<b hidden>{who}</b></p>", ["x"], id="what is hidden"),
    ],
)  # fmt: skip
def test_a_line_is_divided_as_it_is_made_in_all_records(form: str, second: list[str]) -> None:
    assert texts_of(form)[1] == second


def test_words_that_are_only_set_off_divide_nothing() -> None:
    items = "<li>How the <b>river</b> came to the town</li><li>A long <b>way</b></li><li><b>Nothing</b> is as it was</li>"

    assert [[cell.text for cell in record] for record in cells_of(f"<ul>{items}</ul>")] == [
        ["How the river came to the town"],
        ["A long way"],
        ["Nothing is as it was"],
    ]


def test_the_same_place_is_of_one_kind_in_all_records_whatever_else_they_have() -> None:
    html = (
        "<ul><li><h3>One</h3><p class='author odd'>Jane</p><p class=year>1999</p></li>"
        "<li class=featured><h3>Two</h3><p class=year>2001</p></li>"
        "<li><h3>Three</h3><div>New</div><p class=author>John</p></li></ul>"
    )
    first, second, third = cells_of(html)

    kinds = {cell.text: cell.kind for record in (first, second, third) for cell in record}

    assert kinds["One"] == kinds["Two"] == kinds["Three"]
    assert kinds["Jane"] == kinds["John"] != kinds["1999"]  # stripes say nothing
    assert kinds["1999"] == kinds["2001"]
    assert len(set(kinds.values())) == 4


def test_numbers_in_classes_count_where_several_records_have_them() -> None:
    numbered = "<ul>" + "".join(f"<li><p class=price-{n}>{n}</p></li>" for n in range(3)) + "</ul>"
    ranked = "<ul>" + "<li><p class=h2>a</p><p class=h3>b</p></li>" * 3 + "</ul>"

    assert len({cell.kind for record in cells_of(numbered) for cell in record}) == 1
    assert len({cell.kind for record in cells_of(ranked) for cell in record}) == 2


def test_a_text_knows_its_record_and_line_and_where_it_stands() -> None:
    walk, flat = walk_page(
        "<ul><li>a<p>by <b>Jane</b>, <b>Bo</b></p><li>c<p>by <b>Ann</b>, <b>Cy</b></p></ul>"
    )
    members = members_of(walk, "li")

    second = pieces_of(walk, flat, members)[1]

    assert [(cell.record, cell.line, cell.is_word) for cell in second] == [
        (1, 0, False), (1, 1, True), (1, 1, False), (1, 1, False),
    ]  # fmt: skip
    assert [flat[cell.start : cell.end].strip(" ,") for cell in second] == ["c", "by", "Ann", "Cy"]
    assert elements_of(walk)[second[2].place].tag == NUMBERS["b"]


def test_cells_of_a_column_are_of_one_kind_whatever_their_classes() -> None:
    walk, flat = walk_page("<table><tr><td class=a>x<td class=b>y<tr><td class=c>z<td class=d>w</table>")
    columns = dict(zip(places_of(walk, "td"), (0, 1, 0, 1), strict=True))

    (x, y), (z, w) = pieces_of(walk, flat, members_of(walk, "tr"), columns)

    assert (x.kind, y.kind) == (z.kind, w.kind)
    assert x.kind != y.kind


def test_records_that_are_no_elements_are_read_between_their_ends() -> None:
    walk, flat = walk_page("<p><a>One</a> first <i>x</i><br><a>Two</a> second <i>y</i></p>")
    middle = flat.index("Two")
    members = [CellMember((), 0, middle), CellMember((), middle, len(flat))]

    found = pieces_of(walk, flat, members)

    assert [[cell.text for cell in record] for record in found] == [
        ["One", "first", "x"],
        ["Two", "second", "y"],
    ]


def test_a_record_with_endless_texts_is_read_so_far() -> None:
    records = cells_of("<ul><li>" + "<p>ab</p>" * 1_000 + "</li><li><p>cd</p></li></ul>")

    assert [len(record) for record in records] == [200, 1]


def test_records_beyond_what_is_read_of_a_page_have_no_texts() -> None:
    records = cells_of("<ul>" + ("<li>" + "<p>a" * 7_000 + "</li>") * 4 + "</ul>")

    assert [bool(record) for record in records] == [True, True, True, False]


@pytest.mark.parametrize(("text", "said", "words"), [("Ab", True, True), ("本", True, True), ("12.50", True, False), ("a 1", True, False), ("— €", False, False), ("", False, False)])  # fmt: skip
def test_what_says_something_and_what_has_words(text: str, said: bool, words: bool) -> None:
    assert (has_content(text), has_words(text)) == (said, words)


def test_a_subtree_is_an_element_with_all_in_it() -> None:
    walk, _ = walk_page("<ul><li>a<b>b<i>c</i></b><li>d</ul><p>e")
    first, _second = places_of(walk, "li")
    elements = elements_of(walk)

    assert [elements[place].tag for place in subtree(elements, first)] == [
        NUMBERS[tag] for tag in ("li", "b", "i")
    ]


def test_paths_are_numbered_by_tags_and_classes_below_a_record() -> None:
    walk, _ = walk_page(
        "<div class=a><p class='y x'>1</p></div><div class=b><p class='x Y odd'>2</p><p class=z>3</p></div>"
    )
    paths = CellPaths(elements_of(walk))
    (one, two), (x, same, z) = places_of(walk, "div"), places_of(walk, "p")

    assert paths.add(one, 0) == paths.add(two, 0)  # the class of a record may name its subject
    assert paths.add(x, paths.of[one]) == paths.add(same, paths.of[two]) != paths.add(z, paths.of[two])
