"""Wide queries are tried early, and what they list is checked."""

from __future__ import annotations

import json

import pytest

from hiddenweb.querying.answer_progress import AnswerProgress
from hiddenweb.querying.coverage import Estimate
from hiddenweb.querying.listing_search import ListingSearch
from hiddenweb.querying.query import QueryProposal
from hiddenweb.querying.query_patience import LAST_WORDS, MORE_WORDS, QueryPatience

FIRST = QueryProposal(("film",), 0.0, "a word of its page")


@pytest.fixture
def patience() -> QueryPatience:
    """A form that has answered one word."""
    patience = QueryPatience()
    patience.found = 1
    return patience


def listed(records: int = 50) -> ListingSearch:
    """Return a search whose first wide query has listed everything."""
    search, patience = ListingSearch(("", "*")), QueryPatience()
    patience.found = 1
    assert search.propose(patience) is not None
    progress = AnswerProgress(new=records, shown=records, total=records, wide=())
    search.learn_wide(progress, records, to_the_end=True)
    return search


def test_a_wide_query_waits_for_a_word_that_finds_something(patience: QueryPatience) -> None:
    search = ListingSearch(("", "*"))
    assert search.propose(QueryPatience()) is None

    first = search.propose(patience)

    assert first is not None
    assert first.words == ()
    assert search.propose(patience) is None


def test_the_first_answer_waits_and_is_resumed_if_nothing_lists_more(patience: QueryPatience) -> None:
    search = ListingSearch(("*",))
    assert search.set_aside(FIRST, AnswerProgress(shown=10))
    assert search.resume_first() is None
    search.propose(patience)

    resumed = search.resume_first()

    assert resumed is not None
    assert (resumed.words, resumed.continues) == (("film",), True)
    assert search.resume_first() is None


def test_an_answer_without_records_does_not_wait() -> None:
    assert not ListingSearch(("*",)).set_aside(FIRST, AnswerProgress())
    assert not ListingSearch(()).set_aside(FIRST, AnswerProgress(shown=10))


def test_a_complete_listing_says_how_many_records_there_are() -> None:
    search = listed()

    assert search.is_complete
    assert search.estimate(50, lambda: None) == Estimate(50, 50, 50, 50)
    assert ListingSearch(()).estimate(50, lambda: None) is None


@pytest.mark.parametrize(("fruitless", "blank"), [(LAST_WORDS, 0), (0, MORE_WORDS)])
def test_a_listing_is_checked_with_a_few_words(fruitless: int, blank: int) -> None:
    search, patience = listed(1_234), QueryPatience()
    assert search.explain_end(patience) == ""

    patience.fruitless, search.queries.ignored_words = fruitless, blank

    assert search.explain_end(patience) == (
        f"a listing of all 1,234 records; {fruitless + blank} words found no others"
    )


def test_a_listing_that_lacks_many_records_is_none() -> None:
    search = listed()

    search.learn_words(AnswerProgress(new=5, shown=20))

    assert not search.is_complete


def test_the_search_for_listings_is_saved_and_restored() -> None:
    search, progress = ListingSearch(("", "*")), AnswerProgress(shown=10)
    search.set_aside(FIRST, progress)
    restored = ListingSearch(())

    wide, chosen, aside = json.loads(json.dumps(search.to_json(progress)))
    restored.restore(wide, aside)

    assert chosen is None
    assert restored.to_json(progress) == search.to_json(progress)
