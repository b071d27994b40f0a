from __future__ import annotations

from math import log
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from hiddenweb.focused import smartcrawler
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.locating.candidates import MemorySiteCandidates
from hiddenweb.focused.smartcrawler import (
    DEEP,
    OFF_TOPIC,
    ON_TOPIC,
    AdaptiveCrawler,
    FocusedLimits,
    MemoryLinkIndex,
    PageFindings,
    SiteMemory,
    SmartCrawler,
)
from hiddenweb.frontier.stopping import StopCriteria
from hiddenweb.model import Link
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Stages = SmartCrawler | AdaptiveCrawler


def smart(*seeds: str, plan: FocusedLimits | None = None, **options: Any) -> SmartCrawler:
    stages = SmartCrawler(
        MemorySiteCandidates(), MemoryLinkIndex(), Random(1), plan or FocusedLimits(), **options
    )
    stages.start(homepage(seed) for seed in seeds)
    return stages


def adaptive(*seeds: str, plan: FocusedLimits | None = None, **options: Any) -> AdaptiveCrawler:
    stages = AdaptiveCrawler(
        MemorySiteCandidates(), MemoryLinkIndex(), Random(1), plan or FocusedLimits(), **options
    )
    stages.start(homepage(seed) for seed in seeds)
    return stages


def homepage(name: str) -> str:
    return f"https://{name}.example/"


def key(name: str) -> str:
    return f"{name}.example"


def links(*names: str, anchor: str = "", around: str = "") -> list[Link]:
    return [Link(homepage(name), anchor, around) for name in names]


def leads(site: str, *names: str, depth: int = 1) -> list[LinkCandidate]:
    return [
        LinkCandidate(f"{homepage(site)}{name}", depth, name, language="en", parent=homepage(site))
        for name in names
    ]


def read_home(stages: Stages, **had: Any) -> str:
    """Open the next site and read its homepage; say what it is called."""
    candidate = stages.next_site()
    assert candidate is not None
    lead = stages.next_link(candidate.key)
    assert lead is not None
    stages.read(candidate.key, lead, PageFindings(language="en", **had))
    return candidate.key.removesuffix(".example")


def read_next(stages: Stages, site: str, **had: Any) -> str:
    """Read the next page of an open site; say what its link is called."""
    lead = stages.next_link(key(site))
    assert lead is not None
    stages.read(key(site), lead, PageFindings(language="en", **had))
    return lead.anchor


def waiting(stages: Stages) -> list[str]:
    """Open the sites that wait until there is none; say in which order they came."""
    names = []
    while candidate := stages.next_site():
        names.append(candidate.key.removesuffix(".example"))
    return names


def is_high(stages: Stages, name: str) -> bool:
    high = [candidate.key for candidate, _ in stages.frontier._waiting.best(1000)]
    assert stages.frontier.get(key(name)) is not None
    return key(name) in high


def read_all(stages: Stages, had: Callable[[str], PageFindings]) -> list[str]:
    """Open the sites that wait until there is none, and read their homepages; say in which order they came."""
    names = []
    while candidate := stages.next_site():
        lead = stages.next_link(candidate.key)
        if lead is not None:
            names.append(candidate.key.removesuffix(".example"))
            stages.read(candidate.key, lead, had(names[-1]))
    return names


# Stage one


def test_seeds_come_before_all_others() -> None:
    stages = smart("a")
    read_home(stages, rewards=1, forms=1, outward=links("b", "c", anchor="rare books"))

    stages.start([homepage("z")])

    assert waiting(stages)[0] == "z"


def test_seed_that_is_known_does_not_wait_twice() -> None:
    stages = smart("a", "b")
    read_home(stages)

    stages.start([homepage("a"), homepage("b"), homepage("b")])

    assert len(waiting(stages)) == 1


def test_every_site_is_opened_once_however_many_link_to_it() -> None:
    stages = smart("a")
    read_home(stages, outward=links("b", "c", "b"))
    read_home(stages, outward=links("a", "c", "b"))
    read_home(stages, outward=links("a", "b", "c"))

    assert stages.next_site() is None
    assert set(stages.sites) == {key("a"), key("b"), key("c")}


def test_sites_that_a_site_with_forms_links_to_go_high_and_those_of_others_low() -> None:
    stages = smart("a", "b")
    first = read_home(stages, rewards=1, forms=1, outward=links("of-deep"))
    second = read_home(stages, outward=links("of-other", anchor="rare books"))

    assert (stages.sites[key(first)], stages.sites[key(second)]) == (DEEP, ON_TOPIC)
    assert is_high(stages, "of-deep")
    assert not is_high(stages, "of-other")
    assert waiting(stages) == ["of-deep", "of-other"]


def test_low_sites_all_move_up_when_no_high_site_is_left() -> None:
    stages = smart("a")
    read_home(stages, outward=links("b", "c"))
    opened = read_home(stages, rewards=1, forms=1, outward=links("d"))

    other = "c" if opened == "b" else "b"

    assert is_high(stages, other)
    assert is_high(stages, "d")
    assert waiting(stages) == ["d", other]  # d is linked by a deep site


def test_search_forms_that_are_off_topic_do_not_make_a_site_deep() -> None:
    stages = smart("a")

    read_home(stages, forms=3, rewards=0, outward=links("b"))

    assert stages.sites[key("a")] == ON_TOPIC
    assert not is_high(stages, "b")


def test_sites_that_a_site_linked_to_before_it_gave_a_form_profit_from_it() -> None:
    stages = smart("a")
    read_home(stages, outward=links("b", "c"), leads=leads("a", "find"))
    before = is_high(stages, "b")

    read_next(stages, "a", forms=1, rewards=1, outward=links("c", "d"))

    assert not before
    for name in ("b", "c", "d"):
        candidate = stages.frontier.get(key(name))
        assert candidate is not None
        assert (candidate.deep_links, candidate.source, is_high(stages, name)) == (1, DEEP, True)


def test_deep_sites_that_link_to_a_site_count_once_each() -> None:
    stages = smart("a", "b", "c")
    for _ in range(2):
        read_home(stages, forms=2, rewards=2, outward=links("x", "x"), leads=leads("a", "1", "2"))
    read_home(stages, outward=links("x"))
    for site in list(stages.opened):
        if stages.opened[site].forms:
            read_next(stages, site.removesuffix(".example"), forms=1, rewards=1, outward=links("x"))

    candidate = stages.frontier.get(key("x"))

    assert candidate is not None
    assert candidate.deep_links == 2
    assert stages.judge(candidate)() == pytest.approx(0.3 * log(3))


def test_site_is_judged_by_what_the_links_to_it_say() -> None:
    stages = smart("a", plan=FocusedLimits(deep_sites=1))
    read_home(stages, outward=links("b", anchor="rare books"))
    read_home(stages, forms=1, rewards=1, outward=[*links("c", anchor="films"), *links("d", anchor="books")])

    assert waiting(stages) == ["d", "c"]


# An off-topic homepage


def test_site_off_topic_is_left_at_its_homepage_with_all_its_links() -> None:
    stages = smart("a")

    read_home(stages, on_topic=False, outward=links("b"), leads=leads("a", "x"))

    assert stages.sites[key("a")] == OFF_TOPIC
    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.opened
    assert stages.frontier.get(key("b")) is None
    assert stages.next_site() is None


def test_pages_below_the_homepage_are_not_judged() -> None:
    stages = smart("a")
    read_home(stages, leads=leads("a", "x", "y"))

    read_next(stages, "a", on_topic=False, outward=links("b"))

    assert stages.sites[key("a")] == ON_TOPIC
    assert stages.frontier.get(key("b")) is not None
    assert read_next(stages, "a") == "y"


# A homepage that is not there


@pytest.mark.parametrize("on_topic", [True, False])
def test_site_whose_homepage_is_missing_is_left_by_smartcrawler(on_topic: bool) -> None:
    stages = smart("a", "b")

    missed = read_home(stages, is_missing=True, on_topic=on_topic)
    explorer = stages.opened[key(missed)].explorer

    assert stages.sites[key(missed)] == OFF_TOPIC
    assert explorer.ended == "its homepage could not be read"
    assert stages.next_link(key(missed)) is None
    assert key(missed) not in stages.opened
    assert read_home(stages) != missed


@pytest.mark.parametrize("on_topic", [True, False])
def test_site_whose_homepage_is_missing_is_not_on_topic_to_an_adaptive_crawl(on_topic: bool) -> None:
    stages = adaptive("a")

    read_home(stages, is_missing=True, on_topic=on_topic)

    assert stages.sites[key("a")] == OFF_TOPIC
    assert stages.opened[key("a")].explorer.site == ("on:0",)
    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.opened


@pytest.mark.parametrize("make", [smart, adaptive])
def test_missing_page_below_the_homepage_changes_nothing_about_its_site(make: Callable[..., Stages]) -> None:
    stages = make("a")
    read_home(stages, leads=leads("a", "1", "2"))

    read_next(stages, "a", is_missing=True)

    assert stages.sites[key("a")] == ON_TOPIC
    assert stages.opened[key("a")].explorer.progress.to_json() == [[0, 1, 0, 1], [1, 1, 0, 1]]
    assert stages.next_link(key("a")) is not None


# Stage two


def test_site_is_explored_until_a_criterion_ends_it() -> None:
    stages = smart("a", plan=FocusedLimits(criteria=StopCriteria(barren_in_all=3)))
    read_home(stages, leads=leads("a", "1", "2", "3", "4"))

    names = [read_next(stages, "a") for _ in range(2)]

    assert stages.next_link(key("a")) is None
    assert names == ["1", "2"]
    assert key("a") not in stages.opened


def test_links_of_one_depth_are_as_many_as_may_be_visited() -> None:
    stages = smart("a", plan=FocusedLimits(visits=3))
    read_home(stages, leads=leads("a", *(f"{n}" for n in range(10))))

    names = []
    while (lead := stages.next_link(key("a"))) is not None:
        stages.read(key("a"), lead, PageFindings())
        names.append(lead.anchor)

    assert len(names) == 3


def test_link_that_led_straight_to_a_form_teaches_what_links_are_good() -> None:
    stages = smart("a", plan=FocusedLimits(forms=1))
    read_home(stages, leads=leads("a", "catalogue", "imprint"))
    read_next(stages, "a", forms=1, rewards=1)
    stages.start([homepage("b")])

    read_home(stages, leads=leads("b", "hours", "catalogue", "imprint"))

    assert read_next(stages, "b") == "catalogue"


def test_homepage_with_a_form_teaches_nothing_about_links() -> None:
    stages = smart()
    stages.start(["https://rare-books.example/catalogue/search"])

    read_home(stages, forms=1, rewards=1)

    assert list(stages.link_learner.space.rows()) == []
    assert dict(stages.site_learner.space.rows()) == {"url:rare": 1, "url:book": 1}


def test_deep_site_teaches_once_what_sites_are_good() -> None:
    stages = smart("a")
    read_home(stages, outward=links("b", anchor="books"))
    read_home(stages, forms=1, rewards=1, leads=leads("b", "x"))

    read_next(stages, "b", forms=1, rewards=1)

    assert dict(stages.site_learner.space.rows()) == {"anchor:book": 1}


def test_link_that_was_not_visited_after_all_is_taken_back() -> None:
    stages = smart("a")
    stages.next_site()
    lead = stages.next_link(key("a"))
    assert lead is not None

    stages.skip(key("a"), lead)

    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.opened


def test_what_is_told_of_a_site_that_is_not_open_is_ignored() -> None:
    stages = smart("a")

    stages.read(key("a"), LinkCandidate(homepage("a"), 0), PageFindings(forms=1, rewards=1))
    stages.skip(key("a"), LinkCandidate(homepage("a"), 0))

    assert stages.sites == {}


def test_site_that_ended_is_forgotten_when_its_last_page_was_not_visited_after_all() -> None:
    stages = smart("a", plan=FocusedLimits(criteria=StopCriteria(barren_in_all=2)))
    read_home(stages, leads=leads("a", "1", "2", "3"))
    pages = [lead for _ in range(3) if (lead := stages.next_link(key("a")))]
    stages.read(key("a"), pages[0], PageFindings())
    assert stages.next_link(key("a")) is None

    held = []
    for lead in pages[1:]:
        held.append(key("a") in stages.resting)
        stages.skip(key("a"), lead)

    assert held == [True, True]
    assert stages.resting == {}


def test_site_that_rests_is_not_forgotten_when_a_page_was_not_visited_after_all() -> None:
    stages = adaptive("a")
    read_home(stages, leads=leads("a", "x", "y"))
    under_way = stages.next_link(key("a"))
    assert under_way is not None
    stages.start([homepage("b")])
    assert stages.next_link(key("a")) is None

    stages.skip(key("a"), under_way)

    assert key("a") in stages.resting
    assert waiting(stages) == ["b", "a"]
    assert read_next(stages, "a") == {"x": "y", "y": "x"}[under_way.anchor]


# Learning


def test_spaces_are_rebuilt_after_fifty_deep_sites() -> None:
    stages = smart(*(f"s{n}" for n in range(52)))

    versions, ranked = [], []
    for _ in range(51):
        before = stages.frontier.ranked_again
        read_home(stages, forms=1, rewards=1)
        versions.append(stages.site_learner.space.version)
        ranked.append(stages.frontier.ranked_again - before)

    assert versions == [0] * 49 + [1, 1]
    assert stages.link_learner.space.version == 1
    assert ranked == [52, *[0] * 49, 2]  # those that wait: at the start, and when the spaces were rebuilt


def test_spaces_are_rebuilt_after_a_hundred_forms() -> None:
    stages = smart(*(f"s{n}" for n in range(5)))

    versions = []
    for forms in (60, 39, 1, 99, 1):
        read_home(stages, forms=forms, rewards=forms)
        versions.append(stages.site_learner.space.version)

    assert versions == [0, 0, 1, 1, 2]


def test_sites_without_forms_on_topic_do_not_count_towards_rebuilding() -> None:
    stages = smart(*(f"s{n}" for n in range(10)), plan=FocusedLimits(deep_sites=2, forms=100))

    for _ in range(9):
        read_home(stages, forms=20)
    site = read_home(stages, forms=5, rewards=5)
    stages.opened[key(site)].explorer.add(leads(site, "1"))
    read_next(stages, site, forms=5, rewards=5)  # the same deep site again

    assert stages.site_learner.space.version == 0


def test_what_waits_is_ranked_again_when_the_spaces_are_rebuilt() -> None:
    stages = smart("a", "b", plan=FocusedLimits(deep_sites=2))
    read_home(stages, rewards=1, outward=[*links("c", anchor="books"), *links("d", anchor="films")])
    stages.site_learner.space.learn({"anchor": {"film": 5}})

    read_home(stages, rewards=1)

    assert waiting(stages) == ["d", "c"]


def test_open_sites_are_ranked_again_when_the_spaces_are_rebuilt() -> None:
    stages = smart("a", "b", plan=FocusedLimits(deep_sites=2))
    opened = read_home(stages, rewards=1)
    stages.opened[key(opened)].explorer.add(leads(opened, "aaa", "bbb", "zebra"))
    first = read_next(stages, opened)
    stages.link_learner.learn(LinkCandidate(homepage("x"), 1, "zebra", language="en"))

    read_home(stages, rewards=1)

    assert first == "aaa"
    assert read_next(stages, opened) == "zebra"


# Reverse search


class Search:
    """A reverse search that answers with pages of a directory, and remembers what it was asked."""

    def __init__(self, pages: int = 1) -> None:
        self.asked: list[str] = []
        self._pages = pages

    def __call__(self, site: str) -> Iterable[str]:
        self.asked.append(site)
        return [f"https://directory.example/{site}/{number}" for number in range(self._pages)]


def test_reverse_search_begins_at_the_start() -> None:
    search = Search()
    stages = smart(*(f"s{n}" for n in range(60)), linking=search)

    stages.next_site()
    stages.next_site()

    assert len(search.asked) == 1  # enough wait, so once is enough


def test_reverse_search_begins_when_few_wait() -> None:
    search = Search()
    stages = smart(*(f"s{n}" for n in range(8)), plan=FocusedLimits(few=5), linking=search)

    asked = []
    while stages.next_site():
        asked.append(len(search.asked))

    # one question at the start, for nine wait then; from when four wait on, one for each choice, until all were asked
    assert asked[:6] == [1, 1, 1, 1, 1, 2]
    assert sorted(search.asked) == sorted({key(f"s{n}") for n in range(8)})


def test_reverse_search_is_about_seeds_and_deep_sites() -> None:
    search = Search(pages=0)
    stages = smart("seed", linking=search)
    read_home(stages, outward=links("deep", "other"))
    for _ in range(2):
        stages.next_site()
    for name, rewards in (("deep", 1), ("other", 0)):
        read_next(stages, name, rewards=rewards)

    for _ in range(5):
        stages.next_site()

    assert sorted(search.asked) == [key("deep"), key("seed")]


def test_pages_that_link_to_a_good_site_are_read_before_sites() -> None:
    stages = smart("a", linking=Search(pages=2))
    read_home(stages, rewards=1, outward=links("b", "c"))

    candidates = [stages.next_site() for _ in range(2)]

    assert [candidate.kind for candidate in candidates if candidate] == ["centre", "centre"]


@pytest.mark.parametrize(
    ("known", "rewards", "is_centre"),
    [
        (0, 0, False),
        (2, 0, False),  # more than two it must be
        (3, 0, True),
        (0, 1, True),  # or a form on topic
    ],
)
def test_centre_page_names_good_sites_or_has_a_form_on_topic(
    known: int, rewards: int, is_centre: bool
) -> None:
    stages = smart("s1", "s2", "s3", linking=lambda site: [f"https://directory.example/{site}"])
    named = links(*(f"s{n}" for n in range(1, known + 1)), "s1", "new", "other", anchor="books")
    page = None
    while page is None or page.kind == "site":
        page = stages.next_site()
        assert page is not None
    lead = stages.next_link(page.key)
    assert lead is not None

    if not known:
        named = named[1:]
    stages.read(page.key, lead, PageFindings(outward=named, language="en", rewards=rewards, forms=rewards))

    found = stages.frontier.get(key("new"))
    assert (found is not None) == is_centre
    if found is not None:
        assert found.centre
        assert found.bags["anchor"] == {"book": 1}
        assert is_high(stages, "new")
    assert stages.next_link(page.key) is None
    assert page.key not in stages.opened  # a single page, read once


def test_centre_page_is_read_once_whoever_it_links_to() -> None:
    stages = smart("a", "b", "c", linking=lambda _: ["https://directory.example/all"])

    opened = waiting(stages)

    assert sorted(opened) == ["a", "b", "c", "https://directory.example/all"]


def test_there_is_no_reverse_search_where_nobody_can_be_asked() -> None:
    stages = smart("a")

    assert waiting(stages) == ["a"]
    assert stages.asked == {"a.example"}


@pytest.mark.parametrize("make", [smart, adaptive])
def test_reverse_search_is_about_every_good_site_once(make: Callable[..., Stages]) -> None:
    search = Search(pages=0)
    stages = make("s0", "s1", "s2", plan=FocusedLimits(few=1000), linking=search)
    good = {f"s{n}" for n in range(30) if n % 3 == 0} | {"s1", "s2"}

    def had(name: str) -> PageFindings:
        number = int(name[1:])
        gave = int(number % 3 == 0)
        return PageFindings(
            outward=links(*(f"s{number + n}" for n in (2, 3) if number + n < 30)), forms=gave, rewards=gave
        )

    read_all(stages, had)
    stages.start([homepage(name) for name in good])
    for _ in range(40):
        stages.search_back()

    assert set(search.asked) >= {key(name) for name in good}
    assert len(search.asked) == len(set(search.asked))
    assert set(search.asked) == stages.asked
    if make is smart:
        assert set(search.asked) == {key(name) for name in good}


@pytest.mark.parametrize("make", [smart, adaptive])
def test_reverse_search_is_not_about_sites_that_it_was_about_before(make: Callable[..., Stages]) -> None:
    search = Search(pages=0)
    stages = make(linking=search)
    stages.asked.update((key("a"), key("c")))  # by an earlier crawl

    stages.start([homepage(name) for name in "abc"])
    stages.know_good(key("c"))
    stages.know_good(key("b"))
    for _ in range(5):
        stages.search_back()

    assert search.asked == [key("b")]
    assert list(stages.good) == [key("a"), key("b"), key("c")]


def test_site_that_gives_a_second_form_is_not_asked_about_again() -> None:
    search = Search(pages=0)
    stages = adaptive("a", linking=search)
    read_home(stages, forms=1, rewards=1, leads=leads("a", "1"))
    read_next(stages, "a", forms=1, rewards=1)

    for _ in range(3):
        stages.next_site()

    assert search.asked == [key("a")]


# SCDI


def test_without_ranks_sites_come_as_they_were_found() -> None:
    stages = smart("b", "a", ranked=False)
    read_home(stages, outward=links("z", "y"))
    read_home(stages, rewards=1, outward=links("x", anchor="books"))

    assert waiting(stages) == ["z", "y", "x"]


def test_without_ranks_links_come_as_they_were_found() -> None:
    stages = smart("a", ranked=False, plan=FocusedLimits(forms=1))
    read_home(stages, leads=leads("a", "z", "catalogue", "a", "b"))
    stages.link_learner.learn(LinkCandidate(homepage("x"), 1, "catalogue", language="en"))
    stages.link_learner.rebuild()

    assert [read_next(stages, "a") for _ in range(3)] == ["z", "catalogue", "a"]


# Redirects


def test_site_that_a_seed_redirects_to_is_as_good_as_a_seed() -> None:
    stages = smart("a", "b", "c")
    first = stages.next_site()
    assert first is not None

    stages.move(first.key, homepage("moved"))

    candidate = stages.frontier.get(key("moved"))
    assert candidate is not None
    assert (candidate.seed, candidate.via, is_high(stages, "moved")) == (True, first.url, True)


def test_only_seeds_may_lead_elsewhere_when_no_other_sites_are_wanted() -> None:
    stages = smart("a")
    read_home(stages, outward=links("b"))
    stages.next_site()

    stages.move(key("b"), homepage("other"), seeds_only=True)
    stages.move(key("a"), homepage("moved"), seeds_only=True)

    assert stages.frontier.get(key("other")) is None
    assert stages.frontier.get(key("moved")) is not None


# Adaptive


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


def test_site_is_left_for_something_better_and_taken_up_again() -> None:
    stages = adaptive("a", topic={"book"})
    read_home(
        stages,
        on_topic=False,
        outward=links("b", anchor="Rare books", around="a library of books"),
        leads=leads("a", "x", "y"),
    )

    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.opened
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
    read_home(stages, leads=leads("a", "x", "y"))
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

    read_home(stages, on_topic=False, leads=leads("a", "x"), outward=links("b"))

    assert stages.sites[key("a")] == OFF_TOPIC
    assert stages.frontier.get(key("b")) is not None
    assert stages.opened[key("a")].explorer.best() is not None


def test_links_of_sites_off_topic_are_worth_less_once_that_was_learnt() -> None:
    stages = adaptive(*(f"s{n}" for n in range(40)), plan=FocusedLimits(criteria=StopCriteria(depth=1)))
    for number in range(40):
        on_topic = number % 2 == 0
        site = read_home(stages, on_topic=on_topic)
        stages.opened[key(site)].explorer.add(leads(site, "x"))
        lead = stages.opened[key(site)].explorer.next()
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
        stages.read(candidate.key, home, PageFindings(leads=leads(site, "x"), on_topic=site == "on"))
        values[site] = stages.opened[candidate.key].explorer.best()

    assert values["on"] is not None
    assert values["off"] is not None
    assert values["on"] > values["off"]


def test_sites_that_rest_are_read_again_when_memory_holds_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(smartcrawler, "MOST_RESTING", 0)
    asked = []

    def remember(site: str) -> SiteMemory:
        asked.append(site)
        return SiteMemory(
            [[0, 1, 1, 0]], 0, ("on:1",), 1, leads("a", "y"), [(LinkCandidate(homepage("a"), 0), True)]
        )

    stages = adaptive("a", remember=remember)
    read_home(stages, forms=1, rewards=1, leads=leads("a", "x", "y"))
    stages.start([homepage("b")])
    assert stages.next_link(key("a")) is None
    assert len(stages.resting) == 0
    read_home(stages)

    again = stages.next_site()

    assert again is not None
    assert asked == [again.key] == [key("a")]
    opened = stages.opened[key("a")]
    assert (opened.forms, opened.explorer.progress.pages, opened.explorer.site) == (1, 1, ("on:1",))
    assert read_next(stages, "a") == "y"


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


def test_reverse_search_is_about_sites_on_topic_without_forms_only_when_little_is_left() -> None:
    search = Search(pages=0)
    stages = adaptive("a", topic={"book"}, linking=search)
    read_home(stages, outward=links("x", anchor="books", around="a library of books"))
    read_home(stages, outward=links(*(f"n{n}" for n in range(3)), anchor="books"))

    stages.search_back()
    while_much_is_left = list(search.asked)
    stages.site_odds.take([("a:book", (-9.0, 0.1))])  # nothing is expected of those that wait
    stages.frontier.learnt()
    stages.search_back()
    stages.search_back()

    assert while_much_is_left == [key("a")]
    assert search.asked == [key("a"), key("x")]


def test_reverse_search_is_about_sites_on_topic_without_forms_when_nothing_is_left() -> None:
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
        stages.search_back()

    assert search.asked[0] == key("a")
    assert sorted(search.asked) == [key("a"), key("good"), key("on")]


def test_site_without_forms_that_became_a_good_one_is_asked_about_once() -> None:
    search = Search(pages=0)
    stages = adaptive("a", linking=search)
    read_home(stages, outward=links("b"))
    read_home(stages, leads=leads("b", "1"))
    read_next(stages, "b", forms=1, rewards=1)

    for _ in range(9):
        stages.search_back()

    assert search.asked == [key("a"), key("b")]


def test_smartcrawler_never_asks_about_sites_without_forms() -> None:
    search = Search(pages=0)
    stages = smart("a", linking=search)
    read_home(stages, outward=links("b"))
    read_all(stages, lambda _: PageFindings())

    for _ in range(9):
        stages.search_back()

    assert search.asked == [key("a")]


@pytest.mark.parametrize("make", [smart, adaptive])
def test_answers_of_engines_come_first(make: Callable[..., Stages]) -> None:
    stages = make("a")
    read_home(stages, forms=1, rewards=1, outward=links("b", "c", anchor="rare books"))
    if make is adaptive:  # where pages that may name sites have to be worth it
        stages.meet_pages(["https://directory.example/books"])

    stages.ask_engine("https://engine.example/?q=link:a.example")
    stages.ask_engine("https://engine.example/?q=link:a.example")
    first, second = stages.next_site(), stages.next_site()

    assert first is not None
    assert second is not None
    assert (first.kind, first.key) == ("engine", "https://engine.example/?q=link:a.example")
    assert second.kind != "engine"
    stages.ask_engine("https://engine.example/?q=link:a.example")
    assert "engine" not in {each.kind for _ in range(9) if (each := stages.next_site())}


def test_page_that_stood_further_up_comes_first_once_that_was_learnt() -> None:
    stages = adaptive()
    for _ in range(20):
        stages.page_odds.learn(("page:1", "place:0"), True)
        stages.page_odds.learn(("page:1", "place:4"), False)
    stages.meet_pages([f"https://directory{n}.example/books" for n in range(5)])

    pages = [page for _ in range(10) if (page := stages.next_site()) and page.kind == "centre"]

    assert sorted(page.place for page in pages) == list(range(5))
    assert (pages[0].place, pages[-1].place) == (0, 4)


@pytest.mark.parametrize("held", [1, 5, 1000])
def test_sites_that_wait_are_judged_by_what_was_learnt_since_they_were_met(held: int) -> None:
    names = [f"s{n}" for n in range(60)]
    stages = adaptive(*names, held=held)
    read_home(stages, outward=[*links("g", anchor="antique maps"), *links("b", anchor="casino games")])
    candidates = {name: stages.frontier.get(key(name)) for name in "gb"}
    ranks = {name: stages.judge(each) for name, each in candidates.items() if each}
    before = {name: rank() for name, rank in ranks.items()}

    for _ in range(50):
        stages.site_odds.learn(("a:antiqu", "a:map"), True)
        stages.site_odds.learn(("a:casino", "a:game"), False)
    read_home(stages)  # it is time to judge again
    order = waiting(stages)

    assert before["g"] == pytest.approx(before["b"])
    assert ranks["g"]() > before["g"]
    assert ranks["b"]() < before["b"]
    assert order[-2:] == ["g", "b"]


# Both, from the first page to the last


def a_web(rng: Random) -> dict[str, PageFindings]:
    """A web of sites that link to each other; every address that is linked to has a page."""
    names = [f"s{n}" for n in range(12)]
    web: dict[str, PageFindings] = {}
    for name in names:
        level = [homepage(name)]
        for depth in range(1, 5):
            below: list[str] = []
            for page in level:
                inside = [f"{len(web)}-{number}" for number in range(rng.randrange(1, 4) if depth < 4 else 0)]
                found = leads(name, *inside, depth=depth)
                below += [lead.url for lead in found]
                gave = int(rng.random() < 0.2)
                web[page] = PageFindings(
                    found,
                    links(*rng.sample(names, 2)),
                    forms=gave,
                    rewards=gave,
                    on_topic=rng.random() < 0.9,
                )
            level = below
    return web


def crawled(stages: Stages, web: dict[str, PageFindings]) -> list[str]:
    """Read page by page until nothing is left, as a simulation does."""
    urls: list[str] = []
    while candidate := stages.next_site():
        while candidate.key in stages.opened:
            lead = stages.next_link(candidate.key)
            if lead is not None:
                assert len(urls) < 10_000
                urls.append(lead.url)
                stages.read(candidate.key, lead, web.get(lead.url, PageFindings()))
    return urls


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("held", [1, 3, 500])
@pytest.mark.parametrize("make", [smart, adaptive])
def test_crawl_reads_no_page_twice_and_ends(make: Callable[..., Stages], held: int, seed: int) -> None:
    web = a_web(Random(seed))

    urls = crawled(make("s0", "s1", held=held), web)

    assert len(urls) == len(set(urls))
    assert set(urls) <= set(web)
    assert {registered_domain(url) for url in urls} == {key(f"s{n}") for n in range(12)} or make is smart


@pytest.mark.parametrize("make", [smart, adaptive])
def test_same_crawl_twice_takes_the_same_way(make: Callable[..., Stages]) -> None:
    web = a_web(Random(7))
    search = Search(pages=2)

    assert crawled(make("s0", "s1", linking=search), web) == crawled(make("s0", "s1", linking=search), web)


def test_adaptive_crawl_without_criteria_reads_every_page_that_can_be_reached() -> None:
    web = a_web(Random(3))
    plan = FocusedLimits(criteria=StopCriteria(depth=3, pages=0, forms=0, barren=0, barren_in_all=0))
    reached, left = {homepage("s0")}, [homepage("s0")]
    while left:
        found = web[left.pop()]
        targets = {lead.url for lead in found.leads} | {link.url for link in found.outward}
        left += targets - reached
        reached |= targets

    urls = crawled(adaptive("s0", plan=plan), web)

    assert set(urls) == reached


def test_adaptive_crawl_finds_forms_sooner_than_in_the_order_of_links() -> None:
    def web_of(number: int) -> dict[str, PageFindings]:
        """Sites that have a form behind the link called search, among many links without."""
        web = {}
        for n in range(number):
            names = [f"p{n}" for n in range(9)]
            names.insert(n % 10, "search")
            nexts = [*links(f"s{2 * n + 1}", anchor="books"), *links(f"s{2 * n + 2}", anchor="books")]
            web[homepage(f"s{n}")] = PageFindings(leads(f"s{n}", *names), nexts, "en")
            web[f"{homepage(f's{n}')}search"] = PageFindings(forms=1, rewards=1)
        return web

    web = web_of(60)
    taken = {
        make: sum(web.get(url, PageFindings()).rewards for url in crawled(make("s0"), web)[:200])
        for make in (smart, adaptive)
    }

    assert taken[adaptive] > 1.5 * taken[smart]
    assert taken[adaptive] > 40


def test_page_under_way_counts_though_a_criterion_ended_its_site() -> None:
    stages = SmartCrawler(
        MemorySiteCandidates(),
        MemoryLinkIndex(),
        Random(1),
        FocusedLimits(criteria=StopCriteria(barren_in_all=2)),
    )
    stages.start(["https://a.example/"])
    stages.next_site()
    home = stages.next_link("a.example")
    assert home is not None
    stages.read(
        "a.example", home, PageFindings([LinkCandidate(f"https://a.example/{n}", 1) for n in range(3)])
    )
    one, other = stages.next_link("a.example"), stages.next_link("a.example")
    assert one is not None
    assert other is not None
    stages.read("a.example", one, PageFindings())
    assert stages.next_link("a.example") is None

    stages.read("a.example", other, PageFindings(forms=1, rewards=1))

    assert stages.sites["a.example"] == DEEP
