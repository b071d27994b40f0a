from __future__ import annotations

from math import log
from random import Random

import pytest
from focused_stages import (
    Search,
    homepage,
    inner_links,
    is_high,
    key,
    links,
    read_all,
    read_home,
    read_next,
    smart,
    waiting,
)

from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.link_index import MemoryLinkIndex
from hiddenweb.focused.locating.candidates import MemorySiteCandidates
from hiddenweb.focused.smartcrawler import SmartCrawler
from hiddenweb.focused.stages import DEEP, OFF_TOPIC, ON_TOPIC, FocusedLimits, PageFindings
from hiddenweb.frontier.stopping import StopCriteria


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
    read_home(stages, outward=links("b", "c"), inner=inner_links("a", "find"))
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
        read_home(stages, forms=2, rewards=2, outward=links("x", "x"), inner=inner_links("a", "1", "2"))
    read_home(stages, outward=links("x"))
    for site in list(stages.open_sites):
        if stages.open_sites[site].forms:
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


def test_site_off_topic_is_left_at_its_homepage_with_all_its_links() -> None:
    stages = smart("a")

    read_home(stages, on_topic=False, outward=links("b"), inner=inner_links("a", "x"))

    assert stages.sites[key("a")] == OFF_TOPIC
    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.open_sites
    assert stages.frontier.get(key("b")) is None
    assert stages.next_site() is None


def test_pages_below_the_homepage_are_not_judged() -> None:
    stages = smart("a")
    read_home(stages, inner=inner_links("a", "x", "y"))

    read_next(stages, "a", on_topic=False, outward=links("b"))

    assert stages.sites[key("a")] == ON_TOPIC
    assert stages.frontier.get(key("b")) is not None
    assert read_next(stages, "a") == "y"


@pytest.mark.parametrize("on_topic", [True, False])
def test_site_whose_homepage_is_missing_is_left_by_smartcrawler(on_topic: bool) -> None:
    stages = smart("a", "b")

    missed = read_home(stages, is_missing=True, on_topic=on_topic)
    explorer = stages.open_sites[key(missed)].explorer

    assert stages.sites[key(missed)] == OFF_TOPIC
    assert explorer.ended == "its homepage could not be read"
    assert stages.next_link(key(missed)) is None
    assert key(missed) not in stages.open_sites
    assert read_home(stages) != missed


def test_site_is_explored_until_a_criterion_ends_it() -> None:
    stages = smart("a", plan=FocusedLimits(criteria=StopCriteria(formless_in_all=3)))
    read_home(stages, inner=inner_links("a", "1", "2", "3", "4"))

    names = [read_next(stages, "a") for _ in range(2)]

    assert stages.next_link(key("a")) is None
    assert names == ["1", "2"]
    assert key("a") not in stages.open_sites


def test_links_of_one_depth_are_as_many_as_may_be_visited() -> None:
    stages = smart("a", plan=FocusedLimits(visits=3))
    read_home(stages, inner=inner_links("a", *(f"{n}" for n in range(10))))

    names = []
    while (lead := stages.next_link(key("a"))) is not None:
        stages.read(key("a"), lead, PageFindings())
        names.append(lead.anchor)

    assert len(names) == 3


def test_link_that_led_straight_to_a_form_teaches_what_links_are_good() -> None:
    stages = smart("a", plan=FocusedLimits(forms=1))
    read_home(stages, inner=inner_links("a", "catalogue", "imprint"))
    read_next(stages, "a", forms=1, rewards=1)
    stages.start([homepage("b")])

    read_home(stages, inner=inner_links("b", "hours", "catalogue", "imprint"))

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
    read_home(stages, forms=1, rewards=1, inner=inner_links("b", "x"))

    read_next(stages, "b", forms=1, rewards=1)

    assert dict(stages.site_learner.space.rows()) == {"anchor:book": 1}


def test_link_that_was_not_visited_after_all_is_taken_back() -> None:
    stages = smart("a")
    stages.next_site()
    lead = stages.next_link(key("a"))
    assert lead is not None

    stages.skip(key("a"), lead)

    assert stages.next_link(key("a")) is None
    assert key("a") not in stages.open_sites


def test_findings_of_a_site_that_is_not_open_are_ignored() -> None:
    stages = smart("a")

    stages.read(key("a"), LinkCandidate(homepage("a"), 0), PageFindings(forms=1, rewards=1))
    stages.skip(key("a"), LinkCandidate(homepage("a"), 0))

    assert stages.sites == {}


def test_site_that_ended_is_forgotten_when_its_last_page_was_not_visited_after_all() -> None:
    stages = smart("a", plan=FocusedLimits(criteria=StopCriteria(formless_in_all=2)))
    read_home(stages, inner=inner_links("a", "1", "2", "3"))
    pages = [lead for _ in range(3) if (lead := stages.next_link(key("a")))]
    stages.read(key("a"), pages[0], PageFindings())
    assert stages.next_link(key("a")) is None

    held = []
    for lead in pages[1:]:
        held.append(key("a") in stages.resting)
        stages.skip(key("a"), lead)

    assert held == [True, True]
    assert stages.resting == {}


def test_spaces_are_rebuilt_after_fifty_deep_sites() -> None:
    stages = smart(*(f"s{n}" for n in range(52)))

    versions, ranked = [], []
    for _ in range(51):
        before = stages.frontier.reranked
        read_home(stages, forms=1, rewards=1)
        versions.append(stages.site_learner.space.version)
        ranked.append(stages.frontier.reranked - before)

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
    stages.open_sites[key(site)].explorer.add(inner_links(site, "1"))
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
    stages.open_sites[key(opened)].explorer.add(inner_links(opened, "aaa", "bbb", "zebra"))
    first = read_next(stages, opened)
    stages.link_learner.learn(LinkCandidate(homepage("x"), 1, "zebra", language="en"))

    read_home(stages, rewards=1)

    assert first == "aaa"
    assert read_next(stages, opened) == "zebra"


def test_reverse_search_begins_at_the_start() -> None:
    search = Search()
    stages = smart(*(f"s{n}" for n in range(60)), linking=search)

    stages.next_site()
    stages.next_site()

    assert len(search.targets) == 1  # enough wait, so once is enough


def test_reverse_search_begins_when_few_wait() -> None:
    search = Search()
    stages = smart(*(f"s{n}" for n in range(8)), plan=FocusedLimits(few=5), linking=search)

    counts = []
    while stages.next_site():
        counts.append(len(search.targets))

    # one search at the start, when nine wait; from when four wait on, one for each choice, until all were looked up
    assert counts[:6] == [1, 1, 1, 1, 1, 2]
    assert sorted(search.targets) == sorted({key(f"s{n}") for n in range(8)})


def test_reverse_search_looks_up_seeds_and_deep_sites() -> None:
    search = Search(pages=0)
    stages = smart("seed", linking=search)
    read_home(stages, outward=links("deep", "other"))
    for _ in range(2):
        stages.next_site()
    for name, rewards in (("deep", 1), ("other", 0)):
        read_next(stages, name, rewards=rewards)

    for _ in range(5):
        stages.next_site()

    assert sorted(search.targets) == [key("deep"), key("seed")]


def test_pages_that_link_to_a_good_site_are_read_before_sites() -> None:
    stages = smart("a", linking=Search(pages=2))
    read_home(stages, rewards=1, outward=links("b", "c"))

    candidates = [stages.next_site() for _ in range(2)]

    assert [candidate.kind for candidate in candidates if candidate] == ["centre", "centre"]


@pytest.mark.parametrize(
    ("good_sites", "rewards", "is_centre"),
    [
        (0, 0, False),
        (2, 0, False),  # more than two it must be
        (3, 0, True),
        (0, 1, True),  # or a form on topic
    ],
)
def test_centre_page_names_good_sites_or_has_a_form_on_topic(
    good_sites: int, rewards: int, is_centre: bool
) -> None:
    stages = smart("s1", "s2", "s3", linking=lambda site: [f"https://directory.example/{site}"])
    named = links(*(f"s{n}" for n in range(1, good_sites + 1)), "s1", "new", "other", anchor="books")
    page = None
    while page is None or page.kind == "site":
        page = stages.next_site()
        assert page is not None
    lead = stages.next_link(page.key)
    assert lead is not None

    if not good_sites:
        named = named[1:]
    stages.read(page.key, lead, PageFindings(outward=named, language="en", rewards=rewards, forms=rewards))

    found = stages.frontier.get(key("new"))
    assert (found is not None) == is_centre
    if found is not None:
        assert found.centre
        assert found.bags["anchor"] == {"book": 1}
        assert is_high(stages, "new")
    assert stages.next_link(page.key) is None
    assert page.key not in stages.open_sites  # a single page, read once


def test_centre_page_is_read_once_whoever_it_links_to() -> None:
    stages = smart("a", "b", "c", linking=lambda _: ["https://directory.example/all"])

    opened = waiting(stages)

    assert sorted(opened) == ["a", "b", "c", "https://directory.example/all"]


def test_there_is_no_reverse_search_without_a_provider() -> None:
    stages = smart("a")

    assert waiting(stages) == ["a"]
    assert stages.searched == {"a.example"}


def test_without_ranks_sites_come_in_the_order_they_were_found() -> None:
    stages = smart("b", "a", ranked=False)
    read_home(stages, outward=links("z", "y"))
    read_home(stages, rewards=1, outward=links("x", anchor="books"))

    assert waiting(stages) == ["z", "y", "x"]


def test_without_ranks_links_come_in_the_order_they_were_found() -> None:
    stages = smart("a", ranked=False, plan=FocusedLimits(forms=1))
    read_home(stages, inner=inner_links("a", "z", "catalogue", "a", "b"))
    stages.link_learner.learn(LinkCandidate(homepage("x"), 1, "catalogue", language="en"))
    stages.link_learner.rebuild()

    assert [read_next(stages, "a") for _ in range(3)] == ["z", "catalogue", "a"]


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


def test_smartcrawler_never_looks_up_sites_without_forms() -> None:
    search = Search(pages=0)
    stages = smart("a", linking=search)
    read_home(stages, outward=links("b"))
    read_all(stages, lambda _: PageFindings())

    for _ in range(9):
        stages.search_reverse()

    assert search.targets == [key("a")]


def test_page_under_way_counts_though_a_criterion_ended_its_site() -> None:
    stages = SmartCrawler(
        MemorySiteCandidates(),
        MemoryLinkIndex(),
        Random(1),
        FocusedLimits(criteria=StopCriteria(formless_in_all=2)),
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
