"""A crawl that queries known forms: only their tasks are leased."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.model import Field, Form, HttpQuery, TaskSeed, Verdict
from hiddenweb.store.chosen_forms import ONLY_QUERIED, ChosenForms, parse_form_numbers
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NOW = 1_700_000_000.0
A, B = "http://a.example/", "http://b.example/"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two sites, the first with two forms; each form has a question, further pages and a record waiting, and pages wait as well."""
    with Store(tmp_path) as store:
        for home, paths in ((A, ("one", "two")), (B, ("three",))):
            site = store.sites.want(home)
            store.frontier.add([TaskSeed(f"{home}page/{at}", "page", 2) for at in range(3)])
            for path in paths:
                form = Form(home, f"{home}{path}", "GET", (Field("q", "search"),))
                number = store.forms.save(site, form, Verdict(True, "search"), NOW)
                submission_number = store.submissions.plan(
                    number, HttpQuery((("q", "x"),), "x", url=f"{home}{path}?q=x"), "", NOW
                )
                for kind in ("paging", "record"):
                    store.frontier.add([TaskSeed(f"{home}{path}/{kind}", kind, submission=submission_number)])
        store.runs.begin("harvest", NOW)
        store.sites.woken_hosts.clear()
        yield store


def leased(store: Store, chosen: ChosenForms, home: str, count: int = 16) -> list[str]:
    tasks, _ = chosen.lease(store.sites.find_host(home) or 0, count, NOW)
    return [task.url.removeprefix(home) for task in tasks]


def test_only_queries_pages_of_answers_and_records_of_the_forms_are_leased(
    store: Store,
) -> None:
    chosen = ChosenForms(store, [2])
    sites = chosen.resume()

    assert sites == [1]
    assert store.sites.woken_hosts == {store.sites.find_host(A)}
    assert chosen.count_waiting() == 3
    assert leased(store, chosen, B) == []
    assert leased(store, chosen, A) == ["two?q=x", "two/paging", "two/record"]
    assert leased(store, chosen, A) == []
    assert chosen.count_waiting() == 3  # under way


def test_forms_of_several_sites_are_resumed_together(store: Store) -> None:
    chosen = ChosenForms(store, [1, 3])

    assert chosen.resume() == [1, 2]
    assert leased(store, chosen, A, 2) == ["one?q=x", "one/paging"]
    assert leased(store, chosen, B) == ["three?q=x", "three/paging", "three/record"]


def test_lease_returns_when_a_postponed_task_may_go(store: Store) -> None:
    chosen = ChosenForms(store, [3])
    chosen.resume()
    store.write("UPDATE links SET not_before = ? WHERE submission = 3", (NOW + 60,))

    assert chosen.lease(store.sites.find_host(B) or 0, 16, NOW) == ([], NOW + 60)
    assert len(chosen.lease(store.sites.find_host(B) or 0, 16, NOW + 60)[0]) == 3


def test_a_crawl_that_asks_nothing_gets_nothing(store: Store) -> None:
    chosen = ChosenForms(store, [1])
    chosen.resume()

    assert chosen.lease(store.sites.find_host(A) or 0, 16, NOW, with_queries=False) == ([], None)


def test_sites_are_left_when_nothing_of_the_forms_waits_any_more(store: Store) -> None:
    chosen = ChosenForms(store, [3])
    chosen.resume()
    chosen.leave()
    waiting = store.rows("SELECT left FROM sites WHERE id = 2")
    for task in chosen.lease(store.sites.find_host(B) or 0, 16, NOW)[0]:
        store.frontier.finish(task)
    chosen.leave()

    assert waiting == [(None,)]
    assert store.rows("SELECT left FROM sites WHERE id = 2") == [(ONLY_QUERIED,)]


def test_why_a_site_was_left_before_is_not_forgotten(store: Store) -> None:
    chosen = ChosenForms(store, [3])
    chosen.resume()
    store.write("DELETE FROM links WHERE submission = 3")
    store.sites.leave(2, "its budget of 9 pages is spent")

    chosen.leave()

    assert store.rows("SELECT left FROM sites WHERE id = 2") == [("its budget of 9 pages is spent",)]


def test_why_forms_are_in_their_state_is_known(store: Store) -> None:
    store.forms.end(1, "asked 10 times", for_now=True)

    assert ChosenForms(store, [1, 2]).load_reasons() == [(1, "asked 10 times"), (2, "it is being queried")]


def test_only_the_links_of_two_buckets_of_a_host_are_read(store: Store) -> None:
    chosen = ChosenForms(store, [1])
    plans: list[str] = []
    rows = store.rows

    def spied(sql: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
        plans.extend(str(row[3]) for row in rows(f"EXPLAIN QUERY PLAN {sql}", values))
        return rows(sql, values)

    store.rows = spied  # type: ignore[method-assign, assignment]
    chosen.lease(1, 16, NOW)

    links = [plan for plan in plans if " links " in plan]
    assert links
    assert all("links_pending (host=? AND bucket=?" in plan for plan in links), plans


@pytest.mark.parametrize(
    ("named", "numbers"),
    [("12", [12]), ("12, #15 12,", [12, 15]), ([3, 4], [3, 4]), (["3", "#4"], [3, 4])],
)
def test_numbers_of_forms_are_read(named: str | list[object], numbers: list[int]) -> None:
    assert parse_form_numbers(named) == numbers


@pytest.mark.parametrize("named", ["", "one", "1;2", "-1", "1.5", "٣", "9" * 30, "##1"])
def test_a_word_that_is_no_number_of_a_form_is_named(named: str) -> None:
    with pytest.raises(ValueError, match="is not the number of a form; scrapy forms shows the numbers"):
        parse_form_numbers(named)
