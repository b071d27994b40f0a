"""Answers to options: those that were cut are refined, and windows of a range are split."""

from __future__ import annotations

from random import Random

from option_shop import GENRES, SELECTS, Record, Shop, films

from hiddenweb.querying.option_counts import OptionCounts
from hiddenweb.querying.policies.options.option_answers import OptionAnswers
from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.query_control import ControlOption, QueryControl
from hiddenweb.querying.search_behaviour import AnswerReach


def test_pairs_are_submitted_only_where_answers_were_cut() -> None:
    shop = Shop(films(), cap=130)
    shop.surface(OptionsPolicy(None, SELECTS))

    sizes = {genre: len(shop.found((), [("genre", genre)])) for genre in GENRES}
    assert sizes["drama"] > 130 > sizes["western"]
    paired = {dict(choices)["genre"] for _, choices in shop.submitted if len(choices) == 2}
    assert "drama" in paired
    assert "western" not in paired
    assert "noir" not in paired


def test_one_select_is_enough_where_none_of_its_answers_is_cut() -> None:
    shop = Shop(films(), cap=350)

    shop.surface(OptionsPolicy(None, SELECTS))

    assert len(shop.found_records) == 600
    assert len(shop.submitted) <= 1 + 4 + 3


def test_a_window_whose_answer_is_cut_is_split_in_two() -> None:
    def halves(window: str) -> tuple[str, str] | None:
        low, high = map(int, window.split(".."))
        middle = (low + high) // 2
        return (f"{low}..{middle}", f"{middle + 1}..{high}") if low < high else None

    chance = Random(4)
    records = [Record((f"n{at}",), {}, int(2000 - chance.expovariate(0.1))) for at in range(500)]
    windows = tuple(ControlOption(window) for window in ("1991..2000", "1971..1990", "1900..1970"))
    shop = Shop(records, cap=60)
    shop.surface(OptionsPolicy(None, [QueryControl("year", "range", windows, "Year", split=halves)]))

    by_year = {
        year: [at for at, record in enumerate(records) if record.year == year] for year in range(1900, 2001)
    }
    assert {at for numbers in by_year.values() for at in numbers[:60]} == set(shop.found_records)
    assert len(set(shop.submitted)) < 30


def test_an_answer_without_a_total_is_doubted_if_no_other_is_longer() -> None:
    counts = OptionCounts({"genre": 3}, exclusive=["genre"])
    answers = OptionAnswers(counts, {})
    drama, noir = frozenset([("genre", "drama")]), frozenset([("genre", "noir")])
    answers.learn(drama, found=50, shown=50, is_cut=False, is_silent=True)
    answers.learn(noir, found=20, shown=20, is_cut=False, is_silent=True)
    assert answers.is_covered(drama | {("decade", "1950s")})

    answers.doubt_the_longest(AnswerReach())

    assert answers.list_cut(5) == [drama]
    assert not answers.is_covered(drama)
    assert answers.is_covered(noir)
