"""What is kept of the sessions of forms, and what answers say about them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from hiddenweb.answers.answer_verdict import AnswerVerdict
from hiddenweb.forms.stored_form import Submission
from hiddenweb.model import CrawlTask, Fetched, Field, Form, HttpQuery, Page, Record, Verdict
from hiddenweb.querying.cookies import CookieJar
from hiddenweb.querying.form_refresh import RefreshRule
from hiddenweb.querying.session import FormSession, FormSessions
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import TaskKind

FIND = "http://a.example/find"
QUERY = HttpQuery((("q", "wine"),), "wine", "GET", f"{FIND}?q=wine")
TASK = CrawlTask(1, 1, 1, QUERY.url, "answer", submission=1)
COOKIES = CookieJar().receive("http://a.example/", ["sid=1; Path=/"], 0.0)
FOUND = AnswerVerdict("all", "", (Record("http://a.example/1", "One", "wine"),))
AGAIN = AnswerVerdict("form_again", "the form is there again, and no records")


def form(token: str = "", action: str = FIND) -> Form:
    hidden = (Field("csrf_token", "hidden", value=token),) if token else ()
    return Form("http://a.example/", action, "GET", (*hidden, Field("q", "search")))


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as opened:
        opened.sites.want("http://a.example/")
        yield opened


def save_form(state: Store, kept: Form) -> StoredForm:
    stored = state.forms.load(
        state.forms.save(1, kept, Verdict(True, "search", query_box=len(kept.fields) - 1), 0.0)
    )
    assert stored is not None
    return stored


def in_use(used: int = 1) -> FormSession:
    return FormSession(replace(RefreshRule("in use"), fetched=0.0, used=used), COOKIES)


def learn_reception(
    state: Store, stored: StoredForm, answer: AnswerVerdict | None, *, status: int = 200, method: str = "GET", body: bytes = b"",
    redirect: str | None = None, page: Page | None = None, kind: TaskKind = "answer", keyword: str = "wine",
) -> tuple[bool, RefreshRule]:  # fmt: skip
    """Return whether a query is resubmitted after an answer, and the rule after it."""
    shown = page or (Page(QUERY.url) if answer is not None else None)
    task = replace(TASK, kind=kind)
    visit = Fetched(
        task, QUERY.url, status, 1.0, body, content_type="text/html", page=shown, redirect=redirect
    )
    sessions = FormSessions(StoredConversations(state))
    query = replace(QUERY, method=method, values=(("q", keyword),), keyword=keyword)
    again = sessions.learn_reception(visit, stored, Submission(1, stored.id, query, "sent"), answer)
    return again is not None, sessions.of(stored).freshness


def test_a_form_with_a_token_is_suspected_and_another_is_plain(state: Store) -> None:
    sessions = FormSessions(StoredConversations(state))

    assert sessions.of(save_form(state, form())).freshness.stage == "plain"
    suspected = sessions.of(save_form(state, form("9f86d081884c7d65"))).freshness
    assert suspected.stage == "suspected"
    assert "csrf_token" in suspected.why


def test_a_session_is_saved_and_a_useless_one_loses_its_cookies(state: Store) -> None:
    stored, sessions = save_form(state, form()), FormSessions(StoredConversations(state))

    sessions.keep(stored, in_use())
    kept = sessions.of(stored)
    sessions.keep(stored, replace(kept, freshness=kept.freshness.note_missing("gone")))

    assert kept == in_use()
    assert not sessions.of(stored).jar


@pytest.mark.parametrize(
    ("status", "body"),
    [(419, b""), (403, b"<p>No.</p>"), (403, b"<p>Your session has expired.</p>"), (422, b""), (400, b"")],
)
def test_a_query_that_is_refused_by_status_is_resubmitted(state: Store, status: int, body: bytes) -> None:
    stored = save_form(state, form())
    FormSessions(StoredConversations(state)).keep(stored, in_use(used=5))

    again, freshness = learn_reception(state, stored, None, status=status, body=body)

    assert again
    assert freshness.wants_fetching(1.0)


@pytest.mark.parametrize("status", [401, 404, 410, 451])
def test_other_errors_say_nothing_about_a_session(state: Store, status: int) -> None:
    stored = save_form(state, form())
    FormSessions(StoredConversations(state)).keep(stored, in_use(used=5))

    assert learn_reception(state, stored, None, status=status) == (False, in_use(used=5).freshness)


def test_a_query_is_not_resubmitted_to_a_site_that_asks_whether_we_are_human(state: Store) -> None:
    stored = save_form(state, form())
    FormSessions(StoredConversations(state)).keep(stored, FormSession(RefreshRule(offered=True)))

    again, freshness = learn_reception(
        state, stored, None, status=403, body=b"<p>Please complete the captcha.</p>"
    )

    assert not again
    assert freshness.stage == "plain"


def test_being_sent_back_to_the_form_is_a_doubt_and_being_sent_on_is_none(state: Store) -> None:
    stored = save_form(state, form())
    FormSessions(StoredConversations(state)).keep(stored, FormSession(RefreshRule(offered=True)))

    assert not learn_reception(state, stored, None, status=302, redirect="http://a.example/found/7")[0]
    assert learn_reception(state, stored, None, status=302, redirect="http://a.example/?again=1")[0]


def test_a_post_is_never_resubmitted_and_its_form_is_fetched_for_the_next(state: Store) -> None:
    stored = save_form(state, form())
    FormSessions(StoredConversations(state)).keep(stored, in_use(used=5))

    again, freshness = learn_reception(state, stored, None, status=419, method="POST")

    assert not again
    assert freshness.wants_fetching(1.0)


def test_further_pages_of_an_answer_teach_nothing(state: Store) -> None:
    stored = save_form(state, form())
    FormSessions(StoredConversations(state)).keep(stored, in_use(used=5))

    assert learn_reception(state, stored, None, status=419, kind="paging") == (
        False,
        in_use(used=5).freshness,
    )


def test_an_answer_with_the_form_on_it_brings_fresh_tokens(state: Store) -> None:
    stored = save_form(state, form("9f86d081884c7d65"))
    FormSessions(StoredConversations(state)).keep(stored, in_use())

    _, freshness = learn_reception(
        state, stored, FOUND, page=Page(QUERY.url, forms=(form("0cc175b9c0f1b6a8"),))
    )

    renewed = state.forms.load(stored.id)
    assert renewed is not None
    assert renewed.form == form("0cc175b9c0f1b6a8")
    assert (freshness.used, freshness.fetched) == (0, 1.0)


def test_a_form_that_comes_again_with_another_token_is_a_sign_of_a_session(state: Store) -> None:
    stored = save_form(state, form("9f86d081884c7d65"))
    FormSessions(StoredConversations(state)).keep(stored, FormSession())
    shown = Page(QUERY.url, forms=(form("0cc175b9c0f1b6a8"),))

    assert not learn_reception(state, stored, AGAIN)[0]
    assert not learn_reception(state, stored, replace(AGAIN, total=9000), page=shown)[0]
    assert learn_reception(state, stored, AGAIN, page=shown)[0]


@pytest.mark.parametrize(
    ("answer", "further"),
    [(AGAIN, {}), (AnswerVerdict("error", "it says 'Please enter a word'"), {}), (None, {"status": 400})],
)
def test_an_empty_box_that_is_sent_back_is_no_sign_of_a_session(
    state: Store, answer: AnswerVerdict | None, further: dict[str, Any]
) -> None:
    stored = save_form(state, form())
    FormSessions(StoredConversations(state)).keep(stored, FormSession(RefreshRule(offered=True)))

    assert not learn_reception(state, stored, answer, keyword="", **further)[0]
    assert learn_reception(state, stored, answer, **further)[0]


def test_an_error_is_a_sign_against_a_session_in_use_for_any_query(state: Store) -> None:
    stored = save_form(state, form("9f86d081884c7d65"))
    FormSessions(StoredConversations(state)).keep(stored, in_use(used=2))

    assert not learn_reception(state, stored, AGAIN, keyword="")[1].stale
    assert learn_reception(
        state, stored, AnswerVerdict("error", "it says 'Something went wrong'"), keyword=""
    )[1].may_be_once


def test_the_next_step_gets_the_session_and_the_first_form_starts_another(state: Store) -> None:
    first, step, sessions = (
        save_form(state, form()),
        save_form(state, form(action=f"{FIND}/more")),
        FormSessions(StoredConversations(state)),
    )
    sessions.keep(first, in_use())

    sessions.hand_over(first, step)

    assert sessions.of(step).jar == COOKIES
    assert not sessions.of(step).freshness.wants_fetching(1.0)
    assert sessions.of(first).freshness.wants_fetching(1.0)


def test_a_step_remembers_a_session_that_was_offered(state: Store) -> None:
    first, step, sessions = (
        save_form(state, form()),
        save_form(state, form(action=f"{FIND}/more")),
        FormSessions(StoredConversations(state)),
    )
    sessions.keep(first, FormSession(RefreshRule(offered=True)))

    sessions.hand_over(first, step)

    assert sessions.of(step) == FormSession(RefreshRule(offered=True))
