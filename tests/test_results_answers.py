"""The eight cases of an answer, and the one without records."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.identity import text_fingerprint
from hiddenweb.items import Block, Field, Form, Link, Page, Query
from hiddenweb.results.answers import Answer, Earlier, after, earlier, judge_answer

HOME = "http://a.example/"
FORM = Form(HOME, "http://a.example/find", "GET", (Field("q", "text"), Field("", "submit")))
OTHER_FORM = Form(HOME, "http://a.example/find", "GET", (Field("q", "hidden"), Field("model", "select")))
QUERY = Query((("q", "wine"),), "wine", url="http://a.example/find?q=wine")


def page(
    text: str = "", *numbers: int, url: str = QUERY.url, forms: tuple[Form, ...] = (), **more: object
) -> Page:
    blocks = tuple(Block(f"record {n}", f"title {n}", f"http://a.example/item/{n}") for n in numbers)
    made = Page(url, text=text, fingerprint=text_fingerprint(text), forms=forms, blocks=blocks)
    return replace(made, **more)  # type: ignore[arg-type]


FORM_PAGE = page("Welcome to our museum", 90, 91, url=HOME, forms=(FORM,))
KNOWN = earlier(FORM_PAGE)


def judged(answer: Page, status: int = 200, known: Earlier = KNOWN, number: int = 1) -> Answer:
    return judge_answer(answer, status, form=FORM, query=QUERY, earlier=known, number=number)


NEXT = Link("http://a.example/find?q=wine&page=2", "Next")


@pytest.mark.parametrize(
    ("answer", "case", "count"),
    [
        (page("2 records", 1, 2), "all", 2),
        (page("two", 1, 2, links=(NEXT,)), "paged", 2),
        (page("two", 1, 2, links=(NEXT,), forms=(FORM,)), "paged", 2),
        (page("1 - 2 of 340", 1, 2), "part", 2),
        (page("two", 1, 2, forms=(FORM,)), "with_form", 2),
        (page("Choose a model", forms=(OTHER_FORM,)), "another_form", 0),
        (page("Something went wrong"), "error", 0),
        (page("Please enter three letters", forms=(FORM,)), "form_again", 0),
        (page("Welcome to our museum", 90, 91, forms=(FORM,)), "form_again", 0),
        (page("No results.", forms=(FORM,)), "nothing_found", 0),
        (page("Nix für wine", forms=(FORM,)), "nothing_found", 0),
        (page("Leider nichts gefunden"), "nothing_found", 0),
        (page("ไม่พบข้อมูล", forms=(FORM,)), "nothing_found", 0),
        (page("Ninguna obra encontrada", forms=(FORM,)), "nothing_found", 0),
        (page("Una copa sin alcohol", forms=(FORM,)), "form_again", 0),
        (page("No results.", 90, 91, forms=(FORM,)), "nothing_found", 0),
    ],
    ids=[
        "all at once", "next page", "next page and form", "part", "data and form", "another form", "error page", "better value",
        "the form's page", "says so", "repeats the keyword", "says so without a form", "says so in Thai", "says so in Spanish", "only a preposition",
        "blocks of the template",
    ],
)  # fmt: skip
def test_an_answer_is_told_by_what_is_there(answer: Page, case: str, count: int) -> None:
    found = judged(answer)

    assert (found.case, len(found.records)) == (case, count)
    assert found.why
    assert found.has_records == (count > 0)


@pytest.mark.parametrize("status", [404, 429, 500, 503])
def test_an_http_error_is_an_error_whatever_the_page_shows(status: int) -> None:
    found = judged(page("two", 1, 2), status)

    assert (found.case, found.records) == ("error", ())
    assert str(status) in found.why


def test_the_same_records_again_are_a_duplicate_even_in_another_order_and_other_words() -> None:
    first = page("Results for beer", 1, 2)
    known = after(KNOWN, first, judged(first))

    again = judged(page("Results for wine", 2, 1), known=known)

    assert (again.case, again.records) == ("duplicate", ())
    assert judged(page("Results for wine", 2, 3), known=known).case == "all"


def test_two_answers_without_records_are_not_duplicates_of_each_other() -> None:
    nothing = page("No results.", forms=(FORM,))

    assert judged(nothing, known=after(KNOWN, nothing, judged(nothing))).case == "nothing_found"


def test_the_next_page_and_another_form_are_handed_on() -> None:
    assert judged(page("two", 1, 2, links=(NEXT,))).next == NEXT
    assert judged(page("Choose", forms=(FORM, OTHER_FORM))).case == "form_again"
    assert judged(page("Choose", forms=(OTHER_FORM,))).form == OTHER_FORM


def test_a_redirect_to_the_only_match_is_a_record() -> None:
    found = judged(page("All about wine", url="http://a.example/item/7?from=find", title="Wine"))

    assert found.case == "all"
    assert [record.title for record in found.records] == ["Wine"]


@pytest.mark.parametrize(
    "elsewhere",
    [page("All about wine", url=HOME), page("All about beer", url="http://a.example/item/7")],
    ids=["the homepage", "not about it"],
)
def test_a_redirect_elsewhere_is_no_record(elsewhere: Page) -> None:
    assert judged(elsewhere).records == ()


@pytest.mark.parametrize(
    ("text", "total"),
    [
        ("1-2 of 340", 340),
        ("340 Treffer, 1 bis 2", 340),
        ("Résultats 1 à 2 sur 1 340", 1340),
        ("共1,340条", 1340),
        ("12,340 results", 12340),
        ("in 2024, 2 rooms", None),
        ("", None),
    ],
)
def test_the_total_is_read_from_the_page(text: str, total: int | None) -> None:
    assert judged(page(text, 1, 2)).total == total


ADVERTISED = tuple(Block(f"advertised {n}", url=f"http://a.example/advert/{n}") for n in (1, 2))


def test_blocks_of_an_answer_without_records_belong_to_the_template_from_then_on() -> None:
    nothing = page("No results.", forms=(FORM,), blocks=ADVERTISED)
    known = after(KNOWN, nothing, judged(nothing))

    assert judged(nothing).case == "nothing_found"
    assert judged(page("Sorry.", blocks=ADVERTISED)).has_records  # who could tell
    assert not judged(page("Sorry.", blocks=ADVERTISED), known=known).has_records


def test_what_looks_like_an_answer_without_records_has_none() -> None:
    nothing = page("No results.", forms=(FORM,), structure=77)
    known = after(KNOWN, nothing, judged(nothing))

    assert judged(page("???", blocks=ADVERTISED, structure=77), known=known).case == "nothing_found"
    assert judged(page("???", blocks=ADVERTISED, structure=78), known=known).case == "all"


@pytest.mark.parametrize(
    ("blocks", "is_record"),
    [
        ((Block("red wine"), Block("white bread")), True),
        ((Block("Copyright 2026"), Block("Today is Monday")), False),
        ((Block("Wines of the world"), Block("Title Author")), False),
        ((Block("No hits for wine. Search Title, Author: Wines of the world"), Block("Copyright")), False),
    ],
    ids=["one holds the keyword", "none does", "they stand in the form", "one stands around the form"],
)
def test_blocks_that_lead_nowhere_need_the_keyword_and_no_form_around_them(
    blocks: tuple[Block, ...], is_record: bool
) -> None:
    around = replace(FORM, text="Wines of the world Title Author Search")

    assert judged(page("x", blocks=blocks, forms=(around,))).has_records == is_record


def test_a_single_record_is_known_by_the_look_of_its_address() -> None:
    first = page("two", 1, 2)
    known = after(KNOWN, first, judged(first))
    single = page(
        "one", links=(Link("http://a.example/about"), Link("http://a.example/item/3?from=wine", "Three"))
    )

    assert judged(single).records == ()
    assert [(r.key, r.title) for r in judged(single, known=known).records] == [
        ("http://a.example/item/3", "Three")
    ]
