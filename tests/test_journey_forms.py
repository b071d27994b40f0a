"""Forms beyond one box, submitted by real crawls of small sites: decoys, finders without a box, declared searches, steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from crawling import Answer, Ran, SmallSite, crawl

from hiddenweb.querying.decoy_test import is_nonsense

if TYPE_CHECKING:
    from pathlib import Path

WORDS = ["amber", "beetle", "candle", "dragon", "ember", "falcon", "garnet", "hollow"]
RECORDS = {
    number: f"{WORDS[number % 8]} {WORDS[number * 3 % 8]} number {number}, made of {WORDS[number * 5 % 8]}"
    for number in range(40)
}
BOX = "<form action=/find role=search>Search <input type=search name=q><button>Search</button></form>"

Site = Callable[[str, dict[str, str]], "str | Answer | None"]


def page(body: str, title: str = "Stones and birds", head: str = "") -> str:
    return f"<html lang=en><title>{title}</title>{head}<body>{body}</body></html>"


def listed(numbers: list[int]) -> str:
    items = "".join(f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]}</li>" for n in numbers)
    return page(
        f"<p>{len(numbers)} results</p><ol>{items}</ol>" if numbers else "<p>No results found</p>", "Found"
    )


def containing(word: str) -> list[int]:
    return [number for number, text in RECORDS.items() if word.lower() in text]


def crawl_form(
    folder: Path, home: str, answers: Site, **settings: object
) -> tuple[Ran, list[tuple[str, dict[str, str]]]]:
    """Crawl a site with one page; return the crawl, and every requested path with its query."""

    def answer(path: str) -> str | Answer | None:
        parts = urlsplit(path)
        if parts.path.startswith("/record/"):
            return page(RECORDS[int(parts.path.rpartition("/")[2])], "Record")
        if parts.path == "/":
            return home
        return answers(
            parts.path,
            {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()},
        )

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_RETRIES": 0}
        ran = crawl(folder, [site.url], allowed | {"HIDDENWEB_QUERIES_PER_FORM": 10} | settings)
        paths = [urlsplit(path) for path in site.requested]
    return ran, [
        (
            parts.path,
            {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()},
        )
        for parts in paths
        if parts.path not in ("/", "/robots.txt", "/sitemap.xml") and not parts.path.startswith("/record/")
    ]


# Decoys


def test_a_form_that_answers_nonsense_as_it_answers_words_is_asked_no_more(tmp_path: Path) -> None:
    goods = "".join(
        f"<li><a href=/goods/{n}>Bestseller {n}</a> One of our finest, since 19{n}</li>"
        for n in range(20, 30)
    )
    ran, queries = crawl_form(
        tmp_path,
        page(" ".join(WORDS) + BOX),
        lambda path, _asked: page(f"<ol>{goods}</ol>") if path == "/find" else None,
    )

    words = [query["q"] for path, query in queries if path == "/find"]
    assert [is_nonsense(word) for word in words] == [False, True]
    ((state, why),) = ran.rows("SELECT state, why FROM forms")
    assert state == "done"
    assert "does not search" in why
    assert "the same records" in why


@pytest.mark.parametrize(
    "good",
    [
        "<li><a href=/goods/{n}>Bestseller {n} in {word}</a> One of our finest, since 19{n}</li>",
        "<li><b>Bestseller {n} in {word}</b> One of our finest, since 19{n}</li>",
        "<li><a href=/{word}/{n}>{word}</a> One of our finest, since 19{n}</li>",
    ],
    ids=["with addresses", "without addresses", "with the word in the address"],
)
def test_a_form_that_writes_the_word_into_its_list_is_asked_no_more(tmp_path: Path, good: str) -> None:
    def echo(path: str, query: dict[str, str]) -> str | None:
        if path != "/find":
            return None
        goods = "".join(good.format(n=n, word=query["q"]) for n in range(20, 30))
        return page(f"<h1>Results for {query['q']}</h1><ol>{goods}</ol>", "Found")

    ran, queries = crawl_form(tmp_path, page(" ".join(WORDS) + BOX), echo)

    words = [query["q"] for path, query in queries if path == "/find"]
    assert [is_nonsense(word) for word in words] == [*[False] * (len(words) - 1), True]
    assert len(words) <= 8  # with an empty query and a wildcard
    ((state, why),) = ran.rows("SELECT state, why FROM forms")
    assert state == "done"
    assert "which does not exist, is in its records" in why


def test_a_search_that_finds_the_same_for_two_words_goes_on_when_nonsense_finds_nothing(
    tmp_path: Path,
) -> None:
    synonyms = {"amber": "beetle", "candle": "beetle", "dragon": "beetle", "ember": "beetle"}

    ran, queries = crawl_form(
        tmp_path,
        page(" ".join(WORDS) + BOX),
        lambda path, query: (
            listed(containing(synonyms.get(query["q"].lower(), query["q"]))) if path == "/find" else None
        ),
    )

    words = [query["q"] for path, query in queries if path == "/find"]
    assert len(words) > 5
    assert sum(map(is_nonsense, words)) == 1
    assert ran.rows("SELECT count(*) FROM records")[0][0] > 20


def test_a_search_that_shows_the_same_whenever_it_finds_nothing_is_not_given_up(tmp_path: Path) -> None:
    found: list[str] = []

    def answer(path: str, query: dict[str, str]) -> str | None:
        if path != "/find":
            return None
        found.extend([] if found else [query["q"]])
        return listed(containing(query["q"]) if query["q"] in found else [1, 10, 20, 30, 39])

    ran, queries = crawl_form(tmp_path, page(" ".join(WORDS) + BOX), answer)

    words = [query["q"] for path, query in queries if path == "/find"]
    assert len(words) > 5
    assert sum(map(is_nonsense, words)) == 1
    ((why,),) = ran.rows("SELECT why FROM forms")
    assert "does not search" not in why


def test_nonsense_that_the_server_fails_on_is_asked_once_more_and_no_more(tmp_path: Path) -> None:
    def answer(path: str, query: dict[str, str]) -> str | Answer | None:
        if path != "/find":
            return None
        if is_nonsense(query["q"]):
            return Answer(b"down", 500)
        return listed([number for number in RECORDS if number % 7 == len(query["q"]) % 7])

    ran, queries = crawl_form(tmp_path, page(" ".join(WORDS) + BOX), answer, STATS_DUMP=1)

    words = [query["q"] for path, query in queries if path == "/find"]
    assert sum(map(is_nonsense, words)) == 2
    assert not is_nonsense(words[2])
    assert "'hiddenweb/queries/probes': 2" in ran.output


def test_a_search_whose_records_hold_the_words_is_asked_nonsense_once_to_be_sure(tmp_path: Path) -> None:
    _, queries = crawl_form(
        tmp_path,
        page(" ".join(WORDS) + BOX),
        lambda _path, query: listed([n for n in RECORDS if WORDS[n % 8] == query.get("q", "").lower()]),
    )

    assert len(queries) > 5
    words = [query["q"] for _, query in queries]
    assert sum(map(is_nonsense, words)) == 1
    assert not any(map(is_nonsense, words[:5]))


def test_a_form_that_only_ever_greets_is_asked_three_times(tmp_path: Path) -> None:
    ran, queries = crawl_form(
        tmp_path,
        page(" ".join(WORDS) + BOX),
        lambda _path, _query: page("<p>Welcome to our shop.</p>", "Hello"),
    )

    assert len(queries) == 3
    assert "neither records" in ran.rows("SELECT why FROM forms")[0][0]


def test_a_server_that_fails_does_not_make_a_form_a_decoy(tmp_path: Path) -> None:
    ran, queries = crawl_form(
        tmp_path, page(" ".join(WORDS) + BOX), lambda _path, _query: Answer(b"down", 403)
    )

    assert len(queries) > 3
    assert "does not search" not in ran.rows("SELECT why FROM forms")[0][0]


# Forms without a box for words


def test_a_finder_without_a_box_is_asked_by_its_choices(tmp_path: Path) -> None:
    options = "".join(f"<option value={at}>{word.title()}</option>" for at, word in enumerate(WORDS))
    finder = (
        "<h2>Find a stone</h2><form action=/find><label>Stone <select name=stone><option value=''>All stones</option>"
        f"{options}</select></label><label>Sort by <select name=sort><option>title<option>date</select></label>"
        "<button>Search</button></form>"
    )
    ran, queries = crawl_form(
        tmp_path,
        page(finder),
        lambda _path, query: listed(containing(WORDS[int(query["stone"])]) if query.get("stone") else []),
    )

    stones = [query.get("stone", "") for _, query in queries]
    assert len(stones) == len(set(stones)) >= 8
    assert {query["sort"] for _, query in queries} == {"title"}
    assert ran.rows("SELECT count(*) FROM records")[0][0] == len(RECORDS)
    assert ran.rows("SELECT keyword FROM submissions ORDER BY id LIMIT 1") == [
        ("",)
    ]  # nothing chosen: all of it


def test_a_finder_that_shows_the_same_for_three_choices_is_asked_no_more(tmp_path: Path) -> None:
    options = "".join(f"<option value={at}>{word.title()}</option>" for at, word in enumerate(WORDS))
    finder = (
        "<h2>Find a stone</h2><form action=/find><label>Stone <select name=stone><option value=''>All stones</option>"
        f"{options}</select></label><button>Search</button></form>"
    )
    ran, queries = crawl_form(tmp_path, page(finder), lambda _path, _query: listed([1, 2, 3, 4, 5]))

    assert len(queries) <= 3
    assert ran.rows("SELECT count(*) FROM records") == [(5,)]
    assert ran.rows("SELECT state FROM forms") == [("done",)]


def test_a_choice_that_must_be_made_is_made(tmp_path: Path) -> None:
    form = (
        "<form action=/find role=search>Search <input type=search name=q>"
        "<select name=part required><option value=''>Please choose<option value=s>Stones<option value=b>Birds</select>"
        "<button>Search</button></form>"
    )
    _, queries = crawl_form(
        tmp_path,
        page(" ".join(WORDS) + form),
        lambda _path, query: listed(containing(query["q"]) if query.get("part") else []),
    )

    assert len(queries) >= 5
    assert all(query["part"] in ("s", "b") for _, query in queries)


def test_values_of_your_own_fill_a_box_that_must_be_filled(tmp_path: Path) -> None:
    form = (
        "<form action=/find role=search>Search <input type=search name=q>"
        "<label>Quarry <input name=quarry required></label><button>Search</button></form>"
    )
    values = tmp_path / "values.toml"
    values.write_text('[quarry]\nvalues = ["Blackstone"]\n', encoding="utf-8")

    _, queries = crawl_form(
        tmp_path,
        page(" ".join(WORDS) + form),
        lambda _path, query: listed(containing(query["q"]) if query.get("quarry") else []),
        HIDDENWEB_VALUES=values,
    )

    assert queries
    assert {query["quarry"] for _, query in queries} == {"Blackstone"}


def test_a_box_that_nobody_knows_what_to_fill_in_with_is_not_guessed(tmp_path: Path) -> None:
    form = (
        "<form action=/find role=search>Search <input type=search name=q>"
        "<label>Quarry <input name=quarry required></label><button>Search</button></form>"
    )
    ran, queries = crawl_form(tmp_path, page(" ".join(WORDS) + form), lambda _path, _query: listed([]))

    assert queries == []
    assert "quarry" in ran.rows("SELECT why FROM forms")[0][0].lower()


# Declared searches


def test_a_search_that_only_an_opensearch_description_names_is_asked(tmp_path: Path) -> None:
    description = (
        "<OpenSearchDescription xmlns='http://a9.com/-/spec/opensearch/1.1/'><ShortName>Stones</ShortName>"
        f"<Description>Search stones: {' '.join(WORDS)}</Description>"
        "<Url type='text/html' template='/find?words={searchTerms}'/></OpenSearchDescription>"
    )

    def answers(path: str, query: dict[str, str]) -> str | Answer | None:
        if path == "/search.xml":
            return Answer(
                description.encode(), headers={"Content-Type": "application/opensearchdescription+xml"}
            )
        return listed(containing(query["words"])) if path == "/find" else None

    head = "<link rel=search type=application/opensearchdescription+xml href=/search.xml>"
    ran, queries = crawl_form(tmp_path, page("<p>Stones</p>", head=head), answers)

    assert len([query for path, query in queries if path == "/find"]) > 5
    assert ran.rows("SELECT count(*) FROM records")[0][0] > 20


def test_a_declared_search_that_stands_on_the_page_as_a_form_is_not_asked_twice(tmp_path: Path) -> None:
    declared = (
        '<script type="application/ld+json">{"@context": "https://schema.org", "@type": "WebSite", "potentialAction":'
        '{"@type": "SearchAction", "target": "/find?q={words}", "query-input": "required name=words"}}</script>'
    )
    ran, queries = crawl_form(
        tmp_path,
        page(" ".join(WORDS) + BOX, head=declared),
        lambda _path, query: listed(containing(query.get("q", ""))),
    )

    assert len(queries) >= 5
    assert ran.rows("SELECT count(*) FROM forms WHERE may_submit") == [(1,)]


# Steps


def test_another_form_in_the_answer_is_asked_in_its_turn(tmp_path: Path) -> None:
    first = (
        "<h2>Search our collection</h2><form action=/step><label>Collection <select name=part>"
        "<option value=''>All<option value=1>Stones<option value=2>Birds</select></label><button>Search</button></form>"
    )

    def answers(path: str, query: dict[str, str]) -> str | Answer | None:
        if path == "/step":
            return page(f"<p>{' '.join(WORDS)}</p>{BOX}", "Second step")
        return listed(containing(query["q"])) if path == "/find" else None

    ran, queries = crawl_form(tmp_path, page(first), answers)

    assert [path for path, _ in queries].count("/find") >= 5
    assert ran.rows("SELECT count(*) FROM records")[0][0] > 20


# Leaving alone


@pytest.mark.parametrize(
    "form",
    [
        "<form action=/find rel=nofollow role=search><input type=search name=q><button>Search</button></form>",
        "<form action=/find method=post role=search><input type=search name=q><button>Search</button></form>",
        "<form action=/find role=search><input type=search name=q><input type=password name=p><button>Search</button></form>",
        "<form action=/find role=search><input type=search name=q><input type=hidden name=action value=delete><button>Search</button></form>",
        "<form action='javascript:find()' role=search><input type=search name=q><button>Search</button></form>",
        "<div role=search><input type=search placeholder=Search></div>",
    ],
    ids=["nofollow", "post", "password", "command", "script", "no form"],
)
def test_what_must_not_be_submitted_is_not(tmp_path: Path, form: str) -> None:
    ran, queries = crawl_form(tmp_path, page(" ".join(WORDS) + form), lambda _path, _query: listed([]))

    assert queries == []
    assert ran.rows("SELECT may_submit, state FROM forms") == [(0, "left")]
    assert ran.rows("SELECT count(*) FROM submissions") == [(0,)]


UNFOLLOWED = page(" ".join(WORDS) + BOX, head="<meta name=robots content=nofollow>")


def test_nofollow_keeps_us_from_links_not_from_the_search_of_a_site_that_the_user_names(
    tmp_path: Path,
) -> None:
    nofollow = "<meta name=robots content=nofollow>"
    linked = page(f"{' '.join(WORDS)}{BOX}<a href=/elsewhere>Elsewhere</a>", head=nofollow)

    def answers(path: str, given: dict[str, str]) -> str | None:
        if path != "/find":
            return None
        numbers, start = containing(given["q"]), int(given.get("from", 0))
        items = "".join(
            f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]}</li>" for n in numbers[start : start + 5]
        )
        further = (
            f"<a href='/find?q={given['q']}&from={start + 5}' rel=nofollow>Next page</a>"
            if numbers[start + 5 :]
            else ""
        )
        return page(f"<p>{len(numbers)} results</p><ol>{items}</ol>{further}", "Found", nofollow)

    ran, queries = crawl_form(tmp_path, linked, answers, HIDDENWEB_DETAIL_PAGES="always", STATS_DUMP=1)

    assert "/elsewhere" not in {path for path, _ in queries}
    assert any("from" in given for _, given in queries)
    records = ran.rows("SELECT count(*) FROM records")[0][0]
    assert records > 20
    assert "'hiddenweb/nofollow/forms': 1" in ran.output
    assert "'hiddenweb/nofollow/answer_pages': " in ran.output
    assert f"'hiddenweb/nofollow/records': {records}" in ran.output
    assert "their links were not explored, their searches were" in ran.output.splitlines()[-1]


def test_a_page_that_says_nofollow_has_its_forms_left_alone_where_that_is_strict(tmp_path: Path) -> None:
    ran, queries = crawl_form(
        tmp_path, UNFOLLOWED, lambda _path, _query: listed([]), HIDDENWEB_NOFOLLOW="strict"
    )

    assert queries == []
    assert ran.rows("SELECT may_submit, state, why FROM forms") == [(0, "left", "its page says nofollow")]


@pytest.mark.parametrize("at_once", [True, False], ids=["in one crawl", "in a later crawl"])
def test_a_form_on_a_page_with_nofollow_is_asked_when_it_stands_on_another_too(
    tmp_path: Path, at_once: bool
) -> None:
    def answer(path: str) -> str | None:
        parts = urlsplit(path)
        if parts.path == "/find":
            words = parse_qs(parts.query).get("q")
            return listed(containing(words[0])) if words else page(f"Type a word {BOX}")
        return {"/": UNFOLLOWED, "/about": page(" ".join(WORDS) + BOX)}.get(parts.path)

    with SmallSite(answer) as site:
        allowed = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
            "HIDDENWEB_QUERIES_PER_FORM": 10,
            "HIDDENWEB_NOFOLLOW": "strict",
        }
        if not at_once:
            crawl(tmp_path, [site.url], allowed)
        ran = crawl(tmp_path, [site.url, f"{site.url}about"], allowed)

    assert len([path for path in site.requested if path.startswith("/find")]) == 10
    assert ran.rows("SELECT may_submit, state, page_url FROM forms") == [(1, "queried", f"{site.url}about")]


def test_a_form_left_alone_for_nofollow_is_submitted_when_a_later_crawl_is_not_strict(tmp_path: Path) -> None:
    def answer(path: str) -> str | None:
        parts = urlsplit(path)
        if parts.path == "/find":
            return listed(containing(parse_qs(parts.query)["q"][0]))
        return UNFOLLOWED if parts.path == "/" else None

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_QUERIES_PER_FORM": 3}
        crawl(tmp_path, [site.url], allowed | {"HIDDENWEB_NOFOLLOW": "strict"})
        assert not [path for path in site.requested if path.startswith("/find")]
        ran = crawl(tmp_path, [site.url], allowed)

    assert ran.rows("SELECT may_submit, state, queries FROM forms") == [(1, "queried", 3)]


@pytest.mark.parametrize("status", [400, 404, 422])
@pytest.mark.parametrize("at_once", [True, False], ids=["in one crawl", "in a later crawl"])
def test_an_error_page_with_a_search_form_is_a_form_page_and_nothing_else(
    tmp_path: Path, status: int, at_once: bool
) -> None:
    def answer(path: str) -> str | Answer | None:
        parts = urlsplit(path)
        if parts.path != "/find":
            return page("<a href=/find>Search the collection</a>") if parts.path == "/" else None
        words = parse_qs(parts.query).get("q")
        missing = page(f"What are you looking for? {' '.join(WORDS)}{BOX}<a href=/trap>Trap</a>")
        return listed(containing(words[0])) if words else Answer(missing.encode(), status=status)

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_QUERIES_PER_FORM": 10}
        if not at_once:
            crawl(tmp_path, [site.url], allowed, spider="explore")
        ran = crawl(tmp_path, [site.url], allowed, spider="harvest")

    assert ran.rows("SELECT count(*) > 20 FROM records") == [(1,)]
    assert ran.rows("SELECT count(*) FROM pages WHERE url LIKE '%/find'") == [(0,)]
    assert "/trap" not in site.requested


@pytest.mark.parametrize("status", [401, 403])
def test_the_form_of_a_page_that_does_not_let_us_in_is_left_alone(tmp_path: Path, status: int) -> None:
    ran, queries = crawl_form(
        tmp_path,
        page("<a href=/members>Members</a>"),
        lambda path, _asked: Answer(page(BOX).encode(), status=status) if path == "/members" else listed([]),
    )

    assert [path for path, _ in queries] == ["/members"]
    assert ran.rows("SELECT count(*) FROM forms") == [(0,)]


def test_a_form_that_comes_again_is_asked_with_choices_that_take_turns(tmp_path: Path) -> None:
    form = (
        "<form action=/find role=search>Search <input type=search name=q><label>Kind <select name=kind><option value=''>"
        "All<option>early<option>late</select></label><button>Search</button></form>"
    )

    def answer(path: str, query: dict[str, str]) -> str | None:
        if path != "/find":
            return None
        if not query.get("kind"):
            return page(f"<p>Please choose a kind.</p>{form}")
        is_late = query["kind"] == "late"
        return listed([number for number in containing(query["q"]) if (number >= 20) == is_late])

    ran, queries = crawl_form(tmp_path, page(" ".join(WORDS) + form), answer)

    kinds = [query["kind"] for path, query in queries if path == "/find"]
    assert kinds[0] == ""
    assert "" not in kinds[1:]
    assert {"early", "late"} <= set(kinds[1:])
    assert ran.rows("SELECT count(*) FROM records")[0][0] > 20


def test_exploring_sends_no_question_that_harvesting_left_open(tmp_path: Path) -> None:
    home = page(" ".join(WORDS) + BOX)

    def answer(path: str) -> str | Answer | None:
        parts = urlsplit(path)
        if parts.path == "/find":
            return Answer(status=503)
        return home if parts.path == "/" else None

    with SmallSite(answer) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_RETRY_DELAY": 0.01}
        crawl(tmp_path, [site.url], allowed | {"HIDDENWEB_RETRIES": 50, "CLOSESPIDER_PAGECOUNT": 4})
        asked = len([path for path in site.requested if path.startswith("/find")])
        ran = crawl(
            tmp_path,
            [site.url],
            allowed | {"HIDDENWEB_SUBMIT": False, "HIDDENWEB_RETRIES": 0},
            spider="explore",
        )
        asked_by_exploring = len([path for path in site.requested if path.startswith("/find")]) - asked

    assert asked >= 1
    assert asked_by_exploring == 0
    assert ran.rows("SELECT count(*) FROM links WHERE submission IS NOT NULL AND state = 0")[0][0] == 1


# Budgets


def test_answers_come_before_pages_of_records_and_have_a_budget_of_their_own(tmp_path: Path) -> None:
    def answer(path: str) -> str | None:
        parts = urlsplit(path)
        if parts.path.startswith("/record/"):
            return page(RECORDS[int(parts.path.rpartition("/")[2])], "Record")
        if parts.path == "/find":
            return listed(containing(parse_qs(parts.query).get("q", [""])[0]))
        return page(" ".join(WORDS) + BOX) if parts.path == "/" else None

    with SmallSite(answer) as site:
        ran = crawl(
            tmp_path,
            [site.url],
            {
                "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
                "HIDDENWEB_RETRIES": 0,
                "HIDDENWEB_QUERIES_PER_FORM": 10,
                "HIDDENWEB_DETAIL_PAGES": "always",
                "HIDDENWEB_DETAIL_PAGES_PER_SITE": 8,
            },
        )
        paths = [urlsplit(path).path for path in site.requested]

    pages_of_records = [place for place, path in enumerate(paths) if path.startswith("/record/")]
    assert len(pages_of_records) == 8
    last_answer = max(place for place, path in enumerate(paths) if path == "/find")
    assert sum(place < last_answer for place in pages_of_records) == 5  # those that decide about the others
    assert ran.rows("SELECT count(*) > 20, count(detail) FROM records") == [(1, 8)]
    assert ran.rows("SELECT left FROM sites") == [("its budget of 8 pages of records is spent",)]
