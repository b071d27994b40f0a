"""Choosing between the links and the forms of a page by learning automata, one for every kind of page of a site.

In the paper every page has an automaton, and every link of it is an action. A page that is read once then learns
nothing that could be used: its actions are taken once. But the pages of a site are made from a few templates, and the links that
stand in the same place of such a page lead to pages of the same kind. So here states are kinds of pages, and actions are groups of links, those in
the same place, and forms. What one page of a kind taught holds for all.

The outcome of a visit rewards or penalises the action that led there:

    a hidden page      no page that links reach links to it                 reward (cases i and ii of the paper)
    a search form      that was not seen before                              reward
    a linked page      links reach it anyway                                penalty (case iii)
    nothing            an error, an answer without records                  penalty

The second is not in the paper, which penalises a link to the page with the form though nothing hidden is reached without it.

Whether a page is hidden is a guess of the caller: as long as no link to it was found on a page that links reach, it may be.

A crawl that holds thousands of links in a frontier does not choose one action at a time. There, every link runs a race: it draws
its time by chance from an exponential distribution whose rate is the probability of its group over the mean one, p r. So of the links of a page one of a group is first
with the probability of that group, the next one by the rest, and so on, as if the automaton had chosen again and again. A time becomes a bucket
of the frontier, each twice as late as the one before.
"""

from __future__ import annotations

import json
from enum import StrEnum
from math import floor, log, log2
from typing import TYPE_CHECKING

from hiddenweb.learning.automaton import Automaton

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from random import Random
    from typing import Self

PENALTY = 0.05
"""b, larger than the paper's: a kind of page is found a few hundred times, not a hundred thousand. A limit of taste."""

MAX_KINDS = 200  # of pages, that are held of a site: a limit of taste
MAX_ACTIONS = 50  # of each kind: a limit of taste

MEAN_BUCKET = 7
"""Where in the frontier a link goes that draws the mean time: in the middle of its buckets."""

_MAX_NAME = 300  # characters of an action: a limit of taste
_VERSION = 1  # of the format in the store


class VisitGain(StrEnum):
    """What a visit brought."""

    HIDDEN = "hidden"
    FORM = "form"
    LINKED = "linked"
    NOTHING = "nothing"

    @property
    def is_rewarded(self) -> bool:
        """Say whether the action that led there is rewarded."""
        return self in {VisitGain.HIDDEN, VisitGain.FORM}


class PageKindAutomata:
    """The automata of a site, one for every kind of page."""

    def __init__(
        self, *, penalty: float = PENALTY, most_kinds: int = MAX_KINDS, most_actions: int = MAX_ACTIONS
    ) -> None:
        if min(most_kinds, most_actions) < 1:
            raise ValueError(
                f"{most_kinds} kinds of pages, {most_actions} actions, wanted at least 1 of each"
            )
        self._penalty = penalty
        self._most_kinds = most_kinds
        self._most_actions = most_actions
        self._kinds: dict[str, Automaton] = {}  # those seen last are at the end

    def __len__(self) -> int:
        return len(self._kinds)

    def choose(self, kind: str, actions: Collection[str], chance: Random) -> str | None:
        """Return one of the actions that a page of a kind offers now, by their probabilities; None if it offers none."""
        automaton = self._automaton_of(kind, actions)
        wanted = {_short_name(action): action for action in actions}
        chosen = automaton.choose(chance, excluded=set(automaton) - wanted.keys())
        return next(iter(actions), None) if chosen is None else wanted[chosen]

    def bucket(self, kind: str, action: str, chance: Random, *, first: int, last: int) -> int:
        """Return where in the frontier a link of a group goes, drawn by chance: 0 would be fetched first."""
        automaton = self._automaton_of(kind, (action,))
        if _short_name(action) not in automaton:  # the automaton is full
            return last
        rate = automaton.probability(_short_name(action)) * len(automaton)
        time = -log(1.0 - chance.random()) / rate
        return min(max(MEAN_BUCKET + floor(log2(time or 1e-9)), first), last)

    def learn(self, kind: str, action: str, gain: VisitGain) -> None:
        """Learn what an action of a page of this kind led to."""
        automaton = self._automaton_of(kind, (action,))
        if _short_name(action) not in automaton:
            return
        if gain.is_rewarded:
            automaton.reward(_short_name(action))
        else:
            automaton.penalise(_short_name(action))

    def add(self, kind: str, actions: Iterable[str]) -> None:
        """Note which actions a page of a kind offers."""
        self._automaton_of(kind, actions)

    def probabilities(self, kind: str) -> dict[str, float]:
        """Return the probabilities of all actions that pages of a kind offered; none if the kind is unknown or was forgotten."""
        automaton = self._kinds.get(kind)
        return dict(automaton.rows()) if automaton is not None else {}

    def to_json(self) -> str:
        """Return all that was learnt, in limited size."""
        kinds = [[kind, automaton.rows()] for kind, automaton in self._kinds.items()]
        return json.dumps({"version": _VERSION, "kinds": kinds}, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_json(
        cls,
        state: str,
        *,
        penalty: float = PENALTY,
        most_kinds: int = MAX_KINDS,
        most_actions: int = MAX_ACTIONS,
    ) -> Self:
        """Return the automata that `to_json` wrote; the limits are not part of it."""
        written = json.loads(state)
        if not isinstance(written, dict) or written.get("version") != _VERSION:
            version = written.get("version") if isinstance(written, dict) else None
            raise ValueError(f"kinds of pages of version {version!r}, wanted {_VERSION}")
        kinds = cls(penalty=penalty, most_kinds=most_kinds, most_actions=most_actions)
        for kind, rows in written["kinds"][-most_kinds:]:
            kinds._kinds[kind] = Automaton.from_rows(rows, penalty=penalty)
            kinds._kinds[kind].add((), most=most_actions)
        return kinds

    def _automaton_of(self, kind: str, actions: Iterable[str]) -> Automaton:
        """Return the automaton of a kind with these actions in it; the kind seen least recently makes room for a new one."""
        automaton = self._kinds.pop(kind, None) or Automaton(penalty=self._penalty)
        self._kinds[kind] = automaton
        if len(self._kinds) > self._most_kinds:
            del self._kinds[next(iter(self._kinds))]
        wanted = [_short_name(action) for action in actions]
        if not all(action in automaton for action in wanted):
            automaton.add(wanted, most=self._most_actions)
        return automaton


def _short_name(action: str) -> str:
    """Return the name of an action, cut to a limited length."""
    return action[:_MAX_NAME]
