"""The arguments and the budget of `scrapy crawl revisit`."""

from __future__ import annotations

import pytest

from hiddenweb.spiders.explore import BadArguments
from hiddenweb.spiders.revisit import BUDGET, DAY, RevisitBudget, RevisitSpider


@pytest.mark.parametrize(
    ("argument", "budget"),
    [
        ("", RevisitBudget(BUDGET)),
        ("500", RevisitBudget(500)),
        (" 500/day ", RevisitBudget(500, by_day=True)),
    ],
)
def test_budget_is_for_a_crawl_or_for_a_day(argument: str, budget: RevisitBudget) -> None:
    assert RevisitBudget.parse(argument) == budget


@pytest.mark.parametrize("argument", ["500", "500/day"])
def test_budget_is_stored_with_its_plan_as_it_is_given(argument: str) -> None:
    assert str(RevisitBudget.parse(argument)) == argument


@pytest.mark.parametrize("argument", ["0", "five", "500/week", "-1"])
def test_bad_budget_is_refused(argument: str) -> None:
    with pytest.raises(BadArguments, match="is not a number of requests"):
        RevisitBudget.parse(argument)


def test_only_a_budget_of_a_day_is_spent_by_earlier_crawls() -> None:
    assert RevisitBudget(500).remaining(200) == 500
    assert RevisitBudget(500, by_day=True).remaining(200) == 300
    assert RevisitBudget(500, by_day=True).remaining(900) == 0
    assert RevisitBudget(500, by_day=True).per_second == 500 / DAY


def test_topic_is_no_argument() -> None:
    with pytest.raises(BadArguments, match="revisit has no argument topic"):
        RevisitSpider.check_arguments(topic="books")
