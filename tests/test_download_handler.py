from __future__ import annotations

import asyncio
import gzip
import json
import subprocess
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, JsonResponse, Response, TextResponse, XmlResponse
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from hiddenweb.download_handler import HiddenwebDownloadHandler, proxies_in, response_from
from hiddenweb.fetch.errors import BrokenAnswer, Refused, TimedOut
from hiddenweb.fetch.fetcher import HttpResponse
from hiddenweb.fetch.proxies import Proxies
from hiddenweb.model import CrawlTask

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine
    from pathlib import Path

HTML = b"<html><body><p>one</p><p>two</p></body></html>"


class Site:
    """Answers every path with a prepared page, and records the requests."""

    def __init__(self, answers: dict[str, bytes]) -> None:
        self.answers = answers
        self.requests: list[bytes] = []
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                self.requests.append(head)
                if answer := self.answers.get(head.split(b" ")[1].decode()):
                    writer.write(answer)
                    await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


def page(body: bytes = HTML, *headers: bytes, kind: bytes = b"text/html; charset=utf-8") -> bytes:
    lines = [b"HTTP/1.1 200 OK", b"Content-Type: " + kind, b"Content-Length: %d" % len(body), *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


@asynccontextmanager
async def site_at(answers: dict[str, bytes]) -> AsyncIterator[Site]:
    site = Site(answers)
    server = await asyncio.start_server(site.serve, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
        await asyncio.sleep(0)


@asynccontextmanager
async def handling(site: Site, **settings: object) -> AsyncIterator[HiddenwebDownloadHandler]:
    usual = {
        "HIDDENWEB_ALLOW_ADDRESSES": [f"127.0.0.1:{site.port}"],
        "HIDDENWEB_PROXY": "",
        "USER_AGENT": "us",
    }
    handler = HiddenwebDownloadHandler.from_crawler(get_crawler(settings_dict={**usual, **settings}))
    try:
        yield handler
    finally:
        await handler.close()


def run(coroutine: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(coroutine, 30))


def counted(handler: HiddenwebDownloadHandler) -> dict[str, object]:
    assert handler.crawler.stats is not None
    return {
        name.removeprefix("hiddenweb/fetch/"): value
        for name, value in handler.crawler.stats.get_stats().items()
        if name.startswith("hiddenweb/")
    }


def test_a_page_becomes_a_complete_response_of_scrapy() -> None:
    async def test() -> None:
        answers = {
            "/a": page(gzip.compress(HTML), b"Content-Encoding: gzip", b"Set-Cookie: a=1", b"Set-Cookie: b=2")
        }
        async with site_at(answers) as site, handling(site) as handler:
            request = Request(f"http://127.0.0.1:{site.port}/a")
            response = await handler.download_request(request)

            assert isinstance(response, HtmlResponse)
            assert (response.status, response.body, response.url) == (200, HTML, request.url)
            assert response.css("p::text").getall() == ["one", "two"]
            assert response.encoding == "utf-8"
            assert response.headers.getlist("set-cookie") == [b"a=1", b"b=2"]
            assert "Content-Encoding" not in response.headers
            assert str(response.ip_address) == "127.0.0.1"
            assert response.flags == []
            assert request.meta["download_latency"] > 0
            assert counted(handler) == {"requests": 1, "bytes": len(HTML), "connections/opened": 1}

    run(test())


def test_a_request_carries_the_headers_of_the_settings_unless_it_has_its_own() -> None:
    async def test() -> None:
        async with site_at({"/": page()}) as site, handling(site) as handler:
            url = f"http://127.0.0.1:{site.port}/"
            await handler.download_request(Request(url))
            await handler.download_request(Request(url, headers={"user-agent": "me", "X": ["1", "2"]}))

            first, second = (set(request.split(b"\r\n")[1:]) for request in site.requests)
            assert b"User-Agent: us" in first
            assert {b"User-Agent: me", b"X: 1", b"X: 2"} <= second
            assert b"User-Agent: us" not in second
            assert any(line.startswith(b"Accept: text/html") for line in first & second)

    run(test())


def test_a_page_beyond_the_limit_is_cut_and_flagged() -> None:
    async def test() -> None:
        async with site_at({"/": page()}) as site, handling(site, HIDDENWEB_MAX_BYTES=20) as handler:
            url = f"http://127.0.0.1:{site.port}/"
            response = await handler.download_request(Request(url))
            whole = await handler.download_request(Request(url, meta={"download_maxsize": 1000}))
            unsaid = await handler.download_request(Request(url, meta={"download_maxsize": 0}))

            assert (response.body, response.flags) == (HTML[:20], ["truncated"])
            assert (whole.body, whole.flags) == (HTML, [])
            assert unsaid.body == response.body
            assert counted(handler)["truncated"] == 2

    run(test())


def test_failures_keep_their_own_types_and_are_counted() -> None:
    async def test() -> None:
        answers = {"/broken": b"nonsense\r\n\r\n", "/silent": b""}
        async with site_at(answers) as site, handling(site) as handler:
            base = f"http://127.0.0.1:{site.port}"
            with pytest.raises(BrokenAnswer):
                await handler.download_request(Request(f"{base}/broken"))
            with pytest.raises(TimedOut):
                await handler.download_request(Request(f"{base}/silent", meta={"download_timeout": 0.1}))
            with pytest.raises(Refused):
                await handler.download_request(Request("http://127.0.0.1:1/"))

            counts = counted(handler)
            assert (counts["broken"], counts["timed_out"], counts["refused"], counts["requests"]) == (
                1,
                1,
                1,
                3,
            )

    run(test())


@pytest.mark.parametrize(("setting", "meta"), [(0.1, {}), (1000, {"download_timeout": 0.1})])
def test_a_timeout_of_the_request_wins_over_that_of_the_settings(
    setting: float, meta: dict[str, float]
) -> None:
    async def test() -> None:
        async with site_at({}) as site, handling(site, DOWNLOAD_TIMEOUT=setting) as handler:
            with pytest.raises(TimedOut):
                await handler.download_request(Request(f"http://127.0.0.1:{site.port}/", meta=meta))

    run(test())


def test_the_proxy_of_the_request_wins_over_that_of_the_settings() -> None:
    async def test() -> None:
        url = "http://some.example/x"
        async with site_at({url: page(b"first")}) as first, site_at({url: page(b"second")}) as second:
            async with handling(first, HIDDENWEB_PROXY=f"http://127.0.0.1:{first.port}") as handler:
                by_settings = await handler.download_request(Request(url))
                meta = {"proxy": f"http://127.0.0.1:{second.port}"}
                by_request = await handler.download_request(Request(url, meta=meta))

            assert (by_settings.body, by_request.body) == (b"first", b"second")

    run(test())


def test_without_a_setting_the_environment_names_the_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://p:1")
    monkeypatch.setenv("https_proxy", "http://q:1")
    monkeypatch.setenv("no_proxy", "a.example")

    assert proxies_in(Settings()) == Proxies("http://p:1", "http://q:1", "a.example")
    assert proxies_in(Settings({"HIDDENWEB_PROXY": ""})) == Proxies()
    assert proxies_in(Settings({"HIDDENWEB_PROXY": "r:1"})) == Proxies("r:1", "r:1")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:80,nonsense"}, "nonsense"),
        ({"HIDDENWEB_PROXY": "socks5://p:1"}, "socks5"),
    ],
)
def test_bad_settings_are_errors_that_name_what_is_bad(settings: dict[str, str], named: str) -> None:
    async def test() -> None:
        with pytest.raises(ValueError, match=named):
            HiddenwebDownloadHandler.from_crawler(get_crawler(settings_dict=settings))

    run(test())


@pytest.mark.parametrize(
    ("content_type", "body", "kind"),
    [
        (b"text/html", HTML, HtmlResponse),
        (b"TEXT/HTML;charset=x", HTML, HtmlResponse),
        (b"application/xhtml+xml", HTML, HtmlResponse),
        (b"text/plain", b"x", TextResponse),
        (b"application/xml", b"<a/>", XmlResponse),
        (b"application/json", b"{}", JsonResponse),
        (b"image/png", b"\x89PNG\r\n\x1a\n\0", Response),
        (b"", HTML, HtmlResponse),
        (b"", b"\0\1\2", Response),
    ],
)
def test_the_class_of_a_response_is_the_one_scrapy_would_choose(
    content_type: bytes, body: bytes, kind: type[Response]
) -> None:
    headers = [(b"content-type", content_type)] if content_type else []

    response = response_from(HttpResponse(200, headers, body, "http://a.example/x", "192.0.2.1"))

    assert type(response) is kind


CRAWL = """
import json, sys
from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess

canary, loop = sys.argv[1:3]
seen = []

class TestSpider(Spider):
    name = "test"

    async def start(self):
        for url in sys.argv[3:]:
            yield Request(url, self.parse, errback=self.failed)

    def parse(self, response):
        seen.append([response.url, response.css("p::text").getall()])

    def failed(self, failure):
        seen.append([failure.request.url, failure.type.__name__])

handler = "hiddenweb.download_handler.HiddenwebDownloadHandler"
process = CrawlerProcess({
    "DOWNLOAD_HANDLERS": {"http": handler, "https": handler, "file": None, "data": None, "ftp": None, "s3": None},
    "HIDDENWEB_PROXY": canary, "EVENT_LOOP": loop or None, "LOG_LEVEL": "WARNING", "RETRY_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False, "REMOTE_CONTROL_ENABLED": False,
})
crawler = process.create_crawler(TestSpider)
process.crawl(crawler)
process.start()
print(json.dumps([sorted(seen), crawler.stats.get_stats().get("hiddenweb/fetch/requests")]))
"""


@pytest.mark.parametrize("loop", ["", "uvloop.Loop"])
def test_a_crawl_with_all_of_scrapys_own_parts_works(root: Path, loop: str) -> None:
    async def test() -> tuple[list[object], str]:
        good = "http://good.example/"
        answers = {
            good: page(gzip.compress(HTML), b"Content-Encoding: gzip"),
            "http://bad.example/": b"rubbish\n",
        }
        async with site_at(answers) as proxy:
            urls = [good, "http://bad.example/", "http://127.0.0.1:9/", "file:///etc/passwd"]
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-W", "error", "-c", CRAWL, f"http://127.0.0.1:{proxy.port}", loop, *urls,
                cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )  # fmt: skip
            out, errors = await asyncio.wait_for(process.communicate(), 60)
            return json.loads(out), errors.decode()

    (seen, requests), errors = asyncio.run(test())

    assert seen == [
        ["file:///etc/passwd", "NotSupported"],
        ["http://127.0.0.1:9/", "BlockedAddress"],
        ["http://bad.example/", "BrokenAnswer"],
        ["http://good.example/", ["one", "two"]],
    ]
    assert requests == 3
    assert errors == ""


def test_redirects_of_a_robots_txt_are_followed_and_those_of_a_page_are_not() -> None:
    async def scenario() -> None:
        moved = b"HTTP/1.1 302 Found\r\nLocation: /rules\r\nContent-Length: 0\r\n\r\n"
        answers = {"/robots.txt": moved, "/page": moved, "/rules": page(b"User-agent: *", kind=b"text/plain")}
        async with site_at(answers) as site, handling(site) as handler:
            home = f"http://127.0.0.1:{site.port}"
            robots = CrawlTask(-1, 1, 1, f"{home}/robots.txt", "robots")
            rules = await handler.download_request(Request(robots.url, meta={"hiddenweb": robots}))
            other = await handler.download_request(Request(f"{home}/page"))

            assert (rules.url, rules.body) == (f"{home}/rules", b"User-agent: *")
            assert other.status == 302
            assert counted(handler)["requests"] == 3

    run(scenario())
