"""What records say, by name: in tables, lists, cards and lines, labelled or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import RepeatedItem

PEOPLE = ("Jane Smith", "John Doe", "Ann Lee")
YEARS = ("1999", "2004", "2011")
TOLD = (
    "How the river came to the town and what it took.",
    "A long way to the sea, with many stops.",
    "Nothing is as it was, says the miller.",
)


def blocks_of(html: str) -> tuple[RepeatedItem, ...]:
    return read_page_with_items(html.encode(), "http://a.example/", content_type="text/html").blocks


def attributes_of(html: str) -> list[list[tuple[str, str]]]:
    return [list(block.attributes) for block in blocks_of(html)]


def books(form: str) -> str:
    """Return three records made alike."""
    return "".join(
        form.format(n=n, who=who, year=year, told=told)
        for n, (who, year, told) in enumerate(zip(PEOPLE, YEARS, TOLD, strict=True), 1)
    )


def listed(form: str) -> str:
    return f"<ul>{books('<li><h3><a href=/{n}>Book number {n}</a></h3>' + form + '</li>')}</ul>"


def table(head: str, row: str) -> str:
    return f"<table>{head}{books(f'<tr>{row}</tr>')}</table>"


TITLE, WHO, YEAR = "<td><a href=/{n}>Book number {n}</a></td>", "<td>{who}</td>", "<td>{year}</td>"
HEADS = "<th>Titel</th><th>Autor</th><th>Jahr</th>"
BY_HEADS = {"titel": "Book number 1", "autor": "Jane Smith", "jahr": "1999"}


@pytest.mark.parametrize(
    ("html", "first"),
    [
        (table(f"<tr>{HEADS}</tr>", TITLE + WHO + YEAR), BY_HEADS),
        (table(f"<thead><tr>{HEADS}</tr></thead>", TITLE + WHO + YEAR), BY_HEADS),
        (table("<tr><td>Titel</td><td>Autor</td><td>Jahr</td></tr>", TITLE + WHO + YEAR), BY_HEADS),
        (table(f"<tr><th></th>{HEADS}</tr>", "<td></td>" + TITLE + WHO + YEAR), BY_HEADS),
        (table(f"<tr>{HEADS}<th></th></tr>", TITLE + WHO + YEAR + "<td><a href=/cart/{n}>Add to cart</a></td>"), BY_HEADS),
        (table("<tr><th colspan=2>Titel</th><th>Autor</th><th>Jahr</th></tr>", "<td colspan=2><a href=/{n}>Book number {n}</a></td>" + WHO + YEAR), BY_HEADS),
        (table("<tr><th rowspan=2>Titel</th><th colspan=2>Ausgabe</th></tr><tr><th>Autor</th><th>Jahr</th></tr>", TITLE + WHO + YEAR), BY_HEADS),
        (table("", TITLE.replace("<td>", "<td data-label=Titel>") + WHO.replace("<td>", "<td data-label='Autor:'>") + YEAR.replace("<td>", "<td data-label=Jahr>")), BY_HEADS),
        (listed("<dl><dt>Author</dt><dd>{who}</dd><dt>Year</dt><dd>{year}</dd></dl>"), {"title": "Book number 1", "author": "Jane Smith", "year": "1999"}),
        (listed("<p>Author: {who}</p><p>Year: {year}</p>"), {"title": "Book number 1", "author": "Jane Smith", "year": "1999"}),
        (listed("<p>Author: {who}, Year: {year}</p>"), {"title": "Book number 1", "author": "Jane Smith", "year": "1999"}),
        (listed("<p><b>Author:</b> {who}<br><b>Year:</b> {year}</p>"), {"title": "Book number 1", "author": "Jane Smith", "year": "1999"}),
        (listed("<p><b>Author</b> {who} <b>Year</b> {year}</p>"), {"title": "Book number 1", "author": "Jane Smith", "year": "1999"}),
        (listed("<div><span class=label>Author</span> <span>{who}</span></div>"), {"title": "Book number 1", "author": "Jane Smith"}),
        (listed("<div><div>Author</div><div>{who}</div><div>Year</div><div>{year}</div></div>"), {"title": "Book number 1", "author": "Jane Smith", "year": "1999"}),
        (listed("<table><tr><td>Author</td><td>{who}</td></tr><tr><td>Year</td><td>{year}</td></tr></table>"), {"title": "Book number 1", "author": "Jane Smith", "year": "1999"}),
        (listed("<p>by <a href=/by/{who}>{who}</a></p>"), {"title": "Book number 1", "by": "Jane Smith"}),
        (listed("<p class=product-author>{who}</p><p class='col-md-3 css-1x2y'>{told}</p>"), {"title": "Book number 1", "author": "Jane Smith", "text": TOLD[0]}),
        (listed("<p itemprop=author itemscope><span itemprop=name>{who}</span></p><meta itemprop=datePublished content={year}>"), {"title": "Book number 1", "author": "Jane Smith", "date published": "1999"}),
        (listed("<p property='dc:creator'>{who}</p>"), {"title": "Book number 1", "creator": "Jane Smith"}),
        (listed("<p><span>{who}</span> {told}</p>"), {"title": "Book number 1", "text 2": "Jane Smith", "text": TOLD[0]}),
        (listed("<p class=price><span>€</span>{year}</p>"), {"title": "Book number 1", "price": "€1999"}),
        (listed("<p class=x2>{told}</p><button>Buy it now</button><a href=/{n}>Details</a>"), {"title": "Book number 1", "text": TOLD[0]}),
        ("<dl>" + books("<dt><a href=/{n}>Book number {n}</a></dt><dd class=author>{who}</dd>") + "</dl>", {"title": "Book number 1", "author": "Jane Smith"}),
    ],
    ids=[
        "heads", "thead", "heads in plain cells", "a column of nothing", "a column of links", "wide cells", "two rows of heads", "labels for small screens",
        "terms", "lines with colons", "one line with colons", "bold labels with colons", "bold labels", "a class for labels", "labels like their values",
        "a table in each record", "a word before a link", "classes", "microdata", "RDFa", "the beginning of a line", "a sign", "ways on", "records that are terms",
    ],
)  # fmt: skip
def test_what_a_record_says_is_named_by_the_page(html: str, first: dict[str, str]) -> None:
    assert dict(attributes_of(html)[0]) == first


def test_a_list_among_columns_with_commas_stays_one_value() -> None:
    lines = (
        "Ann Lee, Bo Ray, Cy Fox, 1999",
        "Di Orr, Ed Poe, Ed Poe, Gus May, 2003",
        "Hal Roe, Ida Nye, 1987",
    )
    items = (
        f"<li><h3><a href=/b{n}>Film number {n}</a></h3><p>{line}</p></li>" for n, line in enumerate(lines)
    )

    found = attributes_of(f"<ul>{''.join(items)}</ul>")

    assert [value for _, value in found[1]] == ["Film number 1", "Di Orr", "Ed Poe, Ed Poe, Gus May", "2003"]


def test_a_record_that_lacks_something_shifts_no_names() -> None:
    html = listed("<dl><dt>Author</dt><dd>{who}</dd><dt>Year</dt><dd>{year}</dd></dl>").replace(
        "<dt>Author</dt><dd>John Doe</dd>", ""
    )
    cells = table(f"<tr>{HEADS}</tr>", TITLE + WHO + YEAR).replace("<td>John Doe</td>", "<td></td>")

    assert attributes_of(html)[1] == [("title", "Book number 2"), ("year", "2004")]
    assert attributes_of(cells)[1] == [("titel", "Book number 2"), ("jahr", "2004")]


def test_words_set_off_in_a_text_leave_it_whole() -> None:
    marked = listed("<p>{told}</p>").replace(" the ", " <em>the</em> ").replace("with", "<em>with</em>")

    assert [dict(each)["text"] for each in attributes_of(marked)] == list(TOLD)


def test_json_ld_adds_what_it_says_of_a_record() -> None:
    data = '[{"@type":"Book","url":"/1","author":{"name":"Jane Smith"},"isbn":17},{"name":"Book number 2","isbn":"18"}]'
    html = f"<script type='application/ld+json'>{data}</script>{listed('<p>{told}</p>')}"

    found = attributes_of(html)

    assert found[0][-2:] == [("author", "Jane Smith"), ("isbn", "17")]
    assert ("isbn", "18") in found[1]
    assert [name for name, _ in found[2]] == ["title", "text"]


def test_a_record_with_nothing_but_a_name_has_a_title() -> None:
    assert attributes_of(listed("")) == [[("title", f"Book number {n}")] for n in (1, 2, 3)]


def test_a_block_is_found_again_in_the_tree_by_its_number() -> None:
    html = listed("<p>{told}</p>")

    assert all(block.element for block in blocks_of(html))
    assert len({block.element for block in blocks_of(html)}) == 3
    terms = f"<dl>{books('<dt><a href=/{n}>Book {n}</a></dt><dd>{told}</dd>')}</dl>"
    assert {block.element for block in blocks_of(terms)} == {0}


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<ol><li><h3><a href=/1>The River</a></h3><p>How it came to the town.</p></li></ol>", [("title", "The River"), ("text 2", "How it came to the town.")]),
        ("<table><tr><th>Titel</th><th>Jahr</th></tr><tr><td><a href=/1>The River</a></td><td>1999</td></tr></table>", [("titel", "The River"), ("jahr", "1999")]),
        ("<div><dl><dt><a href=/1>The River</a></dt><dd class=author>Jane Smith</dd></dl></div>", [("title", "The River"), ("author", "Jane Smith")]),
        ("<ul><li><a href=/1>The River</a><table><tr><th>Year</th><td>1999</td></tr><tr><th>Price</th><td>12.50</td></tr></table></li></ul>", [("title", "The River"), ("year", "1999"), ("price", "12.50")]),
    ],
    ids=["list", "table", "terms", "labels"],
)  # fmt: skip
def test_a_record_that_stands_alone_in_its_list_is_read_as_well(
    html: str, said: list[tuple[str, str]]
) -> None:
    page = read_page_with_items(f"<h1>1 result</h1>{html}<p>Impressum</p>".encode(), "http://a.example/")

    assert [list(block.attributes) for block in page.single_items if block.url == "http://a.example/1"] == [
        said
    ]


HOSTILE = {
    "a wide table": b"<table>" + (b"<tr>" + b"<td>abc def</td>" * 90 + b"</tr>") * 1000,
    "spans": b"<table>" + (b"<tr>" + b"<td colspan=999 rowspan=999>abc def</td>" * 50 + b"</tr>") * 900,
    "inline elements": b"<ul>" + (b"<li>" + b"<b>ab:</b> cd <i>e</i> " * 4_000 + b"</li>") * 4,
    "deep inline elements": b"<ul>" + (b"<li>" + b"<b class=a>x <i>" * 400 + b"</li>") * 100,
    "properties": b"<ul>" + (b"<li>" + b"<meta itemprop=a content=b>" * 20_000 + b"hello again</li>") * 4,
    "terms": b"<dl>" + b"<dt>hello world<dd>again" * 30_000,
    "descriptions": b"<dl><dt>hello world" + b"<dd>again" * 80_000 + b"<dt>hello you<dd>all",
    "lists": b"<ul>" + (b"<li><span>" + b"a, " * 100_000 + b"</span> hello</li>") * 4,
    "labels": b"<ul>" + (b"<li>" + b"ab: c, " * 50_000 + b"</li>") * 4,
    "turns": b"<ul>" + (b"<li>" + b"<div>ab</div><div>cd</div>" * 8_000 + b"</li>") * 5,
    "deep JSON": b"<script type=application/ld+json>"
    + b"[" * 100_000
    + b"</script><ul>"
    + b"<li>hello world" * 9,
    "odd JSON": b'<script type=application/ld+json>[{"url":1,"name":"\\ud800"},null,{"item":{"name":[]}}]</script><ul>'
    + b"<li>hello world" * 9,
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_records_have_few_and_short_attributes(html: bytes) -> None:
    blocks = read_page_with_items(html, "http://a.example/").blocks

    assert all(len(block.attributes) <= 60 for block in blocks)
    assert all(len(value) <= 5_000 and name for block in blocks for name, value in block.attributes)
