"""The arguments and the budget of `scrapy crawl revisit`."""

from __future__ import annotations

import pytest

from hiddenweb.spiders.explore import BadArguments
from hiddenweb.spiders.revisit import BUDGET, DAY, RevisitBudget, RevisitSpider


@pytest.mark.parametrize(
    ("given", "budget"),
    [
        ("", RevisitBudget(BUDGET)),
        ("500", RevisitBudget(500)),
        (" 500/day ", RevisitBudget(500, by_day=True)),
    ],
)
def test_budget_is_for_a_crawl_or_for_a_day(given: str, budget: RevisitBudget) -> None:
    assert RevisitBudget.parse(given) == budget


@pytest.mark.parametrize("given", ["500", "500/day"])
def test_budget_is_stored_with_its_plan_as_it_is_given(given: str) -> None:
    assert str(RevisitBudget.parse(given)) == given


@pytest.mark.parametrize("given", ["0", "five", "500/week", "-1"])
def test_what_is_no_budget_is_refused(given: str) -> None:
    with pytest.raises(BadArguments, match="is not a number of requests"):
        RevisitBudget.parse(given)


def test_only_a_budget_of_a_day_is_spent_by_earlier_crawls() -> None:
    assert RevisitBudget(500).left(200) == 500
    assert RevisitBudget(500, by_day=True).left(200) == 300
    assert RevisitBudget(500, by_day=True).left(900) == 0
    assert RevisitBudget(500, by_day=True).per_second == 500 / DAY


def test_topic_is_no_argument() -> None:
    with pytest.raises(BadArguments, match="revisit has no argument topic"):
        RevisitSpider.check_arguments(topic="books")
