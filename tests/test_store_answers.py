"""Answers that are revisited: their pages, the records they show, and what became of those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from stores import FORM, NOW, fetch, lease_all, save_page

from hiddenweb.model import CrawlTask, HttpQuery, Record, TaskSeed, Verdict
from hiddenweb.revisit.change import Change
from hiddenweb.revisit.revisit_store import AnswerRevisit
from hiddenweb.store.answers import AnswerStore
from hiddenweb.store.changes import ChangeStore
from hiddenweb.store.frontier import DONE, PENDING, SKIPPED
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

HOME = "https://a.example/"
SEA = Record("sea", "The sea", "A novel of the sea", f"{HOME}book/sea")


@dataclass
class Site:
    """A site with a queried form, and the state of its answers."""

    store: Store

    def __post_init__(self) -> None:
        self.number = self.store.sites.want(HOME)
        self.form = self.store.forms.save(self.number, FORM, Verdict(True, "search"), NOW)
        self.answers = AnswerStore(self.store)

    def answer(self, word: str, *records: Record, method: str = "GET") -> CrawlTask:
        """Let the form be queried, and the first page of the answer be read."""
        query = HttpQuery(
            (("q", word),), word, method, f"{HOME}find?q={word}", b"" if method == "GET" else b"x"
        )
        number = self.store.submissions.plan(self.form, query, None, NOW)
        [task] = lease_all(self.store)
        self.store.records.save(self.number, records, submission=number, page=None, at=NOW)
        self.store.submissions.mark_answered(number or 0, "all", "", NOW)
        self.read(task)
        return task

    def read(self, task: CrawlTask) -> None:
        save_page(self.store, fetch(task, f"this is at {task.url}"))
        self.store.frontier.finish(task)

    def lose(self, task: CrawlTask, *, is_proof: bool = True, at: float = NOW + 5) -> str:
        """Let an answer not show the record of the sea any more."""
        return self.answers.mark_missing(task.submission or 0, self.number, SEA.key, at, is_proof=is_proof)

    def is_gone(self) -> bool:
        found = self.answers.find_record(self.number, SEA.key)
        assert found is not None
        return found[1]


@pytest.fixture
def site(store: Store) -> Site:
    return Site(store)


# Pages of an answer


def test_further_pages_of_an_answer_come_in_their_order_as_they_were_read(site: Site) -> None:
    answer = site.answer("sea", SEA)
    for number in (3, 2):
        url = f"{HOME}find?q=sea&page={number}"
        site.store.frontier.add([TaskSeed(url, "paging", submission=answer.submission, page_number=number)])
    for task in lease_all(site.store):
        site.read(task)

    pages = site.answers.load_further_pages(answer.submission or 0)

    assert [(page.number, page.url) for page in pages] == [
        (2, f"{HOME}find?q=sea&page=2"), (3, f"{HOME}find?q=sea&page=3"),
    ]  # fmt: skip
    assert b"page=2" in pages[0].body.body


@pytest.mark.parametrize(
    ("sizes", "cap"),
    [
        ([10, 10, 10, 4], 10),
        ([10, 10, 4], 0),  # too few answers end there
        ([10, 10, 10, 11], 0),  # one goes behind it
        ([7, 7, 7], 0),  # no round number
        ([8, 8, 8], 8),  # a power of two is one
        ([1, 1, 1, 1], 0),
        ([], 0),
    ],
)
def test_answers_end_at_a_round_number_where_the_site_shows_no_more(
    site: Site, sizes: list[int], cap: int
) -> None:
    for word, size in enumerate(sizes):
        site.answer(f"w{word}", *(Record(f"{number}", "title", "text") for number in range(size)))

    assert site.answers.find_cap(site.form) == cap


def test_a_further_page_is_planned_before_all_others_and_only_for_the_revisit(site: Site) -> None:
    answer = site.answer("sea", SEA)

    link = site.answers.plan_page(answer, f"{HOME}find?q=sea&page=2", 2)

    assert link == site.answers.plan_page(answer, f"{HOME}find?q=sea&page=2", 2)
    assert lease_all(site.store) == []  # the frontier knows nothing of it
    [task], _ = RevisitStore(site.store).lease(answer.host, 5, NOW)
    assert (task.link, task.kind, task.page_number, task.submission) == (
        link, "paging", 2, answer.submission,
    )  # fmt: skip
    assert site.answers.plan_page(answer, "https://elsewhere.example/", 2) is None


def test_a_further_page_belongs_to_its_own_answer_though_only_a_session_distinguishes_their_addresses(
    site: Site,
) -> None:
    first, second = site.answer("sea", SEA), site.answer("moon", SEA)
    url = f"{HOME}more?PHPSESSID="
    site.store.frontier.add([TaskSeed(f"{url}1111", "paging", submission=first.submission, page_number=2)])

    link = site.answers.plan_page(second, f"{url}2222", 2)

    rows = site.store.rows(
        "SELECT id = ?, submission, state FROM links WHERE kind = 'paging' ORDER BY id", (link,)
    )
    assert rows == [(0, first.submission, PENDING), (1, second.submission, DONE)]


def test_a_page_that_was_planned_for_a_revisit_ends_with_it(site: Site) -> None:
    answer = site.answer("sea", SEA)
    link = site.answers.plan_page(answer, f"{HOME}find?q=sea&page=2", 2)
    site.store.write(
        "INSERT INTO revisit_queue (link, host, not_before, expected) VALUES (?, ?, 0, 1)", (99, 1)
    )
    assert link is not None

    assert site.answers.end_page(link)
    assert site.answers.end_page(link)  # it was ended before
    assert not site.answers.end_page(99)  # it is planned for its own sake


# Records


def test_a_record_is_gone_when_no_answer_shows_it_and_one_of_them_was_seen_whole(site: Site) -> None:
    first, second = site.answer("sea", SEA), site.answer("novel", SEA)

    assert site.lose(first) == "shown elsewhere"
    assert not site.is_gone()
    assert site.lose(second, is_proof=False) == "gone"
    assert site.is_gone()
    assert site.lose(second) == "known to be gone"


def test_a_record_is_not_gone_as_long_as_no_answer_was_seen_whole(site: Site) -> None:
    answer = site.answer("sea", SEA)

    assert site.lose(answer, is_proof=False) == "not proved"
    assert not site.is_gone()
    assert site.lose(answer, is_proof=True) == "gone"


def test_a_record_that_an_answer_shows_again_is_back(site: Site) -> None:
    answer = site.answer("sea", SEA)
    site.lose(answer)

    site.answers.mark_shown(answer.submission or 0, site.number, [SEA, Record("new", "New", "")])

    assert not site.is_gone()
    assert site.answers.find_record(site.number, "new") is None
    assert site.lose(answer, is_proof=False) == "not proved"  # what was proved before counts no more


def test_an_unknown_record_cannot_be_lost(site: Site) -> None:
    assert site.lose(site.answer("sea")) == "known to be gone"


def test_a_record_is_gone_since_it_was_first_marked(site: Site) -> None:
    site.answer("sea", SEA)

    for at in (NOW + 1, NOW + 2):
        site.answers.mark_gone(site.number, SEA.key, at)

    assert site.store.rows("SELECT gone FROM records") == [(NOW + 1,)]


def test_the_newest_text_of_a_record_is_stored(site: Site) -> None:
    site.answer("sea", SEA)

    site.answers.update_record(site.number, Record(SEA.key, "The lake", "A novel of the lake"))

    assert site.answers.load_record(site.number, SEA.key) == ("The lake", "A novel of the lake")


# Own pages of records


def test_the_own_page_of_a_record_may_be_fetched_where_it_is_in_the_frontier(site: Site) -> None:
    site.store.frontier.add([TaskSeed(f"{HOME}book/sea", "record")])
    [page] = lease_all(site.store)
    answer = site.answer("sea", SEA, Record("moon", "The moon", ""))
    assert site.answers.find_detail_page(site.number, SEA.key) == SEA.url
    assert site.answers.find_detail_page(site.number, "moon") is None  # it has none

    site.store.frontier.refuse(page, "robots.txt forbids it")
    assert site.answers.find_detail_page(site.number, SEA.key) is None
    site.store.frontier.refuse(page, SKIPPED)
    assert site.answers.find_detail_page(site.number, SEA.key) == SEA.url

    link = site.answers.plan_detail_page(answer, f"{HOME}book/sea")
    assert link == page.link


def test_a_skipped_own_page_may_be_fetched_where_others_were(site: Site) -> None:
    site.answer("sea", SEA)
    assert site.answers.find_detail_page(site.number, SEA.key) is None

    site.store.frontier.add([TaskSeed(f"{HOME}book/other", "record")])
    [other] = lease_all(site.store)
    site.store.frontier.finish(other)

    assert site.answers.find_detail_page(site.number, SEA.key) == SEA.url


# Changes and revisits


def test_a_change_of_a_record_is_reported_once_whatever_answer_shows_it(site: Site) -> None:
    answer = site.answer("sea", SEA)
    change = Change("record changed", answer.url, NOW, key=SEA.key, attribute="price", before="1", after="2")
    ChangeStore(site.store).add(1, site.number, change)

    def is_reported(since: float = NOW - 1, **other: str) -> bool:
        wanted = {"kind": change.kind, "key": SEA.key, "attribute": "price", "after": "2"} | other
        return site.answers.is_reported(site.number, Change(url=HOME, at=NOW + 9, **wanted), since)  # type: ignore[arg-type]

    assert is_reported()
    assert not is_reported(since=NOW)
    assert not is_reported(after="3")
    assert not is_reported(attribute="author")
    assert not is_reported(kind="record removed", attribute="")
    assert not is_reported(key="unknown")


def test_revisits_of_answers_are_listed_the_latest_first(site: Site) -> None:
    answer = site.answer("sea", SEA)
    revisits = [
        AnswerRevisit(answer.submission or 0, NOW + day, pages=2, whole=day == 1, why="", removed=1)
        for day in (1, 2)
    ]
    for revisit in revisits:
        site.answers.save_revisit(revisit)

    newest = ("a.example", site.form, "sea", revisits[1])
    assert site.answers.load_revisits() == [newest, ("a.example", site.form, "sea", revisits[0])]
    assert site.answers.load_revisits(site="a.example", since=NOW + 2) == [newest]
    assert site.answers.load_revisits(site="other.example") == []


def test_answers_by_post_with_records_are_counted_as_never_revisited(site: Site) -> None:
    site.answer("sea", SEA)
    site.answer("moon", SEA, method="POST")
    site.answer("none", method="POST")

    assert site.answers.count_without_revisits() == 1
