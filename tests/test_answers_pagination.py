"""Where the next page of an answer is, by relation, word, number, offset or button."""

from __future__ import annotations

import pytest

from hiddenweb.answers.pagination import find_next_page, find_next_post, has_further_page
from hiddenweb.model import Field, Form, HttpQuery, Link, Option, Page

ANSWER_URL = "http://a.example/find?q=red+wine&in="


def page(*links: Link, forms: tuple[Form, ...] = ()) -> Page:
    return Page(ANSWER_URL, links=links, forms=forms)


def link(query: str, anchor: str = "", rel: str = "") -> Link:
    return Link(f"http://a.example/find?{query}", anchor, rel=rel)


def following(
    *links: Link, number: int = 1, url: str = ANSWER_URL, forms: tuple[Form, ...] = ()
) -> str | None:
    found = find_next_page(page(*links, forms=forms), page_url=url, number=number)
    return found.url.partition("?")[2] or found.url if found else None


SECOND = "q=red%20wine&page=2"


@pytest.mark.parametrize(
    "anchor",
    [
        "Next", "next page »", "Weiter", "nächste Seite", "Suivant", "Page suivante >", "Siguiente", "Successivo", "Avanti",
        "Dalej", "Następna", "Sonraki", "Далее", "Следующая", "التالي", "下一页", "次へ", "次のページ", "ถัดไป", "»", "›", "→",
        ">", ">>", "Volgende", "Próxima", "Load more", "Mehr anzeigen", "Show more results", "Seuraava", "Nästa sida", "Další", "Következő", "Наступна", "Επόμενη", "הבא", "다음",
        "अगला", "Trang sau", "Xem tiếp", "Trang tiếp theo", "Näytä lisää", "더보기", "Plus de résultats", "さらに表示", "加载更多",
    ],
)  # fmt: skip
def test_a_link_that_says_next_in_any_language_is_next(anchor: str) -> None:
    assert following(link("q=other", "Other"), link(SECOND, anchor)) == SECOND


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("/find/wine", "/find/wine/2"),
        ("/find/wine/", "/find/wine/page:2"),
        ("/find/wine.html", "/find/wine-2.html"),
        ("/find?q=wine", "/find?q=wine&pageToken=CAoQAA"),
        ("/find?q=wine", "/find?q=wine&cursor=CAoQAA"),
    ],
)
@pytest.mark.parametrize("anchor", ["Next", "Show more results"])
def test_the_place_may_be_in_the_path_or_in_a_token(here: str, there: str, anchor: str) -> None:
    url, query = (
        f"http://a.example{here}",
        HttpQuery((("q", "wine"),), "wine", url="http://a.example/find?q=wine"),
    )
    page = Page(url, links=(Link(f"http://a.example{there}", anchor),))

    found = find_next_page(page, page_url=url, number=1, keyword="wine", rows=(10,), query=query)

    assert found is not None
    assert found.url == f"http://a.example{there}"


@pytest.mark.parametrize(
    ("links", "number", "expected"),
    [
        ((link(SECOND, "", rel="next"), link("q=red+wine&page=9", "9")), 1, SECOND),
        ((link("q=red+wine&page=3", "3"), link(SECOND, "2")), 1, SECOND),
        ((link(SECOND, "2"), link("q=red+wine&page=3", "3"), link("q=red+wine&page=40", "▶")), 1, SECOND),
        ((link("q=red+wine&start=20", "20 - 40"),), 1, "q=red+wine&start=20"),
        ((link("q=red+wine&start=40", "3"), link("q=red+wine&start=20", "2")), 1, "q=red+wine&start=20"),
        ((link("q=red+wine;page=2", "next"),), 1, "q=red+wine;page=2"),
        (
            (
                link("q=red+wine&page=0", "1"),
                link("q=red+wine&page=1", "2"),
                link("q=red+wine&page=1", "Next ›"),
            ),
            1,
            "q=red+wine&page=1",
        ),
        (
            (link("q=red+wine&page=2&sid=0123456789abcdef", "next"),),
            1,
            "q=red+wine&page=2&sid=0123456789abcdef",
        ),
        ((link("q=red+wine&after=Zx81", "next"),), 1, "q=red+wine&after=Zx81"),
    ],
    ids=[
        "relation",
        "numbers",
        "an arrow to the last page",
        "offsets",
        "numbered offsets",
        "semicolon",
        "counted from 0",
        "session id",
        "cursor",
    ],
)
def test_the_next_page_is_found(links: tuple[Link, ...], number: int, expected: str) -> None:
    assert following(*links, number=number) == expected


def test_later_pages_lead_on_and_never_back() -> None:
    url = "http://a.example/find?q=wine&page=3"
    links = [link(f"q=wine&page={n}", str(n)) for n in (1, 2, 4, 5)]

    assert following(*links, number=3, url=url) == "q=wine&page=4"
    assert following(*links[:2], number=3, url=url) is None
    assert following(link("q=wine&page=2", "»"), link("q=wine", "next"), number=3, url=url) is None


def test_pages_may_be_numbered_in_the_path() -> None:
    url = "http://a.example/find/wine/2"
    links = [Link(f"http://a.example/find/wine/{n}", str(n)) for n in (1, 3, 4)]

    assert following(*links, number=2, url=url) == "http://a.example/find/wine/3"
    first = Link("http://a.example/find/wine/page/2", "2")
    assert following(first, url="http://a.example/find/wine") == first.url


@pytest.mark.parametrize(
    "wrong",
    [
        Link("http://b.example/find?q=red+wine&page=2", "next", rel="next"),
        Link("http://a.example/about", "next"),
        link("q=red+wine&in=", "next", rel="next"),
        link("q=white&page=2", "next"),
        link("page=2", "next"),
        link("q=red+wine&year=1999", "1999"),
        link("q=red+wine&sort=title", "Title"),
        link("q=red+wine&page=1", "« 1"),
        link("q=red+wine&page=2", "previous", rel="prev"),
        link("q=red+wine&a=1&b=2&c=3", "next"),
    ],
    ids=[
        "host",
        "path",
        "same",
        "other query",
        "no query",
        "facet",
        "order",
        "first",
        "back",
        "all different",
    ],
)
def test_what_leads_elsewhere_is_not_next(wrong: Link) -> None:
    assert following(wrong) is None


def button(number: int, label: str, method: str = "GET") -> Form:
    fields = (Field("q", "hidden", value="red wine"), Field("page", "submit", label=label, value=str(number)))
    return Form(ANSWER_URL, "http://a.example/find", method, fields, text=label)


def test_a_button_that_is_a_form_of_its_own_is_followed_by_its_address() -> None:
    url = "http://a.example/find?q=red+wine&page=2"
    forms = (button(1, "Previous"), button(3, "Next"))

    assert following(forms=forms, number=2, url=url) == "q=red+wine&page=3"
    assert following(forms=(button(1, "Previous"),), number=2, url=url) is None


def test_paging_by_post_is_not_followed() -> None:
    assert following(forms=(button(2, "Next", "POST"),)) is None


def test_a_way_on_that_is_not_followed_is_seen() -> None:
    assert has_further_page(page(forms=(button(2, "Next", "POST"),)))
    assert has_further_page(Page(ANSWER_URL, text="Two records\n下一页"))
    assert not has_further_page(page(forms=(button(1, "Previous", "POST"),)))
    assert not has_further_page(Page(ANSWER_URL, text="Next of kin\nPrevious"))


REWRITTEN = "q=red+wine&quick=0&page=2&wiki=on&ticket=on&files=on"


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ((link(REWRITTEN, "→", rel="next"),), REWRITTEN),
        ((link(REWRITTEN, "2"),), REWRITTEN),
        (
            (link("@startwith=50&@pagesize=50&q=red+wine", "next >>"),),
            "@startwith=50&@pagesize=50&q=red+wine",
        ),
        ((link("q=red+wine&page=2", "Next"),), "q=red+wine&page=2"),
        ((Link("http://a.example/find/page/2/?q=red+wine", "Next"),), "q=red+wine"),
        ((link(REWRITTEN.replace("red+wine", "beer"), "→", rel="next"),), None),
        ((link(REWRITTEN, "Tickets only"),), None),
        ((link("q=red+wine&wiki=on&ticket=on&files=on", "Next"),), None),
    ],
    ids=[
        "relation",
        "number",
        "its own name for the place",
        "without the button",
        "in the path",
        "another query",
        "a facet",
        "no page",
    ],
)
def test_an_address_that_is_rewritten_is_next_if_it_has_the_same_query_and_counts_pages(
    links: tuple[Link, ...], expected: str | None
) -> None:
    url = f"{ANSWER_URL}&go=Search"

    found = find_next_page(page(*links), page_url=url, number=1, keyword="red wine")

    assert (found.url.partition("?")[2] if found else None) == expected


@pytest.mark.parametrize(
    ("there", "is_next"),
    [
        ("start=20&size=20&sort=date", True),
        ("start=20&size=20&sort=date&q=", True),
        ("start=20&size=20&sort=date&q=wine", False),
        ("start=0&size=20&sort=title", False),
    ],
)
def test_what_was_left_empty_may_be_dropped(there: str, is_next: bool) -> None:
    url = "http://a.example/find?q=&sort=date&go=Search"
    query = HttpQuery((("q", ""), ("sort", "date"), ("go", "Search")), "", url=url)
    page = Page(url, links=(link(there, "next >>"),))

    found = find_next_page(page, page_url=url, number=1, keyword="", rows=(20,), query=query)

    assert (found is not None) is is_next


def test_a_button_of_the_search_form_itself_may_turn_pages() -> None:
    form = Form(
        ANSWER_URL, "http://a.example/find", "GET",
        (
            Field("q", "search", value="red wine"), Field("", "submit", label="Search", value="Search"), Field("mark", "checkbox", value="7"),
            Field("in", "select", options=(Option("", "all"), Option("maps", "maps", selected=True))),
            Field("all", "radio", value="1", checked=True), Field(">", "submit", label="Next", value="Next"),
        ),
    )  # fmt: skip

    found = find_next_page(
        page(forms=(form,)), page_url="http://a.example/find?q=red+wine&in=maps&all=1", number=1
    )

    assert found is not None
    assert found.url == "http://a.example/find?q=red+wine&in=maps&all=1&%3E=Next"


# What a script would load


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        (Link("http://a.example/find?q=red+wine&page=2", rel="next"), "q=red+wine&page=2"),
        (Link("http://a.example/find?q=red+wine&offset=20", "Load more"), "q=red+wine&offset=20"),
        (Link("http://a.example/api/more?q=red+wine&offset=20", "Load more"), "q=red+wine&offset=20"),
        (Link("http://a.example/api/more?q=red+wine&after=Zx1", "x", rel="next"), "q=red+wine&after=Zx1"),
        (Link("http://a.example/api/more?q=white&offset=20", "Load more"), None),
        (Link("http://b.example/api/more?q=red+wine&offset=20", "Load more"), None),
        (Link("http://a.example/api/share?q=red+wine", "Share"), None),
        (Link("javascript:more()", "Load more"), None),
    ],
    ids=[
        "relation",
        "same path",
        "another path",
        "cursor",
        "another query",
        "another host",
        "not next",
        "script",
    ],
)
def test_what_a_button_would_load_is_next_if_it_carries_the_query(turn: Link, expected: str | None) -> None:
    found = find_next_page(Page(ANSWER_URL, paging_links=(turn,)), page_url=ANSWER_URL, number=1)

    assert (found.url.partition("?")[2] if found else None) == expected


# POST

POSTED = HttpQuery(
    (("q", "red wine"),), "red wine", "POST", "http://a.example/find", b"q=red+wine&lang=en", "a/urlencoded"
)


def posted(*forms: Form, paging_links: tuple[Link, ...] = (), number: int = 1) -> dict[str, str] | None:
    found = find_next_post(Page(POSTED.url, forms=forms, paging_links=paging_links), POSTED, number)
    if found is None:
        return None
    pressed = [found.button] if found.button else []
    sent = [field for field in found.form.fields if field.kind not in ("submit", "image")]
    return {field.name: field.value for field in (*sent, *pressed)}


def test_a_small_form_that_repeats_the_query_turns_the_page() -> None:
    forms = (button(1, "Previous", "POST"), button(3, "Next", "POST"))

    assert posted(*forms, number=2) == {"q": "red wine", "page": "3"}
    assert posted(button(1, "Previous", "POST"), number=2) is None


def test_of_several_buttons_the_one_with_the_next_number_is_pressed() -> None:
    numbers = tuple(Field("page", "submit", label=str(n), value=str(n)) for n in (1, 2, 3, 4))
    form = Form(
        ANSWER_URL, POSTED.url, "POST", (Field("q", "hidden", value="red wine"), *numbers), text="1 2 3 4"
    )

    assert posted(form, number=2) == {"q": "red wine", "page": "3"}
    assert posted(form, number=4) is None


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ((Field("q", "hidden", value="red wine"),), "http://a.example/order"),
        ((Field("q", "hidden", value="red wine"),), "http://b.example/find"),
        ((Field("q", "hidden", value="white wine"),), POSTED.url),
        ((Field("q", "hidden", value="red wine"), Field("action", "hidden", value="save")), POSTED.url),
        ((Field("q", "hidden", value="red wine"), Field("mail", "text")), POSTED.url),
    ],
    ids=["another address", "another host", "another query", "something else", "something to fill in"],
)
def test_what_does_not_repeat_the_query_is_not_sent(fields: tuple[Field, ...], action: str) -> None:
    form = Form(ANSWER_URL, action, "POST", (*fields, Field("page", "submit", label="Next", value="2")))

    assert posted(form) is None


ASPNET = Form(
    ANSWER_URL,
    POSTED.url,
    "POST",
    (
        Field("__VIEWSTATE", "hidden", value="/wEP"),
        Field("__EVENTTARGET", "hidden"),
        Field("__EVENTARGUMENT", "hidden"),
        Field("q", "text", value="red wine"),
        Field("go", "submit", label="Search"),
    ),
)


def test_a_script_that_posts_back_is_read_and_not_run() -> None:
    paging_links = tuple(Link(f"javascript:__doPostBack('Pager','Page${n}')", str(n)) for n in (1, 2, 3))

    assert posted(ASPNET, paging_links=paging_links) == {
        "__VIEWSTATE": "/wEP",
        "__EVENTTARGET": "Pager",
        "__EVENTARGUMENT": "Page$2",
        "q": "red wine",
    }
    assert posted(ASPNET, paging_links=paging_links, number=3) is None
    assert posted(button(2, "x", "POST"), paging_links=paging_links) is None


def test_a_script_that_sets_a_value_and_submits_is_read_too() -> None:
    form = Form(
        ANSWER_URL,
        POSTED.url,
        "POST",
        (Field("page", "hidden", value="1"), Field("q", "text", value="red wine")),
    )
    script = Link("javascript:document.forms[0].page.value='2';document.forms[0].submit()", "Next")

    assert posted(form, paging_links=(script,)) == {"page": "2", "q": "red wine"}
    assert (
        posted(form, paging_links=(Link("javascript:document.forms[0].order.value='2';f.submit()", "Next"),))
        is None
    )


def test_of_several_numbers_the_one_on_the_link_counts_pages() -> None:
    url = "http://a.example/find?q=red+wine&%5B=2"

    assert following(link("q=red+wine&%5B=3&top=10", "3"), number=2, url=url) == "q=red+wine&%5B=3&top=10"


# Parameters of any name


def by_rows(*links: Link, number: int = 1, parameters: str = "q=wine", rows: int = 20) -> str | None:
    url = f"http://a.example/find?{parameters}"
    query = HttpQuery((("q", "wine"),), "wine", "GET", "http://a.example/find?q=wine&go=1")
    found = find_next_page(
        Page(url, links=links), page_url=url, number=number, keyword="wine", rows=(rows,), query=query
    )
    return found.url.partition("?")[2] if found else None


@pytest.mark.parametrize(
    ("anchor", "query"),
    [
        ("[2]", "q=wine&whence=20"),
        ("2.", "q=wine&whence=21"),
        ("(2)", "q=wine;whence=20"),
        ("٢", "q=wine&whence=20"),
        ("", "q=wine&whence=20"),
        ("Næst á blaði", "q=wine&whence=20"),
        ("21-40", "q=wine&whence=20"),
        ("Next 20 hits", "q=wine&whence=20"),
    ],
)
def test_a_number_that_grows_by_the_records_shown_turns_pages(anchor: str, query: str) -> None:
    assert by_rows(link(query, anchor)) == query
    assert by_rows(link(query, anchor), rows=13) is None


def test_the_number_may_be_there_from_the_first_page() -> None:
    links = [link(f"q=wine&whence={20 * n}", f"[{n + 1}]") for n in range(5)]

    assert by_rows(*links, parameters="q=wine&whence=0") == "q=wine&whence=20"
    assert by_rows(*links, parameters="q=wine&whence=40", number=3) == "q=wine&whence=60"
    assert by_rows(*links, parameters="q=wine&whence=80", number=5) is None
    assert by_rows(link("q=wine&whence=80&max=6", "6"), parameters="q=wine&whence=80", number=5) is None


def test_numbered_links_that_grow_in_even_steps_turn_pages_though_the_records_were_miscounted() -> None:
    links = [link(f"q=wine&whence={20 * n}", f"[{n + 1}]") for n in (1, 2, 3)]

    assert by_rows(*links, rows=17) == "q=wine&whence=20"
    assert by_rows(*links[:1], rows=17) is None


@pytest.mark.parametrize(
    "wrong",
    [
        link("q=wine&show=20", "20"),
        link("q=wine&show=20", "Show 20"),
        link("q=wine&per_page=20", "many"),
        link("q=wine&whence=40", "last"),
        link("q=wine&price=30", "cheap"),
        link("q=wine&sort=20&order=2", "by title"),
        link("q=beer&whence=20", "[2]"),
        Link("http://a.example/record?whence=20", "A record"),
    ],
)
def test_other_numbers_turn_no_page(wrong: Link) -> None:
    assert by_rows(wrong) is None


def test_a_token_that_came_with_paging_may_change_again() -> None:
    assert by_rows(link("q=wine&mk=Zx81", "next")) == "q=wine&mk=Zx81"
    second = "q=wine&mk=Zx81"
    assert by_rows(link("q=wine&mk=Qr55", "next"), parameters=second, number=2) == "q=wine&mk=Qr55"
    assert by_rows(link("q=beer&mk=Qr55", "next"), parameters=second, number=2) is None


def test_the_same_query_in_another_encoding_is_the_same() -> None:
    first = "http://a.example/find?q=%C9%BD&go=x&whence=0"
    query = HttpQuery((("q", "表"),), "表", "GET", first)
    turn = Link("http://a.example/find?q=%C9%BD&whence=20", "[2]")

    found = find_next_page(
        Page(first, links=(turn,)), page_url=first, number=1, keyword="表", rows=(20,), query=query
    )

    assert found == turn


def test_the_head_of_a_table_sorts_it_by_the_number_of_a_column() -> None:
    path = "html/body/table/thead/tr/th.sortable/div.text/a"
    orders = [
        Link(f"http://a.example/find?o={column}&q=red%20wine", name, tag_path=path)
        for column, name in ((1, "Author"), (2, "Subject"))
    ]

    assert following(*orders) is None
    assert following(*orders, link("p=2&q=red%20wine", "2")) == "p=2&q=red%20wine"
    assert following(Link("http://a.example/find?p=2&q=red%20wine", "next", tag_path=path))
