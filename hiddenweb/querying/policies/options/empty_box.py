"""Whether a site answers a query that leaves the box for words empty.

Many sites show nothing if no word is entered, whatever options are chosen. After a few such fruitless queries, options are
submitted only together with words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_IN_VAIN = 2
"""Queries without words and without records, after which the box is always filled in; a limit of taste."""


class EmptyBox:
    """Counts queries without words that found something, and those that did not.

    >>> box = EmptyBox(has_box=True)
    >>> box.add(found=False), box.finds_nothing, box.add(found=False), box.finds_nothing
    (None, False, None, True)
    """

    def __init__(self, *, has_box: bool) -> None:
        self._has_box = has_box
        self._in_vain = self._found = 0

    def add(self, *, found: bool) -> None:
        """Count the answer to a query without words."""
        self._found += found
        self._in_vain += not found

    def may_explain(self, words: Sequence[str], found: int | None) -> bool:
        """Say whether a query may have found nothing only because the box was empty."""
        return self._has_box and not words and not found and not self._found

    @property
    def finds_nothing(self) -> bool:
        """Whether options alone find nothing, since the box must not be empty."""
        return self._has_box and not self._found and self._in_vain >= _MOST_IN_VAIN

    def to_json(self) -> list[int]:
        """Return the state to save."""
        return [self._in_vain, self._found]

    def restore(self, saved: Sequence[int]) -> None:
        """Restore the saved state."""
        self._in_vain, self._found = saved
