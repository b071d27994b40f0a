"""What a frontier is: the waiting tasks of a crawl, and the order in which they are leased.

Tasks wait by host. A host that is open *leases* a handful of them; each then ends as *done*, *failed* or *refused*, or is *released* and
waits again. Kinds of crawls differ in which tasks come, and in which order: each kind is one implementation, chosen once. All of them
pass `tests/test_frontier_protocol.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiddenweb.model import CrawlTask, FetchFailure, FollowUp

BATCH = 16
"""Tasks of one host that are leased at once, where their order does not depend on what is read: a limit of taste."""

FRUITLESS_SHAPE = "pages like it brought nothing new"
"""Why a task is refused whose address has the shape of many fruitless ones."""


@dataclass(frozen=True, slots=True)
class WaitingHost:
    """A host with links that wait."""

    id: int
    origin: str
    site: int
    paused_until: float
    paused_why: str


class Admission(Enum):
    """What happens to a leased task when its turn has come."""

    SEND = "its request is made"
    LEAVE_SITE = "its site was left meanwhile: it waits for another crawl, with all that its host has"
    RELEASE = "tasks of its kind have to wait for another crawl"
    REFUSE = FRUITLESS_SHAPE
    SKIP = "it is not wanted any more, and has ended"


class Frontier(Protocol):
    """The tasks of a crawl."""

    @property
    def batch(self) -> int:
        """How many tasks of one host are leased at once."""

    @property
    def depends_on_pages(self) -> bool:
        """Whether the next task depends on the page that was just read."""

    # A crawl

    def open(self, command: str, now: float) -> None:
        """Begin a crawl: tasks that an earlier one left under way wait again."""

    def close(self, reason: str, now: float) -> None:
        """End the crawl; nothing is under way any more."""

    def commit(self) -> None:
        """Make the changes so far durable."""

    def figures(self) -> Mapping[str, float]:
        """Return the counts of this kind of frontier, by the names of their stats."""

    # Adding tasks

    def add_seed(self, url: str) -> bool:
        """Add an address that a person named, also if it failed before; say whether it waits now."""

    def add(self, seeds: Iterable[FollowUp]) -> int:
        """Add tasks, each once; return how many are new."""

    # Hosts

    def choose_sites(self, now: float) -> None:
        """Choose the next sites, where they are chosen while the crawl runs."""

    def can_choose_sites(self) -> bool:
        """Say whether `choose_sites` would choose one more."""

    def take_woken_hosts(self) -> set[int]:
        """Return the hosts that got tasks since the last call."""

    def take_urgent_hosts(self) -> set[int]:
        """Return the hosts that got tasks since the last call that go before the leased ones."""

    def postpone_host(self, host: int) -> None:
        """Note that a woken host cannot be opened now: it is offered again."""

    def find_waiting_host(self, after: int) -> int | None:
        """Return the first host with a higher number that may have waiting tasks; None after the last."""

    def open_host(self, number: int) -> WaitingHost | None:
        """Return a host to be opened; None if its site was left."""

    # Tasks

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        """Take the next tasks of a host; if none may go now, return when the first waiting one may."""

    def admit(self, task: CrawlTask) -> Admission:
        """Decide about a leased task when its turn has come."""

    def conditions(self, task: CrawlTask, now: float) -> dict[str, str]:
        """Return headers that request the page only if it has changed."""

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        """Give back tasks that were leased and not sent."""

    def finish(self, task: CrawlTask, why: str | None = None) -> None:
        """End a task that was answered; `why` says what was wrong with the answer, if anything."""

    def fail(self, failure: FetchFailure) -> None:
        """End a task that was not answered, or let it wait for another try."""

    def refuse(self, task: CrawlTask, why: str) -> None:
        """End a task that our own rules forbid."""

    def abandon_site(self, site: int) -> None:
        """Choose no more links of a site in this crawl: it was left, or does not answer."""
