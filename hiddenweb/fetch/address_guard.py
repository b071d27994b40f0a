"""Which addresses a crawler may connect to.

A page can link to anything, a name can resolve to anything, and a crawler may be inside a private
network. So only addresses of the public Internet pass: global unicast. `ipaddress.is_global` alone is not
enough, since an IPv6 address can carry an IPv4 address that a gateway, a tunnel or the operating system unpacks:
IPv4-mapped (::ffff:0:0/96), IPv4-compatible (::/96), NAT64 (64:ff9b::/96), 6to4 (2002::/16) and Teredo (2001::/32).
The address inside is judged as well. Public addresses are refused on the ports that belong to other protocols
(the "bad ports" of the Fetch standard), where a request could be mistaken for a command.

Entries of `HIDDENWEB_ALLOW_ADDRESSES` are exceptions: `host:port`, `address:port`, `network/bits:port`,
with `*` for any port. A name allows whatever it resolves to.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ada_url import URL, HostType

if TYPE_CHECKING:
    from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_ANY_PORT = 0  # which is no port


@dataclass(frozen=True, slots=True)
class AllowList:
    """The exceptions: networks and names, each with a port (0: any)."""

    networks: tuple[tuple[Network, int], ...] = ()
    names: frozenset[tuple[str, int]] = frozenset()

    @classmethod
    def parse(cls, entries: Iterable[str]) -> AllowList:
        """Read entries such as `127.0.0.1:8080`, `[::1]:9000`, `10.0.0.0/8:*`, `intranet.example:80`."""
        networks: list[tuple[Network, int]] = []
        names: set[tuple[str, int]] = set()
        for entry in entries:
            host, port = _host_and_port(entry)
            network = _network(entry, host)
            if network is None:
                names.add((_name(entry, host), port))
            else:
                networks.append((network, port))
        return cls(tuple(networks), frozenset(names))

    def permits(self, address: Address, port: int, host: str) -> bool:
        """Return whether an entry names this address, or the host that resolved to it."""
        if self.names:
            name = host.lower().removesuffix(".")
            if (name, port) in self.names or (name, _ANY_PORT) in self.names:
                return True
        return any(
            allowed_port in (port, _ANY_PORT) and address in network
            for network, allowed_port in self.networks
            if network.version == address.version
        )


NOTHING_ALLOWED = AllowList()
LOOPBACK = ("127.0.0.1", "::1")


def judge(ip: str, port: int, host: str, allowed: AllowList = NOTHING_ALLOWED) -> str | None:
    """Return why this address must not be connected to; None if it may. `host` is the name that resolved to it."""
    try:
        address = ipaddress.ip_address(ip)
    except ValueError:
        return f"{ip!r} is not an address"
    if allowed.permits(address, port, host):
        return None
    if not 0 < port < 65536:
        return f"{port} is not a port"
    if port in _BAD_PORTS:
        return f"port {port} belongs to another protocol than HTTP"
    return _why_not_public(address)


def judge_name(host: str, port: int, allowed: AllowList = NOTHING_ALLOWED) -> str | None:
    """Judge a host that a proxy will resolve: literal addresses and the names of loopback."""
    literal = literal_address(host)
    if literal is not None:
        return judge(literal, port, host, allowed)
    if is_localhost(host):
        return judge(LOOPBACK[0], port, host, allowed)
    if port in _BAD_PORTS and not allowed.permits(_NOWHERE, port, host):
        return f"port {port} belongs to another protocol than HTTP"
    return None


@lru_cache(maxsize=4096)
def literal_address(host: str) -> str | None:
    """Return the address that a host is, as browsers read it; None for names.

    >>> literal_address("0x7f.1"), literal_address("127.0.0.1."), literal_address("example.org")
    ('127.0.0.1', '127.0.0.1', None)
    """
    if ":" in host and not host.startswith("["):
        host = f"[{host}]"
    try:
        url = URL(f"http://{host}/")
    except ValueError:
        return None
    if url.host_type == HostType.DEFAULT:
        return None
    return url.hostname.strip("[]")


def is_localhost(host: str) -> bool:
    """Return whether a name means this machine for every resolver (RFC 6761)."""
    name = host.lower().removesuffix(".")
    return name == "localhost" or name.endswith(".localhost")


def _host_and_port(entry: str) -> tuple[str, int]:
    host, colon, port = entry.strip().rpartition(":")
    if not colon or not host or "]" in port:
        raise ValueError(f"allowed address {entry!r}: wanted host:port, with * for any port")
    if port == "*":
        return host, _ANY_PORT
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise ValueError(f"allowed address {entry!r}: {port!r} is not a port, nor *")
    return host, int(port)


def _network(entry: str, host: str) -> Network | None:
    bare = host
    if host.startswith("["):
        inside, bracket, bits = host[1:].partition("]")
        bare = inside + bits if bracket else host
    elif ":" in host:
        raise ValueError(f"allowed address {entry!r}: an IPv6 address stands in [brackets]")
    try:
        return ipaddress.ip_network(bare)
    except ValueError as error:
        if "/" in bare or host.startswith("[") or bare.replace(".", "").isdigit():
            raise ValueError(f"allowed address {entry!r}: {error}") from None
        return None


def _name(entry: str, host: str) -> str:
    try:
        url = URL(f"http://{host}/")
    except ValueError:
        raise ValueError(f"allowed address {entry!r}: {host!r} is not a host") from None
    if "*" in host:
        raise ValueError(
            f"allowed address {entry!r}: * stands for a port only; a network is written as 10.0.0.0/8:*"
        )
    if url.host_type != HostType.DEFAULT or url.href.removeprefix("http://") != f"{url.hostname}/":
        raise ValueError(f"allowed address {entry!r}: {host!r} is not a plain host")
    return url.hostname.removesuffix(".")


def _why_not_public(address: Address) -> str | None:
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return f"{address} is local to a link"
        inner = _inner_ipv4(address)
        if inner is not None:
            why = _why_not_public(inner)
            return f"{address} carries {inner}: {why}" if why else None
        if address.is_site_local or address not in _GLOBAL_UNICAST:
            return f"{address} is not a public address"
    if address.is_multicast:
        return f"{address} is a multicast address"
    if address.is_loopback:
        return f"{address} is this machine"
    if address.is_link_local:
        return f"{address} is local to a link"
    if not address.is_global or address.is_reserved or address.is_unspecified:
        return f"{address} is not a public address"
    if any(address in network for network in _SPECIAL if network.version == address.version):
        return f"{address} is reserved"
    return None


def _inner_ipv4(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address inside an IPv6 address of a kind that carries one."""
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        # Either end of the tunnel may be private; the client is the one that would be reached.
        server, client = address.teredo
        return server if _why_not_public(server) else client
    if address in _NAT64 or (int(address) >> 32 == 0 and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


_NOWHERE = ipaddress.IPv4Address("0.0.0.0")  # in no allowed network: only the name counts
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Not excluded by `is_global` in every supported Python, and never a public web server.
_SPECIAL: tuple[Network, ...] = tuple(
    ipaddress.ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "240.0.0.0/4",
        "2001::/23",
        "2001:db8::/32",
        "3fff::/20",
        "5f00::/16",
    )
)
# https://fetch.spec.whatwg.org/#port-blocking
# fmt: off
_BAD_PORTS = frozenset({
    1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
    111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
    540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
    6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
})
# fmt: on
