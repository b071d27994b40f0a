"""What keeps a form from being submitted: one sign is enough, in any language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hiddenweb.forms.buttons import button_to_press
from hiddenweb.forms.safety import find_refusals
from hiddenweb.model import Field, Form, LabelHint, Option

BOX = Field("q", "text")


def form(
    *fields: Field,
    action: str = "http://a.example/go.php",
    button: str = "",
    heading: str = "",
    text: str = "",
    title: str = "",
) -> Form:
    submit = (Field("", "submit", label=button),) if button else ()
    return Form(
        "http://a.example/",
        action,
        "GET",
        (*fields, *submit),
        text=text or button,
        heading=heading,
        page_title=title,
    )


def box(label: str, name: str = "t") -> Field:
    return Field(name, "text", label=label)


def against(form: Form, *, allow_post: bool = False) -> tuple[str, ...]:
    query_box = next((field for field in form.fields if field.kind in ("text", "search", "")), None)
    return find_refusals(form, button=button_to_press(form), query_box=query_box, allow_post=allow_post)


HARMLESS = {
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
    "a date beside the box": form(BOX, Field("since", "date"), button="Search"),
    "several boxes": form(BOX, box("Author"), box("Title"), button="Search"),
    "a further box for a zip code": form(BOX, box("Zip code"), box("Price up to"), button="Search"),
    "a magnifier": form(BOX, Field("", "submit")),
    "arrows": form(BOX, Field("", "submit", label=">>")),
    "nothing but choices that are shown": form(
        Field("make", "select", options=(Option("", "Any"), Option("1", "Audi"), Option("2", "BMW"))),
        button="Show 4,213 cars",
    ),
    "the same in Swedish": replace(
        form(
            Field("ort", "select", options=tuple(Option(each, each) for each in "abc")),
            button="Visa bostäder",
        ),
        language="sv",
    ),
    "it shows what was chosen": form(Field("make", "select"), button="Show cars", heading="Find a car"),
    "it applies what was chosen": form(box("Search in these"), button="Apply"),
    "a label that says nothing": form(box("for", "q"), button="Go"),
    "a day on which guests leave": form(box("Search"), box("Check-out", "checkout"), button="Search"),
    "a link that empties the form": form(BOX, button="Search", text="Search Delete"),
    "and, in a language that has no such word": replace(form(BOX, button="Sök i arkivet"), language="sv"),
    "a letter of an icon font": form(BOX, button="L"),
    "results in words": form(BOX, button="Show results"),
    "what is searched": form(BOX, button="Search the catalogue"),
    "a thing in Czech": replace(form(box("Název, autor", "q"), button="Hledat"), language="cs"),
    "Hindi": replace(form(Field("t", "text"), button="खोजें"), language="hi"),
    "Vietnamese": replace(form(Field("t", "text"), button="Tìm kiếm"), language="vi"),
    "an object after the verb": replace(form(BOX, button="Rechercher un vol"), language="fr"),
    "an object before the verb": replace(form(BOX, button="Flüge suchen"), language="de"),
    "people, where another box says that it searches": form(
        box("Search words", "q"), box("Last name"), button="Search"
    ),
    "a list called register": form(BOX, button="Search", heading="Search the register of companies"),
    "Swedish": form(Field("t", "text"), button="Sök"),
    "Hungarian": form(Field("t", "text"), button="Keresés"),
    "Korean": form(Field("t", "text"), button="검색"),
    "Hebrew": form(Field("t", "text"), button="חיפוש"),
    "keywords in Spanish": form(box("Palabra clave")),
    "a word of Romanian in Italian": replace(form(box("Parola chiave")), language="it"),
    "its own address, whatever that says": replace(
        form(BOX, action="http://a.example/cart/all", button="Search"), page_url="http://a.example/cart/all"
    ),
    "no box at all": form(Field("genre", "select", options=(Option("1", "Jazz"),)), button="Search"),
    "a button that deletes, if another searches": form(
        BOX, Field("do", "submit", label="Search"), Field("kill", "submit", label="Delete all")
    ),
    "a button that sends nothing": form(
        BOX, Field("", "submit", label="Search"), Field("", "button", label="Clear")
    ),
    "a button with an address of its own that is not pressed": form(
        BOX,
        Field("", "submit", label="Subscribe", form_action="http://a.example/subscribe"),
        Field("", "submit", label="Search"),
    ),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_nothing_speaks_against_a_plain_search(case: str) -> None:
    assert against(HARMLESS[case]) == ()


HARMFUL = {
    "a password": form(BOX, Field("p", "password"), button="Search"),
    "an e-mail": form(Field("q", "email"), button="Search"),
    "a telephone": form(BOX, Field("t", "tel"), button="Search"),
    "a file": form(BOX, Field("f", "file"), button="Search"),
    "a long text": form(BOX, Field("f", "textarea"), button="Search"),
    "a box filled in by browsers": form(replace(BOX, autocomplete="username"), button="Search"),
    "a box for four digits": form(replace(BOX, max_length=3), button="Search"),
    "another site": form(BOX, action="http://www.engine.example.org/search", button="Search"),
    "a command": form(BOX, Field("action", "hidden", value="delete"), button="Search"),
    "an address that deletes": form(BOX, action="http://a.example/items/delete", button="Find"),
    "an address that logs out": form(BOX, action="http://a.example/user?do=logout", button="Find"),
    "words run together": form(BOX, action="http://a.example/newslettersearch", button="Find"),
    "worded like a search, account": form(BOX, button="Find my account"),
    "worded like a search, unsubscribe": form(BOX, button="Search", heading="Search and unsubscribe"),
    "worded like a search, order": form(box("Search your order number", "q"), button="Search"),
    "worded like a search, parcel": form(BOX, button="Find", heading="Track your parcel"),
    "worded like a search, booking": form(box("Find your reservation"), button="Search"),
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
    "a price on the button": form(BOX, button="Search (€ 0.50)"),
    "a number on the button": form(BOX, button="Find 3 more"),
    "two actions": form(BOX, button="Search and register"),
    "two actions in Arabic": form(BOX, button="ابحث وسجل"),
    "two actions in Japanese": form(BOX, button="検索して登録"),
    "what is mine": form(BOX, button="Clear my searches"),
    "a long story": form(BOX, button="Find out if you have won"),
    "a word that we do not know": form(BOX, button="Frobnicate"),
    "a word for going on, and another one": form(BOX, button="Run query"),
    "a box that asks for something else beside a neutral button": form(box("Company", "q"), button="Go"),
    "a box that asks for a number": form(box("Catalogue number", "q"), button="Search"),
    "a box that shows an e-mail address": form(
        Field("q", "text", placeholder="name@example.com"), button="Search"
    ),
    "a box for commands": form(Field("q", "text", placeholder="SELECT * FROM books"), button="Search"),
    "a captcha": replace(form(BOX, button="Search"), captcha=True),
    "nothing to fill in": form(Field("id", "hidden", value="7"), button="Search"),
    "fine print": form(BOX, button="Search", text="Search By searching you agree to receive our newsletter."),
    "a word of Czech on a Czech page": replace(form(box("Heslo", "q"), button="Hledat"), language="cs"),
    "a title that says something else": form(Field("s", "text"), button="Go", title="Sign up"),
    "a script": form(BOX, action="javascript:void(0)", button="Search"),
    "only a browser can send it": replace(form(BOX, button="Search"), needs_browser=True),
    "it says nofollow": replace(form(BOX, button="Search"), rel="external nofollow"),
    "a dialogue": replace(form(BOX, button="Search"), method="DIALOG"),
    "the button that is pressed leads to another site": form(
        BOX, Field("", "submit", label="Search", form_action="http://engine.example.org/")
    ),
    "the button that is pressed posts": form(BOX, Field("", "submit", label="Search", form_method="POST")),
    "the button that is pressed deletes": form(
        BOX, Field("", "submit", label="Search", form_action="http://a.example/delete")
    ),
    "the button that is pressed is a command": form(
        BOX, Field("op", "submit", label="Search", value="delete")
    ),
    "a further box for an e-mail": form(BOX, box("Your e-mail"), button="Search"),
    "a further box for a surname": form(BOX, box("Last name"), button="Search"),
    "personal data outside of what people see": form(BOX, Field("e", "email", unseen=True), button="Search"),
    "a number at the end of a word": form(box("Aktenzeichen", "q"), button="Suchen"),
    "a number of one's own": form(box("Passport", "q"), button="Search"),
    "a plate": form(box("Kennzeichen", "q"), button="Suchen"),
    "two letters of Chinese": form(box("车牌", "q"), button="Go"),
    "and, in a language that has such a word": replace(form(BOX, button="Szukaj i kup"), language="pl"),
    "and, in no language that we know": form(BOX, button="Busca y compra"),
    "paying, whatever the date": form(BOX, box("Checkout", "checkout_step"), button="Search"),
    "a soft hyphen": form(box("Sendungs\u00adverfolgung", "q"), button="Suchen"),
    "letters of two alphabets": form(box("Оrdеr numbеr", "q"), button="Search"),
    "another word for the button": form(
        BOX,
        Field(
            "", "submit", label="Search", hints=(LabelHint("aria", "Search"), LabelHint("button", "Buy now"))
        ),
    ),
    "a tool tip": form(
        Field("q", "text", label="Search", hints=(LabelHint("title", "Your order number"),)), button="Search"
    ),
    "a sentence before it": replace(
        form(BOX, button="Search"), before="Enter your name to be removed from the newsletter."
    ),
    "a heading of one's own": form(Field("q", "text"), button="Search", heading="My results"),
    "a box in Korean that we do not understand": replace(
        form(box("수령인", "q"), button="검색"), language="ko"
    ),
    "the same on a page that says it is English": replace(
        form(box("수령인", "q"), button="검색"), language="en"
    ),
    "a further word on a button in Czech": replace(form(BOX, button="Zapsat hledání"), language="cs"),
    "a password in Romanian, wherever": form(box("Parola", "q"), button="Caută"),
    "Vietnamese": form(box("Đơn hàng", "q"), button="Tìm kiếm"),
    "a verb before searching": replace(form(BOX, button="Conserver la recherche"), language="fr"),
    "what is yours in Danish": replace(
        form(Field("q", "text"), button="Søg", heading="Hold øje med din pakke"), language="da"
    ),
    "a number on a button that searches": form(BOX, button="Search 4,213 cars"),
    "the number of a page": form(Field("page", "text", value="3"), button="Go"),
    "the number of a page in Czech": form(Field("Stranka", "text", value="3"), button="Go"),
}


@pytest.mark.parametrize("case", HARMFUL)
def test_one_sign_of_harm_is_enough_and_is_named(case: str) -> None:
    found = against(HARMFUL[case])

    assert found
    assert all(found)


def test_post_is_sent_only_where_it_is_allowed() -> None:
    posted = replace(form(BOX, button="Search"), method="POST")

    assert against(posted) == ("it is sent by POST, which is not allowed for its site",)
    assert against(posted, allow_post=True) == ()


def test_what_stands_beside_searching_on_a_button_has_to_be_known_for_a_post() -> None:
    known = replace(form(BOX, button="Start new search"), method="POST")
    unknown = replace(form(BOX, button="Search stalagmites"), method="POST")

    assert against(known, allow_post=True) == ()
    assert against(replace(unknown, method="GET")) == ()
    assert "'stalagmites'" in against(unknown, allow_post=True)[0]


def test_what_applies_or_shows_a_choice_may_do_anything_by_post() -> None:
    for button in ("Apply", "Show cars"):
        posted = replace(form(box("Search in these"), button=button), method="POST")

        assert against(replace(posted, method="GET")) == ()
        assert f"its button says {button!r}" in against(posted, allow_post=True)[0]


def test_every_reason_is_given_once() -> None:
    found = against(
        form(Field("p", "password"), Field("r", "password"), BOX, button="Log in", heading="Log in")
    )

    assert len(found) == len(set(found))
    assert "it asks for a password" in found
    assert any("button" in why for why in found)
    assert any("heading" in why for why in found)


def test_a_title_that_mentions_something_else_does_not_outweigh_a_form_that_says_search_itself() -> None:
    assert not against(form(Field("q", "search"), button="Search", title="Your basket"))


def test_options_of_a_select_may_speak_of_anything() -> None:
    topics = Field("topic", "select", options=(Option("", "All topics"), Option("1", "Password managers")))

    assert not against(form(BOX, topics, button="Search", text="Search in All topics Password managers"))
    assert against(form(BOX, button="Search", text="Search Forgot your password?"))


@pytest.mark.parametrize(
    ("buttons", "pressed"),
    [
        ((), None),
        ((Field("a", "submit", label="Whatever"),), "a"),
        ((Field("a", "submit", label="Reset filters"), Field("b", "submit", label="Search")), "b"),
        ((Field("a", "submit", label="Suche"), Field("b", "submit", label="Search")), "a"),
        ((Field("a", "submit", label="Save"), Field("b", "image", label="Go")), "b"),
        ((Field("a", "submit", label="Search", disabled=True), Field("b", "submit", label="Other")), "b"),
        ((Field("a", "button", label="Search"), Field("b", "submit", label="Other")), "b"),
        ((Field("a", "submit", label="Eins"), Field("b", "submit", label="Zwei")), "a"),
    ],
)
def test_the_button_that_searches_is_pressed(buttons: tuple[Field, ...], pressed: str | None) -> None:
    found = button_to_press(form(BOX, *buttons))

    assert (found.name if found else None) == pressed
