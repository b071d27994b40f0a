from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import within

from hiddenweb.urls import (
    UrlPatterns,
    canonical_url,
    has_repeated_segments,
    host,
    normalise_url,
    origin,
    registered_domain,
    shape,
    url_hash,
)


@pytest.mark.parametrize(
    ("url", "base", "expected"),
    [
        ("HTTP://A.Example:80/a/../b#c", None, "http://a.example/b"),
        ("https://a.example", None, "https://a.example/"),
        ("x?y", "http://a.example/b/c?d", "http://a.example/b/x?y"),
        ("//b.example", "https://a.example/", "https://b.example/"),
        ("http://bücher.example/ü", None, "http://xn--bcher-kva.example/%C3%BC"),
        ("x", None, None),
        ("ftp://a.example/", None, None),
        ("javascript:void(0)", "http://a.example/", None),
        ("data:text/html,x", None, None),
        ("httpx://a.example/", None, None),
        ("http://a.example:99999/", None, None),
        ("http://[::1", "http://a.example/", None),
        ("x", "no base", None),
        ("http://0x7f.1/", None, "http://127.0.0.1/"),
        ("http://a.example/\ud800", None, None),
    ],
)
def test_addresses_are_written_as_the_standard_writes_them(
    url: str, base: str | None, expected: str | None
) -> None:
    assert normalise_url(url, base) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/?b=2&a=1", "http://a.example/?a=1&b=2"),
        ("http://a.example:80/x?", "http://a.example/x"),
        ("http://a.example/%7euser/%c3%bc", "http://a.example/~user/ü"),
        ("http://a.example/x;jsessionid=AB12?y=1", "http://a.example/x?y=1"),
        ("http://a.example/?PHPSESSID=abc&q=1", "http://a.example/?q=1"),
        ("http://a.example/?sid=0123456789abcdef0&q=1", "http://a.example/?q=1"),
        ("http://a.example/?utm_source=x&gclid=y&fbclid=z", "http://a.example/"),
        ("http://a.example/#top", "http://a.example/"),
    ],
)
def test_spellings_of_one_address_are_one(one: str, other: str) -> None:
    assert canonical_url(one) == canonical_url(other)
    assert url_hash(one) == url_hash(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(
            "http://a.example/?a=1&a=2", "http://a.example/?a=2&a=1", id="order of values of one name"
        ),
        pytest.param("http://a.example/?b;a", "http://a.example/?a;b", id="not a list of parameters"),
        pytest.param("http://a.example/?a=%26b=1", "http://a.example/?a=&b=1", id="an escaped separator"),
        pytest.param("http://a.example/a%2Fb", "http://a.example/a/b", id="an escaped slash"),
        pytest.param("http://a.example/?sid=12", "http://a.example/?sid=13", id="a short sid is a number"),
        pytest.param("http://a.example/?q=", "http://a.example/", id="an empty value"),
        pytest.param("http://a.example/A", "http://a.example/a", id="case of a path"),
        pytest.param("http://a.example/", "https://a.example/", id="scheme"),
    ],
)
def test_different_addresses_stay_different(one: str, other: str) -> None:
    assert canonical_url(one) != canonical_url(other)
    assert url_hash(one) != url_hash(other)


def test_a_query_separated_by_semicolons_is_left_as_it_is() -> None:
    assert canonical_url("http://a.example/s?b=2;a=1&c") == "http://a.example/s?b=2;a=1&c"


@given(st.text(max_size=40))
def test_canonical_is_stable_and_hashes_fit_into_a_database(rest: str) -> None:
    url = normalise_url("http://a.example/" + rest)
    assert url is not None

    assert canonical_url(canonical_url(url)) == canonical_url(url)
    assert -(1 << 63) <= url_hash(url) < 1 << 63


def test_a_typical_address_is_made_canonical_within_ten_microseconds() -> None:
    urls = [f"http://a.example/section/page-{number}.html" for number in range(1_000)]

    within(30e-6 * len(urls), lambda: [url_hash(url) for url in urls])  # generous: machines differ


@pytest.mark.parametrize(
    ("url", "site", "name", "registered"),
    [
        ("http://www.a.com:8080/x", "http://www.a.com:8080", "www.a.com", "a.com"),
        ("http://www.a.example/", "http://www.a.example", "www.a.example", "www.a.example"),
        ("https://u:p@b.shop.co.uk:443?x/y:1", "https://b.shop.co.uk", "b.shop.co.uk", "shop.co.uk"),
        ("http://127.0.0.2:8000/", "http://127.0.0.2:8000", "127.0.0.2", "127.0.0.2"),
        ("http://[::1]:8000/", "http://[::1]:8000", "[::1]", "[::1]"),
        ("http://localhost/", "http://localhost", "localhost", "localhost"),
    ],
)
def test_origin_host_and_registered_domain(url: str, site: str, name: str, registered: str) -> None:
    assert (origin(url), host(url), registered_domain(url)) == (site, name, registered)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/cal/2024/5", "http://a.example/cal/2031/12"),
        ("http://a.example/?page=1&q=x", "http://a.example/?page=2&q=y"),
        ("http://a.example/x/550e8400-e29b-41d4-a716-446655440000", "http://a.example/x/123e4567-e89b-12d3-a456-426614174000"),
        ("http://a.example/x/deadbeef12345678", "http://a.example/x/0123456789abcdef"),
    ],
)  # fmt: skip
def test_what_a_trap_counts_up_has_one_shape(one: str, other: str) -> None:
    assert shape(one) == shape(other)


def test_names_and_hosts_keep_their_shape() -> None:
    assert shape("http://a1.example/cafe/decade?x1=2") == "http://a1.example/cafe/decade?x0="
    assert shape("http://a1.example/a") != shape("http://a2.example/a")


@pytest.mark.parametrize(
    ("path", "expected"),
    [("/a/a/a", True), ("/a/b/a/b/a/b", True), ("/a/x/a/y/a", True), ("/a/b/a/b", False), ("/", False), ("/a?a/a/a", False)],
)  # fmt: skip
def test_a_path_that_repeats_itself_is_noticed(path: str, expected: bool) -> None:
    assert has_repeated_segments(f"http://a.example{path}") is expected


def test_the_hash_of_an_address_does_not_depend_on_the_process() -> None:
    assert url_hash("http://a.example/") == -2761359738066541415


def test_the_patterns_of_some_addresses_hold_for_others_of_their_kind() -> None:
    patterns = UrlPatterns.from_urls(["http://a.example/books/12.html", "http://a.example/books/13.html"])

    assert patterns.has("http://a.example/books/7.html")
    assert not patterns.has("http://a.example/books/7.pdf")
    assert not patterns.has("http://a.example/films/7.html")
    assert not patterns.has("http://b.example/books/7.html")
    assert str(patterns) == "a.example/books/*.html"
    assert UrlPatterns.from_json(patterns.to_json()) == patterns
