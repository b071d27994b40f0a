"""The robots.txt rules of hosts, for all parts of a crawl that send requests.

Rules are stored for a day; those of the hosts in use are in memory, too. A part that fetches a robots.txt registers that first, so that no
other does it at the same time, and passes the response here. A host whose robots.txt is not available is paused: as long as it asks for, or for a default time.

A crawl begins with these requests. As long as no host has answered one, the address, the network or a setting is probably wrong, so a host that
does not answer is tried again after seconds, and given up within about a minute. One answer, of this crawl or an earlier one, ends the haste.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from hiddenweb.fetch.errors import FetchError, Refused
from hiddenweb.fetch.robots import TRY_AGAIN_AFTER, RobotsRules
from hiddenweb.frontier.host_pace import retry_after
from hiddenweb.model import Fetched, FetchFailure
from hiddenweb.urls import origin

if TYPE_CHECKING:
    from collections.abc import Callable

    from hiddenweb.model import CrawlTask

MOST_HOSTS = 5_000
"""Hosts whose rules are in memory; those of the others are in the store. A limit of taste."""

SHORTEST_PAUSE = 1.0
"""The fewest seconds for which a host is paused if its robots.txt is not available: a limit of taste."""

MOST_FIRST_RETRIES = 3
"""Of a host that does not answer, while no host of the crawl has. A limit of taste."""

LONGEST_FIRST_PAUSE = 20.0
"""Seconds between these, at most: with three of them and the time a connection takes, about a minute. A limit of taste."""

UNAVAILABLE = "robots.txt is not available"
"""Why nothing is requested from a host without a readable robots.txt."""


class RulesStore(Protocol):
    """Stores the rules of hosts, named by their origins, and pauses."""

    def load_robots(self, host_origin: str) -> str | None:
        """Return the stored rules of a host."""

    def save_robots(self, host_origin: str, rules: str) -> None:
        """Store the rules of a host."""

    def find_host(self, url: str) -> int | None:
        """Return the number of the host of an address; None if it belongs to no site that we explore."""

    def pause_host(self, host: int, until: float, why: str) -> None:
        """Pause a host for a while, also after a restart."""


@dataclass(frozen=True, slots=True)
class RobotsAnswer:
    """The last answer to a request for a robots.txt; status None: there was none."""

    status: int | None = None
    body: bytes = field(default=b"", repr=False)
    retry_after: str = ""
    latency: float = 0.0
    error: FetchError | None = None  # why there was none


@dataclass(frozen=True, slots=True)
class _CachedRules:
    """The rules of a host in memory."""

    rules: RobotsRules
    crawl_delay: float
    refusal: str = ""  # why the address guard refuses the host


class HostRules:
    """The rules of all hosts."""

    def __init__(
        self,
        store: RulesStore,
        *,
        agent: str,
        retry: float = TRY_AGAIN_AFTER,
        retries: int = 2,
        first_pause: float = LONGEST_FIRST_PAUSE,
        was_answered: Callable[[], bool] = lambda: True,
    ) -> None:
        """Retries and pauses are those of a robots.txt; `was_answered` says whether an earlier crawl of these sites had any answer."""
        self._store = store
        self._agent = agent
        self._retry = retry
        self._retries = retries
        self._first_pause = first_pause
        self._was_answered = was_answered
        self._has_answer = False  # of any host in this crawl
        self._cache: dict[str, _CachedRules] = {}
        self._waiting: dict[
            str, list[Callable[[], object]]
        ] = {}  # by origin, while its robots.txt is fetched

    # Known rules

    def find(self, host_origin: str, now: float) -> RobotsRules | None:
        """Return the rules of a host that are valid now; None if they have to be fetched."""
        rules = self.find_last(host_origin)
        return rules if rules is not None and rules.until > now else None

    def find_last(self, host_origin: str) -> RobotsRules | None:
        """Return the last rules of a host, which may be outdated."""
        cached = self._find_cached(host_origin)
        return cached.rules if cached is not None else None

    def are_known(self, host_origin: str, now: float) -> bool:
        """Return whether there are valid rules from an available robots.txt."""
        rules = self.find(host_origin, now)
        return rules is not None and rules.kind != "deny"

    def is_in_memory(self, host_origin: str) -> bool:
        """Return whether this crawl has the rules of a host in memory."""
        return host_origin in self._cache

    def crawl_delay(self, host_origin: str) -> float:
        """Return the Crawl-delay of a host in seconds; 0 without one."""
        cached = self._find_cached(host_origin)
        return cached.crawl_delay if cached is not None else 0.0

    def allow(self, url: str) -> bool:
        """Return whether an address may be fetched, by the last rules of its host."""
        rules = self.find_last(origin(url))
        return rules is not None and rules.allows(url, self._agent)

    def reason_refused(self, host_origin: str) -> str:
        """Return why the address guard refuses a host; empty if it does not."""
        cached = self._cache.get(host_origin)
        return cached.refusal if cached is not None else ""

    # Requests for robots.txt

    def is_under_way(self, host_origin: str) -> bool:
        """Return whether the robots.txt of a host is being fetched."""
        return host_origin in self._waiting

    def begin(self, host_origin: str) -> None:
        """Note that the robots.txt of a host is being fetched."""
        self._waiting[host_origin] = []

    def call_at_end(self, host_origin: str, call: Callable[[], object]) -> None:
        """Register a function that is called when the running request for a robots.txt ends."""
        self._waiting[host_origin].append(call)

    def end(self, host_origin: str) -> None:
        """Note that the robots.txt of a host is no longer being fetched."""
        for call in self._waiting.pop(host_origin, ()):
            call()

    def end_task(self, task: CrawlTask, answer: RobotsAnswer | Refused, now: float) -> Fetched | FetchFailure:
        """Save the result of a robots task, and return what it means for its host.

        After too many failures this crawl does not try again.
        """
        host_origin = origin(task.url)
        if isinstance(answer, Refused):
            self.save_refusal(host_origin, str(answer), now)
            return FetchFailure(task, str(answer), now, counts=False, refused=True, remedy=answer.remedy)
        rules = self.save_answer(host_origin, answer, now, task.attempts)
        if rules.kind != "deny":
            return Fetched(task, task.url, answer.status or 0, now, latency=answer.latency)
        pause = rules.until - now
        retry_in = pause if self._may_retry(answer, task.attempts) else None
        return FetchFailure(
            task, _reason_unavailable(answer), now, retry_in, host_pause=pause,
            may_be_temporary=answer.error is None or answer.error.temporary,
            remedy=answer.error.remedy if answer.error is not None else "",
        )  # fmt: skip

    def save_answer(
        self, host_origin: str, answer: RobotsAnswer, now: float, attempts: int = 0
    ) -> RobotsRules:
        """Save the response of a host; a host without an available robots.txt is paused."""
        self._has_answer = self._has_answer or answer.status is not None
        rules = RobotsRules.from_answer(answer.status, answer.body, now)
        if rules.kind == "deny":
            rules = replace(rules, until=now + self._pause(answer, now, attempts))
            if (host := self._store.find_host(host_origin)) is not None:
                self._store.pause_host(host, rules.until, _reason_unavailable(answer))
        self._store.save_robots(host_origin, rules.to_json())
        self._cache_rules(host_origin, rules)
        self.end(host_origin)
        return rules

    def save_refusal(self, host_origin: str, why: str, now: float) -> None:
        """Note for this crawl that the address guard refuses a host, for as long as a default pause."""
        self._cache_rules(host_origin, RobotsRules("allow", "", now, now + self._retry), refusal=why)
        self.end(host_origin)

    def _may_retry(self, answer: RobotsAnswer, attempts: int) -> bool:
        if not self._is_in_haste(answer):
            return attempts < self._retries
        is_hopeless = answer.error is not None and not answer.error.temporary
        return not is_hopeless and attempts < min(self._retries, MOST_FIRST_RETRIES)

    def _is_in_haste(self, answer: RobotsAnswer) -> bool:
        """Say whether neither this host nor any other of the crawl ever answered."""
        return answer.status is None and not self._has_answer and not self._was_answered()

    def _pause(self, answer: RobotsAnswer, now: float, attempts: int) -> float:
        if self._is_in_haste(answer):  # after the last try, the next crawl need not wait
            is_last = not self._may_retry(answer, attempts)
            pause = 0.0 if is_last else min(LONGEST_FIRST_PAUSE, self._first_pause * 2.0**attempts)
            return max(SHORTEST_PAUSE, pause)
        seconds = retry_after(answer.retry_after, now) if answer.retry_after else None
        return self._retry if seconds is None else max(SHORTEST_PAUSE, seconds)

    # Memory

    def _find_cached(self, host_origin: str) -> _CachedRules | None:
        if (cached := self._cache.get(host_origin)) is not None:
            return cached
        stored = self._store.load_robots(host_origin)
        return self._cache_rules(host_origin, RobotsRules.from_json(stored)) if stored is not None else None

    def _cache_rules(self, host_origin: str, rules: RobotsRules, refusal: str = "") -> _CachedRules:
        if host_origin not in self._cache and len(self._cache) >= MOST_HOSTS:
            del self._cache[next(iter(self._cache))]
        cached = _CachedRules(rules, rules.crawl_delay(self._agent) or 0.0, refusal)
        self._cache[host_origin] = cached
        return cached


def _reason_unavailable(answer: RobotsAnswer) -> str:
    return UNAVAILABLE if answer.error is None else f"no answer: {answer.error}"
