"""The cookies of one form: what is taken, where it goes, and where it never goes."""

from __future__ import annotations

import pytest

from hiddenweb.querying.cookies import MAX_BYTES, MAX_COOKIES, CookieJar

NOW = 1_700_000_000.0
FORM = "http://www.example.org/catalogue/form"


def jar(*headers: str, url: str = FORM) -> CookieJar:
    return CookieJar().receive(url, headers, NOW)


def test_a_cookie_goes_back_to_where_it_came_from() -> None:
    assert jar("sid=abc; Path=/; HttpOnly").header("http://www.example.org/find?q=1", NOW) == "sid=abc"


@pytest.mark.parametrize(
    ("header", "url"),
    [
        ("sid=abc; Path=/", "http://example.org/"),
        ("sid=abc; Path=/", "http://shop.example.org/"),
        ("sid=abc; Path=/", "http://www.example.org.evil.example/"),
        ("sid=abc; Domain=example.org; Path=/", "http://myexample.org/"),
        ("sid=abc; Domain=example.org; Path=/", "http://films.example/"),
        ("sid=abc; Path=/catalogue", "http://www.example.org/find"),
        ("sid=abc; Path=/catalogue", "http://www.example.org/catalogues"),
        ("sid=abc", "http://www.example.org/find"),
    ],
    ids=[
        "above",
        "beside",
        "a name that begins so",
        "a name that ends so",
        "another site",
        "another folder",
        "folder that begins so",
        "default path",
    ],
)
def test_a_cookie_goes_nowhere_else(header: str, url: str) -> None:
    assert jar(header).header(url, NOW) == ""


def test_a_cookie_for_the_domain_goes_to_its_hosts() -> None:
    cookies = jar("sid=abc; Domain=.example.org; Path=/")

    assert cookies.header("http://search.example.org/", NOW) == "sid=abc"
    assert cookies.header("https://example.org/", NOW) == "sid=abc"


@pytest.mark.parametrize(
    "header",
    [
        "sid=abc; Domain=org",
        "sid=abc; Domain=co.uk",
        "sid=abc; Domain=ample.org",
        "sid=abc; Domain=deep.www.example.org",
        "sid",
        "=abc",
        "s id=abc",
        "sid=a\r\nX-Evil: 1",
        "sid=" + "a" * 5000,
        "sid=abc; Secure",
        "__Secure-sid=abc; Path=/",
        "__Host-sid=abc; Path=/; Domain=example.org",
    ],
)
def test_unacceptable_cookies_are_not_set(header: str) -> None:
    assert not jar(header)


def test_a_public_suffix_gets_no_cookie_from_a_host_below() -> None:
    assert not CookieJar().receive("http://books.co.uk/", ["sid=1; Domain=co.uk"], NOW)
    assert CookieJar().receive("http://www.books.co.uk/", ["sid=1; Domain=books.co.uk; Path=/"], NOW)


def test_an_address_in_numbers_has_no_domain() -> None:
    assert not CookieJar().receive("http://127.0.0.2:8000/", ["sid=1; Domain=0.0.2"], NOW)
    assert (
        CookieJar()
        .receive("http://127.0.0.2:8000/", ["sid=1; Path=/"], NOW)
        .header("http://127.0.0.3:8000/", NOW)
        == ""
    )


def test_a_secure_cookie_is_not_sent_in_the_clear() -> None:
    cookies = jar("sid=abc; Secure; Path=/", url="https://www.example.org/")

    assert cookies.header("http://www.example.org/", NOW) == ""
    assert cookies.header("https://www.example.org/", NOW) == "sid=abc"


def test_a_cookie_is_replaced_and_deleted() -> None:
    cookies = jar("sid=abc; Path=/", "theme=dark; Path=/")

    renewed = cookies.receive(FORM, ["sid=def; Path=/"], NOW)
    ended = renewed.receive(
        FORM, ["sid=; Path=/; Max-Age=0", "theme=x; Path=/; Expires=Thu, 01-Jan-1970 00:00:00 GMT"], NOW
    )

    assert renewed.header(FORM, NOW) == "theme=dark; sid=def"
    assert not ended


def test_a_cookie_ends_at_its_time() -> None:
    cookies = jar("sid=abc; Path=/; Max-Age=60")

    assert cookies.header(FORM, NOW + 59) == "sid=abc"
    assert cookies.header(FORM, NOW + 61) == ""


def test_longer_paths_come_first() -> None:
    assert jar("a=1; Path=/", "b=2; Path=/catalogue").header(FORM, NOW) == "b=2; a=1"


def test_a_jar_is_bounded_and_forgets_the_oldest() -> None:
    many = jar(*(f"c{number}=1; Path=/" for number in range(100)))
    heavy = jar(*(f"c{number}={'x' * 3000}; Path=/" for number in range(5)))

    assert [cookie.name for cookie in many.cookies] == [f"c{n}" for n in range(100 - MAX_COOKIES, 100)]
    assert sum(cookie.size for cookie in heavy.cookies) <= MAX_BYTES
    assert heavy.cookies[-1].name == "c4"


def test_a_jar_is_saved_and_restored() -> None:
    cookies = jar("sid=abc; Domain=example.org; Path=/; Max-Age=60", "b=2")

    assert CookieJar.from_json(cookies.to_json()) == cookies
