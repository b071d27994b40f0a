"""Searches that no <form> makes are found: boxes that a script reads, SearchAction, links to OpenSearch descriptions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from timing import within

from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from hiddenweb.model import Form, Page

URL = "https://shop.example/books/"
STRING = "required name=search_term_string"


def page_of(html: str) -> Page:
    return read_page(html.encode(), URL)


def found(html: str, source: str) -> list[Form]:
    return [form for form in page_of(html).forms if form.source == source]


def names_of(form: Form) -> list[str]:
    return [field.name or field.element_id or field.kind for field in form.fields]


# Boxes without form


@pytest.mark.parametrize(
    "html",
    [
        "<input type=search>",  # it says what it is for
        "<input type=Search>",
        "<div role=search><input></div>",
        "<search><div><p><span><input></span></p></div></search>",
        "<div role=search><textarea></textarea></div>",
        "<input role=searchbox>",
        "<textarea role=searchbox></textarea>",
        "<input role=combobox aria-expanded=false>",
        "<input aria-autocomplete=list>",
        "<input enterkeyhint=search>",
        "<input placeholder='Rechercher un livre'>",  # any name will do
        "<input aria-label=検索>",
        "<input id=search>",
        "<input name=q>",
        "<input title=Find>",
        "<label>Find <input></label>",
        "<div id=app><div><div class=bar><span><input type=text placeholder=Suche></span></div></div></div>",
        "<input type=search disabled>",  # until its script has come
        "<form><input name=a></form><input type=search>",
        "<p>Hello<svg><foreignObject><input type=search></foreignObject></svg>",
        "<input ng-model=query>",  # as frameworks write them
        "<input data-ng-model=vm.queryText>",
        "<input v-model=search>",
        "<input v-model.trim.lazy=filters.searchTerm>",
        "<input x-model.debounce=q>",
        "<input wire:model.live=keywords>",
        "<input [(ngModel)]=suchbegriff>",
        "<input formControlName=searchTerm>",
        "<div class='site-search'><p><input v-model=text></p></div>",
        "<div role=searchbox contenteditable></div>",
        "<p>Find <span role='SearchBox textbox' contenteditable=true tabindex=0></span>",
        "<my-box role=searchbox></my-box>",
        "<div role=searchbox><input></div>",
    ],
)
def test_a_text_box_without_form_is_a_search_that_needs_a_browser(html: str) -> None:
    (form,) = found(html, "script")

    assert form.needs_browser
    assert (form.method, form.action, form.template) == ("GET", URL, "")
    assert len(form.fields) == 1


@pytest.mark.parametrize(
    "html",
    [
        "<p>nothing",
        "<input>",  # nothing names it
        "<input type=checkbox name=a><select name=b><option>c</select><button>Go</button>",
        "<input type=password name=p><input type=email name=e><input type=hidden name=h><input type=number name=n>",
        "<input name=day readonly>",
        "<textarea name=comment placeholder='Your comment'></textarea>",
        "<form><input type=search name=q></form>",
        "<form role=search><div><input name=q></div></form>",
        "<form id=f></form><div role=search><input type=search form=f></div>",
        "<input type=search form=f><form id=f></form>",
        "<input type=search form=made-by-a-script>",
        "<table><form><tr><td><input type=search name=q></td></tr></form></table>",  # the parser ties it to the form
        "<div><form></div><input type=search name=q></form>",
        "<template><input type=search></template>",
        "<!-- <input type=search> -->",
        "<script>'<input type=search>'</script>",
        "<div class=login><input v-model=email><input type=password v-model=password><button>Log in</button></div>",
        "<div class=search-page><div><div><div><div><input v-model=city></div></div></div></div></div>",
        "<div class=jquery-ui><input v-model=findings></div>",
        "<div id=research><input formcontrolname=city></div>",
        "<input ng-class=search ng-change=search() v-if=search>",
        "<textarea v-model=query></textarea>",
        "<form><div role=searchbox contenteditable></div></form>",
        "<body><noscript><div role=searchbox contenteditable></div></noscript>",
        "<template><div role=searchbox contenteditable></div></template>",
        "<div role=searchbox contenteditable=false></div>",
        "<p>role=searchbox",
    ],
)
def test_what_belongs_to_a_form_or_takes_no_words_is_no_search(html: str) -> None:
    assert found(html, "script") == []


@pytest.mark.parametrize(
    ("html", "groups"),
    [
        (
            "<div class=search><input name=q><select name=in><option>all</select><button name=go></button></div>",
            [["q", "in", "go"]],
        ),
        (
            "<div><div class=box><input name=q></div><div class=act><button name=go></div></div>",
            [["q", "go"]],
        ),
        (
            (
                "<header><div><input name=q><button name=go></button></div></header>"
                "<main><div><p><input name=mail><p><button name=subscribe></div></main>"
            ),
            [["q", "go"], ["mail", "subscribe"]],
        ),
        (
            (
                "<div role=search><ul><li><p><b><i><input name=q></i></b></ul><div><div><div><div><div><button name=go>"
                "</div></div></div></div></div></div><input type=checkbox name=other>"
            ),
            [["q", "go"]],
        ),
        ("<body><input name=q><button name=go></button>", [["q", "go"]]),
        (
            "<div class=filters>"
            + "".join(f"<div><label>{n}</label><input name={n}></div>" for n in "abc")
            + "</div>",
            [["a", "b", "c"]],
        ),
        (
            "<div><input type=search name=q><table>"
            + "<tr><td><input type=checkbox name=row></td></tr>" * 40
            + "</table></div>",
            [["q"]],
        ),
    ],
)
def test_controls_that_stand_together_are_one_search(html: str, groups: list[list[str]]) -> None:
    assert [names_of(form) for form in found(html, "script")] == groups


def test_a_box_without_form_comes_with_all_that_is_said_about_it() -> None:
    html = (
        "<title>Books</title><form action=/login><input name=user></form><h2>Our catalogue</h2>"
        "<div id=finder class='search wide' role=search aria-label='Whole shop'>"
        "Find: <input id=words placeholder='Title or author'> <button>Go</button></div><p>Bye"
    )

    login, form = page_of(html).forms

    assert (login.source, login.place, form.place) == ("form", 0, 1)
    assert (form.heading, form.names) == ("Our catalogue", "finder search wide search Whole shop")
    assert form.text.startswith("Find: Go")
    assert "Bye" not in form.text
    box, button = form.fields
    assert (box.element_id, box.placeholder, box.kind) == ("words", "Title or author", "text")
    assert (button.kind, button.label) == ("submit", "Go")


def test_a_box_that_a_script_made_stands_among_the_controls_of_the_page() -> None:
    html = (
        "<input type=checkbox name=menu><h2>Our books</h2><ul><li><p><b><i>x</i></b></p></ul><div><p><i><b>Find: "
        "<span role=searchbox contenteditable id=words aria-label='Title or author'></span> in <select name=in>"
        "<option>all</select></b></i></p></div>"
    )

    (form,) = found(html, "script")

    assert [(field.kind, field.label) for field in form.fields] == [
        ("search", "Title or author"),
        ("select", "in"),
    ]
    assert [hint.text for hint in form.fields[0].hints] == ["Title or author", "Find:", "words"]
    assert (form.heading, form.text) == ("Our books", "Find: in")


def test_a_box_is_named_by_the_variable_that_a_script_reads_it_into() -> None:
    (form,) = found("<h1>Books</h1><p><input v-model=filters.searchTerm>", "script")

    assert (form.fields[0].name, form.fields[0].hints[-1].text) == ("searchTerm", "search term")
    assert found("<input type=search id=x v-model=y>", "script")[0].fields[0].name == ""


def test_no_form_attribute_leads_to_a_gathered_search() -> None:
    html = "<div id=finder><input name=q></div><input name=lost form=finder>"

    assert [names_of(form) for form in page_of(html).forms] == [["q"]]


@pytest.mark.parametrize(
    "html",
    [
        "<table>"
        + "".join(f"<tr><td><input name=qty{n}><td><button>-</button>" for n in range(500))
        + "</table>",
        "<ul>"
        + "".join(f"<li><div><p><b><u><input id=note-{n}></u></b></p></div>" for n in range(500))
        + "</ul>",
    ],
    ids=["cart", "notes"],
)
def test_rows_that_repeat_are_one_search_at_most(html: str) -> None:
    page = page_of(html)

    assert len(page.forms) == 1
    assert "many_boxes" in page.marks


def test_of_many_boxes_those_that_look_like_searches_are_kept_in_their_order() -> None:
    calculators = "".join(
        f"<div><p><b><u><i><input name={name}></i></u></b></p></div>" for name in "abcdefgh"
    )
    html = f"{calculators}<div><p><b><u><input role=combobox name=y></u></b></p></div>{calculators.upper()}<div><p><b><u><input type=search name=z>"

    page = page_of(html)

    assert [names_of(form) for form in page.forms] == [["a"], ["b"], ["c"], ["y"], ["z"]]
    assert "many_boxes" in page.marks


def test_a_box_among_hundreds_of_ticks_keeps_its_neighbours_only() -> None:
    ticks = "<input type=checkbox name=t>" * 100
    (form,) = found(f"<div>{ticks}<input name=q>{ticks}</div>", "script")

    assert len(form.fields) == 50
    assert "q" in names_of(form)


def test_fields_of_forms_beyond_the_limit_are_no_boxes_without_form() -> None:
    page = page_of("<form><input name=q></form>" * 150)

    assert "many_forms" in page.marks
    assert {form.source for form in page.forms} == {"form"}


# SearchAction in JSON-LD


def action(
    target: object = "https://shop.example/find?q={search_term_string}", **more: object
) -> dict[str, object]:
    return {"@type": "SearchAction", "target": target, "query-input": STRING, **more}


def site(*actions: object, **more: object) -> dict[str, object]:
    return {"@context": "https://schema.org", "@type": "WebSite", "potentialAction": list(actions), **more}


def script(data: object) -> str:
    text = data if isinstance(data, str) else json.dumps(data)
    return f'<script type="application/ld+json">{text}</script>'


def test_a_search_action_is_a_form_with_a_template() -> None:
    html = "<title>Shop</title>" + script(site(action(name="Find books"), name="The Old Shop"))

    (form,) = page_of(html).forms

    assert form.source == "schema.org"
    assert form.template == "https://shop.example/find?q={search_term_string}"
    assert (form.action, form.method, form.page_url) == ("https://shop.example/find", "GET", URL)
    assert (form.heading, form.text, form.page_title, form.place) == ("The Old Shop", "Find books", "Shop", 0)
    assert not form.needs_browser
    (box,) = form.fields
    assert (box.name, box.kind, box.label, box.required) == (
        "search_term_string",
        "search",
        "search term string",
        True,
    )
    assert [(hint.where, hint.text) for hint in box.hints] == [
        ("schema.org", "search term string"),
        ("name", "q"),
    ]


ENTRY = {"@type": "EntryPoint", "urlTemplate": "https://blog.example/?s={search_term_string}"}
SPECIFICATION = {
    "@type": "PropertyValueSpecification",
    "valueRequired": True,
    "valueName": "search_term_string",
}


@pytest.mark.parametrize(
    ("data", "templates"),
    [
        pytest.param(
            {
                "@context": "https://schema.org",
                "@graph": [
                    {"@type": "WebPage", "@id": "https://blog.example/", "name": "Home"},
                    {
                        "@type": "WebSite",
                        "@id": "https://blog.example/#website",
                        "potentialAction": [
                            {"@type": "SearchAction", "target": ENTRY, "query-input": SPECIFICATION}
                        ],
                    },
                ],
            },
            ["https://blog.example/?s={search_term_string}"],
            id="a blog with an SEO plugin",
        ),
        pytest.param(
            {
                "@context": "http://schema.org",
                "@type": "WebSite",
                "name": "Socks",
                "potentialAction": action("https://socks.example/search?q={search_term_string}"),
                "url": "https://socks.example",
            },
            ["https://socks.example/search?q={search_term_string}"],
            id="a hosted shop",
        ),
        pytest.param([[site(action())]], ["https://shop.example/find?q={search_term_string}"], id="arrays"),
        pytest.param(
            action(), ["https://shop.example/find?q={search_term_string}"], id="at the top, without context"
        ),
        pytest.param(
            {"mainEntity": {"isPartOf": {"x": [site(action())]}}},
            ["https://shop.example/find?q={search_term_string}"],
            id="deep inside",
        ),
        pytest.param(
            {"@type": ["Thing", "https://schema.org/SearchAction"], "target": "/find/{q}"},
            ["https://shop.example/find/{q}"],
            id="one type of several, relative, in the path",
        ),
        pytest.param(
            {"@type": "schema:SearchAction", "target": {"template": "/find/{q}"}},
            ["https://shop.example/find/{q}"],
            id="prefix, and the older name of the template",
        ),
        pytest.param(
            site(action(["android-app://com.shop/find?q={search_term_string}", "/f?q={search_term_string}"])),
            ["https://shop.example/f?q={search_term_string}"],
            id="an app and a page",
        ),
        pytest.param(
            site(action("/a?q={search_term_string}"), action("/b?q={search_term_string}")),
            [
                "https://shop.example/a?q={search_term_string}",
                "https://shop.example/b?q={search_term_string}",
            ],
            id="two searches",
        ),
        pytest.param(
            [site(action()), site(action())],
            ["https://shop.example/find?q={search_term_string}"],
            id="said twice",
        ),
        pytest.param(
            site(action("https://shop.example/?a=1&amp;q=%7Bsearch_term_string%7D")),
            ["https://shop.example/?a=1&q={search_term_string}"],
            id="escaped twice",
        ),
        pytest.param(
            site(action("/find{?q,page}")),
            ["https://shop.example/find?q={q}&page={page}"],
            id="RFC 6570",
        ),
        pytest.param(
            site(action("https://other.test/?q={search_term_string}")),
            ["https://other.test/?q={search_term_string}"],
            id="elsewhere",
        ),
        pytest.param(site(action("/find?q=x")), [], id="no gap"),
        pytest.param(site(action("https://{search_term_string}/")), [], id="gap in the host"),
        pytest.param(site(action("{search_term_string}")), [], id="nothing but a gap"),
        pytest.param(site(action("javascript:find('{search_term_string}')")), [], id="a script"),
        pytest.param(
            site(action({"urlTemplate": "/f?q={search_term_string}", "httpMethod": "POST"})),
            [],
            id="sent by POST",
        ),
        pytest.param(
            site({"@type": "ReadAction", "target": "/{x}"}, "SearchAction"), [], id="another action"
        ),
        pytest.param(site(action(None), action(7), action({}), action([[]])), [], id="targets that are none"),
        pytest.param({"@type": {"SearchAction": 1}, "target": "/{x}"}, [], id="a type that is none"),
    ],
)
def test_search_actions_are_found_wherever_they_are_nested(data: object, templates: list[str]) -> None:
    page = page_of(script(data))

    assert [form.template for form in page.forms] == templates
    assert page.marks == ()


@pytest.mark.parametrize(
    ("target", "query_input", "fields"),
    [
        ("/?q={w}", "required name=w", [("w", "search", True)]),
        ("/?q={w}", "name=w", [("w", "search", False)]),
        ("/?q={w}", "required maxlength=100 name=w", [("w", "search", True)]),
        ("/?q={w}", {"valueName": "w", "valueRequired": "true"}, [("w", "search", True)]),
        ("/?q={w}", {"valueName": "w", "valueRequired": False}, [("w", "search", False)]),
        ("/?q={w}", {"valueName": "w"}, [("w", "search", False)]),
        ("/?q={w}", None, [("w", "search", True)]),
        ("/?q={w}", "required name=another", [("w", "search", True)]),  # the two do not agree: the gap counts
        ("/?q={w}", 7, [("w", "search", True)]),
        ("/?p={page}&q={w}", "required name=w", [("page", "hidden", False), ("w", "search", True)]),
        (
            "/?w={w}&l={place}",
            ["required name=w", "name=place"],
            [("w", "search", True), ("place", "text", False)],
        ),
        ("/?q={w}&r={w}", "required name=w", [("w", "search", True)]),
    ],
)
def test_gaps_are_controls_as_the_query_input_says(
    target: str, query_input: object, fields: list[tuple[str, str, bool]]
) -> None:
    (form,) = page_of(script({"@type": "SearchAction", "target": target, "query-input": query_input})).forms

    assert [(field.name, field.kind, field.required) for field in form.fields] == fields


def test_words_behind_the_sharp_need_a_browser() -> None:
    (form,) = page_of(script(action("/app#/find?q={search_term_string}"))).forms

    assert form.template == "https://shop.example/app#/find?q={search_term_string}"
    assert (form.action, form.needs_browser) == ("https://shop.example/app", True)


@pytest.mark.parametrize(
    "text",
    [
        "\n<!--\n%s\n-->\n",
        "// <![CDATA[\n%s\n// ]]>",
        "/*<![CDATA[*/%s/*]]>*/",
        "%s;",
        "\ufeff%s",
        '[{"name": "two\nlines"}, %s]',
    ],
)
def test_json_may_be_wrapped_as_old_pages_do(text: str) -> None:
    page = page_of(script(text % json.dumps(site(action()))))

    assert [form.source for form in page.forms] == ["schema.org"]
    assert page.marks == ()


@pytest.mark.parametrize(
    "kind", ["APPLICATION/LD+JSON", "application/ld+json; charset=utf-8", " application/ld+json"]
)
def test_the_type_of_the_script_may_be_written_otherwise(kind: str) -> None:
    assert len(page_of(f"<script type='{kind}'>{json.dumps(action())}</script>").forms) == 1


def test_other_scripts_are_not_read() -> None:
    text = json.dumps(action())

    page = page_of(f"<script>{text}</script><script type=application/json>{text}</script><p>{text}")

    assert page.forms == ()


_REAL = json.dumps(site(action()))
HOSTILE = {
    "broken": ('{"@type": "SearchAction",}', "bad_json"),
    "cut off": (_REAL[:-20], "bad_json"),
    "100,000 nested arrays": ("[" * 100_000 + '"SearchAction"' + "]" * 100_000, "bad_json"),
    "50,000 nested objects": ('{"a":' * 50_000 + '"SearchAction"' + "}" * 50_000, "bad_json"),
    "half a million digits": ('["SearchAction", ' + "9" * 400_000 + "]", "bad_json"),
    "1 MB": (json.dumps([site(action())] * 6_000), "long_json"),
    "spaces": (" " * 490_000 + "x SearchAction", "bad_json"),
    "signs of wrapping": ("//" * 240_000 + "x SearchAction" + ";" * 9_000 + "x", "bad_json"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_bad_json_costs_a_mark_and_the_rest_of_the_page_is_read(name: str) -> None:
    text, mark = HOSTILE[name]

    page = within(0.5, lambda: page_of(f"{script(text)}<form action=/x><input name=a></form>"))

    assert [form.source for form in page.forms] == ["form"]
    assert page.marks == (mark,)


def test_a_broken_script_does_not_hide_a_good_one() -> None:
    page = page_of(script("{SearchAction") + script(action()))

    assert [form.source for form in page.forms] == ["schema.org"]
    assert page.marks == ("bad_json",)


def test_no_page_declares_more_than_five_searches() -> None:
    actions = [action(f"/{n}?q={{search_term_string}}") for n in range(2_000)]

    assert len(page_of(script(site(*actions))).forms) == 5


# SearchAction in microdata

ITEM = "itemscope itemtype=https://schema.org/SearchAction"
TARGET = "<meta itemprop=target content='https://q.example/find?q={w}'>"


@pytest.mark.parametrize(
    ("html", "fields"),
    [
        (f"<div {ITEM}>{TARGET}<meta itemprop=query-input content='required name=w'></div>", [("w", True)]),
        (f"<div {ITEM}>{TARGET}<input itemprop=query-input name=w required></div>", [("w", True)]),
        (f"<div {ITEM}>{TARGET}<input itemprop=query-input name=w></div>", [("w", False)]),
        (f"<div {ITEM}><p><b>{TARGET}</b></p></div>", [("w", True)]),
        (f"<div {ITEM}><link itemprop=target href='https://q.example/find?q={{w}}'></div>", [("w", True)]),
        (
            (
                f"<div {ITEM}><span itemprop=target itemscope itemtype=http://schema.org/EntryPoint>"
                "<meta itemprop=urlTemplate content='https://q.example/find?q={w}'></span></div>"
            ),
            [("w", True)],
        ),
        (
            (
                "<div itemscope itemtype=http://schema.org/WebSite><meta itemprop=url content=https://q.example/>"
                f"<form itemprop=potentialAction {ITEM}>{TARGET}<input itemprop=query-input name=w required>"
                "<input type=submit></form></div>"
            ),
            [("w", True)],
        ),
    ],
)
def test_a_search_action_in_microdata_is_a_form_with_a_template(
    html: str, fields: list[tuple[str, bool]]
) -> None:
    (form,) = found(html, "schema.org")

    assert form.template == "https://q.example/find?q={w}"
    assert [(field.name, field.required) for field in form.fields] == fields


@pytest.mark.parametrize(
    "html",
    [
        TARGET,  # of nothing
        f"<div itemscope>{TARGET}</div>",
        f"<div itemscope itemtype=https://schema.org/ReadAction>{TARGET}</div>",
        f"<div {ITEM}><p itemscope itemtype=https://schema.org/Book>{TARGET}</p></div>",
        f"<div {ITEM}></div>{TARGET}",
        f"<div itemtype=https://schema.org/SearchAction>{TARGET}</div>",
        f"<div {ITEM}><meta itemprop=target></div>",
        f"<div {ITEM}><meta itemprop content='/find?q={{w}}'></div>",
        f"<div {ITEM}><input itemprop=query-input name=w></div>",
        f"<div {ITEM}><meta itemprop=target content='{{w'></div>",
    ],
)
def test_broken_microdata_is_no_search(html: str) -> None:
    assert found(html, "schema.org") == []


def test_a_thousand_nested_items_cost_little() -> None:
    html = f"<div {ITEM}>{TARGET}<input itemprop=query-input name=w>" * 900

    forms = within(0.5, lambda: found(html, "schema.org"))

    assert len(forms) == 1


# Declared and written


@pytest.mark.parametrize(
    ("form", "is_repeat"),
    [
        ("<form action=/find><input name=q></form>", True),
        (
            "<form action=/find?from=header method=get><input type=search name=q><input type=hidden name=x></form>",
            True,
        ),
        ("<form action=http://shop.example/find/><input name=q></form>", True),  # http and https are one site
        ("<form action=/find method=post><input name=q></form>", False),
        ("<form action=/find><input name=words></form>", False),
        ("<form action=/find><input type=hidden name=q></form>", False),
        ("<form action=/other><input name=q></form>", False),
        ("<form action=https://www2.shop.example/find><input name=q></form>", False),
        ("<input name=q>", False),  # only a browser can ask it
    ],
)
def test_a_declared_search_that_a_form_makes_already_is_left_out(form: str, is_repeat: bool) -> None:
    page = page_of(script(site(action())) + form)

    assert len(page.forms) == (1 if is_repeat else 2)
    assert page.forms[-1].place == len(page.forms) - 1
    assert ("schema.org" in {each.source for each in page.forms}) is not is_repeat


# OpenSearch


@pytest.mark.parametrize(
    ("html", "addresses"),
    [
        ("<link rel=search type=application/opensearchdescription+xml href=/os.xml>", ["https://shop.example/os.xml"]),
        ("<link rel='alternate SEARCH' type='Application/OpenSearchDescription+XML' href=os.xml title=A>",
         ["https://shop.example/books/os.xml"]),
        ("<base href=https://cdn.example/x/><link rel=search type=application/opensearchdescription+xml href=os>",
         ["https://cdn.example/x/os"]),
        ("<link rel=search type=application/opensearchdescription+xml href=/a>" * 2, ["https://shop.example/a"]),
        ("".join(f"<link rel=search type=application/opensearchdescription+xml href=/{n}>" for n in range(9)),
         [f"https://shop.example/{n}" for n in range(5)]),
        ("<link rel=search href=/search>", []),  # a page to search on
        ("<link rel=stylesheet type=application/opensearchdescription+xml href=/os.xml>", []),
        ("<link rel=search type=application/opensearchdescription+xml>", []),
        ("<link rel=search type=application/opensearchdescription+xml href='javascript:1'>", []),
        ("<a rel=search type=application/opensearchdescription+xml href=/os.xml>x</a>", []),
    ],
)  # fmt: skip
def test_descriptions_of_the_search_are_named_by_their_address(html: str, addresses: list[str]) -> None:
    assert list(page_of(html).descriptions) == addresses


def test_the_canonical_address_is_still_found_beside_a_description() -> None:
    page = page_of(
        "<link rel=canonical href=/c><link rel=canonical href=/d>"
        "<link rel=search type=application/opensearchdescription+xml href=/os>"
    )

    assert (page.canonical, page.descriptions) == ("https://shop.example/c", ("https://shop.example/os",))
