"""Sequences that are made when somebody looks at them.

What all parts of a page say, by name, takes as long to find as all else on the page, and most pages are asked for it by nobody: they have no records. So it waits until it is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_T_co = TypeVar("_T_co", covariant=True)


class LazySequence(Sequence[_T_co]):
    """A sequence that is made at the first look, once; it is equal to the tuple it becomes.

    >>> later = LazySequence(lambda: print("made") or "ab")
    >>> later == ("a", "b"), later[1], len(later)
    made
    (True, 'b', 2)
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Iterable[_T_co]]) -> None:
        self._make: Callable[[], Iterable[_T_co]] | None = make
        self._made: tuple[_T_co, ...] = ()

    def _all(self) -> tuple[_T_co, ...]:
        if self._make is not None:
            self._made = tuple(self._make())
            self._make = None  # and with it all that the making needed
        return self._made

    @overload
    def __getitem__(self, at: int) -> _T_co: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[_T_co, ...]: ...
    def __getitem__(self, at: int | slice) -> _T_co | tuple[_T_co, ...]:
        """Return one, or some."""
        return self._all()[at]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        """Say whether another sequence of this kind, or a tuple, has the same in it."""
        return self._all() == (other._all() if isinstance(other, LazySequence) else other)

    def __hash__(self) -> int:
        """Return what the tuple would."""
        return hash(self._all())

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Go to another process as the tuple."""
        return tuple, (self._all(),)

    def __repr__(self) -> str:
        """Return what the tuple would."""
        return repr(self._all())
