"""What forms are for: decided by shape and by words of many languages, with a probability and reasons."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files

import pytest
from timing import within

from hiddenweb.forms.classifier import classify, load_shipped_model, log_odds, model_from, probabilities
from hiddenweb.forms.features import FormFeatures
from hiddenweb.html.reader import read_page
from hiddenweb.model import Field, Form

SEARCHES = {
    "bare q": '<form action="/"><input name=q></form>',
    "wordpress": (
        '<form role=search method=get action="/"><input type=search name=s placeholder="Search …">'
        "<input type=submit value=Search></form>"
    ),
    "icon button": (
        '<form action="/suche"><input name="suchwort" type=text><button type=submit><i class=icon></i>'
        "</button></form>"
    ),
    "car finder": (
        '<form action="/inventory"><select name=make><option value="">Any make<option>Audi<option>BMW'
        '</select><select name=model><option value="">Any model<option>A4</select><button>Find cars</button>'
        "</form>"
    ),
    "car finder POST": (
        '<form method=post action="/finder.php"><label>Make <select name=mk><option>All<option>Audi<option>'
        "BMW</select></label><label>Year<select name=yr><option>2001<option>2002</select></label>"
        '<input type=submit value="Search vehicles"></form>'
    ),
    "store finder zip": (
        '<form action="/stores"><h3>Find a store</h3><label>ZIP code or city<input name=loc></label><button>'
        "Find stores</button></form>"
    ),
    "store finder state": (
        '<form action="/dealers/list"><label>State <select name=state><option value="">Select<option>Ohio'
        '<option>Iowa</select></label><input type=submit value="Find a dealer"></form>'
    ),
    "date range": (
        '<form action="/archive"><label>From <input type=date name=from></label><label>To '
        "<input type=date name=to></label><button>Search archive</button></form>"
    ),
    "advanced": (
        '<form action="/catalog/results"><label>Author <input name=author></label><label>Title '
        "<input name=title></label><label>Year <input name=year size=4></label><label>Publisher "
        "<input name=publisher></label><button>Search</button><button type=reset>Reset</button></form>"
    ),
    "advanced fr": (
        '<form action="/catalogue/resultats"><label>Auteur <input name=auteur></label><label>Titre '
        "<input name=titre></label><label>Année <input name=annee></label>"
        "<input type=submit value=Rechercher></form>"
    ),
    "jobs": (
        '<form action="/jobs"><input name=what placeholder="Job title, keywords">'
        '<input name=where placeholder="City or postcode"><button>Find jobs</button></form>'
    ),
    "hotel": (
        '<form action="/hotels"><input name=destination placeholder="Where are you going?">'
        "<input name=checkin type=date><input name=checkout type=date><select name=guests><option>1<option>2"
        "</select><button>Search</button></form>"
    ),
    "car finder that shows": (
        '<form action="/auta"><label>Značka <select name=z><option value="">Vše<option>Audi<option>BMW</select></label>'
        "<label>Model <select name=m><option value=''>Vše<option>A4</select></label><button>Zobrazit vozy</button></form>"
    ),
    "hotel in words": (
        '<form action="/hotels"><label>Destination<input name=destination></label><label>Check-in<input name=checkin>'
        "</label><label>Check-out<input name=checkout></label><button>Search hotels</button></form>"
    ),
    "flights it": (
        '<form action="/voli"><input name=da placeholder="Da"><input name=a placeholder="A">'
        "<input type=date name=partenza><button>Cerca voli</button></form>"
    ),
    "library opac": (
        '<form action="/cgi-bin/opac"><select name=idx><option value=kw>Keyword<option value=ti>Title'
        "<option value=au>Author</select><input name=term><input type=submit value=Go></form>"
    ),
    "russian": (
        '<form action="/catalog/"><input type=text name=text placeholder="Введите название">'
        '<input type=submit value="Найти"></form>'
    ),
    "chinese": '<form action="/so"><input name=wd><button>搜一下</button></form>',
    "japanese": '<form action="/list"><input name=word placeholder="キーワードを入力"><button>検索</button></form>',
    "korean": '<form action="/list"><input name=stx placeholder="검색어를 입력하세요"><button>검색</button></form>',
    "arabic": '<form action="/results"><input name=t placeholder="ابحث هنا"><button>بحث</button></form>',
    "swedish": '<form action="/katalog"><input name=t placeholder="Sök i katalogen"><button>Sök</button></form>',
    "czech": '<form action="/katalog"><input name=t><button>Hledat</button></form>',
    "hungarian": '<form action="/lista"><input name=kif><button>Keresés</button></form>',
    "greek": '<form action="/lista"><input name=lexi><button>Αναζήτηση</button></form>',
    "hebrew": '<form action="/lista"><input name=m><button>חיפוש</button></form>',
    "vietnamese": '<form action="/ds"><input name=tk placeholder="Từ khóa"><button>Tìm kiếm</button></form>',
    "search aspnet box": (
        '<form method=post action="default.aspx" id=aspnetForm><input type=hidden name=__VIEWSTATE value=abc>'
        "<input type=hidden name=__EVENTVALIDATION value=x><p>Welcome to our county records.</p>"
        '<input name="ctl00$Main$txtSearch" type=text>'
        '<input type=submit name="ctl00$Main$btnSearch" value="Search records"></form>'
    ),
    "people search": (
        '<form action="/directory/search"><label>First name<input name=firstname></label><label>Last name'
        "<input name=lastname></label><label>Department<select name=dept><option>All<option>Physics</select>"
        "</label><input type=submit value=Search></form>"
    ),
    "patent number": (
        '<form action="/patents/search" method=get><label>Patent number or keyword <input name=query></label>'
        "<button>Search patents</button></form>"
    ),
    "docs search": (
        '<form action="search.html" class="wy-form"><input name=q placeholder="Search docs">'
        "<input type=hidden name=check_keywords value=yes><input type=hidden name=area value=default></form>"
    ),
    "court docket": (
        '<form method=post action="/docket/query"><label>Case type<select name=ct><option>All<option>Civil'
        "</select></label><label>Party name<input name=party></label><label>Filed between<input name=d1> and "
        '<input name=d2></label><input type=submit value="Search cases"></form>'
    ),
}

OTHERS = {
    "login": (
        "login",
        (
            '<form method=post action="/login"><input name=user><input type=password name=pw><button>Log in'
            "</button></form>"
        ),
    ),
    "login jp": (
        "login",
        (
            '<form method=post action="/auth"><label>メールアドレス<input name=m></label><label>パスワード'
            "<input type=password name=p></label><button>ログイン</button></form>"
        ),
    ),
    "login sv": (
        "login",
        (
            '<form method=post action="/in"><label>Användarnamn<input name=u></label><label>Lösenord'
            "<input type=password name=p></label><button>Logga in</button></form>"
        ),
    ),
    "login with search word": (
        "login",
        (
            '<form method=post action="/search/login"><input name=username><input type=password name=p><button>'
            "Sign in to search</button></form>"
        ),
    ),
    "registration": (
        "registration",
        (
            '<form method=post action="/users"><input name=first_name placeholder="First name">'
            '<input name=last_name placeholder="Last name"><input type=email name=email>'
            "<input type=password name=password><input type=password name=password2><button>Create account"
            "</button></form>"
        ),
    ),
    "registration pl": (
        "registration",
        (
            '<form method=post action="/konto"><label>Imię<input name=imie></label><label>E-mail<input name=mail>'
            "</label><label>Hasło<input type=password name=h1></label><label>Powtórz hasło"
            "<input type=password name=h2></label><button>Zarejestruj się</button></form>"
        ),
    ),
    "recovery": (
        "recovery",
        (
            '<form method=post action="/password/reset"><label>E-mail<input name=email></label><button>'
            "Reset password</button></form>"
        ),
    ),
    "recovery es": (
        "recovery",
        (
            '<form method=post action="/recuperar"><p>¿Olvidaste tu contraseña?</p><label>Correo'
            "<input name=correo></label><button>Recuperar contraseña</button></form>"
        ),
    ),
    "newsletter get": (
        "newsletter",
        (
            '<form action="/subscribe"><input name=email placeholder="Your e-mail"><button>Subscribe</button>'
            "</form>"
        ),
    ),
    "newsletter ru": (
        "newsletter",
        (
            '<form method=post action="/sub"><p>Подпишитесь на рассылку</p>'
            '<input name=mail placeholder="Ваш e-mail"><button>Подписаться</button></form>'
        ),
    ),
    "newsletter de type text": (
        "newsletter",
        (
            '<form method=post action="/nl"><p>Newsletter</p><input name=adr placeholder="E-Mail-Adresse">'
            "<button>Abonnieren</button></form>"
        ),
    ),
    "contact": (
        "contact",
        (
            '<form method=post action="/contact"><input name=name placeholder=Name>'
            "<input name=email placeholder=Email><input name=subject placeholder=Subject><textarea name=message>"
            "</textarea><button>Send</button></form>"
        ),
    ),
    "comment": (
        "comment",
        (
            '<form method=post action="/wp-comments-post.php" id=commentform><textarea name=comment></textarea>'
            "<input name=author placeholder=Name><input name=email placeholder=Email>"
            '<input name=url placeholder=Website><input type=submit value="Post Comment"></form>'
        ),
    ),
    "add to cart": (
        "order",
        (
            '<form method=post action="/cart/add"><input type=hidden name=id value=5><label>Qty'
            "<input name=qty value=1></label><button>Add to cart</button></form>"
        ),
    ),
    "add to basket, no more": (
        "order",
        (
            '<form method=post action="/basket/add"><input type=hidden name=id value=5><button>Add to basket</button>'
            "</form>"
        ),
    ),
    "cart de": (
        "order",
        (
            '<form method=post action="/warenkorb"><input type=hidden name=artikel value=5><label>Menge'
            "<input name=menge value=1></label><button>In den Warenkorb</button></form>"
        ),
    ),
    "coupon": (
        "not a search",
        (
            '<form method=post action="/cart/coupon"><input name=code placeholder="Coupon code"><button>Apply'
            "</button></form>"
        ),
    ),
    "tracking": (
        "not a search",
        '<form action="/track"><label>Tracking number<input name=number></label><button>Track</button></form>',
    ),
    "order status": (
        "not a search",
        (
            '<form action="/order/status"><label>Order number<input name=order></label><label>ZIP<input name=zip>'
            "</label><button>Find my order</button></form>"
        ),
    ),
    "sort": (
        "other",
        (
            '<form action="/list"><label>Sort by<select name=sort onchange="this.form.submit()"><option>Price'
            "<option>Name<option>Newest</select></label></form>"
        ),
    ),
    "per page": (
        "other",
        (
            '<form action="/search"><input type=hidden name=q value=books><label>Results per page'
            "<select name=limit><option>10<option>20<option>50</select></label><button>Go</button></form>"
        ),
    ),
    "sort in search results": (
        "other",
        (
            '<form action="/search" id="search-sort"><input type=hidden name=q value=books><select name=sort>'
            "<option>Relevance<option>Price ascending<option>Price descending</select></form>"
        ),
    ),
    "language": (
        "other",
        (
            '<form action="/lang"><select name=lang><option>English<option>Deutsch<option>Français</select>'
            "<button>OK</button></form>"
        ),
    ),
    "currency": (
        "other",
        (
            '<form method=post action="/currency"><select name=currency><option>EUR<option>USD<option>GBP'
            "</select></form>"
        ),
    ),
    "go to page": (
        "other",
        '<form action="/list"><label>Go to page <input name=page size=3></label><button>Go</button></form>',
    ),
    "poll": (
        "other",
        (
            '<form method=post action="/poll/vote"><p>Who will win?</p><label><input type=radio name=o value=1>A'
            "</label><label><input type=radio name=o value=2>B</label><button>Vote</button></form>"
        ),
    ),
    "availability zip": (
        "not a search",
        (
            '<form method=post action="/availability"><label>Check availability at your address: ZIP code'
            "<input name=zip maxlength=5></label><button>Check</button></form>"
        ),
    ),
    "cookie consent": (
        "other",
        (
            '<form method=post action="/consent"><label><input type=checkbox name=ads>Advertising</label><button>'
            "Accept all</button><button>Save settings</button></form>"
        ),
    ),
    "logout": ("not a search", '<form method=post action="/logout"><button>Log out</button></form>'),
    "like button": (
        "other",
        (
            '<form method=post action="/items/5/like"><input type=hidden name=csrf value=x><button>Like</button>'
            "</form>"
        ),
    ),
    "donation": (
        "not a search",
        (
            '<form method=post action="/donate"><label>Amount<input name=amount></label><button>Donate now'
            "</button></form>"
        ),
    ),
    "calculator": (
        "other",
        (
            "<form><label>Amount<input name=amount></label><label>Rate<input name=rate></label><button>Calculate"
            "</button></form>"
        ),
    ),
    "upload": (
        "other",
        (
            '<form method=post enctype="multipart/form-data" action="/upload"><input type=file name=f><button>'
            "Upload</button></form>"
        ),
    ),
    "unsubscribe": (
        "not a search",
        '<form action="/unsubscribe"><label>E-mail<input name=q></label><button>Unsubscribe</button></form>',
    ),
    "save search": (
        "not a search",
        (
            '<form method=post action="/search/alerts"><label>Notify me of new results<input name=email></label>'
            "<button>Save search</button></form>"
        ),
    ),
    "whole page aspnet login": (
        "not a search",
        (
            '<form method=post action="default.aspx" id=aspnetForm><input type=hidden name=__VIEWSTATE value=abc>'
            '<div>User <input name="ctl00$txtUser"> Password <input type=password name="ctl00$txtPassword">'
            '<input type=submit name="ctl00$btnLogin" value="Log in"></div><div>Newsletter '
            '<input name="ctl00$txtEmail"><input type=submit value=Subscribe></div></form>'
        ),
    ),
    "quote zip": (
        "not a search",
        (
            '<form action="/quote"><p>Get a free insurance quote</p><input name=zip placeholder="Your ZIP code">'
            "<button>Get quote</button></form>"
        ),
    ),
    "appointment": (
        "not a search",
        (
            '<form method=post action="/appointments"><input name=name placeholder="Your name">'
            '<input name=phone placeholder="Phone"><input type=date name=day><button>Book appointment</button>'
            "</form>"
        ),
    ),
    "promo tr": (
        "not a search",
        (
            '<form method=post action="/sepet/kupon"><input name=kod placeholder="Kupon kodu"><button>Uygula'
            "</button></form>"
        ),
    ),
    "delete": ("not a search", '<form method=post action="/items/5/delete"><button>Delete</button></form>'),
    "payment": (
        "not a search",
        (
            '<form method=post action="/checkout"><input name=cardnumber placeholder="Card number">'
            '<input name=cvc placeholder=CVC><input name=exp placeholder="MM/YY"><button>Pay now</button></form>'
        ),
    ),
}


def form_in(html: str, title: str = "Example") -> Form:
    page = f"<!DOCTYPE html><meta charset=utf-8><title>{title}</title><body><h1>Example</h1><div>{html}</div>"
    return read_page(page.encode(), "http://a.example/").forms[0]


@pytest.mark.parametrize("case", SEARCHES)
def test_a_search_is_told_in_many_shapes_and_languages(case: str) -> None:
    said = classify(form_in(SEARCHES[case]))

    assert said.searchable, said
    assert said.kind == "search"
    assert said.probability >= 0.5


@pytest.mark.parametrize("case", OTHERS)
def test_other_forms_are_no_searches_and_mostly_told_for_what_they_are(case: str) -> None:
    kind, html = OTHERS[case]

    said = classify(form_in(html))

    assert not said.searchable, said
    assert said.probability < 0.5
    assert said.kind == kind or (kind == "not a search" and said.kind != "search")


@pytest.mark.parametrize("html", [*SEARCHES.values(), *(html for _, html in OTHERS.values())])
def test_probabilities_of_all_kinds_add_up_and_the_kind_agrees_with_them(html: str) -> None:
    said = classify(form_in(html))

    assert sum(chance for _, chance in said.kinds) == pytest.approx(1)
    assert dict(said.kinds)["search"] == pytest.approx(said.probability)
    assert list(said.kinds) == sorted(said.kinds, key=lambda kind: -kind[1])
    assert len(said.kinds) == 9
    assert said.searchable == (said.kind == "search") == (said.probability >= 0.5)


LOOK_ALIKES = {
    "account": '<form action="/find"><h2>Find your account</h2><label>Phone or user name<input name=q></label><button>Search</button></form>',
    "parcel": '<form action="/search/order"><h3>Track your parcel</h3><input name=q type=search><button>Search</button></form>',
    "coupon": '<form action="/shop/coupon"><label>Voucher <input name=q></label><button>Redeem</button></form>',
    "order de": '<form action="/suche"><label>Bestellnummer <input name=q></label><button>Suchen</button></form>',
}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_looking_for_something_of_ones_own_makes_a_search_less_likely(case: str) -> None:
    own = classify(form_in(LOOK_ALIKES[case]))
    site = classify(
        form_in('<form action="/search"><label>Books <input name=q></label><button>Search</button></form>')
    )

    assert own.probability < 0.85
    assert site.probability > 0.95


# Reasons


def test_reasons_name_the_words_that_were_found() -> None:
    said = classify(form_in('<form action="/liste"><input name=t><button>Suche</button></form>'))

    assert "its button says 'suche'" in said.why


def test_reasons_for_a_login_speak_of_logging_in() -> None:
    said = classify(form_in(OTHERS["login"][1]))

    assert any("password" in reason for reason in said.why)
    assert any("'log in'" in reason for reason in said.why)


def test_what_speaks_against_the_verdict_comes_after_what_speaks_for_it_and_is_marked() -> None:
    html = '<form action="/liste"><input name=q><p>Newsletter</p><button>Suche</button></form>'
    said = classify(form_in(html))

    marked = [reason.startswith("against that: ") for reason in said.why[:-1]]

    assert any(marked)
    assert marked == sorted(marked)
    assert said.why[-1] == f"in all, the chance that it is a search is {said.probability:.2f}"


def test_every_reason_is_a_phrase_without_a_name_of_a_feature() -> None:
    htmls = [*SEARCHES.values(), *(html for _, html in OTHERS.values())]

    reasons = {reason for html in htmls for reason in classify(form_in(html)).why}

    assert len(reasons) > 100
    beginnings = (
        "it ",
        "its ",
        "a ",
        "an ",
        "nothing ",
        "one place",
        "two places",
        "three or more",
        "something ",
        "the ",
        "what ",
        "in all",
        "several ",
    )
    assert [
        reason for reason in reasons if not reason.removeprefix("against that: ").startswith(beginnings)
    ] == []
    assert [reason for reason in reasons if "  " in reason or "''" in reason] == []


# The query box


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ('<form action="/jobs"><input name=where placeholder=City><input name=what placeholder="Keywords"></form>', "what"),
        ('<form action="/search"><input type=hidden name=lang value=en><input name=q></form>', "q"),
        ('<form action="/suche"><input name=plz placeholder=PLZ><input name=wort placeholder=Stichwort><button>Suchen</button></form>', "wort"),
        ('<form method=post action="d.aspx"><input name="ctl$user"><input type=password name="ctl$pw"><input name="ctl$txtSearch"></form>', "ctl$txtSearch"),
        ('<form action="/find"><input name=a disabled><input name=b readonly><input name=c><button>Search</button></form>', "c"),
        ('<form action="/find"><input name=a><input type=search name=b><button>Search</button></form>', "b"),
        ('<form action="/find"><input name=price_from><input name=price_to><input name=t><button>Search</button></form>', "t"),
        ('<form action="/kat"><input name=fraza placeholder="Tytuł, autor, temat"><select name=pole><option>a<option>b</select><button>Szukaj</button></form>', "fraza"),
        ('<form action="/find"><label>Number <input name=n></label><label>Subject <input name=s></label><label>Motto <input name=m></label><button>Search</button></form>', "m"),
        ('<form action="/find"><input name=day size=2><input name=t><button>Search</button></form>', "t"),
        ('<form action="/find"><input name=q style="display:none"><input name=t><button>Search</button></form>', "t"),
        ('<form action="/find" style="display:none"><input name=q><button>Search</button></form>', "q"),
    ],
)  # fmt: skip
def test_the_box_for_free_words_is_found_among_others(html: str, name: str) -> None:
    form = form_in(html)

    place = classify(form).query_box

    assert place is not None
    assert form.fields[place].name == name


@pytest.mark.parametrize("case", ["car finder", "store finder state", "date range"])
def test_a_finder_without_a_box_for_free_words_has_no_query_box(case: str) -> None:
    assert classify(form_in(SEARCHES[case])).query_box is None


def test_boxes_of_forms_that_do_not_search_are_no_query_boxes() -> None:
    assert classify(form_in(OTHERS["login"][1])).query_box is None
    assert classify(form_in(OTHERS["newsletter get"][1])).query_box is None


# Where the form comes from


@pytest.mark.parametrize("source", ["schema.org", "opensearch"])
def test_a_search_that_a_page_declares_is_one(source: str) -> None:
    declared = Form(
        "http://a.example/", "http://a.example/f", "GET", (Field("x", "text"),), source=source,
        template="http://a.example/f?x={x}",
    )  # fmt: skip

    said = classify(declared)

    assert said.searchable
    assert said.query_box == 0
    assert "declares" in said.why[0] or "describes" in said.why[0]
    assert not classify(replace(declared, source="form", fields=(Field("x", "password"),))).searchable


def test_a_box_without_a_name_counts_only_where_a_script_reads_it() -> None:
    box = Field("", "search", placeholder="Search")
    form = Form("http://a.example/", "http://a.example/", "GET", (box,))

    assert classify(replace(form, source="script")).query_box == 0
    assert classify(form).query_box is None


# The weights


def test_probabilities_are_those_of_the_formula() -> None:
    model = model_from(
        json.dumps(
            {
                "kinds": ["other", "search"],
                "bias": [0.0, 0.0],
                "weights": {"a": [0.0, 1.0]},
                "stretch": 2.0,
                "shift": 0.5,
            }
        )
    )

    chances = probabilities(FormFeatures(a="", unknown=""), model)

    assert log_odds(chances["search"]) == pytest.approx(2 * 1.0 + 0.5)
    assert chances["other"] == pytest.approx(1 - chances["search"])


def test_the_weights_are_small_and_know_every_kind() -> None:
    weights = files("hiddenweb.forms") / "weights.json"

    assert len(weights.read_bytes()) < 300_000
    assert set(load_shipped_model().kinds) == {
        "search", "login", "registration", "recovery", "newsletter", "contact", "order", "other",
    }  # fmt: skip
    assert len(load_shipped_model().weights) > 300


def test_a_form_around_a_large_page_is_classified_in_a_few_milliseconds() -> None:
    options = "".join(f"<option>{number} things</option>" for number in range(3000))
    boxes = "".join(
        f'<p>some words here <input name="box{number}"><select name=s{number}>{options[:2000]}</select>'
        for number in range(300)
    )
    form = form_in(f"<form method=post>{boxes}<select name=all>{options}</select></form>")
    classify(form)

    within(0.05, lambda: classify(form))


@pytest.mark.parametrize(
    ("button", "action", "enough"),
    [("検索", "/firm/search/", True), ("検索", "/firm/list/", False), ("決定", "/firm/search/", False)],
    ids=["button and address", "button alone", "address alone"],
)
def test_a_form_that_says_twice_that_it_searches_does_so_in_any_shape(
    button: str, action: str, enough: bool
) -> None:
    ticks = "".join(
        f'<label><input type=checkbox name="f[]" value={n}>{n}名以上（{n}）</label>' for n in range(9)
    )
    page = f'<form method=post action="{action}"><input type=hidden name=k value=1>{ticks}<input type=submit value={button}></form>'
    (form,) = read_page(page.encode(), "http://a.example/", content_type="text/html; charset=utf-8").forms

    assert (classify(form).probability >= 0.85) is enough


LISTS = "<select name=a><option>Oak<option>Elm<option>Ash</select><select name=b><option>Tall<option>Low<option>Any</select>"
CURRENCIES = "<label>Currency <select name=c><option>Euro<option>Pound<option>Yen</select></label>"


@pytest.mark.parametrize(
    ("inside", "button", "enough"),
    [
        (LISTS, "Show trees", True),
        (LISTS, "Search", True),
        (LISTS, "Continue", False),
        (LISTS + CURRENCIES, "Show trees", False),
        ("<select name=a><option>Oak<option>Elm<option>Ash</select>", "Show", False),
        ("<label>Bark <input name=x></label><label>Leaf <input name=y></label>", "Search", True),
        ("<label>Bark <input name=x></label><label>Leaf <input name=y></label>", "Continue", False),
        ("<label>Bark <input name=x></label><label>Your e-mail <input name=y></label>", "Search", False),
    ],
    ids=["shows", "searches", "goes on", "a setting among them", "a menu", "boxes", "boxes that go on", "personal"],
)  # fmt: skip
def test_a_form_does_what_its_button_says_unless_something_else_is_said(
    inside: str, button: str, enough: bool
) -> None:
    page = f"<form method=post action=/trees>{inside}<button>{button}</button></form>"
    (form,) = read_page(page.encode(), "http://a.example/", content_type="text/html; charset=utf-8").forms

    assert (classify(form).probability >= 0.85) is enough
