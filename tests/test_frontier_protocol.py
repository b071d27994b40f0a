"""What every frontier holds to, in memory and in a store, whatever kind of crawl it is for."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Protocol

import pytest

from hiddenweb.focused.stages import FocusedLimits
from hiddenweb.frontier.host_pace import HostPace
from hiddenweb.frontier.memory import MemoryFrontier
from hiddenweb.frontier.open_hosts import OpenHosts
from hiddenweb.frontier.protocol import Admission
from hiddenweb.model import (
    Fetched,
    FetchFailure,
    Field,
    Form,
    HttpQuery,
    PlannedQuery,
    PostSeed,
    RetriedTask,
    TaskSeed,
    Verdict,
)
from hiddenweb.store.breadth_first import BreadthFirstFrontier
from hiddenweb.store.chosen_forms import ChosenForms
from hiddenweb.store.database import Store
from hiddenweb.store.focused import FocusedStore
from hiddenweb.store.form_frontier import FormFrontier
from hiddenweb.store.revisit_frontier import RevisitFrontier
from hiddenweb.store.revisit_plan import DueRevisit
from hiddenweb.store.revisits import RevisitStore
from hiddenweb.store.topic_frontier import TopicFrontier

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.frontier.protocol import Frontier
    from hiddenweb.model import CrawlTask

NOW = 1_700_000_000.0
HOME = "https://a.example/"
FORM = Form(HOME, f"{HOME}find", "GET", (Field("q", "search"),))


class Leaving(Protocol):
    """Leaves a site."""

    def __call__(self, site: int) -> object: ...


@dataclass(frozen=True, slots=True)
class Case:
    """A frontier with one task at least, and what a test needs to know of it."""

    frontier: Frontier
    leave_site: Leaving
    form: int = 1


def query(word: str, method: str = "GET") -> HttpQuery:
    if method == "GET":
        return HttpQuery((("q", word),), word, url=f"{HOME}find?q={word}")
    return HttpQuery(
        (("q", word),), word, method, f"{HOME}find", f"q={word}".encode(), "application/x-www-form-urlencoded"
    )


def in_memory(folder: Path) -> Iterator[Case]:  # noqa: ARG001
    frontier = MemoryFrontier()
    frontier.open("test", NOW)
    frontier.add_seed(HOME)
    yield Case(frontier, frontier.leave_site)


def in_store(folder: Path) -> Iterator[Case]:
    with Store(folder) as store:
        frontier = BreadthFirstFrontier(store, now=lambda: NOW)
        frontier.open("test", NOW)
        frontier.add_seed(HOME)
        form = store.forms.save(store.sites.want(HOME), FORM, Verdict(True, "search"), NOW)
        yield Case(frontier, lambda site: store.sites.leave(site, "a test"), form)


def on_topic(folder: Path) -> Iterator[Case]:
    with Store(folder) as store:
        focused = FocusedStore(store, "books", ["book"], Random(0), FocusedLimits())
        frontier = TopicFrontier(store, focused)
        frontier.open("test", NOW)
        frontier.add_seed(HOME)
        yield Case(frontier, lambda site: store.sites.leave(site, "a test"))


def of_chosen_forms(folder: Path) -> Iterator[Case]:
    with Store(folder) as store:
        form = store.forms.save(store.sites.want(HOME), FORM, Verdict(True, "search"), NOW)
        frontier = FormFrontier(store, ChosenForms(store, [form]))
        frontier.open("test", NOW)
        frontier.add([PlannedQuery(form, query("novel"))])
        yield Case(frontier, lambda site: store.sites.leave(site, "a test"), form)


def of_revisits(folder: Path) -> Iterator[Case]:
    with Store(folder) as store:
        crawl = BreadthFirstFrontier(store)
        crawl.open("test", NOW)
        crawl.add_seed(HOME)
        host = min(crawl.take_woken_hosts())
        [task], _ = crawl.lease(host, 1, NOW)
        crawl.finish(task)
        crawl.close("finished", NOW)
        revisits = RevisitStore(store)
        revisits.plan.add([DueRevisit(task.link, host, NOW, 0.5)])
        frontier = RevisitFrontier(store, revisits)
        frontier.open("test", NOW)
        yield Case(frontier, lambda site: store.sites.leave(site, "a test"))


Make = "Callable[[Path], Iterator[Case]]"
EVERY = [in_memory, in_store, on_topic, of_chosen_forms, of_revisits]
BREADTH_FIRST = [in_memory, in_store]


@pytest.fixture(params=EVERY)
def case(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
    yield from request.param(tmp_path)


@pytest.fixture(params=BREADTH_FIRST)
def plain(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Case]:
    yield from request.param(tmp_path)


def lease_all(frontier: Frontier, now: float = NOW) -> list[CrawlTask]:
    """Lease whatever waits for the hosts that are woken."""
    frontier.choose_sites(now)
    tasks: list[CrawlTask] = []
    for host in sorted(frontier.take_woken_hosts()):
        while leased := frontier.lease(host, 16, now)[0]:
            tasks += leased
    return tasks


def lease_one(frontier: Frontier, now: float = NOW) -> CrawlTask:
    [task] = lease_all(frontier, now)
    return task


# Every frontier


class UnknownRules:
    """The rules of hosts that were not requested yet."""

    known = False

    def are_known(self, host_origin: str, now: float) -> bool:  # noqa: ARG002
        return self.known

    def crawl_delay(self, host_origin: str) -> float:  # noqa: ARG002
        return 0.0


def test_robots_txt_of_a_host_goes_before_its_tasks_which_stay_as_they_were(case: Case) -> None:
    rules = UnknownRules()
    hosts = OpenHosts(case.frontier, rules, HostPace(delay=0.0), 10)
    hosts.open_waiting(NOW)
    task = hosts.next_task(NOW)
    assert task is not None

    robots = hosts.hold_for_robots(task, NOW)
    assert robots is not None
    assert (robots.kind, robots.url) == ("robots", f"{HOME}robots.txt")
    assert hosts.next_task(NOW) is None
    rules.known = True
    hosts.end_task(Fetched(robots, robots.url, 200, NOW), NOW)

    again = hosts.next_task(NOW)
    assert again == task, "without a retry that counts, and without a delay of its own"
    assert hosts.hold_for_robots(again, NOW) is None


def test_task_that_waits_for_robots_txt_is_there_for_the_next_crawl(case: Case) -> None:
    hosts = OpenHosts(case.frontier, UnknownRules(), HostPace(delay=0.0), 10)
    hosts.open_waiting(NOW)
    task = hosts.next_task(NOW)
    assert task is not None
    assert hosts.hold_for_robots(task, NOW) is not None

    hosts.close_all()

    assert case.frontier.lease(task.host, 16, NOW)[0] == [task]


def test_task_that_waits_is_leased_once(case: Case) -> None:
    task = lease_one(case.frontier)

    assert case.frontier.lease(task.host, 16, NOW) == ([], None)


def test_released_task_waits_again(case: Case) -> None:
    task = lease_one(case.frontier)

    case.frontier.release([task])

    assert case.frontier.lease(task.host, 16, NOW)[0] == [task]


def test_host_of_a_waiting_task_can_be_opened(case: Case) -> None:
    case.frontier.choose_sites(NOW)
    [number] = case.frontier.take_woken_hosts()

    host = case.frontier.open_host(number)

    assert host is not None
    assert (host.id, host.origin, host.paused_until) == (number, "https://a.example", 0.0)


def test_host_that_cannot_be_opened_now_is_offered_again(case: Case) -> None:
    case.frontier.choose_sites(NOW)
    [number] = case.frontier.take_woken_hosts()

    case.frontier.postpone_host(number)

    assert number in case.frontier.take_woken_hosts() or case.frontier.find_waiting_host(0) == number


def test_woken_hosts_are_named_once(case: Case) -> None:
    case.frontier.choose_sites(NOW)

    assert case.frontier.take_woken_hosts()
    assert not case.frontier.take_woken_hosts()


def test_host_of_a_site_that_was_left_is_not_opened_and_its_tasks_are_not_sent(case: Case) -> None:
    task = lease_one(case.frontier)
    assert case.frontier.admit(task) is Admission.SEND

    case.leave_site(task.site)

    assert case.frontier.admit(task) is Admission.LEAVE_SITE
    assert case.frontier.open_host(task.host) is None


def test_failed_task_waits_for_its_next_try(case: Case) -> None:
    task = lease_one(case.frontier)

    case.frontier.fail(FetchFailure(task, "status 503", NOW, retry_in=60.0))

    assert task.host in case.frontier.take_woken_hosts()
    assert case.frontier.lease(task.host, 16, NOW) == ([], NOW + 60.0)
    [again], _ = case.frontier.lease(task.host, 16, NOW + 60.0)
    assert (again.link, again.attempts) == (task.link, 1)


def test_try_that_does_not_count_is_no_attempt(case: Case) -> None:
    task = lease_one(case.frontier)

    case.frontier.fail(FetchFailure(task, "robots.txt was fetched first", NOW, retry_in=1.0, counts=False))

    assert case.frontier.lease(task.host, 16, NOW + 1.0)[0] == [task]


@pytest.mark.parametrize("how", ["done", "failed", "refused"])
def test_task_that_has_ended_is_not_leased_again(case: Case, how: str) -> None:
    task = lease_one(case.frontier)

    if how == "done":
        case.frontier.finish(task)
    elif how == "failed":
        case.frontier.fail(FetchFailure(task, "no connection", NOW))
    else:
        case.frontier.refuse(task, "robots.txt forbids it")

    assert case.frontier.lease(task.host, 16, NOW + 1e6) == ([], None)


def test_crawl_ends_and_what_it_wrote_lasts(case: Case) -> None:
    task = lease_one(case.frontier)
    case.frontier.finish(task)

    case.frontier.commit()
    case.frontier.close("finished", NOW)

    assert case.frontier.lease(task.host, 16, NOW) == ([], None)


def test_usual_tasks_are_fetched_without_conditions(case: Case) -> None:
    assert case.frontier.conditions(lease_one(case.frontier), NOW) == {}


# Breadth first


def test_address_is_added_once(plain: Case) -> None:
    assert plain.frontier.add([TaskSeed(f"{HOME}1"), TaskSeed(f"{HOME}1"), TaskSeed(HOME)]) == 1


def test_address_of_an_unwanted_site_is_not_added(plain: Case) -> None:
    assert plain.frontier.add([TaskSeed("https://b.example/")]) == 0


def test_seed_that_failed_is_tried_again_when_it_is_named_again(plain: Case) -> None:
    task = lease_one(plain.frontier)
    plain.frontier.fail(FetchFailure(task, "no connection", NOW))

    assert plain.frontier.add_seed(HOME)
    assert not plain.frontier.add_seed(HOME)
    assert lease_one(plain.frontier).link == task.link


def test_nearer_pages_come_first(plain: Case) -> None:
    plain.frontier.add([TaskSeed(f"{HOME}far", bucket=3), TaskSeed(f"{HOME}near", bucket=2)])

    assert [task.url for task in lease_all(plain.frontier)] == [HOME, f"{HOME}near", f"{HOME}far"]


def test_no_more_tasks_are_leased_than_requested(plain: Case) -> None:
    plain.frontier.add(TaskSeed(f"{HOME}{number}", bucket=2) for number in range(5))
    [host] = plain.frontier.take_woken_hosts()

    assert [len(plain.frontier.lease(host, 4, NOW)[0]) for _ in range(3)] == [4, 2, 0]


def test_rounds_find_every_host_for_which_something_waits(plain: Case) -> None:
    plain.frontier.add_seed("https://b.example/")

    first = plain.frontier.find_waiting_host(0)
    assert first is not None
    second = plain.frontier.find_waiting_host(first)
    assert second is not None
    assert plain.frontier.find_waiting_host(second) is None


def test_query_comes_first_and_carries_what_is_sent(plain: Case) -> None:
    assert plain.frontier.add([PlannedQuery(plain.form, query("novel", "POST"))]) == 1

    task = lease_all(plain.frontier)[0]

    assert (task.kind, task.form, task.was_sent) == ("answer", plain.form, False)
    assert task.post_query == query("novel", "POST")
    assert plain.frontier.take_urgent_hosts() == {task.host}


def test_query_by_get_is_no_post(plain: Case) -> None:
    plain.frontier.add([PlannedQuery(plain.form, query("novel"))])

    task = lease_all(plain.frontier)[0]

    assert (task.query, task.post_query) == (query("novel"), None)


def test_query_is_planned_once(plain: Case) -> None:
    planned = PlannedQuery(plain.form, query("novel"))

    assert plain.frontier.add([planned, planned]) == 1


def test_query_waits_until_it_may_go_out(plain: Case) -> None:
    plain.frontier.finish(lease_one(plain.frontier))
    plain.frontier.add([PlannedQuery(plain.form, query("novel"), not_before=NOW + 5)])
    [host] = plain.frontier.take_woken_hosts()

    assert plain.frontier.lease(host, 1, NOW) == ([], NOW + 5)
    assert plain.frontier.lease(host, 1, NOW + 5)[0]


def test_further_page_that_is_posted_carries_its_body(plain: Case) -> None:
    plain.frontier.add([PlannedQuery(plain.form, query("novel", "POST"))])
    answer = lease_all(plain.frontier)[0]
    further = TaskSeed(f"{HOME}find", "paging", submission=answer.submission, page_number=2)
    plain.frontier.add([PostSeed(further, b"page=2", "application/x-www-form-urlencoded")])

    [task], _ = plain.frontier.lease(answer.host, 1, NOW)

    assert task.post_query is not None
    assert (task.page_number, task.post_query.body) == (2, b"page=2")


def test_page_of_an_answer_that_failed_is_tried_again_on_request(plain: Case) -> None:
    plain.frontier.add([PlannedQuery(plain.form, query("novel"))])
    answer = lease_all(plain.frontier)[0]
    plain.frontier.fail(FetchFailure(answer, "no connection", NOW))

    assert plain.frontier.add([RetriedTask(answer.link)]) == 1
    assert plain.frontier.add([RetriedTask(answer.link)]) == 0
    assert lease_one(plain.frontier).link == answer.link


def test_tasks_that_an_earlier_crawl_left_under_way_wait_again(plain: Case) -> None:
    task = lease_one(plain.frontier)
    plain.frontier.close("killed", NOW)

    plain.frontier.open("test", NOW)
    plain.frontier.add_seed(HOME)

    assert plain.frontier.lease(task.host, 1, NOW)[0] == [task]
