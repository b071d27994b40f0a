"""A query goes out with the hidden values and the cookies that its form has now, and with those of no other form."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from hiddenweb.fetch.errors import Postponed
from hiddenweb.fetch.host_rules import HostRules
from hiddenweb.fetch.robots import RobotsRules
from hiddenweb.middlewares.form_session import FORM_REQUEST, LATER_SECONDS, FormSessionMiddleware
from hiddenweb.model import CrawlTask, Field, Form, HttpQuery, PlannedQuery, Verdict
from hiddenweb.querying.cookies import CookieJar
from hiddenweb.querying.form_refresh import OLD, RefreshRule
from hiddenweb.querying.session import FormSession, FormSessions
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.forms.stored_form import StoredForm

NOW = 1_700_000_000.0
PLACE = "https://a.example"
HOME = f"{PLACE}/"
FIND = f"{PLACE}/find"
OLD_TOKEN, NEW_TOKEN = "0f3a" * 8, "9c7e" * 8
JAR = CookieJar().receive(HOME, ["sid=1; Path=/"], NOW)
IN_USE = FormSession(RefreshRule("in use", fetched=NOW), JAR)


def form_page(token: str = NEW_TOKEN) -> str:
    return f"<form action=/find><input type=hidden name=csrf value={token}><input type=search name=q></form>"


def form_with(*fields: Field) -> Form:
    return Form(HOME, FIND, "GET", (*fields, Field("q", "search")))


GUARDED, PLAIN = form_with(Field("csrf", "hidden", value=OLD_TOKEN)), form_with()


class Web:
    """The engine of a crawl with prepared answers."""

    def __init__(self, answers: dict[str, Response]) -> None:
        self.answers = answers
        self.requests: list[Request] = []

    async def download_async(self, request: Request) -> Response:
        self.requests.append(request)
        return self.answers[request.url].replace(url=request.url)


class Desk:
    """A store with a form and a planned query, the middleware, and the page of the form."""

    def __init__(self, store: Store, form: Form, answer: Response) -> None:
        self.crawler = get_crawler()
        self.crawler.stats = MemoryStatsCollector(self.crawler)
        self.web = Web({HOME: answer})
        self.crawler.engine = self.web  # type: ignore[assignment]
        self.store = store
        self.sessions = FormSessions(StoredConversations(store))
        rules = HostRules(store.sites, agent="hiddenweb")
        self.middleware = FormSessionMiddleware(self.crawler, store, rules, delay=2.0, now=lambda: NOW)
        verdict = Verdict(True, "search", query_box=len(form.fields) - 1)
        number = store.forms.save(store.sites.want(HOME), form, verdict, NOW)
        self.frontier = BreadthFirstFrontier(store, now=lambda: NOW)
        hidden = "".join(f"{field.name}={field.value}&" for field in form.fields[:-1])
        query = HttpQuery((("q", "bees"),), "bees", "GET", f"{FIND}?{hidden}q=bees")
        self.frontier.add([PlannedQuery(number, query)])
        self.form = number
        self.task = self.lease()

    def lease(self) -> CrawlTask:
        [task], _ = self.frontier.lease(self.store.sites.find_host(HOME) or 0, 1, NOW)
        return task

    @property
    def stored_form(self) -> StoredForm:
        stored = self.store.forms.load(self.form)
        assert stored is not None
        return stored

    def send(self, task: CrawlTask | None = None, url: str = "") -> Request:
        """Return a request as it leaves the middleware."""
        task = task or self.task
        request = Request(url or task.url, meta={"hiddenweb": task})
        asyncio.run(self.middleware.process_request(request))
        return request

    def postpone(self) -> Postponed:
        with pytest.raises(Postponed) as caught:
            self.send()
        return caught.value

    def receive(self, *cookies: str, task: CrawlTask | None = None) -> None:
        task = task or self.task
        response = HtmlResponse(task.url, headers={"Set-Cookie": list(cookies)})
        self.middleware.process_response(Request(task.url, meta={"hiddenweb": task}), response)

    def session(self) -> FormSession:
        return self.sessions.of(self.stored_form)

    def stat(self, name: str) -> Any:
        assert self.crawler.stats is not None
        return self.crawler.stats.get_value(name)


def answer(body: str = "", status: int = 200, **headers: str) -> Response:
    named: dict[str, Any] = {name.replace("_", "-"): value for name, value in headers.items()}
    return HtmlResponse(
        HOME, status=status, headers={"Content-Type": "text/html", **named}, body=body.encode()
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        yield opened


@pytest.fixture
def guarded(store: Store) -> Desk:
    return Desk(store, GUARDED, answer(form_page(), Set_Cookie="sid=1; Path=/"))


@pytest.fixture
def plain(store: Store) -> Desk:
    return Desk(store, PLAIN, answer())


# Fetching a form


def test_a_form_with_a_token_is_fetched_before_its_first_query(guarded: Desk) -> None:
    postponed = guarded.postpone()

    assert (postponed.seconds, postponed.whole_host) == (2.0, False)
    assert [(request.url, request.meta["hiddenweb"]) for request in guarded.web.requests] == [
        (HOME, FORM_REQUEST)
    ]
    assert guarded.stat("hiddenweb/forms/refetched") == 1
    assert guarded.stat("hiddenweb/html/parsed") == 1


def test_the_query_then_goes_out_with_the_new_hidden_values_and_the_cookies(guarded: Desk) -> None:
    guarded.postpone()
    guarded.store.frontier.release([guarded.task])
    task = guarded.lease()

    request = guarded.send(task)

    assert task.url == f"{FIND}?csrf={NEW_TOKEN}&q=bees"
    assert request.headers["Cookie"] == b"sid=1"
    assert len(guarded.web.requests) == 1
    assert guarded.stored_form.form.fields[0].value == NEW_TOKEN
    assert guarded.store.rows("SELECT url FROM submissions") == [(task.url,)]
    assert guarded.session().freshness.used == 1


def test_a_form_without_tokens_is_not_fetched_and_its_query_has_no_cookies(plain: Desk) -> None:
    request = plain.send()

    assert plain.web.requests == []
    assert "Cookie" not in request.headers
    plain.sessions.keep(plain.stored_form, FormSession(RefreshRule("plain"), JAR))
    assert "Cookie" not in plain.send().headers


def test_a_form_whose_page_is_the_same_every_time_is_not_fetched_again(store: Store) -> None:
    desk = Desk(store, GUARDED, answer(form_page(OLD_TOKEN)))

    desk.postpone()
    desk.send()

    assert desk.session().freshness.stage == "useless"
    assert len(desk.web.requests) == 1


@pytest.mark.parametrize(
    "gone", [answer("<p>Closed"), answer(form_page(), status=403)], ids=["moved", "refused"]
)
def test_a_form_that_is_gone_from_its_page_is_not_fetched_again(store: Store, gone: Response) -> None:
    desk = Desk(store, GUARDED, gone)

    desk.postpone()

    assert desk.session().freshness.stage == "useless"
    assert desk.stored_form.form == replace(GUARDED, place=desk.stored_form.form.place)
    desk.send()
    assert len(desk.web.requests) == 1


def test_values_that_are_old_are_fetched_again(guarded: Desk) -> None:
    old = replace(IN_USE, freshness=replace(IN_USE.freshness, fetched=NOW - OLD - 1))
    guarded.sessions.keep(guarded.stored_form, old)

    guarded.postpone()

    assert guarded.session().freshness.fetched == NOW


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [({}, LATER_SECONDS), ({"Retry_After": "120"}, 120.0), ({"Retry_After": "0"}, 1.0)],
    ids=["it does not say", "it says", "at once"],
)
def test_a_host_that_cannot_serve_the_form_now_is_paused(
    store: Store, headers: dict[str, str], seconds: float
) -> None:
    desk = Desk(store, GUARDED, answer(status=503, **headers))

    postponed = desk.postpone()

    assert (postponed.seconds, postponed.whole_host) == (seconds, True)
    assert desk.session().freshness.stage == "suspected"


def test_the_query_waits_as_long_as_the_host_wants(guarded: Desk) -> None:
    rules = RobotsRules.from_answer(200, b"User-agent: *\nCrawl-delay: 7", NOW)
    guarded.store.sites.save_robots(PLACE, rules.to_json())

    assert guarded.postpone().seconds == 7.0


def test_a_redirect_to_another_site_is_not_followed(store: Store) -> None:
    desk = Desk(store, GUARDED, answer(status=302, Location="https://elsewhere.example/"))

    desk.postpone()

    assert [request.url for request in desk.web.requests] == [HOME]


# Cookies


def test_redirects_of_a_query_and_further_pages_get_its_cookies(guarded: Desk) -> None:
    guarded.sessions.keep(guarded.stored_form, IN_USE)
    redirected = replace(guarded.task, redirects=1)
    further = replace(guarded.task, kind="paging")

    cookies = [guarded.send(task).headers["Cookie"] for task in (redirected, further)]

    assert cookies == [b"sid=1", b"sid=1"]
    assert guarded.session().freshness.used == 0, "only the query itself uses its values up"


def test_no_other_request_gets_the_cookies(guarded: Desk) -> None:
    guarded.sessions.keep(guarded.stored_form, IN_USE)
    record = replace(guarded.task, kind="record")

    assert "Cookie" not in guarded.send(record).headers
    assert "Cookie" not in guarded.send(url="https://other.example/").headers
    request = Request(HOME, meta={"hiddenweb": FORM_REQUEST})
    asyncio.run(guarded.middleware.process_request(request))
    assert "Cookie" not in request.headers


def test_a_session_takes_the_cookies_of_its_answers(guarded: Desk) -> None:
    guarded.sessions.keep(guarded.stored_form, IN_USE)

    guarded.receive("sid=2; Path=/", "seen=1; Path=/")

    assert guarded.session().jar.header(FIND, NOW) in ("sid=2; seen=1", "seen=1; sid=2")


def test_a_form_without_a_session_keeps_no_cookies_but_that_one_was_offered(plain: Desk) -> None:
    plain.receive("sid=2; Path=/")

    assert plain.session().freshness.offered
    assert not plain.session().jar


def test_pages_that_are_no_answers_offer_nothing(plain: Desk) -> None:
    plain.receive("sid=2; Path=/", task=replace(plain.task, kind="record"))

    assert not plain.session().freshness.offered
