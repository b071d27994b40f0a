"""The benchmark `automata`: its sites hide what they should, its crawlers obey the same rules, its figures are what they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks._automata_crawlers import CRAWLERS, Crawl, Fetched, Spent, run_crawler
from benchmarks._automata_sites import HIDDEN, NAMES, PUBLIC, Question, WebSite, make
from benchmarks.automata import Run

if TYPE_CHECKING:
    from collections.abc import Sequence

SHARE = 0.02  # of the pages of a site: enough to walk about in


@pytest.fixture(scope="module")
def sites() -> dict[str, WebSite]:
    return {name: make(name, 3, None, SHARE) for name in NAMES}


def linked(site: WebSite) -> dict[str, int]:
    """Return all pages that links lead to from the homepage, and in how many clicks."""
    reached = {"/": 0}
    waiting = ["/"]
    for url in waiting:
        for link in site.fetch(url).links:
            if link.url not in reached:
                reached[link.url] = reached[url] + 1
                waiting.append(link.url)
    return reached


@pytest.mark.parametrize("name", NAMES)
def test_links_reach_all_public_pages_and_no_hidden_one(name: str, sites: dict[str, WebSite]) -> None:
    site = sites[name]
    reached = linked(site)

    assert len(reached) == site.public == site.pages - len(site.hidden)
    assert not site.hidden & reached.keys()


@pytest.mark.parametrize("name", NAMES)
def test_half_of_the_pages_are_hidden_and_answers_lead_to_them(name: str, sites: dict[str, WebSite]) -> None:
    site = sites[name]
    found = {
        record.url
        for search in site.searches.values()
        for question in (
            *(Question((word,)) for word in search.site.database.vocabulary),
            *(Question(choice=choice) for choice in search.choices),
        )
        for number in range(10)
        for record in search.answer(question, number).found
    }

    assert abs(len(site.hidden) / site.pages - 0.5) < 0.05
    assert found >= site.hidden


def test_the_four_sites_are_as_large_as_those_of_the_paper(sites: dict[str, WebSite]) -> None:
    assert len(NAMES) * HIDDEN == pytest.approx(29_395, abs=4)
    assert len(NAMES) * (HIDDEN + PUBLIC) == pytest.approx(58_251, abs=4)
    assert all(len(site.hidden) == round(SHARE * HIDDEN) for site in sites.values())
    assert all(site.public == pytest.approx(SHARE * PUBLIC, rel=0.1) for site in sites.values())


def test_the_search_in_the_header_of_the_art_site_finds_only_what_links_reach(
    sites: dict[str, WebSite],
) -> None:
    site = sites["art"]
    search = site.searches["site search"]
    found = {record.url for word in search.beginning for record in search.answer(Question((word,)), 0).found}

    assert found
    assert found <= linked(site).keys()
    assert site.fetch("/article/1").forms == ("site search",)
    assert site.fetch("/collection").forms == ("site search", "collection")


def test_an_answer_has_pages_until_all_it_shows_was_shown(sites: dict[str, WebSite]) -> None:
    search = sites["books"].searches["books"]
    word = max(search.site.database.vocabulary, key=search.site.database.frequency)
    first, second = (search.answer(Question((word,)), number) for number in (0, 1))

    assert len(first.found) == 20
    assert first.has_next
    assert not {each.url for each in first.found} & {each.url for each in second.found}
    assert first.total == search.site.database.frequency(word)


@pytest.mark.parametrize("crawler", CRAWLERS)
@pytest.mark.parametrize("name", NAMES)
def test_every_crawler_finds_hidden_pages_within_its_budget(
    crawler: str, name: str, sites: dict[str, WebSite]
) -> None:
    fetched = run_crawler(crawler, sites[name], 300, seed=1)

    assert 0 < len(fetched) <= 300
    assert fetched[0] == Fetched("public", 0)
    if crawler not in {"hwdla", "random walk"}:
        assert sum(page.what == "hidden" for page in fetched) >= 100


def test_the_same_seed_fetches_the_same(sites: dict[str, WebSite]) -> None:
    runs = [run_crawler("automata", sites["mixed"], 200, seed=seed) for seed in (1, 1, 2)]

    assert runs[0] == runs[1] != runs[2]


def test_automata_learn_to_leave_a_search_alone_that_finds_what_links_reach(
    sites: dict[str, WebSite],
) -> None:
    hidden = {
        crawler: sum(page.what == "hidden" for page in run_crawler(crawler, sites["art"], 150, seed=1))
        for crawler in ("automata", "default")
    }

    assert hidden["automata"] > 2 * hidden["default"]


def test_nothing_is_fetched_twice_or_beyond_the_budget(sites: dict[str, WebSite]) -> None:
    crawl = Crawl(sites["books"], 2)
    crawl.fetch("/", 0)
    with pytest.raises(ValueError, match="/ was fetched before"):
        crawl.fetch("/", 0)
    crawl.ask("books", Question(("x",)), 0, 1)

    with pytest.raises(Spent):
        crawl.fetch("/help", 1)
    assert [page.what for page in crawl.fetched] == ["public", "answer"]


def run_of(whats: Sequence[str], hidden: int = 10) -> Run:
    return Run(
        hidden, 10, tuple(Fetched({"h": "hidden", "p": "public", "a": "answer"}[what], 2) for what in whats)
    )


def test_precision_is_counted_when_a_recall_is_reached_and_answers_count_against_it() -> None:
    run = run_of("pahhphhhhhhhp")

    assert run.precision_at(0.1) == pytest.approx(1 / 3)
    assert run.precision_at(0.2) == pytest.approx(2 / 4)
    assert run.precision_at(0.9) == pytest.approx(9 / 12)
    assert run.precision_min == pytest.approx(1 / 3)
    assert run.coverage == 0.9


def test_a_recall_that_was_not_reached_is_no_precision() -> None:
    run = run_of("hhhhhhhh")

    assert run.precision_at(0.8) == 1.0
    assert run.precision_at(0.9) == run.precision_min == 0.0


def test_value_is_the_mean_discounted_sum_of_hidden_pages_by_walk() -> None:
    one = ("h" * 2 + "p" * 98, 1 + 0.9)
    other = ("p" + "h" + "p" * 98, 0.9)

    assert run_of(one[0]).value == pytest.approx(one[1])
    assert run_of(one[0] + other[0]).value == pytest.approx((one[1] + other[1]) / 2)


def test_hidden_pages_are_counted_by_depth() -> None:
    run = Run(
        10, 10, (Fetched("public", 0), Fetched("hidden", 2), Fetched("hidden", 2), Fetched("hidden", 3))
    )

    assert run.by_depth == {2: 2, 3: 1}
