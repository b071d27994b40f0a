from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.focused import adaptive as adaptive_module
from hiddenweb.focused.exploring.link_candidate import LinkCandidate
from hiddenweb.focused.stages import ON_TOPIC, FocusedLimits, PageFindings, SiteMemory
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from collections.abc import Callable

    from focused_stages import Stages
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
    smart,
)


@pytest.mark.parametrize("make", [smart, adaptive])
def test_missing_page_below_the_homepage_changes_nothing_about_its_site(make: Callable[..., Stages]) -> None:
    stages = make("a")
    read_home(stages, inner=inner_links("a", "1", "2"))

    read_next(stages, "a", is_missing=True)

    assert stages.sites[key("a")] == ON_TOPIC
    assert stages.open_sites[key("a")].explorer.progress.to_json() == [[0, 1, 0, 1], [1, 1, 0, 1]]
    assert stages.next_link(key("a")) is not None


@pytest.mark.parametrize("make", [smart, adaptive])
def test_reverse_search_looks_up_every_good_site_once(make: Callable[..., Stages]) -> None:
    search = Search(pages=0)
    stages = make("s0", "s1", "s2", plan=FocusedLimits(few=1000), linking=search)
    good = {f"s{n}" for n in range(30) if n % 3 == 0} | {"s1", "s2"}

    def findings_of(name: str) -> PageFindings:
        number = int(name[1:])
        forms = int(number % 3 == 0)
        return PageFindings(
            outward=links(*(f"s{number + n}" for n in (2, 3) if number + n < 30)), forms=forms, rewards=forms
        )

    read_all(stages, findings_of)
    stages.start([homepage(name) for name in good])
    for _ in range(40):
        stages.search_reverse()

    assert set(search.targets) >= {key(name) for name in good}
    assert len(search.targets) == len(set(search.targets))
    assert set(search.targets) == stages.searched
    if make is smart:
        assert set(search.targets) == {key(name) for name in good}


@pytest.mark.parametrize("make", [smart, adaptive])
def test_reverse_search_looks_up_no_site_of_an_earlier_crawl_again(make: Callable[..., Stages]) -> None:
    search = Search(pages=0)
    stages = make(linking=search)
    stages.searched.update((key("a"), key("c")))  # by an earlier crawl

    stages.start([homepage(name) for name in "abc"])
    stages.add_good_site(key("c"))
    stages.add_good_site(key("b"))
    for _ in range(5):
        stages.search_reverse()

    assert search.targets == [key("b")]
    assert list(stages.good) == [key("a"), key("b"), key("c")]


def test_sites_that_rest_are_read_again_when_memory_holds_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptive_module, "MAX_RESTING", 0)
    loaded = []

    def load_memory(site: str) -> SiteMemory:
        loaded.append(site)
        return SiteMemory(
            [[0, 1, 1, 0]], 0, ("on:1",), 1, inner_links("a", "y"), [(LinkCandidate(homepage("a"), 0), True)]
        )

    stages = adaptive("a", load_memory=load_memory)
    read_home(stages, forms=1, rewards=1, inner=inner_links("a", "x", "y"))
    stages.start([homepage("b")])
    assert stages.next_link(key("a")) is None
    assert len(stages.resting) == 0
    read_home(stages)

    reopened = stages.next_site()

    assert reopened is not None
    assert loaded == [reopened.key] == [key("a")]
    opened = stages.open_sites[key("a")]
    assert (opened.forms, opened.explorer.progress.pages, opened.explorer.site) == (1, 1, ("on:1",))
    assert read_next(stages, "a") == "y"


@pytest.mark.parametrize("make", [smart, adaptive])
def test_answers_of_engines_come_first(make: Callable[..., Stages]) -> None:
    stages = make("a")
    read_home(stages, forms=1, rewards=1, outward=links("b", "c", anchor="rare books"))
    if make is adaptive:  # where pages that may name sites have to be worth it
        stages.add_linking_pages(["https://directory.example/books"])

    stages.query_engine("https://engine.example/?q=link:a.example")
    stages.query_engine("https://engine.example/?q=link:a.example")
    first, second = stages.next_site(), stages.next_site()

    assert first is not None
    assert second is not None
    assert (first.kind, first.key) == ("engine", "https://engine.example/?q=link:a.example")
    assert second.kind != "engine"
    stages.query_engine("https://engine.example/?q=link:a.example")
    assert "engine" not in {each.kind for _ in range(9) if (each := stages.next_site())}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("held", [1, 3, 500])
@pytest.mark.parametrize("make", [smart, adaptive])
def test_crawl_reads_no_page_twice_and_ends(make: Callable[..., Stages], held: int, seed: int) -> None:
    web = a_web(Random(seed))

    urls = crawl_all(make("s0", "s1", held=held), web)

    assert len(urls) == len(set(urls))
    assert set(urls) <= set(web)
    assert {registered_domain(url) for url in urls} == {key(f"s{n}") for n in range(12)} or make is smart


@pytest.mark.parametrize("make", [smart, adaptive])
def test_same_crawl_twice_takes_the_same_way(make: Callable[..., Stages]) -> None:
    web = a_web(Random(7))
    search = Search(pages=2)

    assert crawl_all(make("s0", "s1", linking=search), web) == crawl_all(
        make("s0", "s1", linking=search), web
    )


def test_adaptive_crawl_finds_forms_sooner_than_in_the_order_of_links() -> None:
    def web_of(number: int) -> dict[str, PageFindings]:
        """Sites that have a form behind the link called search, among many links without."""
        web = {}
        for n in range(number):
            names = [f"p{n}" for n in range(9)]
            names.insert(n % 10, "search")
            nexts = [*links(f"s{2 * n + 1}", anchor="books"), *links(f"s{2 * n + 2}", anchor="books")]
            web[homepage(f"s{n}")] = PageFindings(inner_links(f"s{n}", *names), nexts, "en")
            web[f"{homepage(f's{n}')}search"] = PageFindings(forms=1, rewards=1)
        return web

    web = web_of(60)
    found_forms = {
        make: sum(web.get(url, PageFindings()).rewards for url in crawl_all(make("s0"), web)[:200])
        for make in (smart, adaptive)
    }

    assert found_forms[adaptive] > 1.5 * found_forms[smart]
    assert found_forms[adaptive] > 40
