"""Manners that are there when they are named: what each site answers, and that the truth knows it."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from simweb.answers import outcome, paging_name
from simweb.faults import Fault, Faults
from simweb.manners import CAP, MANNERS, TOO_MANY
from simweb.messages import Request, Response, split_parameters
from simweb.plan import DatabasePlan
from simweb.search import Query
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simweb.forms import Field
    from simweb.site import Site

SIZE = 120
NOFOLLOW = '<meta name="robots" content="nofollow">'


@pytest.fixture(scope="module")
def truth() -> Iterator[Truth]:
    world = World(3, 2 * len(MANNERS), pages_per_site=6, largest_database=SIZE, manners=list(MANNERS))
    yield Truth(world)
    world.close()


def site_with(truth: Truth, manner: str) -> Site:
    return truth.world.databases[list(MANNERS).index(manner)]


def get(site: Site, target: str) -> Response:
    path, _, query = target.partition("?")
    return site.respond(Request("GET", site.plan.host, path, query))


def box_of(site: Site) -> Field:
    box = site.search_form.field_meaning("keywords")
    assert box is not None
    return box


def asked(site: Site, words: str) -> Response:
    return get(site, f"{site.search_action}?{box_of(site).name}={site.quote(words)}")


def found(site: Site, words: str) -> int:
    return len(site.database(0).search(Query(words)))


def text_of(response: Response) -> str:
    return unescape(response.body.decode("utf-8", "replace"))


def form_pages(site: Site) -> list[str]:
    return [site.path(page) for page, forms in site.form_pages.items() if any(f.is_search for f in forms)]


def test_databases_take_manners_in_turn_and_are_plain_otherwise(truth: Truth) -> None:
    sites = truth.world.databases[: len(MANNERS)]
    databases = [site.plan.database for site in sites if site.plan.database]

    assert len(databases) == len(MANNERS)
    assert {(plan.style, plan.size, plan.has_details) for plan in databases} == {("box", SIZE, True)}
    assert {site.plan.language for site in sites} == {"en"}
    assert {site.plan.robots.kind for site in sites} == {"allow_all"}
    assert not any(site.plan.traps for site in sites)


def test_no_drawn_site_has_such_manners() -> None:
    world = World(7, 200, pages_per_site=6, largest_database=50)
    usual = {name: DatabasePlan.__dataclass_fields__[name].default for name in (
        "asks_nofollow", "bare_status", "nothing_status", "too_many_status", "keeps_empty", "carries_back", "two_addresses",
    )}  # fmt: skip

    for site in world.databases:
        plan = site.plan.database
        assert plan is not None
        assert {name: getattr(plan, name) for name in usual} == usual
        assert plan.paging not in ("bracketed", "opaque")
        behaviour = plan.behaviour
        assert (behaviour.total, behaviour.wildcard, behaviour.stop_words_find_all) == ("found", "", False)
    world.close()


def test_a_manner_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="no manner called 'rude'"):
        World(1, 2, manners=["rude"])


def test_the_search_asks_not_to_be_followed(truth: Truth) -> None:
    site, plain = site_with(truth, "nofollow"), site_with(truth, "plain")

    for path in form_pages(site):
        assert NOFOLLOW in text_of(get(site, path))
    assert NOFOLLOW in text_of(asked(site, "the"))
    assert NOFOLLOW not in text_of(asked(plain, "the"))


@pytest.mark.parametrize("status", [400, 404])
def test_the_page_of_the_form_is_an_error_while_nothing_is_asked(truth: Truth, status: int) -> None:
    site = site_with(truth, f"bare_{status}")

    assert form_pages(site) == [site.search_action]
    bare = get(site, site.search_action)
    assert (bare.status, "<form" in text_of(bare).lower()) == (status, True)
    assert asked(site, "the").status == 200
    assert get(site, "/").status == 200


@pytest.mark.parametrize(
    ("manner", "words", "kind", "status"),
    [
        ("nothing_404", "qzxvwy", "answer:no_results", 404),
        ("nothing_404", "the", "answer:results", 200),
        ("too_many_500", "the", "answer:too_many", 500),
        ("too_many_500", "qzxvwy", "answer:no_results", 200),
    ],
)
def test_the_status_says_what_was_found(
    truth: Truth, manner: str, words: str, kind: str, status: int
) -> None:
    site = site_with(truth, manner)

    assert (found(site, words) > TOO_MANY) == (words == "the")
    assert (asked(site, words).kind, asked(site, words).status) == (kind, status)


@pytest.mark.parametrize(
    ("manner", "says"),
    [("more_than", f"More than {CAP}"), ("silent_cap", f"\\b{CAP}\\b"), ("untold_cap", "Results")],
)
def test_a_cap_is_told_as_a_bound_or_not_at_all(truth: Truth, manner: str, says: str) -> None:
    site = site_with(truth, manner)

    heading = re.search(r"<h1[^>]*>([^<]*)", text_of(asked(site, "the")))
    in_all = found(site, "the")

    assert in_all > CAP
    assert heading
    assert re.search(says, heading[1], re.IGNORECASE)
    assert str(in_all) not in heading[1]
    assert len(outcome(site, [(box_of(site).name, "the")], 0).found) == in_all  # the truth knows better


@pytest.mark.parametrize("manner", ["bracketed", "opaque"])
def test_pages_are_turned_by_what_only_the_site_understands(truth: Truth, manner: str) -> None:
    site = site_with(truth, manner)
    name, _ = paging_name(site)
    seen: list[int] = []
    answer = asked(site, "the")
    turned = 1
    while True:
        seen += answer.records
        links = [link for link in answer.links if re.search(rf"[?&]{name}=", link)]
        ahead = (
            links[-1:] if manner == "opaque" else [at for at in links if at.endswith(f"{name}={20 * turned}")]
        )
        if not ahead or len(seen) >= found(site, "the"):
            break
        answer, turned = get(site, ahead[0]), turned + 1

    assert name not in ("page", "start", "offset")
    assert len(seen) == len(set(seen)) == found(site, "the")
    assert ("[2]" in text_of(asked(site, "the"))) == (manner == "bracketed")


@pytest.mark.parametrize(
    ("manner", "words"), [("empty", ""), ("wildcard", "*"), ("stop_words", "the"), ("stop_words", "of the")]
)
def test_everything_is_listed_to_who_asks_for_it(truth: Truth, manner: str, words: str) -> None:
    site, plain = site_with(truth, manner), site_with(truth, "plain")

    answer = asked(site, words)

    assert answer.kind == "answer:results"
    ahead = [link for link in answer.links if link.startswith(site.search_action)]
    assert [get(site, link).kind for link in ahead] == ["answer:results"]
    assert found(site, words) == SIZE
    assert words == "" or truth.matching(site.plan.host, Query(words)) == set(range(1, SIZE + 1))
    assert len(outcome(plain, [(box_of(plain).name, words)], 0).found) < SIZE


@pytest.mark.parametrize(
    ("manner", "carried"), [("back", {"back"}), ("highlight", {"from"}), ("two_addresses", {"op"})]
)
def test_addresses_of_records_carry_what_makes_no_difference(
    truth: Truth, manner: str, carried: set[str]
) -> None:
    site = site_with(truth, manner)
    answer = asked(site, "the")

    records = [link for link in answer.links if site.record_at(link) is not None]
    names = {name for link in records for name, _ in split_parameters(link.partition("?")[2], "utf-8")}

    assert len(records) == len(answer.records) * (2 if manner == "two_addresses" else 1)
    assert carried <= names
    assert {site.record_at(link) for link in records} == set(answer.records)
    assert all(get(site, link).records == (site.record_at(link),) for link in records)
    same = {truth.identity(f"http://{site.plan.host}{link}") for link in records}
    assert same == {f"http://{site.plan.host}{site.record_path(r)}" for n in answer.records if (r := site.record(n, 0))}  # fmt: skip


def test_an_outage_may_begin_after_some_requests_and_end_after_others() -> None:
    faults = Faults(seed=1)
    faults.add(Fault("503", "a.example", path="/find", left=2, after=3))

    hit = [faults.hitting("a.example", path, 0) is not None for path in ["/find", "/"] * 7]

    assert hit[::2] == [False] * 3 + [True] * 2 + [False] * 2
    assert not any(hit[1::2])
