from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser
from timing import within

from hiddenweb.html.hardening import harden, shorten_body
from hiddenweb.html.limits import LIMITS
from hiddenweb.html.reader import read_page

if TYPE_CHECKING:
    from hiddenweb.html.limits import PageLimits

URL = "http://a.example/"
SMALL = replace(LIMITS, bytes=200_000, tags=100, depth=10, attributes=3)
LONG = b"<p>" + b"word " * 20_000 + b"</p>"
"""So much that a page of it is looked at for tags with many attributes."""


def hardened(source: bytes, limits: PageLimits = SMALL) -> tuple[bytes, list[str]]:
    marks: list[str] = []
    return harden(source, limits, marks), marks


# Bytes


def test_a_body_within_the_limit_is_read_as_it_is() -> None:
    marks: list[str] = []
    body = b'<img src="data:' + b"x" * 100_000 + b'">'

    assert shorten_body(body, SMALL, marks) is body
    assert marks == []


def test_images_written_into_attributes_go_before_the_end_of_a_page_does() -> None:
    marks: list[str] = []
    image = b"<img src = 'data:" + b"x" * 300_000 + b"'>"

    assert shorten_body(image + b"<p>end", SMALL, marks) == b'<img src =""><p>end'
    assert marks == ["tag_cut"]


def test_a_body_that_is_still_too_long_is_cut() -> None:
    marks: list[str] = []

    assert len(shorten_body(b"x" * 300_000, SMALL, marks)) == SMALL.bytes
    assert marks == ["truncated"]


# Tags


@pytest.mark.parametrize(
    ("source", "left", "marks"),
    [
        pytest.param(b"<p>" * 100, b"<p>" * 100, [], id="as many tags as may be"),
        pytest.param(b"<p>" * 101, b"<p>" * 100, ["many_tags"], id="one too many"),
        pytest.param(b"<div>" * 11 + b"x", b"<div>" * 10, ["too_deep"], id="too many open"),
        pytest.param(b"<div>x</div>" * 11, b"<div>x</div>" * 11, [], id="many, one after the other"),
        pytest.param(b"<p>x<li>" * 11, b"<p>x<li>" * 11, [], id="many that close each other"),
        pytest.param(b"<DIV></div>" * 11, b"<DIV></div>" * 11, [], id="in capitals"),
        pytest.param(b"<div><!--</div>-->" * 6, b"<div><!--</div>-->" * 6, [], id="closed in comments, shallow"),
        pytest.param(b"<div><!--</div>-->" * 11, b"<div><!--</div>-->" * 10, ["too_deep"], id="closed in comments"),
        pytest.param(b"<div a='</div>'>" * 11, b"<div a='</div>'>" * 10, ["too_deep"], id="closed in attributes"),
        pytest.param(b"<div></p>" * 11, b"<div></p>" * 10, ["too_deep"], id="others closed"),
        pytest.param(
            b"<script>" + b"<div>" * 30 + b"</script>x", b"<script>" + b"<div>" * 30 + b"</script>x", [], id="in a script"
        ),
        pytest.param(
            b"x<!--" + b"<div>" * 31 + b"-->y", b"x", ["too_deep"], id="too many in a comment"
        ),
    ],
)  # fmt: skip
def test_of_tags_and_open_tags_so_many_are_read(source: bytes, left: bytes, marks: list[str]) -> None:
    assert hardened(source) == (left, marks)


def test_formatting_goes_where_there_is_so_much_of_it_that_it_would_be_repeated_everywhere() -> None:
    source = b"".join(b"<font size=%d><p>%d" % (n, n) for n in range(15))

    assert hardened(source) == (b"".join(b"<p>%d" % n for n in range(15)), [])
    assert hardened(source[: len(source) // 3])[0] == source[: len(source) // 3]


def test_of_a_tag_with_very_many_attributes_the_first_are_read() -> None:
    many = b" ".join(b"a%d='>%d'" % (n, n) for n in range(10))

    source, marks = hardened(LONG + b"<p " + many + b">x</p><i b>y")

    assert source == LONG + b"<p a0='>0' a1='>1' a2='>2'>x</p><i b>y"
    assert marks == ["tag_cut"]
    assert hardened(b"<p " + many + b">x") == (b"<p " + many + b">x", []), "a short page cannot cost much"


def test_a_select_of_thousands_is_parsed_as_one_that_takes_several_and_says_so() -> None:
    limits = replace(SMALL, tags=5_000)
    options = b"<option>x" * 1_500

    assert hardened(b"<select name=s>" + options, limits)[0].startswith(
        b"<select multiple hiddenweb-one-choice  name=s><option>"
    )
    assert hardened(b"<select multiple>" + options, limits)[0] == b"<select multiple>" + options
    assert hardened(b"<select name=s>" + options[:900], limits)[0] == b"<select name=s>" + options[:900]


@pytest.mark.parametrize(
    "hostile", [b"<div " + b"a " * 40_000 + b">", b"<a><div>" * 45_000], ids=["wide", "deep"]
)
def test_what_is_left_of_hostile_pages_is_parsed_at_once(hostile: bytes) -> None:
    source, _ = hardened(hostile, LIMITS)

    within(1.0, lambda: LexborHTMLParser(source))


def test_a_deep_but_harmless_page_is_read_whole() -> None:
    deep = b"<div><!-- </div> -->" * 400 + b"<p>deep</p>" + b"</div>" * 400 + b"<p>x</p>" * 2_000

    assert hardened(deep, LIMITS) == (deep, [])


# Shadow roots


@pytest.mark.parametrize(
    ("source", "parsed"),
    [
        (
            b"<x-box><template shadowrootmode=open>a</template></x-box>",
            b"<x-box><shadow-root shadowrootmode=open>a</shadow-root></x-box>",
        ),
        (
            b"<TEMPLATE ShadowRootMode='closed'>a</TEMPLATE>",
            b"<shadow-root ShadowRootMode='closed'>a</shadow-root>",
        ),
        (b"<template shadowrootmode=none>a</template>", None),
        (b"<template><template shadowrootmode=open>a</template></template>", None),  # nobody sees it
        (
            b"<template shadowrootmode=open><template>a</template>b</template>",
            b"<shadow-root shadowrootmode=open><template>a</template>b</shadow-root>",
        ),
        (b"<!--<template shadowrootmode=open>--><template>a</template>", None),
        (b"<script>'<template shadowrootmode=open>'</script><template>a</template>", None),
        (b"</template><p shadowrootmode=open>", None),
        (b"<style><template shadowrootmode=open>", None),  # never closed
    ],
)
def test_declarative_shadow_roots_are_elements_like_others(source: bytes, parsed: bytes | None) -> None:
    assert hardened(source) == (source if parsed is None else parsed, [])


def test_what_a_shadow_root_holds_is_read() -> None:
    page = read_page(
        b"<search-box><template shadowrootmode=open><form><input name=q></form><p>In here</template></search-box>",
        URL,
    )

    assert page.text == "In here"
    assert [field.name for form in page.forms for field in form.fields] == ["q"]
