"""The frontier of a crawl that follows all links of its seeds' sites, nearest pages first; the other frontiers build on it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hiddenweb.frontier.protocol import BATCH, Admission
from hiddenweb.frontier.scope import FIRST, QUERIES
from hiddenweb.frontier.stopping import (
    SiteBudget,
    common_shape,
    reason_to_leave,
    reason_to_skip_records,
    reason_to_stop_exploring,
)
from hiddenweb.model import PlannedQuery, PostSeed, RetriedTask, TaskSeed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hiddenweb.frontier.protocol import WaitingHost
    from hiddenweb.model import CrawlTask, FetchFailure, FollowUp
    from hiddenweb.store.database import Store
    from hiddenweb.store.detail_pages import DetailPages
    from hiddenweb.store.link_automata import LinkAutomata

UNLIMITED = SiteBudget(pages=1_000_000, nothing_new=1_000_000, explored=1_000_000, record_pages=1_000_000)
"""A budget that no site reaches, for crawls with other limits."""


class BreadthFirstFrontier:
    """Stored tasks of all wanted sites: queries first, then pages by their distance from a seed.

    With `submits` off, queries wait for another crawl.
    """

    batch = BATCH
    depends_on_pages = False

    def __init__(
        self,
        store: Store,
        budget: SiteBudget = UNLIMITED,
        detail_pages: DetailPages | None = None,
        *,
        submits: bool = True,
        automata: LinkAutomata | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._store = store
        self._automata = automata
        self._now = now
        self._budget = budget
        self._detail_pages = detail_pages
        self._submits = submits
        self._run = 0

    # A crawl

    def open(self, command: str, now: float) -> None:
        self._run = self._store.runs.begin(command, now)

    def close(self, reason: str, now: float) -> None:
        self._leave_sites()
        self._store.runs.end(self._run, reason, now)
        self._store.commit()

    def _leave_sites(self) -> None:
        self._store.sites.leave_stopped()

    def commit(self) -> None:
        self._store.commit()

    def figures(self) -> Mapping[str, float]:
        return {}

    # Adding tasks

    def add_seed(self, url: str) -> bool:
        self._check_budget(self._store.sites.want(url))
        return bool(self.add([TaskSeed(url, "page", FIRST)])) or self._store.frontier.retry(url)

    def add(self, seeds: Iterable[FollowUp]) -> int:
        return sum(self._add(seed) for seed in seeds)

    def _add(self, seed: FollowUp) -> bool:
        match seed:
            case TaskSeed():
                return bool(self._store.frontier.add([seed]).new)
            case PostSeed():
                return self._store.frontier.add_post(seed)
            case PlannedQuery():
                return self._plan_query(seed)
            case RetriedTask():
                return self._store.submissions.retry_page(seed.link)

    def _plan_query(self, planned: PlannedQuery) -> bool:
        bucket = QUERIES if self._automata is None else self._automata.choose_query_bucket(planned.form)
        number = self._store.submissions.plan(
            planned.form,
            planned.query,
            None,
            self._now(),
            bucket=bucket,
            reason=planned.reason,
            not_before=planned.not_before,
        )
        return number is not None

    # Hosts

    def choose_sites(self, now: float) -> None:
        pass

    def can_choose_sites(self) -> bool:
        return False

    def take_woken_hosts(self) -> set[int]:
        sites = self._store.sites
        woken, sites.woken_hosts = sites.woken_hosts, set()
        return woken

    def take_urgent_hosts(self) -> set[int]:
        sites = self._store.sites
        urgent, sites.urgent_hosts = sites.urgent_hosts, set()
        return urgent

    def postpone_host(self, host: int) -> None:
        pass  # `find_waiting_host` comes to it again

    def find_waiting_host(self, after: int) -> int | None:
        return self._store.frontier.find_waiting_host(after)

    def open_host(self, number: int) -> WaitingHost | None:
        host = self._store.sites.load_host(number)
        self._check_budget(host.site)
        return None if self._store.sites.is_left(host.site) else host

    def _check_budget(self, site: int) -> None:
        """Leave a site whose budget is spent, before it gets one more page."""
        sites, budget = self._store.sites, self._budget
        if sites.is_left(site):
            return
        progress = sites.load_progress(site)
        if why := reason_to_leave(progress.pages, budget):
            sites.leave(site, why)
        if why := reason_to_stop_exploring(progress.explored, progress.nothing_new, budget):
            sites.stop(site, "page", why)
        if why := reason_to_skip_records(progress.record_pages, budget):
            sites.stop(site, "record", why)

    # Tasks

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        tasks, later = self._store.frontier.lease(host, count, now, with_queries=self._submits)
        return self._store.submissions.attach(tasks), later

    def admit(self, task: CrawlTask) -> Admission:
        sites = self._store.sites
        if sites.is_left(task.site):
            return Admission.LEAVE_SITE
        if sites.is_stopped(task.site, task.kind):
            return Admission.RELEASE
        if self._has_closed_shape(task):
            return Admission.REFUSE
        if self._detail_pages is not None and self._detail_pages.skip(task):
            return Admission.SKIP
        return Admission.SEND

    def _has_closed_shape(self, task: CrawlTask) -> bool:
        sites = self._store.sites
        if task.kind != "page" or not sites.has_closed_shapes(task.site):
            return False
        return sites.is_shape_closed(task.site, common_shape(task.url))

    def conditions(self, task: CrawlTask, now: float) -> dict[str, str]:  # noqa: ARG002
        return {}

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        self._store.frontier.release(tasks)

    def finish(self, task: CrawlTask, why: str | None = None) -> None:
        self._store.frontier.finish(task, why)

    def fail(self, failure: FetchFailure) -> None:
        self._store.frontier.fail(failure)
        if failure.retry_in is None:
            self._fail_query(failure.task, failure.why)

    def refuse(self, task: CrawlTask, why: str) -> None:
        self._store.frontier.refuse(task, why)
        self._fail_query(task, why)

    def _fail_query(self, task: CrawlTask, why: str) -> None:
        if task.kind == "answer" and task.submission is not None:
            self._store.submissions.mark_failed(task.submission, why)

    def abandon_site(self, site: int) -> None:
        pass
