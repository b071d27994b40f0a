"""What the store knows for the next look at a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask, Fetched, FetchFailure, Record, TaskSeed
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.comparison import ComparisonOutcome, ComparisonState, SeenPage, compare_page
from hiddenweb.revisit.comparison_state import (
    change_from_json,
    change_to_json,
    content_to_json,
    state_from_json,
    state_to_json,
)
from hiddenweb.revisit.noise import HeldDifference, NoiseMasks
from hiddenweb.revisit.noise_counts import OwnCount
from hiddenweb.revisit.noise_place import NoisePlace
from hiddenweb.revisit.parts import PageVersion
from hiddenweb.store.database import Store
from hiddenweb.store.revisits import DueRevisit, RevisitStore, StoredPlan
from hiddenweb.store.sitemaps import SitemapStore, StoredSitemap

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

URL = "http://shop.example/lamp"
HTML = b"<!doctype html><title>Lamp</title><p>A lamp of brass, made by hand in a small house by the sea.</p></html>"


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path) as state:
        yield state


@pytest.fixture
def errand(state: Store) -> CrawlTask:
    """A page that was read once, at second 100."""
    state.sites.want(URL)
    state.frontier.add([TaskSeed(URL)])
    errand = state.frontier.lease_url(URL)
    assert errand is not None
    page = read_page(HTML, URL)
    state.pages.save(Fetched(errand, URL, 200, 100.0, HTML, '"e1"', "Mon", "text/html", page), page)
    state.frontier.finish(errand)
    return errand


def test_known_things_survive_being_written_down() -> None:
    known = ComparisonState(
        URL, 5.0, '"e"', "Mon", -7, 9, PageVersion("t", ("a", "b c"), 3, (1, 2), (("a", "html/a"),)),
        (Record("k", "t", "x", None, (("Price", "3"),)),), (OwnCount(NoisePlace("number", "viewed # times"), 2, 3, 1),),
        (HeldDifference("1", "2", (NoisePlace("start", "last"),)),), (1.0, 2.0), (3.0,), 4.0, 1, is_closed=True,
    )  # fmt: skip
    assert state_from_json(state_to_json(known), content_to_json(known)) == known
    assert state_from_json(
        state_to_json(ComparisonState(URL)), content_to_json(ComparisonState(URL))
    ) == ComparisonState(URL)


def test_a_change_survives_being_written_down() -> None:
    change = Change(
        "content", URL, 7.0, "shop.example", "Lamp", edits=(Edit("brass", ""),), number=3, old=1, new=2
    )
    again = change_from_json(change_to_json(change), number=3, kind="content", at=7.0, old=1, new=2)
    assert again == change


def test_a_page_that_was_read_once_is_read_again_for_the_first_look(state: Store, errand: CrawlTask) -> None:
    kept = RevisitStore(state).kept(errand)
    assert kept is not None
    assert kept.known is None
    assert kept.source is not None
    assert kept.source.body == HTML
    assert (kept.at, kept.etag) == (100.0, '"e1"')


def test_a_host_is_asked_for_what_was_modified_once_its_word_was_good(
    state: Store, errand: CrawlTask
) -> None:
    looks = RevisitStore(state)
    days = [86_400.0 * day for day in range(7)]
    assert not any(looks.headers(errand, day) for day in days)
    for _ in range(3):
        looks.judge_validators(errand, same=False)
    asked = [looks.headers(errand, day) for day in days]
    assert asked.count({"If-None-Match": '"e1"', "If-Modified-Since": "Mon"}) == 6
    assert asked.count({}) == 1
    looks.judge_validators(errand, same=True)
    assert not any(looks.headers(errand, day) for day in days)


def test_what_a_look_taught_is_there_for_the_next(state: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(state)
    kept = looks.kept(errand)
    assert kept is not None
    first = compare_page(None, SeenPage(URL, 100.0, page=read_page(HTML, URL)), NoiseMasks())
    changed = replace(
        first, step="changed", changes=(Change("content", URL, 200.0, edits=(Edit("a", "b"),)),)
    )
    (told,) = looks.keep(kept, changed, 200.0, new_version=None)
    again = looks.kept(errand)
    assert again is not None
    assert again.known == first.known
    assert again.at == 200.0
    assert again.odds
    assert looks.change(told.number) == told
    assert looks.changes(site="shop.example", kind="content", since=150.0) == [told]
    assert (
        looks.changes(site="other.example") == looks.changes(kind="gone") == looks.changes(since=300.0) == []
    )


def test_a_look_that_failed_does_not_count_as_one_that_found_nothing(state: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(state)
    kept = looks.kept(errand)
    assert kept is not None
    looks.keep(
        kept, ComparisonOutcome("failed", ComparisonState(URL), why="status 503"), 200.0, new_version=None
    )
    again = looks.kept(errand)
    assert again is not None
    assert (again.at, again.odds) == (100.0, b"")


def test_planned_looks_are_handed_out_once_and_wait_after_a_kill(state: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(state)
    looks.plan([DueRevisit(errand.link, errand.host, 50.0, 0.25)])
    assert looks.lease(errand.host, 5, 40.0) == ([], 50.0)
    (leased,), _ = looks.lease(errand.host, 5, 60.0)
    assert leased == replace(errand, look=True)
    assert looks.lease(errand.host, 5, 60.0) == ([], None)
    looks.take_up(0.0)
    assert errand.host in state.sites.woken_hosts
    (again,), _ = looks.lease(errand.host, 5, 60.0)
    looks.postpone(FetchFailure(again, "status 503", 60.0, retry_in=30.0))
    assert looks.lease(errand.host, 5, 60.0) == ([], 90.0)
    assert looks.waiting() == 1
    assert looks.end(errand) == DueRevisit(errand.link, errand.host, 90.0, 0.25)
    assert looks.waiting() == 0
    assert looks.end(errand) is None


def test_what_was_achieved_is_known_while_a_plan_is_carried_out_and_after_a_kill(
    state: Store, errand: CrawlTask
) -> None:
    looks = RevisitStore(state)
    assert looks.achieved() is None
    dues = [
        DueRevisit(errand.link + n, errand.host, 50.0, 0.5, gain)
        for n, gain in enumerate((0.2, 0.1, 0.06, 0.04))
    ]
    looks.plan(dues, StoredPlan(4, 10, 0.5, 0.9))
    assert looks.achieved() == pytest.approx(0.5)
    assert looks.end(errand) == dues[0]
    assert RevisitStore(state).achieved() == pytest.approx(0.7)
    looks.lose(looks.end(replace(errand, link=errand.link + 2)).gain)  # type: ignore[union-attr]
    assert looks.achieved() == pytest.approx(0.7)
    assert looks.shorten(1) == 1
    assert looks.waiting() == 1
    assert looks.achieved() == pytest.approx(0.7)
    assert looks.end(replace(errand, link=errand.link + 1)) == dues[1]
    assert looks.achieved() == pytest.approx(0.8)


def test_requests_of_the_last_day_are_counted(state: Store) -> None:
    looks, day = RevisitStore(state), 86_400.0
    for at in (0.0, 30.0, 120.0, 130.0, day / 2):
        looks.spend(at)
    assert (looks.spent(day / 2), looks.spent(day + 110.0), looks.spent(day + 240.0)) == (5, 3, 1)


def test_a_clock_that_is_set_back_spends_no_budget_and_postpones_no_look(
    state: Store, errand: CrawlTask
) -> None:
    looks, year, now = RevisitStore(state), 365 * 86_400.0, 1_000_000.0
    looks.spend(now + year)
    looks.spend(now)
    looks.plan([DueRevisit(errand.link, errand.host, now + year, 0.25)])

    looks.take_up(now)

    assert looks.spent(now) == 1
    assert looks.lease(errand.host, 5, now) == ([], now + 86_400.0)


def test_masks_of_single_pages_are_listed(state: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(state)
    kept = looks.kept(errand)
    assert kept is not None
    own = (
        OwnCount(NoisePlace("number", "visitors #"), 3, 4),
        OwnCount(NoisePlace("number", "rooms #"), 1, 4),
        OwnCount(NoisePlace("start", "status …"), 3, 3),
    )
    known = ComparisonState(URL, version=PageVersion("t", ("Visitors 3",), 5), own=own)
    looks.keep(kept, ComparisonOutcome("only_noise", known), 200.0, new_version=None)

    found = list(looks.masks_of_pages(NoiseMasks(), "shop.example"))

    assert [(mask.template, str(mask.place), mask.why) for mask in found] == [
        (URL, 'the number in "visitors #"', "changed at 3 of 4 looks at this page"),
        (
            URL,
            'parts that begin with "status …"',
            "changed at 3 of 3 looks at this page, hides what was there before",
        ),
    ]
    assert list(looks.masks_of_pages(NoiseMasks(), "other.example")) == []


def test_a_sitemap_dates_pages_until_it_does_not_any_more(state: Store, errand: CrawlTask) -> None:
    looks, sitemaps = RevisitStore(state), SitemapStore(state)
    (host,) = sitemaps.hosts(["shop.example"])
    assert (host.number, host.pages, sitemaps.hosts(["other.example"])) == (errand.host, 1, [])
    assert list(sitemaps.known_pages(errand.host).values()) == [errand.link]
    kept = StoredSitemap(7.0, ("http://shop.example/b.xml",), "")
    sitemaps.keep(errand.host, "http://shop.example/a.xml", kept, [(errand.link, 300.0)])
    sitemaps.keep(errand.host, "http://shop.example/a.xml", kept._replace(asked=8.0, why="status 503"))
    assert [(page.modified, page.dated) for page in looks.pages()] == [(300.0, 7.0)]
    assert sitemaps.of(errand.host)["http://shop.example/a.xml"].why == "status 503"
    sitemaps.keep(errand.host, "http://shop.example/a.xml", kept, [])
    sitemaps.keep(errand.host, "http://shop.example/b.xml", kept, [(errand.link, 400.0)])
    assert [page.modified for page in looks.pages()] == [400.0]
    sitemaps.forget_others(errand.host, ["http://shop.example/a.xml"])
    assert [page.modified for page in looks.pages()] == [None]
    assert list(sitemaps.of(errand.host)) == ["http://shop.example/a.xml"]


def test_how_often_a_sitemap_was_right_is_kept(state: Store, errand: CrawlTask) -> None:
    for said, changed in ((1, True), (1, True), (1, False), (-1, False)):
        SitemapStore(state).judge(errand.host, said, changed=changed)
    assert SitemapStore(state).trust([99, errand.host]).counts.tolist() == [
        [[0, 0], [0, 0]],
        [[1, 1], [0, 2]],
    ]


def test_answers_of_forms_and_copies_are_told_apart_from_pages(state: Store, errand: CrawlTask) -> None:
    (page,) = RevisitStore(state).pages()
    assert (page.link, page.kind, page.last_look) == (errand.link, "page", 100.0)
    assert list(RevisitStore(state).pages(["other.example"])) == []


def test_a_person_calls_a_change_noise(state: Store, errand: CrawlTask) -> None:
    looks = RevisitStore(state)
    kept = looks.kept(errand)
    assert kept is not None
    outcome = ComparisonOutcome(
        "changed", ComparisonState(URL), (Change("content", URL, 200.0, edits=(Edit("a", "b"),)),)
    )
    (told,) = looks.keep(kept, outcome, 200.0, new_version=None)
    looks.call_noise(told.number, "a counter")
    assert looks.changes() == []
    assert looks.changes(noise=True) == [told]
