"""Sites whose search is named by their sitemap only, explored by real crawls; and those that have none, which costs one request at most."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from crawling import Answer, Ran, SmallSite, crawl

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

WORDS = ("amber", "beetle", "candle", "dragon", "ember", "falcon", "garnet", "hollow")
RECORDS = {
    n: f"{WORDS[n % 8]} {WORDS[n * 3 % 8]} stone {n * 7919}, beside a {WORDS[n * 5 % 8]}" for n in range(30)
}
BOX = "<form action=/find role=search>Search <input type=search name=q><button>Search</button></form>"


def page(body: str, title: str = "Stones and birds") -> str:
    return f"<!doctype html><html lang=en><title>{title}</title><p>{body}</p></html>"


def found(path: str) -> str:
    word = parse_qs(urlsplit(path).query).get("q", [""])[0].lower()
    numbers = [n for n, text in RECORDS.items() if word and word in text.replace(",", "").split()]
    rows = "".join(f"<li><b>Stone {n}</b> <p>{RECORDS[n]}</p></li>" for n in numbers)
    return page(f"{len(numbers)} results</p><ol>{rows}</ol>" if rows else "No results found", "Found")


def sitemap(*urls: str, index: bool = False) -> bytes:
    outer, inner = ("sitemapindex", "sitemap") if index else ("urlset", "url")
    named = "".join(f"<{inner}><loc>{url}</loc></{inner}>" for url in urls)
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?><{outer} xmlns="{space}">{named}</{outer}>'.encode()


def explored(
    folder: Path, pages: Mapping[str, Answer | str], spider: str = "harvest", **settings: object
) -> tuple[Ran, list[str]]:
    """Crawl a site of some pages; HOME in them is its address."""

    def answer(path: str) -> Answer | str | None:
        if path.startswith("/find?"):
            return found(path)
        answer = pages.get(path)
        if isinstance(answer, Answer):
            body = answer.body
            plain = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
            filled = plain.replace(b"HOME", site.url.rstrip("/").encode())
            return Answer(gzip.compress(filled) if plain != body else filled, answer.status, answer.headers)
        return answer

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "STATS_DUMP": 1}
        ran = crawl(folder, [site.url], allowed | settings, spider=spider)
    assert ran.code == 0, ran.output
    assert "Traceback" not in ran.output
    return ran, site.requested


ROBOTS = Answer(
    b"User-agent: *\nDisallow: /secret\nSitemap: HOME/index.xml\n", headers={"Content-Type": "text/plain"}
)
XML = {"Content-Type": "application/xml"}


def test_a_search_that_only_the_sitemap_names_is_found_and_asked(tmp_path: Path) -> None:
    named = [f"HOME/goods/{n}" for n in range(50)]
    ran, requested = explored(
        tmp_path,
        {
            "/": page("Welcome to <a href=/about>our stones</a>."),
            "/about": page("Nothing is said about us yet."),
            "/robots.txt": ROBOTS,
            "/index.xml": Answer(
                sitemap("HOME/all.xml.gz", "http://elsewhere.example/s.xml", index=True), headers=XML
            ),
            "/all.xml.gz": Answer(
                gzip.compress(
                    sitemap(*named, "HOME/secret/1", "http://elsewhere.example/", "HOME/stones/search")
                ),
                headers={"Content-Type": "application/gzip"},
            ),
            "/stones/search": page(" ".join(WORDS) + BOX),
            "/secret/1": page("secret"),
        },
    )

    assert ran.rows("SELECT count(*) FROM records") == [(len(RECORDS),)]
    assert requested.index("/stones/search") < requested.index("/goods/0")
    assert "/secret/1" not in requested
    assert requested.count("/index.xml") == requested.count("/all.xml.gz") == 1
    assert "/sitemap.xml" not in requested
    assert "'hiddenweb/sitemaps/explored': 2" in ran.output


def test_a_sitemap_in_the_usual_place_is_tried_where_no_form_is_found_also_if_it_moved(
    tmp_path: Path,
) -> None:
    ran, requested = explored(
        tmp_path,
        {
            "/": page("Welcome."),
            "/sitemap.xml": Answer(b"", 301, {"Location": "/wp-sitemap.xml"}),
            "/wp-sitemap.xml": Answer(sitemap("HOME/tools/stones"), headers=XML),
            "/tools/stones": page(" ".join(WORDS) + BOX),
        },
    )

    assert ran.rows("SELECT count(*) FROM records") == [(len(RECORDS),)]
    assert requested[:4] == ["/robots.txt", "/", "/sitemap.xml", "/wp-sitemap.xml"]


def test_nothing_is_asked_that_nobody_offered_where_a_form_is_found_at_once(tmp_path: Path) -> None:
    _, requested = explored(tmp_path, {"/": page(" ".join(WORDS) + BOX)})

    assert "/sitemap.xml" not in requested


def test_a_site_without_form_and_sitemap_costs_one_request_more_in_all_crawls(tmp_path: Path) -> None:
    for spider in ("explore", "harvest"):
        (tmp_path / spider).mkdir()
        pages = {"/": page("<a href=/a>a</a>"), "/a": page("Nothing here.")}
        _, requested = explored(tmp_path / spider, pages, spider)
        assert requested == ["/robots.txt", "/", "/a", "/sitemap.xml"]


def test_sitemaps_are_not_read_if_nobody_wants_that(tmp_path: Path) -> None:
    pages: dict[str, Answer | str] = {
        "/": page("Welcome."),
        "/robots.txt": ROBOTS,
        "/index.xml": Answer(sitemap("HOME/a"), headers=XML),
    }
    _, requested = explored(tmp_path, pages, HIDDENWEB_SITEMAP_LINKS=0)

    assert requested == ["/robots.txt", "/"]


def test_a_sitemap_brings_no_more_pages_than_allowed_and_after_ordinary_links(tmp_path: Path) -> None:
    linked = "".join(f"<a href=/linked/{n}>{n}</a> " for n in range(30))
    pages: dict[str, Answer | str] = {
        "/": page(" ".join(WORDS) + BOX + linked),
        "/robots.txt": ROBOTS,
        "/index.xml": Answer(sitemap(*(f"HOME/named/{n}" for n in range(3_000))), headers=XML),
    }
    pages |= {f"/linked/{n}": page(f"Page {n} of {RECORDS[n]}, {n * 31} by {n * 77} feet") for n in range(30)}
    pages |= {f"/named/{n}": page(f"Other page {n} of {n * 7919}") for n in range(3_000)}
    ran, requested = explored(tmp_path, pages, HIDDENWEB_SITEMAP_LINKS=25)

    assert sum(path.startswith("/named/") for path in requested) == 25
    assert requested.index("/index.xml") > max(requested.index(f"/linked/{n}") for n in range(30))
    assert "'hiddenweb/sitemaps/links': 25" in ran.output
