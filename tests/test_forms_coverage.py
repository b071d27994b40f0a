"""How many records there are."""

from __future__ import annotations

from random import Random

import pytest

from hiddenweb.forms.coverage import around, by_overlap
from hiddenweb.forms.seen_words import SeenWords


def met_by_chance(size: int, meetings: int, chance: Random) -> SeenWords:
    seen = SeenWords()
    for _ in range(meetings):
        seen.meet(chance.randrange(size), ())
    return seen


def test_nothing_is_said_before_anything_was_met() -> None:
    assert by_overlap(SeenWords().sums_of_all()) is None


def test_records_that_were_met_by_chance_tell_how_many_there_are() -> None:
    hits = 0
    for seed in range(40):
        estimate = by_overlap(met_by_chance(2_000, 2_000, Random(seed)).sums_of_all())
        assert estimate is not None
        assert estimate.known < estimate.low < estimate.size < estimate.high
        assert estimate.size == pytest.approx(2_000, rel=0.2)
        hits += estimate.low <= 2_000 <= estimate.high
    assert hits >= 35


def test_what_is_known_is_the_least() -> None:
    assert around(100, 0.0, 50.0) == (100, 100, 100, 100)
    assert around(100, 5.0, 500.0).low > 100
