"""Promises are believed as far as the latest ones were kept."""

from __future__ import annotations

import json

from hiddenweb.querying.promise_trust import LATEST, WINDOW, PromiseTrust


def test_a_promise_is_believed_until_a_few_were_broken() -> None:
    trust = PromiseTrust(least_new=0.5)
    for _ in range(LATEST - 1):
        trust.add(promised=5.0, new=0)
        assert trust.is_worth_it(0.6)

    trust.add(promised=5.0, new=0)

    assert not trust.is_worth_it(0.6)


def test_queries_that_bring_enough_continue_whatever_was_promised() -> None:
    trust = PromiseTrust(least_new=0.5)
    for _ in range(30):
        trust.add(promised=100.0, new=1)

    assert trust.share < 0.1
    assert trust.is_worth_it(0.6)


def test_old_promises_are_forgotten() -> None:
    trust = PromiseTrust(least_new=0.5)
    for _ in range(WINDOW):
        trust.add(promised=50.0, new=0)
    for _ in range(WINDOW):
        trust.add(promised=5.0, new=5)

    assert trust.share == 1


def test_a_query_without_a_promise_does_not_count() -> None:
    trust = PromiseTrust(least_new=0.5)
    trust.add(promised=0.0, new=9)

    assert trust.to_json() == []


def test_promises_are_restored() -> None:
    trust, restored = PromiseTrust(0.5), PromiseTrust(0.5)
    trust.add(promised=5.0, new=1)

    restored.restore(json.loads(json.dumps(trust.to_json())))

    assert restored.share == trust.share == 3 / 7
