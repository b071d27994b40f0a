"""A control other than the box for words, as query policies see it: a name and its options."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = Literal["select", "radio", "checkboxes", "range", "box"]
"""The kind of a control; the options of all but the last two exclude each other, unless answers show otherwise."""


class ControlOption(NamedTuple):
    """An option of a control: what is sent, and what people read."""

    value: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class QueryControl:
    """A control other than the box for words, and its options. Options of a range are windows; `split` divides one in two."""

    name: str
    kind: Kind
    options: tuple[ControlOption, ...] = ()
    label: str = ""
    must: bool = False  # every query must have a value for it
    informative: float = 1.0  # a guess; the control that promises most is tried first
    split: Callable[[str], tuple[str, str] | None] | None = field(default=None, compare=False)
