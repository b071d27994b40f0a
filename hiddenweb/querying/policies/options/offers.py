"""Which options the controls of a form offer, alone or after another choice, and their texts."""

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
"""The most remembered options of controls that depend on others; a limit of taste, it bounds the stored state."""

_MOST_COMBINATIONS = 500
"""The most ways to fill in all required controls; a limit of taste, three controls of eight options."""


class OfferedOptions:
    """The controls of a form with their options."""

    def __init__(self, controls: Iterable[QueryControl]) -> None:
        self.controls = {control.name: control for control in controls}
        self.required = tuple(name for name, control in self.controls.items() if control.must)
        self._options = {name: list(control.options) for name, control in self.controls.items()}
        self._dependent: dict[
            str, dict[Choices, list[ControlOption]]
        ] = {}  # by control and by the choices it depends on
        self._texts = {
            (name, option.value): option.text for name, options in self._options.items() for option in options
        }

    def add(self, control: str, options: Iterable[ControlOption], given: Sequence[Choice] = ()) -> bool:
        """Note what a control offers after some choices; say whether it was remembered."""
        if control not in self.controls or self._count_dependent() > MOST_OFFERED:
            return False
        remembered = self._dependent.setdefault(control, {}).setdefault(frozenset(given), [])
        for option in options:
            if option.value not in {other.value for other in remembered}:
                remembered.append(option)
                self._texts[control, option.value] = option.text
        return True

    def list_options(self, name: str, choices: Choices) -> Iterator[Choice]:
        """Yield what a control offers together with some choices; options that depend on these replace the usual ones."""
        for options in self._narrow(name, choices) or [self._options[name]]:
            for option in options:
                yield name, option.value

    def is_offered(self, choice: Choice, choices: Choices) -> bool:
        """Say whether a control offers a choice together with others, on which it may depend."""
        name, value = choice
        narrowed = self._narrow(name, choices)
        if not narrowed:
            return bool(self._options.get(name))
        return any(value == option.value for options in narrowed for option in options)

    def has_options(self, template: frozenset[str]) -> bool:
        """Say whether the controls of a template have options without any others."""
        dependent = [name for name in template if name and not self._options[name]]
        return all(
            any({control for control, _ in chosen} <= template for chosen in self._dependent.get(name, ()))
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
        """Yield choices completed by all combinations of the other required ones."""
        missing = [list(self.list_options(name, choices)) for name in self.list_missing(choices)]
        for chosen in islice(product(*missing), _MOST_COMBINATIONS):
            yield choices.union(chosen)

    def sort(self, choices: Iterable[Choice]) -> tuple[Choice, ...]:
        """Return choices in the order of their controls."""
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
        """Return the state to save: the options that depend on other controls."""
        return [
            [control, sorted(chosen), options]
            for control, by_choices in self._dependent.items()
            for chosen, options in by_choices.items()
        ]

    def restore(self, saved: Iterable[Sequence[Any]]) -> None:
        """Restore the saved state."""
        for control, chosen, options in saved:
            offered = (ControlOption(*option) for option in options)
            self.add(control, offered, [(name, value) for name, value in chosen])

    def _narrow(self, name: str, choices: Choices) -> list[list[ControlOption]]:
        return [options for chosen, options in self._dependent.get(name, {}).items() if chosen <= choices]

    def _count_dependent(self) -> int:
        return sum(len(options) for by_choices in self._dependent.values() for options in by_choices.values())
