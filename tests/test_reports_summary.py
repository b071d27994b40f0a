"""What is in a state, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from topic_states import NOW, read_one_site

from hiddenweb.model import Fetched, FetchFailure, Page, Record, TaskSeed
from hiddenweb.reports.summary import (
    NOT_NAMED,
    harvest,
    last_document,
    last_pause,
    reason_to_wait,
    sites_of_last_crawl,
    summary,
    waiting,
)
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.model import CrawlTask

SITE = "https://shop.example/"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "state") as store:
        yield store


def lease(store: Store) -> CrawlTask:
    """Lease the next task of the site."""
    host = store.sites.find_host(SITE)
    assert host is not None
    [task], _ = store.frontier.lease(host, 1, NOW)
    return task


def read_next(store: Store, *, duplicate_of: int | None = None, records: int = 0) -> int:
    """Read the next page of the site; return its number."""
    task = lease(store)
    page = Page(task.url, "Title", task.url, fingerprint=task.link)
    number = store.pages.save(
        Fetched(task, task.url, 200, NOW, b"<p>", page=page, duplicate_of=duplicate_of), page
    )
    new = [Record(f"{number} {at}", "Title", "Text") for at in range(records)]
    store.records.save(task.site, new, submission=None, page=number, at=NOW)
    store.sites.count_page(task.site, new=True)
    store.frontier.finish(task)
    return number


def test_an_empty_state_is_all_zeros(store: Store) -> None:
    found = summary(store, NOW)

    assert (found.site_count, found.pages, found.records, found.documents) == (0, 0, 0, 0)
    assert set(found.links.values()) == {0}
    assert (found.runs, found.sites, found.databases, found.harvest) == ([], [], [], [])
    assert (last_document(store), last_pause(store), waiting(store)) == (0, "", 0)


def test_links_are_counted_by_what_became_of_them(store: Store) -> None:
    store.sites.want(SITE)
    store.frontier.add([TaskSeed(f"{SITE}{number}") for number in range(5)])
    first = read_next(store)
    read_next(store, duplicate_of=first, records=2)
    task = lease(store)
    store.frontier.fail(FetchFailure(task, "no connection", NOW))
    lease(store)

    found = summary(store, NOW)

    assert found.links == {"pending": 1, "leased": 1, "done": 2, "missed": 1, "refused": 0}
    assert (found.pages, found.duplicates, found.records) == (2, 1, 2)
    assert found.waiting == waiting(store) == 2
    [site] = found.sites
    assert (site.domain, site.pages, site.records, site.pending, site.missed) == ("shop.example", 2, 2, 2, 1)
    [reason] = found.reasons
    assert (reason.ended, reason.why, reason.links) == ("missed", "no connection", 1)


def test_links_of_sites_that_were_left_do_not_wait(store: Store) -> None:
    store.sites.want(SITE)
    store.frontier.add([TaskSeed(f"{SITE}{number}") for number in range(3)])
    store.write("UPDATE sites SET left = 'enough'")

    assert waiting(store) == 0
    assert summary(store, NOW).links["pending"] == 3


def test_a_link_that_waits_says_why_it_was_not_read(store: Store) -> None:
    store.sites.want(SITE)
    store.frontier.add([TaskSeed(SITE)])
    assert reason_to_wait(store, SITE.rstrip("/")) == ""

    store.frontier.fail(FetchFailure(lease(store), "status 503", NOW, retry_in=60.0))

    assert reason_to_wait(store, SITE.rstrip("/")) == "status 503"
    assert reason_to_wait(store, "https://other.example") == ""


def test_hosts_that_are_paused_are_named_until_the_pause_is_over(store: Store) -> None:
    store.sites.want(SITE)
    store.frontier.add([TaskSeed(SITE)])
    store.write("UPDATE hosts SET paused_until = ?, paused_why = 'status 503'", (NOW + 60,))

    assert [(pause.origin, pause.why) for pause in summary(store, NOW).pauses] == [
        (SITE.rstrip("/"), "status 503")
    ]
    assert summary(store, NOW + 61).pauses == []
    assert last_pause(store) == f"{SITE}: status 503"


def test_the_harvest_counts_forms_found_until_each_page_was_read(store: Store) -> None:
    read_one_site(store)

    [point] = harvest(store)

    assert (point.pages, point.search_forms, point.forms_on_topic) == (1, 1, 1)


def test_a_harvest_has_no_more_points_than_wanted(store: Store) -> None:
    store.sites.want(SITE)
    store.frontier.add([TaskSeed(f"{SITE}{number}") for number in range(10)])
    for _ in range(10):
        read_next(store)

    assert [point.pages for point in harvest(store, 4)] == [2, 5, 7, 10]
    assert [point.forms_on_topic for point in harvest(store, 1)] == [None]


def test_sites_that_the_last_crawl_was_not_about_are_left_out(store: Store) -> None:
    read_one_site(store)
    store.sites.want(SITE)
    store.write("UPDATE sites SET left = ? WHERE domain = 'a.example'", (NOT_NAMED,))

    assert sites_of_last_crawl(store) == [("shop.example", 0, None)]


def test_runs_are_named_the_last_one_first(store: Store) -> None:
    store.runs.end(store.runs.begin("locate", NOW), "finished", NOW + 5)
    store.runs.begin("harvest", NOW + 10)

    first, second = summary(store, NOW + 20).runs

    assert (first.command, first.ended) == ("harvest", None)
    assert (second.command, second.ended, second.reason) == ("locate", NOW + 5, "finished")


def test_only_so_many_sites_are_named(store: Store) -> None:
    for number in range(4):
        store.sites.want(f"https://shop{number}.example/")

    found = summary(store, NOW, sites=2)

    assert (len(found.sites), found.site_count) == (2, 4)


def test_the_first_page_of_a_topic_counts_for_its_site(store: Store) -> None:
    read_one_site(store)

    [site] = [each for each in summary(store, NOW).sites if each.domain == "a.example"]

    assert (site.pages, site.forms, site.submittable) == (1, 1, 1)
    assert harvest(store)[0].at == pytest.approx(NOW)
