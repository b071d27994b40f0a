"""How many records choices have, and how many of these are known.

The options of one control divide the records: no film belongs to two decades. So the totals of an answer's refinements
by all options add up to its own total, and each known total leaves less for the others. What an option finds together with other choices is
guessed from the query without it: the records left there after the submitted options are divided among the other
options, by what these have alone; in equal parts, if nothing is known. Several guesses are combined by their geometric mean. If
options turn out to have more records together than there are (a record may have several genres), they are no longer
assumed to divide the records.

Known records are counted by the choices that first found them. The choice of a record that was found by a word, or by choices of other controls, is
unknown; such a record is counted in parts, as hidden ones are. All of this follows from the ledger, so nothing of it is
saved.
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
"""Records that a site is assumed to have before any answer; a limit of taste."""

_OVERLAP = 1.05
"""The factor by which the options of a control may add up to more than there is before they count as overlapping; a limit of taste."""

_BY_CHANCE = 3.0
"""Further records by which they may do so; a limit of taste."""

_UNSURE = 0.02
"""The share of records that may be hidden although all seem known; a limit of taste."""

_EQUAL = 0.5
"""Records that each option starts with; a limit of taste, as in the prior of Jeffreys."""

_NEARLY_ALL = 0.9
"""The share from which nearly all records name an option; a limit of taste."""

_ENOUGH_RECORDS = 100
"""Records that must have been read before they show how many an option has; a limit of taste."""

_NAMED = 0.5
"""The share of these that must name an option; a limit of taste."""

_MORE_THAN_SHOWN = 2.0
"""The factor by which a cut answer is assumed to have more than it showed, if its total is unknown; a limit of taste."""


class OptionCounts:
    """Estimates how many records have some choices, known and hidden ones."""

    def __init__(self, options: Mapping[str, int], *, exclusive: Collection[str]) -> None:
        """Start with the number of options of each control, and the names of those whose options exclude each other."""
        self._options = dict(options)
        self._exclusive = set(exclusive)
        self._found: dict[Choices, float] = {}
        self._at_least: dict[Choices, float] = {}
        self._refinements: dict[tuple[Choices, str], dict[str, float]] = {}
        self._found_by: dict[frozenset[Choice | str], int] = {}
        self._wider: dict[Choice, Choice] = {}  # by the half of a window: the window
        self._guessed: dict[Choices, float] = {}
        self._names: dict[str, frozenset[str]] = {}
        self._records_read: dict[str, int] = {}  # by control: records
        self._naming: dict[str, int] = {}  # by control: records that name an option
        self._named: dict[Choice, float] = {}
        self.size_by_words: Callable[[], float] = lambda: 0.0  # an estimate by words

    @property
    def known(self) -> int:
        """Return how many records are known."""
        return self._found_by.get(frozenset(), 0)

    @property
    def size(self) -> float:
        """Return how many records there are, as far as can be estimated."""
        size = self._guessed.get(NOTHING)
        if size is None:
            size = self._guessed[NOTHING] = max(self._size(), float(self.known))
        return size

    @property
    def reported_size(self) -> float | None:
        """Return the total of the query without any choice, if it was submitted and the site reported one."""
        return self._found.get(NOTHING)

    @property
    def size_by_options(self) -> float | None:
        """Return how many records there are by the submitted options of a control, if nearly all records name one of these."""
        for control in sorted(self._exclusive):
            submitted = self._refinements.get((NOTHING, control), {})
            read, naming = self._records_read.get(control, 0), self._naming.get(control, 0)
            if read < _ENOUGH_RECORDS or naming < _NEARLY_ALL * read:
                continue
            share = sum(self._named.get((control, value), 0.0) for value in submitted) / naming
            if share >= _NEARLY_ALL:
                return self._sum(control) / share
        return None

    def note_options(self, control: str, options: int) -> None:
        """Note how many options a control has."""
        self._options[control] = max(options, self._options.get(control, 0))

    def note_halves(self, window: Choice, halves: Collection[Choice]) -> None:
        """Note that a window of a range was split."""
        for half in halves:
            self._wider[half] = window

    def learn_answer(self, choices: Choices, *, found: int | None, shown: int) -> None:
        """Learn how many records some choices have; None: more than were shown, of unknown number."""
        self._guessed.clear()
        if found is None:
            self._at_least[choices] = max(float(shown), self._at_least.get(choices, 0.0))
            self._forget(choices)
            return
        self._found[choices] = float(found)
        for choice in sorted(choices):
            if choice not in self._wider:
                others, (control, value) = choices - {choice}, choice
                refined = self._refinements.setdefault((others, control), {})
                refined[value] = float(found)
                self._check_overlap(others, control, refined)

    def _forget(self, choices: Choices) -> None:
        """Forget how many records some choices have."""
        if self._found.pop(choices, None) is not None:
            for choice in sorted(choices):
                self._refinements.get((choices - {choice}, choice[0]), {}).pop(choice[1], None)

    def count_new(self, choices: Choices, new: int) -> None:
        """Count new records that some choices found."""
        if not new:
            return
        self._guessed.clear()
        levels = [(None, choice[0], *self._with_wider(choice)) for choice in sorted(choices)]
        for combination in product(*levels):
            key = frozenset(each for each in combination if each is not None)
            self._found_by[key] = self._found_by.get(key, 0) + new

    def note_names(self, control: str, values: Collection[str]) -> None:
        """Note the options of a control whose names are words that records may hold."""
        self._names[control] = frozenset(values)

    def count_guess(self, control: str, named: Collection[str]) -> None:
        """Count a record that was not found by a choice of a control, with the options whose names it holds."""
        self._records_read[control] = self._records_read.get(control, 0) + 1
        self._naming[control] = self._naming.get(control, 0) + bool(named)
        for value in named:
            self._named[control, value] = self._named.get((control, value), 0.0) + 1 / len(named)

    def is_known(self, choices: Choices) -> bool:
        """Say whether the site reported how many records have some choices."""
        return choices in self._found

    def share(self, choice: Choice) -> float:
        """Return the share of all records that has a choice."""
        return min(self.found(frozenset((choice,))) / max(self.size, 1.0), 1.0)

    def found(self, choices: Choices) -> float:
        """Return how many records have all of some choices."""
        if not choices:
            return self.size
        reported = self._found.get(choices)
        if reported is not None:
            return reported
        guess = self._guessed.get(choices)
        if guess is None:
            guess = self._guess(choices)
            guess = self._guessed[choices] = max(guess, _MORE_THAN_SHOWN * self._at_least.get(choices, 0.0))
        return guess

    def hidden(self, choices: Choices) -> float:
        """Return how many records with some choices are hidden; never zero if there are any, since known ones are counted in parts."""
        found = self.found(choices)
        return max(found - self.count_known(choices), _UNSURE * found)

    def count_known(self, choices: Choices) -> float:
        """Return how many known records have some choices; records with partly unknown choices count in parts."""
        found = self.found(choices)
        total = 0.0
        for pattern in product((True, False), repeat=len(choices)):
            with_choices = frozenset(
                choice for choice, is_known in zip(choices, pattern, strict=True) if is_known
            )
            records = self._count_found_only_by(
                with_choices, [name for name, _ in sorted(choices - with_choices)]
            )
            if records > 0:
                total += records * min(found / max(self.found(with_choices), 1.0), 1.0)
        return total

    def _with_wider(self, choice: Choice) -> Iterator[Choice]:
        yield choice
        while choice in self._wider:
            choice = self._wider[choice]
            yield choice

    def _count_found_only_by(self, with_choices: Choices, controls: Collection[str]) -> int:
        """Return how many records were found by some choices and not by any of some other controls."""
        total = 0
        for pattern in product((True, False), repeat=len(controls)):
            also = frozenset(name for name, is_taken in zip(controls, pattern, strict=True) if is_taken)
            total += (-1) ** len(also) * self._found_by.get(with_choices | also, 0)
        return total

    def _check_overlap(self, others: Choices, control: str, refined: Mapping[str, float]) -> None:
        whole = self._found.get(others)
        if whole is not None and sum(refined.values()) > whole * _OVERLAP + _BY_CHANCE:
            self._exclusive.discard(control)

    # Guesses

    def _size(self) -> float:
        if NOTHING in self._found:
            return self._found[NOTHING]
        least = max((self._sum(control) for control in sorted(self._exclusive)), default=0.0)
        least = max(least, _MORE_THAN_SHOWN * self._at_least.get(NOTHING, 0.0))
        by_words = self.size_by_words()
        if by_words:
            return max(by_words, least, START if self.known < _ENOUGH_RECORDS else 0.0)
        guesses = [self._sum(control) * self._times_more(control) for control in sorted(self._exclusive)]
        return max((least, *guesses)) or START

    def _sum(self, control: str) -> float:
        """Return the sum of the totals of the submitted options of a control."""
        return sum(self._refinements.get((NOTHING, control), {}).values())

    def _times_more(self, control: str) -> float:
        """Return the ratio of all options of a control to the submitted ones."""
        submitted = len(self._refinements.get((NOTHING, control), {}))
        return max(self._options[control] / submitted, 1.0) if submitted else 0.0

    def _guess(self, choices: Choices) -> float:
        if len(choices) == 1:
            (choice,) = choices
            return self._guess_part(NOTHING, choice)
        narrower = next((choice for choice in sorted(choices) if choice in self._wider), None)
        if narrower is not None:
            return self._guess_part(choices - {narrower}, narrower)
        ways = [
            self._guess_part(choices - {choice}, choice)
            for choice in sorted(choices)
            if choices - {choice} in self._found
        ]
        if not ways:
            shares = (self.share(choice) for choice in sorted(choices))
            return self.size * prod(shares)
        most = min(self.found(choices - {choice}) for choice in sorted(choices))
        return min(prod(ways) ** (1 / len(ways)), most)

    def _guess_part(self, others: Choices, choice: Choice) -> float:
        """Guess how many of the records with the other choices have this one."""
        control, value = choice
        if choice in self._wider:
            return self._half(others, choice)
        refined = self._refinements.get((others, control), {})
        options = max(self._options.get(control, 1), 1)
        whole = self.found(others)
        if control not in self._exclusive:
            alone = self._refinements.get((NOTHING, control), {})
            if others and value in alone:
                return whole * min(alone[value] / max(self.size, 1.0), 1.0)
            return sum(refined.values()) / len(refined) if refined else whole / options
        remaining = max(whole - sum(refined.values()), 0.0)
        other_options = max(options - len(refined), 1)
        if not others:
            return self._alone(choice, remaining, other_options)
        shares = self._share_by_option(control)
        submitted = sum(shares(other) for other in refined)
        return remaining * min(shares(value) / max(1.0 - submitted, 1e-6), 1.0)

    def _share_by_option(self, control: str) -> Callable[[str], float]:
        """Return a function that gives the share of an option of a control in all records; the shares sum to 1."""
        alone = self._refinements.get((NOTHING, control), {})
        options = max(self._options.get(control, 1), len(alone), 1)
        total = max(self.size, sum(alone.values()), 1.0)
        others = max(total - sum(alone.values()), 0.0) / max(options - len(alone), 1)
        return lambda value: alone.get(value, others) / total

    def _alone(self, choice: Choice, remaining: float, count: int) -> float:
        """Guess how many records an option has that was not submitted.

        If most records name an option, by how many name this one; otherwise an equal part of the records left.
        """
        control, value = choice
        records = self._records_read.get(control, 0)
        if records < _ENOUGH_RECORDS or self._naming[control] < _NAMED * records:
            return remaining / count
        named = {
            other: self.size * (self._named.get((control, other), 0.0) + _EQUAL) / records
            for other in sorted(self._names[control])
            if frozenset(((control, other),)) not in self._found
        }
        if value in named:
            return min(named[value], remaining)
        return max(remaining - sum(named.values()), 0.0) / max(count - len(named), 1)

    def _half(self, others: Choices, half: Choice) -> float:
        """Guess how many records a half of a window has: what the other half leaves, or half of the window."""
        window = self._wider[half]
        whole = self.found(others | {window})
        siblings = [other for other, wider in self._wider.items() if wider == window and other != half]
        known = [self._found[others | {other}] for other in siblings if others | {other} in self._found]
        return max(whole - sum(known), 0.0) / max(1 + len(siblings) - len(known), 1)
