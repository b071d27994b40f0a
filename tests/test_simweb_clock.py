"""The clock and the hand on it: records and pages change, restless parts mean nothing, templates are redesigned."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from lxml import html

from simweb.control import Control
from simweb.life import DAY, PageLife
from simweb.look import REDESIGNS
from simweb.messages import Request, Response
from simweb.pages import http_date
from simweb.search import Query
from simweb.truth import Changes, Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simweb.site import Site


@pytest.fixture
def world() -> Iterator[World]:
    world = World(21, 120, pages_per_site=12, largest_database=150)
    yield world
    world.close()


def get(site: Site, path: str, count: int = 0, **headers: str) -> Response:
    path, _, query = path.partition("?")
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    return site.respond(Request("GET", site.plan.host, path, query, names, count=count, time=site.world.now))


def sites(world: World) -> Iterator[Site]:
    return (world.site(number) for number in world.numbers)


def text_of(response: Response) -> str:
    return " ".join("".join(map(str, html.document_fromstring(response.body).itertext())).split())


def test_records_come_go_and_change_as_time_passes(world: World) -> None:
    truth = Truth(world)
    site = next(
        s for s in sites(world)
        if s.plan.database and s.plan.arrivals_per_day > 0.1 and s.plan.leaving_share == 0.2 and s.plan.changing_share
        and s.catalogue.available is None
    )  # fmt: skip
    before = {t.record.number: t.record for t in truth.records(site.plan.host)}

    world.now = 200 * DAY
    after = {t.record.number: t.record for t in truth.records(site.plan.host)}

    assert after.keys() - before.keys(), "none came"
    assert before.keys() - after.keys(), "none went"
    changed = [n for n in before.keys() & after.keys() if before[n] != after[n]]
    assert changed, "none changed"
    assert all(before[n].title == after[n].title for n in changed)
    assert set(site.database(200).search(Query())) == set(after)


def test_the_index_follows_a_changed_record(world: World) -> None:
    control, truth = Control(world), Truth(world)
    site = next(
        s
        for s in sites(world)
        if (d := s.plan.database) and d.behaviour.matching == "all" and s.catalogue.available is None
    )
    host = site.plan.host
    old = set(truth.words_returning(host, 5))
    site.database(0).search(Query())

    for _ in range(4):
        control(Request("POST", "control", "/change", f"host={host}&number=5"))

    new = set(truth.words_returning(host, 5))
    gone = [word for word in sorted(old - new) if 5 not in truth.matching(host, Query(word))]
    assert gone
    assert new - old
    assert all(5 in site.database(0).search(Query(word)) for word in sorted(new - old))
    assert all(5 not in site.database(0).search(Query(word)) for word in gone)


def test_records_are_removed_and_added_on_command(world: World) -> None:
    control = Control(world)
    site = next(
        s
        for s in sites(world)
        if s.plan.database and s.plan.database.has_details and s.catalogue.available is None
    )
    host, record = site.plan.host, site.record(3, 0)
    assert record is not None
    assert get(site, site.record_path(record)).kind == "record"

    control(Request("POST", "control", "/remove", f"host={host}&number=3"))
    control(Request("POST", "control", "/add", f"host={host}&count=2"))

    assert get(site, site.record_path(record)).kind == "not_found"
    numbers = site.database(0).search(Query())
    assert 3 not in numbers
    assert max(numbers) == site.catalogue.size + 2


def test_a_rewritten_page_has_new_words_and_only_in_one_place(world: World) -> None:
    control = Control(world)
    site = next(s for s in sites(world) if s.plan.pages > 5 and not s._is_restless and not s.plan.traps)
    call = Request("POST", "control", "/rewrite", f"url=http://{site.plan.host}{site.path(2)}")
    versions = [list(site.article_text(2, 0))]
    for _ in range(5):
        assert control(call).status == 200
        versions.append(list(site.article_text(2, 0)))

    for before, after in pairwise(versions):
        assert sum(old != new for old, new in zip(before, after, strict=False)) == 1


def test_restless_parts_change_with_every_request_and_nothing_else_does(world: World) -> None:
    restless = next(
        s for s in sites(world) if s.plan.counts_views and s.plan.rotates_ads and not s.plan.shuffles
    )
    still = next(
        s for s in sites(world) if not s._is_restless and not s.plan.look.random_ids and not s.plan.traps
    )

    assert get(restless, "/", 1).body != get(restless, "/", 2).body
    assert get(still, "/", 1).body == get(still, "/", 2).body


def test_shuffled_lists_hold_the_same_links(world: World) -> None:
    site = next(s for s in sites(world) if s.plan.shuffles and s.plan.pages > 10 and not s.plan.session_ids)

    first, second = get(site, "/", 1), get(site, "/", 2)

    assert first.links != second.links
    assert sorted(first.links) == sorted(second.links)


def test_the_date_is_that_of_the_clock(world: World) -> None:
    site = next(s for s in sites(world) if s.plan.shows_date)

    world.now = 40 * DAY

    assert "2026-02-10" in text_of(get(site, "/"))


def header(response: Response, name: str) -> str | None:
    return dict(response.headers).get(name)


@pytest.mark.parametrize(
    ("validators", "same_twice", "honours", "notices_change"),
    [
        ("honest", True, True, True),
        ("missing", True, False, True),
        ("stuck", True, True, False),
        ("restless", False, False, True),
    ],
)
def test_validators_are_honest_missing_or_lying(
    world: World, validators: str, same_twice: bool, honours: bool, notices_change: bool
) -> None:
    site = next(
        s for s in sites(world)
        if s.plan.validators == validators and not s._is_restless and not s.plan.look.random_ids and not s.plan.traps
    )  # fmt: skip
    first = get(site, "/", 1)
    tag = header(first, "ETag") or "none"

    assert (header(get(site, "/", 2), "ETag") == header(first, "ETag")) is same_twice
    assert (get(site, "/", 3, if_none_match=tag).status == 304) is honours
    site.hand.rewrite(0, 1.0)
    assert (get(site, "/", 4, if_none_match=tag).status == 200) is notices_change


def test_last_modified_is_the_day_of_the_last_change(world: World) -> None:
    site = next(
        s for s in sites(world) if s.plan.validators == "honest" and not s._is_restless and s.plan.pages > 8
    )
    life = PageLife(world.seed, site.plan.number)
    page, period = next(
        (p, d) for p in range(1, site.plan.pages) for d in range(2, 40) if life.last_written(p, d) == d
    )

    world.now = (period + 0.5) * DAY
    stamp = header(get(site, site.path(page)), "Last-Modified")
    world.now = period * DAY

    assert stamp == http_date(period * DAY) == header(get(site, site.path(page)), "Last-Modified")
    assert get(site, site.path(page), if_modified_since=stamp).status == 304
    world.now = (period + 0.6) * DAY
    site.hand.rewrite(page, world.now)
    changed = get(site, site.path(page), if_modified_since=stamp)
    assert (changed.status, header(changed, "Last-Modified")) == (200, http_date(world.now))


def test_some_honest_sites_tag_the_content_and_not_what_is_restless_around_it(world: World) -> None:
    site = next(
        s for s in sites(world) if s.plan.validators == "honest" and s.plan.number % 2 and s.plan.counts_views
    )

    first, second = get(site, "/", 1), get(site, "/", 2)
    again = get(site, "/", 3, if_none_match=f'"other", W/{header(first, "ETag")}')

    assert first.body != second.body
    assert header(first, "ETag") == header(second, "ETag")
    assert again.status == 304
    site.hand.rewrite(0, 1.0)
    assert header(get(site, "/", 4), "ETag") != header(first, "ETag")


def test_the_truth_says_what_changed_between_two_times(world: World) -> None:
    truth = Truth(world)
    site = next(
        s for s in sites(world)
        if s.plan.database and s.plan.arrivals_per_day > 0.5 and s.plan.leaving_share == 0.2 and s.plan.changing_share
    )  # fmt: skip
    host, earlier = site.plan.host, 10 * DAY
    world.now = earlier
    before = {t.record.number: t.record for t in truth.records(host)}
    texts = {page: list(site.article_text(page, 10)) for page in range(site.plan.pages)}

    world.now = 90 * DAY
    number = next(n for n in before if site.record(n, 90))
    site.hand.change(number, world.now)
    site.hand.redesign("wrap", world.now)
    site.hand.rewrite(1, world.now)
    changes = truth.changes(host, since=earlier)

    after = {t.record.number: t.record for t in truth.records(host)}
    assert set(changes.added) == after.keys() - before.keys()
    assert set(changes.removed) == before.keys() - after.keys()
    assert set(changes.changed) == {n for n in before.keys() & after.keys() if before[n] != after[n]}
    assert number in changes.changed
    assert "wrap" in changes.redesigns
    rewritten = {p for p in range(site.plan.pages) if list(site.article_text(p, 90)) != texts[p]}
    assert set(changes.rewritten) == {f"http://{host}{site.path(page)}" for page in rewritten}
    assert truth.changes(host, since=world.now) == Changes((), (), (), (), ())


def test_records_added_by_hand_stay_where_none_arrive_by_themselves(world: World) -> None:
    site = next(
        s for s in sites(world)
        if s.plan.database and not s.plan.arrivals_per_day and s.plan.leaving_share and s.catalogue.available is None
    )  # fmt: skip
    site.hand.add(30, 0.0)

    numbers = site.database(200).search(Query())

    assert set(range(site.catalogue.size + 1, site.catalogue.size + 31)) <= set(numbers)


def test_a_clock_many_years_on_costs_no_more_than_one_of_a_year(world: World) -> None:
    site = next(s for s in sites(world) if s.plan.database and s.plan.changing_share == 0.5)
    record = next(n for n in range(1, 40) if site.life.revision(n, 36_500, site.hand) > 1000)

    old = site.catalogue.record(record, site.life.revision(record, 36_500, site.hand))

    assert old.title == site.catalogue.record(record).title
    assert old != site.catalogue.record(record)


def test_sitemaps_name_every_page_once_with_a_date(world: World) -> None:
    site = next(s for s in sites(world) if s.plan.has_sitemap and s.plan.pages > 10)

    body = get(site, "/sitemap.xml").body.decode()

    places = re.findall(r"<loc>http://[^/]+([^<]*)</loc><lastmod>(\d{4}-\d\d-\d\d)</lastmod>", body)
    assert [path for path, _ in places] == [site.path(page) for page in range(site.plan.pages)]


@pytest.mark.parametrize("name", REDESIGNS)
def test_a_redesign_changes_the_template_and_no_record(world: World, name: str) -> None:
    control = Control(world)
    site = next(
        s for s in sites(world)
        if s.plan.database and s.plan.database.has_details and not s._is_restless and not s.plan.look.random_ids
    )  # fmt: skip
    record = site.record(2, 0)
    assert record is not None
    public, private = get(site, site.path(1)), get(site, site.record_path(record))

    control(Request("POST", "control", "/redesign", f"host={site.plan.host}&name={name}"))
    public_after, private_after = get(site, site.path(1)), get(site, site.record_path(record))

    assert public.body != public_after.body
    assert private.body != private_after.body
    assert " ".join(record.title.split()) in text_of(private_after)
    assert all(" ".join(value.split()) in text_of(private_after) for _, value in site.label_values(record))


def test_redesigns_happen_by_schedule_too(world: World) -> None:
    site = next(s for s in sites(world) if s.plan.redesign_every)
    assert site.plan.redesign_every is not None

    assert site.redesigns(site.plan.redesign_every - 1) == ()
    assert len(site.redesigns(site.plan.redesign_every * 3)) == 3
