"""The benchmark `surface`: its sites answer as they should, its oracle is greedy, and its figures are what they are called."""

from __future__ import annotations

from math import isnan, log
from random import Random

import pytest

from benchmarks import Options, surface
from benchmarks._surface_oracle import greedy, greedy_with_pairs
from benchmarks._surface_site import Database, Manner, Shown, Site, tokens
from benchmarks.surface import POLICIES, Case, Job, Run, done, generate_records

TEXTS = (
    "Red house by the sea",
    "red red boat",
    "The Sea, the sea and nothing but the sea of a very long text about it",
    "Été à la mer",
    "boat house",
)


@pytest.fixture
def small() -> Database:
    return Database(
        "small", [Shown(text, {"length": "long" if len(text) > 20 else "short"}) for text in TEXTS]
    )


def test_words_are_compared_without_case_and_accents() -> None:
    assert tokens("Été à la MER, 1999") == ["ete", "a", "la", "mer", "1999"]


def test_all_words_have_to_be_held(small: Database) -> None:
    assert small.find(("red", "boat"), (), "number") == [1]
    assert small.find(("red", "sea", "boat"), (), "number") == []
    assert small.find(("nowhere",), (), "number") == []


def test_choices_restrict_words(small: Database) -> None:
    assert small.find(("red",), (("length", "short"),), "number") == [0, 1]
    assert small.find((), (("length", "long"),), "number") == [2]
    assert small.find(("boat",), (("length", "long"),), "bm25") == []


def test_the_best_come_first_or_the_first(small: Database) -> None:
    assert small.find(("red",), (), "bm25") == [1, 0]  # twice in a shorter text
    assert small.find(("red",), (), "number") == [0, 1]


@pytest.mark.parametrize("seed", range(3))
def test_several_words_are_ordered_by_bm25(seed: int) -> None:
    chance = Random(seed)
    texts = [f"x{' y' * chance.randrange(5)}{' z' * chance.randrange(9)}" for _ in range(50)]
    database = Database("scored", [Shown(text, {}) for text in texts])
    split = [text.split() for text in texts]
    mean = sum(map(len, split)) / 50

    def score(number: int) -> float:
        total = 0.0
        for word in ("y", "z"):
            held = sum(word in words for words in split)
            times = split[number].count(word)
            norm = 1.2 * (1 - 0.75 + 0.75 * len(split[number]) / mean)
            total += log(1 + (50 - held + 0.5) / (held + 0.5)) * times / (times + norm)
        return total

    found = database.find(("y", "z"), (), "bm25")
    assert set(found) == {at for at, words in enumerate(split) if {"y", "z"} <= set(words)}
    scores = [score(number) for number in found]
    assert scores == pytest.approx(sorted(scores, reverse=True), abs=1e-6)


def test_a_site_shows_no_more_than_its_cap_and_says_what_it_found(small: Database) -> None:
    answer = Site(small, Manner(cap=1)).ask(("sea",))
    assert (len(answer.records), answer.total, answer.found) == (1, 2, 2)
    silent = Site(small, Manner(cap=1, says_total=False)).ask(("sea",))
    assert (len(silent.records), silent.total, silent.found) == (1, None, 2)


def test_short_words_are_ignored_beside_others_and_find_nothing_alone(small: Database) -> None:
    site = Site(small, Manner(shortest=3))
    assert site.ask(("by", "house")).found == site.ask(("house",)).found == 2
    assert site.ask(("by",)).found == 0


def test_the_oracle_takes_what_is_best_at_every_step() -> None:
    database = generate_records("a", 300)
    site = Site(database, Manner(cap=20))
    seen: set[int] = set()
    for step, (known, _) in enumerate(greedy(site)):
        answers = (database.find((word,), (), "bm25")[:20] for word in database.vocabulary)
        best = max(answers, key=lambda records: len(set(records) - seen))
        assert known == len(seen) + len(set(best) - seen)
        # several words may be as good: go on with what the oracle has by asking it anew
        if step == 2:
            return
        seen = _seen_after(site, step + 1)


def _seen_after(site: Site, steps: int) -> set[int]:
    """Return what the oracle has seen, by doing plainly what it does lazily."""
    database, seen = site.database, set[int]()
    counts = [known for known, _ in greedy(site)][:steps]
    for wanted in counts:
        for word in sorted(database.vocabulary):
            new = set(database.find((word,), (), "bm25")[: site.manner.cap]) - seen
            if len(seen) + len(new) == wanted:
                seen |= new
                break
    return seen


def test_the_oracle_by_pages_begins_with_full_pages() -> None:
    site = Site(generate_records("b", 400), Manner())
    known, pages = next(iter(greedy(site, by_page=True)))
    assert known == 20 * pages


def test_pairs_reach_what_single_words_do_not() -> None:
    """Nine kinds of records of which all words are common: alone they show ten of each, in pairs more."""
    records = [Shown(f"a{at % 3} b{at // 3 % 3} c{at}", {}) for at in range(180)]
    site = Site(
        Database("grid", [Shown(each.text.rpartition(" ")[0], {}) for each in records]), Manner(cap=10)
    )
    alone = [known for known, _ in greedy(site)][-1]
    steps = [known for known, _ in greedy_with_pairs(site)]
    assert steps == sorted(steps)
    assert steps[-1] > alone


@pytest.mark.parametrize("policy", [*POLICIES, "oracle", "oracle with pairs"])
def test_every_policy_gets_somewhere_and_stops(policy: str) -> None:
    case = Case("small", Manner(cap=30), 40, 40)
    run = done(Job("books", case, policy, 1, None))
    assert 0 < len(run.known) <= 40
    assert run.known == sorted(run.known)
    assert run.known[-1] > 100
    assert run.pages[-1] >= run.known[-1] / 20


def test_shares_are_reached_at_their_first_question() -> None:
    run = Run(10, known=[2, 5, 9, 10], pages=[1, 3, 6, 8])
    assert (run.questions_to(0.5), run.pages_to(0.5)) == (2, 3)
    assert (run.questions_to(0.9), run.pages_to(0.9)) == (3, 6)
    assert run.count_after(2) == 5
    assert run.count_after(100) == 10
    assert isnan(Run(20, [5], [1]).questions_to(0.9))


def test_a_run_of_single_cases_is_known_for_one() -> None:
    def is_full(*further: str) -> bool:
        return surface.is_full(Options(quick=False, seed=7, data=None, further=further))

    assert is_full()
    assert not is_full("--case", "c")
    assert not is_full("--ours")


def test_a_case_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(SystemExit, match="no case begins with x"):
        surface.run(Options(quick=True, seed=7, data=None, further=("--case", "x")))
