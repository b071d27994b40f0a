"""Querying a form of a small site, with obstacles in the way."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from crawling import Answer, Ran, SmallSite, crawl

from hiddenweb.html.reader import read_page
from hiddenweb.model import HttpQuery
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from http.server import BaseHTTPRequestHandler
    from pathlib import Path

FORM = "<form action=/find role=search>Search <input type=search name=q><button>Search</button></form>"
WORDS = [
    "amber",
    "beetle",
    "candle",
    "dragon",
    "ember",
    "falcon",
    "garnet",
    "hollow",
    "indigo",
    "jasper",
    "kestrel",
    "lantern",
]
RECORDS = {
    number: f"{WORDS[number % 12]} {WORDS[number * 5 % 12]} number {number}: {WORDS[number * 7 % 12]} and more"
    for number in range(60)
}


def home(extra: str = "") -> str:
    return f"<html lang=en><title>Stones and birds</title><p>{' '.join(WORDS)}.</p>{FORM}{extra}</html>"


def answer(word: str) -> str:
    found = {number: text for number, text in RECORDS.items() if word and word.lower() in text}
    items = "".join(
        f"<li><a href=/record/{number}>Record {number}</a> {text}</li>" for number, text in found.items()
    )
    body = f"<p>{len(found)} results</p><ol>{items}</ol>" if found else "<p>No results found</p>"
    return f"<html lang=en><title>Found</title>{FORM}{body}</html>"


class Collection:
    """A small site with sixty records behind its form, and something that may go wrong."""

    def __init__(
        self,
        extra: str = "",
        robots: str | None = None,
        trouble: Callable[[int], Answer | None] | None = None,
        front: Answer | str | None = None,
    ) -> None:
        self.words: list[str] = []
        self._front = front or home(extra)
        self._robots = robots
        self._trouble = trouble

    def __call__(self, path: str) -> Answer | str | None:
        parts = urlsplit(path)
        if parts.path == "/find":
            sent = parse_qs(parts.query)
            word = (sent.get("q") or sent.get("words") or [""])[0]
            self.words.append(word)
            wrong = self._trouble(len(self.words)) if self._trouble else None
            return wrong or answer(word)
        if parts.path == "/robots.txt":
            return self._robots
        if match := re.fullmatch(r"/record/(\d+)", parts.path):
            return f"<html lang=en><title>Record {match[1]}</title><p>{RECORDS[int(match[1])]}</p></html>"
        return self._front if parts.path == "/" else None


class PostingSite(SmallSite):
    """A small site that reads what is posted as if it stood in the address."""

    def __init__(self, collection: Collection) -> None:
        super().__init__(collection)

        def do_post(handler: BaseHTTPRequestHandler) -> None:
            sent = handler.rfile.read(int(handler.headers["Content-Length"]))
            handler.path += f"?{sent.decode()}"
            handler.do_GET()  # type: ignore[attr-defined]

        self._server.RequestHandlerClass.do_POST = do_post  # type: ignore[attr-defined]


def harvest(folder: Path, collection: Collection, **settings: object) -> Ran:
    with SmallSite(collection) as site:
        allowed = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
            "HIDDENWEB_RETRIES": 0,
            "HIDDENWEB_QUERIES_PER_FORM": 13,
        }
        return crawl(folder, [site.url], allowed | settings)


def test_records_behind_the_form_are_found_and_their_pages_read_once(tmp_path: Path) -> None:
    collection = Collection()

    ran = harvest(tmp_path, collection, HIDDENWEB_DETAIL_PAGES="always")

    assert len(collection.words) == len(set(collection.words)) == 13
    ((records,),) = ran.rows("SELECT count(*) FROM records")
    assert records >= 35
    assert ran.rows("SELECT count(*) FROM pages WHERE kind = 'record'") == [(records,)]
    assert ran.rows("SELECT count(*) FROM documents WHERE behind_form") == [(records,)]


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(lambda turn: Answer(b"down", 500) if turn == 2 else None, id="error of the server"),
        pytest.param(lambda turn: Answer(b"gone", 404) if turn == 2 else None, id="not found"),
        pytest.param(
            lambda turn: Answer(b"\x1f\x8b", headers={"Content-Encoding": "gzip"}) if turn == 2 else None,
            id="broken answer",
        ),
        pytest.param(
            lambda turn: (
                Answer(status=302, headers={"Location": "http://elsewhere.example/"}) if turn == 2 else None
            ),
            id="sent to another site",
        ),
    ],
)
def test_question_without_an_answer_is_followed_by_the_next(
    tmp_path: Path, trouble: Callable[[int], Answer | None]
) -> None:
    collection = Collection(trouble=trouble)

    ran = harvest(tmp_path, collection)

    assert ran.rows("SELECT state, queries FROM forms") == [("queried", 13)]
    assert ran.rows("SELECT count(*) FROM submissions WHERE state = 'planned'") == [(0,)]


def test_form_whose_action_robots_txt_forbids_is_not_asked_and_says_why(tmp_path: Path) -> None:
    collection = Collection(robots="User-agent: *\nDisallow: /find")

    ran = harvest(tmp_path, collection)

    assert collection.words == []
    assert ran.rows("SELECT state, why FROM forms") == [("done", "robots.txt forbids it")]


def test_question_that_a_link_asks_too_is_read_as_an_answer(tmp_path: Path) -> None:
    popular = "".join(f"<a href='/find?q={word}'>{word}</a> " for word in WORDS)
    collection = Collection(extra=popular)

    ran = harvest(tmp_path, collection)

    ((queries,),) = ran.rows("SELECT queries FROM forms")
    assert queries >= 5
    assert ran.rows("SELECT count(*) FROM records")[0][0] >= 35


def test_forms_of_a_site_take_turns_and_one_that_finds_what_is_known_is_asked_no_more(tmp_path: Path) -> None:
    again = FORM.replace("name=q", "name=words")
    collection = Collection(extra=again)

    ran = harvest(tmp_path, collection, HIDDENWEB_QUERIES_PER_FORM=100)

    (first, why_first, first_asked), (second, why, asked_second) = ran.rows(
        "SELECT state, why, queries FROM forms ORDER BY queries DESC"
    )
    assert (first, second) == ("done", "done")
    assert "60 of" in why_first or "all 60" in why_first
    assert why == "it finds what other forms of its site found before"
    assert asked_second < first_asked
    asked_of = [form for (form,) in ran.rows("SELECT form FROM submissions ORDER BY id")]
    assert asked_of == sorted(asked_of, key=asked_of.index)  # one after the other


def test_more_questions_are_asked_when_more_are_allowed_later(tmp_path: Path) -> None:
    collection = Collection()
    with SmallSite(collection) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        crawl(tmp_path, [site.url], allowed | {"HIDDENWEB_QUERIES_PER_FORM": 2})
        crawl(tmp_path, [site.url], allowed | {"HIDDENWEB_QUERIES_PER_FORM": 5})

    assert len(collection.words) == len(set(collection.words)) == 5


def test_explore_finds_the_form_and_harvest_asks_it_later(tmp_path: Path) -> None:
    collection = Collection()
    with SmallSite(collection) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        explored = crawl(tmp_path, [site.url], allowed, spider="explore")
        before = list(collection.words)
        forms = explored.rows("SELECT may_submit, state FROM forms")
        crawl(tmp_path, [site.url], allowed)

    assert (before, forms) == ([], [(1, "found")])
    assert len(collection.words) >= 5


@pytest.mark.parametrize("spiders", [["harvest"], ["explore", "harvest"]])
def test_page_whose_charset_only_the_server_names_is_asked_for_its_own_words(
    tmp_path: Path, spiders: list[str]
) -> None:
    greek = ["κεχριμπάρι", "κερί", "δράκος", "γεράκι", "γρανάτης"]
    source = f"<html><title>Stones</title><p>{' '.join(greek)}.</p>{FORM}</html>".encode("iso-8859-7")
    assert "κερί" not in read_page(source, "http://a.example/").text  # it would be guessed wrong
    front = Answer(source, headers={"Content-Type": "text/html; charset=iso-8859-7"})
    with SmallSite(Collection(front=front)) as site:
        for spider in spiders:
            allowed = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}", "HIDDENWEB_QUERIES_PER_FORM": 3}
            ran = crawl(tmp_path, [site.url], allowed, spider=spider)

    asked_for = [word for (word,) in ran.rows("SELECT keyword FROM submissions")]
    assert len(asked_for) == 3
    assert set(asked_for) <= set(greek)


# POST

POSTED = home().replace("<form ", "<form method=post ")
ALLOWED = {"HIDDENWEB_ALLOW_POST": "127.0.0.1"}


def test_form_is_posted_no_more_when_its_host_is_no_longer_allowed(tmp_path: Path) -> None:
    collection = Collection(front=POSTED)
    with PostingSite(collection) as site:
        guarded = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        crawl(tmp_path, [site.url], guarded | ALLOWED | {"HIDDENWEB_QUERIES_PER_FORM": 2})
        while_allowed = len(collection.words)
        crawl(tmp_path, [site.url], guarded)
        after = len(collection.words)
        again = crawl(tmp_path, [site.url], guarded | ALLOWED | {"HIDDENWEB_QUERIES_PER_FORM": 5})

    assert (while_allowed, after, len(collection.words)) == (2, 2, 5)
    assert again.rows("SELECT may_submit, state, why FROM forms") == [(1, "queried", "queried 5 times")]


def test_post_that_was_planned_does_not_go_out_without_permission(tmp_path: Path) -> None:
    collection = Collection(front=POSTED)
    with PostingSite(collection) as site:
        guarded = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        crawl(tmp_path, [site.url], guarded | ALLOWED | {"HIDDENWEB_QUERIES_PER_FORM": 1})
        with Store(tmp_path / "state") as state:
            (known,) = state.forms.load_all()
            query = HttpQuery(
                (("q", "jasper"),), "jasper", "POST", f"{site.url}find", b"q=jasper", "text/plain"
            )
            state.sites.want(site.url)
            planned = state.submissions.plan(known.id, query, known.conversation_state, 1.0)
        ran = crawl(tmp_path, [site.url], guarded)

    assert len(collection.words) == 1
    assert ran.rows("SELECT state, why FROM submissions WHERE id = ?", planned) == [
        ("failed", "it is sent by POST, which is no longer allowed for its host")
    ]
    assert ran.rows("SELECT may_submit, state, why FROM forms") == [
        (0, "left", "it is sent by POST, which is not allowed for its site")
    ]
