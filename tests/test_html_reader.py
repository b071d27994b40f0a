"""Reading a page: what is found on it, what hostile pages cost, and that Chromium sees the same."""

from __future__ import annotations

import pickle
import resource
import shutil
import subprocess
import sys
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import sync_playwright
from timing import within

from hiddenweb.html.reader import PageLimits, read_page
from hiddenweb.model import Option
from hiddenweb.records.page import read_page_with_items
from simweb.messages import Request
from simweb.running import Simweb
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page as BrowserPage

    from hiddenweb.model import Field, Form, Page
    from simweb.messages import Response

URL = "http://a.example/dir/page.html?x=1"


def page_of(html: str | bytes, *, url: str = URL, content_type: str = "", want_items: bool = False) -> Page:
    body = html.encode() if isinstance(html, str) else html
    read = read_page_with_items if want_items else read_page
    return read(body, url, content_type=content_type)


def written_forms(page: Page) -> list[Form]:
    """Return the forms that are elements of the page: without those made of boxes without a form."""
    return [form for form in page.forms if form.source == "form"]


# Text


# Links


@pytest.mark.parametrize(
    ("html", "urls"),
    [
        pytest.param("<base href=/b/><a href=x>", ["http://a.example/b/x"], id="base"),
        pytest.param(
            "<base href=javascript:x><a href=x>", ["http://a.example/dir/x"], id="base of another scheme"
        ),
        pytest.param("<base href=/b/><base href=/c/><a href=x>", ["http://a.example/b/x"], id="two bases"),
        pytest.param("<a href='?q=2'>", ["http://a.example/dir/page.html?q=2"], id="query only"),
        pytest.param("<a href=''>", ["http://a.example/dir/page.html?x=1"], id="empty"),
        pytest.param("<a href=' \n/y z\n '>", ["http://a.example/y%20z"], id="white space"),
        pytest.param("<a href='\\y'>", ["http://a.example/y"], id="backslash"),
        pytest.param("<a href='http:z'>", ["http://a.example/dir/z"], id="scheme without host"),
        pytest.param("<a href='x:y'>", [], id="unknown scheme"),
        pytest.param("<a href='http://[x'>", [], id="no address"),
        pytest.param("<map><area href=z alt=Z></map>", ["http://a.example/dir/z"], id="area"),
        pytest.param("<iframe src=f></iframe>", ["http://a.example/dir/f"], id="iframe"),
        pytest.param("<frameset><frame src=f>", ["http://a.example/dir/f"], id="frame"),
        pytest.param(
            "<svg><a href=x></a><a xlink:href=y></a></svg>",
            ["http://a.example/dir/x", "http://a.example/dir/y"],
            id="drawing",
        ),
        pytest.param(
            "<svg><a href=x xlink:href=y></a><a></a></svg>", ["http://a.example/dir/x"], id="drawing, both"
        ),
        pytest.param("<math><a href=x></a></math>", [], id="formula"),
        pytest.param(
            "<object data=o></object><embed src=e>",
            ["http://a.example/dir/o", "http://a.example/dir/e"],
            id="embedded",
        ),
        pytest.param(
            "<object data=o type=text/HTML></object><embed src=e type=image/png>",
            ["http://a.example/dir/o"],
            id="embedded, typed",
        ),
        pytest.param(
            "<link rel='NEXT x' href=2><link rel=prev href=0><link rel=stylesheet href=s>",
            ["http://a.example/dir/2", "http://a.example/dir/0"],
            id="head",
        ),
        pytest.param(
            "<iframe src=f srcdoc='<a href=x>X</a>'></iframe>", ["http://a.example/dir/x"], id="srcdoc"
        ),
        pytest.param(
            "<base href=/b/><iframe srcdoc='<a href=x>X</a>'></iframe>",
            ["http://a.example/b/x"],
            id="srcdoc below a base",
        ),
        pytest.param(
            "<iframe srcdoc='<base href=/c/><a href=x>X</a>'></iframe><a href=x>",
            ["http://a.example/c/x", "http://a.example/dir/x"],
            id="srcdoc with a base",
        ),
        pytest.param(
            "<iframe srcdoc='<iframe srcdoc=\"<a href=x>X</a>\"></iframe>'></iframe>",
            [],
            id="srcdoc in srcdoc",
        ),
        pytest.param(
            "<p><template shadowrootmode=open><a href=x>X</a><slot></slot></template>y",
            ["http://a.example/dir/x"],
            id="shadow root",
        ),
        pytest.param(
            "<template><a href=x>X</a></template><TEMPLATE shadowrootmode=none><a href=y></a></TEMPLATE>",
            [],
            id="template",
        ),
        pytest.param(
            "<template shadowrootmode='closed'><template><a href=x></a></template><a href=y></a></template>"
            "<template><template shadowrootmode=open><a href=z></a></template></template>"
            "<!--<template shadowrootmode=open>--><script>'<template shadowrootmode=open>'</script><template><a href=z></a></template>",
            ["http://a.example/dir/y"],
            id="shadow root and templates",
        ),
    ],
)
def test_addresses_are_read_as_browsers_read_them(html: str, urls: list[str]) -> None:
    assert [link.url for link in page_of(html).links] == urls


# What a page says of itself


def test_equal_texts_in_different_templates_have_equal_fingerprints_and_sketches() -> None:
    one, other = (
        page_of("<p>Some  words in a row"),
        page_of("<nav>menu</nav><div>Some words</div><div>in a row</div>"),
    )

    assert (one.fingerprint, one.sketch) == (other.fingerprint, other.sketch)
    assert one.fingerprint != page_of("<p>Some words in a column").fingerprint


@pytest.mark.parametrize(
    ("html", "language"),
    [
        ("<html lang=de-AT><p>kurz", "de"),
        (
            "<html lang=en><p>"
            + "Это совсем не английский текст, а самый обычный русский язык для примера. " * 3,
            "ru",
        ),
        ("<p>これは日本語の文章です。", "ja"),
    ],
)
def test_the_language_is_the_declared_one_if_plausible_else_a_guess(html: str, language: str) -> None:
    assert page_of(html).language == language


# Charsets

UMLAUTS = "Größe und Übermaß, schön und gut, für die Straße nach Köln. " * 5


@pytest.mark.parametrize(
    ("body", "content_type", "charset", "marks"),
    [
        pytest.param(UMLAUTS.encode(), "", "utf-8", (), id="valid utf-8 is utf-8"),
        pytest.param(b"\xef\xbb\xbf" + UMLAUTS.encode(), "text/html; charset=latin1", "utf-8", (), id="mark before header"),
        pytest.param(UMLAUTS.encode("utf-16"), "", "utf-16le", (), id="utf-16 by its mark"),
        pytest.param(b"\xfe\xff" + UMLAUTS.encode("utf-16-be"), "", "utf-16be", (), id="big-endian"),
        pytest.param(UMLAUTS.encode("utf-16-le"), "", "utf-16le", ("charset_guessed",), id="utf-16 without mark"),
        pytest.param(UMLAUTS.encode("latin-1"), 'text/html;charset="ISO-8859-1"', "windows-1252", (), id="header"),
        pytest.param(
            b"<meta charset=iso-8859-15>" + UMLAUTS.encode("latin-1"), "", "iso-8859-15", (), id="meta"
        ),
        pytest.param(
            b'<!--<meta charset=koi8-r>--><meta http-equiv=content-type content="text/html; charset=latin1">'
            + UMLAUTS.encode("latin-1"), "text/html", "windows-1252", (), id="http-equiv, not in a comment",
        ),
        pytest.param(UMLAUTS.encode("latin-1"), "text/html", "windows-1252", ("charset_guessed",), id="guessed"),
        pytest.param(UMLAUTS.encode(), "text/html; charset=utf-7", "utf-8", (), id="utf-7 is no charset"),
        pytest.param(b"<meta charset=utf-16>" + UMLAUTS.encode(), "", "utf-8", (), id="a meta cannot be utf-16"),
        pytest.param(UMLAUTS.encode(), "text/html; charset=nonsense", "utf-8", (), id="unknown label"),
    ],
)  # fmt: skip
def test_the_charset_is_found_as_browsers_find_it(
    body: bytes, content_type: str, charset: str, marks: tuple[str, ...]
) -> None:
    page = page_of(body, content_type=content_type)

    assert (page.charset, page.marks) == (charset, marks)
    assert page.text == UMLAUTS.strip()


@pytest.mark.parametrize(
    ("charset", "words"),
    [("windows-1251", "Привет, мир"), ("shift_jis", "日本語の本"), ("gb2312", "图书馆"), ("euc-kr", "도서관"), ("windows-874", "หนังสือ"), ("big5", "圖書館")],
)  # fmt: skip
def test_legacy_charsets_are_decoded(charset: str, words: str) -> None:
    page = page_of(
        f"<meta charset={charset}><p>{words}".encode(charset if charset != "windows-874" else "cp874")
    )

    assert (page.text, page.marks) == (words, ())


def test_undecodable_bytes_are_marked_and_replaced() -> None:
    page = page_of(b"<p>one \xff\xfe\xc3( two", content_type="text/html; charset=utf-8")

    assert page.marks == ("bad_charset",)
    assert page.text.startswith("one ")
    assert page.text.endswith(" two")


# Forms


def form_of(html: str) -> Form:
    (form,) = written_forms(page_of(html))
    return form


def field_of(html: str) -> Field:
    (field,) = form_of(f"<form>{html}</form>").fields
    return field


def test_a_form_is_read_with_all_that_is_said_about_it() -> None:
    form = form_of(
        "<h2>Search <i>books</i></h2><form id=f name=g class='c d' role=search aria-label=A action='/s#x' method=PoSt "
        "enctype=multipart/form-data accept-charset='x latin1'>Words: <input name=q><button>Go</button> now</form>"
    )

    assert (form.action, form.method, form.enctype) == ("http://a.example/s", "POST", "multipart/form-data")
    assert (form.charset, form.heading, form.names) == ("windows-1252", "Search books", "f g c d search A")
    assert form.text.startswith("Words: Go now")
    assert [(field.name, field.kind) for field in form.fields] == [("q", "text"), ("", "submit")]


def test_a_form_without_action_goes_to_its_page_even_below_a_base() -> None:
    assert form_of("<base href=/b/><form>").action == URL
    assert form_of("<base href=/b/><form action=x>").action == "http://a.example/b/x"


@pytest.mark.parametrize(
    ("html", "label"),
    [
        pytest.param("<label for=i>Title:</label> <input id=i>", "Title:", id="for"),
        pytest.param("<label>Title <input></label>", "Title", id="around"),
        pytest.param("<span id=a>Big</span> <b id=b>title</b><input aria-labelledby='a b'>", "Big title", id="labelledby"),
        pytest.param("x <input aria-label=Title>", "Title", id="aria-label"),
        pytest.param("x <input placeholder=Title>", "Title", id="placeholder"),
        pytest.param("x <input title=Title>", "Title", id="title"),
        pytest.param("x<br>Title: <input>", "Title:", id="text before"),
        pytest.param("<table><tr><td>x<td>Title<td><input></table>", "Title", id="cell before"),
        pytest.param("<table><tr><td>Title<br><input></table>", "Title", id="line before"),
        pytest.param("<dl><dt>Title<dd><input></dl>", "Title", id="term before"),
        pytest.param("<table><tr><td>Title<td><input type=checkbox><tr><td>x</table>", "Title", id="cell before a box"),
        pytest.param("x <input type=checkbox> Title<br>y", "Title", id="text after a box"),
        pytest.param("<input type=submit value=' Search  now '>", "Search now", id="submit"),
        pytest.param("<button>Search <b>now</b></button>", "Search now", id="button"),
        pytest.param("<input type=image alt=Search>", "Search", id="image"),
        pytest.param("x <input type=hidden>", "", id="hidden"),
    ],
)  # fmt: skip
def test_a_field_is_called_what_the_page_calls_it(html: str, label: str) -> None:
    assert field_of(html).label == label


def test_neighbours_do_not_share_a_label() -> None:
    form = form_of(
        "<form><table><tr><td>From <input name=a><td><input name=b><tr><td>To<td><input name=c></table></form>"
    )

    assert [field.label for field in form.fields] == ["From", "", "To"]


@pytest.mark.parametrize(
    ("html", "kind", "value"),
    [
        ("<input value=v>", "text", "v"),
        ("<input type=SEARCH>", "search", ""),
        ("<input type=nonsense>", "text", ""),
        ("<input type=checkbox>", "checkbox", "on"),
        ("<input type=radio value=''>", "radio", ""),
        ("<textarea>\na &amp; b\n</textarea>", "textarea", "a & b\n"),
        ("<button type=reset value=v>", "reset", "v"),
        ("<button type=nonsense>", "submit", ""),
        ("<select><option>a<option value=b selected>B</select>", "select", "b"),
        ("<select><option disabled>a<option>  b  c </select>", "select", "b c"),
        ("<select size=3><option>a</select>", "select", ""),
    ],
)
def test_kinds_and_values_are_those_a_browser_starts_with(html: str, kind: str, value: str) -> None:
    field = field_of(html)

    assert (field.kind, field.value) == (kind, value)


def test_options_know_their_group() -> None:
    field = field_of(
        "<select multiple name=s required><option value=1 label=One>x<optgroup disabled><option selected>two"
        "</optgroup><option disabled value>three</select>"
    )

    assert field.options == (
        Option("1", "One"),
        Option("two", "two", selected=True, disabled=True),
        Option("", "three", disabled=True),
    )
    assert (field.multiple, field.required) == (True, True)


# Repeated parts


@pytest.mark.parametrize(
    "html",
    [
        "<ul>{0}{1}{2}</ul>|<li><a href=/{n}>Title {n}</a> some text about it</li>",
        "<table><tr><th>Title<th>Text</tr>{0}{1}{2}</table>|<tr><td><a href=/{n}>Title {n}</a><td>some text about it</tr>",
        "<table><tr><td>Title<td>Text</tr>{0}{1}{2}</table>|<tr><td><a href=/{n}>Title {n}</a><td>some text about it</tr>",
        "<dl>{0}{1}{2}</dl>|<dt><a href=/{n}>Title {n}</a><dd>some text<dd>about it",
        "<div>{0}{1}{2}</div>|<div class=hit{n}><h3><a href=/{n}>Title {n}</a></h3><p>some text about it</div>",
        "<table><tr>{0}{1}<tr>{2}</table>|<td><h3><a href=/{n}>Title {n}</a></h3><p>some text about it</td>",
    ],
    ids=["list", "table", "table without head cells", "definitions", "divs", "grid"],
)
def test_results_are_the_repeated_parts_with_the_most_text(html: str) -> None:
    around, _, each = html.partition("|")
    results = around.format(*(each.format(n=n) for n in range(3)))
    menu = "<nav><ul>" + "<li><a href=/m>a long entry of the menu</a>" * 9 + "</ul></nav>"

    page = page_of(f"{menu}<div id=main><p>Three results</p>{results}</div><p>Copyright</p>", want_items=True)

    assert [(b.title, b.url) for b in page.blocks] == [
        (f"Title {n}", f"http://a.example/{n}") for n in range(3)
    ]
    assert all(block.text.endswith("some text about it") for block in page.blocks)


@pytest.mark.parametrize(
    ("html", "count"),
    [
        ("<div>{0}{1}</div>|<div class=row{n}><h3><a href=/{n}>Title {n}</a></h3><p>some text about it</p></div>", 2),
        ("<div>{0}{1}</div>|<div class=stripe-{s}><h3><a href=/{n}>Title {n}</a></h3><p>some text about it</p></div>", 2),
        ("<div>{0}{1}{2}</div>|<h5><a href=/{n}>Title {n}</a></h5><div class=d>some text about it</div>", 3),
        ("<div>{0}{1}{2}</div>|<header><a href=/{n}>Title {n}</a></header><div class=d>some text about it</div>", 3),
        ("<div class=r>{0}{1}{2}</div><div class=r>{3}</div>|<div class=c><a href=/{n}>Title {n}</a><p>some text about it</div>", 4),
    ],
    ids=["two", "two of different stripes", "headings before", "titles before", "a grid whose last row is short"],
)  # fmt: skip
def test_results_are_whole_and_all_of_them(html: str, count: int) -> None:
    around, _, each = html.partition("|")
    results = around.format(*(each.format(n=n, s="ab"[n % 2]) for n in range(4)))

    page = page_of(f"<div id=main><p>Results</p>{results}</div><p>Copyright</p>", want_items=True)

    assert [(b.title, b.url) for b in page.blocks] == [
        (f"Title {n}", f"http://a.example/{n}") for n in range(count)
    ]
    assert all(block.text.endswith("some text about it") for block in page.blocks)


# Against the truth of simweb


@pytest.fixture(scope="module")
def truth() -> Iterator[Truth]:
    world = World(11, 300, pages_per_site=12, text_bytes=400, largest_database=120, port=80)
    yield Truth(world)
    world.close()


def fetched(truth: Truth, url: str) -> Response:
    parts = urlsplit(url)
    site = truth.site(parts.netloc)
    response = site.respond(Request("GET", parts.netloc, parts.path or "/", parts.query, time=0.0))
    assert response is not None
    return response


def read_response(response: Response, url: str, *, want_items: bool = False) -> Page:
    headers = {name.lower(): value for name, value in response.headers}
    read = read_page_with_items if want_items else read_page
    return read(response.body, url, content_type=headers.get("content-type", ""))


def test_every_link_of_simweb_is_found_and_no_other(truth: Truth) -> None:
    urls = [url for site in islice(truth.sites(), 150) for url in islice(truth.pages(site.plan.host), 3)]
    assert len(urls) > 300

    for url in urls:
        page = read_response(fetched(truth, url), url)
        assert {link.url for link in page.links} == set(truth.links(url)), url
        assert page.language == truth.site(urlsplit(url).netloc).plan.language, url


def test_every_control_of_every_form_of_simweb_is_found(truth: Truth) -> None:
    placed = [
        form
        for site in truth.sites()
        for form in truth.forms(site.plan.host)
        if form.form.style != "formless"
    ]
    assert len({form.form.style for form in placed}) > 12

    for form in placed:
        page = read_response(fetched(truth, form.page), form.page)
        names = [{field.name for field in found.fields} for found in page.forms]
        assert any({field.name for field in form.form.fields} <= found for found in names), form.page


def test_the_results_of_an_answer_are_its_blocks(truth: Truth) -> None:
    pages = right = 0
    for site in truth.sites(databases=True):
        answer = an_answer(truth, site.plan.host)
        if answer is not None:
            url, response = answer
            pages += 1
            right += len(read_response(response, url, want_items=True).blocks) == len(response.records)

    assert pages >= 10
    assert right >= 0.9 * pages, f"{right} of {pages}"


PLAIN = ("box", "radios", "box_selects", "dates", "advanced")


def an_answer(truth: Truth, host: str) -> tuple[str, Response] | None:
    """Return an answer with three results or more of a plain search form, if the site gives one."""
    forms = (
        placed.form for placed in truth.forms(host) if placed.form.is_search and placed.form.style in PLAIN
    )
    form = next(forms, None)
    record = next(truth.records(host)).record
    for word in truth.words_returning(host, record.number)[:30] if form else ():
        assert form is not None
        outcome = truth.answer(host, [(form.fields[0].name, word)])
        if outcome.kind == "results" and len(outcome.shown) >= 3:
            url = f"http://{host}{form.action}?{quote(form.fields[0].name)}={quote(word)}"
            return url, fetched(truth, url)
    return None


# Against Chromium

CHROMIUM = shutil.which("chromium")
_LINKS = """() => [...document.links, ...document.querySelectorAll('a')]
    .filter(link => link.hasAttribute('href') && (link instanceof HTMLElement || link instanceof SVGAElement))
    .map(link => new URL(link.href.baseVal ?? link.href, document.baseURI).href.replace(/#.*/, ''))"""
_CONTROLS = """() => [...document.forms].map(form => [...form.elements]
    .filter(control => ['INPUT', 'SELECT', 'TEXTAREA', 'BUTTON'].includes(control.tagName))
    .map(control => [control.name, control.type.replace(/^select.*/, 'select'), control.matches(':disabled')]))"""


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(seed=11, sites=300, pages_per_site=12, largest_database=120, text_bytes=400) as running:
        yield running


@pytest.fixture(scope="module")
def browser_page(web: Simweb) -> Iterator[BrowserPage]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"], proxy={"server": web.proxy}
        )
        yield browser.new_context(java_script_enabled=False).new_page()
        browser.close()


@pytest.mark.skipif(CHROMIUM is None, reason="needs a real browser: apt-get install chromium")
def test_chromium_sees_the_same_links_and_controls(truth: Truth, browser_page: BrowserPage) -> None:
    placed = [form.page for site in truth.sites() for form in truth.forms(site.plan.host)]
    plain = [url for site in islice(truth.sites(), 40) for url in islice(truth.pages(site.plan.host), 1)]
    urls = list(dict.fromkeys([*placed[:90], *plain]))
    assert len(urls) > 100

    for url in urls:
        response = browser_page.goto(url, wait_until="domcontentloaded")
        assert response is not None
        page = read_page(response.body(), url, content_type=response.headers.get("content-type", ""))
        seen = {link for link in browser_page.evaluate(_LINKS) if link.startswith("http")}
        assert {link.url for link in page.links if not link.tag_path.endswith("frame")} == seen, url
        assert [controls_of(form) for form in written_forms(page)] == browser_page.evaluate(_CONTROLS), url


SOUP = (
    "<table><form id=a><tr><input name=x><td><input name=y></form><input name=z></table>",
    "<form><p><div><input name=a></form><input name=b></div><input name=c>",
    "<a href=1><div><a href=2>x</a></div></a><table><a href=3>y<tr><td><a href=4></table>",
    "<select name=s><option>a<input name=i></select><form><select name=t><optgroup><option>b</form>",
    "<form><button name=b><button name=c></form><form><form><input name=d></form><input name=e></form>",
    "<svg><a href=5><foreignObject><a href=6></svg><math><a href=7></math><a href=8>",
    "<b><a href=9><p></b><a href=10></p><i><input form=q name=f></i><form id=q>",
    "<form><fieldset disabled><legend><input name=a></legend><fieldset><input name=b></fieldset></fieldset><input name=c>",
    "<textarea name=t><form><input name=u></textarea><form><!-- <input name=v> --><input name='w>' value='<input name=x>'>",
    "<div><form></div><template><input name=a></template><input name=b><script>'<input name=c></form>'</script><input name=d>",
)  # fmt: skip


@pytest.mark.skipif(CHROMIUM is None, reason="needs a real browser: apt-get install chromium")
@pytest.mark.parametrize("html", SOUP)
def test_chromium_reads_tag_soup_the_same_way(html: str, browser_page: BrowserPage) -> None:
    browser_page.goto("about:blank")
    browser_page.set_content(
        f"<!doctype html><base href=http://a.example/>{html}", wait_until="domcontentloaded"
    )

    page = page_of(f"<!doctype html><base href=http://a.example/>{html}")

    assert {link.url for link in page.links} == set(browser_page.evaluate(_LINKS))
    assert [controls_of(form) for form in written_forms(page)] == browser_page.evaluate(_CONTROLS)


def controls_of(form: Form) -> list[list[str | bool]]:
    return [[field.name, field.kind, field.disabled] for field in form.fields if field.kind != "image"]


# Hostile pages

HOSTILE = {
    "40,000 attributes": (b"<div " + b"".join(b'a%d="v" ' % n for n in range(40_000)) + b">x</div>", "tag_cut"),
    "attributes with > in them": (b"<div " + b"".join(b"a%d='>'" % n for n in range(150_000)) + b">x", "tag_cut"),
    "attributes in script quotes": (
        b'<script>a<b ="</script><p ' + b"".join(b"a%d " % n for n in range(40_000)) + b'>"', "tag_cut",
    ),
    "20 MB attribute": (b'<div title="' + b"x" * 20_000_000 + b'">x</div><a href="/">home</a>', "tag_cut"),
    "200,000 nested b": (b"<b>" * 200_000, "many_tags"),
    "90,000 nested div": (b"<div>" * 90_000 + b"deep", "too_deep"),
    "200,000 nested table": (b"<table>" * 200_000, "too_deep"),
    "90,000 nested a": (b"<a href=x>" * 90_000, "too_deep"),
    "200,000 nested form": (b"<form>" * 200_000, "too_deep"),
    "p and li never closed": (b"<p>x<li>y" * 200_000, "many_tags"),
    "fonts never closed": (b"".join(b"<p><font size=%d>x" % n for n in range(40_000)), ""),
    "adoption agency": (b"<a><div>" * 45_000, "too_deep"),
    "adoption agency, balanced": (
        b"".join(b"<b id=%d>" % n + b"<div>" * 9 + b"</b>" + b"</div>" * 9 for n in range(4_000)), "",
    ),
    "depth hidden by comments": (b"<div><!--</div>-->" * 45_000, "too_deep"),
    "depth hidden by attributes": (b"<div title='</div>'>" * 90_000, "too_deep"),
    "depth hidden by stray quotes": (b"<div \"><div '>" * 45_000, "too_deep"),
    "depth hidden by raw text in svg": (b"<svg><style>" + b"<div></style>" * 45_000, "too_deep"),
    "a million tiny tags": (b"<i>" * 600_000 + b"<br>" * 400_000, "many_tags"),
    "100,000 links": (b"".join(b'<a href="/none/%d">%d</a>' % (n, n) for n in range(100_000)), "many_links"),
    "10,000 forms": (b"<form action=/x><input name=a></form>" * 10_000, "many_forms"),
    "50,000 fields": (b"<form>" + b"<input type=checkbox> text" * 50_000, "many_fields"),
    "labels by other elements": (b"<form>" + b"<b id=x>l</b><input aria-labelledby=x>" * 20_000, "many_fields"),
    "200,000 options": (b"<form><select name=x>" + b"<option selected>y" * 200_000, "many_options"),
    "huge comment": (b"<p>a</p><!--" + b"x<" * 900_000, ""),
    "script never closed": (b"<p>a</p><script>" + b"x<" * 900_000, ""),
    "nothing but <a": (b"<a" * 900_000, ""),
    "entities": (b"&amp;lt;&#x110000;&#0;&#xD800;&nosuch;" * 20_000, ""),
    "zero bytes": (b"a\x00b<\x00p>" * 20_000, ""),
    "binary": (bytes((n * n >> 7 ^ n) & 255 for n in range(1_000_000)), "charset_guessed"),
    "a million words": (b"a bc " * 400_000, ""),
}  # fmt: skip
SECONDS, MEGABYTES = 2.0, 300


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_costs_little_time_and_is_marked(name: str) -> None:
    body, mark = HOSTILE[name]

    page = within(SECONDS, lambda: read_page_with_items(body, URL, limits=PageLimits(seconds=60)))

    assert not mark or mark in page.marks


_MEASURED = """
import os, pickle, resource, sys
from hiddenweb.records.page import read_page_with_items
read_page_with_items(b"<p>" + b"nobody knows which language these words here are in, so guess " * 3, "http://a.example/")
for name, body in pickle.load(sys.stdin.buffer).items():
    if not (child := os.fork()):  # each page has a process of its own, and what it imports is there already
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        read_page_with_items(body, "http://a.example/")
        after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        print((after - before) // 1024, name, flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, name
"""


def test_hostile_pages_cost_little_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED],
        input=pickle.dumps({name: body for name, (body, _) in HOSTILE.items()}),
        capture_output=True,
        check=False,
        preexec_fn=_limited,
    )
    assert done.returncode == 0, done.stderr.decode()
    taken = {
        name: int(megabytes)
        for megabytes, _, name in (line.partition(" ") for line in done.stdout.decode().splitlines())
    }
    assert taken.keys() == HOSTILE.keys()
    assert {name: most for name, most in taken.items() if most >= MEGABYTES} == {}


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))


def test_the_link_after_a_20_mb_attribute_is_still_found() -> None:
    assert [link.url for link in page_of(HOSTILE["20 MB attribute"][0]).links] == ["http://a.example/"]


def test_a_long_page_is_cut_and_says_so() -> None:
    page = read_page(b"<p>one</p>" + b"<p>two ways</p>" * 1000, URL, limits=PageLimits(bytes=1_000))

    assert page.marks == ("truncated",)
    assert page.text.startswith("one\ntwo ways\n")
    assert len(page.text) < 1_000


def test_a_page_that_takes_too_long_is_read_as_far_as_time_allows() -> None:
    clock = iter(float(second) for second in range(1_000))

    page = read_page(
        b"<a href=first>x</a>" + b"<p>word</p>" * 5_000,
        URL,
        limits=PageLimits(clock=lambda: next(clock), seconds=3),
    )

    assert page.marks == ("slow",)
    assert [link.url for link in page.links] == ["http://a.example/dir/first"]
    assert 100 < page.text.count("word") < 4_000


# Anything

TAGS = [
    "a",
    "b",
    "p",
    "div",
    "table",
    "tr",
    "td",
    "form",
    "input",
    "select",
    "option",
    "textarea",
    "script",
    "style",
    "svg",
    "math",
    "template",
    "li",
    "label",
    "base",
    "meta",
    "title",
]
PIECES = st.one_of(
    st.sampled_from([f"<{tag} href=x name=y class='z' id=i for=i form=i type=radio hidden>" for tag in TAGS]),
    st.sampled_from([f"</{tag}>" for tag in TAGS]),
    st.sampled_from(["<!--", "-->", "<![CDATA[", "]]>", "<", ">", "'", '"', "&#xD800;", "\0", " ", "\n", "<a href='http://[", "<?"]),
    st.text(max_size=5),
)  # fmt: skip


@settings(max_examples=300)
@given(
    st.binary(max_size=300),
    st.sampled_from(["", "text/html; charset=utf-16", "charset=shift_jis", "charset=\xff"]),
)
def test_no_bytes_make_it_fail(body: bytes, content_type: str) -> None:
    page = read_page_with_items(body, URL, content_type=content_type)

    assert page.text.encode().decode() == page.text, "no lone surrogates: the text can be stored"


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=60).map("".join))
def test_no_tag_soup_makes_it_fail(html: str) -> None:
    page = read_page_with_items(html.encode("utf-8", "surrogatepass"), URL)

    assert all(link.url.startswith(("http://", "https://")) for link in page.links)
    assert all(len(form.fields) <= html.count("<") for form in page.forms)
