"""The pages of answers that did not come because of an outage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from conversation_parts import OTHER_FORM, Parts

from hiddenweb.model import RetriedTask
from hiddenweb.querying.missing_pages import MOST_RETRIES, MissingPages

if TYPE_CHECKING:
    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.model import FetchFailure
    from hiddenweb.querying.exchange import Exchange


@pytest.fixture
def parts() -> Parts:
    return Parts()


@pytest.fixture
def stored(parts: Parts) -> StoredForm:
    return parts.save_form()


def add(parts: Parts, exchange: Exchange, *, was_sent: bool = False) -> bool:
    failure: FetchFailure = exchange.item  # type: ignore[assignment]
    return parts.missing.add(failure, exchange, was_sent=was_sent)


def test_a_page_that_did_not_come_is_fetched_again_once_the_site_answers(
    parts: Parts, stored: StoredForm
) -> None:
    exchange = parts.fail(stored, "sea")
    assert not parts.missing.has_waiting(stored.id)
    assert add(parts, exchange)
    assert parts.missing.has_waiting(stored.id)
    assert parts.missing.list_waiting_forms(parts.site) == [stored.id]

    assert parts.missing.retry_one(stored.id)

    assert parts.steps.end_turn(None).steps == (RetriedTask(exchange.task.link),)
    assert not parts.missing.retry_one(stored.id)
    assert parts.missing.count_of(stored.id) == 1  # until it has come


def test_a_page_that_came_after_all_is_no_longer_missing(parts: Parts, stored: StoredForm) -> None:
    exchange = parts.fail(stored, "sea")
    add(parts, exchange)
    parts.missing.count_failure(exchange.task.link)
    parts.stats.set_value("hiddenweb/frontier/missed", 1)

    parts.missing.remove(exchange.task)
    parts.missing.remove(exchange.task)

    assert parts.missing.is_resumed(exchange.task.submission)
    assert not parts.missing.is_resumed(99)
    assert (parts.missing.count_of(stored.id), parts.missing.sites) == (0, [])
    assert parts.stats.values == {
        "hiddenweb/answers/interrupted": 1, "hiddenweb/answers/resumed": 1, "hiddenweb/answers/not_come": 0,
        "hiddenweb/frontier/missed": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("failure", "was_sent", "missing"),
    [
        ({"refused": True}, False, 0),
        ({}, True, 0),  # by POST: it may have been taken in
        ({"may_be_temporary": False}, False, 1),  # missing, but not worth another request now
    ],
)
def test_a_page_that_cannot_come_is_not_fetched_again(
    parts: Parts, stored: StoredForm, failure: dict[str, bool], was_sent: bool, missing: int
) -> None:
    exchange = parts.fail(stored, "sea", **failure)

    assert not add(parts, exchange, was_sent=was_sent)

    assert parts.missing.count_of(stored.id) == missing
    assert not parts.missing.has_waiting(stored.id)


def test_a_page_is_fetched_again_only_so_often(parts: Parts, stored: StoredForm) -> None:
    exchange = parts.fail(stored, "sea")

    for _ in range(MOST_RETRIES):
        assert add(parts, exchange)
        assert parts.missing.retry_one(stored.id)

    assert not add(parts, exchange)
    assert parts.missing.count_of(stored.id) == 1
    assert parts.stats.values["hiddenweb/answers/interrupted"] == 1


def test_a_page_that_has_just_failed_comes_after_others(parts: Parts, stored: StoredForm) -> None:
    first, second = parts.fail(stored, "sea"), parts.fail(stored, "moon")
    add(parts, first)
    parts.missing.hold_back(first.task.link)
    assert not parts.missing.retry_one(stored.id)

    add(parts, second)
    assert parts.missing.retry_one(stored.id)
    parts.missing.hold_back(None)
    assert parts.missing.retry_one(stored.id)

    assert parts.steps.end_turn(None).steps == (RetriedTask(second.task.link), RetriedTask(first.task.link))


def test_pages_belong_to_their_forms(parts: Parts, stored: StoredForm) -> None:
    other = parts.save_form(OTHER_FORM)
    for form, word in ((stored, "sea"), (other, "sea"), (stored, "moon")):
        add(parts, parts.fail(form, word))

    assert (parts.missing.count_of(stored.id), parts.missing.count_of(other.id)) == (2, 1)
    assert parts.missing.list_waiting_forms(parts.site) == [stored.id, other.id]
    assert parts.missing.list_waiting_forms(99) == []


def test_the_next_crawl_fetches_missing_pages(parts: Parts, stored: StoredForm) -> None:
    exchange = parts.fail(stored, "sea")

    resumed = MissingPages(parts.store, parts.steps, parts.stats)
    resumed.load()

    assert resumed.sites == [parts.site]
    assert resumed.retry_one(stored.id)
    again = parts.store.lease()
    assert again is not None
    assert again.link == exchange.task.link
