from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.html.reader import read_page
from hiddenweb.html.url_templates import (
    absolute_template,
    drop_repeats,
    gaps_of,
    needs_script,
    parameters_of,
    start_of,
)
from hiddenweb.model import Form

if TYPE_CHECKING:
    from collections.abc import Sequence

URL = "https://shop.example/books/"


def declared(template: str) -> Form:
    return Form(URL, start_of(template), "GET", template=template)


def written(html: str) -> Sequence[Form]:
    return read_page(html.encode(), URL).forms


@pytest.mark.parametrize(
    ("template", "absolute"),
    [
        ("/a/{w}", "https://shop.example/a/{w}"),
        ("?q={w}", "https://shop.example/books/?q={w}"),
        ("find?q={w?}", "https://shop.example/books/find?q={w?}"),
        ("/é {w}", "https://shop.example/%C3%A9{w}"),
        ("/{a}/{a}/{b?}", "https://shop.example/{a}/{a}/{b?}"),
        ("/../{w}/../x?q={w}", "https://shop.example/x?q={w}"),
        ("/{+w}", "https://shop.example/{w}"),
        ("/f?a=b{&w}", "https://shop.example/f?a=b&w={w}"),
        ("https://user@{w}.example/", None),
        ("https:{w}", "https://shop.example/books/{w}"),
        ("//{w}", None),
        ("/\\{w}/x", None),
        ("/{w}{/x}", None),
        ("/{}", None),
        ("/gap7x0x7/{w}", None),
    ],
)
def test_templates_are_absolute_and_never_let_words_choose_the_host(
    template: str, absolute: str | None
) -> None:
    assert absolute_template(template, URL) == absolute


@pytest.mark.parametrize(
    "template",
    [
        "/find?q=words",  # no gap
        "{w}",
        "{w}/find",
        "javascript:find('{w}')",
        "/" + "x" * 2_000 + "{w}",
        "/find?" + "&".join(f"p{n}={{w{n}}}" for n in range(21)),
    ],
)
def test_what_is_no_template_or_leads_anywhere_is_refused(template: str) -> None:
    assert absolute_template(template, URL) is None


@pytest.mark.parametrize(
    ("template", "absolute"),
    [
        ("/find{?q,page}", "https://shop.example/find?q={q}&page={page}"),
        ("/find{?q*}", "https://shop.example/find?q={q}"),
        ("/find?a=1&amp;q=%7Bw%7d", "https://shop.example/find?a=1&q={w}"),
        ("/find#q={w}", "https://shop.example/find#q={w}"),
        ("/find?q={w}#top", "https://shop.example/find?q={w}"),
    ],
)
def test_templates_are_read_as_they_are_written_in_the_wild(template: str, absolute: str) -> None:
    assert absolute_template(template, URL) == absolute


def test_a_gap_that_must_be_filled_once_must_be_filled() -> None:
    assert gaps_of("http://a.example/{w?}/{v}?q={w}&p={page?}&r={v?}") == {
        "w": False,
        "v": False,
        "page": True,
    }


@pytest.mark.parametrize(
    ("template", "parameters"),
    [
        ("http://a.example/find?q={w};p={page?}", {"w": "q", "page": "p"}),
        ("http://a.example/find?q=title:{w}", {}),  # only a part of a value
        ("http://a.example/{w}?{k}=v", {}),
        ("http://a.example/find#q={w}", {}),
    ],
)
def test_gaps_that_are_whole_values_have_the_names_of_their_parameters(
    template: str, parameters: dict[str, str]
) -> None:
    assert parameters_of(template) == parameters


@pytest.mark.parametrize(
    ("template", "start"),
    [
        ("http://a.example/find?q={w}#top", "http://a.example/find"),
        ("http://a.example/find#q={w}", "http://a.example/find"),
        ("http://a.example/tag/{w}/", "http://a.example/tag/"),
        ("http://a.example/no-gap", "http://a.example/"),
    ],
)
def test_the_start_of_a_template_never_changes(template: str, start: str) -> None:
    assert start_of(template) == start


def test_only_a_script_sees_what_is_filled_in_behind_the_sharp() -> None:
    assert needs_script("http://a.example/?x=1#q={w}")
    assert not needs_script("http://a.example/?q={w}#top")


def test_a_declared_search_that_a_form_of_the_page_makes_is_a_repeat() -> None:
    forms = written("<form action=http://shop.example/find/><input name=q></form>")
    other = declared("https://shop.example/other?q={w}")

    assert drop_repeats([declared("https://shop.example/find?in=all&q={w}"), other], forms) == [other]


@pytest.mark.parametrize(
    "html",
    [
        "<form action=/find method=post><input name=q></form>",
        "<form action=/find><input name=words></form>",
        "<form action=/find><input type=hidden name=q></form>",
        "<input type=search name=q>",  # only a browser can ask it
        "",
    ],
)
def test_what_asks_otherwise_is_no_repeat(html: str) -> None:
    search = declared("https://shop.example/find?q={w}")

    assert drop_repeats([search, search], written(html)) == [search]


def test_searches_without_template_are_one_by_their_method_and_address() -> None:
    one, other = (Form(URL, URL, method) for method in ("POST", "GET"))

    assert drop_repeats([one, other, one], []) == [one, other]
