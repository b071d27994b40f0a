"""No query is submitted twice, and the answers of alike queries are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from option_shop import SELECTS

from hiddenweb.querying.policies.options.policy import OptionsPolicy
from hiddenweb.querying.policies.options.submitted_queries import SubmittedQueries

if TYPE_CHECKING:
    from hiddenweb.querying.query import Choice


def test_a_query_without_an_answer_is_not_resubmitted() -> None:
    policy = OptionsPolicy(None, SELECTS)
    submitted: list[tuple[Choice, ...]] = []
    while (proposal := policy.next()) and len(submitted) < 100:
        submitted.append(proposal.choices)
        policy.note_query(proposal.words, proposal.choices)
        policy.failed()

    assert len(submitted) == len(set(submitted)) == 1 + 9


def test_an_answer_is_compared_with_those_of_one_control_less() -> None:
    submitted = SubmittedQueries()
    drama, both = frozenset([("genre", "drama")]), frozenset([("genre", "drama"), ("decade", "1950s")])
    submitted.sign((), frozenset(), 1)
    submitted.sign((), drama, 2)
    submitted.add(("film",), drama)

    assert submitted.sign(("film",), drama, 3) == {2}
    assert submitted.sign((), both, 4) == {2}
    assert len(submitted) == 4
