"""The network of learning automata of the paper: which actions of a site lead to hidden pages. A baseline for `benchmarks automata`.

Every page that offers actions (a link, a question to a form, an option of a menu) has an automaton (`hiddenweb.learning.automaton`, with the equations). An action is
chosen by its probability. If it leads to a hidden page, from a public one (case i) or from another hidden one (case ii), it is
rewarded; if links reach that page anyway (case iii), it is penalised.

The automata of a site are a network: an action leads to the next page, whose automaton chooses next. A walk ends after k_threshold
steps or when a probability passes a threshold. It is worth V = sum of lambda^(t-1) r_t, r_t being 1 for a reward at step t, else 0.
(Kumar and Bhatia: Hidden webpages detection using distributed learning automata, HWDLA, 2018.)

What the paper prints wrongly, and how we read it. Algorithm 1 goes on while pages are missing *or* steps are left; that never ends
where a page cannot be found, so it is *and*; and what is missing nobody knows, so we count steps. The second formula of V has lost
the exponent of lambda. Q is defined on public pages only, though case ii starts on a hidden one; and no case leads from a hidden page
to a public one: a penalty here.

Where we go beyond. Pages and actions are added while learning. Nothing found, or a hidden page that was known, is penalised too, where the paper
rewards the same page again and again. Memory is limited: the pages whose actions earned least go first, of equals those not met for longest.

A link to the page with the form is case iii and is penalised, though nothing hidden is reached without it; V would know, but nothing
feeds it back.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from hiddenweb.language.shortening import shorten
from hiddenweb.learning.automaton import PENALTY, Automaton

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random
    from typing import Self

DISCOUNT = 0.9
"""lambda: what a reward is worth one step later."""

MOST_STEPS = 100
"""k_threshold: steps of a walk."""

SURE = 0.95
"""The probability past which a walk has nothing more to learn."""

MOST_STATES, MOST_ACTIONS = 500, 100
"""Pages that are held, and actions of each."""

LONGEST_NAME = 500
"""Characters of a page's name or an action, so that what is written down is of limited size."""

_VERSION = 1
_ROOM = 10  # so many times the actions of a page are remembered as used up: a limit of taste
_FEWEST_STATES = 3  # the start, the page a walk is at, the page it comes to
_NOWHERE = ""


class WalkCase(StrEnum):
    """Where an action led, as the paper numbers it."""

    FROM_PUBLIC = "i"  # to a hidden page
    FROM_HIDDEN = "ii"  # to another hidden page
    LINKED = "iii"  # to a page that links reach anyway
    KNOWN = "known"  # to a hidden page that was reached before
    NOTHING = "nothing"

    @property
    def is_rewarded(self) -> bool:
        """Say whether an action that led there is rewarded."""
        return self in {WalkCase.FROM_PUBLIC, WalkCase.FROM_HIDDEN}


class WalkEnd(StrEnum):
    """Why a walk is over."""

    STEPS = "steps"  # k_threshold
    SURE = "sure"
    DEAD_END = "dead end"  # a page without actions


@dataclass(frozen=True, slots=True)
class NetworkParameters:
    """By what numbers a network learns, walks and forgets."""

    penalty: float = PENALTY
    discount: float = DISCOUNT
    most_steps: int = MOST_STEPS
    sure: float = SURE
    most_states: int = MOST_STATES
    most_actions: int = MOST_ACTIONS

    def __post_init__(self) -> None:
        if not 0.0 <= self.penalty < 1.0:
            raise ValueError(f"a penalty of {self.penalty}, wanted at least 0 and less than 1")
        if not 0.0 <= self.discount < 1.0:
            raise ValueError(f"a discount of {self.discount}, wanted at least 0 and less than 1")
        if not 0.0 < self.sure <= 1.0:
            raise ValueError(f"sure at {self.sure}, wanted more than 0 and at most 1")
        if min(self.most_steps, self.most_actions) < 1 or self.most_states < _FEWEST_STATES:
            raise ValueError(f"{self}: wanted at least 1 step, 1 action and {_FEWEST_STATES} states")


RULES = NetworkParameters()


@dataclass(slots=True)
class _PageState:
    """What is known of a page."""

    automaton: Automaton
    hidden: bool = False
    reached: bool = False  # by a walk
    rewards: int = 0  # of its actions
    met: int = 0  # when, last
    led_to: dict[str, str] = field(default_factory=dict)  # also what is used up


class AutomataNetwork:
    """The automata of the pages of a site, and a walk through them that starts at the same page again and again.

    Pages and actions are named by the caller. `next` says what to do, `led_to` takes what came of it; then the actions of the page
    that was reached are added. Once a walk has ended the next one begins with `begin`.
    """

    def __init__(self, start: str, chance: Random, rules: NetworkParameters = RULES) -> None:
        self.start = start
        self.rules = rules
        self.at = start
        self.steps = 0
        self.value = 0.0  # V of this walk
        self.ended: WalkEnd | None = None
        self.cases: Counter[WalkCase] = Counter()  # over all walks
        self.ignored = 0  # actions with too long a name
        self._chance = chance
        self._pending: str | None = None
        self._earlier_walks = 0
        self._earlier_value = 0.0
        self._meetings = 0
        self._states: dict[str, _PageState] = {}
        self._meet(start).reached = True

    def __len__(self) -> int:
        return len(self._states)

    def __contains__(self, page: object) -> bool:
        return page in self._states

    def add(self, page: str, actions: Iterable[str], *, hidden: bool = False) -> None:
        """Add a page, or actions to one that is known; those that were used up are not added again."""
        state = self._meet(page)
        state.hidden = state.hidden or hidden
        self._take_in(state, [action for action in actions if not self._is_too_long(action)])

    def begin(self) -> None:
        """Go back to the start for another walk; an action that waits for its outcome is given up."""
        if self.steps:
            self._earlier_walks += 1
            self._earlier_value += self.value
        self.at, self.steps, self.value = self.start, 0, 0.0
        self.ended = self._pending = None

    def next(self) -> str | None:
        """Return the action to take now, the same one until its outcome is told; None once the walk has ended."""
        if self.ended is None and self._pending is None:
            self._pending = self._states[self.at].automaton.choose(self._chance)
            if self._pending is None:
                self.ended = WalkEnd.DEAD_END
        return self._pending

    def leads_to(self, page: str, action: str) -> str | None:
        """Return where an action led when it was last taken, "" if nowhere, so that nobody is asked twice; None if not known."""
        state = self._states.get(page)
        return state.led_to.get(action) if state else None

    def led_to(
        self, page: str | None, *, hidden: bool = False, known: bool = False, used_up: bool = False
    ) -> WalkCase:
        """Learn where the action led, and go there.

        page: None if nothing came; hidden: no link leads to it, as far as anybody knows; known: the caller has met it before, whatever we remember;
        used_up: never take this action again.
        """
        if self._pending is None:
            raise ValueError(f"no action was taken at {shorten(self.at, 100)!r} whose outcome could be told")
        source, action, self._pending = self._states[self.at], self._pending, None
        case = self._case(source, page, hidden=hidden, known=known)
        self._count(case)
        self._learn(source, action, case)
        if used_up or action in source.automaton:
            source.led_to[action] = page or _NOWHERE
        if page is not None:
            self._go_to(page, hidden=case is not WalkCase.LINKED)
        if used_up:
            self._use_up(source, action)
        return case

    @property
    def found(self) -> int:
        """Return how many hidden pages the walks have found."""
        return sum(times for case, times in self.cases.items() if case.is_rewarded)

    @property
    def walks(self) -> int:
        """Return how many walks took a step."""
        return self._earlier_walks + bool(self.steps)

    @property
    def mean_value(self) -> float:
        """Return V of all walks on average, which is what a policy is judged by."""
        return (self._earlier_value + self.value) / self.walks if self.walks else 0.0

    def probabilities(self, page: str) -> dict[str, float]:
        """Return the probabilities of a page's actions; none if the page is not held."""
        state = self._states.get(page)
        return dict(state.automaton.rows()) if state else {}

    def _case(self, source: _PageState, page: str | None, *, hidden: bool, known: bool) -> WalkCase:
        if page is None:
            return WalkCase.NOTHING
        before = self._states.get(page)
        if not hidden or (before and before.reached and not before.hidden):
            return WalkCase.LINKED
        if known or (before and before.reached):
            return WalkCase.KNOWN
        return WalkCase.FROM_HIDDEN if source.hidden else WalkCase.FROM_PUBLIC

    def _count(self, case: WalkCase) -> None:
        self.steps += 1
        self.cases[case] += 1
        if case.is_rewarded:
            self.value += self.rules.discount ** (self.steps - 1)
        if self.steps >= self.rules.most_steps:
            self.ended = WalkEnd.STEPS

    def _learn(self, source: _PageState, action: str, case: WalkCase) -> None:
        automaton = source.automaton
        if action not in automaton:  # dropped meanwhile, to make room
            return
        if case.is_rewarded:
            automaton.reward(action)
            source.rewards += 1
        else:
            automaton.penalise(action)
        if len(automaton) > 1 and automaton.highest > self.rules.sure:
            self.ended = WalkEnd.SURE

    def _go_to(self, page: str, *, hidden: bool) -> None:
        state = self._meet(page)
        state.hidden, state.reached = hidden, True
        self.at = page

    def _take_in(self, state: _PageState, actions: Iterable[str]) -> None:
        """Add actions that are not used up, and forget where those led that had to make room."""
        used_up = state.led_to.keys() - set(state.automaton)
        state.automaton.add(
            (action for action in actions if action not in used_up), most=self.rules.most_actions
        )
        for dropped in state.led_to.keys() - set(state.automaton) - used_up:
            del state.led_to[dropped]

    def _use_up(self, source: _PageState, action: str) -> None:
        if action in source.automaton:
            source.automaton.remove(action)
        used_up = [known for known in source.led_to if known not in source.automaton]
        for oldest in used_up[: -_ROOM * self.rules.most_actions]:
            del source.led_to[oldest]

    # Memory

    def _meet(self, page: str) -> _PageState:
        """Return what is known of a page, which is not forgotten for the time being."""
        if not 0 < len(page) <= LONGEST_NAME:
            raise ValueError(
                f"a page named {shorten(page, 100)!r}, wanted a name of 1 to {LONGEST_NAME} characters"
            )
        state = self._states.get(page)
        if state is None:
            state = self._states[page] = _PageState(Automaton(penalty=self.rules.penalty))
            if len(self._states) > self.rules.most_states:
                self._forget(keeping={self.start, self.at, page})
        self._meetings += 1
        state.met = self._meetings
        return state

    def _forget(self, keeping: set[str]) -> None:
        """Forget the tenth of the pages whose actions earned least, of equals those not met for longest."""
        left = max(self.rules.most_states - self.rules.most_states // 10, _FEWEST_STATES)
        others = (page for page in self._states if page not in keeping)
        useless = nsmallest(
            len(self._states) - left,
            others,
            key=lambda page: (self._states[page].rewards, self._states[page].met),
        )
        for page in useless:
            del self._states[page]

    def _is_too_long(self, action: str) -> bool:
        too_long = len(action) > LONGEST_NAME
        self.ignored += too_long
        return too_long

    # Keeping

    def to_json(self) -> str:
        """Return all that was learnt and where the walk is; the rules limit its size."""
        names: dict[str, int] = {}

        def number(page: str) -> int:
            return names.setdefault(page, len(names))

        states = [
            {
                "page": number(page),
                "hidden": state.hidden,
                "reached": state.reached,
                "rewards": state.rewards,
                "met": state.met,
                "actions": state.automaton.rows(),
                "led_to": [(action, number(led)) for action, led in state.led_to.items()],
            }
            for page, state in self._states.items()
        ]
        written = {
            "version": _VERSION,
            "start": self.start,
            "at": self.at,
            "steps": self.steps,
            "value": self.value,
            "ended": self.ended,
            "pending": self._pending,
            "cases": dict(self.cases),
            "ignored": self.ignored,
            "earlier_walks": self._earlier_walks,
            "earlier_value": self._earlier_value,
            "meetings": self._meetings,
            "names": list(names),
            "states": states,
        }
        return json.dumps(written, separators=(",", ":"))

    @classmethod
    def from_json(cls, state: str, chance: Random, rules: NetworkParameters = RULES) -> Self:
        """Return the network that was written down; chance and rules are handed in anew."""
        known = _known(state, "a network")
        network = cls(known["start"], chance, rules)
        names = known["names"]
        network._states = {
            names[written["page"]]: _PageState(
                Automaton.from_rows(written["actions"], penalty=rules.penalty),
                written["hidden"],
                written["reached"],
                written["rewards"],
                written["met"],
                {action: names[led] for action, led in written["led_to"]},
            )
            for written in known["states"]
        }
        network.at, network.steps, network.value = known["at"], known["steps"], known["value"]
        if not {network.start, network.at} <= network._states.keys():
            raise ValueError("a network without the page where its walk starts, or the one where it is")
        network.ended = WalkEnd(known["ended"]) if known["ended"] else None
        network.cases = Counter({WalkCase(case): times for case, times in known["cases"].items()})
        network.ignored, network._pending = known["ignored"], known["pending"]
        network._earlier_walks, network._earlier_value = known["earlier_walks"], known["earlier_value"]
        network._meetings = known["meetings"]
        network._fit()
        return network

    def _fit(self) -> None:
        """Make room where there were other limits when this was written down."""
        if len(self._states) > self.rules.most_states:
            self._forget(keeping={self.start, self.at})
        for state in self._states.values():
            self._take_in(state, ())


# The keywords of a form


def _known(state: str, what: str) -> dict[str, Any]:
    """Return what was written down, if it is of our version."""
    known = json.loads(state)
    if not isinstance(known, dict) or known.get("version") != _VERSION:
        version = known.get("version") if isinstance(known, dict) else None
        raise ValueError(f"{what} of version {version!r}, wanted {_VERSION}")
    return known
