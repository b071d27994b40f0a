from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from stores import FORM, NOW, lease_all, lease_seeds, next_by_post, plan_query

from hiddenweb.model import (
    CrawlTask,
    FetchFailure,
    HttpQuery,
    TaskKind,
    TaskSeed,
    Verdict,
)
from hiddenweb.store import frontier
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path


def test_link_is_handed_out_once(store: Store) -> None:
    store.sites.want("https://a.example/")
    store.frontier.add([TaskSeed("https://a.example/1"), TaskSeed("https://a.example/1")])

    assert [task.url for task in lease_all(store)] == ["https://a.example/1"]
    assert lease_all(store) == []


def test_spellings_of_one_address_are_one_link(store: Store) -> None:
    store.sites.want("https://a.example/")

    added = store.frontier.add(
        [TaskSeed("https://a.example/list?b=2&a=1"), TaskSeed("https://a.example/list?a=1&b=2")]
    )

    assert (added.new, added.known) == (1, 1)


def test_links_of_other_sites_are_counted_and_not_stored(store: Store) -> None:
    store.sites.want("https://a.example/")

    added = store.frontier.add([TaskSeed("https://b.example/"), TaskSeed("https://www.a.example/x")])

    assert added.outside >= 1
    assert not store.frontier.is_known("https://b.example/")


def test_best_bucket_goes_first_and_equals_in_their_order(store: Store) -> None:
    store.sites.want("https://a.example/")
    store.frontier.add(
        [TaskSeed(f"https://a.example/{n}", bucket=bucket) for n, bucket in enumerate((5, 1, 5, 0, 1))]
    )

    assert [task.url[-1] for task in lease_all(store)] == ["3", "1", "4", "0", "2"]


def test_link_put_off_waits_for_its_time(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/")
    store.frontier.fail(FetchFailure(task, "status 503", NOW, retry_in=60))

    assert store.frontier.lease(task.host, 10, NOW + 59) == ([], NOW + 60)
    again = store.frontier.lease(task.host, 10, NOW + 60)[0]
    assert [(each.url, each.attempts) for each in again] == [("https://a.example/", 1)]


def test_waiting_for_its_turn_is_no_attempt(store: Store) -> None:
    (task,) = lease_seeds(store, "https://a.example/")

    store.frontier.fail(FetchFailure(task, "robots.txt first", NOW, retry_in=1, counts=False))

    assert store.frontier.lease(task.host, 10, NOW + 1)[0][0].attempts == 0


def test_released_link_waits_again(store: Store) -> None:
    leased = lease_seeds(store, "https://a.example/")

    store.frontier.release(leased)

    assert lease_all(store) == leased


@pytest.mark.parametrize(
    ("end", "number"), [("finish", frontier.DONE), ("refuse", frontier.REFUSED), ("fail", frontier.MISSED)]
)
def test_ended_task_is_never_handed_out_again(store: Store, end: str, number: int) -> None:
    (task,) = lease_seeds(store, "https://a.example/")
    if end == "fail":
        store.frontier.fail(FetchFailure(task, "gone", NOW))
    else:
        getattr(store.frontier, end)(task, "because")
    store.frontier.add([TaskSeed("https://a.example/")])

    assert lease_all(store) == []
    assert store.rows("SELECT state FROM links") == [(number,)]


def test_frontier_behaves_like_a_plain_model(tmp_path: Path) -> None:
    """Random links, leases, ends and restarts: every link is handed out until it ends, and never after."""
    rng = random.Random(3)
    model: dict[str, str] = {}
    leased: list[CrawlTask] = []
    store = Store(tmp_path)
    store.runs.begin("test", NOW)
    store.sites.want("https://a.example/")
    for _ in range(1500):
        act = rng.random()
        if act < 0.5:
            urls = [f"https://a.example/{rng.randrange(400)}" for _ in range(rng.randrange(6))]
            store.frontier.add(map(TaskSeed, urls))
            for url in urls:
                model.setdefault(url, "pending")
        elif act < 0.75:
            leased += lease_all(store, rng.randrange(1, 5))
        elif act < 0.98 and leased:
            task = leased.pop(rng.randrange(len(leased)))
            assert model[task.url] == "pending"
            model[task.url] = "done"
            store.frontier.finish(task)
        else:  # killed after a commit, and begun again
            store.commit()
            store.close()
            store, leased = Store(tmp_path), []
            store.runs.begin("test", NOW)
            store.sites.want("https://a.example/")
    store.frontier.release(leased)

    assert {task.url for task in lease_all(store, 1000)} == {u for u, s in model.items() if s == "pending"}
    store.close()


def test_what_was_not_committed_is_fetched_again_with_all_its_links(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.runs.begin("test", NOW)
    (task,) = lease_seeds(store, "https://a.example/")
    store.commit()
    store.frontier.add([TaskSeed("https://a.example/new")])
    store.frontier.finish(task)
    store.db.close()  # as a kill would
    store._unlock()

    with Store(tmp_path) as after:
        after.runs.begin("test", NOW)
        after.sites.want("https://a.example/")

        assert [each.url for each in lease_all(after)] == ["https://a.example/"]
        assert after.frontier.add([TaskSeed("https://a.example/new")]).new == 1


def test_further_pages_by_post_are_distinguished_by_body_and_query(store: Store) -> None:
    number = plan_query(store)

    added = [
        store.frontier.add_post(next_by_post(number)),
        store.frontier.add_post(next_by_post(number)),
        store.frontier.add_post(next_by_post(number, b"q=x&page=3")),
        store.frontier.add_post(next_by_post(number + 1)),
    ]

    assert added == [True, False, True, True]
    posts = [post for task in lease_all(store) if (post := store.frontier.load_post(task))]
    assert [post.body for post in posts] == [b"q=x&page=2", b"q=x&page=3", b"q=x&page=2"]


def test_page_under_way_that_becomes_a_query_is_submitted_however_it_ends(store: Store) -> None:
    query = HttpQuery((), "wine", url="https://a.example/find?q=wine")
    (page,) = lease_seeds(store, query.url)
    form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(form, query, "{}", NOW)

    store.frontier.fail(FetchFailure(page, "no connection", NOW))

    assert [(task.kind, task.submission) for task in lease_all(store)] == [("answer", number)]


@pytest.mark.parametrize("is_done", [False, True])
def test_page_that_becomes_a_further_page_of_an_answer_is_read_as_that(store: Store, is_done: bool) -> None:
    (page,) = lease_seeds(store, "https://a.example/list?page=2")
    form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
    number = store.submissions.plan(form, HttpQuery((), "", url="https://a.example/list?q="), "{}", NOW)
    (answer_link,) = lease_all(store)
    further = TaskSeed(page.url, "paging", submission=number, page_number=2)
    if is_done:
        store.frontier.finish(page)

    assert store.frontier.can_continue_answer(further.url)
    assert store.frontier.add([further]).new
    if not is_done:
        store.frontier.finish(page)

    assert [(each.kind, each.page_number, each.submission) for each in lease_all(store)] == [
        ("paging", 2, number)
    ]
    assert not store.frontier.can_continue_answer(further.url)
    assert not store.frontier.can_continue_answer(answer_link.url)
    assert not store.frontier.add([further]).new  # an answer that leads back to its own pages ends


def test_queries_are_leased_alone_so_that_what_follows_from_them_comes_next(store: Store) -> None:
    store.sites.want("https://a.example/")
    page, record = TaskSeed("https://a.example/1", "page", 1), TaskSeed("https://a.example/2", "record", 4)
    answer_link = TaskSeed("https://a.example/find?q=sea", "paging", 0)
    store.frontier.add([page, record, answer_link])
    host = store.sites.find_host(page.url) or 0

    first, _ = store.frontier.lease(host, 10, NOW)
    then, _ = store.frontier.lease(host, 10, NOW)

    assert [task.url for task in first] == [answer_link.url]
    assert [task.url for task in then] == [page.url, record.url]


def test_a_kind_of_links_whose_budget_is_spent_waits_while_others_are_leased(store: Store) -> None:
    store.sites.want("https://a.example/")
    kinds: tuple[TaskKind, ...] = ("page", "record", "answer")
    links = [TaskSeed(f"https://a.example/{kind}", kind, int(kind != "answer")) for kind in kinds]
    store.frontier.add(links)
    host, site = store.sites.find_host(links[0].url) or 0, store.sites.find_site(links[0].url) or 0

    store.sites.stop(site, "page", "its budget is spent")
    leased = store.frontier.lease(host, 10, NOW)[0] + store.frontier.lease(host, 10, NOW)[0]
    store.sites.leave_stopped()

    assert {task.kind for task in leased} == {"record", "answer"}
    assert store.rows("SELECT left FROM sites WHERE id = ?", (site,)) == [("its budget is spent",)]


@pytest.mark.parametrize(
    ("method", "first", "second", "is_own"),
    [
        ("GET", "https://a.example/found", "https://a.example/found", False),
        ("POST", "https://a.example/found", "https://a.example/found", True),
        ("GET", f"https://a.example/found?sid={'a' * 32}", f"https://a.example/found?sid={'b' * 32}", True),
    ],
    ids=["all is in the address", "nothing is in the address", "what looks like a session"],
)
def test_an_address_without_its_query_is_an_answer_of_its_own(
    store: Store, method: str, first: str, second: str, *, is_own: bool
) -> None:
    (page,) = lease_seeds(store, "https://a.example/")
    form = store.forms.save(page.site, FORM, Verdict(True, "search"), NOW)
    answer_link = [
        store.submissions.plan(
            form, HttpQuery((("q", word),), word, method, f"https://a.example/find?q={word}"), "{}", NOW
        )
        for word in ("wine", "beer")
    ]
    assert answer_link[0] is not None
    assert answer_link[1] is not None
    store.frontier.add([TaskSeed(first, "answer", redirects=1, submission=answer_link[0])])

    assert store.frontier.can_become_answer(second, answer_link[1]) is is_own
    assert (
        bool(store.frontier.add([TaskSeed(second, "answer", redirects=1, submission=answer_link[1])]).new)
        is is_own
    )
    assert not store.frontier.can_become_answer(second, answer_link[1])
    assert not store.frontier.can_continue_answer(second, answer_link[1])


# Sitemaps


def test_sitemap_is_leased_by_who_explores_also_if_nothing_is_submitted(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    store.frontier.add([TaskSeed("https://a.example/all.xml", "sitemap", bucket=3)])
    host = store.sites.find_host("https://a.example/") or 0

    [task], _ = store.frontier.lease(host, 16, NOW, with_queries=False)
    store.frontier.release([task])
    store.sites.stop(site, "page", "its budget is spent")

    assert task.kind == "sitemap"
    assert store.sites.is_stopped(site, "sitemap")
    assert store.frontier.lease(host, 16, NOW) == ([], None)


def test_sitemap_is_explored_next_where_no_page_waits(store: Store) -> None:
    site = store.sites.want("https://a.example/")
    sitemap = TaskSeed("https://a.example/all.xml", "sitemap", bucket=14)
    store.frontier.add([TaskSeed("https://a.example/record/1", "record", bucket=4), sitemap])
    host = store.sites.find_host("https://a.example/") or 0

    store.frontier.explore_next(site, 15)

    [task, *_], _ = store.frontier.lease(host, 16, NOW)
    assert task.kind == "sitemap"


def test_sitemap_waits_while_stages_choose_the_pages(store: Store) -> None:
    store.sites.want("https://a.example/")
    store.frontier.add([TaskSeed("https://a.example/all.xml", "sitemap", bucket=0, redirects=1)])

    assert store.frontier.find_hosts_with_chosen() == set()
    assert store.frontier.lease_chosen(store.sites.find_host("https://a.example/") or 0, 16, NOW) == (
        [],
        None,
    )
