"""Words and options together reach what a form can reach, and no query is submitted for nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import run
from typing import TYPE_CHECKING

import pytest
from option_shop import PAGE, SELECTS, Shop, begun, films, reachable

from hiddenweb.querying.policies.benefit.policy import BenefitPolicy
from hiddenweb.querying.policies.options.policy import OptionsPolicy

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.querying.query import Choice, LedgerEntry


@pytest.mark.parametrize("says_total", [True, False])
@pytest.mark.parametrize("cap", [30, 100, 200])
def test_all_that_selects_can_reach_is_reached(cap: int, says_total: bool) -> None:
    shop = Shop(films(), cap=cap, says_total=says_total)
    policy = OptionsPolicy(None, SELECTS)

    queries = shop.surface(policy)

    assert set(shop.found_records) == reachable(shop)
    assert len(set(shop.submitted)) <= 1 + 9 + 20
    assert queries < 200


def test_an_answer_that_is_refused_for_being_too_long_is_refined() -> None:
    shop = Shop(films(), refuses_above=150)

    shop.surface(OptionsPolicy(None, SELECTS))

    assert len(shop.found_records) == 600


def test_the_size_is_the_total_of_the_query_without_choices() -> None:
    shop = Shop(films(), cap=50)
    policy = OptionsPolicy(None, SELECTS)
    for _ in range(3):
        proposal = policy.next()
        assert proposal is not None
        shop.answer(policy, proposal)

    estimate = policy.estimate()

    assert estimate is not None
    assert estimate.size == 600
    assert estimate.known == len(shop.found_records)


MAKERS: dict[str, Callable[[], OptionsPolicy]] = {
    "selects": lambda: OptionsPolicy(None, SELECTS),
    "box and selects": lambda: OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en"),
}


def restore_policy(name: str, saved: str, shop: Shop) -> OptionsPolicy:
    policy = MAKERS[name]()
    records = [(number, shop.records[number].words, times) for number, times in shop.found_records.items()]
    lines: dict[object, LedgerEntry] = {}
    for line in shop.ledger:  # pages that are read after a query is resumed count in the same line
        before = lines.get((line.words, line.choices))
        new = line.new + (before.new if before else 0)
        lines[line.words, line.choices] = line._replace(new=new)
    policy.restore(saved, records, lines.values())
    return policy


@pytest.mark.parametrize("name", MAKERS)
def test_a_crawl_that_is_killed_between_queries_continues_as_before(name: str) -> None:
    shop, plain = Shop(films(), cap=30), Shop(films(), cap=30)
    policy, whole = MAKERS[name](), MAKERS[name]()
    for each, site in ((policy, shop), (whole, plain)):
        begun(site, each, *(("film", "w1") if name != "selects" else ()))
    queries = 40 if name != "selects" else 30
    for number in range(queries):
        if number % 5 == 0:
            policy = restore_policy(name, policy.to_json(), shop)
        proposal = policy.next()
        if proposal is None:
            break
        shop.answer(policy, proposal)

    plain.surface(whole, queries)

    assert len(shop.found_records) >= 0.9 * len(plain.found_records)


@pytest.mark.parametrize("name", MAKERS)
def test_a_crawl_that_is_killed_between_two_pages_continues_with_the_next(name: str) -> None:
    shop = Shop(films(), cap=50)
    policy = MAKERS[name]()
    begun(shop, policy, *(("w1",) if name != "selects" else ()))
    proposal = policy.next()
    assert proposal is not None
    assert not shop.answer(policy, proposal, pages=1)
    known = len(shop.found_records)

    policy = restore_policy(name, policy.to_json(), shop)
    shop.read_pages(policy, proposal.words, proposal.choices, at=PAGE)

    assert len(shop.found_records) > known
    following = policy.next()
    assert following is not None
    assert (following.words, following.choices) != (proposal.words, proposal.choices) or following.continues


def test_the_saved_state_does_not_grow_with_the_submissions() -> None:
    shop = Shop(films(2_000), cap=40)
    policy = OptionsPolicy(BenefitPolicy("en"), SELECTS, language="en")
    begun(shop, policy, "film")
    shop.surface(policy, 40)
    early = len(policy.to_json())

    shop.surface(policy, 80)

    assert len(policy.to_json()) < 2 * early < 40_000


def test_a_control_that_a_form_no_longer_has_is_not_used() -> None:
    shop = Shop(films(), cap=30)
    shop.surface(MAKERS["selects"](), 20)
    policy = OptionsPolicy(None, SELECTS[:1])
    policy.restore("", [(number, (), 1) for number in shop.found_records], shop.ledger)

    while proposal := policy.next():
        assert dict(proposal.choices).keys() <= {"genre"}
        shop.submitted.clear()
        shop.answer(policy, proposal)


def test_getting_the_next_query_twice_changes_nothing() -> None:
    shop = Shop(films(), cap=30)
    policy = MAKERS["box and selects"]()
    begun(shop, policy, "w1", "w2")
    for _ in range(25):
        first, second = policy.next(), policy.next()
        assert first is not None
        assert first == second
        shop.answer(policy, first)


_PROGRAM = """
from option_shop import Shop, begun, films
from test_querying_policies_options_policy import MAKERS
shop, policy = Shop(films(), cap=30), MAKERS["box and selects"]()
begun(shop, policy, "w1", "w2")
for _ in range(60):
    proposal = policy.next()
    print(proposal)
    shop.answer(policy, proposal)
"""


def test_every_process_submits_the_same() -> None:
    """Sets have another order in each process: nothing may depend on it."""
    submitted = {
        run(
            [sys.executable, "-c", _PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(submitted) == 1
    assert submitted != {b""}


def test_a_page_without_a_query_is_an_error() -> None:
    with pytest.raises(ValueError, match="no query was submitted"):
        OptionsPolicy(None, SELECTS).read([])


@pytest.mark.parametrize("with_box", [True, False], ids=["words and choices", "choices alone"])
@pytest.mark.parametrize("says_total", [True, False])
def test_outages_cost_no_record_and_are_no_cap(with_box: bool, says_total: bool) -> None:
    shop = Shop(films(300), says_total=says_total)
    undisturbed = Shop(films(300), says_total=says_total)
    policy = OptionsPolicy(BenefitPolicy("en") if with_box else None, SELECTS, language="en")
    undisturbed.surface(OptionsPolicy(BenefitPolicy("en") if with_box else None, SELECTS, language="en"))
    interrupted: list[tuple[tuple[str, ...], tuple[Choice, ...]]] = []
    if with_box:
        policy.note_query(("film",))
        page = shop.found(("film",), ())[: 2 * PAGE]
        policy.read([(number, shop.records[number].words) for number in page], 300 if says_total else None)
        policy.interrupt_answer()
        interrupted.append((("film",), ()))
    for turn in range(60):
        proposal = policy.next()
        if proposal is None:
            break
        query = (proposal.words, proposal.choices)
        if turn % 3 or proposal.continues or len(shop.found(*query)) <= 2 * PAGE:
            shop.answer(policy, proposal)
        else:
            policy.note_query(*query)
            for start in (0, PAGE):
                page = shop.found(*query)[start : start + PAGE]
                total = len(shop.found(*query)) if says_total else None
                policy.read([(number, shop.records[number].words) for number in page], total)
                shop.found_records.update(dict.fromkeys(page, 1))
            policy.interrupt_answer()
            assert policy.words.reach.most is None
            interrupted.append(query)
        if turn % 3 == 1 and interrupted:
            query = interrupted.pop()
            policy.note_query(*query, continues=True)
            shop.read_pages(policy, *query, at=2 * PAGE)

    assert len(shop.found_records) >= len(undisturbed.found_records) == 300
