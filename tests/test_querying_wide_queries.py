"""Queries that may list the whole database: which are tried, when, and what is believed of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hiddenweb.model import Field, LabelHint
from hiddenweb.querying.coverage import Estimate
from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.query import QueryProposal
from hiddenweb.querying.query_patience import LAST_WORDS, MORE_WORDS
from hiddenweb.querying.seed_words import SeedWords
from hiddenweb.querying.strategy import QueryStrategy
from hiddenweb.querying.wide_queries import BLANK, EMPTY, WideQueries, has_words, wide_queries

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS = [f"{a}{b}" for a in ("ba", "de", "fi", "go", "ku") for b in ("lam", "ner", "sto", "vik", "zur")]
RECORDS = {number: (WORDS[number % 25], WORDS[number // 25]) for number in range(400)}
SIZE = 10


@pytest.mark.parametrize(
    ("box", "language", "tried"),
    [
        pytest.param(Field("q", "search"), "en", (EMPTY, "*", "the"), id="a box"),
        pytest.param(Field("q", "search", required=True), "de", (BLANK, "*", "der"), id="must be filled in"),
        pytest.param(Field("q", "text", label="Name *"), "xx", (BLANK, "*"), id="a star that means required"),
        pytest.param(Field("q", "text", placeholder="% for any"), "xx", (EMPTY, "%"), id="its own wildcard"),
        pytest.param(
            Field("q", "text", hints=(LabelHint("after", "Use * as a wildcard"),)),
            "xx",
            (EMPTY, "*"),
            id="a hint",
        ),
        pytest.param(
            Field("q", "text", pattern="[a-z]{2,}"), "ru", (EMPTY,), id="a pattern forbids the rest"
        ),
        pytest.param(Field("q", "text", pattern="[a-z"), "xx", (EMPTY, "*"), id="a pattern that is none"),
    ],
)
def test_only_values_that_the_box_takes_are_tried(box: Field, language: str, tried: tuple[str, ...]) -> None:
    assert wide_queries(box, language) == tried


def test_nothing_and_wildcards_are_no_words() -> None:
    assert [has_words(text) for text in ("", " ", "*", "%", "и", "a*")] == [False] * 4 + [True] * 2


class Site:
    """Answers words from its records, ten a page, and a wide query with a list of its own."""

    def __init__(self, listing: Sequence[int], *, total: bool = True, cap: int | None = None) -> None:
        self.submitted: list[tuple[str, ...]] = []
        self.pages = 0
        self._listing, self._total, self._cap = listing, total, cap

    def find(self, words: tuple[str, ...]) -> list[int]:
        if not words:
            return list(self._listing)
        return [number for number, held in RECORDS.items() if set(words) <= set(held)]

    def submit(self, strategy: QueryStrategy, most: int = 60) -> None:
        """Ask until the form has had enough."""
        while len(self.submitted) < most and (proposal := strategy.next()) is not None:
            strategy.note_query(proposal)
            if not proposal.continues:
                self.submitted.append(proposal.words)
            self._answer(strategy, proposal.words, from_page=1 if proposal.continues else 0)

    def _answer(self, strategy: QueryStrategy, words: tuple[str, ...], from_page: int) -> None:
        found = self.find(words)
        shown = found[: self._cap]
        pages = [shown[at : at + SIZE] for at in range(0, len(shown), SIZE)] or [[]]
        for number, page in enumerate(pages[from_page:], from_page + 1):
            self.pages += 1
            strategy.read([(key, RECORDS[key]) for key in page], len(found) if self._total else None)
            if number < len(pages) and not strategy.is_worth_turning(can_return=True):
                strategy.end_answer(had_more=True)
                return
        strategy.end_answer(cut=len(shown) < len(found))


def new_strategy(wide: Sequence[str] = (EMPTY,)) -> QueryStrategy:
    seed_words = SeedWords("xx")
    seed_words.learn(". ".join(WORDS))
    return QueryStrategy(BenefitPolicy("xx"), seed_words, language="xx", wide=wide)


@pytest.mark.parametrize("total", [True, False], ids=["says how many", "does not say"])
def test_a_listing_of_all_is_read_to_its_end_and_checked_with_a_few_words(total: bool) -> None:
    site, strategy = Site(range(400), total=total), new_strategy()

    site.submit(strategy)

    estimate = strategy.estimate()
    assert estimate is not None
    assert (estimate.known, estimate.size, estimate.high) == (400, 400, 400)
    assert site.submitted[1] == ()  # after one word
    assert len(site.submitted) == 2 + LAST_WORDS
    assert site.pages <= 400 / SIZE + 2 + LAST_WORDS
    assert strategy.why_not == "a listing of all 400 records; 3 words found no others"


def test_words_that_find_nothing_do_not_say_that_a_listing_has_everything() -> None:
    strategy = new_strategy()
    for words, found in ((WORDS[:1], range(1)), ([], range(60))):
        proposal = strategy.next()
        assert proposal is not None
        assert list(proposal.words) == words
        strategy.note_query(proposal)
        strategy.read([(number, RECORDS[number]) for number in found], len(found))
        strategy.end_answer()

    checked = 0
    while (proposal := strategy.next()) is not None:
        strategy.note_query(proposal)
        strategy.read([], 0)
        strategy.end_answer()
        checked += 1

    assert checked == MORE_WORDS > LAST_WORDS
    assert strategy.why_not == f"a listing of all 60 records; {MORE_WORDS} words found no others"


@pytest.mark.parametrize(
    "listing", [[], range(380, 390), range(0, 400, 25)], ids=["nothing", "what is new", "what is popular"]
)
def test_a_fixed_list_is_no_listing_of_all(listing: Sequence[int]) -> None:
    site, strategy = Site(listing), new_strategy([EMPTY, "*"])

    site.submit(strategy)

    estimate = strategy.estimate()
    assert estimate is not None
    assert estimate.known == 400
    assert site.submitted.count(()) == 1
    assert site.submitted.count(("*",)) == 1


def test_a_cut_listing_is_used_and_further_words_are_submitted() -> None:
    site, strategy = Site(range(400), cap=100), new_strategy([EMPTY, "*"])

    site.submit(strategy)

    estimate = strategy.estimate()
    assert estimate is not None
    assert estimate.known == 400
    assert ("*",) not in site.submitted  # one listing is enough


def test_the_first_answer_waits_and_is_resumed_where_nothing_lists_more() -> None:
    site, strategy = Site([]), new_strategy()
    first = strategy.next()
    assert first is not None
    strategy.note_query(first)
    site._answer(strategy, first.words, 0)

    wide = strategy.next()
    assert wide is not None
    strategy.note_query(wide)
    strategy.read([])
    strategy.end_answer()
    saved = json.loads(json.dumps(strategy.to_json()))
    there = new_strategy()
    known = site.find(first.words)[:SIZE]
    there.restore(saved, [(key, RECORDS[key], 1) for key in known], [])
    then = there.next()

    assert wide.words == ()
    assert then is not None
    assert (then.words, then.continues) == (first.words, True)


def test_words_that_find_no_record_do_not_keep_wide_queries_waiting() -> None:
    strategy = new_strategy()

    submitted = []
    for _ in range(LAST_WORDS + 1):
        proposal = strategy.next()
        assert proposal is not None
        submitted.append(proposal.words)
        strategy.note_query(proposal)
        strategy.read([])
        strategy.end_answer()

    assert all(submitted[:-1])
    assert submitted[-1] == ()


def test_records_that_words_find_outside_a_listing_count_against_it() -> None:
    wide = WideQueries((EMPTY,))
    wide.take()
    wide.learn_answer(found=400, new=390, known=10, total=None, to_the_end=True)

    wide.count_others(2)
    few = wide.listed
    wide.count_others(20)

    assert (few, wide.listed) == (400, None)
    assert WideQueries.from_json(json.loads(json.dumps(wide.to_json()))) == wide


def test_a_word_that_misses_known_records_does_not_list_all() -> None:
    wide = WideQueries(("the",))

    wide.learn_answer(found=460, new=10, known=490, total=460, to_the_end=True, is_word=True)

    assert wide.lists
    assert wide.listed is None
    assert wide.total is None


def test_a_listing_that_a_word_brought_may_lack_what_few_others_could_have_found() -> None:
    new_strategy = QueryStrategy(BenefitPolicy("en"), language="en", wide=("the",))
    records = [(number, ("the", f"w{number % 7}", f"n{number}")) for number in range(200)]

    def answer(proposal: QueryProposal, found: Sequence[tuple[int, tuple[str, ...]]]) -> Estimate:
        new_strategy.note_query(proposal)
        new_strategy.read(found)
        new_strategy.end_answer()
        estimate = new_strategy.estimate()
        assert estimate is not None
        return estimate

    answer(QueryProposal(("w1",), 0.0, ""), [record for record in records if "w1" in record[1]])
    proposal = new_strategy.next()
    assert proposal is not None
    listed = answer(proposal, records)
    proposal = new_strategy.next()
    assert proposal is not None
    confirmed = answer(proposal, [record for record in records if proposal.words[0] in record[1]])

    assert (listed.known, listed.size, listed.low) == (200, 200, 200)
    assert 200 < confirmed.high < listed.high


def test_the_total_of_a_listing_is_believed_though_it_cannot_be_read() -> None:
    wide = WideQueries(("",))

    wide.learn_answer(found=100, new=90, known=10, total=5_000, to_the_end=False)

    assert (wide.listed, wide.total) == (None, 5_000)


@pytest.mark.parametrize(("reported", "listed"), [(None, 20), (20, 20), (500, None)])
def test_a_listing_is_not_complete_if_the_site_said_that_a_word_found_more(
    reported: int | None, listed: int | None
) -> None:
    wide = WideQueries((EMPTY,))
    wide.note_total(reported)
    wide.note_total(3)
    wide = WideQueries.from_json(wide.to_json())
    wide.take()

    wide.learn_answer(found=20, new=0, known=20, total=None, to_the_end=True)

    assert wide.lists
    assert wide.listed == listed


def test_a_state_from_before_totals_were_saved_is_restored() -> None:
    saved = WideQueries((EMPTY,)).to_json()

    assert WideQueries.from_json(saved[:-3]) == WideQueries((EMPTY,))


def test_pages_that_show_again_what_came_before_list_each_record_once() -> None:
    new_strategy = QueryStrategy(BenefitPolicy("en"), language="en", wide=("",))
    new_strategy.note_query(QueryProposal(("wine",), 0.0, ""))
    new_strategy.read([(1, ("wine",))])
    new_strategy.end_answer()
    proposal = new_strategy.next()
    assert proposal is not None
    assert proposal.words == ()

    new_strategy.note_query(proposal)
    for shown in (20, 40, 60):
        new_strategy.read([(number, (f"word{number}",)) for number in range(shown)])
    new_strategy.end_answer()

    assert new_strategy.estimate() == Estimate(60, 60.0, 60.0, 60.0)
    assert json.loads(json.dumps(new_strategy.to_json()))[8][2] == 60
