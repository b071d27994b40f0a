"""The opened sites of a topic, how far each was explored, and which links are left."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from stores import NOW, lease_all

from hiddenweb.focused.exploring.depth_explorer import DepthExplorer
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.locating.candidates import SiteCandidate, candidate_site
from hiddenweb.focused.stages import DEEP, OFF_TOPIC, ON_TOPIC, OpenSite
from hiddenweb.frontier.stopping import ExplorationProgress, StopCriteria
from hiddenweb.model import Field, Form, TaskSeed, Verdict
from hiddenweb.store.explored_sites import ExploredSiteStore

if TYPE_CHECKING:
    from hiddenweb.store.database import Store

HOME = "https://a.example/"
SITE = candidate_site(HOME, via="https://b.example/links")


@pytest.fixture
def books(store: Store) -> ExploredSiteStore:
    """The sites of a topic; one is open."""
    store.sites.want(HOME)
    sites = ExploredSiteStore(store, "books")
    assert sites.add(SITE, NOW)
    return sites


def explorer(depth: int = 1, forms: int = 0) -> DepthExplorer:
    """An explorer that read one page."""
    exploring = DepthExplorer(ExplorationProgress(StopCriteria()), None)
    exploring.progress.note(depth, forms)
    return exploring


def test_a_site_is_opened_once_for_each_topic(store: Store, books: ExploredSiteStore) -> None:
    films = ExploredSiteStore(store, "films")

    assert not books.add(SITE, NOW + 5)
    assert films.find_open("a.example") is None
    assert films.add(SITE, NOW)
    assert books.find_open("a.example") == films.find_open("a.example") == SITE


def test_a_site_is_open_until_it_ends(books: ExploredSiteStore) -> None:
    books.end("a.example", "SC5: 60 pages without a new search form")

    assert books.find_open("a.example") is None
    assert books.load_all() == [("a.example", OFF_TOPIC, 0, "SC5: 60 pages without a new search form")]


def test_sites_are_listed_in_the_order_they_were_opened(books: ExploredSiteStore) -> None:
    books.add(candidate_site("https://c.example/"), NOW + 2)
    books.add(candidate_site("https://b.example/", seed=True), NOW + 1)
    books.mark_seeds(["c.example", "unknown.example"])

    assert books.load_all() == [
        ("a.example", OFF_TOPIC, 0, None),
        ("b.example", OFF_TOPIC, 1, None),
        ("c.example", OFF_TOPIC, 1, None),
    ]


def test_what_was_found_on_a_site_is_remembered(books: ExploredSiteStore) -> None:
    exploring = explorer(depth=2, forms=3)
    exploring.site, exploring.fruitless = ("on:1",), 7

    books.save(OpenSite(SITE, exploring, forms=2), DEEP, "de", '{"on_topic": true}')
    memory = books.load_memory("a.example")

    assert (memory.progress, memory.fruitless, memory.site, memory.forms) == ([[2, 1, 3, 0]], 7, ["on:1"], 2)
    assert books.load_all() == [("a.example", DEEP, 0, None)]


def test_language_and_verdict_stay_when_a_later_page_says_nothing_of_them(
    store: Store, books: ExploredSiteStore
) -> None:
    opened = OpenSite(SITE, explorer())
    books.save(opened, ON_TOPIC, "de", "{}")

    books.save(opened, ON_TOPIC)

    assert store.rows("SELECT language, verdict FROM explored_sites") == [("de", "{}")]


def test_links_of_a_site_wait_or_were_visited(store: Store, books: ExploredSiteStore) -> None:
    store.frontier.add([TaskSeed(HOME)])
    [home] = lease_all(store)
    for name in ("find", "waits", "missing"):
        store.frontier.add([TaskSeed(f"{HOME}{name}", hops=1, parent=home.link, anchor=name)])
    tasks = {task.url.rpartition("/")[2]: task for task in lease_all(store)}
    store.frontier.finish(tasks["find"])
    store.frontier.refuse(tasks["missing"], "robots.txt forbids it")
    form = Form(f"{HOME}find", f"{HOME}results", "GET", (Field("q", "text"),))
    number = store.forms.save(home.site, form, Verdict(True, "search"), NOW)
    store.forms.save_relevance(number, "books", 0.9, relevant=True)

    memory = books.load_memory("a.example")

    waiting = LinkCandidate(f"{HOME}waits", 1, "waits", parent=HOME)
    visited = LinkCandidate(f"{HOME}find", 1, "find", parent=HOME)
    assert memory.waiting == [LinkCandidate(HOME, 0), waiting]  # one that is under way waits, too
    assert memory.visited == [(visited, True)]


def test_queries_pages_of_records_and_redirects_are_no_links_of_a_site(
    store: Store, books: ExploredSiteStore
) -> None:
    store.frontier.add(
        [
            TaskSeed(f"{HOME}find?q=x", "answer", submission=1),
            TaskSeed(f"{HOME}record", "record"),
            TaskSeed(f"{HOME}moved", redirects=1),
        ]
    )

    assert books.load_memory("a.example").waiting == []


def test_of_a_centre_page_only_the_page_itself_is_read_again(store: Store, books: ExploredSiteStore) -> None:
    url = f"{HOME}directory"
    books.add(SiteCandidate(url, url, kind="centre"), NOW)
    store.frontier.add([TaskSeed(HOME), TaskSeed(url)])

    assert [link.url for link in books.load_memory(url).waiting] == [url]
