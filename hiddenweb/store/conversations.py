"""The conversations of a crawl in its store: what `hiddenweb.querying` stores and reads, over the groups of tables that hold it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.frontier.address_scope import EVERYWHERE
from hiddenweb.frontier.scope import LAST
from hiddenweb.model import RetriedTask
from hiddenweb.store.breadth_first import BreadthFirstFrontier

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from hiddenweb.forms.stored_form import PagePost, StoredForm, Submission
    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.frontier.protocol import Frontier
    from hiddenweb.model import CrawlTask, Form, HttpQuery, PlannedQuery, PostSeed, TaskSeed, Verdict
    from hiddenweb.querying.conversation_store import (
        KnownRecord,
        MissingAnswerPage,
        PageSource,
        SubmissionLine,
        UnfinishedAnswer,
    )
    from hiddenweb.store.database import Store


class StoredConversations:
    """The ConversationStore of a crawl."""

    def __init__(self, store: Store, frontier: Frontier | None = None) -> None:
        self._store = store
        self._frontier = frontier or BreadthFirstFrontier(store)

    # Forms

    def load_form(self, number: int) -> StoredForm | None:
        return self._store.forms.load(number)

    def find_form(self, site: int, form: Form) -> StoredForm | None:
        return self._store.forms.find(site, form)

    def list_forms(self, site: int) -> list[StoredForm]:
        return self._store.forms.load_site(site)

    def list_open_forms(self, queries: int, site: int | None = None) -> list[StoredForm]:
        return list(self._store.forms.find_open(queries, site))

    def list_forms_to_judge(
        self, post_hosts: Collection[str], *, nofollow: bool, scope: AddressScope = EVERYWHERE
    ) -> list[StoredForm]:
        return self._store.forms.find_to_judge_again(post_hosts, nofollow=nofollow, scope=scope)

    def save_form(self, site: int, form: Form, verdict: Verdict, at: float) -> StoredForm:
        stored = self._store.forms.load(self._store.forms.save(site, form, verdict, at))
        assert stored is not None
        return stored

    def renew_form(self, number: int, form: Form) -> None:
        self._store.forms.update(number, form)

    def end_form(self, number: int, why: str, *, for_now: bool = False) -> None:
        self._store.forms.end(number, why, for_now=for_now)

    def save_conversation(self, form: int, state: str) -> None:
        self._store.forms.save_conversation_state(form, state)

    def save_coverage(self, form: int, coverage: str) -> None:
        self._store.forms.save_coverage(form, coverage)

    def is_relevant(self, form: int, topic: str) -> bool:
        return self._store.forms.is_relevant(form, topic)

    def save_relevance(self, form: int, topic: str, near: float, *, relevant: bool) -> None:
        self._store.forms.save_relevance(form, topic, near, relevant=relevant)

    # Submissions

    def load_submission(self, number: int) -> Submission | None:
        return self._store.submissions.load(number)

    def plan_query(self, planned: PlannedQuery) -> bool:
        return bool(self._frontier.add([planned]))

    def was_submitted(self, form: int, query: HttpQuery) -> bool:
        return self._store.submissions.has(form, query)

    def is_in_conversation(self, form: int, but: CrawlTask | None = None) -> bool:
        return self._store.submissions.has_open(form, but)

    def list_submissions(self, form: int) -> list[SubmissionLine]:
        return self._store.submissions.load_lines(form)

    def find_unfinished(self, form: int, query: HttpQuery) -> UnfinishedAnswer | None:
        return self._store.submissions.find_unfinished(form, query)

    def save_unfinished(self, submission: int, place: tuple[str, int] | None) -> None:
        self._store.submissions.save_unfinished(submission, place)

    def list_good_keywords(self) -> list[str]:
        return self._store.submissions.find_good_keywords()

    def list_missing_pages(self) -> list[MissingAnswerPage]:
        return self._store.submissions.find_missing_pages()

    # Tasks

    def add_task(self, seed: TaskSeed) -> bool:
        return bool(self._frontier.add([seed]))

    def add_post(self, seed: PostSeed) -> bool:
        return bool(self._frontier.add([seed]))

    def retry_task(self, link: int) -> bool:
        return bool(self._frontier.add([RetriedTask(link)]))

    def load_post(self, task: CrawlTask) -> PagePost | None:
        return self._store.frontier.load_post(task)

    def hasten_page(self, site: int) -> None:
        self._store.frontier.explore_next(site, LAST)

    def is_inside(self, url: str) -> bool:
        return self._store.sites.find_host(url) is not None

    def is_site_left(self, site: int) -> bool:
        return self._store.sites.is_left(site)

    def is_known(self, url: str) -> bool:
        return self._store.frontier.is_known(url)

    def can_submit(self, query: HttpQuery) -> bool:
        return self._store.submissions.can_plan(query)

    def can_continue(self, url: str, submission: int | None) -> bool:
        return self._store.frontier.can_continue_answer(url, submission)

    def can_redirect(self, url: str, submission: int) -> bool:
        return self._store.frontier.can_become_answer(url, submission)

    # Records and pages

    def find_records(self, site: int, keys: Sequence[str]) -> set[str]:
        return self._store.records.find_known(site, keys)

    def list_records(self, form: int) -> Iterable[KnownRecord]:
        return self._store.records.load_form(form)

    def list_records_of_others(
        self, site: int, form: int, titles: Sequence[str]
    ) -> dict[int, list[tuple[str, str]]]:
        return self._store.records.find_in_other_forms(site, form, titles)

    def load_record_text(self, site: int, number: int) -> str:
        return self._store.records.load_text(site, number)

    def load_page(self, url: str) -> PageSource | None:
        source = self._store.pages.load_source(url)
        return (source.body, source.content_type) if source is not None else None

    def load_answer_page(self, submission: int) -> PageSource | None:
        source = self._store.pages.load_answer_source(submission)
        return (source.body, source.content_type) if source is not None else None

    # Knowledge

    def load_knowledge(self, part: str, subject: str) -> str | None:
        return self._store.knowledge.get(part, subject)

    def list_knowledge(self, part: str) -> list[tuple[str, str]]:
        return self._store.knowledge.load_all(part)

    def save_knowledge(self, part: str, subject: str, value: str) -> None:
        self._store.knowledge.put(part, subject, value)
