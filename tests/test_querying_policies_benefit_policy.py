"""Submitting what is expected to bring the most new records, to databases in memory."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from benchmarks._surface_site import Database, Manner, Shown, Site, put
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.query import LedgerEntry, QueryProposal

PAGE = 20


def database(records: int = 1_500, seed: int = 1) -> Database:
    """Texts of words that are as common as words are: the k-th one k times rarer than the first."""
    chance = Random(seed)
    words = [f"{chance.choice('bcdfglmnprst')}{chance.choice('aeiou')}{at:03d}x" for at in range(800)]
    weights = [1 / (at + 3) for at in range(800)]
    texts = [" ".join(chance.choices(words, weights, k=chance.randrange(6, 25))) for _ in range(records)]
    return Database("generated", [Shown(text, {}) for text in texts])


def submit(policy: BenefitPolicy, site: Site, word: str) -> int:
    return put(QueryProposal((word,), 0.0, "a test wants it"), policy, site)


def harvest(policy: BenefitPolicy, site: Site, queries: int, first: str = "") -> list[tuple[str, ...]]:
    """Submit so many queries, and return them."""
    submitted: list[tuple[str, ...]] = []
    if first:
        submit(policy, site, first)
        submitted.append((first,))
    while len(submitted) < queries and (proposal := policy.next()):
        put(proposal, policy, site)
        if not proposal.continues:
            submitted.append(proposal.words)
    return submitted


@pytest.fixture(scope="module")
def held() -> Database:
    return database()


@pytest.fixture(scope="module")
def first(held: Database) -> str:
    return min((word for word in held.vocabulary if held.frequency(word) == 9), default="")


def test_it_has_no_query_before_any_record() -> None:
    assert BenefitPolicy("en").next() is None


def test_nothing_is_submitted_twice(held: Database, first: str) -> None:
    submitted = harvest(BenefitPolicy("en"), Site(held, Manner(cap=50)), 80, first)
    assert len({frozenset(words) for words in submitted}) == len(submitted) == 80


def test_it_finds_more_than_by_frequency(held: Database, first: str) -> None:
    manner = Manner(cap=50, order="number")
    policy = BenefitPolicy("en")
    harvest(policy, Site(held, manner), 60, first)

    by_frequency = BenefitPolicy("en")
    site = Site(held, manner)
    submitted = {first}
    submit(by_frequency, site, first)
    while site.queries < 60:
        frequent = by_frequency.vocabulary.most_frequent(len(submitted) + 1)
        word = next(
            each for number in frequent if (each := by_frequency.vocabulary.words[number]) not in submitted
        )
        submitted.add(word)
        submit(by_frequency, site, word)
    assert len(policy.vocabulary) > 1.2 * len(by_frequency.vocabulary)


def test_without_a_cap_it_needs_few_queries_and_pages(held: Database, first: str) -> None:
    policy, site = BenefitPolicy("en"), Site(held, Manner())
    submit(policy, site, first)
    while len(policy.vocabulary) < 0.9 * len(held):
        proposal = policy.next()
        assert proposal is not None
        put(proposal, policy, site)
    assert site.queries < 40
    assert site.pages <= 2 * len(held) / PAGE


def test_an_unfinished_answer_is_resumed(held: Database, first: str) -> None:
    policy, site = BenefitPolicy("en", query_cost=1.0), Site(held, Manner())
    submit(policy, site, first)
    left: list[QueryProposal] = []
    while len(left) < 2 and (proposal := policy.next()):
        put(proposal, policy, site)
        if proposal.continues:
            left.append(proposal)
    assert all(proposal.expected > 0 and "pages left" in proposal.why for proposal in left)
    assert len(left) == 2


def test_it_expects_the_mean_of_the_results(held: Database, first: str) -> None:
    policy, site = BenefitPolicy("en"), Site(held, Manner(cap=50))
    harvest(policy, site, 20, first)
    expected, came = 0.0, 0
    for _ in range(60):
        proposal = policy.next()
        assert proposal is not None
        expected += proposal.expected
        came += put(proposal, policy, site)
    assert expected == pytest.approx(came, rel=0.25)


def test_it_works_without_totals(held: Database, first: str) -> None:
    said, hidden = BenefitPolicy("en"), BenefitPolicy("en")
    harvest(said, Site(held, Manner(cap=50)), 60, first)
    harvest(hidden, Site(held, Manner(cap=50, says_total=False)), 60, first)
    assert hidden.reach.most == 50
    assert len(hidden.vocabulary) > 0.85 * len(said.vocabulary)


def test_it_learns_which_words_are_too_short(held: Database) -> None:
    records = [Shown(f"ab cd {text.text}", {}) for text in held.shown]
    policy, site = BenefitPolicy("en"), Site(Database("short", records), Manner(cap=50, shortest=3))
    submitted = harvest(policy, site, 50, next(iter(held.vocabulary)))
    assert sum(len(word) < 3 for words in submitted for word in words) <= 2


def test_frequent_words_are_submitted_together_when_no_single_word_is_left() -> None:
    chance = Random(4)
    records = [
        Shown(" ".join(f"{kind}{chance.randrange(12)}" for kind in ("colour", "shape", "place")), {})
        for _ in range(2_000)
    ]
    policy, site = BenefitPolicy("en"), Site(Database("grid", records), Manner(cap=50))
    submitted = harvest(policy, site, 150, "colour1")
    assert any(len(words) > 1 for words in submitted)
    assert len(policy.vocabulary) > 0.7 * len(records)  # 36 words alone show 1,200 with all their overlaps


def test_the_totals_of_a_site_show_its_size(held: Database, first: str) -> None:
    policy = BenefitPolicy("en")
    harvest(policy, Site(held, Manner(cap=50)), 40, first)
    assert len(policy.vocabulary) < 0.7 * len(held)
    estimate = policy.estimate()
    assert estimate is not None
    assert estimate.size == pytest.approx(len(held), rel=0.15)
    assert estimate.low < len(held) < estimate.high


def test_it_says_why(held: Database, first: str) -> None:
    policy, site = BenefitPolicy("en"), Site(held, Manner(cap=50))
    harvest(policy, site, 5, first)
    proposal = policy.next()
    assert proposal is not None
    assert f"records hold {proposal.words[0]!r}" in proposal.why
    assert "new ones are expected" in proposal.why


def interrupt_answer(policy: BenefitPolicy, ledger: dict[tuple[str, ...], LedgerEntry]) -> BenefitPolicy:
    """Return what another process makes of what is in the store."""
    again = BenefitPolicy("en")
    vocabulary = policy.vocabulary
    records = [
        (
            key,
            [vocabulary.words[word] for word in vocabulary.words_at(place)],
            int(vocabulary.times_found[place]),
        )
        for place, key in enumerate(vocabulary.keys)
    ]
    again.restore(policy.to_json(), records, ledger.values())
    return again


def test_another_process_knows_which_answers_showed_records_first(held: Database, first: str) -> None:
    policy, site = BenefitPolicy("en"), Site(held, Manner(cap=50))
    ledger: dict[tuple[str, ...], LedgerEntry] = {}
    proposal: QueryProposal | None = QueryProposal((first,), 0.0, "to begin with")
    for _ in range(20):
        assert proposal is not None
        new = put(proposal, policy, site)
        ledger[proposal.words] = LedgerEntry(proposal.words, (), 50, new, None, left=False)
        proposal = policy.next()

    again = interrupt_answer(policy, ledger)

    assert again.vocabulary.sums_of_all().answers == policy.vocabulary.sums_of_all().answers > 10
    here = policy.vocabulary.most_frequent(100)
    there = np.array([again.vocabulary.number(policy.vocabulary.words[word]) for word in here])
    assert list(policy.vocabulary.sums_of(here).answers) == list(again.vocabulary.sums_of(there).answers)


def harvest_with_kills(site: Site, queries: int, first: str, *, every: int, chance: Random) -> BenefitPolicy:
    policy = BenefitPolicy("en")
    ledger: dict[tuple[str, ...], LedgerEntry] = {}
    proposal: QueryProposal | None = QueryProposal((first,), 0.0, "to begin with")
    while proposal is not None and site.queries < queries:
        policy.note_query(proposal.words, continues=proposal.continues)
        before = ledger.pop(proposal.words, None)
        found, new = (before.found, before.new) if before else (0, 0)
        while True:
            page = site.turn(proposal.words)
            new += policy.read(page.records, page.total)
            found += len(page.records)
            if chance.randrange(every) == 0:
                policy = interrupt_answer(policy, ledger)
            if not page.has_next or not policy.is_worth_turning():
                break
        policy.end_answer(had_more=page.has_next)
        ledger[proposal.words] = LedgerEntry(proposal.words, (), found, new, page.total, left=page.has_next)
        if chance.randrange(every) == 0:
            policy = interrupt_answer(policy, ledger)
        proposal = policy.next()
    return policy


@pytest.mark.parametrize("manner", [Manner(cap=50), Manner(cap=50, says_total=False), Manner()], ids=str)
def test_kills_at_any_page_cost_nothing(held: Database, first: str, manner: Manner) -> None:
    whole = harvest_with_kills(Site(held, manner), 60, first, every=10**9, chance=Random(1))
    killed = harvest_with_kills(Site(held, manner), 60, first, every=20, chance=Random(2))
    assert len(killed.vocabulary) > 0.97 * len(whole.vocabulary)


def test_the_state_saved_with_every_query_stays_small(held: Database, first: str) -> None:
    policy, site = BenefitPolicy("en"), Site(held, Manner(cap=50))
    harvest(policy, site, 30, first)
    small = len(policy.to_json())
    harvest(policy, site, 100)
    assert len(policy.to_json()) < 1.1 * small < 10_000


def best_of_short_answers(held: Database, longest: int, queries: int) -> set[int]:
    """Return the records that perfect knowledge reaches with words that find no more than so many."""
    answers = [set(held.numbers(word)) for word in held.vocabulary if held.frequency(word) <= longest]
    known: set[int] = set()
    for _ in range(queries):
        known |= max(answers, key=lambda found: len(found - known))
    return known


def test_it_works_on_a_site_that_shows_nothing_of_too_long_answers(held: Database, first: str) -> None:
    policy, site = BenefitPolicy("en"), Site(held, Manner(refuses_above=60))
    submitted = harvest(policy, site, 120, first)
    assert policy.reach.refused is not None
    assert policy.reach.refused > 60
    refused = [site.ask(words).found > 60 for words in submitted]
    assert sum(refused[60:]) < 20
    assert len(policy.vocabulary) > 0.8 * len(best_of_short_answers(held, 60, 120))


def test_cut_answers_without_totals_give_a_lower_bound_only() -> None:
    benefit = BenefitPolicy("en")
    for query in range(6):
        benefit.note_query([f"word{query}"])
        benefit.read([(query * 10 + n, [f"word{query}", f"other{n}"]) for n in range(20)])
        benefit.end_answer(cut=True)

    estimate = benefit.estimate()
    assert estimate is not None
    assert estimate.is_bound
    again = BenefitPolicy("en")
    again.restore(benefit.to_json(), [], [])
    assert again.small_state()["shown"] == [0, 120]


def test_the_highest_total_is_a_lower_bound_while_an_answer_is_read() -> None:
    benefit = BenefitPolicy("en")
    benefit.note_query(["wine"])
    benefit.read([(n, ["wine", f"other{n}"]) for n in range(10)], 1205)

    estimate = benefit.estimate()
    assert estimate is not None
    assert estimate.low >= 1205
