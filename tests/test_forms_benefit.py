"""Asking what is expected to bring the most new records, against databases in memory."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks._surface_site import Database, Manner, Shown, Site
from hiddenweb.forms.benefit import Benefit, Read

PAGE = 20


def database(records: int = 1_500, seed: int = 1) -> Database:
    """Texts of words that are as common as words are: the k-th one k times rarer than the first."""
    chance = Random(seed)
    words = [f"{chance.choice('bcdfglmnprst')}{chance.choice('aeiou')}{at:03d}x" for at in range(800)]
    weights = [1 / (at + 3) for at in range(800)]
    texts = [" ".join(chance.choices(words, weights, k=chance.randrange(6, 25))) for _ in range(records)]
    return Database("generated", [Shown(text, {}) for text in texts])


def ask(policy: Benefit, site: Site, words: tuple[str, ...]) -> int:
    """Ask a site as a crawl does, page by page; return how many records were new."""
    answer = site.ask(words)
    found: list[int] = []
    pages: list[tuple[int, int]] = []
    had_more = False
    for at in range(0, len(answer.records), PAGE):
        if pages and not policy.worth_turning(pages):
            had_more = True
            break
        page = answer.records[at : at + PAGE]
        pages.append((len(page), sum(not policy.seen.knows(record) for record in page)))
        found += page
        site.pages += 1
    held = [(record, site.database.words[record]) for record in found]
    return policy.answered(words, Read(held, answer.total, had_more))


def harvest(policy: Benefit, site: Site, questions: int, first: str) -> list[tuple[str, ...]]:
    asked: list[tuple[str, ...]] = [(first,)]
    policy.asks((first,))
    ask(policy, site, (first,))
    while len(asked) < questions and (wanted := policy.next()):
        ask(policy, site, wanted.words)
        asked.append(wanted.words)
    return asked


@pytest.fixture(scope="module")
def held() -> Database:
    return database()


@pytest.fixture(scope="module")
def first(held: Database) -> str:
    return min((word for word in held.vocabulary if held.frequency(word) == 9), default="")


def test_it_has_nothing_to_ask_before_anything_was_met() -> None:
    assert Benefit("en").next() is None


def test_nothing_is_asked_twice(held: Database, first: str) -> None:
    asked = harvest(Benefit("en"), Site(held, Manner(cap=50)), 80, first)
    assert len({frozenset(words) for words in asked}) == len(asked) == 80


def test_it_finds_more_than_by_frequency(held: Database, first: str) -> None:
    manner = Manner(cap=50, order="number")
    policy = Benefit("en")
    harvest(policy, Site(held, manner), 60, first)

    by_frequency = Benefit("en")
    site = Site(held, manner)
    asked = {first}
    ask(by_frequency, site, (first,))
    while site.queries < 60:
        frequent = by_frequency.seen.most_frequent(len(asked) + 1)
        word = next(each for number in frequent if (each := by_frequency.seen.words[number]) not in asked)
        asked.add(word)
        ask(by_frequency, site, (word,))
    assert len(policy.seen) > 1.2 * len(by_frequency.seen)


def test_without_a_cap_it_needs_few_questions(held: Database, first: str) -> None:
    policy, site = Benefit("en"), Site(held, Manner())
    harvest(policy, site, 25, first)
    assert len(policy.seen) > 0.85 * len(held)
    assert site.pages < 2.5 * len(held) / PAGE


def test_what_it_expects_is_what_comes_in_the_mean(held: Database, first: str) -> None:
    policy, site = Benefit("en"), Site(held, Manner(cap=50))
    harvest(policy, site, 20, first)
    expected, came = 0.0, 0
    for _ in range(60):
        wanted = policy.next()
        assert wanted is not None
        expected += wanted.expected
        came += ask(policy, site, wanted.words)
    assert expected == pytest.approx(came, rel=0.25)


def test_it_does_with_hidden_totals(held: Database, first: str) -> None:
    said, hidden = Benefit("en"), Benefit("en")
    harvest(said, Site(held, Manner(cap=50)), 60, first)
    harvest(hidden, Site(held, Manner(cap=50, says_total=False)), 60, first)
    assert hidden.reach.most == 50
    assert len(hidden.seen) > 0.85 * len(said.seen)


def test_it_learns_which_words_are_too_short(held: Database) -> None:
    records = [Shown(f"ab cd {text.text}", {}) for text in held.shown]
    policy, site = Benefit("en"), Site(Database("short", records), Manner(cap=50, shortest=3))
    asked = harvest(policy, site, 50, next(iter(held.vocabulary)))
    assert sum(len(word) < 3 for words in asked for word in words) <= 2


def test_words_that_many_records_share_are_asked_together_when_no_word_alone_is_left() -> None:
    chance = Random(4)
    records = [
        Shown(" ".join({f"{kind}{chance.randrange(12)}" for kind in ("colour", "shape", "place")}), {})
        for _ in range(2_000)
    ]
    policy, site = Benefit("en"), Site(Database("grid", records), Manner(cap=50))
    asked = harvest(policy, site, 150, "colour1")
    assert any(len(words) > 1 for words in asked)
    assert len(policy.seen) > 0.75 * len(
        records
    )  # 36 words alone show 1,800 at best, with all their overlaps


def test_the_numbers_a_site_says_tell_its_size(held: Database, first: str) -> None:
    policy = Benefit("en")
    harvest(policy, Site(held, Manner(cap=50)), 30, first)
    assert len(policy.seen) < 0.7 * len(held)
    assert policy.stand_ins.total == pytest.approx(len(held), rel=0.15)


def test_it_says_why(held: Database, first: str) -> None:
    policy, site = Benefit("en"), Site(held, Manner(cap=50))
    harvest(policy, site, 5, first)
    wanted = policy.next()
    assert wanted is not None
    assert f"records hold {wanted.words[0]!r}" in wanted.why
    assert "new ones are expected" in wanted.why
