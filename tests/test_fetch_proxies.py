from __future__ import annotations

import pytest

from hiddenweb.fetch.proxies import Proxies, Proxy, parse_proxy


@pytest.mark.parametrize(
    ("environment", "url", "proxy"),
    [
        ({}, "http://a.example/", None),
        ({"http_proxy": "http://p:1"}, "http://a.example/", "http://p:1"),
        ({"http_proxy": "http://p:1"}, "https://a.example/", None),
        ({"https_proxy": "http://p:1"}, "https://a.example/", "http://p:1"),
        ({"HTTPS_PROXY": "http://p:1"}, "https://a.example/", "http://p:1"),
        ({"HTTP_PROXY": "http://p:1", "http_proxy": "http://q:1"}, "http://a.example/", "http://q:1"),
        ({"http_proxy": "http://p:1", "no_proxy": "a.example"}, "http://a.example/", None),
        ({"http_proxy": "http://p:1", "no_proxy": "a.example"}, "http://b.a.example/", None),
        ({"http_proxy": "http://p:1", "no_proxy": "x, .a.example:81"}, "http://a.example:81/", None),
        ({"http_proxy": "http://p:1", "no_proxy": "a.example:82"}, "http://a.example:81/", "http://p:1"),
        ({"http_proxy": "http://p:1", "no_proxy": "a.example"}, "http://nota.example/", "http://p:1"),
        ({"http_proxy": "http://p:1", "NO_PROXY": "*"}, "http://a.example/", None),
        ({"http_proxy": "http://p:1", "no_proxy": "x"}, "no url", "http://p:1"),
        ({"HTTP_PROXY": "http://evil:1", "REQUEST_METHOD": "GET"}, "http://a.example/", None),  # httpoxy
    ],
)
def test_the_environment_names_the_proxies(environment: dict[str, str], url: str, proxy: str | None) -> None:
    assert Proxies.from_environment(environment).proxy_for(url) == proxy


@pytest.mark.parametrize(
    ("url", "proxy"),
    [
        ("http://proxy.example:3128", Proxy("proxy.example", 3128)),
        ("http://proxy.example:3128/", Proxy("proxy.example", 3128)),
        ("proxy.example:3128", Proxy("proxy.example", 3128)),
        ("http://proxy.example", Proxy("proxy.example", 80)),
        ("http://[::1]:81", Proxy("::1", 81)),
        ("http://a:b@c:81", Proxy("c", 81, b"Basic YTpi")),
    ],
)
def test_the_address_of_a_proxy_is_read(url: str, proxy: Proxy) -> None:
    assert parse_proxy(url) == proxy


@pytest.mark.parametrize(
    "url", ["socks5://me:secret@p:1", "https://me:secret@p:1", "http://me:secret@", "http://me:secret@p:x"]
)
def test_an_unusable_proxy_is_an_error_without_its_password(url: str) -> None:
    with pytest.raises(ValueError, match="proxy") as caught:
        parse_proxy(url)

    assert "secret" not in str(caught.value)
    with pytest.raises(ValueError, match="proxy"):
        Proxies.from_environment({"http_proxy": url})


def test_a_password_is_not_shown() -> None:
    assert "YTpi" not in repr(parse_proxy("http://a:b@c:81"))
