"""Has the conversation with the forms of a site read answers to questions that are not its own.

What a conversation reads an answer by is the ledger: which form was submitted with what. So a question of ours is put there, the conversation gets
the page that answers it, and learns from it what it learns from any; it plans nothing itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks._conversations import NOW, MemoryConversation
from hiddenweb.forms.verdict import judge_form
from hiddenweb.model import Fetched, PlannedQuery, TaskSeed
from hiddenweb.querying.conversation_settings import ConversationSettings

if TYPE_CHECKING:
    from benchmarks._answer_labels import Answered
    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import CrawlTask, Form


class AnswerReader:
    """Reads the answers of one site, each with what was learnt from those before it."""

    def __init__(self, first: Answered) -> None:
        settings = ConversationSettings(submit=False, post_hosts=frozenset({first.site.plan.host}))
        self._conversation = MemoryConversation(first.form_page.url, settings)
        self._store = self._conversation.store
        self._submission = 0  # the latest question
        self._forms: dict[int, tuple[Form, StoredForm]] = {}  # by what tells one form read from another
        task = self._store.lease()
        assert task is not None
        body, content_type = first.form_source
        page = first.form_page
        self._conversation.take(Fetched(task, page.url, 200, NOW, body, content_type=content_type, page=page))

    def knows(self, form: Form) -> bool:
        """Say whether an answer of a form was read."""
        return id(form) in self._forms

    def read(self, each: Answered) -> AnswerVerdict:
        """Return what a page of an answer is taken for; the conversation learns from it."""
        if not self.knows(each.form):
            self._forms[id(each.form)] = each.form, self._find_form(each.form)
        _, stored = self._forms[id(each.form)]
        task = self._lease_further_page(each) if each.number > 1 else self._lease_query(stored, each)
        body, content_type = each.source
        said = self._conversation.take(
            Fetched(task, each.page.url, each.status, NOW, body, content_type=content_type, page=each.page)
        ).answer
        assert said is not None
        return said

    def _find_form(self, form: Form) -> StoredForm:
        """Return a form as the conversation keeps it: it met it on the first page, or in an answer as a further step."""
        site = self._conversation.site
        for stored in self._store.list_forms(site):
            met = replace(stored.form, step=form.step, chosen=form.chosen, asked_by=form.asked_by)
            if met == replace(form, in_session=met.in_session):
                return stored
        return self._store.save_form(site, form, judge_form(form), NOW)

    def _lease_query(self, stored: StoredForm, each: Answered) -> CrawlTask:
        """Put a question into the ledger, and return its task.

        No conversation asks a form the same twice, but we do. Then the ledger has one more value, of a control without a name.
        """
        query = each.query
        while self._store.was_submitted(stored.id, query):
            query = replace(query, values=(*query.values, ("", "")))
        self._store.plan_query(PlannedQuery(stored.id, query))
        task = next(task for task in iter(self._store.lease, None) if task.query == query)
        assert task.submission is not None
        self._submission = task.submission
        return task

    def _lease_further_page(self, each: Answered) -> CrawlTask:
        """Put a page of the answer to the latest question into the frontier, unless the conversation did so; return its task."""
        wanted = self._submission, each.number
        self._store.add_task(TaskSeed(each.page.url, "paging", submission=wanted[0], page_number=wanted[1]))
        waiting = iter(self._store.lease, None)
        return next(task for task in waiting if (task.submission, task.page_number) == wanted)
