from __future__ import annotations

from hiddenweb.fetch.fetcher import Fetcher, HttpResponse, RequestDefaults
from hiddenweb.fetch.http_client import HttpClient
from hiddenweb.fetch.proxies import Proxies


def test_the_client_is_a_fetcher() -> None:
    fetcher: Fetcher = HttpClient()  # mypy holds it to the protocol

    assert callable(fetcher.fetch)


def test_a_header_is_found_in_any_case_and_the_first_counts() -> None:
    headers = [(b"LINK", b"<a>"), (b"Link", b"<b>"), (b"Server", b"\xe4")]
    response = HttpResponse(200, headers, b"", "http://a.example/", "127.0.0.1")

    assert response.header(b"link") == "<a>"
    assert list(response.headers_named(b"link")) == ["<a>", "<b>"]
    assert response.header(b"server") == "ä"
    assert response.header(b"etag") == ""


def test_requests_have_in_common_what_the_settings_say() -> None:
    proxies = Proxies(http="http://proxy.example:3128", no_proxy="b.example")
    defaults = RequestDefaults([(b"User-Agent", b"us")], proxies, timeout=5.0, max_bytes=100)

    request = defaults.get_request("http://a.example/")

    assert (request.method, request.url, request.body) == ("GET", "http://a.example/", b"")
    assert (request.headers, request.timeout, request.max_bytes) == ([(b"User-Agent", b"us")], 5.0, 100)
    assert request.proxy == "http://proxy.example:3128"
    assert defaults.get_request("http://b.example/").proxy is None
