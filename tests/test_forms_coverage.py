"""How many records there are."""

from __future__ import annotations

from random import Random

import pytest

from hiddenweb.forms.coverage import Estimate, around, by_numbers, by_overlap, reason_to_stop
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


def test_few_questions_tell_little() -> None:
    early, late = by_numbers(1_000, 500.0, 10), by_numbers(1_000, 500.0, 500)
    assert early.size == late.size == 1_500
    assert early.low < late.low < 1_500 < late.high < early.high


def test_an_estimate_is_said_without_digits_that_nobody_knows() -> None:
    assert str(Estimate(8_112, 8_412.3, 7_914.0, 9_033.1)) == "8,112 of about 8,400 (8,112-9,000)"
    assert str(Estimate(5, 5.0, 5.0, 5.0)) == "5 of about 5 (5-5)"


ESTIMATE = Estimate(8_112, 8_412.3, 8_214.0, 9_033.1)


@pytest.mark.parametrize(
    ("expected", "brought", "stops"),
    [
        pytest.param(20.0, [0] * 50, False, id="nothing was found so far, but much is expected"),
        pytest.param(0.1, [], False, id="nothing was asked"),
        pytest.param(0.1, [0] * 30, False, id="words were found by nobody yet: others may be"),
        pytest.param(0.1, [30, 0, 0, 0], False, id="a few words found nothing"),
        pytest.param(0.1, [30, *[0] * 10], True, id="nothing came, and nothing is expected"),
        pytest.param(0.1, [30, *[0] * 9, 40], False, id="nothing is expected, but something came"),
        pytest.param(5.0, [30, *[0] * 10], False, id="nothing came, but something is expected"),
        pytest.param(None, [0], True, id="there is no question"),
    ],
)
def test_asking_ends_when_it_no_longer_pays(expected: float | None, brought: list[int], stops: bool) -> None:
    assert bool(reason_to_stop(expected, brought, ESTIMATE)) is stops


def test_the_reason_is_for_people() -> None:
    assert reason_to_stop(0.21, [30, *[0] * 131], ESTIMATE) == (
        "Another question would bring 0.2 new records, and the last 10 brought 0.0 each: "
        "8,112 of about 8,400 (8,200-9,000), 132 queries."
    )
    assert reason_to_stop(None, [], None) == "There is nothing left to ask."


def test_who_wants_more_of_a_question_stops_earlier() -> None:
    assert not reason_to_stop(3.0, [3] * 20, ESTIMATE)
    assert reason_to_stop(3.0, [3] * 20, ESTIMATE, least_new=5.0)
