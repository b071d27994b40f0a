"""The databases answer through SQLite's index what a plain reading of every record says."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from simweb.catalogue import Record
from simweb.forms import STYLES, query_of
from simweb.plan import MATCHINGS
from simweb.search import Behaviour, Query, matches, query_tokens, searchable_text, tokens
from simweb.topics import Attribute, Topic
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator

    from simweb.site import Site


@pytest.fixture(scope="module")
def truth() -> Iterator[Truth]:
    world = World(11, 96, pages_per_site=8, largest_database=120)
    yield Truth(world)
    world.close()


def site_of(truth: Truth, turn: int) -> Site:
    return list(truth.sites(databases=True))[turn]


def queries_for(site: Site, draw: Random) -> Iterator[Query]:
    """Yield queries of every kind the form knows, most of them about records that exist."""
    attributes = site.catalogue.topic.attributes
    for _ in range(6):
        record = site.record(draw.randint(1, site.catalogue.size), 0)
        assert record is not None
        word = draw.choice(searchable_text(record, site.catalogue.topic).split())
        yield Query(word)
        yield Query(f"{word} {draw.choice(searchable_text(record, site.catalogue.topic).split())}")
        yield Query(word[: max(1, len(word) // 2)].upper())
        yield Query(word, matching=draw.choice(("all", "any", "phrase")))
        attribute = draw.choice(attributes)
        value = site.catalogue.topic.value(record, attribute.name)
        if value:
            yield Query(contains=((attribute.name, value.split()[0]),))
            yield Query(equals=((attribute.name, (value,)),))
            yield Query(word, equals=((attribute.name, (value, "nothing")),))
            yield Query(at_least=((attribute.name, value),), at_most=((attribute.name, "9999"),))
    yield Query("qzxvwy")
    yield Query("... !!!")


@pytest.mark.parametrize("turn", range(40))
def test_index_and_plain_reading_agree(truth: Truth, turn: int) -> None:
    site = site_of(truth, turn)
    queries = list(queries_for(site, Random(turn)))

    answered = {query: set(site.database(0).search(query)) for query in queries}

    assert answered == {query: truth.matching(site.plan.host, query) for query in queries}
    assert any(answered.values())


def test_the_tested_sites_differ_in_every_manner_of_searching(truth: Truth) -> None:
    plans = [site.plan for site in truth.sites(databases=True)]
    manners = [plan.database.behaviour for plan in plans if plan.database]

    assert {plan.database.style for plan in plans if plan.database} == set(STYLES)
    assert {m.matching for m in manners} == set(MATCHINGS)
    for manner in ("stems", "folds_case", "folds_accents", "drops_stop_words", "shows_total", "suggests"):
        assert {getattr(m, manner) for m in manners} == {True, False}, manner
    assert {m.order for m in manners} == {"relevance", "number", "title", "newest"}
    assert {m.empty for m in manners} == {"everything", "error", "form"}
    assert any(m.cap for m in manners)
    assert any(m.too_many for m in manners)
    assert any(m.shortest_word > 1 for m in manners)
    assert any(m.redirects_exact for m in manners)


@pytest.mark.parametrize(
    ("behaviour", "asked", "found"),
    [
        pytest.param(Behaviour(), "golden gate", True, id="all words"),
        pytest.param(Behaviour(), "golden door", False, id="one of two is not all"),
        pytest.param(Behaviour(matching="any"), "golden door", True, id="one of two is any"),
        pytest.param(Behaviour(matching="prefix"), "gol", True, id="the beginning of a word"),
        pytest.param(Behaviour(), "gol", False, id="part of a word is no word"),
        pytest.param(Behaviour(matching="substring"), "den ga", True, id="part of the text"),
        pytest.param(
            Behaviour(matching="phrase"), "gate golden", False, id="words in another order are no phrase"
        ),
        pytest.param(Behaviour(stems=True), "gates", True, id="the stem of the word"),
        pytest.param(Behaviour(), "gates", False, id="without stems a plural is another word"),
        pytest.param(Behaviour(), "GOLDEN", True, id="case does not matter"),
        pytest.param(Behaviour(folds_case=False), "GOLDEN", False, id="case matters"),
        pytest.param(Behaviour(), "cafe", True, id="accents do not matter"),
        pytest.param(Behaviour(folds_accents=False), "cafe", False, id="accents matter"),
        pytest.param(Behaviour(drops_stop_words=True), "the gate", True, id="a stop word is passed over"),
        pytest.param(Behaviour(drops_stop_words=True), "the", False, id="stop words alone find nothing"),
        pytest.param(Behaviour(), "1937", True, id="a year is a word"),
        pytest.param(Behaviour(), "2737", False, id="a length is no word"),
        pytest.param(Behaviour(shortest_word=5), "gate", False, id="too short to be searched"),
        pytest.param(Behaviour(shortest_word=5), "gate golden", True, id="a short word is passed over"),
    ],
)
def test_what_a_search_means(behaviour: Behaviour, asked: str, found: bool) -> None:
    bridges = Topic("bridges", (Attribute("year", "year"), Attribute("length", "number")))
    golden_gate = Record(1, "Golden Gate", ("1937", "2737 m"), "A bridge with a caf\u00e9 beside it.")

    assert matches(golden_gate, bridges, Query(asked), behaviour) is found


def test_unspaced_scripts_are_searched_character_by_character() -> None:
    chinese = Behaviour(language="zh")

    held = tokens("\u6570\u636e\u5e93 SQL", chinese)

    assert held == ["\u6570", "\u636e", "\u5e93", "sql"]
    assert query_tokens("\u636e\u5e93", chinese) == [["\u636e", "\u5e93"]]


def test_a_record_is_returned_by_every_word_the_truth_lists_for_it(truth: Truth) -> None:
    site = next(s for s in truth.sites(databases=True) if s.plan.database and s.plan.database.style == "box")

    words = truth.words_returning(site.plan.host, 7)

    assert len(words) > 5
    assert all(7 in site.database(0).search(Query(word)) for word in words)


def test_the_words_of_a_record_return_it_on_sites_that_stem_too(truth: Truth) -> None:
    stemming = [
        s for s in truth.sites(databases=True) if s.plan.database and s.plan.database.behaviour.stems
    ][:4]

    for site in stemming:
        words = truth.words_returning(site.plan.host, 2)
        assert len(words) > 5
        assert all(2 in site.database(0).search(Query(word)) for word in words), site.plan.host


@pytest.mark.parametrize("style", STYLES)
def test_every_form_has_submissions_that_lead_to_a_record(truth: Truth, style: str) -> None:
    sites = [s for s in truth.sites(databases=True) if s.plan.database and s.plan.database.style == style]

    found = [(site, truth.queries_returning(site.plan.host, 3)) for site in sites]

    assert any(queries for _, queries in found)
    for site, queries in found:
        assert all(3 in truth.answer(site.plan.host, asked).found for asked in queries[:10])


def test_the_oracle_asks_only_what_the_form_answers(truth: Truth) -> None:
    site = next(
        s for s in truth.sites(databases=True) if s.plan.database and s.plan.database.style == "required"
    )

    steps = truth.oracle(site.plan.host, queries=5)

    assert steps
    assert {truth.answer(site.plan.host, list(step.parameters)).kind for step in steps} <= {
        "results",
        "redirect",
    }


def test_the_oracle_is_greedy_and_counts_what_its_queries_really_bring(truth: Truth) -> None:
    site = next(s for s in truth.sites(databases=True) if s.plan.database and s.plan.database.style == "box")

    steps = truth.oracle(site.plan.host, queries=15)

    covered: set[int] = set()
    for step in steps:
        answer = truth.answer(site.plan.host, list(step.parameters))
        result = set(answer.found[: site.plan.database.behaviour.cap])  # type: ignore[union-attr]
        assert len(result - covered) == step.new
        covered |= result
        assert len(covered) == step.covered
    assert [step.new for step in steps] == sorted((step.new for step in steps), reverse=True)


def test_a_finder_is_covered_by_its_choices(truth: Truth) -> None:
    site = next(
        s for s in truth.sites(databases=True) if s.plan.database and s.plan.database.style == "finder"
    )

    steps = truth.oracle(site.plan.host, queries=1000)

    assert steps[-1].covered == sum(1 for _ in truth.records(site.plan.host))


def test_a_submission_is_read_by_the_meaning_of_its_controls(truth: Truth) -> None:
    site = next(
        s for s in truth.sites(databases=True) if s.plan.database and s.plan.database.style == "advanced"
    )
    form = site.search_form
    select = next(field for field in form.fields if field.meaning == "choice")
    box = form.field_meaning("keywords")
    mode = form.field_meaning("matching")
    assert box is not None
    assert mode is not None

    query = query_of(
        form, [(box.name, " sea "), (select.name, select.options[2].value), (mode.name, "or"), ("x", "y")]
    )

    assert query == Query("sea", "any", equals=((select.attribute, (select.options[2].stands_for,)),))


def test_a_record_that_fails_leaves_the_database_as_it_was(
    truth: Truth, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = next(s for s in truth.sites(databases=True) if s.plan.changing_share and s.plan.database)
    database = site.database(0)
    before = database.search(Query())

    with monkeypatch.context() as broken:
        broken.setattr(database.catalogue, "record", lambda *_: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            database.sync(300)

    assert database.search(Query()) == before
    assert site.database(300).search(Query()) != []
    site.database(0)
