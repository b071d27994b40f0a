"""A form without a box has answers, too."""

from __future__ import annotations

import pytest

from hiddenweb.querying.policies.options.no_words import NoWordPolicy
from hiddenweb.querying.query import LedgerEntry


def test_an_unfinished_answer_is_remembered_until_it_is_resumed() -> None:
    policy = NoWordPolicy()
    policy.note_query(("genre = noir",))
    policy.read([(1, ()), (2, ())], 5)
    policy.end_answer(had_more=True)
    assert policy.unfinished == {("genre = noir",): 2}
    assert policy.count_read_before(["genre = noir"]) == 2

    policy.note_query(("genre = noir",), continues=True)
    policy.read([(3, ())], 5)
    policy.end_answer()

    assert policy.unfinished == {}
    assert policy.next() is None


@pytest.mark.parametrize("left", [True, False])
def test_unfinished_answers_are_restored_from_the_ledger(left: bool) -> None:
    policy = NoWordPolicy()

    policy.restore("", [(1, (), 1)], [LedgerEntry(("genre = noir",), (), 1, 1, None, left)])

    assert policy.unfinished == ({("genre = noir",): 1} if left else {})
