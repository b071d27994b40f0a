"""How many records choices have, and how many of these were met.

The options of one control share out the records: nobody finds a film under two of its decades. So the numbers of an answer's refinements
by all options add up to its own, and each that is known leaves less for the others. What an option finds together with other choices is
guessed from the question without it: what is left there after the options that were asked, shared out among those that
were not by what they have alone; before anything is known, in equal parts. With several ways to guess their geometric mean is taken. Where
options turn out to have more records together than there are, as the kinds of a record that has several do, they are not
taken to share anything out.

Met records are counted by the choices they were first found by. Of a record that was found by a word, or by the choices of other controls, the
choice is not known; it is counted in parts, as hidden records are. All of this follows from the ledger, so nothing of it is
written down.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from hiddenweb.querying.query import Choice

Choices = frozenset["Choice"]
NOTHING: Choices = frozenset()

START = 1_000.0
"""Records that a site is taken to have before it says anything; a limit of taste."""

_OVERLAP = 1.05
"""The factor by which the options of a control may add up to more than there is before they count as overlapping; a limit of taste."""

_BY_CHANCE = 3.0
"""Records by which they may do so besides; a limit of taste."""

_UNSURE = 0.02
"""The share of records that may be hidden though all seem to be known; a limit of taste."""

_EQUAL = 0.5
"""Records that each option counts for before any were seen; a limit of taste, as in the prior of Jeffreys."""

_NEARLY_ALL = 0.9
"""The share of what records name that counts as nearly all of it; a limit of taste."""

_TELLING = 100
"""Records that must have been looked at before they show how many an option has; a limit of taste."""

_NAMED = 0.5
"""The share of these that must name an option; a limit of taste."""

_MORE_THAN_SHOWN = 2.0
"""The factor by which a cut answer is taken to have more than it showed, if the site does not say how many it found; a limit of taste."""


class OptionCounts:
    """Guesses how many records have some choices, known and unknown ones."""

    def __init__(self, options: Mapping[str, int], *, shares_out: Collection[str]) -> None:
        """Begin with the number of options of each control, and the names of those whose options exclude each other."""
        self._options = dict(options)
        self._shares_out = set(shares_out)
        self._found: dict[Choices, float] = {}
        self._at_least: dict[Choices, float] = {}
        self._refinements: dict[tuple[Choices, str], dict[str, float]] = {}
        self._met: dict[frozenset[Choice | str], int] = {}
        self._wider: dict[Choice, Choice] = {}  # a window of a range: the one it is a half of
        self._guessed: dict[Choices, float] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._looked_at: dict[str, int] = {}  # by control: records
        self._naming: dict[str, int] = {}  # those of them that name an option
        self._seen: dict[Choice, float] = {}
        self.size_elsewhere: Callable[[], float] = lambda: 0.0  # by whoever knows words

    @property
    def known(self) -> int:
        """Return how many records were met."""
        return self._met.get(frozenset(), 0)

    @property
    def size(self) -> float:
        """Return how many records there are, by what is known."""
        known = self._guessed.get(NOTHING)
        if known is None:
            known = self._guessed[NOTHING] = max(self._size(), float(self.known))
        return known

    @property
    def size_said(self) -> float | None:
        """Return how many records the question without any choice found, if it was asked and the site told."""
        return self._found.get(NOTHING)

    @property
    def size_by_options(self) -> float | None:
        """Return how many records there are by the options of a control that were asked, if records name nearly nothing else."""
        for control in sorted(self._shares_out):
            asked = self._refinements.get((NOTHING, control), {})
            looked_at, naming = self._looked_at.get(control, 0), self._naming.get(control, 0)
            if looked_at < _TELLING or naming < _NEARLY_ALL * looked_at:
                continue
            share = sum(self._seen.get((control, value), 0.0) for value in asked) / naming
            if share >= _NEARLY_ALL:
                return self._sum(control) / share
        return None

    def has(self, control: str, options: int) -> None:
        """Take note of how many options a control has by now."""
        self._options[control] = max(options, self._options.get(control, 0))

    def halves(self, window: Choice, halves: Collection[Choice]) -> None:
        """Take note that a window of a range was split."""
        for half in halves:
            self._wider[half] = window

    def learn_answer(self, choices: Choices, *, found: int | None, shown: int) -> None:
        """Take note of how many records some choices have; None: more than were shown, and nobody says how many."""
        self._guessed.clear()
        if found is None:
            self._at_least[choices] = max(float(shown), self._at_least.get(choices, 0.0))
            self._forget(choices)
            return
        self._found[choices] = float(found)
        for choice in sorted(choices):
            if choice not in self._wider:
                rest, (control, value) = choices - {choice}, choice
                refined = self._refinements.setdefault((rest, control), {})
                refined[value] = float(found)
                self._look_for_overlap(rest, control, refined)

    def _forget(self, choices: Choices) -> None:
        """Take back how many records some choices have."""
        if self._found.pop(choices, None) is not None:
            for choice in sorted(choices):
                self._refinements.get((choices - {choice}, choice[0]), {}).pop(choice[1], None)

    def met(self, choices: Choices, new: int) -> None:
        """Take note of new records that some choices brought."""
        if not new:
            return
        self._guessed.clear()
        levels = [(None, choice[0], *self._with_wider(choice)) for choice in sorted(choices)]
        for kept in product(*levels):
            key = frozenset(each for each in kept if each is not None)
            self._met[key] = self._met.get(key, 0) + new

    def names(self, control: str, values: Collection[str]) -> None:
        """Take note of the options of a control whose names are words that records may hold."""
        self._names[control] = frozenset(values)

    def count_guess(self, control: str, named: Collection[str]) -> None:
        """Take note of a record that was not found by a choice of a control, and of the options whose names it holds."""
        self._looked_at[control] = self._looked_at.get(control, 0) + 1
        self._naming[control] = self._naming.get(control, 0) + bool(named)
        for value in named:
            self._seen[control, value] = self._seen.get((control, value), 0.0) + 1 / len(named)

    def is_known(self, choices: Choices) -> bool:
        """Say whether the site told how many records have some choices."""
        return choices in self._found

    def share(self, choice: Choice) -> float:
        """Return the share of all records that has a choice."""
        return min(self.found(frozenset((choice,))) / max(self.size, 1.0), 1.0)

    def found(self, choices: Choices) -> float:
        """Return how many records have all of some choices."""
        if not choices:
            return self.size
        known = self._found.get(choices)
        if known is not None:
            return known
        guess = self._guessed.get(choices)
        if guess is None:
            guess = self._guess(choices)
            guess = self._guessed[choices] = max(guess, _MORE_THAN_SHOWN * self._at_least.get(choices, 0.0))
        return guess

    def hidden(self, choices: Choices) -> float:
        """Return how many records with some choices were not met; never none of those there are, since met ones are counted in parts."""
        found = self.found(choices)
        return max(found - self.count_met(choices), _UNSURE * found)

    def count_met(self, choices: Choices) -> float:
        """Return how many met records have some choices; of those whose choices are only partly known, their part."""
        found = self.found(choices)
        total = 0.0
        for taken in product((True, False), repeat=len(choices)):
            having = frozenset(choice for choice, is_known in zip(choices, taken, strict=True) if is_known)
            records = self._met_with_only(having, [name for name, _ in sorted(choices - having)])
            if records > 0:
                total += records * min(found / max(self.found(having), 1.0), 1.0)
        return total

    def _with_wider(self, choice: Choice) -> Iterator[Choice]:
        yield choice
        while choice in self._wider:
            choice = self._wider[choice]
            yield choice

    def _met_with_only(self, having: Choices, unknown: Collection[str]) -> int:
        """Return how many records were found by some choices and not by any of some other controls."""
        total = 0
        for taken in product((True, False), repeat=len(unknown)):
            also = frozenset(name for name, is_taken in zip(unknown, taken, strict=True) if is_taken)
            total += (-1) ** len(also) * self._met.get(having | also, 0)
        return total

    def _look_for_overlap(self, rest: Choices, control: str, refined: Mapping[str, float]) -> None:
        whole = self._found.get(rest)
        if whole is not None and sum(refined.values()) > whole * _OVERLAP + _BY_CHANCE:
            self._shares_out.discard(control)

    # Guesses

    def _size(self) -> float:
        if NOTHING in self._found:
            return self._found[NOTHING]
        least = max((self._sum(control) for control in sorted(self._shares_out)), default=0.0)
        least = max(least, _MORE_THAN_SHOWN * self._at_least.get(NOTHING, 0.0))
        elsewhere = self.size_elsewhere()
        if elsewhere:
            return max(elsewhere, least, START if self.known < _TELLING else 0.0)
        guesses = [self._sum(control) * self._times_more(control) for control in sorted(self._shares_out)]
        return max((least, *guesses)) or START

    def _sum(self, control: str) -> float:
        """Return what the options of a control add up to that were asked."""
        return sum(self._refinements.get((NOTHING, control), {}).values())

    def _times_more(self, control: str) -> float:
        """Return how much more all options of a control have, if those that were not asked are like the others on average."""
        asked = len(self._refinements.get((NOTHING, control), {}))
        return max(self._options[control] / asked, 1.0) if asked else 0.0

    def _guess(self, choices: Choices) -> float:
        if len(choices) == 1:
            (choice,) = choices
            return self._part(NOTHING, choice)
        narrower = next((choice for choice in sorted(choices) if choice in self._wider), None)
        if narrower is not None:
            return self._part(choices - {narrower}, narrower)
        ways = [
            self._part(choices - {choice}, choice)
            for choice in sorted(choices)
            if choices - {choice} in self._found
        ]
        if not ways:
            shares = (self.share(choice) for choice in sorted(choices))
            return self.size * prod(shares)
        most = min(self.found(choices - {choice}) for choice in sorted(choices))
        return min(prod(ways) ** (1 / len(ways)), most)

    def _part(self, rest: Choices, choice: Choice) -> float:
        """Guess what a choice finds of the records that have the rest."""
        control, value = choice
        if choice in self._wider:
            return self._half(rest, choice)
        refined = self._refinements.get((rest, control), {})
        options = max(self._options.get(control, 1), 1)
        whole = self.found(rest)
        if control not in self._shares_out:
            alone = self._refinements.get((NOTHING, control), {})
            if rest and value in alone:
                return whole * min(alone[value] / max(self.size, 1.0), 1.0)
            return sum(refined.values()) / len(refined) if refined else whole / options
        left = max(whole - sum(refined.values()), 0.0)
        others = max(options - len(refined), 1)
        if not rest:
            return self._alone(choice, left, others)
        shares = self._shares(control)
        asked = sum(shares(other) for other in refined)
        return left * min(shares(value) / max(1.0 - asked, 1e-6), 1.0)

    def _shares(self, control: str) -> Callable[[str], float]:
        """Return a function that says which share of the records has an option of a control; together they have all."""
        alone = self._refinements.get((NOTHING, control), {})
        options = max(self._options.get(control, 1), len(alone), 1)
        total = max(self.size, sum(alone.values()), 1.0)
        others = max(total - sum(alone.values()), 0.0) / max(options - len(alone), 1)
        return lambda value: alone.get(value, others) / total

    def _alone(self, choice: Choice, left: float, others: int) -> float:
        """Guess what an option has that was not asked.

        Where records name what they have, by those of them that name it; otherwise as much of what is left as any other without a name.
        """
        control, value = choice
        records = self._looked_at.get(control, 0)
        if records < _TELLING or self._naming[control] < _NAMED * records:
            return left / others
        named = {
            other: self.size * (self._seen.get((control, other), 0.0) + _EQUAL) / records
            for other in sorted(self._names[control])
            if frozenset(((control, other),)) not in self._found
        }
        if value in named:
            return min(named[value], left)
        return max(left - sum(named.values()), 0.0) / max(others - len(named), 1)

    def _half(self, rest: Choices, half: Choice) -> float:
        """Guess what a half of a window has: what the other half left, or as much as the other half."""
        window = self._wider[half]
        whole = self.found(rest | {window})
        others = [other for other, wider in self._wider.items() if wider == window and other != half]
        known = [self._found[rest | {other}] for other in others if rest | {other} in self._found]
        return max(whole - sum(known), 0.0) / max(1 + len(others) - len(known), 1)
