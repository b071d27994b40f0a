"""How many records there are."""

from __future__ import annotations

import json
from random import Random

import pytest

from hiddenweb.querying.coverage import (
    bound_by_spread,
    describe_coverage,
    estimate_by_numbers,
    estimate_by_overlap,
)
from hiddenweb.querying.vocabulary_index import VocabularyIndex


def met_by_chance(size: int, meetings: int, chance: Random) -> VocabularyIndex:
    seen = VocabularyIndex()
    for _ in range(meetings):
        seen.add(chance.randrange(size), ())
    return seen


def test_there_is_no_estimate_before_any_record() -> None:
    assert estimate_by_overlap(VocabularyIndex().sums_of_all()) is None


def test_records_found_by_chance_show_how_many_there_are() -> None:
    hits = 0
    for seed in range(40):
        estimate = estimate_by_overlap(met_by_chance(2_000, 2_000, Random(seed)).sums_of_all())
        assert estimate is not None
        assert estimate.known < estimate.low < estimate.size < estimate.high
        assert estimate.size == pytest.approx(2_000, rel=0.2)
        hits += estimate.low <= 2_000 <= estimate.high
    assert hits >= 35


def test_no_estimate_is_below_the_known_records() -> None:
    assert bound_by_spread(100, 0.0, 50.0) == (100, 100, 100, 100)
    assert bound_by_spread(100, 5.0, 500.0).low > 100


def test_few_queries_say_little() -> None:
    early, late = estimate_by_numbers(1_000, 500.0, 10), estimate_by_numbers(1_000, 500.0, 500)
    assert early.size == late.size == 1_500
    assert early.low < late.low < 1_500 < late.high < early.high


def test_an_estimate_is_printed_with_significant_digits_only() -> None:
    assert describe_coverage(8_112, 8_412.3, 7_914.0, 9_033.1) == "about 8,112 of 8,400 (8,112-9,000)"
    assert describe_coverage(5, 5.0, 5.0, 5.0) == "all 5"


def test_a_database_holds_what_a_site_says_at_least() -> None:
    held = bound_by_spread(52, 4, 1).raise_least(1205)

    assert (held.known, held.size, held.low, held.high) == (52, 1205, 1205, 1205)
    assert not held.is_bound


def test_an_estimate_may_have_no_upper_end() -> None:
    unknown = bound_by_spread(3018, 300, 100).open_end()

    assert unknown.is_bound
    assert json.loads(unknown.to_json())[3] is None
    assert describe_coverage(*unknown).startswith("3,018 of at least 3,")
