"""Hostile pages cost one page: the crawl continues, and the page is marked."""

from __future__ import annotations

import re
import zlib

import brotli
import pytest
from crawling import Answer, Ran, SmallSite, crawl

HTML = {"Content-Type": "text/html; charset=utf-8"}
MEGABYTE = 1_000_000


def html(body: bytes, **headers: str) -> Answer:
    return Answer(b"<html><title>A page</title><body><p>Some text.</p>" + body, headers=HTML | headers)


def hostile_pages() -> dict[str, Answer]:
    gzipped, brotlied = zlib.compressobj(9, wbits=31), brotli.Compressor(quality=1)
    blank = b" " * MEGABYTE
    gzip_bomb = gzipped.compress(b"<p>Some text.</p>") + b"".join(gzipped.compress(blank) for _ in range(300))
    brotli_bomb = brotlied.process(b"<p>Some text.</p>") + b"".join(
        brotlied.process(blank) for _ in range(100)
    )
    return {
        "/attributes": html(b"<p " + b" ".join(b"a%d=1" % n for n in range(40_000)) + b">x"),
        "/nested": html(b"<div>" * 200_000),
        "/nested-inline": html(b"<b><i>" * 100_000),
        "/nested-tables": html(b"<table><tr><td>" * 60_000),
        "/long-attribute": html(b"<p title='" + b"x" * 20 * MEGABYTE + b"'>x"),
        "/endless": Answer(html(b"").body, headers=HTML, endless=b"<p>and so on</p>" * 1000),
        "/gzip-bomb": Answer(gzip_bomb + gzipped.flush(), headers=HTML | {"Content-Encoding": "gzip"}),
        "/brotli-bomb": Answer(brotli_bomb + brotlied.finish(), headers=HTML | {"Content-Encoding": "br"}),
        "/million-tags": html(b"<br>" * MEGABYTE),
        "/many-links": html(b"".join(b"<a href=/x%d>x</a>" % n for n in range(100_000))),
        "/many-forms": html(b"<form><input name=q></form>" * 10_000),
        "/many-options": html(b"<form><select name=s>" + b"<option>a" * 200_000 + b"</select></form>"),
        "/not-utf8": html(b"\xff\xfe\xfa caf\xe9" * 1000),
        "/unknown-charset": Answer(
            b"<p>Some text.</p>", headers={"Content-Type": "text/html; charset=x-no-such"}
        ),
        "/nul": html(b"\0" * 100_000 + b"<p>after</p>"),
        "/binary": Answer(bytes(range(256)) * 4000, headers=HTML),
        "/huge-comment": html(b"<!--" + b"x" * 5 * MEGABYTE),
        "/entities": html(b"&amp;&#x1F600;&nosuch;" * 100_000),
    }


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    pages = hostile_pages()
    home = (
        "<title>Home</title>" + "".join(f"<a href={path}>x</a>" for path in pages) + "<a href=/last>last</a>"
    )

    def answer(path: str) -> Answer | str | None:
        if path == "/":
            return home
        if path == "/last":
            return "<title>The last page</title><p>It is still read.</p>"
        return pages.get(path)

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_MAX_HOPS": 1}
        return crawl(tmp_path_factory.mktemp("hostile"), [site.url], allowed)


def test_crawl_goes_on(crawled: Ran) -> None:
    assert crawled.code == 0, crawled.output
    assert crawled.rows("SELECT count(*) FROM links WHERE state IN (0, 1)") == [(0,)]
    assert crawled.rows("SELECT count(*) FROM pages WHERE title = 'The last page'") == [(1,)]


def test_memory_stays_bounded(crawled: Ran) -> None:
    assert 60 < crawled.peak_mb < 400  # about 90 of them before the first page


def test_no_page_takes_long(crawled: Ran) -> None:
    assert crawled.rows("SELECT count(*) > 15 FROM pages") == [(1,)]
    assert (
        crawled.seconds < 20
    )  # all of them, 5 on a busy machine; one blocked a plain parser for half a minute


@pytest.mark.parametrize(
    ("path", "marks"),
    [
        ("/attributes", {"tag_cut"}),
        ("/nested", {"too_deep"}),
        ("/nested-inline", {"too_deep", "many_tags"}),
        ("/nested-tables", {"too_deep"}),
        ("/long-attribute", {"truncated", "tag_cut"}),
        ("/endless", {"truncated"}),
        ("/gzip-bomb", {"truncated"}),
        ("/brotli-bomb", {"truncated"}),
        ("/many-links", {"many_links"}),
        ("/not-utf8", {"bad_charset", "charset_guessed"}),
    ],
)
def test_page_is_marked(crawled: Ran, path: str, marks: set[str]) -> None:
    ((found,),) = crawled.rows("SELECT marks FROM pages WHERE url LIKE ?", f"%{path}")

    assert marks & set(re.split(r"\s+", found)), found
