"""Which options the controls of a form offer, alone or once something else was chosen, and what people read at them."""

from __future__ import annotations

from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Any

from hiddenweb.querying.query_control import ControlOption

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hiddenweb.querying.option_counts import Choices
    from hiddenweb.querying.query import Choice
    from hiddenweb.querying.query_control import QueryControl

MOST_OFFERED = 1_000
"""Options remembered of controls that depend on others; a limit of taste, it bounds the stored state."""

_MOST_COMBINATIONS = 500
"""Ways to fill in all required controls that are tried; a limit of taste, three controls of eight options."""


class OfferedOptions:
    """The controls of a form with their options."""

    def __init__(self, controls: Iterable[QueryControl]) -> None:
        self.controls = {control.name: control for control in controls}
        self.required = tuple(name for name, control in self.controls.items() if control.must)
        self._options = {name: list(control.options) for name, control in self.controls.items()}
        self._dependent: dict[str, dict[Choices, list[ControlOption]]] = {}  # by control and what was chosen
        self._texts = {
            (name, option.value): option.text for name, options in self._options.items() for option in options
        }

    def add(self, control: str, options: Iterable[ControlOption], given: Sequence[Choice] = ()) -> bool:
        """Take note of what a control offers once something was chosen; say whether it was remembered."""
        if control not in self.controls or self._count_dependent() > MOST_OFFERED:
            return False
        known = self._dependent.setdefault(control, {}).setdefault(frozenset(given), [])
        for option in options:
            if option.value not in {other.value for other in known}:
                known.append(option)
                self._texts[control, option.value] = option.text
        return True

    def list_options(self, name: str, choices: Choices) -> Iterator[Choice]:
        """Yield what a control offers beside some choices; what it offers because of them replaces what it always does."""
        for options in self._narrow(name, choices) or [self._options[name]]:
            for option in options:
                yield name, option.value

    def is_offered(self, choice: Choice, choices: Choices) -> bool:
        """Say whether a choice is one that its control has, beside others that it may depend on."""
        name, value = choice
        narrowed = self._narrow(name, choices)
        if not narrowed:
            return bool(self._options.get(name))
        return any(value == option.value for options in narrowed for option in options)

    def has_options(self, template: frozenset[str]) -> bool:
        """Say whether the controls of a template offer something without any others."""
        dependent = [name for name in template if name and not self._options[name]]
        return all(
            any({control for control, _ in given} <= template for given in self._dependent.get(name, ()))
            for name in dependent
        )

    def count_combinations(self, template: Iterable[str]) -> int:
        """Return how many combinations of options a template has."""
        return prod(len(self._options.get(name, ())) or 1 for name in template)

    def list_missing(self, choices: Choices) -> list[str]:
        """Return the required controls that have no value yet."""
        chosen = dict(choices)
        return [name for name in self.required if name not in chosen]

    def complete(self, choices: Choices) -> Iterator[Choices]:
        """Yield choices with all ways to choose what is required besides."""
        missing = [list(self.list_options(name, choices)) for name in self.list_missing(choices)]
        for chosen in islice(product(*missing), _MOST_COMBINATIONS):
            yield choices.union(chosen)

    def sort(self, choices: Iterable[Choice]) -> tuple[Choice, ...]:
        """Return choices in the order in which their controls stand."""
        place = {name: at for at, name in enumerate(self.controls)}
        return tuple(sorted(choices, key=lambda choice: (place.get(choice[0], len(place)), choice)))

    def describe(self, choices: Choices) -> str:
        """Return choices as people read them."""
        return " and ".join(map(self.describe_choice, self.sort(choices))) or "anything"

    def describe_choice(self, choice: Choice) -> str:
        """Return a choice as people read it: "Genre = Drama"."""
        control = self.controls.get(choice[0])
        label = control.label if control is not None and control.label else choice[0]
        return f"{label} = {self._texts.get(choice) or choice[1]}"

    def to_json(self) -> list[Any]:
        """Return what controls offered that depend on others."""
        return [
            [control, sorted(given), options]
            for control, by_choices in self._dependent.items()
            for given, options in by_choices.items()
        ]

    def restore(self, written: Iterable[Sequence[Any]]) -> None:
        """Resume from what was written down."""
        for control, given, options in written:
            offered = (ControlOption(*option) for option in options)
            self.add(control, offered, [(name, value) for name, value in given])

    def _narrow(self, name: str, choices: Choices) -> list[list[ControlOption]]:
        return [options for given, options in self._dependent.get(name, {}).items() if given <= choices]

    def _count_dependent(self) -> int:
        return sum(len(options) for by_choices in self._dependent.values() for options in by_choices.values())
