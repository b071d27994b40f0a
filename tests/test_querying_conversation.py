"""What was learnt from an answer survives a kill, and an answer that is read twice does not repeat itself."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings
from scrapy.statscollectors import StatsCollector
from scrapy.utils.test import get_crawler

import hiddenweb.settings
from hiddenweb.crawl_context import CrawlContext
from hiddenweb.forms.verdict import NOFOLLOW, judge_form
from hiddenweb.html.reader import read_page
from hiddenweb.model import Fetched, FetchFailure, Field, Form, TaskSeed
from hiddenweb.querying.conversation import Conversation
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.conversation_store import FormTopic
from hiddenweb.querying.decoy_test import DecoyTest
from hiddenweb.querying.query_builder import MOST_MISSING
from hiddenweb.querying.site_pauses import BLOCKED_PAUSE
from hiddenweb.records.page import read_page_with_items
from hiddenweb.store.conversations import StoredConversations
from hiddenweb.store.database import Store
from hiddenweb.store.detail_pages import DetailPages

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import CrawlTask
    from hiddenweb.querying.exchange import Turn

HOME = "http://books.example/"
FORM_PAGE = (
    "<title>Bookshop</title><h1>Search our books</h1><p>Novels, novels, poems and old maps of the coast.</p>"
    "<form action=/find><label>Search books <input type=search name=q></label><button>Search</button></form>"
)
ANSWER = "<title>Results</title><h1>Results</h1><ul>" + "".join(
    f"<li class=hit><a href=/book/{number}>Novel number {number}</a> novels: a story about {subject}</li>"
    for number, subject in enumerate(("the sea", "a long road", "two cities", "the moon", "winter"), 1)
)


class Crawl:
    """A conversation on a store, with just enough around it to hand it what came."""

    def __init__(self, folder: Path, topic: str = "") -> None:
        self.state = Store(folder)
        self.topic = CrawlContext(self.state, project_settings(topic)).topic
        self.state.runs.begin("harvest", 1.0)
        self.state.sites.want(HOME)
        self.stats = StatsCollector(get_crawler())
        self.conversation = self.new_conversation()

    def new_conversation(
        self,
        *,
        submit: bool = True,
        post_hosts: frozenset[str] = frozenset(),
        obeys_nofollow: bool = False,
        queries: int = 5,
    ) -> Conversation:
        return Conversation(
            StoredConversations(self.state),
            self.stats,
            ConversationSettings(submit, queries, 3, post_hosts, obeys_nofollow=obeys_nofollow),
            DetailPages(self.state),
            topic=FormTopic(self.topic.topic.name, self.topic.relevance) if self.topic else None,
        )

    def fetch(self, kind: str, source: str) -> Fetched:
        """Let the next link of a kind be answered, and return what the pipelines get."""
        item = self.hand_over(kind, source)
        assert isinstance(item, Fetched)
        return item

    def hand_over(self, kind: str, source: str, *, attempts: int = 0) -> Fetched | FetchFailure:
        """Let the next link of a kind be answered, and return what the pipelines get."""
        waiting, _ = self.state.frontier.lease(self.state.sites.find_host(HOME) or 0, 20, 2.0)
        task = next(each for each in waiting if each.kind == kind)
        self.state.frontier.release(each for each in waiting if each is not task)
        read = read_page if task.submission is None else read_page_with_items
        page = read(source.encode(), task.url)
        task = replace(task, attempts=attempts)
        item = self.take(Fetched(task, task.url, 200, 2.0, body=source.encode(), page=page)).result
        assert isinstance(item, (Fetched, FetchFailure))
        return item

    def take(self, visit: Fetched) -> Turn:
        """Hand over what came."""
        return self.conversation.on_item(visit)

    def save(self, visit: Fetched) -> None:
        """Keep the records of an answer, and be done with it."""
        self.state.records.save(
            visit.task.site, visit.records, submission=visit.task.submission, page=None, at=2.0
        )
        self.finish(visit.task)

    def finish(self, task: CrawlTask) -> None:
        self.state.frontier.finish(task)


BLOCKED = (
    "<title>Are you a robot?</title><h1>Please show that you are not a robot</h1>"
    "<p>We have detected unusual traffic from your network. Please solve the captcha to go on.</p>"
)
GONE = (
    "<title>404 Not Found</title><h1>Page not found</h1><p>The page you are looking for does not exist.</p>"
)


def project_settings(topic: str) -> Settings:
    settings = Settings()
    settings.setmodule(hiddenweb.settings)
    settings.set("HIDDENWEB_TOPIC", topic)
    return settings


def test_an_answer_that_is_fetched_again_after_a_kill_still_brings_its_records(tmp_path: Path) -> None:
    first = Crawl(tmp_path)
    first.state.frontier.add([TaskSeed(HOME)])
    first.finish(first.fetch("page", FORM_PAGE).task)
    before = first.fetch("answer", ANSWER)
    assert len(before.records) == 5
    first.state.close()  # a commit between the middleware and the pipelines, and then the kill

    again = Crawl(tmp_path).fetch("answer", ANSWER)

    assert again.task.link == before.task.link
    assert (again.outcome, again.records) == (before.outcome, before.records)


def test_another_query_with_the_same_answer_is_a_duplicate(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.state.frontier.add([TaskSeed(HOME)])
    crawl.finish(crawl.fetch("page", FORM_PAGE).task)
    crawl.finish(crawl.fetch("answer", ANSWER).task)

    second = crawl.fetch("answer", ANSWER)

    assert (second.outcome, len(second.records)) == ("duplicate", 5)  # each known: none is kept twice


def test_a_form_whose_page_says_nofollow_by_now_is_not_resumed(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.conversation = crawl.new_conversation(submit=False)
    crawl.state.frontier.add([TaskSeed(HOME)])
    visit = crawl.fetch("page", FORM_PAGE)
    assert visit.page is not None
    unfollowed = f"<meta name=robots content=nofollow>{FORM_PAGE}".encode()
    crawl.state.pages.save(replace(visit, body=unfollowed), visit.page)
    assert [known.state for known in crawl.state.forms.load_all()] == ["found"]

    crawl.conversation = crawl.new_conversation(obeys_nofollow=True)
    assert crawl.conversation.on_start().queries == ()

    (known,) = crawl.state.forms.load_all()
    assert (known.verdict.may_submit, known.state, known.why) == (False, "left", "its page says nofollow")


def test_a_form_that_is_judged_again_still_waits_for_a_page_without_nofollow(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    posted = Form(HOME, f"{HOME}find", "POST", (Field("q", "search", label="Search"),))
    site = crawl.state.sites.find_site(HOME)
    assert site is not None
    crawl.state.forms.save(site, posted, judge_form(posted, nofollow=True), 1.0)

    crawl.conversation = crawl.new_conversation(post_hosts=frozenset({"books.example"}), obeys_nofollow=True)
    assert crawl.conversation.on_start().queries == ()

    (known,) = crawl.state.forms.load_all()
    assert (known.state, known.verdict.refusals) == ("left", (NOFOLLOW,))


def test_a_form_on_topic_is_credited_to_its_first_page_and_looked_up_there_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crawl = Crawl(tmp_path, "books")
    crawl.state.frontier.add([TaskSeed(HOME), TaskSeed(f"{HOME}new"), TaskSeed(f"{HOME}old")])
    looked_up: list[str] = []
    find_form = crawl.state.forms.find

    def counted(site: int, form: Form) -> StoredForm | None:
        looked_up.append(form.page_url)
        return find_form(site, form)

    monkeypatch.setattr(crawl.state.forms, "find", counted)
    visits = []
    for _ in range(3):
        visits.append(crawl.fetch("page", FORM_PAGE))
        crawl.finish(visits[-1].task)

    first, *others = visits
    assert (first.new_forms, first.forms_on_topic) == (1, 1)
    assert {(visit.new_forms, visit.forms_on_topic) for visit in others} == {(0, 0)}
    assert set(looked_up) == {first.url}
    assert crawl.stats.get_value("hiddenweb/forms/found") == 1


def test_a_page_that_is_read_again_after_a_kill_is_still_credited_for_its_form(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path, "books")
    crawl.state.frontier.add([TaskSeed(HOME)])
    before = crawl.fetch("page", FORM_PAGE)
    crawl.state.close()

    again = Crawl(tmp_path, "books").fetch("page", FORM_PAGE)

    assert before.task.link == again.task.link
    assert (again.new_forms, again.forms_on_topic) == (before.new_forms, before.forms_on_topic) == (1, 1)


def test_a_page_that_asks_whether_we_are_human_is_no_answer(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.state.frontier.add([TaskSeed(HOME)])
    crawl.finish(crawl.fetch("page", FORM_PAGE).task)
    missed = crawl.hand_over("answer", BLOCKED)

    assert isinstance(missed, FetchFailure)
    assert missed.retry_in == missed.host_pause == BLOCKED_PAUSE
    assert crawl.stats.get_value("hiddenweb/answers/blocked") == 1
    assert crawl.stats.get_value("hiddenweb/queries/planned") == 1  # the same query waits
    crawl.state.close()


def test_a_site_that_blocks_twice_gets_another_query_and_its_form_is_no_decoy(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.state.frontier.add([TaskSeed(HOME)])
    crawl.finish(crawl.fetch("page", FORM_PAGE).task)
    for planned in range(2, 5):
        missed = crawl.hand_over("answer", BLOCKED, attempts=1)
        assert isinstance(missed, FetchFailure)
        assert (missed.retry_in, missed.host_pause) == (None, BLOCKED_PAUSE)
        crawl.state.frontier.fail(missed)
        assert missed.task.submission is not None
        crawl.state.submissions.mark_failed(missed.task.submission, missed.why)
        assert crawl.stats.get_value("hiddenweb/queries/planned") == planned
    assert crawl.stats.get_value("hiddenweb/forms/decoy") is None
    crawl.state.close()


def test_a_form_that_found_too_much_does_not_insist_on_a_choice(tmp_path: Path) -> None:
    """It comes again, but not because it wants something to be chosen."""
    selects = "<select name=kind><option value=''>All<option>novel<option>poem</select><button>"
    page = FORM_PAGE.replace("<button>", selects)
    crawl = Crawl(tmp_path)
    crawl.state.frontier.add([TaskSeed(HOME)])
    crawl.finish(crawl.fetch("page", page).task)
    answered = crawl.fetch(
        "answer", page.replace("Search our books", "Too many results (4,062). Please refine.")
    )

    assert (answered.outcome, answered.total) == ("form_again", 4062)
    assert len(crawl.state.rows("SELECT filled FROM submissions")) == 2
    [(written,)] = crawl.state.rows("SELECT conversation_state FROM forms")
    assert not DecoyTest.from_json(json.loads(str(written))["confirmation"]).insists
    crawl.state.close()


def test_a_form_whose_address_is_gone_gets_no_more_queries(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.state.frontier.add([TaskSeed(HOME)])
    crawl.finish(crawl.fetch("page", FORM_PAGE).task)
    for _ in range(MOST_MISSING):
        answered = crawl.fetch("answer", GONE)
        assert answered.outcome == "error"
        assert answered.task.submission is not None
        crawl.state.submissions.mark_answered(
            answered.task.submission, answered.outcome, answered.outcome_why, 3.0
        )
        crawl.finish(answered.task)
    [form] = crawl.state.forms.load_site(1)
    assert form.state == "done"
    assert "no such page" in str(crawl.state.rows("SELECT why FROM forms")[0][0])
    crawl.state.close()


def test_one_page_that_is_gone_among_answers_is_no_reason_to_stop(tmp_path: Path) -> None:
    crawl = Crawl(tmp_path)
    crawl.state.frontier.add([TaskSeed(HOME)])
    crawl.finish(crawl.fetch("page", FORM_PAGE).task)
    for source in (GONE, ANSWER, GONE):
        answered = crawl.fetch("answer", source)
        assert answered.task.submission is not None
        crawl.state.submissions.mark_answered(
            answered.task.submission, answered.outcome, answered.outcome_why, 3.0
        )
        crawl.finish(answered.task)
    assert crawl.stats.get_value("hiddenweb/queries/planned") == 4
    crawl.state.close()


def books_at(path: str, said: str) -> str:
    """Return an answer whose records have pages in a folder and say something."""
    return "<title>Results</title><h1>Results</h1><ul>" + "".join(
        f"<li class=hit><a href=/{path}/{number}>{title}</a> novels: a story about {title.lower()} {said}</li>"
        for number, title in enumerate(TITLES, 1)
    )


TITLES = (
    "The Sea", "Long Road", "Two Cities", "Pale Moon", "Winter Coat", "Stone Bridge", "Red Harbour", "Last Train", "Quiet Garden", "Glass Tower",
    "Silver Key", "Old Orchard",
)  # fmt: skip


@pytest.mark.parametrize(
    ("said", "is_mirror"),
    [("of our shop", True), ("by hand drawn maps with seventeen coloured charts inside", False)],
)
def test_a_form_that_shows_known_records_under_other_addresses_gets_no_more_queries(
    tmp_path: Path, said: str, is_mirror: bool
) -> None:
    crawl = Crawl(tmp_path)
    crawl.conversation = crawl.new_conversation(queries=1)
    crawl.state.frontier.add([TaskSeed(HOME)])
    crawl.finish(crawl.fetch("page", FORM_PAGE).task)
    first = crawl.fetch("answer", books_at("book", "of our shop, and of friends"))
    crawl.save(first)
    crawl.state.frontier.add([TaskSeed(f"{HOME}old/")])
    crawl.finish(
        crawl.fetch("page", FORM_PAGE.replace("/find", "/old/find.cgi").replace("name=q", "name=w")).task
    )

    second = crawl.fetch("answer", books_at("old", said))

    assert (len(first.records), len(second.records)) == (12, 0 if is_mirror else 12)
    why = "it shows the records of form 1 again, under other addresses"
    assert (second.outcome_why == why) is is_mirror
    assert crawl.state.rows("SELECT state FROM forms WHERE id = 2") == [("left" if is_mirror else "queried",)]
