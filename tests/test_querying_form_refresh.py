"""When a form is fetched again, and when not."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.form_refresh import OLD, RefreshRule

if TYPE_CHECKING:
    from hiddenweb.querying.form_refresh import Reception

NOW = 1000.0


def in_use(sent: int = 0, **known: object) -> RefreshRule:
    freshness = RefreshRule("suspected").note_fetch(NOW, differs=True, has_cookies=True)
    for _ in range(sent):
        freshness = freshness.note_sending()
    return RefreshRule(**{**freshness.to_json(), **known})


def test_a_form_without_tokens_is_never_fetched_for_nothing() -> None:
    plain = RefreshRule()

    after, again = plain.learn_reception("doubtful")

    assert not plain.wants_fetching(NOW)
    assert (after, again) == (plain, False)


def test_a_form_with_tokens_is_fetched_before_its_first_query() -> None:
    assert RefreshRule("suspected").wants_fetching(NOW)


def test_values_that_do_not_change_and_set_no_cookies_are_no_tokens() -> None:
    freshness = RefreshRule("suspected").note_fetch(NOW, differs=False, has_cookies=False)

    assert freshness.stage == "useless"
    assert not freshness.wants_fetching(NOW + 10 * OLD)


def test_fetched_values_are_used_for_many_queries() -> None:
    freshness = in_use()

    for _ in range(50):
        assert not freshness.wants_fetching(NOW + 1)
        freshness, again = freshness.note_sending().learn_reception("good")
        assert not again


def test_old_values_are_fetched_again() -> None:
    assert not in_use(sent=5).wants_fetching(NOW + OLD)
    assert in_use(sent=5).wants_fetching(NOW + OLD + 1)


def test_values_that_are_refused_later_are_fetched_again_and_the_query_resubmitted() -> None:
    freshness, again = in_use(sent=5, proven=True).learn_reception("refused")

    assert again
    assert freshness.wants_fetching(NOW)
    assert not freshness.note_fetch(NOW, differs=True, has_cookies=True).wants_fetching(NOW)


def test_values_that_are_valid_once_are_fetched_for_each_query() -> None:
    first, _ = in_use(sent=1).learn_reception("good")
    refused, again = first.note_sending().learn_reception("doubtful")
    third, _ = refused.note_fetch(NOW, differs=True, has_cookies=True).note_sending().learn_reception("good")

    assert again
    assert third.once
    assert third.wants_fetching(NOW)
    assert not third.note_fetch(NOW, differs=True, has_cookies=True).wants_fetching(NOW)


def test_fresh_values_are_not_the_reason_if_a_query_fails_with_them_too() -> None:
    refused, _ = in_use(sent=2, proven=True).learn_reception("doubtful")
    tried, again = (
        refused.note_fetch(NOW, differs=True, has_cookies=True).note_sending().learn_reception("doubtful")
    )
    after, _ = tried.note_fetch(NOW, differs=True, has_cookies=True).note_sending().learn_reception("good")

    assert not again
    assert not after.once


def test_after_two_refusals_of_fresh_values_the_form_is_not_fetched_again() -> None:
    once, first = in_use(sent=1).learn_reception("doubtful")
    twice, second = (
        once.note_fetch(NOW, differs=True, has_cookies=True).note_sending().learn_reception("doubtful")
    )

    assert (first, second) == (False, False)
    assert once.is_used
    assert twice.stage == "useless"


@pytest.mark.parametrize(
    ("freshness", "reception", "differs"),
    [
        (RefreshRule(offered=True), "doubtful", False),
        (RefreshRule(), "doubtful", True),
        (RefreshRule(), "refused", False),
    ],
    ids=["a cookie", "other hidden values", "words"],
)
def test_a_refusal_without_a_session_makes_one_if_there_is_a_sign_of_it(
    freshness: RefreshRule, reception: Reception, differs: bool
) -> None:
    after, again = freshness.learn_reception(reception, differs=differs)

    assert again
    assert after.wants_fetching(NOW)


def test_a_form_that_disappeared_is_not_fetched_again() -> None:
    assert not RefreshRule("suspected").note_missing("gone").wants_fetching(NOW)


def test_the_rule_is_saved_and_restored() -> None:
    known = in_use(sent=2, proven=True)

    assert RefreshRule.from_json(json.loads(json.dumps(known.to_json()))) == known
