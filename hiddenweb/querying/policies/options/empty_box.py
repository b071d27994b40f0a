"""Whether a site answers a query that leaves the box for words empty.

Many sites show nothing to somebody who enters no word, whatever options are chosen. After a few such queries in vain, options are
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
        """Take note of the answer to a query without words."""
        self._found += found
        self._in_vain += not found

    def may_be_why(self, words: Sequence[str], found: int | None) -> bool:
        """Say whether a query may have found nothing just because the box was empty."""
        return self._has_box and not words and not found and not self._found

    @property
    def finds_nothing(self) -> bool:
        """Whether options alone bring nothing, since the box must not be empty."""
        return self._has_box and not self._found and self._in_vain >= _MOST_IN_VAIN

    def to_json(self) -> list[int]:
        """Return what was counted."""
        return [self._in_vain, self._found]

    def restore(self, written: Sequence[int]) -> None:
        """Resume from what was written down."""
        self._in_vain, self._found = written
