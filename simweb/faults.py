"""Faults on command: what goes wrong, where, and how often.

A `Fault` is set for one host or for all, always or by rate, at once or after some requests, for a number of requests or until it is taken back. Which
requests a rate hits follows from the seed and the host's count of requests, so a run can be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from simweb.chance import share

KINDS = {
    "429": "429 Too Many Requests with Retry-After",
    "503": "503 Service Unavailable with Retry-After",
    "500": "500 without any hint",
    "reset": "the connection is reset before an answer",
    "slow-headers": "headers come in pieces, with pauses",
    "slow-body": "the body comes in pieces, with pauses",
    "truncated-gzip": "the first half of a gzip body, with 200 and a length that fits the half",
    "truncated-brotli": "the first half of a brotli body, with 200 and a length that fits the half",
    "short-length": "Content-Length is smaller than the body",
    "long-length": "Content-Length is larger than the body, then the connection ends",
    "bad-charset": "the header names an encoding the body is not in",
    "redirect-loop": "a redirect to the same address",
    "error-page": "200 with the site's error page",
    "block-page": "200 with a page that asks whether you are human",
    "block-403": "403 with a page that asks whether you are human",
}


@dataclass(slots=True)
class Fault:
    """One thing that goes wrong; `left` counts down where it happens only so often."""

    kind: str
    host: str = "*"
    rate: float = 1.0
    retry_after: int = 1
    seconds: float = 0.5
    path: str = ""
    left: int | None = None
    after: int = 0  # requests that fare well first

    @property
    def name(self) -> str:
        """Return the kind and, where the host asks for patience, for how many seconds."""
        return f"{self.kind} retry-after={self.retry_after}" if self.kind in ("429", "503") else self.kind


@dataclass(slots=True)
class Faults:
    """All faults in force."""

    seed: int
    active: list[Fault] = field(default_factory=list)

    def add(self, fault: Fault) -> None:
        """Let a fault happen from now on."""
        if fault.kind not in KINDS:
            raise ValueError(f"no fault {fault.kind!r}; there are {', '.join(KINDS)}")
        if not 0 <= fault.rate <= 1:
            raise ValueError(f"a rate lies between 0 and 1, not {fault.rate}")
        if fault.retry_after < 1:
            raise ValueError(f"a host asks for a second of patience or more, not {fault.retry_after}")
        self.active.append(fault)

    def clear(self, host: str | None = None) -> None:
        """Take back all faults, or those of one host."""
        self.active = [fault for fault in self.active if host is not None and fault.host != host]

    def hitting(self, host: str, path: str, count: int) -> Fault | None:
        """Return the fault that hits a request, if one does."""
        for fault in self.active:
            if fault.host not in ("*", host) or not path.startswith(fault.path) or fault.left == 0:
                continue
            if fault.rate >= 1 or share(self.seed, "fault", fault.kind, host, count) < fault.rate:
                if fault.after > 0:
                    fault.after -= 1
                    continue
                if fault.left is not None:
                    fault.left -= 1
                return fault
        return None
