"""Links and queries take their places in the frontier by what was learnt, and what was learnt is in the state."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.focused.exploring.link_automata import PageKindAutomata, VisitGain
from hiddenweb.frontier.scope import FIRST, LAST, QUERIES
from hiddenweb.model import Fetched, Field, Form, HttpQuery, Page, Record, TaskSeed, Verdict
from hiddenweb.store.database import Store
from hiddenweb.store.link_automata import LESSONS, PART, LinkAutomata

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.model import CrawlTask, TaskKind

A = "https://a.example/"
NOW = 1_700_000_000.0
LIST, MENU = "html/body/div.main/ul.list/li/a", "html/body/nav/ul.menu/li/a"
KIND = 77


class Small:
    """A state with a homepage that has links in two places, and automata over it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.state = Store(folder)
        self.site = self.state.sites.want(A)
        self.automata = LinkAutomata(self.state, Random(1))
        self.state.frontier.add([TaskSeed(A)])
        self.home = self.read(A)

    def read(
        self, url: str, kind: TaskKind = "page", *, structure: int = KIND, duplicate_of: int | None = None
    ) -> Fetched:
        """Read a page whose link waits, and keep it."""
        task = self.leased(url)
        page = Page(url, "Title", url, fingerprint=hash(url) % 1_000_003, structure=structure)
        visit = Fetched(task, url, 200, NOW, b"<p>", page=page, duplicate_of=duplicate_of)
        assert task.kind == kind
        self.state.pages.save(visit, page)
        self.state.frontier.finish(task)
        return visit

    def leased(self, url: str) -> CrawlTask:
        host = self.state.sites.find_host(A)
        assert host is not None
        tasks, _ = self.state.frontier.lease(host, 100, NOW)
        [wanted] = [task for task in tasks if task.url == url]
        self.state.frontier.release(task for task in tasks if task.url != url)
        return wanted

    def link(self, name: str, tag_path: str, kind: TaskKind = "page", parent: Fetched | None = None) -> str:
        """Add a link that stands on the homepage, or on another page."""
        on = (parent or self.home).task.link
        self.state.frontier.add([TaskSeed(A + name, kind, 5, 1, parent=on, tag_path=tag_path)])
        return A + name

    def form(self, page_url: str = A) -> int:
        form = Form(page_url, f"{page_url}find", "GET", (Field("q", "text"),))
        return self.state.forms.save(self.site, form, Verdict(True, "search"), NOW)

    def submit(self, form: int, word: str) -> Fetched:
        """Ask a form, and return the answer."""
        url = f"{A}find?q={word}"
        self.state.submissions.plan(form, HttpQuery((("q", word),), word, url=url), "", NOW)
        return self.read(url, "answer", structure=1)

    def probabilities(self, kind: int = KIND) -> dict[str, float]:
        return self.automata._load(self.site).probabilities(str(kind))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Small]:
    small = Small(tmp_path)
    yield small
    small.state.close()


def test_a_page_that_links_reach_penalises_the_place_of_its_link(small: Small) -> None:
    small.automata.place_links(
        small.site, small.home.page or Page(A), [TaskSeed(A, tag_path=path) for path in (LIST, MENU)]
    )
    visit = small.read(small.link("one", LIST))

    assert small.automata.learn_fetched(visit) is VisitGain.LINKED
    assert small.probabilities()["ul.list/li/a"] < small.probabilities()["ul.menu/li/a"]


def test_a_page_that_is_the_first_with_a_search_form_rewards_it_and_the_next_does_not(small: Small) -> None:
    first, second = small.read(small.link("one", LIST)), small.read(small.link("two", MENU))
    small.form(first.url)

    assert small.automata.learn_fetched(first) is VisitGain.FORM
    assert small.automata.learn_fetched(second) is VisitGain.LINKED
    assert small.probabilities()["ul.list/li/a"] > small.probabilities()["ul.menu/li/a"]


def test_a_page_found_on_the_page_of_a_record_is_hidden_and_a_duplicate_is_nothing(small: Small) -> None:
    record = small.read(small.link("record", "", "record"), "record", structure=5)
    hidden = small.read(small.link("further", LIST, parent=record))
    again = small.read(small.link("again", LIST, parent=record), duplicate_of=1)

    assert small.automata.learn_fetched(hidden) is VisitGain.HIDDEN
    assert small.automata.learn_fetched(again) is VisitGain.NOTHING
    assert small.automata.learn_fetched(record) is None  # an answer led there


def test_links_without_a_place_teach_nothing(small: Small) -> None:
    assert small.automata.learn_fetched(small.home) is None
    assert small.automata.learn_failure(small.leased(small.link("lost", ""))) is None


def test_a_link_without_an_answer_is_penalised(small: Small) -> None:
    assert small.automata.learn_failure(small.leased(small.link("lost", LIST))) is VisitGain.NOTHING


@pytest.mark.parametrize(
    ("linked", "gain"), [(False, VisitGain.HIDDEN), (True, VisitGain.LINKED)], ids=["hidden", "linked"]
)
def test_an_answer_is_judged_by_whether_links_lead_to_its_new_records(
    linked: bool, gain: VisitGain, small: Small
) -> None:
    record = Record("1", "One", "Text", small.link("r1", MENU) if linked else f"{A}r1")
    answer = small.submit(small.form(), "tide")
    [number] = [row[0] for row in small.state.rows("SELECT id FROM submissions")]
    small.state.records.save(small.site, [record], submission=number, page=1, at=NOW)  # type: ignore[arg-type]

    answered = Fetched(answer.task, answer.url, 200, NOW, page=answer.page, records=(record,))
    assert small.automata.learn_fetched(answered) is gain


def test_an_answer_without_new_records_is_penalised(small: Small) -> None:
    answer = small.submit(small.form(), "tide")

    assert small.automata.learn_fetched(answer) is VisitGain.NOTHING


def test_the_first_query_is_submitted_at_once_and_those_of_a_useless_form_come_late(small: Small) -> None:
    form = small.form()
    first = small.automata.choose_query_bucket(form)
    for place in range(10):
        small.automata.place_links(
            small.site, small.home.page or Page(A), [TaskSeed(A, tag_path=f"div/ul.{place}/li/a")]
        )
    for number in range(60):
        small.automata.learn_fetched(small.submit(form, f"word{number}"))
    late = [small.automata.choose_query_bucket(form) for _ in range(200)]

    assert first == QUERIES
    assert min(late) >= FIRST
    assert sum(late) / len(late) > 8


def test_links_draw_buckets_between_the_first_and_the_last(small: Small) -> None:
    links = [TaskSeed(f"{A}{number}", tag_path=LIST) for number in range(300)]
    placed = small.automata.place_links(small.site, small.home.page or Page(A), links)

    buckets = {link.bucket for link in placed}
    assert [link.url for link in placed] == [link.url for link in links]
    assert len(buckets) > 4
    assert min(buckets) > FIRST
    assert max(buckets) <= LAST


def test_links_that_wait_draw_again_when_enough_was_learnt(small: Small) -> None:
    for number in range(40):
        small.link(f"list{number}", LIST)
        small.link(f"menu{number}", MENU)
    for number in range(LESSONS):
        visit = small.read(f"{A}{'list' if number % 2 else 'menu'}{number}")
        if number % 2:
            small.form(visit.url)
        before = small.state.rows("SELECT DISTINCT bucket FROM links WHERE state = 0")
        small.automata.learn_fetched(visit)

    assert before == [(5,)]
    mean = "SELECT avg(bucket) FROM links WHERE state = 0 AND tag_path = ?"
    [[listed]], [[menu]] = (small.state.rows(mean, (path,)) for path in (LIST, MENU))
    assert listed + 1 < menu  # type: ignore[operator]


def test_what_was_learnt_is_committed_and_found_again(small: Small) -> None:
    small.automata.learn_fetched(small.read(small.link("one", LIST)))
    small.read(small.link("two", MENU))
    assert small.state.knowledge.get(PART, str(small.site)) is None
    small.state.commit()

    written = small.state.knowledge.get(PART, str(small.site))
    assert written is not None
    again = LinkAutomata(small.state, Random(2))
    assert again._load(small.site).to_json() == written == PageKindAutomata.from_json(written).to_json()
