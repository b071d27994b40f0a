"""Both stores of conversations fulfil their protocol, in memory and in SQLite; the same site gets the same queries from both."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol
from urllib.parse import parse_qs, urlsplit

import pytest

from hiddenweb.forms.verdict import judge_form
from hiddenweb.frontier.scope import FIRST, LAST
from hiddenweb.model import (
    CrawlTask,
    Fetched,
    FetchFailure,
    Field,
    Form,
    HttpQuery,
    PlannedQuery,
    Record,
    TaskSeed,
)
from hiddenweb.querying.conversation import Conversation
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.memory_store import CountedStats, MemoryConversationStore, NoRecordPages
from hiddenweb.records.page import read_page_with_items
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.store.database import Store
from hiddenweb.urls import text_hash

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.querying.conversation_store import ConversationStore

HOME = "http://books.example/"
FORM = Form(HOME, f"{HOME}find", "GET", (Field("q", "search", label="Search books"),), text="Search books")
QUERY = HttpQuery((("q", "sea"),), "sea", "GET", f"{HOME}find?q=sea")
TEXTS = [
    f"The {what} book of the {where}" for what in ("old", "red", "long") for where in ("sea", "moon", "road")
]


class Backend(Protocol):
    """A store, and the little of a crawl that fills it."""

    @property
    def store(self) -> ConversationStore: ...
    def add_site(self, url: str) -> int: ...
    def lease(self) -> CrawlTask | None: ...
    def finish(self, result: Fetched | FetchFailure) -> None: ...


class InMemory:
    def __init__(self, folder: Path) -> None:  # noqa: ARG002
        self.store = self._memory = MemoryConversationStore()

    def add_site(self, url: str) -> int:
        return self._memory.add_site(url)

    def lease(self) -> CrawlTask | None:
        return self._memory.lease()

    def finish(self, result: Fetched | FetchFailure) -> None:
        self._memory.finish(result)


class InSqlite:
    def __init__(self, folder: Path) -> None:
        self._db = Store(folder)
        self._db.runs.begin("harvest", 1.0)
        self.store = StoredConversations(self._db)

    def add_site(self, url: str) -> int:
        return self._db.sites.want(url)

    def lease(self) -> CrawlTask | None:
        tasks, _ = self._db.frontier.lease(self._db.sites.find_host(HOME) or 0, 20, 2.0)
        self._db.frontier.release(tasks[1:])
        return tasks[0] if tasks else None

    def finish(self, result: Fetched | FetchFailure) -> None:
        task = result.task
        if isinstance(result, FetchFailure):
            self._db.frontier.fail(result)
            if task.submission is not None and task.kind == "answer" and result.retry_in is None:
                self._db.submissions.mark_failed(task.submission, result.why)
            return
        if result.page is not None:
            self._db.pages.save(result, result.page)
        if task.submission is not None and result.outcome:
            self._db.records.save(task.site, result.records, submission=task.submission, page=None, at=2.0)
            self._db.submissions.mark_answered(
                task.submission, result.outcome, result.outcome_why, 2.0, total=result.total
            )
        self._db.frontier.finish(task)


@pytest.fixture(params=[InMemory, InSqlite])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    backend: Backend = request.param(tmp_path)
    backend.add_site(HOME)
    return backend


@pytest.fixture
def store(backend: Backend) -> ConversationStore:
    return backend.store


def saved_form(store: ConversationStore, form: Form = FORM) -> StoredForm:
    return store.save_form(1, form, judge_form(form), 1.0)


# Forms


def test_a_form_is_found_on_any_page_of_the_site(store: ConversationStore) -> None:
    stored = saved_form(store)

    assert stored.verdict.may_submit
    assert (stored.state, stored.domain) == ("found", "books.example")
    assert store.find_form(1, replace(FORM, page_url=f"{HOME}new")) == store.load_form(stored.id)
    assert store.find_form(2, FORM) is None


def test_a_form_that_is_left_is_not_open_until_a_better_verdict(store: ConversationStore) -> None:
    verdict = judge_form(FORM)
    left = store.save_form(1, FORM, replace(verdict, may_submit=False, refusals=("no",)), 1.0)
    assert (left.state, left.why, store.list_open_forms(5)) == ("left", "no", [])

    assert [stored.state for stored in [store.save_form(1, FORM, verdict, 2.0)]] == ["found"]
    assert [stored.id for stored in store.list_open_forms(5)] == [left.id]


def test_a_form_that_had_its_queries_for_now_is_open_for_more(store: ConversationStore) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, QUERY))
    store.end_form(stored.id, "queried once", for_now=True)

    assert (len(store.list_open_forms(1)), len(store.list_open_forms(2))) == (0, 1)
    store.end_form(stored.id, "nothing left")
    assert store.list_open_forms(2) == []


def test_the_form_in_conversation_comes_first(store: ConversationStore) -> None:
    first, second = saved_form(store), saved_form(store, replace(FORM, action=f"{HOME}other"))
    store.plan_query(PlannedQuery(second.id, QUERY))

    assert [stored.id for stored in store.list_open_forms(5, 1)] == [second.id, first.id]


def test_what_was_learnt_of_a_form_stays_with_it(store: ConversationStore) -> None:
    stored = saved_form(store)
    store.save_conversation(stored.id, "{}")
    store.save_coverage(stored.id, "[1, 2]")
    store.plan_query(PlannedQuery(stored.id, QUERY))
    store.renew_form(stored.id, replace(FORM, text="new"))

    known = store.load_form(stored.id)
    assert known is not None
    assert (known.conversation_state, known.coverage, known.form.text, known.queries) == (
        "{}",
        "[1, 2]",
        "new",
        1,
    )


def test_forms_are_relevant_for_the_topics_they_are_on(store: ConversationStore) -> None:
    stored = saved_form(store)
    store.save_relevance(stored.id, "books", 0.7, relevant=True)

    assert (store.is_relevant(stored.id, "books"), store.is_relevant(stored.id, "cars")) == (True, False)


# Submissions


def test_a_form_gets_a_query_once(store: ConversationStore) -> None:
    stored = saved_form(store)
    assert store.can_submit(QUERY)
    assert not store.was_submitted(stored.id, QUERY)

    assert store.plan_query(PlannedQuery(stored.id, QUERY))

    assert store.was_submitted(stored.id, QUERY)
    assert not store.can_submit(QUERY)
    assert not store.plan_query(PlannedQuery(stored.id, QUERY))
    assert not store.can_submit(replace(QUERY, url="http://elsewhere.example/"))


def test_a_form_is_in_conversation_as_long_as_a_query_is_under_way(
    backend: Backend, store: ConversationStore
) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, QUERY))
    task = backend.lease()
    assert task is not None
    assert store.is_in_conversation(stored.id)
    assert not store.is_in_conversation(stored.id, but=task)

    backend.finish(Fetched(task, task.url, 200, 2.0, outcome="all"))

    assert not store.is_in_conversation(stored.id)


def test_the_ledger_has_the_results_of_a_query(backend: Backend, store: ConversationStore) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, QUERY))
    assert store.list_submissions(stored.id) == []
    answer(backend, Record(f"{HOME}1", "The sea", "The sea: a novel"), total=7)

    (line,) = store.list_submissions(stored.id)

    assert (line.keyword, line.values, line.outcome) == ("sea", (("q", "sea"),), "all")
    assert (line.found, line.new, line.total, line.left, line.answered) == (1, 1, 7, False, True)
    assert store.list_good_keywords() == ["sea"]


def test_the_reading_of_an_answer_resumes_where_it_stopped(
    backend: Backend, store: ConversationStore
) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, QUERY))
    answer(backend)
    further = f"{HOME}find?q=sea&page=2"
    store.save_unfinished(1, (further, 2))

    left = store.find_unfinished(stored.id, QUERY)

    assert left == (1, further, 2)
    assert store.list_submissions(stored.id)[0].left
    store.save_unfinished(1, None)
    assert store.find_unfinished(stored.id, QUERY) is None


def test_a_page_that_did_not_come_is_missing_until_it_is_fetched_again(
    backend: Backend, store: ConversationStore
) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, QUERY))
    task = backend.lease()
    assert task is not None
    backend.finish(FetchFailure(task, "the host is down", 2.0))

    assert store.list_missing_pages() == [(task.link, stored.id, 1)]
    assert not store.list_submissions(stored.id)[0].answered
    assert store.retry_task(task.link)
    assert not store.retry_task(task.link)
    assert store.list_missing_pages() == []
    again = backend.lease()
    assert again is not None
    assert again.link == task.link


def test_an_answer_by_post_that_did_not_come_is_not_fetched_again(
    backend: Backend, store: ConversationStore
) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, replace(QUERY, method="POST", url=f"{HOME}find", body=b"q=sea")))
    task = backend.lease()
    assert task is not None

    backend.finish(FetchFailure(task, "the host is down", 2.0))

    assert store.list_missing_pages() == []


def test_a_query_whose_answer_is_fetched_again_is_open(backend: Backend, store: ConversationStore) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, QUERY))
    task = backend.lease()
    assert task is not None
    backend.finish(FetchFailure(task, "the host is down", 2.0))
    assert not store.is_in_conversation(stored.id)

    store.retry_task(task.link)

    assert store.is_in_conversation(stored.id)
    assert store.list_submissions(stored.id) == []


def test_the_answers_of_a_form_that_is_sent_by_post_are_distinguished_from_each_other_and_its_page(
    backend: Backend, store: ConversationStore
) -> None:
    store.add_task(TaskSeed(f"{HOME}find"))
    stored = saved_form(store)
    pages = {}
    for word in ("", "sea", "moon"):
        query = replace(
            QUERY, keyword=word, values=(("q", word),), method="POST", url=f"{HOME}find", body=word.encode()
        )
        assert not word or store.plan_query(PlannedQuery(stored.id, query))
        task = backend.lease()
        assert task is not None
        body = f"<title>Page</title><p>what came for {word or 'nothing'}".encode()
        page = read_page_with_items(body, task.url)
        backend.finish(Fetched(task, task.url, 200, 2.0, body=body, page=page, outcome="all" if word else ""))
        pages[task.submission or 0] = (body, "")

    assert store.load_page(f"{HOME}find") == pages[0]
    assert [store.load_answer_page(number) for number in (1, 2, 3)] == [pages[1], pages[2], None]


# Tasks


def test_the_first_page_that_still_waits_is_hastened(backend: Backend, store: ConversationStore) -> None:
    for name, bucket in (("read", FIRST), ("last", LAST), ("deep", FIRST + 2), ("near", FIRST + 1)):
        store.add_task(TaskSeed(f"{HOME}{name}", bucket=bucket))
    read = backend.lease()
    assert read is not None
    backend.finish(Fetched(read, read.url, 200, 2.0))
    store.add_task(TaskSeed(f"{HOME}soon", "record", FIRST))

    store.hasten_page(1)

    urls = [task.url for _ in range(4) if (task := backend.lease())]
    assert urls == [f"{HOME}{name}" for name in ("near", "soon", "deep", "last")]


def test_a_page_waits_once(store: ConversationStore) -> None:
    assert store.add_task(TaskSeed(f"{HOME}1", "record"))

    assert not store.add_task(TaskSeed(f"{HOME}1", "record"))
    assert store.is_known(f"{HOME}1")
    assert not store.is_known(f"{HOME}2")


def test_further_pages_of_an_answer_belong_to_no_other_answer(store: ConversationStore) -> None:
    stored = saved_form(store)
    store.plan_query(PlannedQuery(stored.id, QUERY))
    further = f"{HOME}find?q=sea&page=2"
    assert store.can_continue(further, 1)
    assert store.can_redirect(further, 1)

    store.add_task(TaskSeed(further, "paging", submission=1, page_number=2))

    assert not store.can_continue(further, 1)
    assert not store.can_redirect(further, 1)
    assert store.is_inside(further)
    assert not store.is_inside("http://elsewhere.example/")


# Records and knowledge


def test_records_are_known_with_the_form_that_brought_them(
    backend: Backend, store: ConversationStore
) -> None:
    first, second = saved_form(store), saved_form(store, replace(FORM, action=f"{HOME}other"))
    store.plan_query(PlannedQuery(first.id, QUERY))
    record = Record(f"{HOME}1", "The sea", "A novel", attributes=(("author", "Jane Smith"),))
    answer(backend, record)

    assert store.find_records(1, [f"{HOME}1", f"{HOME}2"]) == {f"{HOME}1"}
    number = text_hash(record.key)
    assert list(store.list_records(first.id)) == [
        (number, "The sea", "A novel", (("author", "Jane Smith"),), 1)
    ]
    assert list(store.list_records(second.id)) == []
    assert store.load_record_text(1, number) == "The sea\nA novel"
    assert store.load_record_text(1, 0) == ""
    assert store.list_records_of_others(1, second.id, ["The sea"]) == {first.id: [("The sea", "A novel")]}
    assert store.list_records_of_others(1, first.id, ["The sea"]) == {}


def test_knowledge_is_listed_by_subject_and_forgotten_when_empty(store: ConversationStore) -> None:
    store.save_knowledge("values", "b", "2")
    store.save_knowledge("values", "a", "1")
    store.save_knowledge("other", "a", "3")
    assert store.list_knowledge("values") == [("a", "1"), ("b", "2")]

    store.save_knowledge("values", "a", "")

    assert store.load_knowledge("values", "a") is None
    assert store.load_knowledge("values", "b") == "2"


# Conversations


def test_a_conversation_finds_what_a_site_has(backend: Backend) -> None:
    queries, records = query_until_done(backend)

    assert len(records) == len(TEXTS)
    assert len(queries) == len(set(queries))
    assert backend.store.list_forms(1)[0].state == "done"
    assert backend.lease() is None


def test_both_stores_lead_to_the_same_conversation(tmp_path: Path) -> None:
    backends: list[Backend] = [InMemory(tmp_path), InSqlite(tmp_path)]
    for backend in backends:
        backend.add_site(HOME)

    assert query_until_done(backends[0]) == query_until_done(backends[1])


def test_a_conversation_resumes_from_its_store(backend: Backend) -> None:
    conversation = new_conversation(backend)
    visit(conversation, backend)
    for _ in range(2):
        visit(conversation, backend)
    known = len(backend.store.list_submissions(1))

    resumed = new_conversation(backend)
    turn = resumed.on_start()
    while visit(resumed, backend):
        pass

    assert known == 2
    assert turn.queries == ()  # the next query waits in the store already
    assert len(list(backend.store.list_records(1))) == len(TEXTS)


def new_conversation(backend: Backend) -> Conversation:
    backend.store.add_task(TaskSeed(HOME))
    settings = ConversationSettings(queries=30, seed=1)
    return Conversation(backend.store, CountedStats(), settings, NoRecordPages(), now=lambda: 1.0)


def query_until_done(backend: Backend) -> tuple[list[str], set[str]]:
    """Query the bookshop until no query is left; return the words of the queries and the records found."""
    conversation = new_conversation(backend)
    while visit(conversation, backend):
        pass
    lines = backend.store.list_submissions(1)
    return [line.keyword for line in lines], {record.title for record in backend.store.list_records(1)}


def visit(conversation: Conversation, backend: Backend) -> bool:
    """Fetch what waits first, and hand it to the conversation; say whether there was something."""
    task = backend.lease()
    if task is None:
        return False
    body = bookshop(task.url).encode()
    page = read_page_with_items(body, task.url)
    fetched = Fetched(task, task.url, 200, 2.0, body=body, page=page)
    is_form = task.kind == "page"
    turn = conversation.on_form(fetched, page) if is_form else conversation.on_answer(fetched)
    assert isinstance(turn.result, Fetched)
    backend.finish(turn.result)
    return True


def bookshop(url: str) -> str:
    """Return the page of a shop at an address: the titles that have all words, or its home."""
    form = "<form action=/find><label>Search books <input type=search name=q></label><button>Search</button></form>"
    submitted = parse_qs(urlsplit(url).query).get("q")
    if submitted is None:
        return f"<title>Bookshop</title><h1>Books</h1><p>Books of the sea, and the moon; old and red books.</p>{form}"
    found = [text for text in TEXTS if set(submitted[0].lower().split()) <= set(text.lower().split())]
    items = "".join(f"<li class=hit><a href=/book/{TEXTS.index(text)}>{text}</a></li>" for text in found)
    said = f"{len(found)} books found" if found else "Nothing found"
    return f"<title>Results</title><h1>Results for {submitted[0]}</h1><p>{said}</p><ul>{items}</ul>{form}"


def answer(backend: Backend, *records: Record, total: int | None = None) -> None:
    """Let the next task be answered with some records."""
    task = backend.lease()
    assert task is not None
    backend.finish(Fetched(task, task.url, 200, 2.0, outcome="all", records=records, total=total))
