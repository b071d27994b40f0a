"""The pace of every host of a crawl."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hiddenweb.model import Fetched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hiddenweb.frontier.host_pace import HostPace
    from hiddenweb.model import FetchFailure

MOST_PACES = 10_000
"""Hosts whose pace is held in memory: a limit of taste."""


class HostPaces:
    """Paces by the name and port of a host; both schemes of one name share theirs."""

    def __init__(self, usual: HostPace, opened: Callable[[], Iterable[HostPace]] = tuple) -> None:
        self._usual = usual
        self._opened = opened
        self._paces: dict[str, HostPace] = {}

    def find(self, host_origin: str, now: float) -> HostPace:
        """Return the pace of a host; of too many, those are forgotten that are neither `opened` nor in trouble."""
        name = host_origin.partition("://")[2]
        if name not in self._paces:
            if len(self._paces) >= MOST_PACES:
                self._forget_idle(now)
            self._paces[name] = replace(self._usual)
        return self._paces[name]

    def _forget_idle(self, now: float) -> None:
        opened = {id(pace) for pace in self._opened()}
        self._paces = {
            name: pace
            for name, pace in self._paces.items()
            if id(pace) in opened or pace.active or pace.failures or pace.remaining_pause(now)
        }


def note_outcome(pace: HostPace, outcome: Fetched | FetchFailure, now: float) -> None:
    """Note the outcome of a request in the pace of its host."""
    if isinstance(outcome, Fetched):
        pace.note_answer(now, outcome.latency)
        return
    if outcome.host_pause is not None:
        pace.pause(now + outcome.host_pause, outcome.why)
    if outcome.refused or not outcome.counts:
        pace.note_end(now)
    else:
        pace.note_failure(now, outcome.why)
