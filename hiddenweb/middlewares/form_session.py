"""Fetching a form anew where its hidden values or its cookies have to be fresh, and sending the cookies of a form with its questions.

A form that is fetched is a request like any other: robots.txt is asked, the address guard judges, the host gets its pause before the
question follows. What comes is not kept as a page. The question goes out with what is hidden there now, in the ledger as well.

Cookies are those of one form. They go with its questions, what these redirect to, and further pages of the answers, and with nothing else.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from scrapy import Request

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.fetch.errors import Postponed
from hiddenweb.fetch.http_status import TRY_LATER
from hiddenweb.fetch.reading import MAY_HAVE_FORMS
from hiddenweb.fetch.redirects import follow_redirects, redirect_target
from hiddenweb.forms.csrf_tokens import copy_hidden_fields, find_same_form, renew_query
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.html.document import PARSED
from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask
from hiddenweb.querying.cookies import CookieJar
from hiddenweb.querying.session import FormSessions
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from hiddenweb.fetch.host_rules import HostRules
    from hiddenweb.forms.stored_form import StoredForm, Submission
    from hiddenweb.model import Form
    from hiddenweb.querying.session import FormSession
    from hiddenweb.store.database import Store

FETCHING = "form"
"""What a request for the page of a form carries as its task."""

MOST_REDIRECTS = 5
"""From the address of a form's page to the page: as many as for a robots.txt, a limit of taste."""

LATER_SECONDS = 60.0
"""For which a host is paused that cannot show the form now, and does not say for how long: a limit of taste."""


class FormSessionMiddleware:
    """Sees to it that a question carries the hidden values and the cookies that its form needs."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        context = CrawlContext.open(crawler)
        return cls(crawler, context.store, context.host_rules, delay=settings.getfloat("HIDDENWEB_DELAY"))

    def __init__(
        self,
        crawler: Crawler,
        state: Store,
        rules: HostRules,
        *,
        delay: float,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._crawler = crawler
        self._state = state
        self._sessions = FormSessions(StoredConversations(state))
        self._rules = rules
        self._delay = delay
        self._now = now

    async def process_request(self, request: Request) -> None:
        task = request.meta.get("hiddenweb")
        if not isinstance(task, CrawlTask) or task.answered_submission is None:
            return
        asked, known = self._asked(task.answered_submission)
        session = self._sessions.of(known)
        if task.kind == "answer" and not task.redirects:
            session = await self._made_fresh(task, asked, known, session)
        if session.freshness.is_used and (cookies := session.jar.header(request.url, self._now())):
            request.headers["Cookie"] = cookies

    def process_response(self, request: Request, response: Response) -> Response:
        task = request.meta.get("hiddenweb")
        set_cookies = _set_cookies(response)
        if set_cookies and isinstance(task, CrawlTask) and task.answered_submission is not None:
            _, known = self._asked(task.answered_submission)
            session = self._sessions.of(known)
            if session.freshness.is_used:
                jar = session.jar.receive(response.url, set_cookies, self._now())
                self._sessions.keep(known, replace(session, jar=jar))
            elif session.freshness.stage == "plain" and not session.freshness.offered:
                self._sessions.keep(
                    known, replace(session, freshness=replace(session.freshness, offered=True))
                )
        return response

    def _asked(self, submission: int) -> tuple[Submission, StoredForm]:
        asked = self._state.submissions.load(submission)
        assert asked is not None
        known = self._state.forms.load(asked.form)
        assert known is not None
        return asked, known

    async def _made_fresh(
        self, task: CrawlTask, asked: Submission, known: StoredForm, session: FormSession
    ) -> FormSession:
        """Return the session with which a question is sent; or have it wait its turn again, because its form was fetched first."""
        if not session.freshness.wants_fetching(self._now()) or not self._can_be_fetched(known):
            if session.freshness.is_used:
                session = replace(session, freshness=session.freshness.note_sending())
                self._sessions.keep(known, session)
            return session
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value("hiddenweb/forms/refetched")
        fresh, jar = await self._fetched(known)
        if fresh is None:
            why = "the form is no more on its page"
            session = replace(session, freshness=session.freshness.note_missing(why))
        else:
            form = copy_hidden_fields(known.form, fresh)
            freshness = session.freshness.note_fetch(
                self._now(), differs=form != known.form, has_cookies=bool(jar)
            )
            session = replace(session, freshness=freshness, jar=jar)
            self._state.forms.update(known.id, form)
            self._state.submissions.update_request(task, asked.id, renew_query(asked.query, known.form, form))
        self._sessions.keep(known, session)
        raise Postponed("its form was fetched again first", self._wait(known.form.page_url))

    def _can_be_fetched(self, known: StoredForm) -> bool:
        """Say whether the page of a form can be had again: one that came in an answer to a POST cannot."""
        if known.form.asked_by is None:
            return True
        first, before = self._asked(known.form.asked_by)
        return first.query.method == "GET" and self._can_be_fetched(before)

    async def _fetched(self, known: StoredForm) -> tuple[Form | None, CookieJar]:
        """Return a form as it stands on its page now, if it does, and the cookies that came with it.

        A second step of a form with a session is fetched by way of the first.
        """
        if known.form.asked_by is None:
            return await self._at(known.form, known.form.page_url, CookieJar())
        first, before = self._asked(known.form.asked_by)
        if not self._sessions.of(before).freshness.is_used:
            return await self._at(known.form, first.query.url, CookieJar())
        fresh, jar = await self._fetched(before)
        if fresh is None:
            return None, jar
        query = renew_query(first.query, before.form, copy_hidden_fields(before.form, fresh))
        await asyncio.sleep(self._wait(query.url))
        return await self._at(known.form, query.url, jar)

    async def _at(self, form: Form, url: str, jar: CookieJar) -> tuple[Form | None, CookieJar]:
        is_first = True

        async def send(address: str) -> Response:
            nonlocal jar, is_first
            if not is_first:
                await asyncio.sleep(self._wait(address))
            is_first = False
            response, jar = await self._fetch(address, jar)
            return response

        def target_of(response: Response) -> str | None:
            target = redirect_target(response.status, response.headers.get("Location"), response.url)
            return target if target is not None and self._state.sites.find_host(target) is not None else None

        response, _ = await follow_redirects(url, send, target_of, limit=MOST_REDIRECTS)
        if not 200 <= response.status < 300 and response.status not in MAY_HAVE_FORMS:
            return None, jar
        kind = (response.headers.get("Content-Type") or b"").decode("latin-1")
        page = read_page(response.body, response.url, content_type=kind, on_parse=self._count_parse)
        return find_same_form(form, page.forms), jar

    def _count_parse(self) -> None:
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value(PARSED)

    async def _fetch(self, url: str, jar: CookieJar) -> tuple[Response, CookieJar]:
        """Return an answer and the jar after it; a host that cannot answer now is left in peace."""
        assert self._crawler.engine is not None
        request = Request(url, meta={"hiddenweb": FETCHING}, dont_filter=True)
        if cookies := jar.header(url, self._now()):
            request.headers["Cookie"] = cookies
        response = await self._crawler.engine.download_async(request)
        if response.status in TRY_LATER:
            said = response.headers.get("Retry-After")
            seconds = retry_after(said.decode("latin-1"), self._now()) if said else None
            why = f"its form could not be fetched again: status {response.status}"
            raise Postponed(why, LATER_SECONDS if seconds is None else max(1.0, seconds), whole_host=True)
        return response, jar.receive(response.url, _set_cookies(response), self._now())

    def _wait(self, url: str) -> float:
        return max(self._delay, self._rules.crawl_delay(origin(url)))


def _set_cookies(response: Response) -> list[str]:
    return [value.decode("latin-1") for value in response.headers.getlist("Set-Cookie")]
