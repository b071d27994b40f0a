"""Why a store cannot be used."""

from __future__ import annotations


class StateError(RuntimeError):
    """The state cannot be used; the message says why and what to do."""


class NoState(StateError):
    """There is no state yet."""


class StateInUse(StateError):
    """Another crawl is writing this state."""


class ForeignState(StateError):
    """The file is not ours, or not readable by this version."""
