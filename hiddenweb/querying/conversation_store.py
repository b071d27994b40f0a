"""What a conversation with forms keeps and looks up: forms, submissions, tasks, records and what was learnt.

`hiddenweb.store` keeps it in SQLite, `hiddenweb.querying.memory_store` in memory. What a conversation decides is written at once, so the
next decision knows of it; nothing is lasting before the page that led to it counts as done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from hiddenweb.forms.stored_form import PagePost, StoredForm, Submission
    from hiddenweb.model import CrawlTask, Form, HttpQuery, Page, PlannedQuery, PostSeed, TaskSeed, Verdict

PageSource = tuple[bytes, str]
"""The body of a page, and its content type as the server said it."""


class SubmissionLine(NamedTuple):
    """A submission that was answered, or never will be."""

    keyword: str
    values: tuple[tuple[str, str], ...]
    outcome: str
    found: int  # records on the pages that were read
    new: int
    total: int | None
    left: bool  # reading can resume
    answered: bool = True  # False: no page of its answer came


class UnfinishedAnswer(NamedTuple):
    """Where the reading of an answer was left."""

    submission: int
    url: str
    page: int


class KnownRecord(NamedTuple):
    """A record that a form was the first to bring."""

    number: int  # the hash of its key
    title: str
    text: str
    attributes: tuple[tuple[str, str], ...]
    times: int  # it was shown


class MissingAnswerPage(NamedTuple):
    """A page of an answer that did not come, and may be fetched another time."""

    link: int  # its number in the frontier
    form: int
    site: int


class KnowledgeKeeper(Protocol):
    """Keeps what parts learnt about subjects, as text."""

    def load_knowledge(self, part: str, subject: str) -> str | None:
        """Return what a part learnt about a subject."""

    def list_knowledge(self, part: str) -> list[tuple[str, str]]:
        """Return all subjects of a part and what it learnt about them, by subject."""

    def save_knowledge(self, part: str, subject: str, value: str) -> None:
        """Keep what a part learnt about a subject; an empty value is forgotten."""


class FormKeeper(Protocol):
    """Keeps forms, the verdicts on them, and what was learnt about each."""

    def load_form(self, number: int) -> StoredForm | None:
        """Return a form by its number."""

    def find_form(self, site: int, form: Form) -> StoredForm | None:
        """Return what is known of a form, wherever on the site it was met."""

    def list_forms(self, site: int) -> list[StoredForm]:
        """Return every known form of a site."""

    def list_open_forms(self, queries: int, site: int | None = None) -> list[StoredForm]:
        """Return the forms that get queries and have had fewer than allowed; those in conversation come first."""

    def list_forms_to_judge(self, post_hosts: Collection[str], *, nofollow: bool) -> list[StoredForm]:
        """Return the forms on which the verdict may be another by now."""

    def save_form(self, site: int, form: Form, verdict: Verdict, at: float) -> StoredForm:
        """Remember a form, where it was met, and the verdict on it."""

    def renew_form(self, number: int, form: Form) -> None:
        """Keep a form as it was fetched last: with other hidden values."""

    def end_form(self, number: int, why: str, *, for_now: bool = False) -> None:
        """Submit a form no more, or no more unless more queries are allowed."""

    def save_conversation(self, form: int, state: str) -> None:
        """Keep what was learnt about what to submit."""

    def save_coverage(self, form: int, coverage: str) -> None:
        """Keep how much of its database a form has shown."""

    def is_relevant(self, form: int, topic: str) -> bool:
        """Say whether a form was found to be on a topic."""

    def save_relevance(self, form: int, topic: str, near: float, *, relevant: bool) -> None:
        """Keep how far a form is on a topic."""


class SubmissionKeeper(Protocol):
    """Keeps the queries that forms got, and how they were answered."""

    def load_submission(self, number: int) -> Submission | None:
        """Return a submission by its number."""

    def plan_query(self, planned: PlannedQuery) -> bool:
        """Write a query into the ledger and its request into the frontier; False if the form had it before."""

    def was_submitted(self, form: int, query: HttpQuery) -> bool:
        """Say whether a form had a query before."""

    def is_in_conversation(self, form: int, but: CrawlTask | None = None) -> bool:
        """Say whether a query to the form, or a further page of an answer, waits or is under way; one task aside."""

    def list_submissions(self, form: int) -> list[SubmissionLine]:
        """Return what a form was asked, but for what is under way."""

    def find_unfinished(self, form: int, query: HttpQuery) -> UnfinishedAnswer | None:
        """Return where the answer to a query was left, if it was."""

    def save_unfinished(self, submission: int, place: tuple[str, int] | None) -> None:
        """Keep the address and the number of the page at which the reading of an answer was left; None: it resumes."""

    def list_good_keywords(self) -> list[str]:
        """Return the keywords that brought most records so far, at whatever form."""

    def list_missing_pages(self) -> list[MissingAnswerPage]:
        """Return the pages of answers that did not come in earlier crawls, but for those sent by POST."""


class TaskKeeper(Protocol):
    """Takes the tasks that answers lead to."""

    def add_task(self, seed: TaskSeed) -> bool:
        """Let a page be fetched; False if it is in the frontier already."""

    def add_post(self, seed: PostSeed) -> bool:
        """Let a further page of an answer be fetched by POST; False if it is in the frontier already."""

    def retry_task(self, link: int) -> bool:
        """Let a page wait again that did not come; False if it waits, or has come."""

    def load_post(self, task: CrawlTask) -> PagePost | None:
        """Return what is sent by POST for a further page of an answer; None if it is fetched by GET."""

    def hasten_page(self, site: int) -> None:
        """Let the next page of a site be explored before everything else."""

    def is_inside(self, url: str) -> bool:
        """Say whether an address is of a site that is crawled."""

    def is_site_left(self, site: int) -> bool:
        """Say whether a site is explored no more."""

    def is_known(self, url: str) -> bool:
        """Say whether an address is in the frontier, in whatever state."""

    def can_submit(self, query: HttpQuery) -> bool:
        """Say whether the request of a query can go into the frontier: within the site, not refused, not missed."""

    def can_continue(self, url: str, submission: int | None) -> bool:
        """Say whether an address can be a further page of an answer: no answer had it before."""

    def can_redirect(self, url: str, submission: int) -> bool:
        """Say whether an address to which a site leads from a query is still to be read as its answer."""


class RecordKeeper(Protocol):
    """Keeps records and the pages they were found on."""

    def find_records(self, site: int, keys: Sequence[str]) -> set[str]:
        """Return those of the keys that are records of the site already."""

    def list_records(self, form: int) -> Iterable[KnownRecord]:
        """Return the records that a form was the first to bring."""

    def list_records_of_others(
        self, site: int, form: int, titles: Sequence[str]
    ) -> dict[int, list[tuple[str, str]]]:
        """Return titles and texts of the records with some titles that other forms of a site brought, by the form."""

    def load_record_text(self, site: int, number: int) -> str:
        """Return all that is known of a record, by the hash of its key; empty if there is none."""

    def load_page(self, url: str) -> PageSource | None:
        """Return the newest source of an address."""

    def load_answer_page(self, submission: int) -> PageSource | None:
        """Return the newest source of the first page of an answer."""


class ConversationStore(FormKeeper, SubmissionKeeper, TaskKeeper, RecordKeeper, KnowledgeKeeper, Protocol):
    """All that a conversation keeps and looks up."""


class RecordPages(Protocol):
    """Says which own pages of records are worth fetching."""

    def are_wanted(self, form: int) -> bool:
        """Say whether the pages of a form's records are fetched."""

    def choose_bucket(self, form: int) -> int:
        """Return the place of a record's page in the frontier."""

    def adopt(self, url: str, submission: int) -> None:
        """Let a page that waits to be explored be read with the pages of records, since it is one."""


@dataclass(frozen=True, slots=True)
class FormTopic:
    """The topic of a crawl, and what says how near a form is to it, and whether that is enough; the page is None if it is not known."""

    name: str
    relevance: Callable[[Form, Page | None], tuple[float, bool]]


class Stats(Protocol):
    """Counts what happens."""

    def inc_value(self, key: str, count: int = 1) -> None:
        """Add to a count."""

    def set_value(self, key: str, value: float) -> None:
        """Set a figure."""
