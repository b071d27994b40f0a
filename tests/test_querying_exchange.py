"""What passes between a conversation and whoever fetches for it."""

from __future__ import annotations

from dataclasses import replace

from conversation_parts import HOME, NOW, Parts

from hiddenweb.model import (
    Fetched,
    FetchFailure,
    HttpQuery,
    PlannedQuery,
    PostSeed,
    Record,
    RetriedTask,
    TaskSeed,
)
from hiddenweb.querying.exchange import Turn, load_exchange, seed_further_page

QUERY = HttpQuery((("q", "sea"),), "sea", url=f"{HOME}find?q=sea")


def test_a_page_of_an_answer_comes_with_its_submission_and_its_form() -> None:
    parts = Parts()
    stored = parts.save_form()
    task = parts.submit(stored, "sea")

    for item in (Fetched(task, task.url, 200, NOW), FetchFailure(task, "no connection", NOW)):
        exchange = load_exchange(parts.store, item)

        assert (exchange.item, exchange.task, exchange.form.id) == (item, task, stored.id)
        assert exchange.submission.query.keyword == "sea"
        assert exchange.is_first


def test_a_further_page_is_not_the_first_and_belongs_to_the_same_submission() -> None:
    parts = Parts()
    task = replace(parts.submit(parts.save_form(), "sea"), hops=2)

    seed = seed_further_page(task, f"{HOME}find?q=sea&page=2")

    assert (seed.kind, seed.page_number, seed.submission) == ("paging", 2, task.submission)
    assert (seed.parent, seed.hops) == (task.link, 2)
    second = replace(task, page_number=2)
    assert not load_exchange(parts.store, Fetched(second, second.url, 200, NOW)).is_first


def test_only_steps_that_are_new_to_the_store_are_part_of_the_turn() -> None:
    parts = Parts()
    stored = parts.save_form()
    page = TaskSeed(f"{HOME}book/1", "record")
    post = PostSeed(TaskSeed(f"{HOME}find", "paging", submission=1, page_number=2), b"q=sea", "")
    planned = PlannedQuery(stored.id, QUERY)

    for _ in range(2):
        parts.steps.plan_query(planned)
        parts.steps.add_task(page)
        parts.steps.add_post(post)
        parts.steps.retry(99)
    turn = parts.steps.end_turn("the page")

    assert turn == Turn("the page", (planned, page, post))
    assert turn.queries == (planned,)


def test_a_page_that_did_not_come_and_is_fetched_again_is_a_step() -> None:
    parts = Parts()
    exchange = parts.fail(parts.save_form(), "sea")

    parts.steps.retry(exchange.task.link)

    assert parts.steps.end_turn(None).steps == (RetriedTask(exchange.task.link),)


def test_each_turn_starts_empty() -> None:
    parts = Parts()
    parts.steps.add_task(TaskSeed(f"{HOME}book/1", "record"))
    parts.steps.forms.append(parts.save_form())
    first = parts.steps.end_turn(None)

    assert (len(first.steps), len(first.forms)) == (1, 1)
    assert parts.steps.end_turn(None) == Turn(None)


def test_a_turn_has_the_records_of_its_page_if_that_came() -> None:
    parts = Parts()
    task = parts.submit(parts.save_form(), "sea")
    records = (Record("1", "The sea", "A novel"),)

    assert Turn(Fetched(task, task.url, 200, NOW, records=records)).records == records
    assert Turn(FetchFailure(task, "no connection", NOW)).records == ()
