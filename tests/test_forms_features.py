"""What can be said about a form, whatever its language."""

from __future__ import annotations

import pytest

from hiddenweb.forms.features import describe_form, meanings_of_name
from hiddenweb.model import Field, Form, Option


def form(*fields: Field, method: str = "GET", action: str = "http://a.example/x", **more: str) -> Form:
    return Form("http://a.example/", action, method, fields, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "words",
    ["Search", "Suche", "Rechercher", "Buscar", "Cerca", "Pesquisar", "Zoeken", "Szukaj", "Ara", "Найти", "بحث", "搜索", "検索", "ค้นหา",
     "Sök", "Søg", "Hae", "Hledat", "Hľadať", "Keresés", "Căutare", "Traži", "Αναζήτηση", "Пошук", "Търсене", "חיפוש", "جستجو", "खोज",
     "검색", "Tìm kiếm", "Cari"],
)  # fmt: skip
def test_a_word_for_searching_means_the_same_in_all_languages(words: str) -> None:
    found = describe_form(form(Field("t", "text"), Field("", "submit", label=words)))

    assert "button: search" in found
    assert found["button: search"]
    assert "shape: one box, says search" in found


@pytest.mark.parametrize(
    ("words", "meaning"),
    [
        ("Logga in", "login"), ("Přihlásit se", "login"), ("로그인", "login"), ("Регистрация", "registration"),
        ("Nyhetsbrev", "newsletter"), ("구독", "newsletter"), ("Lähetä viesti", "contact"), ("장바구니", "cart"),
        ("Sortieren nach", "sorting"), ("並べ替え", "sorting"), ("Passwort vergessen", "forgotten"), ("パスワードをお忘れ", "forgotten"),
    ],
)  # fmt: skip
def test_other_purposes_are_read_in_many_languages(words: str, meaning: str) -> None:
    assert f"button: {meaning}" in describe_form(form(Field("", "submit", label=words)))


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("ctl00$Main$btnSearch", "search"), ("sitesearch", "search"), ("suchbegriff", "search"), ("q", "search"), ("kw", "search"),
        ("loginform", "login"), ("user_pwd", "password"), ("addToCart", "cart"), ("newsletter-signup", "newsletter"),
        ("pageSize", "paging"), ("wp-comments-post", "comment"), ("s", "usual for searches"),
    ],
)  # fmt: skip
def test_names_made_for_machines_are_read_in_parts(name: str, meaning: str) -> None:
    assert meaning in meanings_of_name(name)


@pytest.mark.parametrize("name", ["t", "x1", "colour", "height"])
def test_names_that_say_nothing_of_a_login_are_not_taken_for_one(name: str) -> None:
    assert not {"login", "password", "newsletter"} & meanings_of_name(name).keys()


OPTIONS = (Option("1", "Audi"), Option("2", "BMW"))


@pytest.mark.parametrize(
    ("fields", "shape"),
    [
        ((Field("q", "text"),), "one box"),
        ((Field("q", "text"), Field("make", "select", options=OPTIONS)), "one box and selects"),
        ((Field("a", "text"), Field("b", "text")), "boxes"),
        ((Field("a", "date"), Field("b", "date")), "boxes"),
        ((Field("make", "select", options=OPTIONS),), "selects"),
        ((Field("sort", "select", options=OPTIONS),), "arranging selects"),
        ((Field("n", "select", options=(Option("10", "10"), Option("20", "20"))),), "arranging selects"),
        ((Field("adults", "select", options=(Option("1", "1"), Option("2", "2"))),), "selects"),
        ((Field("red", "checkbox"),), "choices"),
        ((Field("id", "hidden"), Field("", "submit")), "buttons"),
        ((Field("q", "text"), Field("p", "password")), "personal"),
        ((Field("q", "text", label="Your e-mail"),), "e-mail"),
        ((Field("", "text"), Field("", "submit")), "buttons"),  # what has no name is never sent
        ((Field("q", "text", disabled=True), Field("", "submit")), "buttons"),
    ],
)
def test_the_shape_of_a_form_is_told_by_what_it_sends(fields: tuple[Field, ...], shape: str) -> None:
    assert f"shape: {shape}" in describe_form(form(*fields))


def test_where_words_stand_is_kept_apart() -> None:
    found = describe_form(
        form(
            Field("t", "text", label="Keyword", placeholder="Titel"),
            Field("", "submit", label="Anmelden"),
            method="POST",
            action="http://b.example/cart/add",
            names="newsletter-box",
            page_title="Kontakt",
            around="div#searchbar header",
        )
    )

    places = {
        "box: search",
        "button: login",
        "address: cart",
        "name: newsletter",
        "title: contact",
        "around: search",
    }
    assert places <= found.keys()
    assert {"sent by POST", "sent to another host"} <= found.keys()
    assert "box: login" not in found
    assert found["box: search"] == "keyword"


def test_words_for_searching_do_not_count_where_a_form_only_sorts_or_looks_up_ones_own_things() -> None:
    sorting = describe_form(form(Field("sort", "select", options=OPTIONS), names="search-form"))
    own = describe_form(form(Field("q", "text", label="Order number"), Field("", "submit", label="Search")))

    assert "places that say search: 0" in sorting
    assert "places that say search: 0" in own
    assert "shape: one box, for one's own thing" in own


def test_what_an_old_page_writes_into_a_box_is_read_as_its_placeholder() -> None:
    assert "box: search" in describe_form(form(Field("t", "text", value="Search here")))
    assert "box: search" not in describe_form(form(Field("t", "text", value="12")))


def test_elements_around_a_form_that_every_page_has_mean_nothing() -> None:
    assert not [name for name in describe_form(form(around="div body html")) if name.startswith("around")]


@pytest.mark.parametrize("text", ["²", "٣", "9" * 5000, "", "1e9"])
def test_strange_numbers_among_the_choices_are_no_lengths_of_pages(text: str) -> None:
    found = describe_form(form(Field("n", "select", options=(Option("a", text), Option("b", text)))))

    assert "select that arranges" not in found
