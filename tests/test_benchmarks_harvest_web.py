"""The simulated web of the harvest benchmark is what it says it is: small webs of a few hundred sites."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import subprocess
import sys
from collections import deque
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from benchmarks._harvest_calibration import Sample, calibration
from benchmarks._harvest_forms import FormSeen
from benchmarks._harvest_material import SUBJECTS, material
from benchmarks._harvest_plan import Interface, Plan
from benchmarks._harvest_web import GraphWeb, Shape, _most_by_pages, _steps
from hiddenweb.urls import registered_domain

if TYPE_CHECKING:
    from pathlib import Path

    from benchmarks._harvest_plan import Site

SMALL = Shape(scale=0.06)
TINY = Shape(scale=0.02)
DIGEST = """
from benchmarks._harvest_web import GraphWeb, Shape
web = GraphWeb(5, Shape(scale=0.02))
print([(web.read(seed).page.text, web.linking(seed)) for seed in web.seeds("book")])
"""


@pytest.fixture(scope="module")
def web() -> GraphWeb:
    return GraphWeb(3, SMALL)


def small_sites(web: GraphWeb, count: int) -> list[Site]:
    """Some sites with databases and some without, none of them large."""
    fitting = [
        site for site in web.plan.sites if site.kind != "dead" and 10 <= site.pages <= 150 and not site.trap
    ]
    with_database = [site for site in fitting if site.interfaces]
    others = [site for site in fitting if not site.interfaces]
    return with_database[: count // 2] + others[: count // 2]


def trapped(web: GraphWeb, trap: str) -> Site:
    return next(site for site in web.plan.sites if site.trap == trap and site.kind != "dead")


def distances(web: GraphWeb, site: Site) -> dict[int, int]:
    """How many links each page of a site is from its homepage."""
    waiting, found = deque([f"{site.root}/"]), {0: 0}
    while waiting:
        url = waiting.popleft()
        answer, here = web.read(url), web.find(url)
        assert answer
        assert here
        for link in answer.page.links:
            there = web.find(link.url)
            if there and there[0] is site and there[1].page not in found:
                found[there[1].page] = found[here[1].page] + 1
                waiting.append(link.url)
    return found


def test_the_same_seed_gives_the_same_web_in_another_process() -> None:
    web = GraphWeb(5, TINY)

    printed = subprocess.run(
        [sys.executable, "-c", DIGEST],
        env={**os.environ, "PYTHONHASHSEED": "77"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    answers = [(web.read(seed), web.linking(seed)) for seed in web.seeds("book")]
    assert printed.strip() == str([(answer.page.text, pages) for answer, pages in answers if answer])


def test_another_seed_gives_another_web(web: GraphWeb) -> None:
    other = Plan(4, SMALL)

    assert {site.domain for site in other.sites} != set(web.plan.number_of)


def test_every_page_has_an_address_of_its_own_that_leads_back_to_it(web: GraphWeb) -> None:
    for site in small_sites(web, 60):
        layout = web.layout(site)
        paths = [layout.path(page) for page in range(site.pages)]

        found = [layout.find(*path.partition("?")[::2]) for path in paths]

        assert len(set(paths)) == site.pages
        assert [place.page for place in found if place] == list(range(site.pages))


def test_links_reach_every_page_in_as_many_steps_as_its_depth_says(web: GraphWeb) -> None:
    for site in small_sites(web, 10):
        layout = web.layout(site)

        found = distances(web, site)

        assert found == {page: layout.depth(page) for page in range(site.pages)}


def test_interfaces_stand_as_deep_as_planned_and_only_there(web: GraphWeb) -> None:
    for site in small_sites(web, 60):
        layout = web.layout(site)
        planned = {interface.id: interface.depth for interface in site.interfaces}

        standing = {form.id: layout.depth(page) for page, form in layout.all_forms() if form.topic}

        assert standing == planned


def test_an_answer_shows_the_forms_of_its_page_and_is_the_same_each_time(web: GraphWeb) -> None:
    topic = web.plan.shape.topics[5].name
    site, interfaces = next(iter(web.plan.databases_on(5)))
    layout = web.layout(site)
    page = next(page for page, form in layout.all_forms() if form.id == interfaces[0].id)
    url = site.root + layout.path(page)

    first, again = web.read(url), GraphWeb(3, SMALL).read(url)

    assert first
    assert first == again
    assert interfaces[0].id in {form.id for form in first.forms if form.is_relevant(topic)}


@pytest.mark.parametrize(
    "path", ["/no-such-page.html", "/news/none-9999999.html", "/calendarium/2010/", "/x/?id=a"]
)
def test_nothing_is_at_an_address_that_nobody_has(web: GraphWeb, path: str) -> None:
    site = next(site for site in web.plan.sites if site.pages > 30)

    assert web.read(site.root + path) is None


def test_nobody_answers_at_dead_sites_and_unknown_ones(web: GraphWeb) -> None:
    dead = next(site for site in web.plan.sites if site.kind == "dead")

    assert web.read(f"{dead.root}/") is None
    assert web.read("http://not-of-this-web.com/") is None
    assert not web.is_taken_for_on_topic("http://not-of-this-web.com/", "book")


def test_navigation_is_the_same_on_all_pages_of_a_site(web: GraphWeb) -> None:
    site = next(site for site in small_sites(web, 40) if len(web.layout(site).sections) > 3)
    layout = web.layout(site)
    pages = [web.read(site.root + layout.path(page)) for page in (0, 1, 2, site.pages - 1)]

    navigation = [
        [link for link in answer.page.links if link.tag_path == layout.tag_paths["nav"]]
        for answer in pages
        if answer
    ]

    assert len(navigation) == 4
    assert all(each == navigation[0] and len(each) > 3 for each in navigation)


# Nuisances


def test_a_calendar_has_no_end(web: GraphWeb) -> None:
    url = trapped(web, "calendar").root + "/calendar/"
    seen = []
    for _ in range(40):
        answer = web.read(url)
        assert answer
        seen.append(url)
        url = next(link.url for link in answer.page.links if link.anchor == "Next month")

    assert len(set(seen)) == 40


@pytest.mark.parametrize(("trap", "mark"), [("reference", "ref="), ("session", "sid=")])
def test_marked_addresses_lead_to_the_same_pages_as_plain_ones(web: GraphWeb, trap: str, mark: str) -> None:
    site = trapped(web, trap)
    home = web.read(f"{site.root}/")
    assert home

    links = [link.url for link in home.page.links if registered_domain(link.url) == site.domain]
    plain = [web.find(url.partition(mark)[0].rstrip("?&")) for url in links]
    marked = [web.find(url) for url in links]

    assert all(mark in url for url in links)
    assert [each and each[1].page for each in plain] == [each and each[1].page for each in marked]


def test_facets_make_many_addresses_of_one_list(web: GraphWeb) -> None:
    site = next(each for each in web.plan.sites if each.trap == "facets" and web.layout(each).sections)
    layout = web.layout(site)
    section = next(section for section in layout.sections if section.is_list(0))

    answer = web.read(f"{site.root}/{section.slug}/")
    assert answer
    faceted = [link.url for link in answer.page.links if "sort=" in link.url]
    found = [web.find(url) for url in faceted]

    assert len(faceted) == 3
    assert {place[1].page for place in found if place} == {section.start}


def test_a_mirror_shows_the_texts_and_the_forms_of_its_original(web: GraphWeb) -> None:
    mirror = next(site for site in web.plan.sites if site.original != site.number)
    original = web.plan.sites[mirror.original]
    path = web.layout(original).path(original.pages - 1)

    shown, meant = web.read(mirror.root + path), web.read(original.root + path)

    assert shown
    assert meant
    assert (shown.page.text, shown.forms) == (meant.page.text, meant.forms)


# Finding sites


def test_seeds_are_on_topic_and_directories_fill_up_what_is_missing(web: GraphWeb) -> None:
    big = GraphWeb(1, Shape(scale=0.3))

    seeds = [big.plan.sites[big.plan.number_of[registered_domain(url)]] for url in big.seeds("job")]
    few = [big.plan.sites[big.plan.number_of[registered_domain(url)]] for url in big.seeds("route")]

    assert len(set(big.seeds("job"))) == 100
    assert sum(site.is_on(5) for site in seeds) == 100
    assert sum(site.kind == "database" for site in seeds) == 40
    assert {site.kind for site in few if not site.is_on(11)} == {"directory"}
    assert all(web.read(url) for url in web.seeds("route"))


def test_pages_that_reverse_search_gives_link_to_the_site(web: GraphWeb) -> None:
    given = {url: web.linking(url) for url in web.seeds("hotel")[:8]}

    assert sum(map(len, given.values())) > 20
    for url, pages in given.items():
        assert len(pages) <= web.shape.reverse_answers
        for page in pages:
            answer = web.read(page)
            assert answer
            assert registered_domain(url) in {registered_domain(link.url) for link in answer.page.links}


def test_centre_pages_come_first_and_list_sites_of_their_topic(web: GraphWeb) -> None:
    centre = next(centre for site in web.plan.sites for centre in site.centres if len(centre.listed) > 5)
    listed = web.plan.sites[centre.listed[0]]

    found = web.find(web.linking(listed.root)[0])

    assert found
    special = web.layout(found[0]).special_at(found[1].page)
    assert special
    assert special.kind == "centre"
    assert all(web.plan.sites[number].subject == centre.topic for number in centre.listed)


def test_the_site_classifier_errs_as_often_as_its_topic_says(web: GraphWeb) -> None:
    for topic, about in enumerate(web.shape.topics):
        wrong = [
            web.is_taken_for_on_topic(site.root, about.name) != site.is_on(topic) for site in web.plan.sites
        ]

        assert sum(wrong) / len(wrong) == pytest.approx(about.error, abs=0.03)


def test_with_more_locality_sites_link_more_to_their_own_topic() -> None:
    def kept(locality: float) -> float:
        plan = Plan(3, replace(SMALL, locality=locality))
        same = [
            plan.sites[to].subject == site.subject
            for group in plan.on_topic
            for site in group
            for to in site.linked
        ]
        return sum(same) / len(same)

    assert kept(0.0) < 0.15
    assert kept(0.3) + 0.2 < kept(0.7)


def test_texts_of_examples_are_no_pages_and_tell_topics_apart(web: GraphWeb) -> None:
    on, off = web.examples("job")
    words = set(web.words("job"))

    shares = [
        sum(word in words for text in texts for word in text.split()) / len(texts) for texts in (on, off)
    ]

    assert len(words) == 10
    assert shares[0] > 4 * shares[1]


# What can be found


@pytest.mark.parametrize(
    ("depths", "most"),
    [
        ([0], [0, 1]),
        ([0, 0], [0, 2]),  # both on the homepage
        ([2], [0, 0, 0, 1]),  # by way of one page
        ([1, 1, 3], [0, 0, 1, 2, 2, 3]),
        ([4], [0]),  # too deep
    ],
)
def test_most_forms_of_a_site_by_pages(depths: list[int], most: list[int]) -> None:
    interfaces = [Interface(at, 0, 0, depth, at + 1 if depth else 0) for at, depth in enumerate(depths)]

    found = _most_by_pages(interfaces)

    assert found[: len(most)] == most
    assert set(found[len(most) :]) <= {most[-1]}


def test_steps_of_the_concave_curve_lie_above() -> None:
    assert _steps([0, 0, 1, 2, 2, 3]) == [(2 / 3, 3), (0.5, 2)]
    assert _steps([0, 0]) == []


def test_no_order_of_fetching_beats_the_bound_of_a_site(web: GraphWeb) -> None:
    rng = Random(1)
    for site in [site for site in small_sites(web, 60) if site.interfaces and site.also < 0]:
        most = _most_by_pages(site.interfaces)
        waiting, known, forms = [(f"{site.root}/", 0)], {f"{site.root}/"}, set()
        for pages in range(1, 30):
            if not waiting:
                break
            url, depth = waiting.pop(rng.randrange(len(waiting)))
            answer = web.read(url)
            for link in answer.page.links if answer and depth < 3 else ():
                if registered_domain(link.url) == site.domain and link.url not in known:
                    known.add(link.url)
                    waiting.append((link.url, depth + 1))
            forms |= {form.id for form in answer.forms if form.topic} if answer else set()

            assert len(forms) <= most[min(pages, len(most) - 1)]


def test_most_findable_grows_with_the_budget_up_to_what_there_is(web: GraphWeb) -> None:
    for topic in web.topics:
        few, some, all_there_are = (web.most_findable(topic, budget) for budget in (5, 20, 100_000))

        assert 0 < few <= some <= all_there_are <= web.relevant_forms(topic, 3) < web.relevant_forms(topic)


def test_what_a_crawl_believes_of_a_form() -> None:
    form = FormSeen(1, "book", True, True, frozenset({"movie"}))
    login = FormSeen(2, "", False, False, frozenset({"book"}))
    misjudged = FormSeen(3, "book", True, True, frozenset({"book"}))

    assert form.is_relevant("book")
    assert form.is_taken_for_relevant("book")
    assert form.is_taken_for_relevant("movie")
    assert not form.is_relevant("movie")
    assert not login.is_taken_for_relevant("book")
    assert not misjudged.is_taken_for_relevant("book")


# Likeness


def test_calibration_is_near_what_is_published(web: GraphWeb) -> None:
    figures = {
        figure.key: figure.value for figure in calibration(web, Sample(pages=300, sites=300, searched=50))
    }

    assert 0.04 <= figures["out_of_site_links"] <= 0.11
    assert 20 <= figures["links_of_a_page"] <= 45
    assert 0.01 < figures["pages_with_form"] < 0.06
    assert 0.1 < figures["relevant_forms"] < 0.25
    assert 0.6 < figures["interfaces_within_3"] < 0.85 < figures["databases_within_3"]
    assert 0.45 < figures["telling_links"] < 0.75
    assert 0.01 < figures["misleading_links"] < 0.05
    assert figures["search_precision"] > 0.9


def test_words_of_real_pages_are_used_where_there_are_any(tmp_path: Path) -> None:
    (tmp_path / "swde").mkdir()
    for vertical in ("auto", "book", "camera", "job", "movie", "university"):
        for site in ("first", "second"):
            own = f"quux{vertical} " * 20
            html = f"<html><body><p>the common thing {own}</p><a href='/'>Real {vertical} anchor</a></body></html>"
            with lzma.open(tmp_path / "swde" / f"{vertical}-{site}.jsonl.xz", "wt") as file:
                file.write(json.dumps({"html": html}) + "\n")
    with gzip.open(tmp_path / "books.jsonl.gz", "wt") as file:
        file.write(json.dumps({"title": "A Title of a Real Book"}) + "\n")

    made = material(tmp_path)

    book = SUBJECTS.index("book")
    assert made.name == "words of SWDE, of books and films; generated verdicts"
    assert "quuxbook" in made.special[book].words
    assert "quuxjob" not in made.special[book].words
    assert {"the", "common", "thing"} <= set(made.general.words)
    assert {"Real book anchor", "A Title of a Real Book"} <= set(made.anchors[book])
    assert GraphWeb(1, Shape(scale=0.01), tmp_path).material == made.name
    assert material(None).name == "generated words; generated verdicts"
