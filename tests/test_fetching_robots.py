from __future__ import annotations

import pytest

from hiddenweb.fetching.robots import (
    LONGEST_CRAWL_DELAY,
    MAX_BYTES,
    TRY_AGAIN_AFTER,
    VALID_FOR,
    Rules,
    product_token,
    robots_tag,
)

AGENT = "hiddenweb/0.1 (+mailto:bot@example.org)"
SITE = "https://a.example"


def rules(text: str | bytes, status: int | None = 200) -> Rules:
    return Rules.from_answer(status, text.encode() if isinstance(text, str) else text, at=1000.0)


@pytest.mark.parametrize(
    ("status", "allowed", "valid"),
    [
        (200, False, VALID_FOR),
        (204, False, VALID_FOR),
        (301, True, VALID_FOR),  # too many redirects: unavailable
        (400, True, VALID_FOR),
        (401, True, VALID_FOR),
        (403, True, VALID_FOR),
        (404, True, VALID_FOR),
        (410, True, VALID_FOR),
        (429, False, TRY_AGAIN_AFTER),
        (500, False, TRY_AGAIN_AFTER),
        (503, False, TRY_AGAIN_AFTER),
        (None, False, TRY_AGAIN_AFTER),
    ],
)
def test_the_status_decides_what_holds_and_for_how_long(
    status: int | None, *, allowed: bool, valid: float
) -> None:
    found = rules("User-agent: *\nDisallow: /", status)

    assert found.allowed(f"{SITE}/page", AGENT) is allowed
    assert found.until == 1000.0 + valid


def test_unknown_says_nothing_about_pace_and_sitemaps() -> None:
    for status in (404, 503, None):
        found = rules("User-agent: *\nCrawl-delay: 5\nSitemap: https://a.example/s.xml", status)
        assert (found.crawl_delay(AGENT), found.sitemaps) == (None, ())


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("", "/x", True),
        ("User-agent: *\nDisallow:", "/x", True),
        ("User-agent: *\nDisallow: /", "/", False),
        ("User-agent: *\nDisallow: /a", "/abc", False),
        ("User-agent: *\nDisallow: /a/", "/a", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/bc", True),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/x", False),
        ("User-agent: *\nAllow: /a\nDisallow: /a", "/a", True),  # equally long
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf?a", True),
        ("User-agent: *\nDisallow: /*?q=", "/find?q=1", False),
        ("User-agent: *\nDisallow: /ü", "/%C3%BC", False),
        ("User-agent: *\nDisallow: /a%2Fb", "/a%2fb", False),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("User-agent: hiddenweb\nDisallow: /a\n\nUser-agent: *\nDisallow: /", "/b", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: HiddenWeb\nDisallow: /a", "/b", True),
        ("User-agent: hiddenweb/2.0\nDisallow: /\nUser-agent: *\nAllow: /", "/b", False),
        ("User-agent: hiddenweb/2.0 # us\r\nDisallow: /\r\n", "/b", False),
        ("User-agent: other\nUser-agent: hiddenweb\nDisallow: /", "/b", False),
        ("User-agent: hiddenweb\nDisallow: /a\n\nUser-agent: hiddenweb\nDisallow: /b", "/b", False),  # merged
        ("User-agent: hidden\nDisallow: /", "/b", True),  # somebody else
        ("User-agent: hiddenwebber\nDisallow: /", "/b", True),
        ("User-agent: bot\nDisallow: /", "/b", True),  # a word of our contact
        ("User-agent: example\nDisallow: /\nUser-agent: *\nDisallow: /c", "/b", True),
        ("Disallow: /", "/b", True),  # for nobody
        ("<html><body>Not found</body></html>", "/b", True),
        ("\ufeffUser-agent: *\nDisallow: /", "/b", False),
        ("User-agent: *\rDisallow: /a\rDisallow: /b", "/b", False),
    ],
)
def test_the_longest_match_of_our_group_decides(text: str, path: str, *, allowed: bool) -> None:
    assert rules(text).allowed(SITE + path, AGENT) is allowed


@pytest.mark.parametrize(
    "body",
    [
        "User-agent: *\nDisallow: /x".encode("utf-16"),
        b"\xff\xfe" + "User-agent: *\nDisallow: /x".encode("utf-16-le"),
        b"# caf\xe9 \xff\nUser-agent: *\nDisallow: /x",
        b"# \0\0\nUser-agent: *\nDisallow: /x",
    ],
)
def test_bad_encodings_do_not_hide_the_rules(body: bytes) -> None:
    assert not rules(body).allowed(f"{SITE}/x", AGENT)
    assert rules(body).allowed(f"{SITE}/y", AGENT)


def test_what_lies_beyond_the_limit_is_not_read_and_no_line_is_read_in_part() -> None:
    head = b"User-agent: *\nDisallow: /early\n"
    filler = b"# filler\n" * ((MAX_BYTES - len(head)) // 9 - 100)  # the limit falls into the next line
    last = b"Disallow: /" + b"a" * 2000 + b"\n"
    found = rules(head + filler + last + b"Disallow: /late\n")

    assert not found.allowed(f"{SITE}/early", AGENT)
    assert found.allowed(f"{SITE}/{'a' * 1500}", AGENT)
    assert found.allowed(f"{SITE}/late", AGENT)
    assert len(found.text) <= MAX_BYTES


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("", None),
        ("Crawl-delay: 5", 5.0),
        ("Crawl-delay: 0.5", 0.5),
        ("Crawl-delay: 120", 120.0),  # obeyed in full
        ("Crawl-delay: 99999999", LONGEST_CRAWL_DELAY),
        ("Crawl-delay: soon", None),
        ("Crawl-delay: -1", None),
        ("Crawl-delay: nan", None),
        ("Request-rate: 1/10", 10.0),
        ("Request-rate: 2/1m\nCrawl-delay: 5", 30.0),
    ],
)
def test_crawl_delays_are_read(lines: str, delay: float | None) -> None:
    assert rules(f"User-agent: *\nDisallow: /x\n{lines}").crawl_delay(AGENT) == delay


def test_the_crawl_delay_of_our_group_counts() -> None:
    found = rules("User-agent: *\nCrawl-delay: 9\n\nUser-agent: hiddenweb\nCrawl-delay: 2")

    assert found.crawl_delay(AGENT) == 2.0
    assert found.crawl_delay("another") == 9.0


def test_sitemaps_are_named_once_each() -> None:
    text = "Sitemap: https://a.example/1.xml\nUser-agent: *\nSitemap: https://a.example/2.xml\nSitemap: https://a.example/1.xml"

    assert rules(text).sitemaps == ("https://a.example/1.xml", "https://a.example/2.xml")


@pytest.mark.parametrize("status", [200, 404, 503, None])
def test_rules_survive_being_stored(status: int | None) -> None:
    before = rules("User-agent: *\nDisallow: /ü\nCrawl-delay: 3", status)

    after = Rules.from_json(before.to_json())

    assert after == before
    assert after.allowed(f"{SITE}/%C3%BC", AGENT) == before.allowed(f"{SITE}/%C3%BC", AGENT)
    assert after.crawl_delay(AGENT) == before.crawl_delay(AGENT)


def test_stored_rubbish_is_an_error() -> None:
    with pytest.raises(ValueError, match="kind"):
        Rules.from_json('["maybe", "", 0, 0]')


@pytest.mark.parametrize(
    ("agent", "token"),
    [("HiddenWeb/0.1 (x)", "hiddenweb"), ("hiddenweb", "hiddenweb"), ("", "*"), ("1x", "*")],
)
def test_the_product_token_is_the_name_without_version(agent: str, token: str) -> None:
    assert product_token(agent) == token


@pytest.mark.parametrize(
    ("headers", "asked"),
    [
        ([], set()),
        (["noindex, NoFollow"], {"noindex", "nofollow"}),
        (["noindex", "nofollow"], {"noindex", "nofollow"}),
        (["otherbot: nofollow"], set()),
        (["HiddenWeb: nofollow", "otherbot: none"], {"nofollow"}),
        (["unavailable_after: 25 Jun 2030, nofollow"], {"unavailable_after: 25 jun 2030", "nofollow"}),
    ],
)
def test_headers_ask_of_all_or_of_those_they_name(headers: list[str], asked: set[str]) -> None:
    assert robots_tag(headers, AGENT) == asked
