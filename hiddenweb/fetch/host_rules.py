"""What the robots.txt of hosts says, for all parts of a crawl that send requests.

Rules are kept in the store for a day; those of the hosts in use are in memory, too. Whoever fetches a robots.txt says so first, so that nobody
else does at the same time, and hands in what came. A host whose robots.txt cannot be had is paused: as long as it wishes, or as long as we usually do.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from hiddenweb.fetch.errors import Refused
from hiddenweb.fetch.robots import TRY_AGAIN_AFTER, RobotsRules
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.model import CrawlTask

MOST_HOSTS = 5_000
"""Hosts whose rules are held in memory; those of the others are in the store. A limit of taste."""

SHORTEST_PAUSE = 1.0
"""Seconds for which a host is paused at least if its robots.txt cannot be had: a limit of taste."""

UNAVAILABLE = "robots.txt is not available"
"""Why nothing is requested from a host that cannot say what it allows."""


class RulesStore(Protocol):
    """Keeps the rules of hosts, named by their origins, and pauses."""

    def load_robots(self, host_origin: str) -> str | None:
        """Return the rules of a host as they were kept."""

    def save_robots(self, host_origin: str, rules: str) -> None:
        """Keep the rules of a host."""

    def find_host(self, url: str) -> int | None:
        """Return the number of an address's host; None when it is of no site that we explore."""

    def pause_host(self, host: int, until: float, why: str) -> None:
        """Leave a host in peace for a while, also after a restart."""


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """The last answer to a request for a robots.txt; status None: there was none."""

    status: int | None = None
    body: bytes = field(default=b"", repr=False)
    retry_after: str = ""
    latency: float = 0.0


@dataclass(frozen=True, slots=True)
class _Known:
    """What is in memory of a host."""

    rules: RobotsRules
    crawl_delay: float
    refusal: str = ""  # why the address guard lets nothing go there


class HostRules:
    """The rules of all hosts."""

    def __init__(
        self, store: RulesStore, *, agent: str, retry: float = TRY_AGAIN_AFTER, retries: int = 2
    ) -> None:
        self._store = store
        self._agent = agent
        self._retry = retry
        self._retries = retries
        self._known: dict[str, _Known] = {}
        self._waiting: dict[
            str, list[Callable[[], object]]
        ] = {}  # by origin, while its robots.txt is fetched

    # What is known

    def find(self, host_origin: str, now: float) -> RobotsRules | None:
        """Return the rules of a host that hold now; None if they have to be fetched."""
        rules = self.find_last(host_origin)
        return rules if rules is not None and rules.until > now else None

    def find_last(self, host_origin: str) -> RobotsRules | None:
        """Return the rules of a host that were read last, though they may not hold any more."""
        known = self._find_known(host_origin)
        return known.rules if known is not None else None

    def are_known(self, host_origin: str, now: float) -> bool:
        """Say whether there are rules that hold now, and do not only say that they could not be had."""
        rules = self.find(host_origin, now)
        return rules is not None and rules.kind != "deny"

    def is_in_memory(self, host_origin: str) -> bool:
        """Say whether this crawl has met the rules of a host already."""
        return host_origin in self._known

    def crawl_delay(self, host_origin: str) -> float:
        """Return the seconds that lie between two requests to a host; 0: it does not say."""
        known = self._find_known(host_origin)
        return known.crawl_delay if known is not None else 0.0

    def allow(self, url: str) -> bool:
        """Say whether an address may be fetched, by the rules of its host that were read last."""
        rules = self.find_last(origin(url))
        return rules is not None and rules.allows(url, self._agent)

    def reason_refused(self, host_origin: str) -> str:
        """Return why the address guard lets nothing go to a host; nothing if it does."""
        known = self._known.get(host_origin)
        return known.refusal if known is not None else ""

    # What is fetched

    def is_under_way(self, host_origin: str) -> bool:
        """Say whether the robots.txt of a host is being fetched."""
        return host_origin in self._waiting

    def begin(self, host_origin: str) -> None:
        """Note that the robots.txt of a host is being fetched."""
        self._waiting[host_origin] = []

    def call_at_end(self, host_origin: str, call: Callable[[], object]) -> None:
        """Have something called when the robots.txt that is being fetched has come, or has not."""
        self._waiting[host_origin].append(call)

    def end(self, host_origin: str) -> None:
        """Note that the robots.txt of a host is not being fetched any more."""
        for call in self._waiting.pop(host_origin, ()):
            call()

    def end_task(self, task: CrawlTask, came: RobotsAnswer | Refused, now: float) -> Fetched | FetchFailure:
        """Keep what came of a robots task, and return what that means for its host.

        After so many tries in vain it is not tried again by this crawl.
        """
        place = origin(task.url)
        if isinstance(came, Refused):
            self.save_refusal(place, str(came), now)
            return FetchFailure(task, str(came), now, counts=False, refused=True)
        rules = self.save_answer(place, came, now)
        if rules.kind != "deny":
            return Fetched(task, task.url, came.status or 0, now, latency=came.latency)
        pause = rules.until - now
        retry_in = pause if task.attempts < self._retries else None
        return FetchFailure(task, UNAVAILABLE, now, retry_in, host_pause=pause, may_be_temporary=True)

    def save_answer(self, host_origin: str, answer: RobotsAnswer, now: float) -> RobotsRules:
        """Keep what a host answered; one that could not say is paused."""
        rules = RobotsRules.from_answer(answer.status, answer.body, now)
        if rules.kind == "deny":
            rules = replace(rules, until=now + self._pause(answer, now))
            if (host := self._store.find_host(host_origin)) is not None:
                self._store.pause_host(host, rules.until, UNAVAILABLE)
        self._store.save_robots(host_origin, rules.to_json())
        self._keep(host_origin, rules)
        self.end(host_origin)
        return rules

    def save_refusal(self, host_origin: str, why: str, now: float) -> None:
        """Note for this crawl that the address guard lets nothing go to a host: for as long as one that could not say is paused."""
        self._keep(host_origin, RobotsRules("allow", "", now, now + self._retry), refusal=why)
        self.end(host_origin)

    def _pause(self, answer: RobotsAnswer, now: float) -> float:
        seconds = retry_after(answer.retry_after, now) if answer.retry_after else None
        return self._retry if seconds is None else max(SHORTEST_PAUSE, seconds)

    # Memory

    def _find_known(self, host_origin: str) -> _Known | None:
        if (known := self._known.get(host_origin)) is not None:
            return known
        stored = self._store.load_robots(host_origin)
        return self._keep(host_origin, RobotsRules.from_json(stored)) if stored is not None else None

    def _keep(self, host_origin: str, rules: RobotsRules, refusal: str = "") -> _Known:
        if host_origin not in self._known and len(self._known) >= MOST_HOSTS:
            del self._known[next(iter(self._known))]
        known = _Known(rules, rules.crawl_delay(self._agent) or 0.0, refusal)
        self._known[host_origin] = known
        return known
