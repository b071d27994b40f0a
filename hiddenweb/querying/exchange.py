"""What a conversation exchanges with the part that fetches for it."""

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
"""What a page leads to: a query, a further page of an answer or a record's page, a page requested by POST, a retry of a page that did not come."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A page that answers a submission, or the failure to get it, with the form that was submitted."""

    item: Fetched | FetchFailure
    submission: Submission
    form: StoredForm

    @property
    def task(self) -> CrawlTask:
        """What was fetched, or should have been."""
        return self.item.task

    @property
    def is_first(self) -> bool:
        """Whether it is the first page of the answer."""
        return self.task.page_number == 1


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of a page, and what it led to, which is already in the store."""

    result: Any  # the page with its results, or the final failure; items of others are unchanged
    steps: tuple[Step, ...] = ()
    forms: tuple[StoredForm, ...] = ()  # found for the first time in this crawl, with their verdicts
    answer: AnswerVerdict | None = None  # what the page was taken for

    @property
    def queries(self) -> tuple[PlannedQuery, ...]:
        """The next queries, to this form or to others of its site."""
        return tuple(step for step in self.steps if isinstance(step, PlannedQuery))

    @property
    def records(self) -> tuple[Record, ...]:
        """The records that the page showed."""
        return self.result.records if isinstance(self.result, Fetched) else ()


class StepWriter:
    """Writes what a page leads to into the store, and collects it for the turn."""

    def __init__(self, store: ConversationStore) -> None:
        self._store = store
        self._steps: list[Step] = []
        self.forms: list[StoredForm] = []
        self.answer: AnswerVerdict | None = None

    def plan_query(self, planned: PlannedQuery) -> None:
        """Plan a query."""
        self._note(planned, is_new=self._store.plan_query(planned))

    def add_task(self, seed: TaskSeed) -> None:
        """Plan to fetch a further page of an answer, or the page of a record."""
        self._note(seed, is_new=self._store.add_task(seed))

    def add_post(self, seed: PostSeed) -> None:
        """Plan to fetch a further page of an answer by POST."""
        self._note(seed, is_new=self._store.add_post(seed))

    def retry(self, link: int) -> None:
        """Plan to fetch a page again that did not come."""
        self._note(RetriedTask(link), is_new=self._store.retry_task(link))

    def _note(self, step: Step, *, is_new: bool) -> None:
        if is_new:
            self._steps.append(step)

    def end_turn(self, result: object) -> Turn:
        """Return what a page led to, and start the next turn."""
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
    """Return the task for the next page of an answer."""
    return TaskSeed(
        url, "paging", QUERIES, task.hops, parent=task.link, submission=task.submission,
        page_number=task.page_number + 1,
    )  # fmt: skip
