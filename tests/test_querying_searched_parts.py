"""Which parts of records a search reads: words of parts that find nothing are no longer submitted."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.record_words import NUMBER, TEXT, TITLE, RecordWords
from hiddenweb.querying.searched_parts import SearchedParts
from hiddenweb.querying.seed_words import SeedWords
from hiddenweb.querying.strategy import QueryStrategy
from hiddenweb.querying.vocabulary_index import VocabularyIndex
from simweb.database import Database
from simweb.search import Query
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from simweb.site import Site


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """Yield a site with a database of several hundred records."""
    world = World(11, 96, pages_per_site=8, largest_database=600)
    sites = Truth(world).sites(databases=True)
    homes = [each for each in sites if each.catalogue.topic.name == "homes" and each.plan.language == "en"]
    yield max(homes, key=lambda each: each.catalogue.size)
    world.close()


class Search:
    """Queries a database as a crawl would, and counts the records found."""

    def __init__(self, site: Site, folder: Path, *, titles_only: bool) -> None:
        plan = site.plan.database
        assert plan is not None
        behaviour = replace(
            plan.behaviour, titles_only=titles_only, matching="all", cap=None, too_many=None, shortest_word=1,
            drops_stop_words=False,
        )  # fmt: skip
        self.database = Database(
            folder / "titles.sqlite", site.catalogue, behaviour, site.database(0).life, site.database(0).hand
        )
        self.database.sync(0)
        self.site = site
        self.found_numbers: set[int] = set()
        self.found: list[int] = []

    def submit_all(self, strategy: QueryStrategy, most: int) -> None:
        """Submit queries until the form is exhausted, or so many records were found."""
        while len(self.found) < most and (proposal := strategy.next()) is not None:
            strategy.note_query(proposal)
            numbers = self.database.search(Query(" ".join(proposal.words)))
            strategy.read([(number, self.words(number)) for number in numbers], len(numbers))
            strategy.end_answer()
            self.found_numbers.update(numbers)
            self.found.append(len(numbers))
        self.database.close()

    def words(self, number: int) -> RecordWords:
        """Return the words that the site shows of a record: its title, its attributes, its text."""
        record, topic = self.site.catalogue.record(number), self.site.catalogue.topic
        named = [
            (attribute.name, value)
            for attribute, value in zip(topic.attributes, record.values, strict=True)
            if value
        ]
        shown = "\n".join((record.title, *(f"{name}: {value}" for name, value in named), record.text))
        return RecordWords(record.title, shown, named, language="en")


def test_words_of_titles_are_submitted_where_only_titles_are_searched(site: Site, tmp_path: Path) -> None:
    search = Search(site, tmp_path, titles_only=True)
    seed_words = SeedWords("en")
    seed_words.learn("\n".join(site.catalogue.record(number).title for number in (1, 2, 3)))
    policy = BenefitPolicy("en")

    search.submit_all(QueryStrategy(policy, seed_words, language="en"), most=150)

    title, text = policy.knowledge.parts.weights([TITLE, TEXT])
    assert (title, text < 0.1) == (1.0, True)
    assert len(search.found_numbers) >= 0.6 * site.catalogue.size


def test_a_part_is_believed_to_be_searched_until_words_of_it_find_nothing() -> None:
    parts = SearchedParts()
    before = parts.weights([TITLE, TEXT])

    for _ in range(4):
        parts.learn(TITLE, 1, 1)
        parts.learn(TEXT, 0, 1)
    there = SearchedParts()
    there.restore(json.loads(json.dumps(parts.to_json())))

    assert before == [1.0, 1.0]
    title, text, unknown = there.weights([TITLE, TEXT, "author"])
    assert title == 1.0
    assert text < 0.25
    assert unknown > 0.85


def test_the_more_records_were_not_found_the_less_is_expected_of_a_part() -> None:
    few, many = SearchedParts(), SearchedParts()
    for parts, held in ((few, 1), (many, 100)):
        for _ in range(5):
            parts.learn(TITLE, 1, 1)
            parts.learn(TEXT, 0, held)

    assert many.weights([TITLE, TEXT])[1] < 0.1 * few.weights([TITLE, TEXT])[1]


def test_words_are_counted_by_their_part() -> None:
    seen = VocabularyIndex()
    seen.add(1, RecordWords("Red fox", "Red fox by Ann 1999", [("author", "Ann")]))
    seen.add(2, RecordWords("Ann", "about a fox"))
    numbers = [seen.find(word) for word in ("fox", "ann", "1999")]
    assert None not in numbers

    by_part = {
        part: counts.tolist()
        for part, counts in zip(seen.parts, seen.counts_by_part([n for n in numbers if n is not None]), strict=True)  # type: ignore[arg-type]
    }  # fmt: skip

    assert by_part == {TEXT: [1, 0, 0], TITLE: [1, 1, 0], "author": [0, 1, 0], NUMBER: [0, 0, 1]}
    fox = seen.find("fox")
    assert fox is not None
    assert [seen.part_at(0, fox), seen.part_at(1, fox)] == [TITLE, TEXT]


def test_frequent_words_of_unsearched_parts_are_not_expected_to_find_too_much() -> None:
    chance, most = Random(5), 230
    names = [f"n{at}a n{at % 40}b{' mail' if at % 5 == 0 else ''}" for at in range(400)]
    texts = [f"seen by n{chance.randrange(400)}a and n{chance.randrange(40)}b with mail" for _ in names]
    policy, submitted = BenefitPolicy("en", most_words=1), [f"n{at}b" for at in range(25)]

    for turn in range(40):
        if turn >= len(submitted):
            proposal = policy.next()
            assert proposal is not None
            submitted.extend(proposal.words)
        found = [at for at, name in enumerate(names) if submitted[turn] in name.split()]
        shown = found if len(found) <= most else []
        policy.note_query([submitted[turn]])
        policy.read([(at + 1, RecordWords(names[at], texts[at], [("name", names[at])])) for at in shown])
        policy.end_answer(had_more=not shown and len(found) > most)
        if not turn:
            policy.reach.note_refusal(most)  # as a word that found more than that has shown

    assert "mail" in submitted, "80 records hold it in their names, and all in their texts"
