from __future__ import annotations

import pytest

from hiddenweb.fetch.errors import Refused, Unresolvable
from hiddenweb.fetch.fetcher import HttpRequest
from hiddenweb.fetch.proxies import Proxy
from hiddenweb.fetch.wire_request import HttpOrigin, encode_connect, encode_request, read_origin, split_url

HTTP = HttpOrigin("http", "a.example", 80, b"a.example", None)
PROXY = Proxy("proxy.example", 3128, b"Basic abc")


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        pytest.param("http://a.example/b?c=d", ("http://a.example", "/b?c=d"), id="as it is"),
        pytest.param("HTTP://A.example:80/x/../b", ("http://a.example", "/b"), id="to be written anew"),
        pytest.param(
            "https://a.example:8443/ä#part", ("https://a.example:8443", "/%C3%A4"), id="no fragment"
        ),
    ],
)
def test_an_address_is_split_as_the_url_standard_writes_it(url: str, parts: tuple[str, str]) -> None:
    assert split_url(url) == parts


@pytest.mark.parametrize("url", ["ftp://a.example/", "mailto:me", "http://[1"])
def test_what_is_no_address_of_the_web_is_refused(url: str) -> None:
    with pytest.raises(Refused):
        split_url(url)


def test_an_origin_knows_its_port_its_certificate_and_whether_it_is_a_number() -> None:
    named, literal = read_origin("https://www.a.example."), read_origin("http://[::1]:8080")

    assert (named.host, named.port, named.tls_name, named.literal) == (
        "www.a.example.",
        443,
        "www.a.example",
        None,
    )
    assert (literal.host, literal.port, literal.tls_name, literal.literal) == ("::1", 8080, None, "::1")


def test_a_label_has_63_characters_at_most() -> None:
    assert read_origin(f"http://{'a' * 63}.example").host == f"{'a' * 63}.example"
    with pytest.raises(Unresolvable):
        read_origin(f"http://{'a' * 64}.example")


def test_headers_that_the_client_sets_cannot_be_passed() -> None:
    request = HttpRequest("GET", "", [(b"Host", b"b.example"), (b"Accept", b"*/*")])

    assert encode_request(request, HTTP, "/b", None) == (
        b"GET /b HTTP/1.1\r\nHost: a.example\r\nAccept: */*\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n"
    )


def test_a_proxy_gets_the_whole_address_and_its_password() -> None:
    sent = encode_request(HttpRequest("GET", ""), HTTP, "/b", PROXY)

    assert sent.startswith(b"GET http://a.example/b HTTP/1.1\r\n")
    assert b"\r\nProxy-Authorization: Basic abc\r\n" in sent
    assert encode_connect(PROXY, read_origin("https://[::1]:8443")) == (
        b"CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\nProxy-Authorization: Basic abc\r\n\r\n"
    )


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(HttpRequest("get", ""), id="no method"),
        pytest.param(HttpRequest("GET", "", [(b"A", b"b\r\nC: d")]), id="two headers in one"),
        pytest.param(HttpRequest("GET", "", [(b"A", b"\0")]), id="a NUL"),
    ],
)
def test_what_would_be_another_request_is_refused(request_: HttpRequest) -> None:
    with pytest.raises(Refused):
        encode_request(request_, HTTP, "/", None)
