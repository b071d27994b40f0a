"""Sequences that are made at their first use.

To find the attributes of all items of a page takes as long as to find all else on it, and most pages have no records. So they are found
only when they are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_T_co = TypeVar("_T_co", covariant=True)


class LazySequence(Sequence[_T_co]):
    """A sequence that is made once, at its first use; it is equal to the tuple of its items.

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
            self._make = None  # releases all that it needed
        return self._made

    @overload
    def __getitem__(self, at: int) -> _T_co: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[_T_co, ...]: ...
    def __getitem__(self, at: int | slice) -> _T_co | tuple[_T_co, ...]:
        """Return one, or some."""
        return self._all()[at]

    def __len__(self) -> int:
        """Return the number of items."""
        return len(self._all())

    def __eq__(self, other: object) -> bool:
        """Say whether another sequence of this kind, or a tuple, has the same items."""
        return self._all() == (other._all() if isinstance(other, LazySequence) else other)

    def __hash__(self) -> int:
        """Return the hash of the tuple."""
        return hash(self._all())

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        """Pickle the sequence as a tuple."""
        return tuple, (self._all(),)

    def __repr__(self) -> str:
        """Return the representation of the tuple."""
        return repr(self._all())
