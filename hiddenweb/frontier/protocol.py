"""What a frontier is: the tasks of a crawl that wait, and who gets the next one.

Tasks wait by host. A host that is open *leases* a handful of them; each then ends as *done*, *failed* or *refused*, or is *released* and
waits again. In which order tasks come, and which come at all, is what makes one kind of crawl differ from another: each kind is one
implementation, chosen once. All of them hold what `tests/test_frontier_protocol.py` says.
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

BARREN_SHAPE = "pages like it brought nothing new"
"""Why a task is refused whose address looks like many that were read in vain."""


@dataclass(frozen=True, slots=True)
class WaitingHost:
    """A host with links that wait."""

    id: int
    origin: str
    site: int
    paused_until: float
    paused_why: str


class Admission(Enum):
    """What becomes of a leased task before its request is made."""

    SEND = "its request is made"
    LEAVE_SITE = "its site was left meanwhile: it waits for another crawl, with all that its host has"
    PUT_BACK = "tasks of its kind have to wait for another crawl"
    REFUSE = BARREN_SHAPE
    SPARE = "it is not wanted any more, and has ended"


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
        """Begin a crawl: what an earlier one left under way waits again."""

    def close(self, reason: str, now: float) -> None:
        """End the crawl; nothing is under way any more."""

    def commit(self) -> None:
        """Make lasting what was written."""

    def figures(self) -> Mapping[str, float]:
        """Return what is counted of this kind of frontier, by the names of the stats."""

    # What goes in

    def add_seed(self, url: str) -> bool:
        """Let an address wait that a person named, also one that failed before; say whether it waits now."""

    def add(self, seeds: Iterable[FollowUp]) -> int:
        """Let tasks wait, each once; return how many are new."""

    # Hosts

    def choose_sites(self, now: float) -> None:
        """Decide which sites come next, where that is decided while the crawl runs."""

    def can_choose_sites(self) -> bool:
        """Say whether `choose_sites` would open one more."""

    def take_woken_hosts(self) -> set[int]:
        """Return the hosts that got tasks since the last call."""

    def take_urgent_hosts(self) -> set[int]:
        """Return the hosts that got tasks since the last call which go before those that are leased already."""

    def postpone_host(self, host: int) -> None:
        """Note that a woken host cannot be opened now: it is offered again."""

    def find_waiting_host(self, after: int) -> int | None:
        """Return the first host behind a number for which something may wait; None behind the last."""

    def open_host(self, number: int) -> WaitingHost | None:
        """Return a host whose turn comes; None if its site is left alone."""

    # Tasks

    def lease(self, host: int, count: int, now: float) -> tuple[list[CrawlTask], float | None]:
        """Take the next tasks of a host; if none may go now, say when the first of those that wait may."""

    def admit(self, task: CrawlTask) -> Admission:
        """Say what becomes of a leased task now that its turn has come."""

    def conditions(self, task: CrawlTask, now: float) -> dict[str, str]:
        """Return headers that ask for an answer only if the page has changed."""

    def release(self, tasks: Iterable[CrawlTask]) -> None:
        """Give back tasks that were leased and not sent."""

    def done(self, task: CrawlTask, why: str | None = None) -> None:
        """End a task that was answered; `why` says what was wrong with the answer."""

    def failed(self, failure: FetchFailure) -> None:
        """End a task that was not answered, or let it wait for another try."""

    def refuse(self, task: CrawlTask, why: str) -> None:
        """End a task that our own rules forbid."""

    def abandon_site(self, site: int) -> None:
        """Choose nothing more of a site in this crawl: it was left, or does not answer."""
