"""The sessions of forms: what the middleware that sends questions and the one that reads answers share of them.

A session is fresh hidden values, which stand in the form as the state keeps it, and a jar of cookies for that form alone. Most forms have
none. What is known of one is kept in the state with every change, so a crawl that is killed goes on with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from hiddenweb.answers.notices import says_blocked, says_expired
from hiddenweb.forms.csrf_tokens import copy_hidden_fields, find_changed_tokens, find_same_form, find_tokens
from hiddenweb.html.reader import read_page
from hiddenweb.model import FetchFailure
from hiddenweb.querying.conversation_store import KnowledgeKeeper
from hiddenweb.querying.cookies import CookieJar
from hiddenweb.querying.form_refresh import DOUBTFUL, REFUSING, RefreshRule
from hiddenweb.querying.wide_queries import asks_for_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.forms.stored_form import StoredForm, Submission
    from hiddenweb.model import Fetched, Form
    from hiddenweb.querying.form_refresh import Reception

PART = "sessions"
"""The part of the knowledge that holds them, by the number of the form."""

REFUSED = "it was refused, and is submitted once more with a fresh form"


@dataclass(frozen=True, slots=True)
class FormSession:
    """What a form needs to be asked."""

    freshness: RefreshRule = field(default_factory=RefreshRule)
    jar: CookieJar = field(default_factory=CookieJar)


class SessionStore(KnowledgeKeeper, Protocol):
    """Keeps what is known of sessions, and forms with the hidden values that they have now."""

    def renew_form(self, number: int, form: Form) -> None:
        """Keep a form as it was fetched last: with other hidden values."""


class FormSessions:
    """The sessions of all forms. `on_parse` is called for each error page that is read."""

    def __init__(self, store: SessionStore, on_parse: Callable[[], object] | None = None) -> None:
        self._store = store
        self._on_parse = on_parse

    def of(self, known: StoredForm) -> FormSession:
        """Return the session of a form; that of one that was never asked follows from its hidden values."""
        written = self._store.load_knowledge(PART, str(known.id))
        if written is None:
            tokens = find_tokens(known.form)
            why = f"its hidden values look like tokens: {', '.join(tokens[:3])}" if tokens else ""
            return FormSession(RefreshRule("suspected" if tokens else "plain", why))
        freshness, cookies = json.loads(written)
        return FormSession(RefreshRule.from_json(freshness), CookieJar.from_json(cookies))

    def keep(self, known: StoredForm, session: FormSession) -> None:
        """Keep the session of a form; one that is useless keeps no cookies."""
        if session.freshness.stage == "useless":
            session = replace(session, jar=CookieJar())
        written = json.dumps([session.freshness.to_json(), session.jar.to_json()])
        self._store.save_knowledge(PART, str(known.id), written)

    def has(self, known: StoredForm) -> bool:
        """Say whether a form has a session, or was offered one."""
        freshness = self.of(known).freshness
        return freshness.is_used or freshness.offered

    def hand_over(self, known: StoredForm, step: StoredForm) -> None:
        """Give the session of a form to the form that came in its place; the next question of the first begins another.

        Where a session was offered and not taken, the step is told so: if it is refused, it knows why.
        """
        session = self.of(known)
        if not self.has(known) or self._store.load_knowledge(PART, str(step.id)) is not None:
            return
        if not session.freshness.is_used:
            of_step = self.of(step)
            self.keep(step, replace(of_step, freshness=replace(of_step.freshness, offered=True)))
            return
        begun = replace(session.freshness, used=0, once=False, may_be_once=False)
        self.keep(step, replace(session, freshness=begun))
        self.keep(known, replace(session, freshness=replace(session.freshness, stale=True)))

    def learn_reception(
        self, visit: Fetched, known: StoredForm, asked: Submission, answer: AnswerVerdict | None = None
    ) -> FetchFailure | None:
        """Learn from the first page of an answer; return the question as missed if it is to be asked once more.

        One that was sent by POST is not.
        """
        if visit.task.kind != "answer" or (received := self._reception(visit, known, asked, answer)) is None:
            return None
        session = self.of(known)
        again_there = find_same_form(known.form, visit.page.forms) if visit.page is not None else None
        differs = again_there is not None and bool(find_changed_tokens(known.form, again_there))
        is_plain = session.freshness.stage == "plain" and not differs
        if received == "doubtful" and is_plain and _leaves_box_empty(known, asked):
            return None
        freshness, again = session.freshness.learn_reception(received, differs=differs)
        if freshness.is_used and received == "good" and again_there is not None and differs:
            self._store.renew_form(
                known.id,
                copy_hidden_fields(known.form, again_there, find_changed_tokens(known.form, again_there)),
            )
            freshness = freshness.note_renewal(visit.at)
        if freshness != session.freshness:
            self.keep(known, replace(session, freshness=freshness))
        if not again or asked.query.method != "GET":
            return None
        return FetchFailure(visit.task, REFUSED, visit.at, 0.0, counts=False, status=visit.status)

    def _reception(
        self, visit: Fetched, known: StoredForm, asked: Submission, answer: AnswerVerdict | None
    ) -> Reception | None:
        """Say how a question was received; None if that says nothing about its hidden values."""
        if visit.status in REFUSING:
            return "refused"
        if visit.page is None or answer is None:
            is_sent_back = visit.redirect is not None and _is_page_of(known.form, visit.redirect)
            return "doubtful" if is_sent_back else self._said_with_status(visit, asked)
        if answer.case == "blocked" or answer.missing:
            return None
        if not answer.records and says_expired(visit.page, asked.query):
            return "refused"
        if answer.case == "form_again" and not (answer.total or answer.too_many):
            return None if _leaves_box_empty(known, asked) else "doubtful"
        return "doubtful" if answer.case == "error" else "good"

    def _said_with_status(self, visit: Fetched, asked: Submission) -> Reception | None:
        """Say how a question was received that was answered with an error; a site that keeps us out is not asked in another way."""
        if visit.status not in DOUBTFUL:
            return None
        page = read_page(visit.body, visit.url, content_type=visit.content_type, on_parse=self._on_parse)
        if says_expired(page, asked.query):
            return "refused"
        return None if says_blocked(page, asked.query) else "doubtful"


def _leaves_box_empty(known: StoredForm, asked: Submission) -> bool:
    """Say whether a question has no words though the form has a box: many sites answer that with the form, whatever its hidden values."""
    box = known.verdict.query_box
    return box is not None and not asks_for_words(known.form, box, asked.query.values)


def _is_page_of(form: Form, url: str) -> bool:
    return url.partition("?")[0] == form.page_url.partition("?")[0]
