"""Which form of a site gets the next query: one at a time, the next when the first has nothing left."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from conversation_parts import FORM, FORM_PAGE, NOW, OTHER_FORM, Parts, answer_page, read

from hiddenweb.model import Fetched, Verdict
from hiddenweb.querying.conversation_settings import ConversationSettings
from hiddenweb.querying.exchange import load_exchange

if TYPE_CHECKING:
    import pytest


def begin(parts: Parts, *, state: str = "found") -> bool:
    """Save the first form of the site and begin with it, from its page."""
    stored = replace(parts.save_form(), state=state)
    task = parts.submit(stored, "warm-up")
    parts.store.finish(Fetched(task, task.url, 200, NOW))
    page = read(FORM_PAGE)
    return parts.turns.begin(stored, page, Fetched(task, page.url, 200, NOW, FORM_PAGE.encode(), page=page))


def queries(parts: Parts) -> list[str]:
    """The forms that have a query under way, by their actions."""
    return [task.url.partition("?")[0] for task in iter(lambda: parts.store.lease(("answer",)), None)]


def test_a_site_is_free_until_one_of_its_forms_is_in_conversation() -> None:
    parts = Parts()
    assert parts.turns.is_free(parts.site)

    assert begin(parts)

    assert not parts.turns.is_free(parts.site)
    assert queries(parts) == [FORM.action]


def test_turns_of_a_site_without_forms_change_nothing() -> None:
    parts = Parts()

    assert not parts.turns.pass_turn(parts.site)
    assert parts.turns.is_free(parts.site)


def test_sites_start_with_one_form_each() -> None:
    parts = Parts()
    parts.save_form()
    parts.save_form(OTHER_FORM)

    parts.turns.start_sites([parts.site, parts.site])

    assert queries(parts) == [FORM.action]


def test_the_form_of_the_last_query_comes_after_the_others() -> None:
    parts = Parts()
    first = parts.save_form()
    parts.save_form(OTHER_FORM)

    assert parts.turns.pass_turn(parts.site, last=first.id)

    assert queries(parts) == [OTHER_FORM.action]


def test_the_next_query_goes_to_the_same_form_while_it_brings_something() -> None:
    parts = Parts()
    parts.save_form()
    parts.save_form(OTHER_FORM)
    parts.turns.start_sites([parts.site])
    task = parts.store.lease(("answer",))
    assert task is not None
    page = read(answer_page(), task.url)
    exchange = load_exchange(
        parts.store, Fetched(task, task.url, 200, NOW, answer_page().encode(), page=page)
    )
    parts.learner.learn(exchange, page, parts.learner.judge(exchange, page, 200), set())

    assert parts.turns.plan_next(exchange)

    assert queries(parts) == [FORM.action]


def test_nothing_is_planned_where_nothing_may_be_submitted() -> None:
    parts = Parts(ConversationSettings(seed=1, submit=False))
    exchange, _ = parts.answer(parts.save_form(), "wine")

    assert not parts.turns.plan_next(exchange)
    assert queries(parts) == []


def test_a_form_whose_queries_are_used_up_passes_its_turn() -> None:
    parts = Parts(ConversationSettings(seed=1, queries=1))
    exchange, _ = parts.answer(parts.save_form(), "wine")
    parts.save_form(OTHER_FORM)

    parts.turns.plan_next(exchange)

    assert queries(parts) == [OTHER_FORM.action]


def test_a_form_that_cannot_be_queried_costs_itself_and_not_the_crawl(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    parts = Parts()
    stored = parts.save_form()

    def fail(*_: object, **__: object) -> bool:
        raise ArithmeticError("no weight is left")

    monkeypatch.setattr(parts.builder, "plan_next", fail)

    assert not parts.turns.pass_turn(parts.site)

    ended = parts.load_form(stored)
    assert (ended.state, ended.why) == ("done", "querying it failed: ArithmeticError: no weight is left")
    assert parts.turns.is_free(parts.site)
    assert parts.stats.values["hiddenweb/forms/failed"] == 1


def test_a_form_that_a_user_allowed_is_counted_once() -> None:
    parts = Parts()
    allowed = Verdict(True, "search", True, 0.4, query_box=0, by_hand="allow")
    parts.store.save_form(parts.site, FORM, allowed, NOW)

    for _ in range(2):
        parts.turns.pass_turn(parts.site)
        for task in iter(lambda: parts.store.lease(("answer",)), None):
            parts.store.finish(Fetched(task, task.url, 200, NOW))

    assert parts.stats.values["hiddenweb/forms/allowed_by_hand"] == 1
