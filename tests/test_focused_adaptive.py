from __future__ import annotations

from random import Random

import pytest
from focused_stages import (
    Search,
    a_web,
    adaptive,
    crawl_all,
    homepage,
    inner_links,
    key,
    links,
    read_all,
    read_home,
    read_next,
    waiting,
)

from hiddenweb.focused.stages import DEEP, OFF_TOPIC, FocusedLimits, PageFindings
from hiddenweb.frontier.stopping import StopCriteria


@pytest.mark.parametrize("on_topic", [True, False])
def test_site_whose_homepage_is_missing_is_not_on_topic_to_an_adaptive_crawl(on_topic: bool) -> None:
    stages = adaptive("a")

    read_home(stages, is_missing=True, on_topic=on_topic)

    assert stages.sites[key("a")] == OFF_TOPIC
    assert stages.open_sites[key("a")].explorer.site == ("on:0",)
    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.open_sites


def test_site_that_rests_is_not_forgotten_when_a_page_was_not_visited_after_all() -> None:
    stages = adaptive("a")
    read_home(stages, inner=inner_links("a", "x", "y"))
    under_way = stages.next_link(key("a"))
    assert under_way is not None
    stages.start([homepage("b")])
    assert stages.next_link(key("a")) is None

    stages.skip(key("a"), under_way)

    assert key("a") in stages.resting
    assert waiting(stages) == ["b", "a"]
    assert read_next(stages, "a") == {"x": "y", "y": "x"}[under_way.anchor]


def test_site_that_gives_a_second_form_is_not_looked_up_again() -> None:
    search = Search(pages=0)
    stages = adaptive("a", linking=search)
    read_home(stages, forms=1, rewards=1, inner=inner_links("a", "1"))
    read_next(stages, "a", forms=1, rewards=1)

    for _ in range(3):
        stages.next_site()

    assert search.targets == [key("a")]


def test_before_anything_is_learnt_the_topic_decides() -> None:
    stages = adaptive("a", topic={"book"})
    read_home(
        stages,
        outward=[*links("b", anchor="Weather"), *links("c", anchor="Old books"), *links("d", anchor="Cars")],
    )

    candidate = stages.next_site()

    assert candidate is not None
    assert candidate.key == key("c")


def test_sites_like_those_that_gave_forms_come_before_sites_like_those_that_gave_none() -> None:
    stages = adaptive(*(f"s{n}" for n in range(40)))
    for number in range(40):
        read_home(
            stages,
            outward=[
                *links(f"g{number}", anchor="Antique maps"),
                *links(f"b{number}", anchor="Casino games"),
            ],
        )
    for _ in range(60):
        candidate = stages.next_site()
        assert candidate is not None
        gave = int(candidate.key.startswith("g"))
        lead = stages.next_link(candidate.key)
        assert lead is not None
        stages.read(candidate.key, lead, PageFindings(forms=gave, rewards=gave))

    good = sum(name.startswith("g") for name in stages.sites)

    assert good > 35  # of 60, by chance it would be 30


def test_site_is_left_for_something_better_and_resumed() -> None:
    stages = adaptive("a", topic={"book"})
    read_home(
        stages,
        on_topic=False,
        outward=links("b", anchor="Rare books", around="a library of books"),
        inner=inner_links("a", "x", "y"),
    )

    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.open_sites
    better = stages.next_site()
    assert better is not None
    assert better.key == key("b")
    assert stages.frontier.get(key("a")) is not None

    home = stages.next_link(key("b"))
    assert home is not None
    stages.read(key("b"), home, PageFindings())
    assert stages.next_link(key("b")) is None
    again = stages.next_site()

    assert again is not None
    assert again.key == key("a")
    assert sorted(read_next(stages, "a") for _ in range(2)) == ["x", "y"]


def test_homepage_is_read_before_a_site_can_be_left() -> None:
    stages = adaptive("a")
    read_home(stages, outward=links("b", "c"))
    stages.next_site()
    second = stages.next_site()
    assert second is not None
    stages.start([homepage("seed")])  # nothing is better

    assert stages.next_link(second.key) is not None


def test_page_that_was_under_way_counts_though_its_site_was_left() -> None:
    stages = adaptive("a")
    read_home(stages, inner=inner_links("a", "x", "y"))
    under_way = stages.next_link(key("a"))
    assert under_way is not None
    stages.start([homepage("b")])
    assert stages.next_link(key("a")) is None

    stages.read(key("a"), under_way, PageFindings(forms=1, rewards=1, outward=links("c")))

    assert stages.sites[key("a")] == DEEP
    assert key("a") in stages.good
    assert stages.frontier.get(key("c")) is not None


def test_site_off_topic_is_not_the_end_of_it() -> None:
    stages = adaptive("a")

    read_home(stages, on_topic=False, inner=inner_links("a", "x"), outward=links("b"))

    assert stages.sites[key("a")] == OFF_TOPIC
    assert stages.frontier.get(key("b")) is not None
    assert stages.open_sites[key("a")].explorer.best() is not None


def test_links_of_sites_off_topic_are_worth_less_once_that_was_learnt() -> None:
    stages = adaptive(*(f"s{n}" for n in range(40)), plan=FocusedLimits(criteria=StopCriteria(depth=1)))
    for number in range(40):
        on_topic = number % 2 == 0
        site = read_home(stages, on_topic=on_topic)
        stages.open_sites[key(site)].explorer.add(inner_links(site, "x"))
        lead = stages.open_sites[key(site)].explorer.next()
        assert lead is not None
        stages.read(key(site), lead, PageFindings(forms=int(on_topic), rewards=int(on_topic)))
    values = {}
    stages.start([homepage("on"), homepage("off")])
    for _ in range(2):
        candidate = stages.next_site()
        assert candidate is not None
        home = stages.next_link(candidate.key)
        assert home is not None
        site = candidate.key.removesuffix(".example")
        stages.read(candidate.key, home, PageFindings(inner=inner_links(site, "x"), on_topic=site == "on"))
        values[site] = stages.open_sites[candidate.key].explorer.best()

    assert values["on"] is not None
    assert values["off"] is not None
    assert values["on"] > values["off"]


def test_centre_pages_are_found_by_reverse_search_too() -> None:
    stages = adaptive("a", "b", "c", "d", linking=lambda site: [f"https://directory.example/{site}"])
    for _ in range(4):
        read_home(stages)
    page = None
    while page is None or page.kind == "site":
        page = stages.next_site()
        assert page is not None
    lead = stages.next_link(page.key)
    assert lead is not None

    stages.read(page.key, lead, PageFindings(outward=links("a", "b", "c", "new")))

    found = stages.frontier.get(key("new"))
    assert found is not None
    assert found.centre


def test_reverse_search_looks_up_sites_on_topic_without_forms_only_when_little_is_left() -> None:
    search = Search(pages=0)
    stages = adaptive("a", topic={"book"}, linking=search)
    read_home(stages, outward=links("x", anchor="books", around="a library of books"))
    read_home(stages, outward=links(*(f"n{n}" for n in range(3)), anchor="books"))

    stages.search_reverse()
    while_much_is_left = list(search.targets)
    stages.site_probit.take([("a:book", (-9.0, 0.1))])  # nothing is expected of those that wait
    stages.frontier.mark_outdated()
    stages.search_reverse()
    stages.search_reverse()

    assert while_much_is_left == [key("a")]
    assert search.targets == [key("a"), key("x")]


def test_reverse_search_looks_up_sites_on_topic_without_forms_when_nothing_is_left() -> None:
    search = Search(pages=0)
    stages = adaptive("a", linking=search)
    read_home(stages, outward=links("on", "off", "missing", "good"))
    found = {
        "on": PageFindings(),
        "off": PageFindings(on_topic=False),
        "missing": PageFindings(is_missing=True),
        "good": PageFindings(forms=1, rewards=1),
    }
    read_all(stages, found.__getitem__)

    for _ in range(9):
        stages.search_reverse()

    assert search.targets[0] == key("a")
    assert sorted(search.targets) == [key("a"), key("good"), key("on")]


def test_site_without_forms_that_became_a_good_one_is_looked_up_once() -> None:
    search = Search(pages=0)
    stages = adaptive("a", linking=search)
    read_home(stages, outward=links("b"))
    read_home(stages, inner=inner_links("b", "1"))
    read_next(stages, "b", forms=1, rewards=1)

    for _ in range(9):
        stages.search_reverse()

    assert search.targets == [key("a"), key("b")]


def test_page_that_stood_further_up_comes_first_once_that_was_learnt() -> None:
    stages = adaptive()
    for _ in range(20):
        stages.page_probit.learn(("page:1", "place:0"), True)
        stages.page_probit.learn(("page:1", "place:4"), False)
    stages.add_linking_pages([f"https://directory{n}.example/books" for n in range(5)])

    pages = [page for _ in range(10) if (page := stages.next_site()) and page.kind == "centre"]

    assert sorted(page.place for page in pages) == list(range(5))
    assert (pages[0].place, pages[-1].place) == (0, 4)


@pytest.mark.parametrize("held", [1, 5, 1000])
def test_waiting_sites_are_judged_by_what_was_learnt_since_they_were_found(held: int) -> None:
    names = [f"s{n}" for n in range(60)]
    stages = adaptive(*names, held=held)
    read_home(stages, outward=[*links("g", anchor="antique maps"), *links("b", anchor="casino games")])
    candidates = {name: stages.frontier.get(key(name)) for name in "gb"}
    ranks = {name: stages.judge(each) for name, each in candidates.items() if each}
    before = {name: rank() for name, rank in ranks.items()}

    for _ in range(50):
        stages.site_probit.learn(("a:antiqu", "a:map"), True)
        stages.site_probit.learn(("a:casino", "a:game"), False)
    read_home(stages)  # it is time to judge again
    order = waiting(stages)

    assert before["g"] == pytest.approx(before["b"])
    assert ranks["g"]() > before["g"]
    assert ranks["b"]() < before["b"]
    assert order[-2:] == ["g", "b"]


def test_adaptive_crawl_without_criteria_reads_every_page_that_can_be_reached() -> None:
    web = a_web(Random(3))
    plan = FocusedLimits(criteria=StopCriteria(depth=3, pages=0, forms=0, formless=0, formless_in_all=0))
    reached, left = {homepage("s0")}, [homepage("s0")]
    while left:
        found = web[left.pop()]
        targets = {lead.url for lead in found.inner} | {link.url for link in found.outward}
        left += targets - reached
        reached |= targets

    urls = crawl_all(adaptive("s0", plan=plan), web)

    assert set(urls) == reached
