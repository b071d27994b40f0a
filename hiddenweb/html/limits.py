"""How much of a page is read."""

from __future__ import annotations

from dataclasses import dataclass
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class PageLimits:
    """How much of a page is read at most."""

    bytes: int = 2_000_000
    tags: int = 100_000
    depth: int = 1_000  # open tags
    attributes: int = 100  # of one tag
    links: int = 5_000
    forms: int = 100
    fields: int = 2_000
    options: int = 5_000
    blocks: int = 1_000
    seconds: float = 0.75  # of the processor, for the walk: a busy machine does not cut pages
    clock: Callable[[], float] = thread_time

    def deadline(self) -> float:
        """Return when the time for a page that begins now is over."""
        return self.clock() + self.seconds


LIMITS = PageLimits()
