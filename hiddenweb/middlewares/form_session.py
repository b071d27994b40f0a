"""Fetching a form again if its hidden values or its cookies must be fresh, and sending the cookies of a form with its queries.

Fetching a form is a request like any other: robots.txt and the address guard decide, and a delay passes before the
query follows. The page is not stored. The query goes out with the new hidden values, which the ledger gets as well.

Cookies belong to one form. They are sent with its queries, their redirects and the further pages of the answers, and with nothing else.
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

FORM_REQUEST = "form"
"""What a request for the page of a form carries as its task."""

MOST_REDIRECTS = 5
"""From the address of a form's page to the page: as many as for a robots.txt, a limit of taste."""

LATER_SECONDS = 60.0
"""For which a host is paused that cannot serve the form now and names no time: a limit of taste."""


class FormSessionMiddleware:
    """Gives a query the hidden values and the cookies that its form needs."""

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
        submission, stored = self._load_submission(task.answered_submission)
        session = self._sessions.of(stored)
        if task.kind == "answer" and not task.redirects:
            session = await self._refresh_session(task, submission, stored, session)
        if session.freshness.is_used and (cookies := session.jar.header(request.url, self._now())):
            request.headers["Cookie"] = cookies

    def process_response(self, request: Request, response: Response) -> Response:
        task = request.meta.get("hiddenweb")
        set_cookies = _set_cookies(response)
        if set_cookies and isinstance(task, CrawlTask) and task.answered_submission is not None:
            _, stored = self._load_submission(task.answered_submission)
            session = self._sessions.of(stored)
            if session.freshness.is_used:
                jar = session.jar.receive(response.url, set_cookies, self._now())
                self._sessions.keep(stored, replace(session, jar=jar))
            elif session.freshness.stage == "plain" and not session.freshness.offered:
                self._sessions.keep(
                    stored, replace(session, freshness=replace(session.freshness, offered=True))
                )
        return response

    def _load_submission(self, number: int) -> tuple[Submission, StoredForm]:
        submission = self._state.submissions.load(number)
        assert submission is not None
        stored = self._state.forms.load(submission.form)
        assert stored is not None
        return submission, stored

    async def _refresh_session(
        self, task: CrawlTask, submission: Submission, stored: StoredForm, session: FormSession
    ) -> FormSession:
        """Return the session to send a query with; or raise Postponed, because its form was fetched first."""
        if not session.freshness.wants_fetching(self._now()) or not self._can_be_fetched(stored):
            if session.freshness.is_used:
                session = replace(session, freshness=session.freshness.note_sending())
                self._sessions.keep(stored, session)
            return session
        assert self._crawler.stats is not None
        self._crawler.stats.inc_value("hiddenweb/forms/refetched")
        fresh, jar = await self._fetch_form(stored)
        if fresh is None:
            why = "the form is no more on its page"
            session = replace(session, freshness=session.freshness.note_missing(why))
        else:
            form = copy_hidden_fields(stored.form, fresh)
            freshness = session.freshness.note_fetch(
                self._now(), differs=form != stored.form, has_cookies=bool(jar)
            )
            session = replace(session, freshness=freshness, jar=jar)
            self._state.forms.update(stored.id, form)
            query = renew_query(submission.query, stored.form, form)
            self._state.submissions.update_request(task, submission.id, query)
        self._sessions.keep(stored, session)
        raise Postponed("its form was fetched again first", self._wait(stored.form.page_url))

    def _can_be_fetched(self, stored: StoredForm) -> bool:
        """Say whether the page of a form can be fetched again: the answer to a POST cannot."""
        if stored.form.asked_by is None:
            return True
        first_step, first_form = self._load_submission(stored.form.asked_by)
        return first_step.query.method == "GET" and self._can_be_fetched(first_form)

    async def _fetch_form(self, stored: StoredForm) -> tuple[Form | None, CookieJar]:
        """Return a form as its page has it now, None if it is gone, and the cookies that came with it.

        The second step of a form with a session is fetched by submitting the first step again.
        """
        if stored.form.asked_by is None:
            return await self._fetch_form_from(stored.form, stored.form.page_url, CookieJar())
        first_step, first_form = self._load_submission(stored.form.asked_by)
        if not self._sessions.of(first_form).freshness.is_used:
            return await self._fetch_form_from(stored.form, first_step.query.url, CookieJar())
        fresh, jar = await self._fetch_form(first_form)
        if fresh is None:
            return None, jar
        query = renew_query(first_step.query, first_form.form, copy_hidden_fields(first_form.form, fresh))
        await asyncio.sleep(self._wait(query.url))
        return await self._fetch_form_from(stored.form, query.url, jar)

    async def _fetch_form_from(self, form: Form, url: str, jar: CookieJar) -> tuple[Form | None, CookieJar]:
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
        """Return a response and the jar after it; a host that cannot answer now is paused."""
        assert self._crawler.engine is not None
        request = Request(url, meta={"hiddenweb": FORM_REQUEST}, dont_filter=True)
        if cookies := jar.header(url, self._now()):
            request.headers["Cookie"] = cookies
        response = await self._crawler.engine.download_async(request)
        if response.status in TRY_LATER:
            header = response.headers.get("Retry-After")
            seconds = retry_after(header.decode("latin-1"), self._now()) if header else None
            why = f"its form could not be fetched again: status {response.status}"
            raise Postponed(why, LATER_SECONDS if seconds is None else max(1.0, seconds), whole_host=True)
        return response, jar.receive(response.url, _set_cookies(response), self._now())

    def _wait(self, url: str) -> float:
        return max(self._delay, self._rules.crawl_delay(origin(url)))


def _set_cookies(response: Response) -> list[str]:
    return [value.decode("latin-1") for value in response.headers.getlist("Set-Cookie")]
