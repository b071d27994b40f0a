"""The repeated parts of a page: in lines, in tables with headings in between, and where they lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.html.reader import LIMITS
from hiddenweb.model import Page, RepeatedItem
from hiddenweb.records.page import read_page_with_items

PREFORMATTED = "<pre>Ordered by [<b>date</b>|<a href='?r'>relevance</a>]</pre><pre>{}</pre><hr><pre>Results 1-3 of 3</pre>"
MAILS = "\n".join(
    f" {n}. <b><a href='m{n}/'>Letter number {n}</a></b>\n    - by Ann @ 2021-12-0{n}\n" for n in (1, 2, 3)
)
BREAKS = "<td>" + "<br>".join(f"<a href='m{n}/'>Letter number {n}</a> by Ann" for n in (1, 2, 3)) + "</td>"


WORDS = ("one", "two", "three")


def read(html: str) -> Page:
    return read_page_with_items(html.encode(), "http://a.example/", content_type="text/html")


def blocks_of(html: str) -> tuple[RepeatedItem, ...]:
    return read(html).blocks


@pytest.mark.parametrize(
    "html",
    [PREFORMATTED.format(MAILS), f"<table><tr><td>Menu</td>{BREAKS}</tr></table>"],
    ids=["preformatted", "breaks"],
)
def test_lines_that_begin_with_a_link_are_results_where_results_are_no_elements(html: str) -> None:
    blocks = blocks_of(html)

    assert [block.url for block in blocks] == [f"http://a.example/m{n}/" for n in (1, 2, 3)]
    assert [block.title for block in blocks] == [f"Letter number {n}" for n in (1, 2, 3)]
    assert all("by Ann" in block.text for block in blocks)


def test_lines_with_a_short_code_before_their_links_are_results_where_the_links_stand_in_one_column() -> None:
    lines = "".join(
        f"{code}  <a href='p{n}'>name{n}</a>   1.{n}  what it does\n"
        for n, code in enumerate(("ii", "un", "rc"))
    )

    assert [block.title for block in blocks_of(f"<pre>{lines}</pre>")] == ["name0", "name1", "name2"]


def test_empty_terms_between_results_are_no_results() -> None:
    results = "".join(
        f"<dt><a href='m{n}'>letter({n})</a></dt><dd>what letter {n} tells</dd><dt><br></dt>"
        for n in range(4)
    )

    assert [block.title for block in blocks_of(f"<dl>{results}</dl>")] == [f"letter({n})" for n in range(4)]


def test_links_within_a_text_are_no_lines() -> None:
    html = "<div>A text with <a href=a>some links</a> in it, <a href=b>and others</a>, as <a href=c>texts have</a>.</div>"

    assert blocks_of(html) == ()


def test_the_heads_of_a_table_and_headings_between_its_rows_are_no_results() -> None:
    rows = "".join(
        f"<tr><td>{n}</td><td><a href='issue{n}'>Issue number {n}</a></td></tr>" for n in range(1, 6)
    )
    html = (
        f"<table><tr><th>Id</th><th>Title</th></tr><tr><th colspan=2>no priority</th></tr>{rows}"
        f"<tr><td colspan=2>closed issues</td></tr>{rows.replace('issue', 'closed')}</table>"
    )

    assert [block.title for block in blocks_of(html)] == [f"Issue number {n}" for n in range(1, 6)] * 2


def result(number: int, *parts: str) -> str:
    return f"<li>{''.join(parts).format(n=number)}<p>What is said of number {number} at some length.</p></li>"


def test_a_row_whose_first_cell_labels_the_second_is_one_result() -> None:
    rows = (
        f"<tr><td><b>Modified:</b> 2026-11-0{n}<br><b>Size:</b> {n} kB</td>"
        f"<td><b><a href='/{n}'>Item number {n}</a></b><br><small>What is said of it</small></td></tr>"
        for n in (1, 2, 3)
    )

    blocks = blocks_of(f"<table>{''.join(rows)}</table>")

    assert [block.url for block in blocks] == [f"http://a.example/{n}" for n in (1, 2, 3)]


@pytest.mark.parametrize(
    "head",
    [
        "<tr><td>Title</td><td>Year</td><td>Told</td></tr>",
        "<tr class=top><td class=name>Title</td><td class=name>Year</td><td class=name>Told</td></tr>",
    ],
    ids=["plain", "styled"],
)
def test_plain_cells_that_name_columns_are_no_result(head: str) -> None:
    rows = "".join(
        f"<tr><td>Item {word}</td><td>199{n}</td><td>What is said</td></tr>" for n, word in enumerate(WORDS)
    )

    assert [block.title for block in blocks_of(f"<table>{head}{rows}</table>")] == [
        f"Item {word}" for word in WORDS
    ]


@pytest.mark.parametrize("tag", ["h4", "header"])
def test_what_stands_before_a_result_on_a_line_of_its_own_is_its_name(tag: str) -> None:
    items = "".join(
        f"<{tag}>Item {word}</{tag}><div class=said><b>Year:</b> 199{n}<p>What is said of it, at some length.</p></div>"
        for n, word in enumerate(WORDS)
    )

    assert [block.title for block in blocks_of(f"<section>{items}</section>")] == [
        f"Item {word}" for word in WORDS
    ]


HIT = "<li class=hit><a href=/i{0}>Book number {0}</a> <b>of the old town library</b></li>"
PAIR = "<h3>Book number {0}</h3><div class=told>Something that is told of book {0} at length</div>"
TERM = "<dt>Book number {0}</dt><dd>Something told of book {0}</dd><dd>More of that, at some length</dd>"
ROW = "<tr><td>Book number {0}</td><td>{0}999</td><td>Something that is told of book {0} at length</td></tr>"
HEAD = "<tr><td>Title</td><td>Year</td><td>Summary</td></tr>"


@pytest.mark.parametrize(
    ("around", "part"),
    [
        ("<ul class=hits>{}</ul>", HIT),
        ("<section class=hits>{}</section>", PAIR),
        ("<dl class=hits>{}</dl>", TERM),
        (f"<table class=hits><tbody>{HEAD}{{}}</tbody></table>", ROW),
    ],
    ids=[
        "an element",
        "a heading and what follows",
        "a term and its descriptions",
        "a row below names of columns",
    ],
)
def test_a_single_part_is_found_by_how_its_likes_on_other_pages_are_made(around: str, part: str) -> None:
    several = read(around.format("".join(part.format(n) for n in range(1, 5))))
    single = read(f"<h1>Results</h1><ul class=menu><li>Home<li>News</ul>{around.format(part.format(7))}")

    kinds = {block.kind for block in several.blocks}
    found = single.items_of_kind(kinds)

    assert len(several.blocks) == 4
    assert [block.title for block in found] == ["Book number 7"]
    assert found[0].attributes


def test_parts_that_lie_in_each_other_are_not_told_by_how_they_are_made() -> None:
    several = read(
        "<div><div>" + "".join(f"<div>Book number {n} of the town</div>" for n in range(4)) + "</div></div>"
    )
    nested = read("<div><div><div><div>Book number 7 of the town</div> and more</div></div></div>")

    assert nested.items_of_kind({block.kind for block in several.blocks}) == []
    assert Page("http://a.example/").items_of_kind({"div"}) == ()


def flat_results(*parts: str, count: int = 4) -> str:
    """Return headings and what follows them, below a heading of the page that shares a class with them, and above its foot."""
    results = "".join("".join(parts).format(n=n) for n in range(1, count + 1))
    return f"<div><h1 class='name'>Search matched {count} pages:</h1>{results}<hr><address>The library</address></div>"


HEADING = "<h2 class='name mt-20'><a href='/p{n}'>Page number {n}</a> (7 matches found)</h2>"
SNIPPET = "<p>What <b>is</b> said in page {n} of what was asked for.</p>"


@pytest.mark.parametrize(
    "parts",
    [
        (HEADING, SNIPPET),
        (HEADING, SNIPPET, "<p class=more>Read by {n} people</p>", "<p>And more</p>"),
        (HEADING, "What is said in page {n} of what was asked for."),
        (HEADING, "<ul><li>A part of page {n}<li>Another part of it</ul>"),
        ("<h3><a href='/p{n}'>Page number {n}</a></h3>", "<div class=s>What is said in page {n}</div>"),
        ("<dl><dt><a href='/p{n}'>Page number {n}</a></dt>", "<dd>What is said in page {n}</dd></dl>"),
    ],
    ids=["a paragraph", "several", "bare text", "a list", "a division", "terms"],
)
def test_headings_with_links_and_what_follows_them_are_results(parts: tuple[str, ...]) -> None:
    html = flat_results(*parts).replace("</dl><dl>", "")
    blocks = blocks_of(html)

    assert [block.url for block in blocks] == [f"http://a.example/p{n}" for n in range(1, 5)]
    assert [block.title for block in blocks] == [f"Page number {n}" for n in range(1, 5)]
    assert all(f"page {n}" in block.text for n, block in enumerate(blocks, 1))
    assert not any("library" in block.text or "matched" in block.text for block in blocks)


def test_a_heading_with_what_follows_it_is_known_again_where_it_stands_alone() -> None:
    kinds = {block.kind for block in blocks_of(flat_results(HEADING, SNIPPET, SNIPPET))}
    alone = read(flat_results(HEADING, SNIPPET, SNIPPET, count=1))

    (found,) = alone.items_of_kind(kinds)

    assert (found.url, found.text.count("page 1")) == ("http://a.example/p1", 2)


@pytest.mark.parametrize(
    "html",
    [
        "".join(
            f"<h2><a href='/shelf{s}'>Shelf {s}</a></h2><{tag}>"
            + "".join(
                f"<li><a href='/b{s}-{n}'>Book number {n} of shelf {s}</a> by Ann</li>" for n in range(8)
            )
            + f"</{tag}>"
            for s, tag in enumerate(("ul", "ol", "menu"))
        ),
        "".join(f"<h2><a href='#s{s}'>Section {s}</a></h2><p>What it says of itself.</p>" for s in range(3)),
        "".join(f"<h2>Section {s}</h2><p>What it says of itself.</p>" for s in range(3)),
    ],
    ids=["lists of their own", "links within the page", "no links"],
)
def test_sections_of_a_page_are_no_results(html: str) -> None:
    assert not any(block.title.startswith(("Shelf", "Section")) for block in blocks_of(html))


def test_a_short_part_without_a_link_above_others_that_have_one_is_their_head() -> None:
    keys = "".join(f"<pre>pub {n} <a href='/k?id={n}'>A{n}</a>\nof a person</pre><hr>" for n in range(4))
    head = "<pre>Type  bits/number  time</pre><hr>"

    assert len(blocks_of(f"<body>{head}{keys}</body>")) == 4
    assert len(blocks_of(f"<body>{keys}{head}</body>")) == 5
    assert len(blocks_of(f"<body>{head.replace('Type', 'What it says of itself. ' * 9)}{keys}</body>")) == 5


def test_parts_behind_more_links_than_are_kept_are_left_out() -> None:
    items = "".join(f"<li><a href='/{n}'>Book number {n}</a> by <a href='/by/{n}'>Ann {n}</a></li>" for n in range(20))  # fmt: skip
    limits = replace(LIMITS, links=5)
    page = read_page_with_items(f"<ul>{items}</ul>".encode(), "http://a.example/", limits=limits)

    assert "many_links" in page.marks
    assert [block.url for block in page.blocks] == [f"http://a.example/{n}" for n in range(10)]


def test_a_page_with_more_parts_than_are_read_says_so() -> None:
    items = "".join(f"<li><a href='/{n}'>Book number {n}</a></li>" for n in range(6))
    few, all_of_them = (
        read_page_with_items(items.encode(), "http://a.example/", limits=replace(LIMITS, blocks=most))
        for most in (5, 6)
    )

    assert (len(few.blocks), "many_blocks" in few.marks) == (5, True)
    assert (len(all_of_them.blocks), "many_blocks" in all_of_them.marks) == (6, False)
