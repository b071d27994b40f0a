"""What controls are called, and all that the page says about them."""

from __future__ import annotations

import pytest

from hiddenweb.html.field_labels import LONGEST_LABEL, MOST_HINTS, words_of_name
from hiddenweb.html.reader import read_page
from hiddenweb.model import Field, LabelHint


def fields_of(html: str) -> list[Field]:
    page = read_page(f"<!doctype html><body><form>{html}</form>".encode(), "http://a.example/")
    return list(page.forms[0].fields)


def hints_of(html: str) -> list[tuple[str, str]]:
    return [(hint.where, hint.text) for hint in fields_of(html)[-1].hints]


@pytest.mark.parametrize(
    ("html", "hints"),
    [
        ("<label for=i>Title</label><p><input id=i>", [("label", "Title")]),
        ("<label>Title <input> of the book</label>", [("label", "Title of the book"), ("before", "Title")]),
        ("<b id=a>Big</b><i id=b>title</i><p><input aria-labelledby='a b c'>", [("aria", "Big title"), ("line above", "Bigtitle")]),
        ("<p><input aria-label=A placeholder=P title=T>", [("aria", "A"), ("placeholder", "P"), ("title", "T")]),
        ("<p>Title: <input>", [("before", "Title:")]),
        ("<p>Title</p><p><input>", [("line above", "Title")]),
        ("<table><tr><td>Title<td><input></table>", [("cell before", "Title")]),
        ("<table><tr><th>Title<th>Year<tr><td><input name=a><td><input name=b></table>", [("cell above", "Year")]),
        ("<table><tr><th>No<th>Year<tr><td>1<td><input><tr><td>2<td><input></table>", [("cell before", "2"), ("cell above", "Year")]),
        ("<table><tr><th colspan=2>Both<th>Year<tr><td>1<td>2<td><input></table>", [("cell before", "2"), ("cell above", "Year")]),
        ("<table><tr><td><input type=radio name=r value=1> One<td><input name=q></table>", []),
        ("<fieldset><legend>Period</legend><p><input name=year_from></fieldset>", [("line above", "Period"), ("name", "year from")]),
        ("<fieldset><legend>Period</legend><p>From <input></fieldset>", [("before", "From"), ("legend", "Period")]),
        ("<fieldset><legend>Out</legend></fieldset><p>From <input>", [("before", "From")]),
        ("Sort: <input type=radio name=s value=1> Title <input type=radio name=s value=2> Year", [("after", "Year"), ("group", "Sort:")]),
        ("<input type=checkbox name=c> New only", [("after", "New only")]),
        ("<p><input aria-describedby=d><p id=d>As on the ticket", [("description", "As on the ticket")]),
        ("<p><input name=ctl00$Main$txtAuthorName>", [("name", "author name")]),
        ("<p><input id=searchTerm>", [("name", "search term")]),
        ("<button>Search <b>now</b></button>", [("button", "Search now")]),
        ("<button><img alt=Find></button>", [("button", "Find")]),
        ("<button><svg><title>Find</title></svg></button>", [("button", "Find")]),
        ("<input type=image alt=Find title=Go name=btn>", [("button", "Find"), ("title", "Go")]),
        ("<p>Words <input type=hidden name=token>", []),
        ("<a href=/a>Home</a> | <a href=/b>My account</a> <input>", []),
        ("<p><a href=/help>Help</a></p><p><input>", []),
        ("<a href=/help>Title</a> <input>", [("before", "Title")]),
        ("<a href=/a>Any</a> or <a href=/b>all</a> words <input>", [("before", "Any or all words")]),
    ],
)  # fmt: skip
def test_all_that_the_page_says_about_a_control_is_kept_best_first(
    html: str, hints: list[tuple[str, str]]
) -> None:
    assert hints_of(html) == hints


def test_what_stands_before_a_form_names_none_of_its_controls() -> None:
    page = read_page(b"<!doctype html><body><p>Welcome<form><p><input name=q></form>", "http://a.example/")

    assert page.forms[0].fields[0].hints == ()


@pytest.mark.parametrize(
    ("title", "before", "label"),
    [
        ("Archive of the list wine@a.example", "<b>Archive of the list  wine@a.example</b>", ""),
        ("Archive of the list wine@a.example", "<h1>Archive of the list wine@a.example</h1>", ""),
        ("Archive of the list wine@a.example", "E-mail address of the list:", "E-mail address of the list:"),
        ("Your e-mail address", "Your e-mail address", "Your e-mail address"),
    ],
)
def test_the_title_of_the_page_names_no_box_unless_it_is_short(title: str, before: str, label: str) -> None:
    html = f"<!doctype html><title>{title}</title><form>{before} <input name=q><button>Go</button></form>"
    page = read_page(html.encode(), "http://a.example/")
    assert page.forms[0].fields[0].label == label


def test_a_picture_made_of_letters_is_no_label() -> None:
    (field,) = fields_of(
        "<form><label for=a>\N{LEFT-POINTING MAGNIFYING GLASS}</label><input id=a name=pattern title='Find films'></form>"
    )

    assert field.label == "Find films"


def test_the_label_is_the_best_hint() -> None:
    (field,) = fields_of("<p>Title <input name=title_words placeholder='e.g. tea'>")

    assert field.label == "e.g. tea"
    assert field.hints == (
        LabelHint("placeholder", "e.g. tea"),
        LabelHint("before", "Title"),
        LabelHint("name", "title words"),
    )


def test_a_hint_is_given_once_and_is_short() -> None:
    long = "word " * 100
    (field,) = fields_of(
        f"<label for=i>Search</label><label>{long}<input id=i aria-label=SEARCH placeholder='{long}' title='{long} x'></label>"
    )

    texts = [hint.text for hint in field.hints]
    assert texts[0] == "Search"
    assert len({text.casefold() for text in texts}) == len(texts) <= MOST_HINTS
    assert max(map(len, texts)) <= LONGEST_LABEL


def test_neighbours_do_not_share_what_stands_between_them() -> None:
    fields = fields_of("<p>From <input name=a> to <input name=b> or <select name=c></select>")

    assert [field.label for field in fields] == ["From", "to", "or"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("q", ""),
        ("author_name", "author name"),
        ("authorName", "author name"),
        ("ISBNNumber", "isbn number"),
        ("search[author][]", "search author"),
        ("ctl00$ContentPlaceHolder1$ddlCountry", "country"),
        ("form:j_idt12:searchBox", "search box"),
        ("edit-keys", "keys"),
        ("field_12", ""),
        ("txtName", "name"),
        ("größe", "größe"),
        ("дата_с", "дата с"),
        ("x" * 500, "x" * LONGEST_LABEL),
    ],
)
def test_names_are_cut_into_words(name: str, words: str) -> None:
    assert words_of_name(name) == words
