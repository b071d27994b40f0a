"""The harvest benchmark counts what it says it counts, and its baselines do what their names say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree as ET

import pytest

from benchmarks import _harvest_scale
from benchmarks import harvest as benchmark
from benchmarks._harvest_ache import (
    Ache,
    Candidate,
    LinkClassifier,
    Neighbourhood,
    Paths,
    Settings,
    make_ache,
    neighbourhood_of,
)
from benchmarks._harvest_plot import Curve, plot
from benchmarks._harvest_policies import (
    BestFirst,
    BreadthFirst,
    Limits,
    Place,
    TopicClassifier,
    entry_place,
    link_place,
    make_best_first,
    make_breadth_first,
)
from benchmarks._harvest_two_stages import ABLATIONS
from benchmarks._harvest_web import GraphWeb, Shape
from benchmarks.harvest import AskedTwice, Job, Outcome, Run, figures_of, harvest
from hiddenweb.frontier.stopping import StopCriteria
from hiddenweb.model import Link, Page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks._harvest_policies import Policy
    from benchmarks._harvest_web import Answer

TOPIC = "books"


@dataclass(frozen=True, slots=True)
class FormOf:
    id: int
    topic: str = TOPIC
    taken_for_search: bool = True

    def is_relevant(self, topic: str) -> bool:
        return self.topic == topic

    def is_taken_for_relevant(self, topic: str) -> bool:
        return self.taken_for_search and self.topic == topic


@dataclass(frozen=True, slots=True)
class AnswerOf:
    page: Page
    forms: tuple[FormOf, ...] = ()


def answer(url: str, text: str = "", links: Iterable[Link] = (), forms: Iterable[FormOf] = ()) -> Answer:
    page = Page(url, text=text, language="en", links=tuple(links))
    return cast("Answer", AnswerOf(page, tuple(forms)))


class SmallWeb:
    """Sites in a ring, every second one a bookshop: its search is two links from the homepage, among pages without forms."""

    topics = (TOPIC,)

    def __init__(self, sites: int = 40, articles: int = 12) -> None:
        self._sites = sites
        self._pages = {url: page for site in range(sites) for url, page in self._pages_of(site, articles)}

    def _pages_of(self, site: int, articles: int) -> Iterable[tuple[str, Answer]]:
        home = f"http://site{site}.example/"
        shop = site % 2 == 0
        text = "rare books authors titles novels" if shop else "football match goal league"
        news = [
            Link(f"{home}news/{number}", f"story {number}", "read this story") for number in range(articles)
        ]
        more = Link(f"{home}catalogue", "catalogue", "browse our catalogue")
        others = [
            Link(f"http://site{(site + step) % self._sites}.example/", f"partner {step}", "our partners")
            for step in (1, 2, 3)
        ]
        yield home, answer(home, text, [*news, more, *others])
        for link in news:
            yield link.url, answer(link.url, text)
        finder = Link(f"{home}advanced-search", "advanced search", "find a book by title")
        yield more.url, answer(more.url, text, [finder] if shop else [])
        if shop:
            yield finder.url, answer(finder.url, text, forms=[FormOf(site), FormOf(1000 + site)])

    def words(self, topic: str) -> tuple[str, ...]:
        del topic
        return ("book", "author", "title")

    def examples(self, topic: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        del topic
        return ("old books of many authors", "novels and titles"), (
            "a football league",
            "the goal of a match",
        )

    def seeds(self, topic: str) -> tuple[str, ...]:
        del topic
        return ("http://site0.example/", "http://site1.example/")

    def read(self, url: str) -> Answer | None:
        return self._pages.get(url)

    def most_findable(self, topic: str, budget: int) -> int:
        del topic
        return min(self._sites, budget)


@pytest.fixture(scope="module")
def web() -> GraphWeb:
    return cast("GraphWeb", SmallWeb())


class Listed:
    """A policy that fetches a list."""

    def __init__(self, *urls: str) -> None:
        self._urls = list(urls)
        self.answers: list[Answer | None] = []

    def next(self) -> str | None:
        return self._urls.pop(0) if self._urls else None

    def note(self, url: str, answer: Answer | None) -> None:
        del url
        self.answers.append(answer)


def followed(policy: Policy, web: GraphWeb, most: int = 10_000) -> list[str]:
    urls: list[str] = []
    while len(urls) < most and (url := policy.next()) is not None:
        urls.append(url)
        policy.note(url, web.read(url))
    return urls


def test_only_new_and_truly_relevant_forms_count_and_a_silent_page_costs_one() -> None:
    class Web(SmallWeb):
        def read(self, url: str) -> Answer | None:
            forms = {
                "http://a.example/": [FormOf(1), FormOf(2, topic="jobs")],
                "http://b.example/": [FormOf(1), FormOf(3), FormOf(4, taken_for_search=False)],
            }
            return answer(url, forms=forms[url]) if url in forms else None

    policy = Listed("http://a.example/", "http://silent.example/", "http://b.example/")

    run = harvest(policy, cast("GraphWeb", Web()), TOPIC, 10)

    assert (run.found, run.sites, run.pages, run.dry) == ((1, 3, 3), 2, 3, True)
    assert [each is None for each in policy.answers] == [False, True, False]
    assert [run.count_after(pages) for pages in (0, 1, 2, 3)] == [0, 1, 1, 3]


def test_a_run_ends_with_its_budget(web: GraphWeb) -> None:
    run = harvest(make_breadth_first(web, TOPIC, Random(1)), web, TOPIC, 25)

    assert (run.pages, run.dry) == (25, False)


def test_asking_twice_is_an_error_of_the_policy(web: GraphWeb) -> None:
    with pytest.raises(AskedTwice, match=r"Listed asked for http://site0\.example/ again, after 1 pages"):
        harvest(Listed("http://site0.example/", "http://site0.example/"), web, TOPIC, 10)


@pytest.mark.parametrize(
    ("url", "depth"),
    [
        pytest.param("http://a.com/x/y", 3, id="a link within the site"),
        pytest.param("http://www.a.com/x", 3, id="another host of the site"),
        pytest.param("http://a.com/", 0, id="back to the homepage"),
        pytest.param("http://b.com/deep/down", 0, id="into another site"),
    ],
)
def test_depth_is_counted_from_where_a_site_is_entered(url: str, depth: int) -> None:
    page = Place("http://a.com/x", "a.com", 2)

    assert link_place(page, url).depth == depth


def test_limits_count_each_form_once_on_its_site_and_silent_pages_as_barren() -> None:
    limits = Limits(StopCriteria(formless=2))
    home, page = entry_place("http://a.example/"), Place("http://a.example/x", "a.example", 1)

    new = [
        limits.note(home, answer(home.url, forms=[FormOf(1), FormOf(2, taken_for_search=False)])),
        limits.note(page, answer(page.url, forms=[FormOf(1)])),
        limits.note(page, None),
    ]

    assert new == [1, 0, 0]
    assert [limits.allow(Place("http://a.example/y", "a.example", depth)) for depth in (0, 1, 2, 4)] == [
        True,
        False,
        True,
        False,
    ]


def test_breadth_first_fetches_in_the_order_of_meeting(web: GraphWeb) -> None:
    urls = followed(make_breadth_first(web, TOPIC, Random(1)), web, 16)

    assert urls[:3] == ["http://site0.example/", "http://site1.example/", "http://site0.example/news/0"]
    assert urls[14:] == ["http://site0.example/catalogue", "http://site2.example/"]


def test_breadth_first_leaves_a_depth_after_thirty_pages_without_a_form() -> None:
    web = cast("GraphWeb", SmallWeb(sites=1, articles=200))

    urls = followed(BreadthFirst(["http://site0.example/"]), web)

    assert len(urls) == 1 + 30


def test_naive_bayes_tells_topics_apart_and_does_not_know_what_it_never_saw(web: GraphWeb) -> None:
    classifier = TopicClassifier.of(web, TOPIC)

    assert classifier.relevance(["book"]) > 0.6
    assert classifier.relevance(["footbal"]) < 0.4
    assert classifier.relevance([]) == classifier.relevance(["aardvark"]) == 0.5
    assert classifier.relevance(["book"] * 9) > classifier.relevance(["book"])


def test_best_first_goes_where_pages_are_on_topic(web: GraphWeb) -> None:
    urls = followed(make_best_first(web, TOPIC, Random(1)), web, 60)

    shops = [url for url in urls if int(url.partition("site")[2].partition(".")[0]) % 2 == 0]
    assert len(shops) > 45


def test_best_first_takes_the_best_of_several_pages_with_a_link(web: GraphWeb) -> None:
    policy = BestFirst(["http://a.example/", "http://b.example/"], TopicClassifier.of(web, TOPIC))
    policy.next(), policy.next()
    bad = [Link("http://c.example/", ""), Link("http://d.example/", "league")]
    policy.note("http://a.example/", answer("http://a.example/", "football", bad))
    policy.note(
        "http://b.example/", answer("http://b.example/", "books", [Link("http://d.example/", "books")])
    )

    assert [policy.next(), policy.next(), policy.next()] == ["http://d.example/", "http://c.example/", None]


def test_the_link_classifier_knows_levels_by_terms() -> None:
    search = neighbourhood_of(Link("http://a.example/bookfinder", "advanced search"))
    browse = neighbourhood_of(Link("http://a.example/browse", "catalogue"))
    news = neighbourhood_of(Link("http://a.example/news/1", "story", "read more"))

    classifier = LinkClassifier([[search] * 9, [browse] * 9, [news] * 9], Settings(levels=2))

    assert [classifier.classify(link)[0] for link in (search, browse, news)] == [0, 1, 2]
    assert classifier.classify(Neighbourhood(anchor=("search",)))[0] == 0
    assert classifier.classify(search)[1] > classifier.classify(Neighbourhood(anchor=("search",)))[1]


def test_longer_tokens_of_addresses_count_as_the_selected_terms_in_them() -> None:
    books, news = Neighbourhood(url=("book",)), Neighbourhood(url=("news",))

    classifier = LinkClassifier([[books] * 5, [news] * 5], Settings(url_terms=2))

    assert classifier.classify(Neighbourhood(url=("abebook",))) == classifier.classify(books)


def test_paths_teach_every_link_on_the_way_and_draw_as_many_that_led_nowhere() -> None:
    def step(name: str, parent: Candidate | None) -> Candidate:
        return Candidate(entry_place(f"http://{name}.example/"), parent, Neighbourhood(anchor=(name,)))

    seed = step("seed", None)
    browse = step("browse", seed)
    search = step("search", browse)
    nowhere = [step(f"nowhere{number}", seed) for number in range(9)]
    paths = Paths(levels=3)
    for link in (seed, browse, *nowhere):
        paths.note(link, has_form=False)
    paths.note(search, has_form=True)

    first, second, third, none = paths.examples(5000, Random(1))

    assert (first, second, third) == ([search.neighbourhood], [browse.neighbourhood], [])
    assert len(none) == 2
    assert paths.forms == 1


def test_ache_learns_which_links_lead_to_forms(web: GraphWeb) -> None:
    often = make_ache(web, TOPIC, Random(1), Settings(learn_every=40, fewest=2))
    never = make_ache(web, TOPIC, Random(1), Settings(learn_every=10_000))

    learning, fixed = (harvest(policy, web, TOPIC, 200) for policy in (often, never))

    assert len(learning.found) > 1.5 * len(fixed.found)


def test_ache_with_hard_focus_follows_no_link_of_a_page_off_topic(web: GraphWeb) -> None:
    urls = followed(make_ache(web, TOPIC, Random(1)), web)
    everything = followed(make_ache(web, TOPIC, Random(1), Settings(hard_focus=False)), web)

    assert "http://site1.example/" in urls
    assert "http://site1.example/news/0" not in urls
    assert len(everything) > len(urls) > 200


def test_ache_does_the_same_again(web: GraphWeb) -> None:
    settings = Settings(learn_every=40, fewest=2)
    runs = [followed(make_ache(web, TOPIC, Random(1), settings), web) for _ in range(2)]

    assert runs[0] == runs[1]


def test_ache_learns_once_from_a_form_that_stands_on_every_page(web: GraphWeb) -> None:
    policy = Ache(web.seeds(TOPIC), TOPIC, TopicClassifier.of(web, TOPIC), Random(1), Settings())
    for url in web.seeds(TOPIC):
        policy.next()
        policy.note(url, answer(url, "books", forms=[FormOf(1)]))

    assert policy.paths.forms == 1


def test_a_job_is_done_with_every_policy_on_one_web(monkeypatch: pytest.MonkeyPatch) -> None:
    small = GraphWeb(1, Shape(scale=0.03))
    monkeypatch.setattr(benchmark, "web_of", lambda *_: small)
    job = Job(1, 3, 120, benchmark.POLICIES)

    done, again = benchmark.do(job), benchmark.do(job)

    assert done.topic == "book"
    assert tuple(done.runs) == benchmark.POLICIES
    assert all(len(run.found) <= done.oracle for run in done.runs.values())
    assert [run.found for run in done.runs.values()] == [run.found for run in again.runs.values()]


def outcome(topic: str, web: int = 2, oracle: int = 50, **forms: int) -> Outcome:
    runs = {
        name: Run(tuple(range(1, forms.get(benchmark.short(name), 10) + 1)), 5, 100, False, 0.2)
        for name in benchmark.POLICIES
    }
    return Outcome(Job(web, 0, 100, benchmark.POLICIES), topic, runs, oracle, "made up")


def test_ratios_are_of_totals_and_the_smallest_is_of_a_topic_over_all_webs() -> None:
    outcomes = [
        outcome("books", 2, ours=30, ache=10),
        outcome("books", 3, ours=10, ache=10),
        outcome("jobs", 2, ours=20, ache=20),
        outcome("jobs", 3, ours=40, ache=10),
    ]

    figures = figures_of(outcomes)

    assert figures["ours_vs_ache"] == 2.0
    assert figures["ours_vs_ache_min_topic"] == 2.0
    assert figures["ours_vs_bfs"] == 2.5
    assert figures["fraction_of_oracle"] == 0.5
    assert figures["ms_per_decision"] == 2.0
    assert figures["seeds"] == [2, 3]
    assert figures["ours_per_1000_pages"] == 250


def test_the_report_shows_topics_ratios_and_curves(capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.show([outcome("books", ours=30), outcome("jobs", ours=15)])

    said = capsys.readouterr().out
    assert "| books | " in said
    assert "| ours : ache " in said
    assert "ran dry at" in said
    assert benchmark.curves([outcome("books", ours=30)])[:3] == [
        (10, 10, 10, 10, 10, 10, 10),
        (20, 10, 10, 10, 10, 10, 20),
        (30, 10, 10, 10, 10, 10, 30),
    ]


def test_ablations_and_localities_are_shown_beside_ours(capsys: pytest.CaptureFixture[str]) -> None:
    whole = outcome("books", ours=40)
    job = replace(whole.job, budget=20)
    few = Run((1, 2), 1, 20, False, 0.1)
    apart = replace(whole, job=replace(job, policies=tuple(ABLATIONS)), runs=dict.fromkeys(ABLATIONS, few))
    local = replace(whole, job=replace(job, policies=benchmark.SENSITIVE, locality=0.5))
    other = outcome("jobs", ours=7)
    other = replace(other, job=replace(other.job, topic=1))

    benchmark.show_ablations([whole, other, apart])
    benchmark.show_sensitivity([whole, other, local])

    said = capsys.readouterr().out
    assert "Ours taken apart, 20 pages" in said
    assert re.search(r"\| ours +\| +20 \| +1 \|", said)  # of the 40, on the first 20 pages
    assert len(re.findall(r"\| without .* \| +2 \| +0.1 \|", said)) == len(ABLATIONS)
    assert re.search(r"\| +0.3 \| +10 \| +10 \| +20 \| +2 \|", said)
    assert re.search(r"\| +0.5 \| +10 \| +10 \| +40 \| +4 \|", said)


def test_nothing_is_said_of_what_was_not_tried(capsys: pytest.CaptureFixture[str]) -> None:
    benchmark.show_ablations([outcome("books")])
    benchmark.show_sensitivity([outcome("books")])

    assert capsys.readouterr().out == ""


def test_a_full_run_takes_ours_apart_and_tries_other_localities_on_one_web() -> None:
    scale = benchmark.Scale(
        3, 2, 50, benchmark.QUICK.sample, apart_budget=20, ablated_topics=1, sensitive_topics=2
    )

    jobs = benchmark.jobs_of(scale, (2, 3), None)

    assert [(job.web, job.topic, job.budget) for job in jobs if job.policies == benchmark.POLICIES] == [
        (web, topic, 50) for web in (2, 3) for topic in (0, 4, 8)
    ]
    assert [(job.web, job.topic, job.budget) for job in jobs if job.policies == tuple(ABLATIONS)] == [
        (2, 0, 20)
    ]
    assert {(job.web, job.topic, job.locality, job.budget) for job in jobs[7:]} == {
        (2, topic, locality, 20) for topic in (0, 6) for locality in benchmark.LOCALITIES
    }


def test_no_seed_reports_the_web_for_tuning() -> None:
    assert benchmark.webs_of(7) == (2, 3, 4)
    assert all(benchmark.TUNING_WEB not in benchmark.webs_of(seed) for seed in range(-9, 400))


def test_a_plot_is_well_formed_and_names_every_curve() -> None:
    curves = [Curve("ours", ((0, 0), (10, 50))), Curve("best & first", ((0, 0), (10, 49)))]

    root = ET.fromstring(plot("Forms", "pages", "forms", curves))

    name = "{http://www.w3.org/2000/svg}"
    texts = [each.text for each in root.iter(f"{name}text")]
    assert {"ours 50", "best & first 49", "Forms", "pages"} <= set(texts)
    assert len(list(root.iter(f"{name}polyline"))) == 2


def test_decisions_are_measured_where_much_waits() -> None:
    cost = _harvest_scale.cost(1, sites=300, links=600, pages=40)

    assert (cost.sites, cost.links) == (300, 600)
    assert 0 < cost.decision < 1000
    assert cost.decision_95 > 0
    assert cost.page > 0
    assert 0 <= cost.ranking_share <= 1
