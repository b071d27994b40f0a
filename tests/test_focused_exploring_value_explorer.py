from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from hiddenweb.focused.exploring import value_explorer
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.exploring.value_explorer import DISCOUNT, ValueExplorer
from hiddenweb.focused.head_start import initial_probit
from hiddenweb.frontier.stopping import ExplorationProgress, StopCriteria
from hiddenweb.learning.probit import BayesianProbit, RewardTrail

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

ALL_OFF = StopCriteria(depth=3, pages=0, forms=0, formless=0, formless_in_all=0)
MENU, LIST, FOOTER = "html/body/nav/ul/li/a", "html/body/main/ol/li/a", "html/body/footer/p/a"


def lead(
    name: str, depth: int = 1, *, place: str = MENU, anchor: str = "", parent: str = ""
) -> LinkCandidate:
    return LinkCandidate(
        f"https://a.example/{name}",
        depth,
        anchor or name.rpartition("/")[2],
        tag_path=place,
        language="en",
        parent=f"https://a.example/{parent}" if parent else "",
    )


def explorer(
    *found: LinkCandidate, criteria: StopCriteria = ALL_OFF, odds: BayesianProbit | None = None
) -> ValueExplorer:
    made = ValueExplorer(ExplorationProgress(criteria), odds or initial_probit("link"), RewardTrail(DISCOUNT))
    made.add(found)
    return made


def visits(site: ValueExplorer, gives: Callable[[LinkCandidate], bool]) -> Iterator[LinkCandidate]:
    """Visit links until there is none, and note which of them give a form on topic."""
    while found := site.next():
        gave = int(gives(found))
        site.note(found, gave, gave)
        yield found


def visited(site: ValueExplorer, good: Collection[str] = ()) -> list[str]:
    """Visit all links, of which those with good anchors give a form; return the anchors in their order."""
    return [found.anchor for found in visits(site, lambda found: found.anchor in good)]


def taught(good: Iterable[LinkCandidate], bad: Iterable[LinkCandidate]) -> BayesianProbit:
    """Return odds that learnt from visits of two kinds of links."""
    odds = initial_probit("link")
    for found, gave in [*((each, 1) for each in good), *((each, 0) for each in bad)]:
        site = explorer(found, odds=odds)
        site.next()
        site.note(found, gave, gave)
    return odds


# What is visited


def test_every_link_is_visited_once() -> None:
    site = explorer(lead("a"), lead("b"), lead("a"), lead("c", 2))
    site.add([lead("b")])

    assert sorted(visited(site)) == ["a", "b", "c"]
    assert site.ended == "all its links were visited"


def test_best_stays_when_it_is_only_read() -> None:
    site = explorer(lead("a"))

    assert site.best() is not None
    assert site.best() == site.best()
    assert site.next() == lead("a")
    assert site.best() is None


def test_site_does_not_end_while_a_page_is_under_way() -> None:
    site = explorer(lead("a"))
    under_way = site.next()
    assert under_way is not None
    assert site.next() is None
    assert site.ended is None

    site.add([lead("b")])
    site.note(under_way, 0, 0)

    assert visited(site) == ["b"]


def test_link_that_was_not_visited_after_all_teaches_nothing() -> None:
    odds = initial_probit("link")
    site = explorer(lead("a"), odds=odds)
    under_way = site.next()
    assert under_way is not None

    site.skip(under_way)

    assert site.next() is None
    assert site.ended == "all its links were visited"
    assert (site.progress.pages, odds.learnt) == (0, 0)


def test_single_page_ends_when_it_was_read() -> None:
    site = explorer(lead("page", 0), lead("a"))
    page = site.next()
    assert page is not None

    site.close(page)

    assert site.next() is None
    assert site.ended == "it was a single page"


# Stopping


def test_no_page_is_deeper_than_allowed() -> None:
    site = explorer(lead("a", 1), lead("b", 2), lead("c", 3), criteria=replace(ALL_OFF, depth=2))

    assert sorted(visited(site)) == ["a", "b"]


@pytest.mark.parametrize(
    ("criteria", "good"),
    [
        (replace(ALL_OFF, pages=2), ()),
        (replace(ALL_OFF, forms=2), [f"a{n}" for n in range(9)]),
        (replace(ALL_OFF, formless=2), ()),
    ],
    ids=["SC2", "SC3", "SC4"],
)
def test_criterion_ends_a_depth_and_not_the_others(criteria: StopCriteria, good: Collection[str]) -> None:
    site = explorer(*(lead(f"a{n}", 1) for n in range(9)), lead("b", 2), criteria=criteria)

    names = visited(site, good)

    assert sum(name.startswith("a") for name in names) == 2
    assert "b" in names


def test_site_with_too_many_formless_pages_is_left() -> None:
    site = explorer(*(lead(f"a{n}") for n in range(9)), criteria=replace(ALL_OFF, formless_in_all=3))

    assert len(visited(site)) == 3
    assert site.ended == "SC5: 3 pages without a new search form"
    assert site.best() is None


# What a link is worth


def test_words_of_good_links_make_a_link_worth_more() -> None:
    odds = taught(
        [lead(f"x{n}", anchor="Advanced search") for n in range(10)],
        [lead(f"y{n}", anchor="Privacy policy") for n in range(10)],
    )
    site = explorer(
        lead("1", place=MENU, anchor="Privacy policy"),
        lead("2", place=LIST, anchor="Opening hours"),
        lead("3", place=FOOTER, anchor="Advanced search"),
        odds=odds,
    )

    assert visited(site) == ["Advanced search", "Opening hours", "Privacy policy"]


def test_of_links_in_the_same_place_the_best_comes_first() -> None:
    odds = taught([lead(f"x{n}", anchor="search") for n in range(10)], [])
    site = explorer(*(lead(name) for name in ("imprint", "hours", "search", "contact")), odds=odds)

    assert visited(site)[0] == "search"


def test_place_of_good_links_says_more_than_nothing_in_any_language() -> None:
    odds = taught(
        [lead(f"x{n}", place=MENU, anchor=f"{n}") for n in range(10)],
        [lead(f"y{n}", place=FOOTER, anchor=f"{n}") for n in range(10)],
    )
    site = explorer(lead("1", place=FOOTER, anchor="検索"), lead("2", place=MENU, anchor="поиск"), odds=odds)

    assert visited(site) == ["поиск", "検索"]


def test_group_that_gives_forms_is_preferred_where_words_say_nothing() -> None:
    site = explorer(
        *(lead(f"list/{n}/x", anchor=f"{n}") for n in range(30)),
        *(lead(f"list/{n}", anchor=f"{n}") for n in range(30)),
    )

    gave = [not found.url.endswith("x") for found in visits(site, lambda found: not found.url.endswith("x"))]

    places = [place for place, good in enumerate(gave) if good]
    assert len(gave) == 60
    assert sum(places) / 30 < 25  # by chance it would be 29.5


def test_site_that_has_long_given_nothing_is_worth_less() -> None:
    site = explorer(*(lead(f"a/{n}") for n in range(60)), lead("z/9", place=FOOTER, anchor="last"))
    first = site.best()

    for _ in range(30):
        found = site.next()
        assert found is not None
        site.note(found, 0, 0)

    later = site.best()
    assert first is not None
    assert later is not None
    assert later < first


def test_pages_since_the_last_form_on_topic_are_counted() -> None:
    site = explorer(*(lead(f"a{n}") for n in range(4)))
    counted = []
    for forms, rewards in ((0, 0), (2, 0), (1, 1), (0, 0)):
        found = site.next()
        assert found is not None
        site.note(found, forms, rewards)
        counted.append(site.fruitless)

    assert counted == [1, 2, 0, 1]


def test_features_of_the_site_count_for_all_its_links() -> None:
    odds = initial_probit("link")
    for _ in range(10):
        odds.learn(["on:1"], True)
        odds.learn(["on:0"], False)
    on_topic, off_topic = explorer(lead("a"), odds=odds), explorer(lead("a"), odds=odds)

    on_topic.site, off_topic.site = ("on:1",), ("on:0",)

    assert (on_topic.best() or 0) > (off_topic.best() or 0)
    assert "on:1" in on_topic.features(lead("a"))


def test_links_on_the_way_to_a_form_earn_a_part_of_it() -> None:
    way = [
        lead("start", 1, place=FOOTER, anchor="museum"),
        lead("catalogue", 2, place=MENU, anchor="catalogue", parent="start"),
        lead("find", 3, place=LIST, anchor="search", parent="catalogue"),
    ]
    odds, without = initial_probit("link"), initial_probit("link")
    for learning, gave in ((odds, 1), (without, 0)):
        site = explorer(odds=learning)
        for step in way:
            site.add([step])
            assert site.next() == step
            site.note(step, 0, gave if step is way[-1] else 0)

    earned = [
        odds.weight(feature) - without.weight(feature) for feature in ("a:search", "a:catalogu", "a:museum")
    ]

    assert earned == sorted(earned, reverse=True)
    assert earned[-1] > 0


def test_parents_that_lead_to_each_other_are_no_trap() -> None:
    one, other = lead("one", parent="other"), lead("other", parent="one")
    site = explorer(one, other)

    assert sorted(visited(site, good=["one", "other"])) == ["one", "other"]


def test_waiting_links_are_judged_again_when_enough_was_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(value_explorer, "REFRESH", 20)
    odds = initial_probit("link")
    site = explorer(*(lead(name) for name in ("imprint", "hours", "search")), odds=odds)

    for _ in range(10):
        odds.learn(["a:search"], True)
        odds.learn(["a:imprint"], False)

    assert visited(site) == ["search", "hours", "imprint"]


def test_choosing_costs_as_many_steps_as_there_are_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    judged: list[str] = []
    said_by = value_explorer._own_features

    def counting(found: LinkCandidate) -> tuple[str, ...]:
        judged.append(found.url)
        return said_by(found)

    monkeypatch.setattr(value_explorer, "_own_features", counting)
    site = explorer(*(lead(f"list/{n}") for n in range(2000)), *(lead(f"x/{n}") for n in range(10)))
    at_first = len(judged)

    chosen = site.next()

    assert chosen is not None
    assert at_first == 2010
    assert set(judged[at_first:]) <= {chosen.url}


# Going on


def test_resumed_site_is_judged_as_if_it_had_never_been_left() -> None:
    found = [
        *(lead(f"list/{n}", place=LIST, anchor=f"item {n}") for n in range(12)),
        *(lead(f"find/{n}", place=MENU, anchor=f"shelf {n}") for n in range(12)),
    ]
    odds = initial_probit("link")
    site = explorer(*found, odds=odds)
    site.site = ("on:1",)
    done: list[tuple[LinkCandidate, bool]] = []
    for _ in range(10):
        visit = site.next()
        assert visit is not None
        gave = "shelf" in visit.anchor and len(done) % 2 == 0
        site.note(visit, int(gave), int(gave))
        done.append((visit, gave))
    waiting = [each for each in found if each not in [visit for visit, _ in done]]

    again = ValueExplorer(
        ExplorationProgress.from_json(ALL_OFF, site.progress.to_json()), odds, RewardTrail(DISCOUNT)
    )
    again.resume(done, waiting, site.rewards, site.fruitless, site.site)

    for explored in (site, again):
        explored._judge_waiting()  # the one that was not left may hold earlier judgements
    assert again.best() == pytest.approx(site.best())
    assert (again.fruitless, again.site) == (site.fruitless, site.site)
    rest = visited(again)
    assert len(rest) == len(waiting)
    assert not {each.anchor for each, _ in done} & set(rest)


def test_form_found_later_rewards_the_way_from_before_the_site_was_left() -> None:
    odds = initial_probit("link")
    site = explorer(odds=odds)
    site.resume(
        [(lead("catalogue"), False)], [lead("find", 2, anchor="search", parent="catalogue")], 0, 1, ()
    )

    visited(site, good=["search"])

    assert odds.weight("a:catalogu") > 0
