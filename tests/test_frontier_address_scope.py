"""Which addresses a crawl may request, by the patterns of its user."""

from __future__ import annotations

import pytest

from hiddenweb.frontier.address_scope import (
    EVERYWHERE,
    EXCLUDED,
    NOT_INCLUDED,
    AddressPattern,
    AddressScope,
    parse_patterns,
)


@pytest.mark.parametrize(
    ("pattern", "url", "matches"),
    [
        pytest.param("/books", "https://a.example/books", True, id="the address itself"),
        pytest.param("/books", "https://a.example/books/7", True, id="what is below it"),
        pytest.param("/books", "https://a.example/books?page=2", True, id="its queries"),
        pytest.param("/books", "https://a.example/bookshop", False, id="no other name that begins so"),
        pytest.param("/books", "https://a.example/old/books", False, id="from the beginning of the path"),
        pytest.param("/books/", "https://a.example/books/7", True, id="a folder"),
        pytest.param("/books/", "https://a.example/books", False, id="a folder is not its name"),
        pytest.param("/", "https://a.example/anything?x=1", True, id="everything"),
        pytest.param("*/print/*", "https://a.example/books/print/7", True, id="anywhere"),
        pytest.param("*.pdf", "https://a.example/files/a.pdf?download=1", True, id="an ending"),
        pytest.param("*.pdf", "https://a.pdf.example/files", False, id="an ending is not in the host"),
        pytest.param("/find?q=*", "https://a.example/find?q=x&page=2", True, id="a query"),
        pytest.param("/a.b", "https://a.example/axb", False, id="a dot is a dot"),
        pytest.param("/größe", "https://a.example/gr%C3%B6%C3%9Fe/7", True, id="letters beyond ASCII"),
        pytest.param("https://a.example/books", "https://a.example/books/7", True, id="a whole address"),
        pytest.param("https://a.example/books", "http://a.example/books/7", False, id="another scheme"),
        pytest.param("*://a.example/books", "http://a.example/books/7", True, id="any scheme"),
        pytest.param("a.example/books", "http://a.example/books/7", True, id="a host and a path"),
        pytest.param("a.example", "https://a.example/books/7", True, id="a host"),
        pytest.param("a.example", "https://b.a.example/", False, id="another host of its domain"),
        pytest.param("*.a.example", "https://b.a.example/x", True, id="the hosts of a domain"),
        pytest.param("*.a.example", "https://c.example/b.a.example", False, id="a host is no path"),
        pytest.param("A.example:8080/x", "http://a.example:8080/x", True, id="a port"),
        pytest.param("a.example", "http://a.example:8080/x", False, id="another port"),
        pytest.param("[::1]:8080", "http://[::1]:8080/x", True, id="an IPv6 address"),
        pytest.param("bücher.example", "https://xn--bcher-kva.example/", True, id="a host beyond ASCII"),
        pytest.param(r"re:/\d{4}/\d+$", "https://a.example/2024/17", True, id="a regular expression"),
        pytest.param(r"re:/\d{4}/\d+$", "https://a.example/2024/17/x", False, id="a regular expression with an end"),
    ],
)  # fmt: skip
def test_patterns_match(pattern: str, url: str, matches: bool) -> None:
    assert AddressPattern.parse(pattern).matches(url) is matches


@pytest.mark.parametrize("pattern", ["books", "re:(", "ftp://a.example/", "?q=1", "http:///x"])
def test_what_is_no_pattern_is_an_error_that_names_it(pattern: str) -> None:
    with pytest.raises(ValueError, match="is no") as caught:
        AddressPattern.parse(pattern)

    assert repr(pattern) in str(caught.value)


def test_patterns_are_separated_by_commas_or_spaces_and_expressions_reach_to_the_next_space() -> None:
    patterns = parse_patterns(r"/a,/b  re:/x{1,2}$ a.example/c")

    assert [pattern.text for pattern in patterns] == ["/a", "/b", r"re:/x{1,2}$", "a.example/c"]
    assert parse_patterns(["/a,b", " /c "]) == (AddressPattern.parse("/a,b"), AddressPattern.parse("/c"))


def test_exclusion_is_stronger_than_inclusion() -> None:
    scope = AddressScope.parse("/books", "/books/private")

    assert scope.reason_outside("https://a.example/books/1") == ""
    assert scope.reason_outside("https://a.example/books/private/1") == EXCLUDED
    assert scope.reason_outside("https://a.example/") == NOT_INCLUDED
    assert str(scope) == "+/books -/books/private"


def test_without_patterns_every_address_is_in_the_scope() -> None:
    assert not EVERYWHERE
    assert EVERYWHERE.reason_outside("https://a.example/") == ""
