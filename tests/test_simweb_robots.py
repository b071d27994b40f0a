"""The robots.txt a site serves means what the truth says it means."""

from __future__ import annotations

import pytest
from protego import Protego

from simweb.plan import RobotsPlan
from simweb.robots import is_allowed, robots_text
from simweb.world import World


def test_an_independent_reader_of_the_served_files_agrees_with_the_truth() -> None:
    world = World(7, 300, direct=0)
    kinds = set()
    for number in world.numbers:
        plan = world.plan(number)
        served = robots_text(plan)
        if served.status != 200:
            continue
        reader = Protego.parse(served.body.decode("utf-8-sig"))
        search = plan.database.search_path if plan.database else "/search"
        targets = [
            "/",
            "/admin/",
            "/archive/",
            "/index.php",
            "/index.php?a=1",
            search,
            f"{search}?q=x",
            "/a?sort=b",
            "/x/y.php",
        ]
        kinds.add(plan.robots.kind)

        assert [reader.can_fetch(f"http://{plan.host}{t}", "hiddenweb") for t in targets] == [
            is_allowed(plan.robots, t) for t in targets
        ], served.body
        assert reader.crawl_delay("hiddenweb") == plan.robots.crawl_delay

    assert kinds == {"empty", "allow_all", "section", "search", "wildcards", "delay", "everything"}
    world.close()


@pytest.mark.parametrize(
    ("target", "allowed"),
    [
        ("/private/x", False),
        ("/private/open/x", True),  # the longer rule counts
        ("/a.php", False),
        ("/a.php?x=1", True),  # $ ends the pattern
        ("/robots.txt", True),
        ("/other", True),
    ],
)
def test_the_longest_rule_counts(target: str, allowed: bool) -> None:
    robots = RobotsPlan("test", ((False, "/private/"), (True, "/private/open/"), (False, "/*.php$")))

    assert is_allowed(robots, target) is allowed
