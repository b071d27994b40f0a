"""Which site links to which, by all pages that were read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable


class LinkIndex(Protocol):
    """Which site links to which, by all pages that were read."""

    def note(self, source: str, page: str, targets: Iterable[str]) -> list[str]:
        """Note that a page of a site links to others; return those that the site did not link to before."""

    def targets(self, source: str) -> Iterable[str]:
        """Return the sites that a site links to."""

    def sources(self, target: str) -> Iterable[str]:
        """Return the sites that link to a site."""


class MemoryLinkIndex:
    """Which site links to which, in memory."""

    def __init__(self) -> None:
        self._targets: dict[str, set[str]] = {}
        self._sources: dict[str, list[str]] = {}

    def note(self, source: str, page: str, targets: Iterable[str]) -> list[str]:  # noqa: ARG002
        known_targets = self._targets.setdefault(source, set())
        new = [target for target in dict.fromkeys(targets) if target not in known_targets]
        known_targets.update(new)
        for target in new:
            self._sources.setdefault(target, []).append(source)
        return new

    def targets(self, source: str) -> Iterable[str]:
        return self._targets.get(source, ())

    def sources(self, target: str) -> Iterable[str]:
        return self._sources.get(target, ())
