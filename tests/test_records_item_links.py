from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import Page, RepeatedItem


def read(html: str) -> Page:
    return read_page_with_items(html.encode(), "http://a.example/", content_type="text/html")


def blocks_of(html: str) -> tuple[RepeatedItem, ...]:
    return read(html).blocks


def result(number: int, *parts: str) -> str:
    return f"<li>{''.join(parts).format(n=number)}<p>What is said of number {number} at some length.</p></li>"


@pytest.mark.parametrize(
    "parts",
    [
        ("<a href='/by/ann'>Ann</a> ", "<h3><a href='/item/{n}'>Item number {n}</a></h3>"),
        ("<a href='/by/ann'>Ann</a> ", "<a href='/item/{n}'><h3>Item number {n}</h3></a>"),
        ("<a href='/by/ann'>Ann</a> ", "<a href='/item/{n}'>Item number {n}</a>"),
        ("<a href='/item/{n}'>{n}</a> ", "<a href='/item/{n}'>Item number {n}</a> ", "<a href='/by/ann'>Ann</a>"),
    ],
    ids=["heading", "link around a heading", "author first", "number first"],
)  # fmt: skip
def test_a_result_leads_to_what_it_is_about(parts: tuple[str, ...]) -> None:
    blocks = blocks_of(f"<ul>{''.join(result(n, *parts) for n in range(1, 5))}</ul>")

    assert [(block.url, block.title) for block in blocks] == [
        (f"http://a.example/item/{n}", f"Item number {n}") for n in range(1, 5)
    ]


@pytest.mark.parametrize("before", [True, False])
def test_results_that_are_filed_in_several_folders_are_told_by_the_place_of_their_links(before: bool) -> None:
    folders = ("music", "films")
    author = "By <a class=by href='/member/{n}/'>ann{n}</a> "
    own = "<a href='/forum/{folder}/topic/item-{n}/'>A long title of item number {n}</a> "
    parts = (own, author) if before else (author, own)

    blocks = blocks_of(
        f"<ul>{''.join(result(n, *(part.replace('{folder}', folder) for part in parts)) for n, folder in enumerate(folders))}</ul>"
    )

    assert [block.url for block in blocks] == [
        f"http://a.example/forum/{folder}/topic/item-{n}/" for n, folder in enumerate(folders)
    ]


def test_files_in_many_folders_do_not_hide_the_records_that_stand_before_them() -> None:
    parts = (
        "<a href='/item/{n}'>Item number {n}</a> ",
        "<a class=file href='/files/{n}y/scan.pdf'>The whole book</a>",
    )

    blocks = blocks_of(f"<ul>{''.join(result(n, *parts) for n in range(1, 4))}</ul>")

    assert [block.url for block in blocks] == [f"http://a.example/item/{n}" for n in range(1, 4)]


def test_a_row_that_leads_on_by_its_number_is_called_by_its_words() -> None:
    rows = (
        f"<tr><td><a href='/{n}'>{n}</a></td><td>Item number {n}</td><td>What is said of it</td></tr>"
        for n in (1, 2, 3)
    )

    assert [block.title for block in blocks_of(f"<table>{''.join(rows)}</table>")] == [
        f"Item number {n}" for n in (1, 2, 3)
    ]


@pytest.mark.parametrize("count", [2, 3])
def test_what_all_results_say_is_the_title_of_none(count: int) -> None:
    rows = (
        f"<tr><td><a href='/{n}'>View record</a></td><td>Item number {n}</td><td>What is said of it</td></tr>"
        for n in range(count)
    )

    assert [block.title for block in blocks_of(f"<table>{''.join(rows)}</table>")] == [
        f"Item number {n}" for n in range(count)
    ]


@pytest.mark.parametrize("count", [2, 5])
def test_of_links_that_all_differ_the_one_counts_that_says_most(count: int) -> None:
    rows = "".join(
        f"<tr><td><a href='?a=by&s=Ann{n}'>Ann {n}</a></td><td><a href='?a=show&h={n}'>What Ann {n} has changed in the books</a></td>"
        f"<td><a href='?a=diff&h={n}'>diff</a> <a href='http://b.example/{n}'>what somebody else says of all the changes in the books</a></td></tr>"
        for n in range(count)
    )
    blocks = blocks_of(f"<table>{rows}</table>")

    assert [block.url for block in blocks] == [f"http://a.example/?a=show&h={n}" for n in range(count)]
    assert [block.others for block in blocks] == [
        (f"http://a.example/?a=by&s=Ann{n}", f"http://b.example/{n}") for n in range(count)
    ]


def test_what_most_parts_are_called_is_the_title_of_none() -> None:
    numbers = ("4523D373", "4704F9D7", "66D15C5C", "AB1CEE49")
    keys = "".join(
        f"<pre><strong>pub</strong> 4096R/<a href='/k?id={number}'>{number}</a>\nof a person</pre>"
        for number in numbers
    )
    titles = [block.title for block in blocks_of(f"<body>{keys}</body>")]

    assert all(number in title for number, title in zip(numbers, titles, strict=True))
