from __future__ import annotations

import asyncio

import pytest

from hiddenweb.fetch.errors import FetchError, Refused, Unreachable
from hiddenweb.fetch.robots import (
    MAX_BYTES,
    MAX_CRAWL_DELAY,
    TRY_AGAIN_AFTER,
    VALID_FOR,
    NoRobots,
    RobotsRules,
    fetch_robots,
    product_token,
    robots_tag,
)

AGENT = "hiddenweb/0.1 (+mailto:bot@example.org)"
SITE = "https://a.example"


def rules(text: str | bytes, status: int | None = 200) -> RobotsRules:
    return RobotsRules.from_answer(status, text.encode() if isinstance(text, str) else text, at=1000.0)


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

    assert found.allows(f"{SITE}/page", AGENT) is allowed
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
    assert rules(text).allows(SITE + path, AGENT) is allowed


@pytest.mark.parametrize(
    "between",
    [
        "",
        "\n\n",
        "# a comment",
        "Sitemap: https://a.example/s.xml",
        "Host: a.example",
        "Crawl-delay: 5",
        "Request-rate: 1/10",
        "Visit-time: 0600-0845",
        "Clean-param: sid /",
        "Noindex: /y",
        "What is this?",
        "Content-Signal: ai-train=no",
        "Invalid-Unknown-Line: unknown\n\nAnother: one\nCrawl-delay: 2",
    ],
)
@pytest.mark.parametrize(
    "agents", [("hiddenweb", "*"), ("*", "hiddenweb"), ("hiddenweb", "other"), ("other", "hiddenweb/2 x")]
)
def test_only_rules_end_the_agents_of_a_group(agents: tuple[str, str], between: str) -> None:
    found = rules(f"User-agent: {agents[0]}\n{between}\nUser-agent: {agents[1]}\nDisallow: /x")

    assert not found.allows(f"{SITE}/x", AGENT)
    assert found.allows(f"{SITE}/y", AGENT)


@pytest.mark.parametrize("rule", ["Disallow: /z", "Allow: /", "Disallow:", "dissallow: /z", "Disallow /z"])
def test_a_rule_ends_the_agents_of_a_group(rule: str) -> None:
    found = rules(f"User-agent: hiddenweb\n{rule}\nCrawl-delay: 3\nUser-agent: other\nDisallow: /x")

    assert found.allows(f"{SITE}/x", AGENT)
    assert not found.allows(f"{SITE}/x", "other")
    assert (found.crawl_delay(AGENT), found.crawl_delay("other")) == (3.0, None)


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("foo: hiddenweb\nbar: /", "/x", True),  # no directives
        ("user-agent hiddenweb\ndisallow /", "/x", False),  # no colons
        ("user agent: hiddenweb\nDisAllow : /", "/x", False),
        ("useragent:hiddenweb\ndisallow:/", "/x", False),
        ("User-agents: hiddenweb\nDisallowed: /", "/x", False),
        *[(f"user-agent: *\n{word}: /x", "/x", False) for word in ("dissallow", "dissalow", "disalow", "diasllow", "disallaw")],
        ("user-agent: *\nallowance: /x\ndisallow: /", "/x", False),
        ("user-agentx\nuser-agent: *\ndisallow: /", "/x", False),
        ("\ufeffUser-agent: *\r\n\r\nDisallow: /a\rDisallow: /x\n", "/x", False),
        ("User-agent: * # all\nDisallow: /x # not this", "/x", False),
        ("User-agent: * v2\nDisallow: /x", "/x", False),
        ("User-agent: *bot\nDisallow: /x", "/x", True),  # nobody
        ("User-agent: hiddenweb\nAllow: /\nUser-agent: ツ\nDisallow: /x", "/x", True),  # nobody's rules stay nobody's
        ("User-agent: Hiddenweb Images\nDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /\nUser-agent: hiddenweb", "/x", True),  # named, without a rule
        ("User-agent: hiddenweb\nCrawl-delay: 1\nSitemap: /s\nUser-agent: *\nDisallow: /x", "/x", False),
        ("User-agent: *\nDisallow: /x/page.html\nAllow: /x/", "/x/page.html", False),
        ("User-agent: *\nAllow: /x/page.\nDisallow: /*.html", "/x/page.html", True),
        ("User-agent: *\nAllow: /page\nDisallow: /*.html", "/page.html", False),
        ("User-agent: *\nAllow: /$\nDisallow: /", "/", True),
        ("User-agent: *\nAllow: /$\nDisallow: /", "/page", False),
        ("User-agent: *\nDisallow: /fish*.php", "/fishheads/cat.php?p", False),
        ("User-agent: *\nDisallow: /foo/quz#qux", "/foo/quz", False),
        ("User-agent: *\nDisallow: /X/", "/x/", True),
        ("User-agent: *\nDisallow: /foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar", False),
        ("User-agent: *\nDisallow: /foo/%E3%83%84", "/foo/%e3%83%84", False),
        ("User-agent: *\nDisallow: /foo/ツ", "/foo/%E3%83%84", False),
        ("User-agent: *\nDisallow: /a\x85b\nDisallow: /x", "/x", False),  # no end of a line
        ("User-agent: *\nAllow: /allowed/index.html\nDisallow: /", "/allowed/", True),
        (f"User-agent: *\nDisallow: /{'a' * 20_000}/b", f"/{'a' * 18_000}", False),  # a long line is cut
    ],
)  # fmt: skip
def test_lines_are_read_as_their_authors_meant_them(text: str, path: str, *, allowed: bool) -> None:
    assert rules(text).allows(SITE + path, AGENT) is allowed


def test_a_long_file_of_many_agents_and_paces_is_read_in_no_time() -> None:
    agents = (
        "User-agent: a\nCrawl-delay: 1\n"
        + "".join(f"User-agent: a{'b' * n}\n" for n in range(400))
        + "User-agent: hiddenweb\n"
    )
    found = rules(agents + "Crawl-delay: 5\nDisallow: /x\n" * 5_000 + "Disallow: /y")

    assert not found.allows(f"{SITE}/y", AGENT)
    assert found.crawl_delay("abb") == 5.0


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbbUser-agent: *\nDisallow: /x",
        b"\xefUser-agent: *\nDisallow: /x",
        "User-agent: *\nDisallow: /x".encode("utf-16"),
        b"\xff\xfe" + "User-agent: *\nDisallow: /x".encode("utf-16-le"),
        b"# caf\xe9 \xff\nUser-agent: *\nDisallow: /x",
        b"# \0\0\nUser-agent: *\nDisallow: /x",
    ],
)
def test_bad_encodings_do_not_hide_the_rules(body: bytes) -> None:
    assert not rules(body).allows(f"{SITE}/x", AGENT)
    assert rules(body).allows(f"{SITE}/y", AGENT)


def test_what_lies_beyond_the_limit_is_not_read_and_no_line_is_read_in_part() -> None:
    head = b"User-agent: *\nDisallow: /early\n"
    filler = b"# filler\n" * ((MAX_BYTES - len(head)) // 9 - 100)  # the limit falls into the next line
    last = b"Disallow: /" + b"a" * 2000 + b"\n"
    found = rules(head + filler + last + b"Disallow: /late\n")

    assert not found.allows(f"{SITE}/early", AGENT)
    assert found.allows(f"{SITE}/{'a' * 1500}", AGENT)
    assert found.allows(f"{SITE}/late", AGENT)
    assert len(found.text) <= MAX_BYTES


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("", None),
        ("Crawl-delay: 5", 5.0),
        ("Crawl-delay: 0.5", 0.5),
        ("Crawl-delay: 120", 120.0),  # obeyed in full
        ("Crawl-delay: 99999999", MAX_CRAWL_DELAY),
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

    after = RobotsRules.from_json(before.to_json())

    assert after == before
    assert after.allows(f"{SITE}/%C3%BC", AGENT) == before.allows(f"{SITE}/%C3%BC", AGENT)
    assert after.crawl_delay(AGENT) == before.crawl_delay(AGENT)


def test_stored_rubbish_is_an_error() -> None:
    with pytest.raises(ValueError, match="kind"):
        RobotsRules.from_json('["maybe", "", 0, 0]')


@pytest.mark.parametrize(
    ("agent", "token"),
    [("HiddenWeb/0.1 (x)", "hiddenweb"), ("hiddenweb", "hiddenweb"), ("", "*"), ("1x", "*")],
)
def test_the_product_token_is_the_name_without_version(agent: str, token: str) -> None:
    assert product_token(agent) == token


@pytest.mark.parametrize(
    ("headers", "directives"),
    [
        ([], set()),
        (["noindex, NoFollow"], {"noindex", "nofollow"}),
        (["noindex", "nofollow"], {"noindex", "nofollow"}),
        (["otherbot: nofollow"], set()),
        (["HiddenWeb: nofollow", "otherbot: none"], {"nofollow"}),
        (["unavailable_after: 25 Jun 2030, nofollow"], {"unavailable_after: 25 jun 2030", "nofollow"}),
    ],
)
def test_headers_apply_to_all_or_to_named_agents(headers: list[str], directives: set[str]) -> None:
    assert robots_tag(headers, AGENT) == directives


def fetch_rules(answers: dict[str, str | FetchError]) -> str:
    """Request robots.txt of a.example; an answer that begins with a slash or with http is a redirect."""

    async def send(url: str) -> str:
        answer = answers[url]
        if isinstance(answer, FetchError):
            raise answer
        return answer

    def target_of(answer: str) -> str | None:
        return answer if answer.startswith("http") else None

    return asyncio.run(fetch_robots("http://a.example", send, target_of))


def test_robots_txt_may_have_moved() -> None:
    answers: dict[str, str | FetchError] = {
        "http://a.example/robots.txt": "http://b.example/rules",
        "http://b.example/rules": "User-agent: *",
    }

    assert fetch_rules(answers) == "User-agent: *"


def test_without_an_answer_it_says_why() -> None:
    with pytest.raises(NoRobots, match="no connection"):
        fetch_rules({"http://a.example/robots.txt": Unreachable("no connection")})


def test_what_the_guard_refuses_is_refused_unless_robots_txt_only_sends_us_there() -> None:
    with pytest.raises(Refused):
        fetch_rules({"http://a.example/robots.txt": Refused("it is this machine")})

    answers: dict[str, str | FetchError] = {
        "http://a.example/robots.txt": "http://b.example/rules",
        "http://b.example/rules": Refused("it is this machine"),
    }
    with pytest.raises(NoRobots, match="it is this machine"):
        fetch_rules(answers)
