"""Why a request is not sent, or not sent now."""

from __future__ import annotations


class Disallowed(Exception):
    """robots.txt forbids it."""


class Postponed(Exception):
    """Its time has not come. With `whole_host` the whole host is left in peace until then."""

    def __init__(self, why: str, seconds: float, *, whole_host: bool = False) -> None:
        super().__init__(why)
        self.seconds = seconds
        self.whole_host = whole_host
