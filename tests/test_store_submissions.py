from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stores import FORM, NOW, lease_all, lease_seeds

from hiddenweb.model import (
    Field,
    Form,
    HttpQuery,
    TaskSeed,
    Verdict,
)

if TYPE_CHECKING:
    from hiddenweb.store.database import Store


def test_ledger_is_synced_to_disk_before_a_post_goes_out(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(
        form, HttpQuery((), "x", "POST", "https://a.example/find", b"q=x"), "{}", NOW
    )
    assert number is not None
    said: list[str] = []
    store.db.set_trace_callback(said.append)

    store.submissions.mark_sent(number, NOW)

    steps = [line.split("=")[-1].split()[0] for line in said if line.startswith(("PRAGMA", "COMMIT"))]
    assert steps == ["COMMIT", "FULL", "COMMIT", "NORMAL"]


def test_an_answer_is_one_step_farther_than_the_page_of_its_form_and_waits_where_it_is_put(
    store: Store,
) -> None:
    lease_seeds(store, "https://a.example/")
    page = "https://a.example/search"
    store.frontier.add([TaskSeed(page, hops=3)])
    site = store.sites.find_site(page)
    assert site is not None
    form = store.forms.save(
        site, Form(page, page, "GET", (Field("q", "text"),)), Verdict(True, "search"), NOW
    )

    store.submissions.plan(form, HttpQuery((), "x", url=f"{page}?q=x"), "{}", NOW, bucket=9)

    assert store.rows("SELECT hops, bucket FROM links WHERE kind = 'answer'") == [(4, 9)]


def test_query_is_submitted_once(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    query = HttpQuery((("q", "wine"),), "wine", url="https://a.example/find?q=wine")

    first, second = (
        store.submissions.plan(form, query, "{}", NOW),
        store.submissions.plan(form, query, "{}", NOW),
    )

    assert first is not None
    assert second is None
    known = store.submissions.load(first)
    assert known is not None
    assert known.query == query


def test_form_is_being_queried_until_the_last_page_of_its_answer(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(
        form, HttpQuery((), "wine", url="https://a.example/find?q=wine"), "{}", NOW
    )
    (task,) = lease_all(store)
    assert store.submissions.has_open(form)
    assert not store.submissions.has_open(form, but=task)
    assert number is not None
    store.frontier.add(
        [TaskSeed("https://a.example/find?q=wine&p=2", "paging", submission=number, page_number=2)]
    )
    store.submissions.mark_answered(number, "paged", "", NOW)
    store.frontier.finish(task)
    assert store.submissions.has_open(form)

    store.frontier.finish(lease_all(store)[0])

    assert not store.submissions.has_open(form)


def test_query_goes_out_with_other_hidden_values_and_stays_the_same_query(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
    query = HttpQuery((("q", "x"),), "x", url="https://a.example/find?q=x&csrf=1")
    number = store.submissions.plan(form, query, "{}", NOW)
    assert number is not None
    (task,) = lease_all(store)

    store.submissions.update_request(task, number, replace(query, url="https://a.example/find?q=x&csrf=2"))
    store.frontier.release([task])

    assert [again.url for again in lease_all(store)] == ["https://a.example/find?q=x&csrf=2"]
    renewed = store.submissions.load(number)
    assert renewed is not None
    assert renewed.query.url == "https://a.example/find?q=x&csrf=2"
    assert not store.submissions.can_plan(query)
