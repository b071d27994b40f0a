"""Where a page of an answer leads: to its next page, and to the pages of its records."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from conversation_parts import HOME, Parts

from hiddenweb.answers.answer_verdict import AnswerVerdict
from hiddenweb.answers.pagination import NextPagePost
from hiddenweb.frontier.scope import RECORDS, FrontierScope
from hiddenweb.model import Fetched, Field, Form, Link, Page, PostSeed, Record, TaskSeed
from hiddenweb.querying.answer_links import AnswerLinks
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.exchange import load_exchange

if TYPE_CHECKING:
    from hiddenweb.querying.exchange import Exchange

NEXT = f"{HOME}find?q=sea&page=2"
PAGE = Page(f"{HOME}find?q=sea")
POST_FORM = Form(
    HOME, f"{HOME}find", "POST", (Field("page", "hidden", value="2"), Field("go", "submit", value="Next"))
)


class WantedPages:
    """The pages of records of a crawl that wants them all."""

    def __init__(self, *, wanted: bool = True) -> None:
        self.wanted = wanted
        self.adopted: list[tuple[str, int]] = []

    def are_wanted(self, form: int) -> bool:
        del form
        return self.wanted

    def choose_bucket(self, form: int) -> int:
        del form
        return RECORDS

    def adopt(self, url: str, submission: int) -> None:
        self.adopted.append((url, submission))


class Answer:
    """An answer to the first query of a form, and what follows its links."""

    def __init__(self, *, wanted: bool = True, adopts_pages: bool = False, **settings: object) -> None:
        self.parts = Parts(ConversationSettings(**settings))  # type: ignore[arg-type]
        task = self.parts.submit(self.parts.save_form(), "sea")
        self.fetched = Fetched(task, task.url, 200, 1.0)
        self.exchange: Exchange = load_exchange(self.parts.store, self.fetched)
        self.pages = WantedPages(wanted=wanted)
        self.links = AnswerLinks(
            self.parts.store, self.parts.steps, self.parts.stats, self.parts.settings, self.pages,
            adopts_pages=adopts_pages,
        )  # fmt: skip

    def find_next(self, page: Page = PAGE, **answer: object) -> TaskSeed | PostSeed | None:
        verdict = AnswerVerdict("paged", "", **answer)  # type: ignore[arg-type]
        return self.links.find_next_page(self.fetched, page, verdict)

    def follow(self, *records: Record, page: Page = PAGE, known: set[str] | None = None) -> list[str]:
        """Follow records; return the addresses of the pages that are fetched for that."""
        self.links.follow_records(
            self.exchange, self.fetched, page, AnswerVerdict("all", "", records), known or set()
        )
        return [step.url for step in self.parts.steps.end_turn(None).steps if isinstance(step, TaskSeed)]


def record(name: str, url: str | None = None) -> Record:
    return Record(f"{HOME}{name}", name, "", url or f"{HOME}{name}?q=sea")


# The next page


def test_the_next_page_is_fetched_as_part_of_the_answer() -> None:
    seed = Answer().find_next(next=Link(NEXT))

    assert isinstance(seed, TaskSeed)
    assert (seed.url, seed.kind, seed.page_number, seed.submission) == (NEXT, "paging", 2, 1)


@pytest.mark.parametrize(
    "url", ["http://elsewhere.example/page/2", f"{HOME}more.pdf", f"{HOME}logout?page=2"]
)
def test_addresses_that_no_crawl_fetches_are_no_next_page(url: str) -> None:
    assert Answer().find_next(next=Link(url)) is None


def test_a_page_that_another_answer_had_is_no_next_page() -> None:
    answer = Answer()
    answer.parts.store.add_task(TaskSeed(NEXT, "paging", submission=1, page_number=2))

    assert answer.find_next(next=Link(NEXT)) is None


@pytest.mark.parametrize(
    ("page", "link"), [(PAGE, Link(NEXT, nofollow=True)), (replace(PAGE, nofollow=True), Link(NEXT))]
)
def test_nofollow_keeps_only_a_strict_crawl_from_the_next_page(page: Page, link: Link) -> None:
    free, strict = Answer(), Answer(obeys_nofollow=True)

    assert free.find_next(page, next=link) is not None
    assert free.parts.stats.values == {"hiddenweb/nofollow/answer_pages": 1}
    assert strict.find_next(page, next=link) is None


def test_a_next_page_by_post_is_requested_where_the_user_allows_it() -> None:
    following = NextPagePost(POST_FORM, POST_FORM.fields[1])

    allowed = Answer(post_hosts=frozenset({"books.example"}))
    seed = allowed.find_next(next_post=following)

    assert isinstance(seed, PostSeed)
    assert (seed.link.url, seed.link.page_number, seed.body) == (f"{HOME}find", 2, b"page=2&go=Next")
    assert Answer().find_next(next_post=following) is None
    strict = Answer(post_hosts=frozenset({"books.example"}), obeys_nofollow=True)
    assert strict.find_next(replace(PAGE, nofollow=True), next_post=following) is None


# The pages of records


def test_the_page_of_every_new_record_is_fetched() -> None:
    answer = Answer()

    urls = answer.follow(
        record("new"), record("known"), record("file", f"{HOME}file.pdf"), Record("none", "none", ""),
        record("itself", PAGE.url), known={f"{HOME}known"},
    )  # fmt: skip

    assert urls == [f"{HOME}new?q=sea"]


def test_pages_that_say_no_more_than_answers_are_skipped() -> None:
    answer = Answer(wanted=False)

    assert answer.follow(record("a"), record("b")) == []
    assert answer.parts.stats.values == {"hiddenweb/detail_pages/skipped": 2}


@pytest.mark.parametrize("adopts_pages", [True, False])
def test_a_page_that_waits_to_be_explored_is_adopted_in_a_crawl_that_does_not_explore(
    adopts_pages: bool,
) -> None:
    answer = Answer(adopts_pages=adopts_pages)
    answer.parts.store.add_task(TaskSeed(f"{HOME}a"))

    assert answer.follow(record("a")) == []
    assert answer.pages.adopted == ([(f"{HOME}a", 1)] if adopts_pages else [])


def test_nofollow_keeps_only_a_strict_crawl_from_the_pages_of_records() -> None:
    free, strict = Answer(), Answer(obeys_nofollow=True)
    page = replace(PAGE, links=(Link(f"{HOME}a?q=sea", nofollow=True),))

    assert strict.follow(record("a"), record("b"), page=page) == [f"{HOME}b?q=sea"]
    assert strict.follow(record("c"), page=replace(PAGE, nofollow=True)) == []
    assert free.follow(record("c"), page=replace(PAGE, nofollow=True)) == [f"{HOME}c?q=sea"]
    assert free.parts.stats.values == {"hiddenweb/nofollow/records": 1}


# Redirects


def test_redirects_of_answers_are_followed_unless_no_crawl_fetches_the_target() -> None:
    answer = Answer()
    answer.parts.store.add_task(TaskSeed(f"{HOME}known"))

    def reason(url: str) -> str:
        return answer.links.reason_not_to_redirect(url, answer.exchange).partition(":")[0]

    assert reason(f"{HOME}results/7") == ""
    assert reason("http://elsewhere.example/") == "leads to another site"
    assert reason(f"{HOME}known") == "leads to a known page"
    assert reason(f"{HOME}logout") == "leads to an address that no crawl fetches"


def test_redirects_end() -> None:
    answer = Answer()
    task = replace(answer.fetched.task, redirects=FrontierScope().max_redirects)
    exchange = replace(answer.exchange, item=replace(answer.fetched, task=task))

    assert answer.links.reason_not_to_redirect(f"{HOME}results/7", exchange).startswith(
        "leads to an address that no crawl"
    )
