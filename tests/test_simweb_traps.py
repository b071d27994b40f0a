"""Traps are traps, and what is real stays reachable without them."""

from __future__ import annotations

import gzip
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from simweb.messages import Request, Response
from simweb.traps import HOSTILE, SCRIPT_PAGES
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simweb.site import Site


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World(13, 160, pages_per_site=6, largest_database=60)
    yield world
    world.close()


def trapped(world: World, trap: str) -> Site:
    return next(world.site(n) for n in world.numbers if trap in world.plan(n).traps)


def get(site: Site, target: str, count: int = 0) -> Response:
    path, _, query = target.partition("?")
    return site.respond(Request("GET", site.plan.host, path, query, count=count))


def walk(site: Site, start: str, steps: int) -> set[str]:
    """Follow the last unseen link, as far as steps go."""
    seen = [start]
    for _ in range(steps):
        links = [link for link in get(site, seen[-1]).links if link.startswith("/") and link not in seen]
        inside = [link for link in links if Truth(site.world).is_trap(f"http://{site.plan.host}{link}")]
        if not inside:
            break
        seen.append(inside[-1])
    return set(seen)


@pytest.mark.parametrize(
    ("trap", "start"),
    [("calendar", "/calendar/2026/01/"), ("facets", "/browse"), ("endless_paging", "/all-entries?page=1")],
)
def test_there_is_always_one_more_address(world: World, trap: str, start: str) -> None:
    site = trapped(world, trap)

    assert start in get(site, "/").links
    assert len(walk(site, start, 60)) == 61


def test_paths_repeat_for_ever_with_the_same_page(world: World) -> None:
    site = trapped(world, "path_repetition")

    near, far = get(site, "/loop/"), get(site, "/loop/" + "more/archive/" * 30)

    assert near.status == far.status == 200
    assert "more/" in near.links


def test_every_answer_has_new_session_ids_for_the_same_pages(world: World) -> None:
    site = trapped(world, "session_ids")
    truth = Truth(world)

    first, second = get(site, "/", 1), get(site, "/", 2)

    assert set(first.links).isdisjoint(link for link in second.links if link.startswith("/"))
    names = {truth.identity(f"http://{site.plan.host}{link}") for link in first.links if link.startswith("/")}
    assert names == {
        truth.identity(f"http://{site.plan.host}{link}") for link in second.links if link.startswith("/")
    }
    assert get(site, next(link for link in first.links if link.startswith("/"))).status == 200


def test_redirects_lead_on_round_and_at_last_somewhere(world: World) -> None:
    site = trapped(world, "redirect_chains")

    def follow(path: str, most: int) -> list[str]:
        places = [path]
        while (
            len(places) < most
            and (links := get(site, places[-1]).links)
            and get(site, places[-1]).status in range(300, 400)
        ):
            places.append(links[0].removeprefix(f"http://{site.plan.host}"))
        return places

    assert site.page_at(follow("/go/1", 50)[-1]) == site.plan.pages - 1
    assert len(follow("/forever/1", 200)) == 200
    assert len(set(follow("/ring/0", 50))) == 3


def test_links_for_scripts_are_not_links_for_parsers(world: World) -> None:
    site = trapped(world, "script_links")

    assert not any("/script/" in link for link in get(site, "/").links)
    assert b"/script/" not in get(site, "/").body
    assert [get(site, f"/script/{n}").kind for n in range(SCRIPT_PAGES)] == ["script_only"] * SCRIPT_PAGES


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pages_are_as_bad_as_they_say(world: World, name: str) -> None:
    site = trapped(world, "hostile_html")

    response = get(site, f"/hostile/{name}")

    assert response.status == 200
    body = response.body or b"".join(islice(response.stream or iter(()), 30))
    match name:
        case "attributes":
            assert body.count(b'="v"') == 40_000
        case "nested":
            assert body.count(b"<div>") == 200_000
        case "long-attribute":
            assert len(body) > 20_000_000
        case "bomb":
            assert len(body) < 2_000_000
            with gzip.GzipFile(fileobj=__import__("io").BytesIO(body)) as unpacked:
                assert len(unpacked.read(50_000_000)) == 50_000_000
        case "endless":
            assert len(body) > 100_000
        case _:
            assert b"<" in body


def test_real_records_of_trapped_sites_are_linked_from_outside_the_trap(world: World) -> None:
    truth = Truth(world)
    reach = truth.reachable(world.plan(n).url for n in world.numbers)
    for number in world.numbers:
        site = world.site(number)
        if site.plan.traps:
            featured = {(site.plan.host, record.number) for record in site.homepage_records(0)}
            assert featured <= reach.records
