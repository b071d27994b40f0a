from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from stores import FORM, NOW, lease_all, lease_seeds, next_by_post, plan_query

from hiddenweb.model import (
    FetchFailure,
    HttpQuery,
    TaskSeed,
    Verdict,
)
from hiddenweb.store.database import Store
from hiddenweb.store.errors import StateInUse

if TYPE_CHECKING:
    from pathlib import Path


def test_sites_not_named_in_a_run_are_left_in_peace(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        lease_seeds(store, "https://a.example/", "https://b.example/")
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        a, b = store.sites.find_site("https://a.example/"), store.sites.want("https://b.example/")

        assert a is not None
        assert (store.sites.is_left(a), store.sites.is_left(b)) == (True, False)


def test_killed_run_is_called_killed(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
    with Store(tmp_path) as store:
        run = store.runs.begin("second", NOW + 5)
        store.runs.end(run, "finished", NOW + 9)

        assert store.rows("SELECT reason FROM runs ORDER BY id") == [("killed",), ("finished",)]


def test_post_that_may_have_been_sent_is_not_sent_again(tmp_path: Path) -> None:
    query = HttpQuery(
        (("q", "x"),), "x", "POST", "https://a.example/find", b"q=x", "application/x-www-form-urlencoded"
    )
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        number = store.submissions.plan(form, query, "{}", NOW)
        assert number is not None
        assert lease_all(store)[0].submission == number
        store.submissions.mark_sent(number, NOW)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert lease_all(store) == []
        assert store.rows("SELECT state FROM submissions") == [("unknown",)]


def test_get_that_was_under_way_is_sent_again(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        store.submissions.plan(form, HttpQuery((), "x", url="https://a.example/find?q=x"), "{}", NOW)
        lease_all(store)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert [task.kind for task in lease_all(store)] == ["answer"]


def test_second_crawl_in_one_process_is_refused(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        run = store.runs.begin("first", NOW)
        with pytest.raises(StateInUse, match="another crawl of this process"):
            store.runs.begin("second", NOW)

        store.runs.end(run, "finished", NOW)
        store.runs.begin("third", NOW)


def test_missed_links_are_tried_again_by_the_next_run_and_a_post_is_not(tmp_path: Path) -> None:
    query = HttpQuery(
        (("q", "x"),), "x", "POST", "https://a.example/find", b"q=x", "application/x-www-form-urlencoded"
    )
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        (page,) = lease_seeds(store, "https://a.example/")
        form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
        store.submissions.plan(form, query, "{}", NOW)
        (posted,) = lease_all(store)
        for task in (page, posted):
            store.frontier.fail(FetchFailure(task, "no connection", NOW))
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert [task.url for task in lease_all(store)] == ["https://a.example/"]


def test_redirect_of_a_post_is_followed_after_a_kill(tmp_path: Path) -> None:
    query = HttpQuery(
        (("q", "x"),), "x", "POST", "https://a.example/find", b"q=x", "application/x-www-form-urlencoded"
    )
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        number = store.submissions.plan(form, query, "{}", NOW)
        assert number is not None
        (posted,) = lease_all(store)
        store.submissions.mark_sent(number, NOW)
        store.frontier.add([TaskSeed("https://a.example/found/7", "answer", redirects=1, submission=number)])
        store.frontier.finish(posted)
        lease_all(store)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert [task.url for task in lease_all(store)] == ["https://a.example/found/7"]


@pytest.mark.parametrize("is_sent", [True, False], ids=["which may have been sent", "which was not sent yet"])
def test_after_a_kill_a_further_page_by_post(tmp_path: Path, is_sent: bool) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        store.frontier.add_post(next_by_post(plan_query(store)))
        (task,) = lease_all(store)
        if is_sent:
            store.frontier.mark_post_sent(task, NOW)
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)
        store.sites.want("https://a.example/")

        assert len(lease_all(store)) == (0 if is_sent else 1)
    with Store(tmp_path) as store:
        store.runs.begin("third", NOW)
        store.sites.want("https://a.example/")

        assert len(lease_all(store)) == (0 if is_sent else 1)


def test_query_whose_request_is_gone_does_not_hold_its_form(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.runs.begin("first", NOW)
        site = store.sites.want("https://a.example/")
        form = store.forms.save(site, FORM, Verdict(True, "search"), NOW)
        store.submissions.plan(form, HttpQuery((), "wine", url="https://a.example/find?q=wine"), "{}", NOW)
        store.frontier.refuse(lease_all(store)[0], "robots.txt forbids it")
    with Store(tmp_path) as store:
        store.runs.begin("second", NOW)

        assert not store.submissions.has_open(form)
