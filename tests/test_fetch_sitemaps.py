"""Sitemaps, honest and hostile."""

from __future__ import annotations

import gzip
import zlib

import pytest
from timing import within

from hiddenweb.fetch import sitemaps
from hiddenweb.fetch.sitemaps import SitemapEntry, parse_w3c_date, read_sitemap

URL = "https://a.example/sitemap.xml"
NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*entries: str) -> bytes:
    return f'<?xml version="1.0" encoding="UTF-8"?><urlset {NAMESPACE}>{"".join(entries)}</urlset>'.encode()


def entry(path: str, date: str = "") -> str:
    dated = f"<lastmod>{date}</lastmod>" if date else ""
    return f"<url><loc>https://a.example{path}</loc>{dated}</url>"


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("1970-01-01", 86_399.0),  # the whole day
        ("1970-01-01T00:01Z", 119.0),  # the whole minute
        ("1970-01-01T00:00:10Z", 10.0),
        ("1970-01-01T02:00:10.5+02:00", 10.5),
        ("1969-12-31T19:00:10-0500", 10.0),
        (" 1970-01-01T00:00:10 ", 10.0),  # no offset: UTC
        ("1970-01-01 00:00:10", None),
        ("01.02.1970", None),
        ("1970-02-30", None),
        ("0000-01-01", None),
        ("1970", None),
        ("1970-01-01T00:00:00+99:00", None),
        ("١٩٧٠-٠١-٠١", None),
        ("", None),
    ],
)
def test_dates(words: str, moment: float | None) -> None:
    assert parse_w3c_date(words) == moment


def test_pages_and_their_dates_are_read() -> None:
    image = "<image:image xmlns:image='i'><image:loc>https://a.example/i.png</image:loc></image:image>"
    news = "<news:lastmod xmlns:news='n'>2030-01-01</news:lastmod>"
    body = urlset(
        entry("/a?x=1&amp;y=2", "1970-01-01T00:00:10Z"),
        f"<url>{image}<loc>\n https://a.example/b#part </loc>{news}</url>",
        "<url><loc>/c</loc><lastmod>soon</lastmod></url>",
        "<url><loc>mailto:me@a.example</loc></url><url/><other><loc>/d</loc></other>",
    )

    read = read_sitemap(b"\n " + body, URL)

    assert read.pages == (
        SitemapEntry("https://a.example/a?x=1&y=2", 10.0),
        SitemapEntry("https://a.example/b", None),
        SitemapEntry("https://a.example/c", None),
    )
    assert (read.parts, read.why) == ((), "")


def test_an_index_names_parts_and_gzip_is_unpacked() -> None:
    body = f"<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>{URL}.gz</s:loc></s:sitemap></s:sitemapindex>"

    read = read_sitemap(gzip.compress(body.encode()), URL)

    assert (read.pages, read.parts, read.why) == ((), (SitemapEntry(f"{URL}.gz", None),), "")


@pytest.mark.parametrize(
    ("body", "count", "why"),
    [
        pytest.param(
            b'<!DOCTYPE u [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><urlset><url><loc>/&c;</loc></url></urlset>',
            0, "document type", id="entities",
        ),
        pytest.param(
            b'<!DOCTYPE u SYSTEM "http://127.0.0.1:1/x"><urlset><url><loc>/a</loc></url></urlset>',
            0, "document type", id="a file elsewhere",
        ),
        pytest.param(urlset(entry("/a"), entry("/b?x&y")), 1, "not XML", id="a stray ampersand"),
        pytest.param(urlset(entry("/a"))[:-9], 1, "not XML", id="cut"),
        pytest.param(b"<html><p>Nothing here</html>", 0, "<html> is no sitemap", id="a page"),
        pytest.param(b"", 0, "not XML", id="empty"),
        pytest.param(b"\xff\xfe\x00", 0, "", id="bytes"),
        pytest.param(b"<?xml version='1.0' encoding='moon'?><urlset/>", 0, "", id="an unknown encoding"),
        pytest.param(b"<urlset>" + b"<a>" * 3_000_000, 0, "too deep", id="deep"),
        pytest.param(urlset(f"<url><loc>/{'a' * 3_000_000}</loc></url>", entry("/b")), 1, "", id="a long address"),
        pytest.param(gzip.compress(urlset(entry("/a")))[:-12], None, "too early", id="half of a gzip"),
        pytest.param(b"\x1f\x8bnonsense", 0, "compressed wrongly", id="no gzip"),
    ],
)  # fmt: skip
def test_hostile_files_cost_little_and_read_entries_count(body: bytes, count: int | None, why: str) -> None:
    read = within(1, lambda: read_sitemap(body, URL))

    assert why in read.why
    assert bool(read.why) or count
    assert count is None or len(read.pages) == count


def test_no_more_is_read_than_the_protocol_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    read = read_sitemap(urlset(*(entry(f"/{number}") for number in range(12))), URL, most=10)
    assert (len(read.pages), read.why) == (10, "more than 10 entries")

    monkeypatch.setattr(sitemaps, "MAX_BYTES", 100_000)
    packing = zlib.compressobj(wbits=31)
    bomb = packing.compress(urlset(entry("/a"))[:-9] + b" " * 10_000_000) + packing.flush()
    read = read_sitemap(bomb, URL)
    assert (len(read.pages), read.why) == (1, "more than 100,000 bytes")
