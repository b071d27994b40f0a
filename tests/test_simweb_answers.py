"""How searches end: results, nothing, another form, a redirect; and how answers are paged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from simweb.answers import outcome, parameters_for_page
from simweb.messages import Request, Response, split_parameters
from simweb.search import searchable_text
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from simweb.forms import Field
    from simweb.messages import Parameters
    from simweb.plan import DatabasePlan
    from simweb.site import Site


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    world = World(17, 160, pages_per_site=6, largest_database=300)
    yield world
    world.close()


def site_where(world: World, holds: Callable[[DatabasePlan], bool], topic: str = "") -> Site:
    for number in world.numbers:
        plan = world.plan(number)
        if plan.database and holds(plan.database) and topic in ("", plan.topic) and not plan.session_ids:
            return world.site(number)
    pytest.fail("no such site in this world")


def box_of(site: Site) -> Field:
    box = site.search_form.field_meaning("keywords")
    assert box is not None
    return box


def common_word(site: Site) -> str:
    """A word that finds many records but not too many."""
    texts = [
        searchable_text(record, site.catalogue.topic).split()
        for n in range(1, 40)
        if (record := site.record(n, 0))
    ]
    words = sorted({word for text in texts for word in text if word.isalpha() and len(word) > 3})
    return max(words, key=lambda word: len(outcome(site, [(box_of(site).name, word)], 0).found))


def ask(site: Site, parameters: Parameters) -> Response:
    sent = "&".join(f"{name}={site.quote(value)}" for name, value in parameters)
    method = site.search_form.method.upper()
    query, body = (sent, b"") if method == "GET" else ("", sent.encode())
    return site.respond(Request(method, site.plan.host, site.search_action, query, body=body))


def boxes(database: DatabasePlan) -> bool:
    return database.style in ("box", "semicolon", "outside", "charset", "accept_charset")


@pytest.mark.parametrize(
    ("holds", "words", "kind"),
    [
        (lambda d: boxes(d) and d.behaviour.empty == "error", "", "form_again"),
        (lambda d: boxes(d) and d.behaviour.empty == "form", "", "form_again"),
        (
            lambda d: boxes(d) and d.behaviour.empty == "everything" and not d.behaviour.too_many,
            "",
            "results",
        ),
        (lambda d: boxes(d) and d.behaviour.shortest_word == 3, "ab", "form_again"),
        (lambda d: boxes(d) and not d.behaviour.suggests, "qzxwvy", "no_results"),
    ],
    ids=["empty is an error", "empty shows the form", "empty lists everything", "too short", "nothing found"],
)
def test_what_a_box_answers(
    world: World, holds: Callable[[DatabasePlan], bool], words: str, kind: str
) -> None:
    site = site_where(world, holds)

    assert outcome(site, [(box_of(site).name, words)], 0).kind == kind


def test_a_misspelt_word_is_suggested_right(world: World) -> None:
    site = site_where(
        world,
        lambda d: (
            d.style in ("box", "box_selects", "advanced") and d.behaviour.suggests and not d.behaviour.stems
        ),
    )
    word = max(
        searchable_text(site.catalogue.record(2), site.catalogue.topic).split(),
        key=lambda w: len(w) if w.isascii() and w.isalpha() else 0,
    )

    result = outcome(site, [(box_of(site).name, word + "x")], 0)

    assert result.kind == "did_you_mean"
    assert outcome(site, [(box_of(site).name, result.suggestion)], 0).kind in (
        "results",
        "redirect",
        "too_many",
    )


def test_too_many_results_are_refused_and_fewer_are_shown(world: World) -> None:
    site = site_where(
        world, lambda d: boxes(d) and d.behaviour.too_many is not None and d.behaviour.matching != "substring"
    )
    database = site.plan.database
    assert database is not None
    kinds = set()
    for number in range(1, 60):
        if record := site.record(number, 0):
            kinds |= {
                outcome(site, [(box_of(site).name, word)], 0).kind
                for word in searchable_text(record, site.catalogue.topic).split()[:20]
            }

    assert {"too_many", "results"} <= kinds


def test_a_cap_hides_the_rest_on_every_page(world: World) -> None:
    site = site_where(world, lambda d: boxes(d) and d.behaviour.cap is not None)
    database = site.plan.database
    assert database is not None
    cap = database.behaviour.cap
    assert cap is not None
    asked = [(box_of(site).name, common_word(site))]
    first = outcome(site, asked, 0)
    seen = list(first.shown)
    for page in range(2, first.pages + 1):
        seen += outcome(site, parameters_for_page(site, first, asked, page), 0).shown

    assert len(first.found) > cap
    assert seen == list(first.found[:cap])
    assert outcome(site, parameters_for_page(site, first, asked, first.pages + 1), 0).kind == "no_results"


def test_the_only_match_is_shown_at_once(world: World) -> None:
    site = site_where(
        world,
        lambda d: (
            d.behaviour.redirects_exact
            and d.has_details
            and (boxes(d) or d.style in ("box_selects", "advanced", "post"))
        ),
    )
    title = site.catalogue.record(4).title

    texts = (title, *searchable_text(site.catalogue.record(4), site.catalogue.topic).split())
    results = [outcome(site, [(box_of(site).name, text)], 0) for text in texts]
    single = [result for result in results if len(result.found) == 1]

    assert single
    assert {result.kind for result in single} == {"redirect"}


def test_a_required_choice_is_asked_for(world: World) -> None:
    site = site_where(world, lambda d: d.style == "required")

    result = outcome(site, [(box_of(site).name, "something")], 0)

    assert result.kind == "form_again"
    assert site.search_form.fields[1].label in result.message


def test_a_form_in_two_steps_asks_for_the_second_choice(world: World) -> None:
    site = site_where(world, lambda d: d.style == "steps")
    first = site.search_form.fields[0]
    record = site.catalogue.record(1)
    parent = next(
        o for o in first.options if o.stands_for == site.catalogue.topic.value(record, first.attribute)
    )

    asked = outcome(site, [(first.name, parent.value)], 0)
    second = asked.form.fields[1]
    chosen = next(
        o for o in second.options if o.stands_for == site.catalogue.topic.value(record, second.attribute)
    )
    answered = outcome(site, [(first.name, parent.value), (second.name, chosen.value)], 0)

    assert asked.kind == "another_form"
    assert 1 in answered.found


def test_an_aspnet_form_without_its_state_is_an_error(world: World) -> None:
    site = site_where(world, lambda d: d.style == "aspnet")

    response = ask(site, [(box_of(site).name, "x")])

    assert (response.status, response.kind) == (500, "answer:error")


def test_semicolons_and_ampersands_both_separate() -> None:
    assert split_parameters("a=1;b=x%20y&c=%E9", "latin-1") == [("a", "1"), ("b", "x y"), ("c", "\u00e9")]


def test_next_links_of_a_semicolon_site_use_semicolons_and_work(world: World) -> None:
    candidates = [
        world.site(n) for n in world.numbers if (d := world.plan(n).database) and d.style == "semicolon"
    ]
    asked = [(site, [(box_of(site).name, common_word(site))]) for site in candidates]
    site, parameters = next(pair for pair in asked if outcome(*pair, 0).pages > 1)

    first = ask(site, parameters)
    following = next(link for link in first.links if link.startswith(site.search_action) and ";" in link)
    path, _, query = following.partition("?")
    second = site.respond(Request("GET", site.plan.host, path, query))

    assert second.kind == "answer:results"
    assert set(first.records).isdisjoint(second.records)


def test_one_record_has_many_addresses_where_the_query_is_carried_along(world: World) -> None:
    site = site_where(world, lambda d: d.carries_query)
    record = site.catalogue.record(1)

    plain, found = site.record_path(record), site.record_path(record, "some words")

    assert plain != found
    assert site.record_at(plain) == site.record_at(found) == 1


def test_what_is_not_there_is_404_or_calls_itself_200(world: World) -> None:
    plans = [world.plan(n) for n in world.numbers]
    answers = {
        p.soft_404: world.respond(Request("GET", p.host, "/no/such/page")) for p in plans if not p.traps
    }

    assert {soft: answer.status for soft, answer in answers.items() if answer} == {True: 200, False: 404}


def test_answers_show_every_layout_with_all_titles(world: World) -> None:
    from lxml import html

    layouts = set()
    for number in world.numbers:
        database = world.plan(number).database
        if database is None or not boxes(database) or database.layout in layouts:
            continue
        site = world.site(number)
        response = ask(site, [(box_of(site).name, common_word(site))])
        if response.kind != "answer:results":
            continue
        layouts.add(database.layout)
        text = " ".join("".join(map(str, html.document_fromstring(response.body).itertext())).split())
        for record in response.records:
            assert " ".join(site.catalogue.record(record).title.split()) in text

    assert layouts == {"list", "table", "grid", "definitions", "blocks"}
