"""The sessions of forms, shared by the middlewares that send queries and read answers.

A session is fresh hidden values, which the stored form has, and a jar of cookies for that form alone. Most forms have
none. Every change of a session is saved, so a killed crawl resumes with it.
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
"""The part of the knowledge with the sessions, by the number of the form."""

REFUSED = "it was refused, and is submitted once more with a fresh form"


@dataclass(frozen=True, slots=True)
class FormSession:
    """What a form needs to be submitted."""

    freshness: RefreshRule = field(default_factory=RefreshRule)
    jar: CookieJar = field(default_factory=CookieJar)


class SessionStore(KnowledgeKeeper, Protocol):
    """Stores sessions, and forms with their latest hidden values."""

    def renew_form(self, number: int, form: Form) -> None:
        """Save a form as it was fetched last, with its new hidden values."""


class FormSessions:
    """The sessions of all forms. `on_parse` is called for each error page that is parsed."""

    def __init__(self, store: SessionStore, on_parse: Callable[[], object] | None = None) -> None:
        self._store = store
        self._on_parse = on_parse

    def of(self, stored: StoredForm) -> FormSession:
        """Return the session of a form; before its first query it follows from the hidden values."""
        saved = self._store.load_knowledge(PART, str(stored.id))
        if saved is None:
            tokens = find_tokens(stored.form)
            why = f"its hidden values look like tokens: {', '.join(tokens[:3])}" if tokens else ""
            return FormSession(RefreshRule("suspected" if tokens else "plain", why))
        freshness, cookies = json.loads(saved)
        return FormSession(RefreshRule.from_json(freshness), CookieJar.from_json(cookies))

    def keep(self, stored: StoredForm, session: FormSession) -> None:
        """Save the session of a form; a useless one loses its cookies."""
        if session.freshness.stage == "useless":
            session = replace(session, jar=CookieJar())
        state = json.dumps([session.freshness.to_json(), session.jar.to_json()])
        self._store.save_knowledge(PART, str(stored.id), state)

    def has(self, stored: StoredForm) -> bool:
        """Say whether a form has a session, or was offered one."""
        freshness = self.of(stored).freshness
        return freshness.is_used or freshness.offered

    def hand_over(self, stored: StoredForm, step: StoredForm) -> None:
        """Give the session of a form to the step on its answer; the next query of the form starts another session.

        If a session was offered and not used, the step remembers the offer: a refusal then has a reason.
        """
        session = self.of(stored)
        if not self.has(stored) or self._store.load_knowledge(PART, str(step.id)) is not None:
            return
        if not session.freshness.is_used:
            of_step = self.of(step)
            self.keep(step, replace(of_step, freshness=replace(of_step.freshness, offered=True)))
            return
        begun = replace(session.freshness, used=0, once=False, may_be_once=False)
        self.keep(step, replace(session, freshness=begun))
        self.keep(stored, replace(session, freshness=replace(session.freshness, stale=True)))

    def learn_reception(
        self,
        fetched: Fetched,
        stored: StoredForm,
        submission: Submission,
        answer: AnswerVerdict | None = None,
    ) -> FetchFailure | None:
        """Learn from the first page of an answer; return a failure if the query is to be resubmitted.

        A POST is not resubmitted.
        """
        if (
            fetched.task.kind != "answer"
            or (reception := self._reception(fetched, stored, submission, answer)) is None
        ):
            return None
        session = self.of(stored)
        found_form = find_same_form(stored.form, fetched.page.forms) if fetched.page is not None else None
        differs = found_form is not None and bool(find_changed_tokens(stored.form, found_form))
        is_plain = session.freshness.stage == "plain" and not differs
        if reception == "doubtful" and is_plain and _leaves_box_empty(stored, submission):
            return None
        freshness, must_resubmit = session.freshness.learn_reception(reception, differs=differs)
        if freshness.is_used and reception == "good" and found_form is not None and differs:
            self._store.renew_form(
                stored.id,
                copy_hidden_fields(stored.form, found_form, find_changed_tokens(stored.form, found_form)),
            )
            freshness = freshness.note_renewal(fetched.at)
        if freshness != session.freshness:
            self.keep(stored, replace(session, freshness=freshness))
        if not must_resubmit or submission.query.method != "GET":
            return None
        return FetchFailure(fetched.task, REFUSED, fetched.at, 0.0, counts=False, status=fetched.status)

    def _reception(
        self, fetched: Fetched, stored: StoredForm, submission: Submission, answer: AnswerVerdict | None
    ) -> Reception | None:
        """Say how a query was received; None if that says nothing about its hidden values."""
        if fetched.status in REFUSING:
            return "refused"
        if fetched.page is None or answer is None:
            is_sent_back = fetched.redirect is not None and _is_page_of(stored.form, fetched.redirect)
            return "doubtful" if is_sent_back else self._reception_by_status(fetched, submission)
        if answer.case == "blocked" or answer.missing:
            return None
        if not answer.records and says_expired(fetched.page, submission.query):
            return "refused"
        if answer.case == "form_again" and not (answer.total or answer.too_many):
            return None if _leaves_box_empty(stored, submission) else "doubtful"
        return "doubtful" if answer.case == "error" else "good"

    def _reception_by_status(self, fetched: Fetched, submission: Submission) -> Reception | None:
        """Say how a query was received that was answered with an error; a query that a site blocks is not resubmitted."""
        if fetched.status not in DOUBTFUL:
            return None
        page = read_page(
            fetched.body, fetched.url, content_type=fetched.content_type, on_parse=self._on_parse
        )
        if says_expired(page, submission.query):
            return "refused"
        return None if says_blocked(page, submission.query) else "doubtful"


def _leaves_box_empty(stored: StoredForm, submission: Submission) -> bool:
    """Say whether a query has no words though the form has a box: many sites then show the form again."""
    box = stored.verdict.query_box
    return box is not None and not asks_for_words(stored.form, box, submission.query.values)


def _is_page_of(form: Form, url: str) -> bool:
    return url.partition("?")[0] == form.page_url.partition("?")[0]
