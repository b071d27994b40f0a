"""What can go wrong when something is fetched, and why a request is not sent, or not sent now.

Each error says why in words, and whether trying again may help.
"""

from __future__ import annotations

from typing import ClassVar


class FetchError(Exception):
    """There is no answer, or none that can be used."""

    may_be_temporary: ClassVar[bool] = True
    name: ClassVar[str] = "failed"  # in statistics

    def __init__(self, why: str, *, temporary: bool | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.temporary = self.may_be_temporary if temporary is None else temporary


class Refused(FetchError):
    """Nothing is requested from this address: the guard, the scheme or the request itself forbids it."""

    may_be_temporary = False
    name = "refused"


class Unresolvable(FetchError):
    """The name of the host leads to no address."""

    name = "unresolvable"


class Unreachable(FetchError):
    """No connection to the host, or to the proxy."""

    name = "unreachable"


class TimedOut(FetchError):
    """The whole answer did not come in time."""

    name = "timed_out"


class BrokenAnswer(FetchError):
    """What came is not a whole and proper answer."""

    name = "broken"


class TooLarge(FetchError):
    """The head of the answer is beyond every measure."""

    may_be_temporary = False
    name = "too_large"


class TlsFailure(FetchError):
    """The host could not prove who it is, or speaks no TLS we accept."""

    may_be_temporary = False
    name = "tls"


class Disallowed(Exception):
    """robots.txt forbids it."""


class Postponed(Exception):
    """Its time has not come. With `whole_host` the whole host is left in peace until then."""

    def __init__(self, why: str, seconds: float, *, whole_host: bool = False) -> None:
        super().__init__(why)
        self.seconds = seconds
        self.whole_host = whole_host
