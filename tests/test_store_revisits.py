"""What the store knows for the next look at a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask, Fetched, FetchFailure, TaskSeed
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState, SeenPage, compare_page
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.revisit.noise_counts import OwnCount
from hiddenweb.revisit.noise_place import NoisePlace
from hiddenweb.revisit.parts import PageVersion
from hiddenweb.store.database import Store
from hiddenweb.store.revisit_plan import DueRevisit, StoredPlan
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.store.sitemaps import SitemapStore, StoredSitemap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://shop.example/lamp"
HTML = b"<!doctype html><title>Lamp</title><p>A lamp of brass, made by hand in a small house by the sea.</p></html>"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as store:
        yield store


@pytest.fixture
def errand(store: Store) -> CrawlTask:
    """A page that was read once, at second 100."""
    store.sites.want(URL)
    store.frontier.add([TaskSeed(URL)])
    errand = store.frontier.lease_url(URL)
    assert errand is not None
    page = read_page(HTML, URL)
    store.pages.save(Fetched(errand, URL, 200, 100.0, HTML, '"e1"', "Mon", "text/html", page), page)
    store.frontier.finish(errand)
    return errand


def test_a_page_that_was_read_once_is_read_again_for_the_first_look(store: Store, errand: CrawlTask) -> None:
    kept = RevisitStore(store).load(errand)
    assert kept is not None
    assert kept.known is None
    assert kept.body is not None
    assert kept.body.body.body == HTML
    assert (kept.at, kept.etag) == (100.0, '"e1"')


def test_a_host_is_asked_for_what_was_modified_once_its_word_was_good(
    store: Store, errand: CrawlTask
) -> None:
    looks = RevisitStore(store)
    days = [86_400.0 * day for day in range(7)]
    assert not any(looks.headers(errand, day) for day in days)
    for _ in range(3):
        looks.judge_validators(errand, same=False)
    asked = [looks.headers(errand, day) for day in days]
    assert asked.count({"If-None-Match": '"e1"', "If-Modified-Since": "Mon"}) == 6
    assert asked.count({}) == 1
    looks.judge_validators(errand, same=True)
    assert not any(looks.headers(errand, day) for day in days)


def test_what_a_look_taught_is_there_for_the_next(store: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(store)
    kept = looks.load(errand)
    assert kept is not None
    first = compare_page(None, SeenPage(URL, 100.0, page=read_page(HTML, URL)), NoiseMasks())
    changed = replace(
        first, step="changed", changes=(Change("content", URL, 200.0, edits=(Edit("a", "b"),)),)
    )
    (told,) = looks.save(kept, changed, 200.0, new_version=None)
    again = looks.load(errand)
    assert again is not None
    assert again.known == first.known
    assert again.at == 200.0
    assert again.odds
    assert looks.changes.load(told.number) == told
    assert looks.changes.load_all(site="shop.example", kind="content", since=150.0) == [told]
    assert (
        looks.changes.load_all(site="other.example")
        == looks.changes.load_all(kind="gone")
        == looks.changes.load_all(since=300.0)
        == []
    )


def test_a_look_that_failed_does_not_count_as_one_that_found_nothing(store: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(store)
    kept = looks.load(errand)
    assert kept is not None
    looks.save(
        kept, ComparisonOutcome("failed", ComparisonState(URL), why="status 503"), 200.0, new_version=None
    )
    again = looks.load(errand)
    assert again is not None
    assert (again.at, again.odds) == (100.0, b"")


def test_planned_looks_are_handed_out_once_and_wait_after_a_kill(store: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(store)
    looks.plan.add([DueRevisit(errand.link, errand.host, 50.0, 0.25)])
    assert looks.lease(errand.host, 5, 40.0) == ([], 50.0)
    (leased,), _ = looks.lease(errand.host, 5, 60.0)
    assert leased == replace(errand, is_revisit=True)
    assert looks.lease(errand.host, 5, 60.0) == ([], None)
    looks.resume(0.0)
    assert errand.host in store.sites.woken_hosts
    (again,), _ = looks.lease(errand.host, 5, 60.0)
    looks.postpone(FetchFailure(again, "status 503", 60.0, retry_in=30.0))
    assert looks.lease(errand.host, 5, 60.0) == ([], 90.0)
    assert looks.plan.count() == 1
    assert looks.end(errand) == DueRevisit(errand.link, errand.host, 90.0, 0.25)
    assert looks.plan.count() == 0
    assert looks.end(errand) is None


def test_what_was_achieved_is_known_while_a_plan_is_carried_out_and_after_a_kill(
    store: Store, errand: CrawlTask
) -> None:
    looks = RevisitStore(store)
    assert looks.plan.estimate_freshness() is None
    dues = [
        DueRevisit(errand.link + n, errand.host, 50.0, 0.5, gain)
        for n, gain in enumerate((0.2, 0.1, 0.06, 0.04))
    ]
    looks.plan.add(dues, StoredPlan(4, 10, 0.5, 0.9))
    assert looks.plan.estimate_freshness() == pytest.approx(0.5)
    assert looks.end(errand) == dues[0]
    assert RevisitStore(store).plan.estimate_freshness() == pytest.approx(0.7)
    looks.plan.lose_gain(looks.end(replace(errand, link=errand.link + 2)).gain)  # type: ignore[union-attr]
    assert looks.plan.estimate_freshness() == pytest.approx(0.7)
    assert looks.plan.shorten(1) == 1
    assert looks.plan.count() == 1
    assert looks.plan.estimate_freshness() == pytest.approx(0.7)
    assert looks.end(replace(errand, link=errand.link + 1)) == dues[1]
    assert looks.plan.estimate_freshness() == pytest.approx(0.8)


def test_requests_of_the_last_day_are_counted(store: Store) -> None:
    looks, day = RevisitStore(store), 86_400.0
    for at in (0.0, 30.0, 120.0, 130.0, day / 2):
        looks.plan.count_request(at)
    assert (
        looks.plan.count_requests_of_day(day / 2),
        looks.plan.count_requests_of_day(day + 110.0),
        looks.plan.count_requests_of_day(day + 240.0),
    ) == (5, 3, 1)


def test_a_clock_that_is_set_back_spends_no_budget_and_postpones_no_look(
    store: Store, errand: CrawlTask
) -> None:
    looks, year, now = RevisitStore(store), 365 * 86_400.0, 1_000_000.0
    looks.plan.count_request(now + year)
    looks.plan.count_request(now)
    looks.plan.add([DueRevisit(errand.link, errand.host, now + year, 0.25)])

    looks.resume(now)

    assert looks.plan.count_requests_of_day(now) == 1
    assert looks.lease(errand.host, 5, now) == ([], now + 86_400.0)


def test_masks_of_single_pages_are_listed(store: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(store)
    kept = looks.load(errand)
    assert kept is not None
    own = (
        OwnCount(NoisePlace("number", "visitors #"), 3, 4),
        OwnCount(NoisePlace("number", "rooms #"), 1, 4),
        OwnCount(NoisePlace("start", "status …"), 3, 3),
    )
    known = ComparisonState(URL, version=PageVersion("t", ("Visitors 3",), 5), own=own)
    looks.save(kept, ComparisonOutcome("only_noise", known), 200.0, new_version=None)

    found = list(looks.load_page_masks(NoiseMasks(), "shop.example"))

    assert [(mask.template, str(mask.place), mask.why) for mask in found] == [
        (URL, 'the number in "visitors #"', "changed at 3 of 4 revisits of this page"),
        (
            URL,
            'parts that begin with "status …"',
            "changed at 3 of 3 revisits of this page, hides what was there before",
        ),
    ]
    assert list(looks.load_page_masks(NoiseMasks(), "other.example")) == []


def test_a_sitemap_dates_pages_until_it_does_not_any_more(store: Store, errand: CrawlTask) -> None:
    looks, sitemaps = RevisitStore(store), SitemapStore(store)
    (host,) = sitemaps.load_hosts(["shop.example"])
    assert (host.number, host.pages, sitemaps.load_hosts(["other.example"])) == (errand.host, 1, [])
    assert list(sitemaps.load_pages(errand.host).values()) == [errand.link]
    kept = StoredSitemap(7.0, ("http://shop.example/b.xml",), "")
    sitemaps.save(errand.host, "http://shop.example/a.xml", kept, [(errand.link, 300.0)])
    sitemaps.save(errand.host, "http://shop.example/a.xml", kept._replace(asked=8.0, why="status 503"))
    assert [(page.modified, page.dated) for page in looks.plan.load_pages()] == [(300.0, 7.0)]
    assert sitemaps.load(errand.host)["http://shop.example/a.xml"].why == "status 503"
    sitemaps.save(errand.host, "http://shop.example/a.xml", kept, [])
    sitemaps.save(errand.host, "http://shop.example/b.xml", kept, [(errand.link, 400.0)])
    assert [page.modified for page in looks.plan.load_pages()] == [400.0]
    sitemaps.forget_others(errand.host, ["http://shop.example/a.xml"])
    assert [page.modified for page in looks.plan.load_pages()] == [None]
    assert list(sitemaps.load(errand.host)) == ["http://shop.example/a.xml"]


def test_how_often_a_sitemap_was_right_is_kept(store: Store, errand: CrawlTask) -> None:
    for said, changed in ((1, True), (1, True), (1, False), (-1, False)):
        SitemapStore(store).count_verdict(errand.host, said, changed=changed)
    assert SitemapStore(store).load_trust([99, errand.host]).counts.tolist() == [
        [[0, 0], [0, 0]],
        [[1, 1], [0, 2]],
    ]


def test_answers_of_forms_and_copies_are_told_apart_from_pages(store: Store, errand: CrawlTask) -> None:
    (page,) = RevisitStore(store).plan.load_pages()
    assert (page.link, page.kind, page.last_revisit) == (errand.link, "page", 100.0)
    assert list(RevisitStore(store).plan.load_pages(["other.example"])) == []


def test_a_person_calls_a_change_noise(store: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(store)
    kept = looks.load(errand)
    assert kept is not None
    outcome = ComparisonOutcome(
        "changed", ComparisonState(URL), (Change("content", URL, 200.0, edits=(Edit("a", "b"),)),)
    )
    (told,) = looks.save(kept, outcome, 200.0, new_version=None)
    looks.changes.mark_noise(told.number, "a counter")
    assert looks.changes.load_all() == []
    assert looks.changes.load_all(noise=True) == [told]
