"""What passes between a conversation and whoever fetches for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiddenweb.frontier.scope import QUERIES
from hiddenweb.model import Fetched, FetchFailure, PlannedQuery, PostSeed, RetriedTask, TaskSeed

if TYPE_CHECKING:
    from hiddenweb.answers.answer_verdict import AnswerVerdict
    from hiddenweb.forms.stored_form import StoredForm, Submission
    from hiddenweb.model import CrawlTask, Record
    from hiddenweb.querying.conversation_store import ConversationStore

Step = PlannedQuery | TaskSeed | PostSeed | RetriedTask
"""What a page leads to: a query, a further page of an answer or a record's page, one that is sent for by POST, one that did not come."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A page that answers a submission, or the failure to get it, with the form that was submitted."""

    item: Fetched | FetchFailure
    submission: Submission
    form: StoredForm

    @property
    def task(self) -> CrawlTask:
        """What was fetched, or was to be."""
        return self.item.task

    @property
    def is_first(self) -> bool:
        """Whether it is the first page of the answer."""
        return self.task.page_number == 1


@dataclass(frozen=True, slots=True)
class Turn:
    """What became of a page, and what it led to, which is in the store by now."""

    result: (
        Any  # the page with what it brought, or the failure that it comes to; others' items are as they were
    )
    steps: tuple[Step, ...] = ()
    forms: tuple[StoredForm, ...] = ()  # met for the first time in this crawl, with the verdicts on them
    answer: AnswerVerdict | None = None  # what the page was taken for

    @property
    def queries(self) -> tuple[PlannedQuery, ...]:
        """The next queries, of this form or of others of its site."""
        return tuple(step for step in self.steps if isinstance(step, PlannedQuery))

    @property
    def records(self) -> tuple[Record, ...]:
        """The records that the page showed."""
        return self.result.records if isinstance(self.result, Fetched) else ()


class StepWriter:
    """Writes what a page leads to into the store, and remembers it for the turn."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store
        self._steps: list[Step] = []
        self.forms: list[StoredForm] = []
        self.answer: AnswerVerdict | None = None

    def plan_query(self, planned: PlannedQuery) -> None:
        """Let a query be submitted."""
        self._note(planned, is_new=self._store.plan_query(planned))

    def add_task(self, seed: TaskSeed) -> None:
        """Let a further page of an answer be read, or the page of a record."""
        self._note(seed, is_new=self._store.add_task(seed))

    def add_post(self, seed: PostSeed) -> None:
        """Let a further page of an answer be sent for by POST."""
        self._note(seed, is_new=self._store.add_post(seed))

    def retry(self, link: int) -> None:
        """Let a page be fetched again that did not come."""
        self._note(RetriedTask(link), is_new=self._store.retry_task(link))

    def _note(self, step: Step, *, is_new: bool) -> None:
        if is_new:
            self._steps.append(step)

    def end_turn(self, result: object) -> Turn:
        """Return what a page led to, and begin anew."""
        turn = Turn(result, tuple(self._steps), tuple(self.forms), self.answer)
        self._steps, self.forms, self.answer = [], [], None
        return turn


def load_exchange(store: ConversationStore, item: Fetched | FetchFailure) -> Exchange:
    """Return a page of an answer, or the failure to get it, with its submission and its form."""
    assert item.task.submission is not None
    submission = store.load_submission(item.task.submission)
    assert submission is not None
    form = store.load_form(submission.form)
    assert form is not None
    return Exchange(item, submission, form)


def seed_further_page(task: CrawlTask, url: str) -> TaskSeed:
    """Return the task for the page of an answer that follows one."""
    return TaskSeed(
        url, "paging", QUERIES, task.hops, parent=task.link, submission=task.submission,
        page_number=task.page_number + 1,
    )  # fmt: skip
