"""The cases of an answer page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.answers.cases import judge_answer
from hiddenweb.answers.earlier_answers import begin_with_page, learn_from_answer
from hiddenweb.model import Field, Form, HttpQuery, Link, Page, RepeatedItem
from hiddenweb.near_duplicates.sketch import text_fingerprint
from hiddenweb.records.page import read_page_with_items
from hiddenweb.records.records import records_in

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import AnswerVerdict, EarlierAnswers

HOME = "http://a.example/"
FORM = Form(HOME, "http://a.example/find", "GET", (Field("q", "text"), Field("", "submit")))
OTHER_FORM = Form(HOME, "http://a.example/find", "GET", (Field("q", "hidden"), Field("model", "select")))
QUERY = HttpQuery((("q", "wine"),), "wine", url="http://a.example/find?q=wine")


def page(
    text: str = "", *numbers: int, url: str = QUERY.url, forms: tuple[Form, ...] = (), **more: object
) -> Page:
    blocks = tuple(RepeatedItem(f"record {n}", f"title {n}", f"http://a.example/item/{n}") for n in numbers)
    made = Page(url, text=text, fingerprint=text_fingerprint(text), forms=forms, blocks=blocks)
    return replace(made, **more)  # type: ignore[arg-type]


FORM_PAGE = page("Welcome to our museum", 90, 91, url=HOME, forms=(FORM,))
KNOWN = begin_with_page(FORM_PAGE)


def judged(answer: Page, status: int = 200, known: EarlierAnswers = KNOWN, number: int = 1) -> AnswerVerdict:
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


def test_a_short_list_on_the_page_of_the_form_may_be_found_whole() -> None:
    cellar = Link("http://a.example/cellar", "Our wine cellar")
    news = Link("http://a.example/news", "News")
    filled = replace(FORM, fields=(Field("q", "text", value="wine"), Field("", "submit")))
    known = begin_with_page(page("Our cellars", url=HOME, forms=(FORM,), links=(cellar, news)))
    shown = page("Our cellars", forms=(filled,), links=(cellar, news))
    nothing = page("No results.", forms=(FORM,), links=(news,), structure=7)
    taught = learn_from_answer(known, nothing, judged(nothing, known=known))

    assert judged(shown, known=known).case == "form_again"
    found = judged(shown, known=taught)
    assert [record.key for record in found.records] == ["http://a.example/cellar"]
    assert not judged(replace(shown, forms=(FORM,)), known=taught).records  # the first page again


def test_who_asks_for_nothing_is_shown_the_list_of_the_page_whole() -> None:
    empty_query = HttpQuery((("q", ""),), "", url=f"{HOME}?q=")
    known = begin_with_page(page("All cellars", 1, 2, 3, 4, url=HOME, forms=(FORM,)))
    listed = replace(page("All cellars", 1, 2, 3, 4, forms=(FORM,)), url=empty_query.url)

    def shown(known: EarlierAnswers) -> AnswerVerdict:
        return judge_answer(listed, 200, form=FORM, query=empty_query, earlier=known)

    found = page("One cellar", 9, forms=(FORM,))
    by_word = learn_from_answer(known, found, judged(found, known=known))

    assert shown(known).case == "form_again"  # it may be what is new, or popular
    assert len(shown(by_word).records) == 4


def test_a_bound_makes_an_answer_a_part() -> None:
    found = judged(page("more than 3 rows", 1, 2, 3))

    assert found.case == "part"
    assert found.total is None


@pytest.mark.parametrize("status", [400, 404, 410])
def test_an_error_may_say_that_nothing_was_found(status: int) -> None:
    said = judged(page("No keys found, sorry"), status)

    assert said.case == "nothing_found"
    assert not said.missing
    again = judged(
        page("No keys found, sorry"), status, learn_from_answer(KNOWN, page("No keys found, sorry"), said)
    )
    assert again.case == "nothing_found"


def test_where_others_had_records_an_error_that_says_nothing_found_nothing() -> None:
    known = replace(KNOWN, answers=frozenset({1}))

    assert judged(page("?"), 404, known).case == "nothing_found"
    assert judged(page("?"), 500, known).case == "error"


@pytest.mark.parametrize(
    "text",
    [
        "Too many responses, unable to process query",
        "Zu viele Treffer",
        "Trop de résultats",
        "结果过多",
        "612 matches are too many to list.",
        "Please narrow it down.",
        "Add another search term.",
        "Die Trefferzahl ist zu groß.",
        "612 resultados, que son demasiados",
        "Слишком велико",
        "条件を絞ってください",
    ],
)
def test_an_error_may_say_that_it_is_too_much(text: str) -> None:
    found = judged(page(text), 500)

    assert (found.case, found.too_many) == ("form_again", True)


@pytest.mark.parametrize("status", [404, 500, 503])
def test_an_http_error_is_an_error_whatever_the_page_shows(status: int) -> None:
    found = judged(page("two", 1, 2), status)

    assert (found.case, found.records) == ("error", ())
    assert str(status) in found.why


def test_the_same_records_again_are_a_duplicate_even_in_another_order_and_other_words() -> None:
    first = page("Results for beer", 1, 2)
    known = learn_from_answer(KNOWN, first, judged(first))

    again = judged(page("Results for wine", 2, 1), known=known)

    assert (again.case, again.has_records, len(again.records)) == ("duplicate", False, 2)
    assert judged(page("Results for wine", 2, 3), known=known).case == "all"


def test_two_answers_without_records_are_not_duplicates_of_each_other() -> None:
    nothing = page("No results.", forms=(FORM,))

    assert judged(nothing, known=learn_from_answer(KNOWN, nothing, judged(nothing))).case == "nothing_found"


def test_the_next_page_and_another_form_are_handed_on() -> None:
    assert judged(page("two", 1, 2, links=(NEXT,))).next == NEXT
    assert judged(page("Choose", forms=(FORM, OTHER_FORM))).case == "form_again"
    assert judged(page("Choose", forms=(OTHER_FORM,))).form == OTHER_FORM


def test_a_redirect_to_the_only_match_is_a_record() -> None:
    found = judged(page("All about wine", url="http://a.example/item/7?from=find", title="Wine"))

    assert found.case == "all"
    assert [record.title for record in found.records] == ["Wine"]


KEPT = "http://a.example/kept/77"
CARRIED_ON = "http://a.example/find/kept?q=wine"
LISTED = learn_from_answer(KNOWN, page("two", 1, 2), judged(page("two", 1, 2)))


@pytest.mark.parametrize(
    ("sent_to", "known", "count"),
    [
        (page("wine", 1, 2, 3, 4, 5, url=CARRIED_ON), KNOWN, 5),
        (page("2 results for wine", 1, 2, url=CARRIED_ON), KNOWN, 2),
        (page("for wine", 1, url=CARRIED_ON), LISTED, 1),
        (page("for wine", 1, 2, url=KEPT), LISTED, 2),
        (page("1 result for wine", url=KEPT, links=(Link("http://a.example/item/1", "title 1"),)), LISTED, 1),
        (page("No results found for wine", url=CARRIED_ON), KNOWN, 0),
        (page("No results found for wine", url=KEPT), KNOWN, 0),
    ],
    ids=[
        "many",
        "counted",
        "one like those known",
        "a kept answer",
        "a kept answer with one",
        "none",
        "a kept answer with none",
    ],
)
def test_a_redirect_to_an_answer_is_no_record(sent_to: Page, known: EarlierAnswers, count: int) -> None:
    found = judged(sent_to, known=known)

    assert [record.title for record in found.records] == [f"title {n}" for n in range(1, count + 1)]


def test_a_redirect_to_where_records_stand_is_the_record_though_others_stand_on_it() -> None:
    found = judged(page("Wine, and more like it", 1, 2, url="http://a.example/item/7?q=wine"), known=LISTED)

    assert [record.key for record in found.records] == ["http://a.example/item/7"]


def test_a_record_may_say_that_something_else_was_not_found() -> None:
    text = "Wine, red, of the year in which the bridge over the river was built again\nNo reviews found"

    found = judged(page(text, url="http://a.example/item/7", title="Wine"))

    assert [record.key for record in found.records] == ["http://a.example/item/7"]


def test_no_page_is_the_only_match_of_a_word_that_does_not_exist() -> None:
    sent_to = page("You asked for wine", url="http://a.example/find/kept/wine")

    found = judge_answer(sent_to, 200, form=FORM, query=QUERY, earlier=KNOWN, is_decoy=True)

    assert found.records == ()


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


ADVERTISED = tuple(RepeatedItem(f"advertised {n}", url=f"http://a.example/advert/{n}") for n in (1, 2))


def test_blocks_of_an_answer_without_records_belong_to_the_template_from_then_on() -> None:
    nothing = page("No results.", forms=(FORM,), blocks=ADVERTISED)
    known = learn_from_answer(KNOWN, nothing, judged(nothing))

    assert judged(nothing).case == "nothing_found"
    assert judged(page("Sorry.", blocks=ADVERTISED)).has_records  # who could tell
    assert not judged(page("Sorry.", blocks=ADVERTISED), known=known).has_records


def test_what_looks_like_an_answer_without_records_has_none() -> None:
    nothing = page("No results.", forms=(FORM,), structure=77)
    known = learn_from_answer(KNOWN, nothing, judged(nothing))

    assert judged(page("???", blocks=ADVERTISED, structure=77), known=known).case == "nothing_found"
    assert judged(page("???", blocks=ADVERTISED, structure=78), known=known).case == "all"


@pytest.mark.parametrize(
    ("blocks", "is_record"),
    [
        ((RepeatedItem("red wine"), RepeatedItem("white bread")), True),
        ((RepeatedItem("Copyright 2026"), RepeatedItem("Today is Monday")), False),
        ((RepeatedItem("Wines of the world"), RepeatedItem("Title Author")), False),
        (
            (
                RepeatedItem("No hits for wine. Search Title, Author: Wines of the world"),
                RepeatedItem("Copyright"),
            ),
            False,
        ),
    ],
    ids=["one holds the keyword", "none does", "they stand in the form", "one stands around the form"],
)
def test_blocks_that_lead_nowhere_need_the_keyword_and_no_form_around_them(
    blocks: tuple[RepeatedItem, ...], is_record: bool
) -> None:
    around = replace(FORM, text="Wines of the world Title Author Search")

    assert judged(page("x", blocks=blocks, forms=(around,))).has_records == is_record


def test_a_single_record_is_known_by_the_look_of_its_address() -> None:
    first = page("two", 1, 2)
    known = learn_from_answer(KNOWN, first, judged(first))
    single = page(
        "one", links=(Link("http://a.example/about"), Link("http://a.example/item/3?from=wine", "Three"))
    )

    assert judged(single).records == ()
    assert [(r.key, r.title) for r in judged(single, known=known).records] == [
        ("http://a.example/item/3", "Three")
    ]


@pytest.mark.parametrize(("status", "missing"), [(404, True), (410, True), (500, False)])
def test_an_error_says_whether_the_page_is_gone(status: int, missing: bool) -> None:
    assert judged(page("?"), status).missing == missing


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (page("two", 1, 2), 403),
        (page("slow down"), 429),
        (page("Please confirm that you are not a robot", title="Just a moment..."), 503),
        (page("Unusual traffic from your network", title="Sorry"), 200),
        (page("One more step", forms=(Form(HOME, "http://a.example/verify", "POST", captcha=True),)), 200),
    ],
    ids=[
        "403",
        "429",
        "a page that says so",
        "a success that says so",
        "a form with a captcha",
    ],
)
def test_a_site_that_keeps_us_out_is_told_from_an_error(answer: Page, status: int) -> None:
    found = judged(answer, status)

    assert (found.case, found.records) == ("blocked", ())


def test_a_search_with_a_captcha_of_its_own_does_not_keep_us_out() -> None:
    guarded = replace(FORM, captcha=True)
    known = begin_with_page(page("Welcome", url=HOME, forms=(guarded,)))

    assert judged(page("No results.", forms=(guarded,)), known=known).case == "nothing_found"


@pytest.mark.parametrize("forms", [(), (FORM,)], ids=["alone", "with the form"])
def test_a_missing_page_that_calls_itself_a_success_is_an_error(forms: tuple[Form, ...]) -> None:
    found = judged(page("Sorry, this page does not exist.", title="Page not found", forms=forms))

    assert (found.case, found.missing) == ("error", True)


def test_an_error_page_with_the_form_does_not_ask_again() -> None:
    found = judged(page("An error has occurred. Please try again later.", forms=(FORM,)))

    assert (found.case, found.missing) == ("error", False)


def test_a_suggestion_comes_with_nothing_found() -> None:
    found = judged(page('No results for "wine". Did you mean "wines"?', forms=(FORM,)))

    assert (found.case, found.suggestion) == ("nothing_found", "wines")


ROWS = tuple(RepeatedItem(f"Bordeaux red, barrel {n}") for n in (1, 2))


def test_records_that_lead_nowhere_and_hide_the_keyword_are_believed_if_the_page_counts_them() -> None:
    assert judged(page("Sorted by name", blocks=ROWS)).records == ()
    assert len(judged(page("1-2 of 2", blocks=ROWS)).records) == 2


def test_columns_of_a_page_are_no_records() -> None:
    main = "Results. 1-1 of 1. " + "All about wine, and more about it. " * 9
    columns = (RepeatedItem(main, url="http://a.example/item/7"), RepeatedItem("Copyright 2026"))
    link = Link("http://a.example/item/7", "All about wine")

    found = judged(page(f"{main}\nCopyright 2026", blocks=columns, links=(link,)))

    assert [record.key for record in found.records] == ["http://a.example/item/7"]


def test_what_one_of_many_records_says_is_not_how_many_there_are() -> None:
    texts = [f"Wine {n}: policy 1-1 of 2023" if n == 3 else f"Wine {n} of the south" for n in range(1, 7)]
    rows = tuple(RepeatedItem(text, url=f"http://a.example/item/{n}") for n, text in enumerate(texts))

    found = judged(page("\n".join(("Results", *texts)), blocks=rows))

    assert len(found.records) == 6


def test_fields_of_the_only_record_are_no_records() -> None:
    text = "1-1 of 1\nRed wine\nYear: 1999\nA wine of the south that goes well with cheese, bread and long evenings"
    rows = (RepeatedItem("Region: south of wine"), RepeatedItem("Year: 1999 or 2000"))

    found = judged(page(text, blocks=rows))

    assert len(found.records) == 1
    assert found.records[0].title == "Red wine"


def test_a_single_record_is_the_only_new_link_of_a_page_about_it() -> None:
    text = "Results\nA long sentence about wine that no other page of the site has, and nothing else"
    new, old = Link("http://a.example/x/7", "Of red wine"), Link("http://a.example/about", "About")
    known = begin_with_page(page("Welcome", url=HOME, links=(old,)))

    assert [r.key for r in judged(page(text, links=(old, new)), known=known).records] == [new.url]
    assert judged(page("Nothing found for wine", links=(old, new)), known=known).case == "nothing_found"


def test_what_an_empty_answer_said_is_known_again_in_any_language() -> None:
    query = replace(QUERY, keyword="bier")
    first = page("Nix da: wine. 0 results", forms=(FORM,))
    known = learn_from_answer(KNOWN, first, judged(first))
    again = page("Nix da: bier. 0 results", forms=(FORM,))

    found = judge_answer(again, 200, form=FORM, query=query, earlier=known)

    assert found.case == "nothing_found"


def test_one_form_around_the_whole_page_does_not_swallow_its_records() -> None:
    text = "Red wine of the south, from barrels\nWhite wine of the north, from bottles\nSearch"
    around = replace(FORM, text=text.replace("\n", " "))
    blocks = tuple(RepeatedItem(line) for line in text.splitlines()[:2])

    assert len(judged(page(text, blocks=blocks, forms=(around,))).records) == 2


def test_the_last_page_that_hides_the_rest_is_a_part() -> None:
    found = judged(page("3-4 of 340", 3, 4), number=2)

    assert (found.case, found.total) == ("part", 340)


def test_an_answer_that_goes_on_by_a_script_is_a_part() -> None:
    assert judged(page("two\nNext page", 1, 2)).case == "part"
    assert (
        judged(
            page(
                "two\nNext",
                1,
                2,
                forms=(replace(FORM, fields=(Field("q", "text"), Field("", "submit", label="Next"))),),
            )
        ).case
        != "part"
    )


def test_the_last_page_ends_an_answer_though_it_has_a_word_for_the_next() -> None:
    last = page("1 2 3\n>\n»", 5, 6)

    assert judged(last, number=3).case == "all"
    assert judged(last).case == "part"


def test_a_word_that_does_not_exist_shows_how_a_site_says_that_it_found_nothing() -> None:
    decoy, query = replace(QUERY, keyword="xqzbdfgkl"), replace(QUERY, keyword="kvass")
    nix = page("Semmi sem volt", forms=(FORM,))
    probed = judge_answer(nix, 200, form=FORM, query=decoy, earlier=KNOWN, is_decoy=True)

    assert judge_answer(nix, 200, form=FORM, query=query, earlier=KNOWN).case == "form_again"
    assert probed.case == "nothing_found"
    known = learn_from_answer(KNOWN, nix, probed)
    assert judge_answer(nix, 200, form=FORM, query=query, earlier=known).case == "nothing_found"


def test_a_single_record_in_a_column_of_the_page_is_known_by_its_address() -> None:
    wine = Link("http://a.example/item/5", "Red wine")
    columns = (
        RepeatedItem("Results 1 - 1 of 1 Red wine of 1998", "Red wine", wine.url), RepeatedItem("News"), RepeatedItem("Copyright"),
    )  # fmt: skip
    answer = page("Results 1 - 1 of 1\nRed wine of 1998\nNews", blocks=columns, links=(wine,))
    known = replace(
        KNOWN, page_blocks=frozenset(r.key for r in records_in(replace(answer, blocks=columns[1:])))
    )

    found = judged(answer, known=known)
    with_others = judged(replace(answer, links=(wine, Link("http://a.example/wine", "Wine"))), known=known)

    assert [(record.key, record.title) for record in found.records] == [(wine.url, "Red wine")]
    assert [record.key for record in with_others.records] == [wine.url]


def test_a_form_that_only_comes_again_says_nothing_of_a_word_that_does_not_exist() -> None:
    again = page("Choose a region first", forms=(FORM,))
    known = learn_from_answer(KNOWN, again, judged(again))

    assert judge_answer(again, 200, form=FORM, query=QUERY, earlier=known, is_decoy=True).case == "form_again"


LIST = page("All our items", *range(1, 11), url=HOME, forms=(FORM,))


def held(*numbers: int, holding: str = "a record of wine") -> Page:
    """Return an answer with some of the records that the form's page lists, and with others."""
    blocks = tuple(
        RepeatedItem(f"{holding} {n}", f"title {n}", f"http://a.example/item/{n}") for n in numbers
    )
    return page("Our items", forms=(FORM,), blocks=blocks)


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        (held(2, 3, 11, 12), [2, 3, 11, 12]),
        (held(2, 3, 11, 12, holding="a record"), [2, 3, 11, 12]),
        (held(2, 3), [2, 3]),
        (held(2, 3, holding="a record"), []),
        (held(*range(1, 11)), []),
    ],
    ids=["beside others", "beside others, without the keyword", "with the keyword", "recommended", "the whole list again"],
)  # fmt: skip
def test_records_that_the_form_page_lists_are_records_if_the_search_chose_them(
    answer: Page, numbers: list[int]
) -> None:
    found = judged(answer, known=begin_with_page(LIST))

    assert [record.key for record in found.records] == [f"http://a.example/item/{n}" for n in numbers]


def test_one_record_that_is_left_of_the_list_on_the_form_page_is_found() -> None:
    links = (Link("http://a.example/item/4", "Old wine"), Link("http://a.example/help", "Help"))

    found = judged(page("Our items\nOld wine", forms=(FORM,), links=links), known=begin_with_page(LIST))

    assert [record.key for record in found.records] == ["http://a.example/item/4"]


def test_nothing_was_found_where_the_list_on_the_form_page_is_gone() -> None:
    found = judged(page("Our items", forms=(FORM,)), known=begin_with_page(LIST))

    assert (found.case, found.records) == ("nothing_found", ())


def test_a_number_in_the_only_record_is_no_total() -> None:
    said = "Old wine is a film of 2009 items that were lost, and of the people who made them"
    link = Link("http://a.example/item/4", "Old wine", said)
    text = f"Old wine\n{said}"

    found = judged(page(text, forms=(FORM,), links=(link,)))

    assert (len(found.records), found.total) == (1, None)


def test_an_answer_that_only_a_script_could_give_says_so() -> None:
    found = judged(page("Please activate JavaScript to enable the search.", forms=(FORM,)))

    assert (found.case, found.records) == ("form_again", ())
    assert "script" in found.why


def test_a_single_record_may_stand_at_the_place_of_the_search() -> None:
    said = "Old wine is a book of which there is much to say, more than fits into a heading"
    links = (
        Link("http://a.example/find?id=7", "Old wine", said),
        Link("http://a.example/find?q=wine&sort=year", "Year"),
        Link("http://a.example/find?id=wine&do=edit", "wine", "you may write the page"),
    )

    found = judged(page(f"Old wine\n{said}", forms=(FORM,), links=links))

    assert [record.key for record in found.records] == ["http://a.example/find?id=7"]


def test_a_record_that_is_left_of_the_list_counts_without_the_keyword_if_the_page_counts_one() -> None:
    links = (Link("http://a.example/item/4", "Old bottles"), Link("http://a.example/help", "Help"))

    found = judged(page("1 result\nOld bottles", forms=(FORM,), links=links), known=begin_with_page(LIST))

    assert [record.key for record in found.records] == ["http://a.example/item/4"]


def test_a_list_that_one_answer_shows_is_a_list_in_the_next() -> None:
    def block(number: int, *facts: str) -> RepeatedItem:
        text = f"Film {number} {', '.join(facts)}"
        said = (("title", f"Film {number}"), *(("facts", fact) for fact in facts))
        return RepeatedItem(text, f"Film {number}", f"http://a.example/item/{number}", attributes=said)

    several = page(
        "two",
        blocks=(block(1, "Ann Lee", "Bo Ray, Cy Fox", "1999"), block(2, "Di Orr", "Ed Poe, Flo Kay", "2003")),
    )
    alike = page(
        "two",
        blocks=(
            block(3, "Hal Roe", "Ida Nye", "Jo Ash", "1987"),
            block(4, "Gus May", "Kim Lund", "Lou Mann", "1981"),
        ),
    )

    known = learn_from_answer(KNOWN, several, judged(several))

    assert dict(judged(alike).records[0].attributes)["facts"] == "1987"
    assert [value for _, value in judged(alike, known=known).records[0].attributes] == [
        "Film 3",
        "Hal Roe",
        "Ida Nye, Jo Ash",
        "1987",
    ]


def test_a_single_record_is_known_by_how_it_is_made() -> None:
    several = page(
        "four", blocks=tuple(RepeatedItem(f"A record of wine {n}", kind="li.hit < ul") for n in range(4))
    )
    fields = tuple(RepeatedItem(text, kind="tr < table") for text in ("A record of wine", "and nothing else"))
    others = tuple(RepeatedItem(f"Another record of wine {n}", kind="tr < table") for n in range(3))
    parts = {"li.hit < ul": RepeatedItem("A record of wine, and nothing else", kind="li.hit < ul")}
    single = page("1 record", blocks=fields, items_of_kind=lambda kinds: [parts[kind] for kind in kinds])

    known = learn_from_answer(KNOWN, several, judged(several))

    assert known.kinds == {"li.hit < ul"}
    assert [record.text for record in judged(single, known=known).records] == [
        "A record of wine, and nothing else"
    ]
    assert len(judged(replace(single, text="three", blocks=others), known=known).records) == 3


def test_few_parts_that_may_be_columns_show_no_kind_of_records() -> None:
    few = page("two", blocks=tuple(RepeatedItem(f"A record of wine {n}", kind="div") for n in range(2)))

    assert learn_from_answer(KNOWN, few, judged(few)).kinds == frozenset()


def test_records_without_the_keyword_are_believed_if_the_page_counts_them_though_an_empty_answer_is_made_alike() -> (
    None
):
    known = replace(KNOWN, empty=frozenset({7}))

    assert judged(page("3 pages found:", 1, 2, 3, structure=7), known=known).case == "all"
    assert judged(page("0 pages found:", 1, 2, 3, structure=7), known=known).case == "nothing_found"


def test_an_answer_is_whole_though_one_of_its_records_stands_on_the_page_of_the_form() -> None:
    known = replace(KNOWN, page_blocks=frozenset({"http://a.example/item/1"}))
    listed = tuple(RepeatedItem(f"wine {n}", f"wine {n}", f"http://a.example/{n}") for n in range(2, 7))
    welcome = RepeatedItem("wine 1", "wine 1", "http://a.example/item/1")
    found = judged(replace(page("6 pages found:"), blocks=(welcome, *listed)), known=known)

    assert (found.case, len(found.records), found.total) == ("all", 5, 6)


@pytest.mark.parametrize(
    ("text", "case"), [("three", "part"), ("3 records", "all"), ("1 - 3 of 340", "part")]
)
def test_records_of_a_page_that_was_cut_are_a_part_unless_it_counts_them(text: str, case: str) -> None:
    assert judged(page(text, 1, 2, 3, marks=("truncated",))).case == case


def keys_page(*sizes: int) -> Page:
    """Return an answer of a server of keys: a head without a link, and for each key lines with links to the key and to others, by two addresses each."""
    keys = "".join(
        f"<pre>pub <a href='/db?op=get&id=0{n}'>A{n}</a> of a person who likes wine\n"
        + "".join(
            f"sig <a href='/db?op=get&id={n}{m}'>B{m}</a> by <a href='/db?op=view&id={n}{m}'>person {m}</a>\n"
            for m in range(size)
        )
        + "</pre><hr>"
        for n, size in enumerate(sizes, 1)
    )
    html = f"<body><h1>Search results for 'wine'</h1><pre>Type  number  time</pre><hr>{keys}</body>"
    return read_page_with_items(html.encode(), QUERY.url)


@pytest.mark.parametrize("sizes", [(90,), (1, 90), (2, 3, 90)])
def test_records_that_lead_to_others_by_several_addresses_are_known_by_how_they_are_made(
    sizes: tuple[int, ...],
) -> None:
    first = keys_page(1, 2, 3, 2, 1)
    known = learn_from_answer(KNOWN, first, judged(first))

    found = judged(keys_page(*sizes), known=known)

    assert [record.key for record in found.records] == [
        f"http://a.example/db?id=0{n}&op=get" for n in range(1, len(sizes) + 1)
    ]


def test_of_several_addresses_of_a_record_those_count_that_look_like_the_known_ones() -> None:
    first = keys_page(1, 2, 3, 2, 1)
    known = replace(learn_from_answer(KNOWN, first, judged(first)), kinds=frozenset())

    found = judged(keys_page(90), known=known)

    assert found.records
    assert all("op=get" in record.key for record in found.records)


def test_a_suggestion_that_is_made_like_a_record_is_none() -> None:
    first = keys_page(1, 2, 3, 2, 1)
    known = learn_from_answer(KNOWN, first, judged(first))
    html = "<body><pre>Nothing matches</pre><hr><pre>Perhaps you mean <a href='/find?q=vine'>vine</a>?</pre></body>"

    assert not judged(read_page_with_items(html.encode(), QUERY.url), known=known).records


@pytest.mark.parametrize(
    ("word", "following", "count"),
    [
        ("", "http://a.example/find?q=&p=2", 3),
        ("", "http://a.example/find?p=2", 0),
        ("", "http://a.example/news", 0),
        ("wine", "http://a.example/find?q=wine&p=2", 0),
    ],
)
def test_the_list_on_the_form_page_answers_an_empty_box_if_it_goes_on_with_the_box(
    word: str, following: str, count: int
) -> None:
    url = f"http://a.example/find?q={word}"
    links = (Link(following, "2"),)
    listing = page("All we have", 1, 2, 3, url="http://a.example/find", forms=(FORM,))
    answer = page("All we have", 1, 2, 3, url=url, forms=(FORM,), links=links)
    query = HttpQuery((("q", word),), word, url=url)

    found = judge_answer(answer, 200, form=FORM, query=query, earlier=begin_with_page(listing))

    assert (len(found.records), found.next) == (count, links[0] if count else None)


def test_links_that_only_ask_the_same_words_elsewhere_are_no_records() -> None:
    others = tuple(
        RepeatedItem(f"List all {name} that speak of wine", name, f"http://a.example/{name}?q=wine+")
        for name in ("tags", "notes", "pictures")
    )

    assert judged(replace(page("No tags"), blocks=others)).records == ()


TOO_SOON = "Please wait another 12 seconds before you search again."


@pytest.mark.parametrize(
    ("answer", "known", "is_too_soon"),
    [
        (page(TOO_SOON), KNOWN, True),
        (
            page(TOO_SOON, links=(Link("http://a.example/archive?page=2", "The archive of this board"),)),
            KNOWN,
            True,
        ),
        (page(f"Two things\n{TOO_SOON}", 1, 2), KNOWN, False),
        (page(f"1 result\n{TOO_SOON}", links=(Link("http://a.example/item/1", "One thing"),)), LISTED, False),
        (page(f"No results found. {TOO_SOON}"), KNOWN, False),
        (page(TOO_SOON), begin_with_page(page(TOO_SOON, url=HOME)), False),
    ],
    ids=["alone", "beside a link", "beside records", "in a record", "beside nothing", "on every page"],
)
def test_a_page_that_asks_for_time_is_no_answer(
    answer: Page, known: EarlierAnswers, *, is_too_soon: bool
) -> None:
    assert (judged(answer, known=known).wait is not None) is is_too_soon


def test_records_at_places_are_records_though_earlier_ones_had_addresses() -> None:
    rows = tuple(
        RepeatedItem(
            f"wine {n}", f"title {n}", f"http://a.example/show/{n}?q=wine", names=(f"magnet:?xt={n}",)
        )
        for n in range(6)
    )

    found = judged(page("several", blocks=rows), known=LISTED)

    assert [record.title for record in found.records] == [f"title {n}" for n in range(6)]
    assert not any(record.key.startswith("http") for record in found.records)


def test_records_made_as_those_before_may_mention_robots() -> None:
    def rows(*texts: str) -> tuple[RepeatedItem, ...]:
        return tuple(RepeatedItem(f"wine {text}", text, kind="tr < table.list") for text in texts)

    first = page("several", blocks=rows("red", "white", "sweet", "dry"))
    known = learn_from_answer(KNOWN, first, judged(first))
    last = rows("for humans, not for a robot", "made by robots: are you a robot")

    found = judged(page("\n".join(row.text for row in last), blocks=last), known=known)

    assert [record.title for record in found.records] == [row.title for row in last]
