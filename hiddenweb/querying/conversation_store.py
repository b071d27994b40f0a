"""What a conversation with forms stores and looks up: forms, submissions, tasks, records and what was learnt.

`hiddenweb.store` keeps it in SQLite, `hiddenweb.querying.memory_store` in memory. Every decision of a conversation is written at once, so the
next decision knows it; it becomes permanent when the page that led to it counts as done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hiddenweb.frontier.address_scope import EVERYWHERE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from hiddenweb.forms.stored_form import PagePost, StoredForm, Submission
    from hiddenweb.frontier.address_scope import AddressScope
    from hiddenweb.model import CrawlTask, Form, HttpQuery, Page, PlannedQuery, PostSeed, TaskSeed, Verdict

PageSource = tuple[bytes, str]
"""The body of a page, and its content type from the server."""


class SubmissionLine(NamedTuple):
    """A submission that is done: answered, or failed for good."""

    keyword: str
    values: tuple[tuple[str, str], ...]
    outcome: str
    found: int  # records on the pages that were read
    new: int
    total: int | None
    left: bool  # pages are left, and reading can resume
    answered: bool = True  # False: no page of its answer came


class UnfinishedAnswer(NamedTuple):
    """Where the reading of an answer stopped."""

    submission: int
    url: str
    page: int


class KnownRecord(NamedTuple):
    """A record that a form was the first to find."""

    number: int  # the hash of its key
    title: str
    text: str
    attributes: tuple[tuple[str, str], ...]
    times: int  # that it was shown


class MissingAnswerPage(NamedTuple):
    """A page of an answer that did not come, and may be fetched another time."""

    link: int  # its number in the frontier
    form: int
    site: int


class KnowledgeKeeper(Protocol):
    """Stores what parts learnt about subjects, as text."""

    def load_knowledge(self, part: str, subject: str) -> str | None:
        """Return what a part learnt about a subject."""

    def list_knowledge(self, part: str) -> list[tuple[str, str]]:
        """Return all subjects of a part and what it learnt about them, by subject."""

    def save_knowledge(self, part: str, subject: str, value: str) -> None:
        """Save what a part learnt about a subject; an empty value deletes it."""


class FormKeeper(Protocol):
    """Stores forms, their verdicts, and what was learnt about each."""

    def load_form(self, number: int) -> StoredForm | None:
        """Return a form by its number."""

    def find_form(self, site: int, form: Form) -> StoredForm | None:
        """Return a stored form, wherever on the site it was found."""

    def list_forms(self, site: int) -> list[StoredForm]:
        """Return every stored form of a site."""

    def list_open_forms(self, queries: int, site: int | None = None) -> list[StoredForm]:
        """Return the forms that may get more queries; those in conversation come first."""

    def list_forms_to_judge(
        self, post_hosts: Collection[str], *, nofollow: bool, scope: AddressScope = EVERYWHERE
    ) -> list[StoredForm]:
        """Return the forms whose verdict may have changed."""

    def save_form(self, site: int, form: Form, verdict: Verdict, at: float) -> StoredForm:
        """Save a form, where it was found, and its verdict."""

    def renew_form(self, number: int, form: Form) -> None:
        """Save a form as it was fetched last, with its new hidden values."""

    def end_form(self, number: int, why: str, *, for_now: bool = False) -> None:
        """End a form for good, or until more queries are allowed."""

    def save_conversation(self, form: int, state: str) -> None:
        """Save the state of a conversation."""

    def save_coverage(self, form: int, coverage: str) -> None:
        """Save how much of its database a form has shown."""

    def is_relevant(self, form: int, topic: str) -> bool:
        """Say whether a form is on a topic."""

    def save_relevance(self, form: int, topic: str, near: float, *, relevant: bool) -> None:
        """Save how relevant a form is to a topic."""


class SubmissionKeeper(Protocol):
    """Stores the queries to forms, and how they were answered."""

    def load_submission(self, number: int) -> Submission | None:
        """Return a submission by its number."""

    def plan_query(self, planned: PlannedQuery) -> bool:
        """Write a query into the ledger and its request into the frontier; False if it was submitted to the form before."""

    def was_submitted(self, form: int, query: HttpQuery) -> bool:
        """Say whether a query was submitted to a form before."""

    def is_in_conversation(self, form: int, but: CrawlTask | None = None) -> bool:
        """Say whether a query to the form, or a further page of an answer, waits or is under way, except for one task."""

    def list_submissions(self, form: int) -> list[SubmissionLine]:
        """Return the submissions to a form, except those under way."""

    def find_unfinished(self, form: int, query: HttpQuery) -> UnfinishedAnswer | None:
        """Return where the reading of an answer stopped, if pages are left."""

    def save_unfinished(self, submission: int, place: tuple[str, int] | None) -> None:
        """Save the address and the number of the next unread page of an answer; None: reading resumes."""

    def list_good_keywords(self) -> list[str]:
        """Return the keywords that brought most records so far, at any form."""

    def list_missing_pages(self) -> list[MissingAnswerPage]:
        """Return the pages of answers that did not come in earlier crawls, except those sent by POST."""


class TaskKeeper(Protocol):
    """Stores the tasks that answers lead to."""

    def add_task(self, seed: TaskSeed) -> bool:
        """Add a page to the frontier; False if it is there already."""

    def add_post(self, seed: PostSeed) -> bool:
        """Add a further page of an answer that is fetched by POST; False if it is there already."""

    def retry_task(self, link: int) -> bool:
        """Let a page that did not come wait again; False if it waits already, or has come."""

    def load_post(self, task: CrawlTask) -> PagePost | None:
        """Return what is sent by POST for a further page of an answer; None if it is fetched by GET."""

    def hasten_page(self, site: int) -> None:
        """Explore the next page of a site before everything else."""

    def is_inside(self, url: str) -> bool:
        """Say whether an address belongs to a crawled site."""

    def is_site_left(self, site: int) -> bool:
        """Say whether a site is no longer explored."""

    def is_known(self, url: str) -> bool:
        """Say whether an address is in the frontier, in any state."""

    def can_submit(self, query: HttpQuery) -> bool:
        """Say whether the request of a query can go into the frontier: within the site, and not refused or missed."""

    def can_continue(self, url: str, submission: int | None) -> bool:
        """Say whether an address can be a further page of an answer: it belongs to no other answer."""

    def can_redirect(self, url: str, submission: int) -> bool:
        """Say whether the target of a redirect can be read as the answer to a query."""


class RecordKeeper(Protocol):
    """Stores records and the pages they were found on."""

    def find_records(self, site: int, keys: Sequence[str]) -> set[str]:
        """Return the keys that are already records of the site."""

    def list_records(self, form: int) -> Iterable[KnownRecord]:
        """Return the records that a form was the first to find."""

    def list_records_of_others(
        self, site: int, form: int, titles: Sequence[str]
    ) -> dict[int, list[tuple[str, str]]]:
        """Return titles and texts of records that other forms of a site found, if they have one of some titles; by form."""

    def load_record_text(self, site: int, number: int) -> str:
        """Return the text of a record, by the hash of its key; empty if there is none."""

    def load_page(self, url: str) -> PageSource | None:
        """Return the newest source of an address."""

    def load_answer_page(self, submission: int) -> PageSource | None:
        """Return the newest source of the first page of an answer."""


class ConversationStore(FormKeeper, SubmissionKeeper, TaskKeeper, RecordKeeper, KnowledgeKeeper, Protocol):
    """All that a conversation stores and looks up."""


class RecordPages(Protocol):
    """Decides which detail pages of records are worth fetching."""

    def are_wanted(self, form: int) -> bool:
        """Say whether the pages of a form's records are fetched."""

    def choose_bucket(self, form: int) -> int:
        """Return the bucket of a record's page in the frontier."""

    def adopt(self, url: str, submission: int) -> None:
        """Treat a page that waits to be explored as the page of a record."""


@dataclass(frozen=True, slots=True)
class FormTopic:
    """The topic of a crawl; `relevance` returns how near a form is, and whether that is enough. The page is None if it is unknown."""

    name: str
    relevance: Callable[[Form, Page | None], tuple[float, bool]]


class Stats(Protocol):
    """Counts what happens."""

    def inc_value(self, key: str, count: int = 1) -> None:
        """Add to a count."""

    def set_value(self, key: str, value: float) -> None:
        """Set a figure."""
