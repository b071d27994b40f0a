"""Records and their own pages, in the state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.answers.detail_pages import MOST_FAILED, TRIED
from hiddenweb.frontier.scope import RECORDS
from hiddenweb.model import CrawlTask, Fetched, Field, Form, HttpQuery, Page, Record, TaskSeed, Verdict
from hiddenweb.store.database import Store
from hiddenweb.store.detail_pages import ALWAYS, NEVER, DetailPages, policy_named, record_moved
from hiddenweb.store.frontier import SKIPPED
from hiddenweb.store.outbox import document_key, open_outbox

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = "https://a.example/"
NOW = 1_700_000_000.0


class World:
    """A site with one form and one submitted query."""

    def __init__(self, store: Store, policy: str = "auto") -> None:
        self.state = store
        self.details = DetailPages(store, policy)
        self.site = store.sites.want(HOME)
        form = Form(HOME, f"{HOME}find", "GET", (Field("q", "search"),))
        self.form = store.forms.save(self.site, form, Verdict(True, "search"), NOW)
        self.submission_number = (
            store.submissions.plan(self.form, HttpQuery((("q", "x"),), "x", url=f"{HOME}find?q=x"), "", NOW)
            or 0
        )
        self.state.frontier.lease(self.host, 1, NOW)  # the query itself

    @property
    def host(self) -> int:
        return self.state.sites.find_host(HOME) or 0

    def list_record(self, at: int, text: str = "amber", url: str = "") -> int:
        """Let an answer list a record, whose page is requested."""
        address = url or f"{HOME}item/{at}"
        self.state.frontier.add([TaskSeed(address, "record", submission=self.submission_number)])
        record = Record(f"{HOME}item/{at}", f"Item {at}", text, address)
        ((number, _),) = self.state.records.save(
            self.site, [record], submission=self.submission_number, page=None, at=NOW
        )
        self.state.outbox.save_record(number, document_key(record.key), "listed")
        return number

    def next_task(self) -> CrawlTask:
        (task,), _ = self.state.frontier.lease(self.host, 1, NOW)
        return task

    def read(self, task: CrawlTask, text: str) -> int | None:
        """Read a page as the pipelines do."""
        record = self.details.find_record(task)
        if record is not None:
            self.details.complete(record, text)
        page = Page(task.url, "Title", text, fingerprint=hash(text))
        saved = self.state.pages.save(Fetched(task, task.url, 200, NOW, text.encode(), page=page), page)
        self.state.outbox.save_page(saved, task.url, text, behind_form=task.kind == "record", record=record)
        self.state.frontier.finish(task)
        return record

    def documents(self) -> list[tuple[str, str, str]]:
        self.state.commit()
        outbox = open_outbox(self.state.folder)
        found = [(each.key, each.kind, each.text) for each in outbox.documents()]
        outbox.close()
        return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


def test_a_record_and_its_own_page_are_one_document(store: Store) -> None:
    world = World(store)
    number = world.list_record(1)

    assert world.read(world.next_task(), "all of amber") == number

    assert world.documents() == [(f"{HOME}item/1", "record", "all of amber")]
    assert store.rows("SELECT text, detail FROM records") == [("amber", "all of amber")]


def test_they_are_one_if_the_address_contains_the_query(store: Store) -> None:
    world = World(store)
    number = world.list_record(1, url=f"{HOME}item/1?from=x")

    assert world.read(world.next_task(), "all of amber") == number

    assert world.documents() == [(f"{HOME}item/1", "record", "all of amber")]


def test_they_are_one_if_the_page_is_elsewhere(store: Store) -> None:
    world = World(store)
    number = world.list_record(1)
    task = world.next_task()
    store.frontier.add(
        [TaskSeed(f"{HOME}amber.html", "record", redirects=1, submission=world.submission_number)]
    )
    record_moved(store, task, f"{HOME}amber.html")
    store.frontier.finish(task)

    assert world.read(world.next_task(), "all of amber") == number

    assert world.documents() == [(f"{HOME}item/1", "record", "all of amber")]


def test_they_are_one_if_a_link_led_to_the_page_before(store: Store) -> None:
    world = World(store)
    store.frontier.add([TaskSeed(f"{HOME}item/1", "page", 1)])
    assert world.read(world.next_task(), "all of amber") is None
    before = world.documents()

    number = world.list_record(1)

    assert before == [(f"{HOME}item/1", "page", "all of amber")]
    assert world.details.complete_from_store(number)
    assert world.documents() == [(f"{HOME}item/1", "record", "all of amber")]
    assert store.rows("SELECT detail FROM records") == [("all of amber",)]
    assert store.rows("SELECT count(*) FROM outbox") == [(2,)]  # the index gets it as a record


def test_a_link_that_leads_to_the_page_later_finds_the_record(store: Store) -> None:
    world = World(store)
    record = Record(f"{HOME}item/1", "Item", "amber", f"{HOME}item/1")
    ((number, _),) = store.records.save(
        world.site, [record], submission=world.submission_number, page=None, at=NOW
    )
    store.frontier.add([TaskSeed(f"{HOME}item/1", "page", 1)])

    assert world.read(world.next_task(), "all of amber") == number


def test_a_page_of_several_records_belongs_to_none(store: Store) -> None:
    world = World(store)
    store.frontier.add([TaskSeed(f"{HOME}list", "page", 1)])
    records = [Record(f"a.example#{at}", "Item", f"text {at}", f"{HOME}list") for at in range(2)]
    saved = store.records.save(world.site, records, submission=world.submission_number, page=None, at=NOW)
    for number, record in saved:
        store.outbox.save_record(number, document_key(record.key), record.text)

    assert world.read(world.next_task(), "a list of both") is None
    assert [(kind, text) for _, kind, text in world.documents()] == [
        ("record", "text 0"), ("record", "text 1"), ("page", "a list of both"),
    ]  # fmt: skip


def test_records_that_share_a_page_which_was_read_before_stay_documents_of_their_own(store: Store) -> None:
    world = World(store)
    store.frontier.add([TaskSeed(f"{HOME}list", "page", 1)])
    world.read(world.next_task(), "a list of both")
    records = [Record(f"a.example#{at}", "Item", f"text {at}", f"{HOME}list") for at in range(2)]

    saved = store.records.save(world.site, records, submission=world.submission_number, page=None, at=NOW)
    for number, record in saved:
        store.outbox.save_record(number, document_key(record.key), record.text)

    assert not any(world.details.complete_from_store(number) for number, _ in saved)
    assert sorted((kind, text) for _, kind, text in world.documents()) == [
        ("page", "a list of both"), ("record", "text 0"), ("record", "text 1"),
    ]  # fmt: skip


def try_pages(world: World, more: str = "") -> None:
    for at in range(TRIED):
        world.list_record(at, f"amber{at}")
        extra = more.format(at=at)
        world.read(world.next_task(), f"Item {at}\namber{at}\n{extra}\nOpen all day")


def test_pages_that_add_nothing_are_not_fetched_any_more_also_by_the_next_crawl(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        world = World(store)
        assert world.details.are_wanted(world.form)
        try_pages(world)
        world.list_record(9)
        task = world.next_task()

        assert not world.details.are_wanted(world.form)
        assert world.details.skip(task)
        assert store.rows("SELECT state, why FROM links WHERE id = ?", (task.link,)) == [(4, SKIPPED)]

    with Store(tmp_path) as store:
        assert not DetailPages(store).are_wanted(world.form)
        assert DetailPages(store, ALWAYS).are_wanted(world.form)


def test_pages_that_add_something_are_fetched_and_stored_without_their_template(store: Store) -> None:
    world = World(store)
    try_pages(world, "It comes from valley{at}")
    number = world.list_record(9)
    task = world.next_task()

    assert not world.details.skip(task)
    world.read(task, "Item 9\namber\nIt comes from valley9\nOpen all day")

    assert store.rows("SELECT detail FROM records WHERE id IN (1, ?)", (number,)) == [
        ("Item 0\namber0\nIt comes from valley0",), ("Item 9\namber\nIt comes from valley9",),
    ]  # fmt: skip


def test_the_first_pages_are_read_before_anything_is_decided(store: Store) -> None:
    world = World(store)
    for at in range(TRIED):
        world.list_record(at, f"amber{at}")

    for at in range(TRIED):
        task = world.next_task()
        assert not world.details.skip(task)
        world.read(task, f"Item {at}\namber{at}")

    assert not world.details.are_wanted(world.form)


def test_pages_are_given_up_when_one_after_the_other_cannot_be_read(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        world = World(store)
        number = world.list_record(0)
        task = world.next_task()
        for _ in range(MOST_FAILED - 1):
            world.details.count_failure(task)
        world.details.complete(number, "amber")  # one can, and the count starts again
        for _ in range(MOST_FAILED - 1):
            world.details.count_failure(task)
        assert world.details.are_wanted(world.form)

        world.details.count_failure(task)

        assert not world.details.are_wanted(world.form)
    with Store(tmp_path) as store:
        assert not DetailPages(store).are_wanted(world.form)


def test_the_only_match_says_nothing_about_what_answers_leave_out(store: Store) -> None:
    world = World(store)
    for at in range(TRIED + 1):
        world.details.complete(world.list_record(at, f"amber{at}"), f"amber{at}", is_answer=True)

    assert world.details.are_wanted(world.form)
    assert store.rows("SELECT count(detail) FROM records") == [(TRIED + 1,)]


def test_the_same_page_read_twice_counts_once(store: Store) -> None:
    world = World(store)
    number = world.list_record(1)

    assert [world.details.complete(number, "amber") for _ in range(TRIED + 1)] == [True] + [False] * TRIED
    assert world.details.are_wanted(world.form)


def test_a_page_that_others_link_to_is_read_as_such(store: Store) -> None:
    world = World(store, NEVER)
    for at in range(3):
        world.list_record(at)
    skipped = world.next_task()
    assert world.details.skip(skipped)
    under_way = world.next_task()
    assert not store.frontier.is_remembered(
        f"{HOME}item/0"
    )  # or nobody would look whether it is one of these

    added = store.frontier.add([TaskSeed(f"{HOME}item/{at}", "page", 3) for at in range(3)], followed=True)

    assert added.new == 3
    kinds = "SELECT kind, state, submission IS NULL FROM links WHERE url LIKE '%/item/%' ORDER BY id"
    assert store.rows(kinds) == [("page", 0, 0), ("page", 1, 0), ("page", 0, 0)]
    assert world.details.skip(under_way)  # it waits for its turn among the pages
    assert store.rows(kinds)[1] == ("page", 0, 1)


def test_a_page_whose_address_has_become_a_query_is_not_skipped(store: Store) -> None:
    world = World(store, NEVER)
    world.list_record(1)
    task = world.next_task()
    query = HttpQuery((("q", "y"),), "y", url=f"{HOME}item/1")
    submission_number = store.submissions.plan(world.form, query, "", NOW)

    assert not world.details.skip(task)
    assert store.rows("SELECT kind, submission FROM links WHERE id = ?", (task.link,)) == [
        ("answer", submission_number)
    ]


def test_a_page_that_waits_to_be_explored_can_be_adopted_and_given_back(store: Store) -> None:
    world = World(store)
    store.frontier.add([TaskSeed(f"{HOME}item/1", "page", 5)])
    world.details.adopt(f"{HOME}item/1", world.submission_number)
    row = "SELECT bucket, submission, state FROM links WHERE url LIKE '%/item/1'"
    adopted = store.rows(row)
    never = DetailPages(store, NEVER)

    assert adopted == [(RECORDS, world.submission_number, 0)]
    assert never.skip(world.next_task())
    assert store.rows(row) == [(15, None, 0)]


def test_policies_are_named() -> None:
    assert policy_named("never") == NEVER
    with pytest.raises(ValueError, match=r"'sometimes' is no way .*; there are auto, always, never"):
        policy_named("sometimes")
