from __future__ import annotations

import pytest
from walked_pages import walk_page

from hiddenweb.records.single_items import single_items

PARTS = "<a href=/1>The River</a><p>How it came to the town.</p>"


def titles_of(html: str) -> list[str]:
    walk, flat = walk_page(html)
    return [item.title for item in single_items(walk, flat)]


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>1 result</h1><ol><li>{PARTS}</li></ol>",
        f"<h1>1 result</h1><section><div><ol><li>{PARTS}</li></ol></div></section>",
        f"<h1>1 result</h1><main> <article> {PARTS} </article> </main>",
        "<table><tr><th>Title<th>Year<tr><td><a href=/1>The River</a><td>1999</table>",
        "<table><thead><tr><th>Title<th>Year<tbody><tr><td><a href=/1>The River</a><td>1999</table>",
        "<table><tr><td>Title<td>Year<td>Pages<tr><td><a href=/1>The River</a><td>1999<td>320</table>",
    ],
    ids=[
        "a list of one",
        "in boxes",
        "white space around",
        "a row below heads",
        "heads apart",
        "plain heads",
    ],
)
def test_what_fills_the_place_of_a_list_stands_alone(html: str) -> None:
    walk, flat = walk_page(html + "<p>Impressum")

    item = single_items(walk, flat)[-1]

    assert (item.title, item.url) == ("The River", "http://a.example/1")


@pytest.mark.parametrize(
    "html",
    [
        f"<h1>1 result</h1><ol><li>{PARTS}</li><li>x</li></ol>",  # a row of them
        f"<h1>1 result</h1><div>Found: <div>{PARTS}</div></div>",  # more than the part is in it
        f"<h1>1 result</h1><div><div>{PARTS}</div> and no more</div>",
        "<h1>1 result</h1><ol><li>The River</li></ol>",  # it holds nothing but a text
        f"<nav><ol><li>{PARTS}</li></ol></nav>",
        "<table><tr><td>The River</table>",
        "<table><tr><th>Title<th>Year<tr><td>a<td>1<tr><td>b<td>2</table>",
        f"<h1>1 result</h1><ol><li>{PARTS}{'x' * 20_000}</li></ol>",
        f"<h1>1 result</h1><ol><li>{PARTS}</li></ol>{'<p>x' * 20_000}",
        "",
    ],
    ids=[
        "several", "words before", "words behind", "only a text", "a menu", "a single cell", "two rows", "too long", "too many elements",
        "nothing",
    ],
)  # fmt: skip
def test_other_parts_do_not_stand_alone(html: str) -> None:
    assert titles_of(html + "<p>Impressum") == []


def test_of_parts_around_each_other_the_innermost_is_taken() -> None:
    boxes = f"<section><div></div><ol><div></div><li>{PARTS}</li></ol></section>"

    assert titles_of(f"<h1>1 result</h1>{boxes}<p>Impressum") == ["The River"]


def test_parts_come_in_the_order_of_the_page_and_are_few() -> None:
    lists = "".join(
        f"<h2>Head</h2><div><ul><li><a href=/{n}>Book {n}</a><p>told</p></li></ul></div>" for n in range(20)
    )

    assert titles_of(lists) == [f"Book {n}" for n in range(12)]
