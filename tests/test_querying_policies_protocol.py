"""Every policy by name keeps what the protocol promises, so that a form can be given any of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.policies.registry import POLICIES, policy_named

if TYPE_CHECKING:
    from hiddenweb.querying.policies.protocol import WordPolicy


@pytest.fixture(params=POLICIES)
def policy(request: pytest.FixtureRequest) -> WordPolicy:
    return policy_named(request.param, "en", "seed")


def test_a_policy_counts_new_records_once_and_proposes_what_was_not_submitted(policy: WordPolicy) -> None:
    records = [(number, ("film", f"w{number % 7}", f"rare{number}")) for number in range(40)]

    policy.note_query(("film",))
    assert policy.under_way.words == ("film",)
    assert policy.read(records[:20], 40) == 20
    assert policy.read(records[10:30], 40) == 10
    policy.end_answer()

    proposal = policy.next()
    assert proposal is not None
    assert proposal.words != ("film",)
    assert proposal.why


def test_an_answer_that_a_host_interrupted_may_be_resumed(policy: WordPolicy) -> None:
    policy.note_query(("film",))
    policy.read([(number, ("film", f"w{number}")) for number in range(10)], 40)
    policy.interrupt_answer()

    policy.note_query(("film",), continues=True)

    assert policy.under_way.shown == 10
