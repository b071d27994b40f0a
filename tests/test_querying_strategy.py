"""Which question comes next, when a form has had enough, and that this goes on in another process."""

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
    """Records of some words behind a box, which shows all that hold all words asked."""

    def __init__(self, size: int, seed: int = 7) -> None:
        chance = Random(seed)
        weights = [1 / (at + 2) for at in range(len(WORDS))]
        self.records = {key: set(chance.choices(WORDS, weights, k=6)) for key in range(size)}

    def find(self, words: Iterable[str]) -> list[tuple[int, Sequence[str]]]:
        return [(key, sorted(held)) for key, held in self.records.items() if held.issuperset(words)]


def asking(text: str, **options: Any) -> QueryStrategy:
    starting = SeedWords("xx")
    starting.learn(text)
    return QueryStrategy(BenefitPolicy("xx"), starting, language="xx", **options)


def answer(asks: QueryStrategy, wanted: QueryProposal, library: Library | None = None) -> int:
    """Ask a question, read its answer, and return how many records were new."""
    asks.note_query(wanted)
    found = library.find(wanted.words) if library is not None else []
    new = asks.read(found, len(found) if library is not None else None)
    asks.end_answer()
    return new


def run(asks: QueryStrategy, library: Library | None, most: int = 200) -> list[QueryProposal]:
    asked: list[QueryProposal] = []
    while len(asked) < most and (wanted := asks.next()) is not None:
        answer(asks, wanted, library)
        asked.append(wanted)
    return asked


def test_words_of_the_page_come_before_anything_is_known_and_words_of_records_afterwards() -> None:
    library = Library(400)
    asks = asking(f"{WORDS[3]} {WORDS[3]}\n{WORDS[3]} tiger")

    first, *others = run(asks, library)

    assert first.words == (WORDS[3],)
    assert all(word in WORDS for wanted in others[:5] for word in wanted.words)


def test_a_form_is_asked_until_nearly_all_is_known_and_not_much_longer() -> None:
    library = Library(400)
    asks = asking(WORDS[3])

    asked = run(asks, library)

    estimate = asks.estimate()
    assert estimate is not None
    assert estimate.known >= 0.9 * 400
    assert len(asked) < len(WORDS)
    assert "more" in asks.why_not


def test_a_form_that_finds_nothing_is_given_up_after_so_many_words() -> None:
    asks = asking("\n".join(WORDS))

    asked = run(asks, None)

    assert len(asked) == FIRST_WORDS
    assert asks.why_not == f"{FIRST_WORDS} words found nothing"


def test_a_page_without_words_leaves_nothing_to_ask() -> None:
    asks = asking("")

    assert asks.next() is None
    assert asks.why_not == "no query is left"


def test_the_last_words_that_are_tried_are_few() -> None:
    library = Library(30)
    asks = asking("\n".join((WORDS[0], *(f"tiger{letter}" for letter in "abcdefghijklmnopqrst"))))

    asked = run(asks, library)

    tried = [wanted for wanted in asked[1:] if not wanted.expected]
    assert len(tried) <= FIRST_WORDS
    assert len(asked) <= len(WORDS) + LAST_WORDS


def test_promises_that_are_not_kept_are_not_believed_for_ever() -> None:
    class Promising(FrequencyPolicy):
        def next(self) -> QueryProposal | None:
            chosen = super().next()
            return chosen._replace(expected=5.0) if chosen is not None else None

    asks = QueryStrategy(Promising("xx"), language="xx")
    asks.note_query(QueryProposal(("first",), 5.0, ""))
    asks.read([(key, [f"w{at}x" for at in range(200)]) for key in range(50)])
    asks.end_answer()

    asked = 0
    while (wanted := asks.next()) is not None:
        asks.note_query(wanted)
        asks.read([(key, []) for key in range(50)])
        asks.end_answer()
        asked += 1

    assert LATEST <= asked <= 40


def test_questions_that_bring_enough_go_on_whatever_was_promised_before() -> None:
    asks = asking(WORDS[0], least_new=0.5)
    for at in range(30):
        asks.note_query(QueryProposal((f"w{at}",), 100.0, ""))
        asks.read([(at, [f"v{at}"])])
        asks.end_answer()
    wanted = QueryProposal(("other",), 0.6, "")

    assert asks.trust.is_worth_it(wanted.expected)


def test_what_the_site_would_rather_be_asked_is_asked() -> None:
    asks = asking("\n".join(WORDS[:5]))
    first = asks.next()
    assert first is not None
    answer(asks, first)

    asks.suggest("harbour")

    assert asks.next() == QueryProposal(("harbour",), 0.0, "'harbour' is a word of its page, or of a list")


def test_an_answer_that_comes_again_after_a_kill_is_read_as_the_one_it_is() -> None:
    library = Library(100)
    asks = asking("\n".join(WORDS[:5]))
    asks.note_query(QueryProposal((WORDS[1],), 0.0, ""))

    asks.begin_answer((WORDS[0],))
    new = asks.read(library.find([WORDS[0]]))
    asks.end_answer()
    asks.begin_answer((WORDS[1],))
    asks.read(library.find([WORDS[1]]))
    asks.end_answer()

    assert new == len(library.find([WORDS[0]]))


@pytest.mark.parametrize("questions", [1, 4, 12])
def test_another_process_goes_on_with_the_same_questions(questions: int) -> None:
    library = Library(300)
    here = asking("\n".join(WORDS[:5]))
    ledger = []
    for wanted in run(here, library, questions):
        found = len(library.find(wanted.words))
        ledger.append(LedgerEntry(wanted.words, (), found, 0, found, left=False))
    estimate = here.estimate()
    seen = here.policy.seen  # type: ignore[attr-defined]
    met = [(key, sorted(library.records[key]), int(seen._met[place])) for key, place in seen._records.items()]
    written = json.loads(json.dumps(here.to_json()))

    starting = SeedWords.from_json(written[1])
    there = QueryStrategy(BenefitPolicy("xx"), starting, language="xx")
    there.restore(written, met, ledger)

    restored = there.estimate()
    assert estimate is not None
    assert restored is not None
    assert restored.known == estimate.known
    wanted_here, wanted_there = here.next(), there.next()
    assert (wanted_here is None) == (wanted_there is None)
    if wanted_there is not None:
        assert wanted_there.words not in {line.words for line in ledger}


def restored(here: QueryStrategy, library: Library, ledger: Sequence[LedgerEntry]) -> QueryStrategy:
    """Return what another process makes of what was written down."""
    seen = here.policy.seen  # type: ignore[attr-defined]
    met = [(key, sorted(library.records[key]), int(seen._met[place])) for key, place in seen._records.items()]
    written = json.loads(json.dumps(here.to_json()))
    there = QueryStrategy(BenefitPolicy("xx"), SeedWords.from_json(written[1]), language="xx")
    there.restore(written, met, ledger)
    return there


@pytest.mark.parametrize("in_another_process", [False, True])
@pytest.mark.parametrize("total", [True, False])
def test_an_answer_that_was_interrupted_is_no_shorter_when_its_rest_has_come(
    total: bool, in_another_process: bool
) -> None:
    library = Library(300)
    found = library.find([WORDS[0]])
    asks = asking("\n".join(WORDS[:5]))
    asks.note_query(QueryProposal((WORDS[0],), 0.0, ""))
    asks.read(found[:20], len(found) if total else None)
    asks.interrupt_answer()
    answer(asks, QueryProposal((WORDS[1],), 0.0, ""), library)
    if in_another_process:
        ledger = [LedgerEntry((WORDS[0],), (), 20, 20, len(found) if total else None, left=True)]
        asks = restored(asks, library, ledger)
    asks.begin_answer((WORDS[0],), further_page=True)
    new = asks.read(found[20:])
    asks.end_answer()

    policy = asks.policy
    assert isinstance(policy, BenefitPolicy)
    assert new > 0
    assert policy.reach.most is None
    assert policy.knowledge.submitted[policy.seen.numbers((WORDS[0],))] == len(found)


def test_a_word_whose_answer_did_not_come_has_not_found_nothing() -> None:
    library = Library(300)
    asks = asking("\n".join(WORDS[:5]))
    answer(asks, QueryProposal((WORDS[0],), 0.0, ""), library)
    for word in WORDS[1:5]:
        asks.note_query(QueryProposal((word,), 0.0, ""))
        asks.interrupt_answer()
    ledger = [LedgerEntry((word,), (), 0, 0, None, left=False, answered=False) for word in WORDS[1:5]]
    again = restored(asks, library, ledger)

    for each in (asks, again):
        policy = each.policy
        assert isinstance(policy, BenefitPolicy)
        assert all(policy.knowledge.submitted[policy.seen.numbers((word,))] is None for word in WORDS[1:5])
        assert each.patience.fruitless == 0
        wanted = each.next()
        assert wanted is not None
        assert wanted.words[0] not in WORDS[1:5]
