"""The frontier of a crawl on a topic: the first stage chooses sites, the second the links of each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hiddenweb.store.breadth_first import UNLIMITED, BreadthFirstFrontier

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiddenweb.frontier.protocol import WaitingHost
    from hiddenweb.model import CrawlTask, FetchFailure
    from hiddenweb.store.database import Store
    from hiddenweb.store.detail_pages import DetailPages
    from hiddenweb.store.focused import FocusedStore


class TopicFrontier(BreadthFirstFrontier):
    """Tasks of the sites that are explored now; which these are, and which link comes next, follows from what was read."""

    batch = 1
    depends_on_pages = True

    def __init__(
        self,
        store: Store,
        focused: FocusedStore,
        most_sites: int = 1,
        detail_pages: DetailPages | None = None,
        *,
        submits: bool = True,
    ) -> None:
        super().__init__(store, UNLIMITED, detail_pages, submits=submits)
        self._focused = focused
        self._most_sites = most_sites
        self._sites_opened = 0
        self._sites_waiting = 0
        self._slowest_choice = 0.0

    def open(self, command: str, now: float) -> None:
        super().open(command, now)
        if self._submits:
            self._focused.resume_queries()

    def figures(self) -> Mapping[str, float]:
        ranking = self._focused.stages.frontier
        ranked = {
            "hiddenweb/locating/reranked": ranking.reranked,
            "hiddenweb/locating/ranking_seconds": round(ranking.seconds, 3),
            "hiddenweb/locating/slowest_choice_ms": self._slowest_choice,
        }
        if not self._sites_opened:
            return ranked
        return ranked | {
            "hiddenweb/locating/sites_opened": self._sites_opened,
            "hiddenweb/locating/sites_waiting": self._sites_waiting,
        }

    def add_seed(self, url: str) -> bool:
        self._focused.start([url])
        return True

    # Hosts

    def choose_sites(self, now: float) -> None:
        while self._focused.open_sites < self._most_sites:
            begun = time.perf_counter()
            is_opened = self._focused.open_site(now)
            self._slowest_choice = max(self._slowest_choice, 1000 * (time.perf_counter() - begun))
            if not is_opened:
                return
            self._sites_opened += 1
            self._sites_waiting = self._focused.waiting

    def can_choose_sites(self) -> bool:
        return self._focused.waiting > 0 and self._focused.open_sites < self._most_sites

    def postpone_host(self, host: int) -> None:
        self._store.sites.woken_hosts.add(host)

    def find_waiting_host(self, after: int) -> int | None:  # noqa: ARG002
        return None  # the stages say which sites are opened

    def open_host(self, number: int) -> WaitingHost | None:
        host = self._store.sites.load_host(number)
        return None if self._store.sites.is_left(host.site) else host

    # Tasks

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        tasks, later = self._focused.lease(host, count, now, with_queries=self._submits)
        return self._store.submissions.attach(tasks), later

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        for task in tasks:
            if self._focused.is_chosen(task):  # the stage does not choose it a second time
                self._store.frontier.choose(task)
            else:
                super().release([task])

    def fail(self, failure: FetchFailure) -> None:
        if failure.retry_in is None:
            (self._focused.note_skipped if failure.refused else self._focused.note_missing)(failure.task)
        super().fail(failure)

    def refuse(self, task: CrawlTask, why: str) -> None:
        self._focused.note_skipped(task)
        super().refuse(task, why)

    def abandon_site(self, site: int) -> None:
        self._focused.give_up(site)
