"""The parts of a conversation, each by itself, on a store in memory; and the pages of a bookshop."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from hiddenweb.forms.verdict import judge_form
from hiddenweb.model import Fetched, FetchFailure, Field, Form, HttpQuery, PlannedQuery
from hiddenweb.querying.answer_learner import AnswerLearner
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.conversation_state import ConversationStates
from hiddenweb.querying.exchange import Exchange, StepWriter, load_exchange
from hiddenweb.querying.form_registry import FormRegistry
from hiddenweb.querying.labelled_values import LabelledValueSet
from hiddenweb.querying.memory_store import CountedStats, MemoryConversationStore
from hiddenweb.querying.missing_pages import MissingPages
from hiddenweb.querying.query_builder import QueryBuilder
from hiddenweb.querying.search_doubts import SearchDoubts
from hiddenweb.querying.site_pauses import SitePauses
from hiddenweb.querying.site_turns import SiteTurns
from hiddenweb.records.page import read_page_with_items

if TYPE_CHECKING:
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import CrawlTask, Page
    from hiddenweb.querying.conversation_store import FormTopic

NOW = 1_700_000_000.0
HOME = "http://books.example/"
FORM = Form(
    HOME, f"{HOME}find", "GET", (Field("q", "search", label="Search books"),), text="Search books", language="en"
)  # fmt: skip
OTHER_FORM = replace(FORM, action=f"{HOME}other")
FORM_PAGE = (
    "<title>Bookshop</title><h1>Search our books</h1><p>Novels, poems and old maps of the coast.</p>"
    "<form action=/find><label>Search books <input type=search name=q></label><button>Search</button></form>"
)
SUBJECTS = ("the sea", "a long road", "two cities", "the moon", "winter")


def answer_page(*more: str, path: str = "book", said: str = "novel") -> str:
    """Return the source of an answer with five records, and more."""
    items = "".join(
        f"<li class=hit><a href=/{path}/{number}>Novel number {number}</a> {said}: a story about {subject}</li>"
        for number, subject in enumerate(SUBJECTS, 1)
    )
    return f"<title>Results</title><h1>Results</h1><ul>{items}</ul>{''.join(more)}"


def read(source: str, url: str = HOME) -> Page:
    """Return a page as conversations read it."""
    return read_page_with_items(source.encode(), url)


class Parts:
    """All parts of one conversation."""

    def __init__(
        self,
        settings: ConversationSettings | None = None,
        *,
        topic: FormTopic | None = None,
        chosen: frozenset[int] | None = None,
    ) -> None:
        self.settings = settings or ConversationSettings(seed=1)
        self.store = MemoryConversationStore()
        self.site = self.store.add_site(HOME)
        self.stats = CountedStats()
        self.values = LabelledValueSet(date(2026, 1, 1))
        self.steps = StepWriter(self.store)
        self.states = ConversationStates(
            self.store, self.values, policy=self.settings.policy, least_new=self.settings.least_new, seed=1
        )
        self.pauses = SitePauses(self.stats)
        self.missing = MissingPages(self.store, self.steps, self.stats)
        self.doubts = SearchDoubts(self.states, self.stats, self.settings.post_hosts)
        self.learner = AnswerLearner(self.store, self.states, self.values, self.doubts)
        self.registry = FormRegistry(
            self.store, self.stats, self.values, self.settings, topic=topic, chosen=chosen, now=lambda: NOW
        )
        self.builder = QueryBuilder(
            self.store, self.states, self.steps, self.missing, self.pauses, self.doubts, self.settings, self.stats
        )  # fmt: skip
        self.turns = SiteTurns(
            self.store, self.states, self.registry, self.builder, self.missing, self.settings, self.stats
        )

    def save_form(self, form: Form = FORM) -> StoredForm:
        """Keep a form with its verdict."""
        return self.store.save_form(self.site, form, judge_form(form), NOW)

    def load_form(self, stored: StoredForm) -> StoredForm:
        """Return what is known of a form by now."""
        found = self.store.load_form(stored.id)
        assert found is not None
        return found

    def submit(self, stored: StoredForm, word: str) -> CrawlTask:
        """Submit a query; return its task, which is under way."""
        query = HttpQuery((("q", word),), word, "GET", f"{stored.form.action}?q={word}")
        assert self.store.plan_query(PlannedQuery(stored.id, query))
        task = self.store.lease(("answer",))
        assert task is not None
        return task

    def answer(self, stored: StoredForm, word: str, source: str = "") -> tuple[Exchange, Page]:
        """Submit a query, and return its answer, which was not learnt from yet."""
        task = self.submit(stored, word)
        page = read(source or answer_page(), task.url)
        return load_exchange(self.store, Fetched(task, task.url, 200, NOW, source.encode(), page=page)), page

    def fail(self, stored: StoredForm, word: str, **more: object) -> Exchange:
        """Submit a query whose answer does not come because of an outage."""
        task = self.submit(stored, word)
        failure = FetchFailure(task, "no connection", NOW, may_be_temporary=True)
        failure = replace(failure, **more)  # type: ignore[arg-type]
        self.store.finish(failure)
        return load_exchange(self.store, failure)
