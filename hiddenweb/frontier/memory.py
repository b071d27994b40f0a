"""A frontier in memory, breadth first: for tests, and for crawls that need no lasting state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.frontier.protocol import BATCH, Admission, WaitingHost
from hiddenweb.frontier.scope import FIRST, QUERIES
from hiddenweb.model import CrawlTask, HttpQuery, PlannedQuery, PostSeed, RetriedTask, TaskSeed
from hiddenweb.urls import origin, registered_domain, text_hash, url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiddenweb.model import FetchFailure, FollowUp

_WAITING, _LEASED, _ENDED, _FAILED = range(4)


class _Entry:
    """A task, and its state."""

    def __init__(self, task: CrawlTask, bucket: int, not_before: float) -> None:
        self.task = task
        self.bucket = bucket
        self.state = _WAITING
        self.not_before = not_before


class MemoryFrontier:
    """Tasks by the distance of their pages from a seed; what is nearest comes first."""

    batch = BATCH
    depends_on_pages = False

    def __init__(self) -> None:
        self._entries: dict[int, _Entry] = {}  # by the number of the link
        self._links: dict[int, int] = {}  # by the hash of the address
        self._hosts: dict[str, int] = {}  # by origin
        self._sites: dict[str, int] = {}  # by domain
        self._left_sites: set[int] = set()
        self._woken: set[int] = set()
        self._urgent: set[int] = set()
        self._submissions = 0

    def open(self, command: str, now: float) -> None:  # noqa: ARG002  there are no earlier crawls
        self._release_all()

    def close(self, reason: str, now: float) -> None:  # noqa: ARG002
        self._release_all()

    def commit(self) -> None:
        pass

    def figures(self) -> Mapping[str, float]:
        return {}

    def _release_all(self) -> None:
        self.release([entry.task for entry in self._entries.values()])

    # Adding tasks

    def add_seed(self, url: str) -> bool:
        site = self._sites.setdefault(registered_domain(url), len(self._sites) + 1)
        self._left_sites.discard(site)
        return bool(self.add([TaskSeed(url, "page", FIRST)])) or self._retry(self._links[url_hash(url)])

    def _retry(self, link: int) -> bool:
        entry = self._entries[link]
        if entry.state != _FAILED:
            return False
        entry.task, entry.state, entry.not_before = replace(entry.task, attempts=0), _WAITING, 0.0
        self._woken.add(entry.task.host)
        return True

    def add(self, seeds: Iterable[FollowUp]) -> int:
        return sum(self._add_one(seed) for seed in seeds)

    def _add_one(self, seed: FollowUp) -> bool:
        match seed:
            case TaskSeed():
                return self._add(seed, seed.url)
            case PostSeed():
                query = HttpQuery((), "", "POST", seed.link.url, seed.body, seed.content_type)
                return self._add(seed.link, f"{seed.link.url} {seed.body.hex()}", query=query)
            case PlannedQuery():
                self._submissions += 1
                answer = TaskSeed(seed.query.url, "answer", QUERIES, submission=self._submissions)
                identity = f"{seed.form} {seed.query.keyword} {seed.query.values}"
                return self._add(
                    answer, identity, form=seed.form, query=seed.query, not_before=seed.not_before
                )
            case RetriedTask():
                return self._retry(seed.link)

    def _add(
        self,
        seed: TaskSeed,
        identity: str,
        *,
        form: int | None = None,
        query: HttpQuery | None = None,
        not_before: float = 0.0,
    ) -> bool:
        site = self._sites.get(registered_domain(seed.url))
        identity_hash = url_hash(seed.url) if identity == seed.url else text_hash(identity)
        if site is None or identity_hash in self._links:
            return False
        host = self._hosts.setdefault(origin(seed.url), len(self._hosts) + 1)
        link = self._links[identity_hash] = len(self._links) + 1
        task = CrawlTask(
            link, site, host, seed.url, seed.kind, seed.hops, seed.redirects,
            submission=seed.submission, page_number=seed.page_number, form=form, query=query,
        )  # fmt: skip
        self._entries[link] = _Entry(task, seed.bucket, not_before)
        self._woken.add(host)
        if seed.kind in ("answer", "paging"):
            self._urgent.add(host)
        return True

    # Hosts

    def choose_sites(self, now: float) -> None:
        pass

    def can_choose_sites(self) -> bool:
        return False

    def take_woken_hosts(self) -> set[int]:
        woken, self._woken = self._woken, set()
        return woken

    def take_urgent_hosts(self) -> set[int]:
        urgent, self._urgent = self._urgent, set()
        return urgent

    def postpone_host(self, host: int) -> None:
        self._woken.add(host)

    def find_waiting_host(self, after: int) -> int | None:
        waiting = (entry.task.host for entry in self._entries.values() if entry.state == _WAITING)
        return min((host for host in waiting if host > after), default=None)

    def open_host(self, number: int) -> WaitingHost | None:
        name = next(name for name, host in self._hosts.items() if host == number)
        site = self._sites[registered_domain(name)]
        return None if site in self._left_sites else WaitingHost(number, name, site, 0.0, "")

    # Tasks

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        waiting = [e for e in self._entries.values() if e.state == _WAITING and e.task.host == host]
        ready = [entry for entry in waiting if entry.not_before <= now]
        if not ready:
            return [], min((entry.not_before for entry in waiting), default=None)
        ready.sort(key=lambda entry: (entry.bucket, entry.task.link))
        for entry in ready[:count]:
            entry.state = _LEASED
        return [entry.task for entry in ready[:count]], None

    def admit(self, task: CrawlTask) -> Admission:
        return Admission.LEAVE_SITE if task.site in self._left_sites else Admission.SEND

    def conditions(self, task: CrawlTask, now: float) -> dict[str, str]:  # noqa: ARG002
        return {}

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        for task in tasks:
            if self._entries[task.link].state == _LEASED:
                self._entries[task.link].state = _WAITING

    def finish(self, task: CrawlTask, why: str | None = None) -> None:  # noqa: ARG002
        self._entries[task.link].state = _ENDED

    def fail(self, failure: FetchFailure) -> None:
        entry = self._entries[failure.task.link]
        if failure.retry_in is None:
            entry.state = _FAILED
            return
        entry.task = replace(entry.task, attempts=entry.task.attempts + failure.counts)
        entry.state, entry.not_before = _WAITING, failure.at + failure.retry_in
        self._woken.add(entry.task.host)

    def refuse(self, task: CrawlTask, why: str) -> None:  # noqa: ARG002
        self._entries[task.link].state = _FAILED

    def abandon_site(self, site: int) -> None:
        pass

    def leave_site(self, site: int) -> None:
        """Stop exploring a site until it is named again."""
        self._left_sites.add(site)
