"""A control beside the box for words, as query policies see it: a name, and the options it can be given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

Kind = Literal["select", "radio", "checkboxes", "range", "box"]
"""What a control is; the options of all but the last two exclude each other, until answers show otherwise."""


class ControlOption(NamedTuple):
    """An option of a control: what is sent, and what people read."""

    value: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class QueryControl:
    """A control beside the box for words, and what it can be given. Values of a range are windows; `split` makes two of one."""

    name: str
    kind: Kind
    options: tuple[ControlOption, ...] = ()
    label: str = ""
    must: bool = False  # every query has to have a value of it
    informative: float = 1.0  # a guess; the control that promises most is tried first
    split: Callable[[str], tuple[str, str] | None] | None = field(default=None, compare=False)
