"""Which query comes next, when a form is exhausted, and how this continues in another process."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.published import FrequencyPolicy
from hiddenweb.querying.promise_trust import LATEST
from hiddenweb.querying.query import LedgerEntry, QueryProposal
from hiddenweb.querying.query_patience import FIRST_WORDS, LAST_WORDS
from hiddenweb.querying.seed_words import SeedWords
from hiddenweb.querying.strategy import QueryStrategy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WORDS = [
    f"{a}{b}"
    for a in ("ba", "de", "fi", "go", "ku", "la", "mi", "no")
    for b in ("lam", "ner", "sto", "vik", "zur")
]


class Library:
    """Records of some words behind a box, which shows all that hold all submitted words."""

    def __init__(self, size: int, seed: int = 7) -> None:
        chance = Random(seed)
        weights = [1 / (at + 2) for at in range(len(WORDS))]
        self.records = {key: set(chance.choices(WORDS, weights, k=6)) for key in range(size)}

    def find(self, words: Iterable[str]) -> list[tuple[int, Sequence[str]]]:
        return [(key, sorted(held)) for key, held in self.records.items() if held.issuperset(words)]


def new_strategy(text: str, **options: Any) -> QueryStrategy:
    seed_words = SeedWords("xx")
    seed_words.learn(text)
    return QueryStrategy(BenefitPolicy("xx"), seed_words, language="xx", **options)


def answer(strategy: QueryStrategy, proposal: QueryProposal, library: Library | None = None) -> int:
    """Submit a query, read its answer, and return how many records were new."""
    strategy.note_query(proposal)
    found = library.find(proposal.words) if library is not None else []
    new = strategy.read(found, len(found) if library is not None else None)
    strategy.end_answer()
    return new


def run(strategy: QueryStrategy, library: Library | None, most: int = 200) -> list[QueryProposal]:
    submitted: list[QueryProposal] = []
    while len(submitted) < most and (proposal := strategy.next()) is not None:
        answer(strategy, proposal, library)
        submitted.append(proposal)
    return submitted


def test_words_of_the_page_come_before_anything_is_known_and_words_of_records_afterwards() -> None:
    library = Library(400)
    strategy = new_strategy(f"{WORDS[3]} {WORDS[3]}\n{WORDS[3]} tiger")

    first, *others = run(strategy, library)

    assert first.words == (WORDS[3],)
    assert all(word in WORDS for proposal in others[:5] for word in proposal.words)


def test_a_form_is_queried_until_nearly_all_is_known_and_not_much_longer() -> None:
    library = Library(400)
    strategy = new_strategy(WORDS[3])

    submitted = run(strategy, library)

    estimate = strategy.estimate()
    assert estimate is not None
    assert estimate.known >= 0.9 * 400
    assert len(submitted) < len(WORDS)
    assert "more" in strategy.why_not


def test_a_form_that_finds_nothing_is_ended_after_so_many_words() -> None:
    strategy = new_strategy("\n".join(WORDS))

    submitted = run(strategy, None)

    assert len(submitted) == FIRST_WORDS
    assert strategy.why_not == f"{FIRST_WORDS} words found nothing"


def test_a_page_without_words_leaves_no_query() -> None:
    strategy = new_strategy("")

    assert strategy.next() is None
    assert strategy.why_not == "no query is left"


def test_the_last_words_that_are_tried_are_few() -> None:
    library = Library(30)
    strategy = new_strategy("\n".join((WORDS[0], *(f"tiger{letter}" for letter in "abcdefghijklmnopqrst"))))

    submitted = run(strategy, library)

    tried = [proposal for proposal in submitted[1:] if not proposal.expected]
    assert len(tried) <= FIRST_WORDS
    assert len(submitted) <= len(WORDS) + LAST_WORDS


def test_broken_promises_are_not_believed_for_ever() -> None:
    class Promising(FrequencyPolicy):
        def next(self) -> QueryProposal | None:
            chosen = super().next()
            return chosen._replace(expected=5.0) if chosen is not None else None

    strategy = QueryStrategy(Promising("xx"), language="xx")
    strategy.note_query(QueryProposal(("first",), 5.0, ""))
    strategy.read([(key, [f"w{at}x" for at in range(200)]) for key in range(50)])
    strategy.end_answer()

    submitted = 0
    while (proposal := strategy.next()) is not None:
        strategy.note_query(proposal)
        strategy.read([(key, []) for key in range(50)])
        strategy.end_answer()
        submitted += 1

    assert LATEST <= submitted <= 40


def test_queries_that_bring_enough_continue_whatever_was_promised_before() -> None:
    strategy = new_strategy(WORDS[0], least_new=0.5)
    for at in range(30):
        strategy.note_query(QueryProposal((f"w{at}",), 100.0, ""))
        strategy.read([(at, [f"v{at}"])])
        strategy.end_answer()
    proposal = QueryProposal(("other",), 0.6, "")

    assert strategy.trust.is_worth_it(proposal.expected)


def test_suggestions_of_the_site_are_submitted() -> None:
    strategy = new_strategy("\n".join(WORDS[:5]))
    first = strategy.next()
    assert first is not None
    answer(strategy, first)

    strategy.suggest("harbour")

    assert strategy.next() == QueryProposal(
        ("harbour",), 0.0, "'harbour' is a word of its page, or of a list"
    )


def test_an_answer_that_comes_again_after_a_kill_is_read_as_the_one_it_is() -> None:
    library = Library(100)
    strategy = new_strategy("\n".join(WORDS[:5]))
    strategy.note_query(QueryProposal((WORDS[1],), 0.0, ""))

    strategy.begin_answer((WORDS[0],))
    new = strategy.read(library.find([WORDS[0]]))
    strategy.end_answer()
    strategy.begin_answer((WORDS[1],))
    strategy.read(library.find([WORDS[1]]))
    strategy.end_answer()

    assert new == len(library.find([WORDS[0]]))


@pytest.mark.parametrize("queries", [1, 4, 12])
def test_another_process_continues_with_the_same_queries(queries: int) -> None:
    library = Library(300)
    first = new_strategy("\n".join(WORDS[:5]))
    ledger = []
    for proposal in run(first, library, queries):
        found = len(library.find(proposal.words))
        ledger.append(LedgerEntry(proposal.words, (), found, 0, found, left=False))
    estimate = first.estimate()
    vocabulary = first.policy.vocabulary  # type: ignore[attr-defined]
    records = [
        (key, sorted(library.records[key]), int(vocabulary._times_found[place]))
        for key, place in vocabulary._records.items()
    ]
    saved = json.loads(json.dumps(first.to_json()))

    seed_words = SeedWords.from_json(saved[1])
    second = QueryStrategy(BenefitPolicy("xx"), seed_words, language="xx")
    second.restore(saved, records, ledger)

    restored = second.estimate()
    assert estimate is not None
    assert restored is not None
    assert restored.known == estimate.known
    first_proposal, second_proposal = first.next(), second.next()
    assert (first_proposal is None) == (second_proposal is None)
    if second_proposal is not None:
        assert second_proposal.words not in {line.words for line in ledger}


def restored(first: QueryStrategy, library: Library, ledger: Sequence[LedgerEntry]) -> QueryStrategy:
    """Return the strategy that another process restores."""
    vocabulary = first.policy.vocabulary  # type: ignore[attr-defined]
    records = [
        (key, sorted(library.records[key]), int(vocabulary._times_found[place]))
        for key, place in vocabulary._records.items()
    ]
    saved = json.loads(json.dumps(first.to_json()))
    second = QueryStrategy(BenefitPolicy("xx"), SeedWords.from_json(saved[1]), language="xx")
    second.restore(saved, records, ledger)
    return second


@pytest.mark.parametrize("in_another_process", [False, True])
@pytest.mark.parametrize("total", [True, False])
def test_an_interrupted_answer_is_complete_when_its_other_pages_have_come(
    total: bool, in_another_process: bool
) -> None:
    library = Library(300)
    found = library.find([WORDS[0]])
    strategy = new_strategy("\n".join(WORDS[:5]))
    strategy.note_query(QueryProposal((WORDS[0],), 0.0, ""))
    strategy.read(found[:20], len(found) if total else None)
    strategy.interrupt_answer()
    answer(strategy, QueryProposal((WORDS[1],), 0.0, ""), library)
    if in_another_process:
        ledger = [LedgerEntry((WORDS[0],), (), 20, 20, len(found) if total else None, left=True)]
        strategy = restored(strategy, library, ledger)
    strategy.begin_answer((WORDS[0],), further_page=True)
    new = strategy.read(found[20:])
    strategy.end_answer()

    policy = strategy.policy
    assert isinstance(policy, BenefitPolicy)
    assert new > 0
    assert policy.reach.most is None
    assert policy.knowledge.submitted[policy.vocabulary.numbers((WORDS[0],))] == len(found)


def test_a_missing_answer_does_not_count_as_an_empty_one() -> None:
    library = Library(300)
    strategy = new_strategy("\n".join(WORDS[:5]))
    answer(strategy, QueryProposal((WORDS[0],), 0.0, ""), library)
    for word in WORDS[1:5]:
        strategy.note_query(QueryProposal((word,), 0.0, ""))
        strategy.interrupt_answer()
    ledger = [LedgerEntry((word,), (), 0, 0, None, left=False, answered=False) for word in WORDS[1:5]]
    again = restored(strategy, library, ledger)

    for each in (strategy, again):
        policy = each.policy
        assert isinstance(policy, BenefitPolicy)
        assert all(
            policy.knowledge.submitted[policy.vocabulary.numbers((word,))] is None for word in WORDS[1:5]
        )
        assert each.patience.fruitless == 0
        proposal = each.next()
        assert proposal is not None
        assert proposal.words[0] not in WORDS[1:5]
