"""Answers that are nothing but names, each a link."""

from __future__ import annotations

import pytest

from hiddenweb.answers.cases import judge_answer
from hiddenweb.answers.earlier_answers import begin_with_page
from hiddenweb.model import HttpQuery, Page
from hiddenweb.records.page import read_page_with_items

HOME = "http://a.example/"
HEAD = "<div><form action='/find'><a href='/changes'>Changes</a> <a href='/help'>Help</a> <input name='q'></form></div>"
FOOT = "<div>Version 0.5</div>"
NAMES = ("Ash", "Beech", "Elm", "Oak7")


def read(content: str, url: str = f"{HOME}find?q=tree") -> Page:
    body = f"<html><title>Trees</title><body>{HEAD}<div>{content}</div>{FOOT}</body></html>"
    return read_page_with_items(body.encode(), url)


def links(names: tuple[str, ...], around: str) -> str:
    return "".join(around.format(f"<a href='/{name}'>{name}</a>") for name in names)


def titles(content: str, welcome: str, keyword: str = "tree") -> list[str]:
    home = read(f"<p>{welcome}</p>", HOME)
    answer = judge_answer(
        read(content),
        200,
        form=home.forms[0],
        query=HttpQuery((("q", keyword),), keyword),
        earlier=begin_with_page(home),
    )
    return [record.title for record in answer.records]


@pytest.mark.parametrize("around", ["{}<br>", "<li>{}</li>", "<span>{}</span> "])
def test_short_links_that_are_most_of_what_is_new_are_records(around: str) -> None:
    assert titles(links(NAMES, around), "Welcome") == list(NAMES)


def test_two_new_links_may_be_anything() -> None:
    assert titles(links(NAMES[:2], "{}<br>"), "Welcome") == []


def test_links_beside_a_long_text_are_no_list() -> None:
    text = (
        "What is told of a plant with a trunk is told here in more words than names have, so that it is a text. "
        * 2
    )

    assert titles(f"<p>{text}</p>{links(NAMES, '{}<br>')}", "Welcome", "plant") == []


def test_names_that_the_page_of_the_form_lists_are_records_if_the_answer_counts_them() -> None:
    listed = links(NAMES, "<li>{}</li>")
    found = links(NAMES[1:], "<li>{}</li>")

    assert titles(f"<p>Showing 3 of 3 results</p><ul>{found}</ul>", f"<ul>{listed}</ul>") == list(NAMES[1:])
    assert titles(f"<p>Showing 3 of 8 results</p><ul>{found}</ul>", f"<ul>{listed}</ul>") == list(NAMES[1:])
    assert titles(f"<p>Other trees</p><ul>{found}</ul>", f"<ul>{listed}</ul>", "shrub") == []


def test_a_link_of_a_menu_is_no_record_because_one_result_is_counted() -> None:
    menu = "<p><a href='/start'>Start</a></p>"
    text = "A plant that is told of in many words, and that has no link of its own."

    assert titles(f"{menu}<p>1 result</p><div>{text}</div>", menu) == [text]
    assert titles(f"{menu}<p>1 result</p><a href='/Ash'>Ash</a>", menu) == ["Ash"]
