"""The frontier of a crawl that revisits pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.frontier.protocol import Admission
from hiddenweb.store.breadth_first import BreadthFirstFrontier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.frontier.protocol import WaitingHost
    from hiddenweb.model import CrawlTask, FetchFailure
    from hiddenweb.store.database import Store
    from hiddenweb.store.revisits import RevisitStore


class RevisitFrontier(BreadthFirstFrontier):
    """Planned revisits. They do not change the states of links: a page that cannot be fetched today stays read."""

    def __init__(self, store: Store, revisits: RevisitStore) -> None:
        super().__init__(store)
        self._revisits = revisits

    def open(self, command: str, now: float) -> None:
        super().open(command, now)
        self._revisits.resume()

    def postpone_host(self, host: int) -> None:
        self._store.sites.woken_hosts.add(host)

    def find_waiting_host(self, after: int) -> int | None:  # noqa: ARG002
        return None  # the plan says which hosts are opened

    def open_host(self, number: int) -> WaitingHost | None:
        host = self._store.sites.load_host(number)
        return None if self._store.sites.is_left(host.site) else host

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        return self._revisits.lease(host, count, now)

    def admit(self, task: CrawlTask) -> Admission:
        return Admission.LEAVE_SITE if self._store.sites.is_left(task.site) else Admission.SEND

    def conditions(self, task: CrawlTask, now: float) -> dict[str, str]:
        return self._revisits.headers(task, now)

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        self._revisits.release(tasks)

    def finish(self, task: CrawlTask, why: str | None = None) -> None:  # noqa: ARG002
        self._revisits.end(task)

    def fail(self, failure: FetchFailure) -> None:
        if failure.retry_in is None:
            self.refuse(failure.task, failure.why)
        else:
            self._revisits.postpone(failure)

    def refuse(self, task: CrawlTask, why: str) -> None:  # noqa: ARG002
        if (planned := self._revisits.end(task)) is not None:
            self._revisits.plan.lose_gain(planned.gain)
