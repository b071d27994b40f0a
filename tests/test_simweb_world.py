"""A world follows from its seed, in every process, and stays small in memory."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from simweb.forms import STYLES
from simweb.languages import LANGUAGES
from simweb.leave_alone import PURPOSES
from simweb.messages import Request
from simweb.plan import LAYOUTS, PAGINGS, TRAPS
from simweb.search import Query
from simweb.topics import TOPICS
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DIGEST_OF_A_WALK = """
import sys
from hashlib import sha256
from simweb.messages import Request
from simweb.world import World

world = World(int(sys.argv[1]), 60, pages_per_site=15, port=8000, largest_database=120)
digest = sha256()
for number in world.numbers:
    site = world.site(number)
    targets = [site.path(page) for page in range(min(6, site.plan.pages))] + ["/robots.txt", "/sitemap.xml", "/none"]
    if site.plan.database is not None:
        targets += [site.record_path(site.record(1, 0)), site.search_action]
    for count, target in enumerate(targets):
        path, _, query = target.partition("?")
        response = site.respond(Request("GET", site.plan.host, path, query, {"accept-encoding": "gzip, br"}, count=count))
        digest.update(repr((response.status, response.headers)).encode() + response.body)
    if site.plan.database is not None:
        box = site.search_form.field_meaning("keywords")
        if box is not None:
            word = site.record(3, 0).title.split()[0]
            body = f"{box.name}={site.quote(word)}".encode()
            response = site.respond(Request(site.search_form.method.upper(), site.plan.host, site.search_action,
                                            body.decode(), body=body, count=99))
            digest.update(response.body)
print(digest.hexdigest())
"""


@pytest.fixture
def world() -> Iterator[World]:
    world = World(7, 200)
    yield world
    world.close()


def digest(seed: int, hash_seed: str, root: Path) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", DIGEST_OF_A_WALK, str(seed)]
    return subprocess.run(
        command, env=environment, cwd=root, check=True, capture_output=True, text=True
    ).stdout


def test_two_runs_with_one_seed_are_equal_byte_by_byte(root: Path) -> None:
    first, second, other = digest(3, "1", root), digest(3, "2", root), digest(4, "1", root)

    assert first == second
    assert first != other


def test_a_world_of_two_hundred_sites_shows_everything_there_is(world: World) -> None:
    plans = [world.plan(number) for number in world.numbers]
    databases = [plan.database for plan in plans if plan.database]

    assert {plan.topic for plan in plans} == set(TOPICS)
    assert {plan.language for plan in plans} == set(LANGUAGES)
    assert {database.style for database in databases} == set(STYLES)
    assert {database.layout for database in databases} == set(LAYOUTS)
    assert {database.paging for database in databases} == set(PAGINGS)
    assert {purpose for plan in plans for purpose in plan.left_alone} == set(PURPOSES)
    assert {trap for plan in plans for trap in plan.traps} == set(TRAPS)
    assert {plan.validators for plan in plans} == {"honest", "missing", "stuck", "restless"}
    assert len({plan.host for plan in plans}) == len(plans)
    assert any(plan.is_hub for plan in plans)


@pytest.mark.parametrize("sites", [1, 2, 5, 13])
def test_a_handful_of_sites_is_a_world_too(sites: int) -> None:
    world = World(1, sites, pages_per_site=4, direct=0)

    answers = [world.respond(Request("GET", world.host(number), "/")) for number in world.numbers]

    assert [answer.status for answer in answers if answer] == [200] * sites
    world.close()


def test_a_world_without_sites_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one site, not 0"):
        World(1, 0)


def test_only_its_own_addresses_are_sites(world: World) -> None:
    world.port = 8123

    assert world.number_of("127.0.0.2:8123") == world.sites
    for stranger in (
        "127.0.0.1",
        "127.0.0.1:8123",
        "127.0.0.0:8123",
        "127.0.0.2",
        "127.0.0.2:80",
        "127.0.0.99:8123",
    ):
        assert world.number_of(stranger) is None


def test_what_a_direct_site_holds_does_not_depend_on_its_port() -> None:
    worlds = [World(7, 20, port=port, largest_database=60) for port in (8000, 9000)]
    direct = [world.site(20) for world in worlds]

    assert [direct[0].record(n, 60) for n in range(1, 60)] == [direct[1].record(n, 60) for n in range(1, 60)]
    assert direct[0].plan.host == "127.0.0.2:8000"
    assert direct[1].plan.host == "127.0.0.2:9000"
    for world in worlds:
        world.close()


def test_every_trap_stands_on_a_site_with_a_database_and_on_one_without(world: World) -> None:
    with_database = {t for n in world.numbers for t in world.plan(n).traps if world.plan(n).database}
    without = {t for n in world.numbers for t in world.plan(n).traps if not world.plan(n).database}

    assert with_database == without == set(TRAPS)


def test_sizes_follow_a_power_law_with_the_wanted_mean() -> None:
    world = World(3, 5000)

    sizes = sorted(world.plan(number).pages for number in range(0, 5000, 5))

    assert 60 < sum(sizes) / len(sizes) < 160
    assert sizes[len(sizes) // 2] < 50
    assert sizes[-1] > 1500
    world.close()


def test_sites_that_were_dropped_from_memory_come_back_the_same(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simweb.world._PAGES_IN_MEMORY", 500)
    hosts = [world.host(number) for number in range(40)]

    before = [world.respond(Request("GET", host, "/")) for host in hosts]
    kept = len(world._sites)
    after = [world.respond(Request("GET", host, "/")) for host in hosts]

    assert kept < 40
    assert [r.body for r in before if r] == [r.body for r in after if r]


def test_databases_that_were_closed_keep_what_they_have(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simweb.world._OPEN_DATABASES", 2)
    sites = [world.site(n) for n in world.numbers if world.plan(n).database][:5]

    first = [site.database(0).search(Query()) for site in sites]
    again = [site.database(0).search(Query()) for site in sites]

    assert len(world._databases) == 2
    assert first == again
