from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hiddenweb import urls
from hiddenweb.html.links import resolver

BASE = "http://a.example/dir/page.html?x=/1"


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("x", "http://a.example/dir/x"),
        ("./a:b", "http://a.example/dir/a:b"),
        ("../x", "http://a.example/x"),
        ("/x", "http://a.example/x"),
        ("//b.example/x", "http://b.example/x"),
        ("\\\\b.example\\x", "http://b.example/x"),
        ("HTTPS://B.example", "https://b.example/"),
        ("http:z", "http://a.example/dir/z"),  # a scheme without host
        ("?q=2", "http://a.example/dir/page.html?q=2"),
        ("", "http://a.example/dir/page.html?x=/1"),
        ("#part", "http://a.example/dir/page.html?x=/1"),
        (" \n/y z\n ", "http://a.example/y%20z"),
        ("mailto:a@b.example", None),
        ("a:b", None),
        ("http://[x", None),
    ],
)
def test_addresses_are_made_absolute_as_browsers_do(href: str, url: str | None) -> None:
    assert resolver(BASE, "utf-8")(href) == url


BASES = (BASE, "http://a.example/", "https://a.example:8443/dir/?q", "http://a.example/a//b/")
PIECES = ("/", "\\", "..", ".", ":", "?", "#", "http", "https", "//", "b.example", "x", " ", "\t", "\n", "%2F", "é", "@", "[", "&", "=")  # fmt: skip


@given(st.sampled_from(BASES), st.lists(st.sampled_from(PIECES), max_size=8).map("".join))
def test_what_is_remembered_by_site_and_folder_is_what_the_whole_base_gives(base: str, href: str) -> None:
    assert resolver(base, "utf-8")(href) == urls.normalise_url(href.strip(" \t\n\r\f"), base)


@pytest.mark.parametrize(
    ("charset", "href", "url"),
    [
        ("iso-8859-1", "/ü?q=ü#ü", "http://a.example/%C3%BC?q=%FC"),  # a path is always UTF-8
        ("windows-1251", "?q=мир&p=1", "http://a.example/dir/page.html?q=%EC%E8%F0&p=1"),
        ("iso-8859-1", "?q=ж&p=1", "http://a.example/dir/page.html?q=%26%231078%3B&p=1"),  # as &#1078;
        ("iso-2022-jp", "?q=Ａ", "http://a.example/dir/page.html?q=%1B$B%23A%1B(B"),
        ("utf-16le", "?q=ü", "http://a.example/dir/page.html?q=%C3%BC"),  # queries are never UTF-16
        ("no-such-charset", "?q=ü", "http://a.example/dir/page.html?q=%C3%BC"),
    ],
)
def test_queries_are_encoded_as_the_page_is(charset: str, href: str, url: str) -> None:
    assert resolver(BASE, charset)(href) == url
