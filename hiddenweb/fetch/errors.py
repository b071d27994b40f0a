"""Errors of fetching, and reasons why a request is not sent, or not sent now.

Each error says why in words, and whether a retry may help.
"""

from __future__ import annotations

from typing import ClassVar

ALLOW = "-s HIDDENWEB_ALLOW_ADDRESSES="
"""How a command line allows an address that the address guard refuses; the place follows."""


class FetchError(Exception):
    """There is no usable response."""

    may_be_temporary: ClassVar[bool] = True
    name: ClassVar[str] = "failed"  # in statistics
    remedy: str = ""  # what the user can do about it

    def __init__(self, why: str, *, temporary: bool | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.temporary = self.may_be_temporary if temporary is None else temporary


class Refused(FetchError):
    """The request is not sent: the address guard, the scheme or the request itself forbids it."""

    may_be_temporary = False
    name = "refused"


class BlockedAddress(Refused):
    """The address guard forbids the connection."""

    def __init__(self, why: str, place: str) -> None:
        super().__init__(why)
        self.remedy = f"if the server is yours, allow it with {ALLOW}{place}"


class Unresolvable(FetchError):
    """The name of the host resolves to no address."""

    name = "unresolvable"
    remedy = "check the spelling of the address"


class Unreachable(FetchError):
    """There is no connection to the host or to the proxy."""

    name = "unreachable"
    remedy = "check the address, and that a server runs there"


class TimedOut(FetchError):
    """The response was not complete in time."""

    name = "timed_out"
    remedy = "check the address and the network"


class BrokenAnswer(FetchError):
    """The response is incomplete or malformed."""

    name = "broken"


class TooLarge(FetchError):
    """The head of the response is too large."""

    may_be_temporary = False
    name = "too_large"


class TlsFailure(FetchError):
    """The host could not prove its identity, or speaks no TLS that we accept."""

    may_be_temporary = False
    name = "tls"
    remedy = (
        "name the authority of its certificate with -s HIDDENWEB_CA_FILE=FILE, or begin the address with http:// if it has no"
        " https"
    )


class Disallowed(Exception):
    """robots.txt forbids the request."""


class Postponed(Exception):
    """The request has to wait. With `whole_host` the whole host is paused until then."""

    def __init__(self, why: str, seconds: float, *, whole_host: bool = False) -> None:
        super().__init__(why)
        self.seconds = seconds
        self.whole_host = whole_host
