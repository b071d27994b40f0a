from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.model import Page, RepeatedItem

WORDS = ("one", "two", "three")


def read(html: str) -> Page:
    return read_page_with_items(html.encode(), "http://a.example/", content_type="text/html")


def blocks_of(html: str) -> tuple[RepeatedItem, ...]:
    return read(html).blocks


def test_results_are_alike_that_have_their_subjects_among_their_classes() -> None:
    subjects = ("tag-drama", "tag-western tag-silent", "tag-comedy", "tag-drama tag-war", "")
    items = (
        f"<article class='post-{n} post type-post status-public entry {subject}'><h2><a href='/{n}'>Post number {n}</a></h2></article>"
        for n, subject in enumerate(subjects)
    )

    assert len(blocks_of("".join(items))) == len(subjects)


def test_rows_that_differ_in_nothing_are_all_results() -> None:
    rows = "".join(f"<tr><td>Item {word}</td><td>as new</td><td>What is said</td></tr>" for word in WORDS)

    assert len(blocks_of(f"<table>{rows}</table>")) == len(WORDS)
