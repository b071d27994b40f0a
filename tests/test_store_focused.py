from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from hiddenweb.focused.exploring.value_explorer import ValueExplorer
from hiddenweb.focused.locating.candidates import (
    SiteCandidate,
)
from hiddenweb.focused.locating.site_frontier import CHOICES_BETWEEN_TURNS, HELD, TURN_SIZE
from hiddenweb.focused.smartcrawler import SmartCrawler
from hiddenweb.focused.stages import DEEP, OFF_TOPIC, ON_TOPIC, FocusedLimits
from hiddenweb.focused.topic_crawl import STRATEGIES, HomepageVerdict, VisitedPage
from hiddenweb.frontier.stopping import StopCriteria
from hiddenweb.model import FetchFailure, Field, Form, Link, TaskSeed, Verdict
from hiddenweb.store.candidates import SqliteCandidates
from hiddenweb.store.database import Store
from hiddenweb.store.focused import FocusedStore
from hiddenweb.store.frontier import DONE, PENDING
from hiddenweb.store.topic_knowledge import add_terms, load_terms, restore_learners

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.focused.adaptive import AdaptiveCrawler
    from hiddenweb.model import CrawlTask

NOW = 1_000_000.0
TOPIC = "books"
BAG = st.dictionaries(st.text(min_size=1, max_size=5), st.integers(1, 99), max_size=4)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        store.runs.begin("test", NOW)
        yield store


class Crawl:
    """A crawl on a topic: the calls of the scheduler and of the last pipeline, without Scrapy."""

    def __init__(
        self, store: Store, strategy: str, *seeds: str, plan: FocusedLimits | None = None, **options: Any
    ) -> None:
        self.state = store
        self.focused = FocusedStore(
            store, TOPIC, {"book"}, Random(1), plan or FocusedLimits(), strategy=strategy, **options
        )
        store.before_commit.append(self.focused.write)
        self.focused.start([f"https://{seed}/" for seed in seeds])

    @property
    def stages(self) -> AdaptiveCrawler | SmartCrawler:
        return self.focused.stages

    def open(self) -> str | None:
        """Open a site; say which."""
        before = set(self.stages.open_sites)
        self.focused.open_site(NOW)
        return next(iter(self.stages.open_sites.keys() - before), None)

    def lease(self, name: str) -> CrawlTask | None:
        host = self.state.sites.find_host(f"https://{name}/")
        assert host is not None
        tasks, _ = self.focused.lease(host, 1, NOW)
        return tasks[0] if tasks else None

    def read(
        self, task: CrawlTask, *inside: str, outward: str = "", forms: int = 0, rewards: int = 0, on_topic: bool = True
    ) -> None:  # fmt: skip
        """Tell what a page had, in the order of the pipelines."""
        start = task.url.partition("/")[0] + "//" + task.url.split("/")[2]
        links = [
            TaskSeed(
                path if "://" in path else f"{start}/{path}",
                "page",
                2,
                task.hops + 1,
                parent=task.link,
                anchor=path,
            )
            for path in inside
        ]
        if rewards:
            self.keep_form(task.url, relevant=True)
        new = self.state.frontier.add(links).links
        self.focused.read(
            task,
            VisitedPage(
                task.url,
                new,
                [Link(f"https://{name}/", "books") for name in outward.split()],
                "en",
                forms=forms,
                rewards=rewards,
                homepage=HomepageVerdict(on_topic, '{"on_topic": true}'),
            ),
        )
        self.state.frontier.finish(task)

    def keep_form(self, page: str, *, relevant: bool) -> None:
        """Keep a search form of a page."""
        form = Form(page, f"{page}?find", "GET", (Field("q", "text"),))
        number = self.state.forms.save(self.state.sites.want(page), form, Verdict(True, "search"), NOW)
        self.state.forms.save_relevance(number, TOPIC, 0.5, relevant=relevant)

    def visit(self, name: str, *inside: str, **had: Any) -> str | None:
        """Read the next page of a host; say which it was."""
        task = self.lease(name)
        if task is None:
            return None
        self.read(task, *inside, **had)
        return task.url.removeprefix(f"https://{name}/")

    def rest(self, name: str) -> list[str]:
        """Read all that is left of a host."""
        paths = []
        while (path := self.visit(name)) is not None:
            paths.append(path)
        return sorted(paths)

    def explored(self, column: str, key: str) -> object:
        ((found,),) = self.state.rows(
            f"SELECT {column} FROM explored_sites WHERE topic = 'books' AND key = ?", (key,)
        )
        return found


def end(store: Store) -> None:
    """End a crawl as a kill does: what was not committed is lost."""
    store.before_commit.clear()
    if store.db.in_transaction:
        store.db.execute("ROLLBACK")
    store.close()


# Opening and reading sites

both = pytest.mark.parametrize("strategy", STRATEGIES)


@both
def test_site_that_is_opened_gets_its_turn(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    assert (crawl.focused.waiting, crawl.focused.open_sites) == (1, 0)

    opened = crawl.open()

    assert opened == "a.example"
    assert store.sites.woken_hosts == {store.sites.find_host("https://a.example/")}
    assert (crawl.focused.waiting, crawl.focused.open_sites) == (0, 1)
    task = crawl.lease("a.example")
    assert task is not None
    assert task.url == "https://a.example/"
    assert crawl.focused.is_chosen(task)
    assert not crawl.focused.open_site(NOW)


@both
def test_site_is_read_link_by_link_and_what_ended_it_is_noted(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()

    assert crawl.visit("a.example", "1", "2") == ""
    running = crawl.explored("ended", "a.example")
    assert crawl.rest("a.example") == ["1", "2"]

    assert running is None
    assert crawl.explored("ended", "a.example") == "all its links were visited"
    assert crawl.focused.open_sites == 0


@both
def test_what_was_found_on_a_site_is_kept(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", "1", "2")
    before = crawl.explored("kind", "a.example")
    crawl.visit("a.example", forms=2, rewards=1)

    assert (before, crawl.explored("kind", "a.example")) == (ON_TOPIC, DEEP)
    assert json.loads(str(crawl.explored("progress", "a.example"))) == [[0, 1, 0, 1], [1, 1, 2, 0]]
    assert crawl.explored("forms", "a.example") == 1
    assert crawl.explored("language", "a.example") == "en"
    assert json.loads(str(crawl.explored("verdict", "a.example"))) == {"on_topic": True}


def test_site_off_topic_is_left_by_smartcrawler(store: Store) -> None:
    crawl = Crawl(store, "smartcrawler", "a.example")
    crawl.open()

    crawl.visit("a.example", "1", outward="b.example", on_topic=False)

    assert crawl.lease("a.example") is None
    assert crawl.explored("kind", "a.example") == OFF_TOPIC
    assert crawl.explored("ended", "a.example") == "its homepage is off topic"
    assert crawl.focused.waiting == 0


@both
def test_sites_that_are_linked_to_wait(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()

    crawl.visit("a.example", outward="b.example c.example")

    assert crawl.focused.waiting == 2
    assert set(crawl.focused.index.targets("a.example")) == {"b.example", "c.example"}
    assert crawl.open() in ("b.example", "c.example")


@both
def test_other_sites_do_not_count_where_only_seeds_are_wanted(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example", follow_sites=False, linking=lambda _: ["https://c.example/"])
    crawl.open()

    crawl.visit("a.example", outward="b.example")

    assert crawl.focused.waiting == 0
    assert crawl.open() is None


@both
def test_link_of_another_host_of_the_site_waits_for_that_host(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "www.shop.com")
    crawl.open()
    crawl.visit("www.shop.com", "https://books.shop.com/find")
    store.sites.woken_hosts.clear()

    assert crawl.lease("www.shop.com") is None
    assert store.sites.woken_hosts == {store.sites.find_host("https://books.shop.com/")}
    task = crawl.lease("books.shop.com")

    assert task is not None
    assert task.url == "https://books.shop.com/find"
    crawl.read(task, forms=1, rewards=1)
    assert crawl.explored("kind", "shop.com") == DEEP


@both
def test_page_that_a_link_redirects_to_counts_for_the_link(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    task = crawl.lease("a.example")
    assert task is not None
    store.frontier.add([TaskSeed("https://a.example/en/", "page", 1, 0, redirects=1, parent=task.link)])
    store.frontier.finish(task, "redirects")

    redirected = crawl.lease("a.example")

    assert redirected is not None
    assert (redirected.url, redirected.redirects) == ("https://a.example/en/", 1)
    assert crawl.focused.is_chosen(redirected)
    crawl.read(redirected, forms=1, rewards=1)
    assert crawl.explored("kind", "a.example") == DEEP


@both
def test_site_that_a_seed_redirects_to_waits(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example", follow_sites=False)
    crawl.open()
    task = crawl.lease("a.example")
    assert task is not None

    moved = (
        crawl.focused.move_site(task, "https://b.example/"),
        crawl.focused.move_site(task, "https://c.example/"),
    )
    store.frontier.finish(task, "redirects to another site")

    assert moved == (True, False)  # it is returned once
    assert crawl.lease("a.example") is None
    assert crawl.explored("ended", "a.example") == "all its links were visited"
    assert crawl.open() == "b.example"


@both
def test_redirect_within_a_site_is_no_move(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "www.shop.com")
    crawl.open()
    task = crawl.lease("www.shop.com")
    assert task is not None

    assert not crawl.focused.move_site(task, "https://books.shop.com/")
    assert crawl.focused.is_chosen(task)


@both
def test_page_that_is_not_there_counts_as_one_without_forms(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", "1")
    task = crawl.lease("a.example")
    assert task is not None

    crawl.focused.note_missing(task)
    crawl.focused.note_missing(task)

    assert json.loads(str(crawl.explored("progress", "a.example"))) == [[0, 1, 0, 1], [1, 1, 0, 1]]
    assert crawl.lease("a.example") is None
    assert crawl.focused.open_sites == 0


def test_site_whose_homepage_is_not_there_is_left_by_smartcrawler(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, "smartcrawler", "a.example")
        crawl.open()
        task = crawl.lease("a.example")
        assert task is not None

        crawl.focused.note_missing(task)
        store.frontier.finish(task, "status 404")

        assert crawl.lease("a.example") is None
        assert crawl.explored("kind", "a.example") == OFF_TOPIC
        assert crawl.explored("ended", "a.example") == "its homepage could not be read"
        assert crawl.focused.open_sites == 0

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        assert Crawl(store, "smartcrawler", "a.example").open() is None


def test_site_whose_homepage_is_not_there_is_not_on_topic_to_an_adaptive_crawl(store: Store) -> None:
    crawl = Crawl(store, "adaptive", "a.example")
    crawl.open()
    task = crawl.lease("a.example")
    assert task is not None

    crawl.focused.note_missing(task)

    assert crawl.lease("a.example") is None
    assert crawl.explored("kind", "a.example") == OFF_TOPIC
    assert json.loads(str(crawl.explored("features", "a.example"))) == ["on:0"]
    assert crawl.explored("ended", "a.example") == "all its links were visited"


@pytest.mark.parametrize("visited", [True, False])
def test_what_the_last_page_under_way_gives_is_kept_though_its_site_ended(
    tmp_path: Path, visited: bool
) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(
            store, "smartcrawler", "a.example", plan=FocusedLimits(criteria=StopCriteria(formless_in_all=2))
        )
        crawl.open()
        crawl.visit("a.example", "1", "2", "3")
        one, other = crawl.lease("a.example"), crawl.lease("a.example")
        assert one is not None
        assert other is not None
        crawl.read(one)
        assert crawl.lease("a.example") is None
        assert crawl.focused.open_sites == 0

        if visited:
            crawl.read(other, forms=1, rewards=1)
        else:
            crawl.focused.note_skipped(other)

        assert crawl.stages.resting == {}
        assert crawl.explored("ended", "a.example") == "SC5: 2 pages without a new search form"
        assert crawl.explored("kind", "a.example") == (DEEP if visited else ON_TOPIC)
        assert crawl.explored("forms", "a.example") == int(visited)

    with Store(tmp_path) as store:
        again = Crawl(store, "smartcrawler")
        assert again.stages.sites == crawl.stages.sites


@both
def test_page_that_was_not_visited_after_all_does_not_count(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", "1")
    task = crawl.lease("a.example")
    assert task is not None

    crawl.focused.note_skipped(task)

    assert not crawl.focused.is_chosen(task)
    assert crawl.stages.open_sites["a.example"].explorer.progress.pages == 1
    assert crawl.lease("a.example") is None
    assert crawl.focused.open_sites == 0


@both
def test_link_that_a_stage_did_not_choose_is_none_of_its_business(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", "1")
    store.frontier.add([TaskSeed("https://a.example/record/7", "record", 0, 1)])

    task = crawl.lease("a.example")

    assert task is not None
    assert task.url == "https://a.example/record/7"
    assert not crawl.focused.is_chosen(task)
    crawl.read(task, forms=1, rewards=1)
    assert crawl.explored("kind", "a.example") == ON_TOPIC
    assert crawl.visit("a.example") == "1"


@both
def test_link_that_cannot_be_visited_is_passed_over(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", "1", "2", "3")
    taken = store.frontier.lease_url("https://a.example/2")
    assert taken is not None
    store.frontier.refuse(taken, "robots.txt")

    assert crawl.rest("a.example") == ["1", "3"]
    assert crawl.explored("ended", "a.example") == "all its links were visited"


@both
def test_centre_page_is_read_as_a_single_page(store: Store, strategy: str) -> None:
    page = "https://directory.example/books"
    crawl = Crawl(
        store,
        strategy,
        "a.example",
        "b.example",
        "c.example",
        linking=lambda _: [page],
        plan=FocusedLimits(few=3),
    )
    while page not in crawl.stages.open_sites:
        assert crawl.open() is not None
    while (task := crawl.lease("directory.example")) is None or task.url != page:
        assert task is not None

    crawl.read(task, "x", outward="a.example b.example c.example new.example")

    candidate = crawl.stages.frontier.get("new.example")
    assert candidate is not None
    assert candidate.centre
    assert page in crawl.stages.sites
    while crawl.lease("directory.example"):
        pass
    assert crawl.explored("ended", page) == "it was a single page"


# Going on after the end


@both
def test_site_is_resumed_where_the_crawl_ended(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        crawl.open()
        crawl.visit("a.example", "1", "2", "3")
        first = crawl.visit("a.example", forms=1, rewards=1)
        progress = crawl.stages.open_sites["a.example"].explorer.progress.to_json()
        crawl.lease("a.example")  # under way when the crawl ends

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        assert crawl.focused.waiting == 1
        assert crawl.open() == "a.example"

        opened = crawl.stages.open_sites["a.example"]
        assert opened.explorer.progress.to_json() == progress == [[0, 1, 0, 1], [1, 1, 1, 0]]
        assert opened.forms == 1
        assert crawl.stages.sites["a.example"] == DEEP
        assert crawl.rest("a.example") == sorted({"1", "2", "3"} - {first})
        assert store.rows("SELECT DISTINCT state FROM links") == [(DONE,)]


def test_links_are_worth_after_a_restart_what_they_were_worth_before(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, "adaptive", "a.example")
        crawl.open()
        crawl.visit("a.example", *(f"list/{n}" for n in range(20)))
        for turn in range(7):
            crawl.visit("a.example", forms=turn % 2, rewards=turn % 2)
        before = crawl.stages.open_sites["a.example"].explorer
        assert isinstance(before, ValueExplorer)
        before._judge_waiting()  # by all that was learnt, as the resumed one
        value = before.best()

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, "adaptive")
        again.open()
        after = again.stages.open_sites["a.example"].explorer

        assert isinstance(after, ValueExplorer)
        assert (after.fruitless, after.site) == (before.fruitless, before.site)
        assert value is not None
        assert after.best() == pytest.approx(value, abs=1e-3)


@both
def test_criteria_count_what_was_read_before(tmp_path: Path, strategy: str) -> None:
    plan = FocusedLimits(criteria=StopCriteria(formless_in_all=4))
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example", plan=plan)
        crawl.open()
        crawl.visit("a.example", *"123456789")
        crawl.visit("a.example")

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example", plan=plan)
        crawl.open()

        assert len(crawl.rest("a.example")) == 2
        assert crawl.explored("ended", "a.example") == "SC5: 4 pages without a new search form"


@both
def test_site_that_ended_is_not_opened_again(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        crawl.open()
        crawl.visit("a.example", outward="b.example")
        crawl.rest("a.example")

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")

        assert [crawl.open(), crawl.open()] == ["b.example", None]


@both
def test_what_waits_and_what_was_learnt_is_there_again(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example", "other.example", linking=lambda _: [])
        while crawl.open():
            pass
        crawl.visit("a.example", "find")
        crawl.visit("a.example", forms=1, rewards=1, outward="b.example c.example")
        crawl.stages.site_learner.rebuild()
        crawl.stages.link_learner.rebuild()

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, strategy, linking=lambda _: [])

        before, after = crawl.stages, again.stages
        assert sorted(after.link_learner.space.rows()) == sorted(before.link_learner.space.rows()) != []
        assert after.link_learner.space.vectors == before.link_learner.space.vectors
        assert sorted(after.site_learner.space.rows()) == sorted(before.site_learner.space.rows())
        assert after.sites == before.sites == {"a.example": DEEP, "other.example": OFF_TOPIC}
        assert after.searched == before.searched == {"a.example", "other.example"}
        assert set(after.good) == set(before.good)
        assert again.focused.waiting == 4  # the two that were open wait with those that were found
        candidate = after.frontier.get("c.example")
        assert candidate is not None
        assert after.judge(candidate)() == pytest.approx(before.judge(candidate)(), abs=1e-4)


def test_odds_are_there_again(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, "adaptive", "a.example")
        crawl.open()
        crawl.visit("a.example", "find", "imprint")
        for _ in range(2):
            task = crawl.lease("a.example")
            assert task is not None
            gave = int(task.url.endswith("find"))
            crawl.read(task, forms=gave, rewards=gave)
        before = crawl.stages

    with Store(tmp_path) as store:
        after = Crawl(store, "adaptive").stages

        assert not isinstance(before, SmartCrawler)
        assert not isinstance(after, SmartCrawler)
        assert dict(after.link_probit.rows()) == dict(before.link_probit.rows()) != {}
        assert dict(after.site_probit.rows()) == dict(before.site_probit.rows()) != {}


@both
def test_ranks_of_an_earlier_crawl_are_out_of_date(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        crawl.open()
        crawl.visit("a.example", outward="b.example c.example d.example")
        for rank, name in enumerate("bcd"):
            store.write("UPDATE candidates SET rank = ? WHERE key = ?", (rank + 100.0, f"{name}.example"))

    with Store(tmp_path) as store:
        again = Crawl(store, strategy).stages.frontier
        found = [again.best() for _ in range(3) if again.next()]

        assert all(each is not None and each[1] < 100 for each in found[:2])
        assert again.reranked >= 3


@both
def test_site_that_an_earlier_crawl_ranked_too_low_is_found_after_a_while(
    tmp_path: Path, strategy: str
) -> None:
    with Store(tmp_path) as store:
        waiting = SqliteCandidates(store, TOPIC)
        for number in range(3 * HELD):
            waiting.put(SiteCandidate(f"site{number}.example", ""), 0.5, high=True)
        waiting.put(SiteCandidate("best.example", "", deep_links=50, source=DEEP, names=3), -5.0, high=True)

    with Store(tmp_path) as store:
        again = Crawl(store, strategy).stages.frontier
        order = [found.key for _ in range(2 * HELD) if (found := again.next())]

        assert order.index("best.example") <= CHOICES_BETWEEN_TURNS * (3 * HELD // TURN_SIZE + 1)


def ranks_on_disk(store: Store) -> dict[object, object]:
    return {key: rank for key, rank in store.rows("SELECT key, rank FROM candidates")}  # noqa: C416


@both
def test_ranks_are_written_with_the_next_commit(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example", "z.example")
        crawl.open()
        crawl.visit("a.example", outward="b.example c.example", forms=1, rewards=1)
        before = ranks_on_disk(store)
        if isinstance(crawl.stages, SmartCrawler):
            crawl.stages.site_learner.space.learn({"anchor": {"book": 5}})
            crawl.stages.site_learner.rebuild()
        else:
            crawl.stages.site_probit.learn(("a:book",), True)
        crawl.stages.frontier.mark_outdated()
        crawl.stages.frontier.best()
        unwritten = ranks_on_disk(store)

        store.commit()

        after = ranks_on_disk(store)
        assert unwritten == before
        for name in ("b.example", "c.example"):
            candidate = crawl.stages.frontier.get(name)
            assert candidate is not None
            assert after[name] == crawl.stages.judge(candidate)() != before[name]


@both
def test_kill_loses_pages_and_what_they_taught_together(tmp_path: Path, strategy: str) -> None:
    store = Store(tmp_path)
    store.runs.begin("test", NOW)
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", "1", "2", outward="b.example")
    store.commit()
    focused = sorted(map(repr, load_terms(store, TOPIC)))
    crawl.visit("a.example", forms=1, rewards=1, outward="c.example")
    end(store)

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, strategy)

        assert sorted(map(repr, load_terms(store, TOPIC))) == focused
        assert again.stages.sites == {"a.example": ON_TOPIC}
        assert again.stages.frontier.get("b.example") is not None
        assert again.stages.frontier.get("c.example") is None
        assert store.rows("SELECT state, count(*) FROM links GROUP BY state") == [(PENDING, 2), (DONE, 1)]


@both
def test_kill_while_a_site_is_opened_loses_no_site(tmp_path: Path, strategy: str) -> None:
    store = Store(tmp_path)
    store.runs.begin("test", NOW)
    crawl = Crawl(store, strategy, "a.example")
    store.commit()
    crawl.open()
    crawl.lease("a.example")
    end(store)

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, strategy)

        assert again.open() == "a.example"
        assert again.visit("a.example") == ""


def test_resting_site_is_resumed_by_the_next_crawl(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, "adaptive", "a.example")
        crawl.open()
        crawl.visit("a.example", "1", "2")
        crawl.focused.start(["https://b.example/"])
        assert crawl.lease("a.example") is None
        assert "a.example" in crawl.stages.resting
        assert crawl.explored("ended", "a.example") is None

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, "adaptive")

        assert (again.open(), again.open()) == ("b.example", "a.example")
        assert again.visit("b.example") == ""
        assert again.rest("a.example") == ["1", "2"]


@both
def test_site_that_was_given_up_waits_for_the_next_crawl(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        crawl.open()
        crawl.visit("a.example", "1")
        task = crawl.lease("a.example")
        assert task is not None

        crawl.focused.give_up(task.site)

        assert crawl.focused.open_sites == 0
        assert crawl.lease("a.example") is None
        crawl.focused.note_missing(task)

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, strategy)

        assert again.open() == "a.example"
        assert again.rest("a.example") == ["1"]


@both
def test_forms_to_be_queried_get_their_turn_though_their_site_is_done(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example", "b.example")
        while crawl.open():
            pass
        crawl.rest("a.example")
        crawl.rest("b.example")
        crawl.keep_form("https://a.example/", relevant=True)
        crawl.keep_form("https://b.example/", relevant=False)

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, strategy)
        store.sites.woken_hosts.clear()

        again.focused.resume_queries()

        assert store.sites.woken_hosts == {store.sites.find_host("https://a.example/")}
        assert not store.sites.is_left(store.sites.want("https://a.example/"))


# Reverse search


@both
def test_reverse_search_is_about_every_good_site_once_for_all_crawls_of_a_topic(
    tmp_path: Path, strategy: str
) -> None:
    searched_sites: list[str] = []

    def linking(site: str) -> list[str]:
        searched_sites.append(site)
        return []

    plan = FocusedLimits(few=1000)
    for seeds in (["a.example"], ["a.example", "c.example"], []):
        with Store(tmp_path) as store:
            store.runs.begin("test", NOW)
            crawl = Crawl(store, strategy, *seeds, linking=linking, plan=plan)
            while name := crawl.open():
                outward = "b.example off.example" if name == "a.example" else ""
                gave = int(name == "b.example")
                crawl.visit(name, outward=outward, forms=gave, rewards=gave, on_topic=name != "off.example")
                crawl.rest(name)

    assert searched_sites == ["a.example", "b.example", "c.example"]
    with Store(tmp_path) as store:
        focused = store.knowledge.load_all(f"reverse search: {TOPIC}")
        assert [site for site, _ in focused] == sorted(searched_sites)
        assert store.knowledge.load_all("reverse search: films") == []


@both
def test_reverse_search_that_was_lost_with_a_kill_is_repeated(tmp_path: Path, strategy: str) -> None:
    searched_sites: list[str] = []

    def linking(site: str) -> list[str]:
        searched_sites.append(site)
        return ["https://directory.example/books"]

    store = Store(tmp_path)
    store.runs.begin("test", NOW)
    crawl = Crawl(store, strategy, "a.example", linking=linking)
    store.commit()
    crawl.open()
    end(store)

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        again = Crawl(store, strategy, "a.example", linking=linking)
        lost = again.stages.frontier.get("https://directory.example/books")
        again.open()

        assert lost is None
        assert searched_sites == ["a.example", "a.example"]
        assert len(again.stages.sites) + again.focused.waiting > 1


@both
def test_each_topic_asks_for_itself(store: Store, strategy: str) -> None:
    searched_sites: list[str] = []

    def linking(site: str) -> list[str]:
        searched_sites.append(site)
        return []

    for topic in ("books", "films", "books"):
        focused = FocusedStore(
            store, topic, (), Random(1), FocusedLimits(), strategy=strategy, linking=linking
        )
        focused.start(["https://a.example/"])
        focused.open_site(NOW)

    assert searched_sites == ["a.example", "a.example"]


def test_sites_on_topic_without_forms_are_looked_up_when_nothing_is_left_also_after_a_restart(
    tmp_path: Path,
) -> None:
    searched_sites: list[str] = []

    def linking(site: str) -> list[str]:
        searched_sites.append(site)
        return []

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, "adaptive", "a.example", linking=linking)
        for _ in range(3):
            name = crawl.open()
            assert name is not None
            outward = "on.example off.example" if name == "a.example" else ""
            crawl.visit(name, outward=outward, on_topic=name != "off.example")
            crawl.rest(name)
        before = list(searched_sites)

    for _ in range(3):
        with Store(tmp_path) as store:
            store.runs.begin("test", NOW)
            crawl = Crawl(store, "adaptive", linking=linking)
            for _ in range(3):
                assert crawl.open() is None

    assert before == ["a.example"]
    assert searched_sites == ["a.example", "on.example"]


# What was learnt


@both
def test_what_was_learnt_can_be_taken_elsewhere(tmp_path: Path, store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", "find")
    crawl.visit("a.example", forms=1, rewards=1)
    store.commit()
    rows = list(load_terms(store, TOPIC))

    with Store(tmp_path / "other") as other:
        new = add_terms(other, TOPIC, rows), add_terms(other, TOPIC, rows)
        add_terms(other, "films", [("links", "anchor:film", 3)])
        again = Crawl(other, strategy)

        assert new == (len(rows), 0)
        assert len(rows) > 0
        assert list(load_terms(other, TOPIC)) == rows
        assert sorted(again.stages.link_learner.space.rows()) == sorted(
            crawl.stages.link_learner.space.rows()
        )


def test_existing_terms_stay(store: Store) -> None:
    add_terms(store, TOPIC, [("links", "anchor:book", 7)])

    new = add_terms(store, TOPIC, [("links", "anchor:book", 1), ("links", "anchor:film", 2)])

    assert new == 1
    assert list(load_terms(store, TOPIC)) == [("links", "anchor:book", 7), ("links", "anchor:film", 2)]


def test_forgotten_terms_are_deleted(store: Store) -> None:
    crawl = Crawl(store, "smartcrawler")
    space = crawl.stages.link_learner.space
    space.learn({"anchor": {"book": 2, "film": 1}})
    store.commit()
    before = list(load_terms(store, TOPIC))

    del space.taught["anchor"]["film"]
    space._changed.add(("anchor", "film"))
    store.commit()

    assert before == [("links", "anchor:book", 2), ("links", "anchor:film", 1)]
    assert list(load_terms(store, TOPIC)) == [("links", "anchor:book", 2)]


def test_stages_take_over_their_own_parts_and_no_others(store: Store) -> None:
    stages = Crawl(store, "smartcrawler").stages

    restore_learners(
        stages, [("links", "anchor:book", 2), ("link odds", "a:book", [0.5, 0.1]), ("other", "x", 1)]
    )

    assert list(stages.link_learner.space.rows()) == [("anchor:book", 2)]
    assert list(stages.site_learner.space.rows()) == []
    assert stages.link_learner.space.knows("anchor") == {"book"}


@both
def test_site_that_was_being_explored_is_resumed_before_new_ones(tmp_path: Path, strategy: str) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        crawl.open()
        crawl.visit("a.example", "1", outward="b.example", forms=1, rewards=1)

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        assert Crawl(store, strategy).open() == "a.example"


@both
def test_homepage_that_waited_for_another_try_is_read_for_its_stage_after_a_restart(
    tmp_path: Path, strategy: str
) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        crawl.open()
        task = crawl.lease("a.example")
        assert task is not None
        store.frontier.fail(FetchFailure(task, "status 503", NOW - 100, retry_in=60))

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy)
        crawl.open()
        task = crawl.lease("a.example")
        assert task is not None
        assert crawl.focused.is_chosen(task)
        crawl.read(task, "1")
        assert crawl.visit("a.example") == "1"


def test_site_off_topic_stays_left_after_a_restart(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, "smartcrawler", "a.example")
        crawl.open()
        crawl.visit("a.example", "1", on_topic=False)

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, "smartcrawler")
        crawl.open()
        assert crawl.lease("a.example") is None


@both
def test_site_that_was_read_for_one_topic_is_read_again_for_another(store: Store, strategy: str) -> None:
    crawl = Crawl(store, strategy, "a.example")
    crawl.open()
    crawl.visit("a.example", outward="b.example")
    crawl.rest("a.example")

    films = FocusedStore(store, "films", (), Random(1), FocusedLimits(), strategy=strategy)
    films.start(["https://a.example/"])
    films.open_site(NOW)
    host = store.sites.find_host("https://a.example/")
    assert host is not None
    [task], _ = films.lease(host, 1, NOW)

    assert task.url == "https://a.example/"
    assert films.is_chosen(task)


@both
def test_sites_that_wait_from_an_earlier_crawl_are_not_opened_where_only_seeds_are_wanted(
    tmp_path: Path, strategy: str
) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "a.example")
        crawl.open()
        crawl.visit("a.example", outward="b.example")
        crawl.rest("a.example")

    with Store(tmp_path) as store:
        store.runs.begin("test", NOW)
        crawl = Crawl(store, strategy, "c.example", follow_sites=False)
        assert [crawl.open(), crawl.open()] == ["c.example", None]
