"""Forms that guard themselves with tokens, sessions and cookies, submitted by real crawls of small sites."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import pytest
from crawling import Ran, crawl
from guarded_sites import (
    WORDS,
    GuardedSite,
    Reply,
    SiteRequest,
    box,
    containing,
    found_records,
    harvested,
    kill_crawl,
    listed,
    page,
    record_page,
)

from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path


class Guard:
    """A search that takes only tokens it gave out, with the cookie it gave with them; each token so often."""

    def __init__(
        self,
        *,
        method: str = "get",
        uses: int = 1000,
        cookie: bool = True,
        token: bool = True,
        refusal: int | str = 403,
        form_on_answers: bool = False,
        cookie_everywhere: bool = False,
    ) -> None:
        self.method = method
        self.uses = uses
        self.needs_cookie = cookie
        self.has_token = token
        self.refusal = refusal
        self.form_on_answers = form_on_answers
        self.cookie_everywhere = cookie_everywhere
        self.given: dict[str, str] = {}  # token: session
        self.used: dict[str, int] = {}
        self.refused: list[str] = []
        self.answered: list[str] = []
        self._numbers = count(1)

    def __call__(self, request: SiteRequest) -> Reply | str | None:
        if request.path == "/":
            return self.front(request)
        if request.path == "/find":
            return self.find(request)
        return record_page(request.path)

    def front(self, request: SiteRequest, words: str = " ".join(WORDS), status: int = 200) -> Reply:
        session = request.cookies.get("sid") or f"s{next(self._numbers):011x}"
        return Reply(page(words + self.form(session)), status, self.cookies(session))

    def form(self, session: str) -> str:
        token = f"t{next(self._numbers):031x}"
        self.given[token] = session
        hidden = f"<input type=hidden name=csrf_token value={token}>" if self.has_token else ""
        return box(hidden, self.method)

    def cookies(self, session: str) -> list[tuple[str, str]]:
        return [("Set-Cookie", f"sid={session}; Path=/; HttpOnly")] if self.needs_cookie else []

    def find(self, request: SiteRequest) -> Reply | str:
        token, word = request.sent.get("csrf_token", ""), request.sent.get("q", "")
        session = request.cookies.get("sid", "")
        known = token in self.given if self.has_token else True
        bound = not self.needs_cookie or (
            self.given.get(token) == session if self.has_token else session in self.given.values()
        )
        if not (known and bound and self.used.get(token, 0) < self.uses):
            self.refused.append(word)
            return self.refuse(request)
        self.used[token] = self.used.get(token, 0) + 1
        self.answered.append(word)
        return listed(containing(word), self.form(session) if self.form_on_answers else "")

    def refuse(self, request: SiteRequest) -> Reply | str:
        if isinstance(self.refusal, int):
            return Reply(page("<h1>No</h1>"), self.refusal, self.cookies(f"s{next(self._numbers):011x}"))
        if self.refusal == "back":
            return Reply("", 302, [("Location", "/"), *self.cookies(f"s{next(self._numbers):011x}")])
        return self.front(request, f"<p>{self.refusal}</p>")


def stat(ran: Ran, name: str) -> int:
    found = [line for line in ran.output.splitlines() if f"'{name}':" in line]
    return int(found[0].partition(": ")[2].strip(" ,}")) if found else 0


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_form_with_a_token_is_fetched_once_and_asked_often(tmp_path: Path, method: str) -> None:
    guard = Guard(method=method)

    ran, site = harvested(tmp_path, guard)

    assert (len(guard.answered), guard.refused) == (13, [])
    assert site.count()["/"] == 2  # once as a page, once for its token
    assert stat(ran, "hiddenweb/forms/refetched") == 1
    assert found_records(ran) > 30
    assert ran.rows("SELECT count(*) FROM pages WHERE kind = 'page'") == [(1,)]


def test_a_token_that_is_good_once_is_fetched_for_every_question(tmp_path: Path) -> None:
    guard = Guard(uses=1)

    ran, site = harvested(tmp_path, guard)

    assert len(guard.answered) == 13
    assert len(guard.refused) == 1  # by which that was learnt
    assert guard.refused[0] in guard.answered  # and nothing was lost
    assert site.count()["/"] == 14
    assert found_records(ran) > 30


def test_a_token_by_post_that_is_good_once_costs_one_question_which_is_not_sent_again(tmp_path: Path) -> None:
    guard = Guard(method="post", uses=1)

    ran, _ = harvested(tmp_path, guard)

    assert (len(guard.answered), len(guard.refused)) == (12, 1)
    sent = [*guard.answered, *guard.refused]
    assert len(sent) == len(set(sent)) == 13
    assert found_records(ran) > 30


def test_an_answer_with_the_form_on_it_brings_the_next_token_for_nothing(tmp_path: Path) -> None:
    guard = Guard(method="post", uses=1, form_on_answers=True)

    _, site = harvested(tmp_path, guard)

    assert (len(guard.answered), guard.refused) == (13, [])
    assert site.count()["/"] == 2


@pytest.mark.parametrize(
    "refusal",
    [403, 419, 422, "Your session has expired.", "Please search again.", "back"],
    ids=["403", "419", "422", "words", "only the form again", "sent back"],
)
def test_a_form_that_answers_only_with_its_cookie_is_recognised_however_it_refuses(
    tmp_path: Path, refusal: int | str
) -> None:
    guard = Guard(token=False, refusal=refusal)

    ran, site = harvested(tmp_path, guard)

    assert len(guard.answered) == 13
    assert len(guard.refused) == 1
    assert guard.refused[0] in guard.answered
    assert len({request.cookies["sid"] for request in site.requests("/find")[1:]}) == 1
    assert found_records(ran) > 30


def test_a_session_that_ends_is_begun_anew(tmp_path: Path) -> None:
    guard = Guard(uses=4)

    ran, site = harvested(tmp_path, guard)

    assert len(guard.answered) == 13
    assert len(guard.refused) == 3
    assert site.count()["/"] == 5
    assert found_records(ran) > 30


def test_tokens_that_nobody_takes_are_let_alone_after_two_times(tmp_path: Path) -> None:
    guard = Guard(uses=0)

    _, site = harvested(tmp_path, guard)

    assert guard.answered == []
    assert site.count()["/"] <= 4


def test_cookies_go_with_the_questions_of_their_form_and_nowhere_else(tmp_path: Path) -> None:
    guard = Guard()
    with GuardedSite(lambda _asked: page(" ".join(WORDS)), "127.0.0.2") as other, GuardedSite(guard) as site:
        allowed = f"{site.place},{other.place}"
        crawl(tmp_path, [site.url, other.url], {"HIDDENWEB_ALLOW_ADDRESSES": allowed})

    assert all(request.cookie_header for request in site.requests("/find"))
    assert not any(request.cookie_header for request in site.received if request.path != "/find")
    assert site.count().total() > 15  # records too, without it
    assert not any(request.cookie_header for request in other.received)


def test_a_form_that_needs_no_cookies_is_asked_without(tmp_path: Path) -> None:
    guard = Guard(token=False, cookie=False)

    ran, site = harvested(tmp_path, guard)

    assert len(guard.answered) == 13
    assert not any(request.cookie_header for request in site.received)
    assert stat(ran, "hiddenweb/forms/refetched") == 0


def test_robots_txt_is_obeyed_when_a_form_is_fetched_anew(tmp_path: Path) -> None:
    guard = Guard()
    rules = "User-agent: *\nAllow: /"

    def reply(request: SiteRequest) -> Reply | str | None:
        return Reply(rules) if request.path == "/robots.txt" else guard(request)

    with GuardedSite(reply) as site:
        allowed = {"HIDDENWEB_ALLOW_ADDRESSES": site.place, "HIDDENWEB_RETRIES": 0}
        crawl(tmp_path, [site.url], allowed, spider="explore")
        with Store(tmp_path / "state") as state:  # a day later, as far as the rules are concerned
            state.sites.save_robots(site.url.rstrip("/"), RobotsRules.from_answer(200, b"", 0.0).to_json())
        rules = "User-agent: *\nDisallow: /$"
        before = site.count()["/"]
        ran = crawl(tmp_path, [site.url], allowed)

    assert (before, site.count()["/"]) == (1, 1)
    assert guard.answered == []
    assert ran.rows("SELECT state, why FROM submissions") == [("failed", "robots.txt forbids it")]


@pytest.mark.parametrize("turn", [1, 4])
def test_no_post_is_sent_twice_when_the_crawl_is_killed_and_the_session_goes_on(
    tmp_path: Path, turn: int
) -> None:
    guard = Guard(method="post")
    posted: list[str] = []

    def reply(request: SiteRequest) -> Reply | str | None:
        if request.method == "POST":
            posted.append(request.sent["q"])
            if len(posted) == turn:
                kill_crawl(tmp_path)
        return guard(request)

    ran, _ = harvested(tmp_path, reply, times=2)

    assert ran.rows("SELECT reason FROM runs ORDER BY id") == [("killed",), ("finished",)]
    assert len(posted) == len(set(posted)) == 13
    assert guard.refused == []
    assert ran.rows("SELECT keyword FROM submissions WHERE state = 'unknown'") == [(posted[turn - 1],)]
    assert found_records(ran) > 25
