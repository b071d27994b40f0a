from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from timing import within

from hiddenweb.focused.exploring.depth_explorer import DepthExplorer
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.frontier.stopping import ExplorationProgress, StopCriteria

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ALL_OFF = StopCriteria(depth=3, pages=0, forms=0, formless=0, formless_in_all=0)


def leads(depth: int, *names: str) -> list[LinkCandidate]:
    return [LinkCandidate(f"https://a.example/{name}", depth, anchor=name) for name in names]


def explorer(
    *found: LinkCandidate,
    criteria: StopCriteria = ALL_OFF,
    score: Callable[[LinkCandidate], float] | None = None,
    visits: int = 100,
) -> DepthExplorer:
    made = DepthExplorer(ExplorationProgress(criteria), score, visits=visits)
    made.add(found)
    return made


def visited(site: DepthExplorer, forms: Mapping[str, int] | None = None) -> list[str]:
    """Visit links until there is none; say what they were called."""
    names = []
    while lead := site.next():
        names.append(lead.anchor)
        site.note(lead, (forms or {}).get(lead.anchor, 0))
    return names


# The order


def test_depths_come_one_after_the_other() -> None:
    site = explorer(*leads(2, "c"), *leads(0, "home"), *leads(3, "d"), *leads(1, "a", "b"))

    assert visited(site) == ["home", "a", "b", "c", "d"]
    assert site.ended == "all its links were visited"


def test_best_of_a_depth_come_first() -> None:
    worth = {"a": 1.0, "b": 3.0, "c": 2.0, "d": 9.0}
    site = explorer(*leads(1, "a", "b", "c"), *leads(2, "d"), score=lambda lead: worth[lead.anchor])

    assert visited(site) == ["b", "c", "a", "d"]


def test_without_ranks_links_come_in_the_order_they_were_found() -> None:
    assert visited(explorer(*leads(1, "z", "a", "m"))) == ["z", "a", "m"]


def test_too_many_links_of_a_depth_are_shared_out_over_the_parts_of_the_site() -> None:
    books = [f"books/{number}" for number in range(30)]
    helps = [f"help/{number}" for number in range(10)]
    site = explorer(*leads(1, *books, *helps), *leads(2, "x"), score=lambda _: 0.0, visits=8)

    names = visited(site)

    assert sum(name.startswith("books/") for name in names) == 6
    assert sum(name.startswith("help/") for name in names) == 2
    assert names[8:] == ["x"]  # each depth has its own visits


def test_link_is_visited_once_whatever_its_query() -> None:
    site = explorer(*leads(1, "find?q=1", "find?q=2", "find"))
    site.add(leads(2, "find?q=3"))

    assert visited(site) == ["find?q=1"]


def test_links_found_on_the_way_are_added() -> None:
    site = explorer(*leads(0, "home"))
    home = site.next()
    assert home is not None

    site.add(leads(1, "a"))
    site.note(home, 0)

    assert visited(site) == ["a"]


def test_chosen_links_are_ordered_again_when_ranks_have_changed() -> None:
    worth = {"a": 3.0, "b": 2.0, "c": 1.0}
    site = explorer(*leads(1, "a", "b", "c"), score=lambda lead: worth[lead.anchor])
    assert site.next() == leads(1, "a")[0]

    worth["c"] = 9.0
    site.rerank()

    assert [lead.anchor for lead in (site.next(), site.next()) if lead] == ["c", "b"]


# Pages under way


def test_next_depth_waits_for_pages_that_may_lead_there() -> None:
    site = explorer(*leads(0, "home"), *leads(1, "a"))
    home = site.next()
    assert home is not None

    waiting = site.next()
    site.add(leads(1, "b"))
    site.note(home, 0)

    assert waiting is None
    assert site.ended is None
    assert visited(site) == ["a", "b"]


@pytest.mark.parametrize("how", ["note", "skip"])
def test_site_does_not_end_while_a_page_is_under_way(how: str) -> None:
    site = explorer(*leads(0, "home"))
    home = site.next()
    assert home is not None
    assert site.next() is None
    assert site.ended is None

    if how == "note":
        site.note(home, 0)
    else:
        site.skip(home)

    assert site.next() is None
    assert site.ended == "all its links were visited"


def test_link_that_was_not_visited_after_all_does_not_count() -> None:
    site = explorer(*leads(0, "home"))
    home = site.next()
    assert home is not None

    site.skip(home)

    assert site.progress.pages == 0


def test_single_page_ends_when_it_was_read() -> None:
    site = explorer(*leads(0, "page"), *leads(1, "a"))
    page = site.next()
    assert page is not None

    site.close(page)

    assert site.next() is None
    assert site.ended == "it was a single page"


# The five criteria

MANY = leads(1, "a1", "a2", "a3", "a4", "a5")
ONE_EACH = dict.fromkeys(("a1", "a2", "a3", "a4", "a5", "b"), 1)


def test_sc1_no_page_is_deeper_than_allowed() -> None:
    site = explorer(
        *leads(0, "home"), *leads(1, "a"), *leads(2, "b"), *leads(3, "c"), criteria=replace(ALL_OFF, depth=1)
    )

    assert visited(site) == ["home", "a"]
    assert site.ended == "SC1: deeper than 1"


def test_sc2_a_depth_has_its_share_of_pages() -> None:
    site = explorer(*MANY, *leads(2, "b"), criteria=replace(ALL_OFF, pages=2))

    assert visited(site, ONE_EACH) == ["a1", "a2", "b"]


def test_sc3_a_depth_that_gave_enough_forms_is_done() -> None:
    site = explorer(*MANY, *leads(2, "b"), criteria=replace(ALL_OFF, forms=3))

    assert visited(site, {"a1": 1, "a3": 2}) == ["a1", "a2", "a3", "b"]


def test_sc4_a_depth_with_too_many_formless_pages_is_done() -> None:
    site = explorer(*MANY, *leads(2, "b"), criteria=replace(ALL_OFF, formless=3))

    assert visited(site, {"a2": 1}) == ["a1", "a2", "a3", "a4", "b"]


def test_sc5_a_site_with_too_many_formless_pages_is_left() -> None:
    site = explorer(*leads(0, "home"), *MANY, *leads(2, "b"), criteria=replace(ALL_OFF, formless_in_all=3))

    assert visited(site, {"a1": 1}) == ["home", "a1", "a2", "a3"]
    assert site.ended == "SC5: 3 pages without a new search form"


@pytest.mark.parametrize(
    ("criteria", "why"),
    [
        (replace(ALL_OFF, pages=2), "SC2: 2 pages at depth 1"),
        (replace(ALL_OFF, forms=2), "SC3: 2 forms at depth 1"),
        (replace(ALL_OFF, formless=2), "SC4: 2 pages at depth 1 without a new search form"),
    ],
)
def test_criterion_that_closes_the_last_depth_is_why_the_site_ended(criteria: StopCriteria, why: str) -> None:
    site = explorer(*MANY, criteria=criteria)

    names = visited(site, ONE_EACH if criteria.forms else None)

    assert names == ["a1", "a2"]
    assert site.ended == why


def test_criteria_count_again_at_each_depth() -> None:
    site = explorer(*MANY, *leads(2, "b1", "b2", "b3"), criteria=replace(ALL_OFF, formless=2))

    assert visited(site) == ["a1", "a2", "b1", "b2"]


# Going on


def test_site_is_resumed_where_it_was_left() -> None:
    criteria = replace(ALL_OFF, formless=3)
    done = [(lead, False) for lead in (*leads(0, "home"), *leads(1, "a1", "a2?q=1"))]
    site = DepthExplorer(ExplorationProgress.from_json(criteria, [[0, 1, 0, 1], [1, 2, 0, 2]]), lambda _: 0.0)

    site.resume(done, [*leads(1, "a2", "a3", "a4"), *leads(2, "b")], 0, 2, ())

    assert visited(site) == ["a3", "b"]  # a2 was visited; one more formless page ends its depth


def test_ten_thousand_links_are_chosen_from_at_once() -> None:
    site = explorer(*leads(1, *(f"d{n % 97}/{n}" for n in range(10_000))), score=lambda _: 0.0)

    assert within(1, site.next) is not None
