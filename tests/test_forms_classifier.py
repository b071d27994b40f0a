"""Which forms are asked and which are left alone, told by their shape and by words of many languages."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.forms.classifier import judge
from hiddenweb.items import Field, Form, Option

BOX = Field("q", "text")


def form(
    *fields: Field,
    action: str = "http://a.example/go.php",
    button: str = "",
    heading: str = "",
    text: str = "",
) -> Form:
    submit = (Field("", "submit", label=button),) if button else ()
    return Form("http://a.example/", action, "GET", (*fields, *submit), text=text or button, heading=heading)


def box(label: str, name: str = "t") -> Field:
    return Field(name, "text", label=label)


ASKED = {
    "the usual name": form(BOX),
    "a box made for searching": form(Field("t", "search")),
    "a word on the button": form(Field("t", "text"), button="Search"),
    "a word in the label": form(box("Keywords")),
    "a word in the placeholder": form(Field("t", "text", placeholder="Find a book")),
    "a word in the address": form(Field("t", "text"), action="http://a.example/catalogue/search.aspx"),
    "a role": replace(form(Field("t", "text")), names="top role search"),
    "two weak signs": form(Field("s", "text"), button="Go"),
    "no type at all": form(Field("q", "")),
    "choices beside the box": form(
        BOX,
        Field("in", "select", options=(Option("", "All"), Option("1", "Cart racing"))),
        Field("x", "checkbox"),
    ),
    "hidden fields": form(Field("lang", "hidden", value="en"), BOX, Field("order", "hidden", value="asc")),
    "a link to e-mail alerts": form(BOX, button="Search", text="Search Get e-mail alerts for this search"),
    "another host of the site": replace(
        form(BOX, action="http://find.museum.org/"), page_url="http://www.museum.org/"
    ),
    "German": form(box("Suchbegriff")),
    "French": form(Field("t", "text"), button="Rechercher"),
    "Spanish": form(Field("t", "text"), button="Buscar"),
    "Italian": form(Field("t", "text"), button="Cerca"),
    "Portuguese": form(Field("t", "text"), button="Pesquisar"),
    "Dutch": form(Field("t", "text"), button="Zoeken"),
    "Polish": form(Field("t", "text"), button="Szukaj"),
    "Turkish": form(Field("t", "text"), button="ARA"),
    "Russian": form(Field("t", "text"), button="Найти"),
    "Arabic": form(Field("t", "text"), button="بحث"),
    "Chinese": form(Field("t", "text"), button="搜索"),
    "Japanese": form(Field("t", "text"), button="検索する"),
    "Thai": form(Field("t", "text"), button="ค้นหา"),
}


@pytest.mark.parametrize("case", ASKED)
def test_a_search_form_is_asked_and_says_why(case: str) -> None:
    verdict = judge(ASKED[case])

    assert verdict.ask, verdict
    assert verdict.purpose == "search"
    assert len(verdict.why) >= 2


LEFT_ALONE = {
    "a password": form(BOX, Field("p", "password"), button="Search"),
    "an e-mail": form(Field("q", "email"), button="Search"),
    "a telephone": form(BOX, Field("t", "tel"), button="Search"),
    "a file": form(BOX, Field("f", "file"), button="Search"),
    "a long text": form(BOX, Field("f", "textarea"), button="Search"),
    "a date": form(BOX, Field("f", "date"), button="Search"),
    "two boxes": form(BOX, Field("r", "text"), button="Search"),
    "no box": form(Field("s", "select"), button="Search"),
    "a box without a name": form(Field("", "text"), button="Search"),
    "a box nobody can write in": form(replace(BOX, readonly=True), button="Search"),
    "nothing that says search": form(Field("t", "text")),
    "one weak sign": form(Field("s", "text")),
    "a box filled in by browsers": form(replace(BOX, autocomplete="username"), button="Search"),
    "a box for four digits": form(replace(BOX, max_length=3), button="Search"),
    "another site": form(BOX, action="http://www.engine.example.org/search", button="Search"),
    "a script": form(BOX, action="javascript:void(0)", button="Search"),
    "a required choice": form(
        BOX, Field("s", "select", required=True, options=(Option("", "-"), Option("1", "x")))
    ),
    "a command": form(BOX, Field("action", "hidden", value="delete"), button="Search"),
    "an address that deletes": form(BOX, action="http://a.example/items/delete", button="Find"),
    "an address that logs out": form(BOX, action="http://a.example/user?do=logout", button="Find"),
    "words run together": form(BOX, action="http://a.example/newslettersearch", button="Find"),
    "worded like a search, account": form(BOX, button="Find my account"),
    "worded like a search, unsubscribe": form(BOX, button="Search", heading="Search and unsubscribe"),
    "worded like a search, order": form(box("Search your order number", "q"), button="Search"),
    "worded like a search, parcel": form(BOX, button="Find", heading="Track your parcel"),
    "worded like a search, booking": form(box("Find your reservation"), button="Search"),
    "a title that says something else": form(Field("s", "text"), button="Go"),
    "English vote": form(BOX, button="Vote"),
    "English coupon": form(box("Coupon", "query"), button="Redeem"),
    "English cart": form(Field("q", "text", value="1"), button="Add to cart"),
    "German newsletter": form(BOX, button="Newsletter abonnieren"),
    "German account": form(BOX, button="Konto suchen"),
    "French login": form(box("Identifiant", "q"), button="Rechercher"),
    "French unsubscribing": form(BOX, button="Rechercher", heading="Désabonnement : se désinscrire"),
    "Spanish contact": form(BOX, button="Enviar mensaje"),
    "Italian cart": form(BOX, button="Aggiungi al carrello"),
    "Polish poll": form(BOX, button="Zagłosuj"),
    "Turkish membership": form(BOX, button="Üye ol"),
    "Turkish tracking": form(box("Kargo takip numarası", "q"), button="Ara"),
    "Russian account": form(BOX, button="Найти", heading="Восстановление аккаунта"),
    "Russian petition": form(BOX, button="Подписать петицию"),
    "Arabic mail": form(box("البريد الإلكتروني", "q"), button="بحث"),
    "Arabic subscription": form(BOX, button="إلغاء الاشتراك"),
    "Chinese subscription": form(BOX, button="搜索", heading="取消订阅"),
    "Chinese order": form(box("订单号", "q"), button="查询"),
    "Japanese mail": form(box("メールアドレス", "q"), button="検索"),
    "Japanese booking": form(BOX, button="予約を検索"),
    "Thai password": form(BOX, button="ค้นหา", heading="ลืมรหัสผ่าน"),
    "Thai tracking": form(BOX, button="ค้นหา", heading="ติดตามพัสดุ"),
}


@pytest.mark.parametrize("case", LEFT_ALONE)
def test_any_other_form_is_left_alone_and_says_why(case: str) -> None:
    verdict = judge(LEFT_ALONE[case], page_title="Sign up" if case.startswith("a title") else "")

    assert not verdict.ask, verdict
    assert verdict.why
    assert all(verdict.why)


def test_post_is_asked_only_where_it_is_allowed() -> None:
    posted = replace(form(BOX, button="Search"), method="POST")

    refused, allowed = judge(posted), judge(posted, allow_post=True)

    assert (refused.ask, refused.purpose) == (False, "search")
    assert "POST" in refused.why[0]
    assert allowed.ask
    assert not judge(replace(posted, enctype="multipart/form-data"), allow_post=True).ask


def test_a_title_that_mentions_something_else_does_not_outweigh_a_form_that_says_search_itself() -> None:
    assert judge(form(Field("q", "search"), button="Search"), page_title="Your basket").ask


def test_options_of_a_select_may_speak_of_anything() -> None:
    topics = Field("topic", "select", options=(Option("", "All topics"), Option("1", "Password managers")))

    assert judge(form(BOX, topics, button="Search", text="Search in All topics Password managers")).ask
    assert not judge(form(BOX, button="Search", text="Search Forgot your password?")).ask
