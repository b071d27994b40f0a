from __future__ import annotations

import ipaddress
import random

import pytest

from hiddenweb.fetch.address_guard import AllowList, judge, judge_name, literal_address


@pytest.mark.parametrize(
    "ip",
    [
        "1.1.1.1",
        "93.184.215.14",
        "223.255.255.254",
        "2606:4700:4700::1111",
        "2a00:1450:4001:82a::200e",
        "::ffff:8.8.8.8",  # a public address in IPv6 clothes
        "64:ff9b::808:808",
        "2002:808:808::1",
    ],
)
def test_public_addresses_pass(ip: str) -> None:
    assert judge(ip, 80, "some.example") is None


@pytest.mark.parametrize(
    "ip",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "100.64.0.1",  # carrier-grade NAT
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",  # the metadata of clouds
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.8",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.9",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::7f00:1",  # IPv4-compatible
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",  # NAT64 of a network of one's own
        "100::1",
        "2001::1",
        "2001:0:7f00:1::",
        "2001:0:808:808:0:0:f5ff:fffe",  # Teredo, its client is 10.0.0.1
        "2001:db8::1",
        "2002:7f00:1::",  # 6to4 of 127.0.0.1
        "2002:a00:1::1",
        "3fff::1",
        "4000::1",  # not given to anybody
        "5f00::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%eth0",
        "2606:4700:4700::1111%eth0",
        "fec0::1",
        "ff02::1",
        "not an address",
        "",
    ],
)
def test_all_other_addresses_are_refused_with_a_reason(ip: str) -> None:
    assert judge(ip, 80, "some.example")


def test_nothing_that_python_calls_private_passes() -> None:
    rng = random.Random(5)
    addresses = [ipaddress.IPv4Address(rng.getrandbits(32)) for _ in range(5000)]

    passed = [address for address in addresses if judge(str(address), 80, "") is None]

    assert passed
    assert all(address.is_global and not address.is_multicast for address in passed)
    assert all(judge(f"::ffff:{address}", 80, "") is None for address in passed)
    refused = set(addresses) - set(passed)
    assert all(judge(f"::ffff:{address}", 80, "") for address in refused)


@pytest.mark.parametrize("port", [0, 22, 25, 6667, 65536])
def test_ports_of_other_protocols_are_refused(port: int) -> None:
    assert judge("1.1.1.1", port, "some.example")


@pytest.mark.parametrize("port", [80, 443, 8080, 3128])
def test_ports_of_web_servers_pass(port: int) -> None:
    assert judge("1.1.1.1", port, "some.example") is None


ALLOWED = AllowList.parse(
    [
        "127.0.0.1:8080",
        "Intranet.Example:80",
        "[::1]:9000",
        "10.0.0.0/8:*",
        "[fd00::/8]:443",
        " bücher.example:* ",
    ]
)


@pytest.mark.parametrize(
    ("ip", "port", "host", "fine"),
    [
        ("127.0.0.1", 8080, "127.0.0.1", True),
        ("127.0.0.1", 8081, "127.0.0.1", False),
        ("127.0.0.2", 8080, "127.0.0.1", False),
        ("10.200.3.4", 1234, "some.example", True),
        ("11.0.0.1", 25, "some.example", False),
        ("10.0.0.1", 25, "some.example", True),  # named is named
        ("::1", 9000, "::1", True),
        ("::1", 9001, "::1", False),
        ("fd12::1", 443, "some.example", True),
        ("192.168.0.1", 80, "intranet.example", True),
        ("192.168.0.1", 80, "INTRANET.example.", True),
        ("192.168.0.1", 81, "intranet.example", False),
        ("192.168.0.1", 80, "not.intranet.example", False),
        ("192.168.0.1", 7, "xn--bcher-kva.example", True),
        ("::ffff:127.0.0.1", 8080, "x", False),  # another spelling is not named
    ],
)
def test_named_exceptions_are_excepted_and_nothing_else(ip: str, port: int, host: str, *, fine: bool) -> None:
    assert (judge(ip, port, host, ALLOWED) is None) is fine


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "127.0.0.1",
        ":80",
        "host:",
        "host:0",
        "host:65536",
        "host:http",
        "host:-1",
        "host:８０",
        "::1:80",
        "[::1]",
        "[::1:80",
        "[nonsense]:80",
        "10.0.0.1/8:80",  # has host bits
        "10.0.0.0/33:80",
        "1.2.3:80",
        "http://host:80",
        "host/path:80",
        "user@host:80",
        "10.0.0.*:*",
        "*.intranet.example:80",
        "a b:80",
    ],
)
def test_a_bad_exception_is_named(entry: str) -> None:
    with pytest.raises(ValueError, match="allowed address") as caught:
        AllowList.parse(["127.0.0.1:80", entry])

    assert repr(entry) in str(caught.value)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0x7F000001", "127.0.0.1"),
        ("0177.0.0.1", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("１２７．０．０．１", "127.0.0.1"),
        ("%31%32%37.1", "127.0.0.1"),
        ("0", "0.0.0.0"),
        ("[::ffff:127.0.0.1]", "::ffff:7f00:1"),
        ("::1", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("example.org", None),
        ("127.0.0.1.example.org", None),
        ("localhost", None),
        ("1e100.net", None),
        ("", None),
        ("a b", None),
    ],
)
def test_addresses_are_seen_through_their_spellings(host: str, address: str | None) -> None:
    assert literal_address(host) == address


@pytest.mark.parametrize(
    ("host", "port", "fine"),
    [
        ("some.example", 80, True),
        ("some.example", 25, False),
        ("intranet.example", 80, True),
        ("10.1.1.1", 80, True),
        ("127.0.0.1", 80, False),
        ("0x7f.1", 8080, True),
        ("0x7f.1", 8081, False),
        ("localhost", 80, False),
        ("localhost.", 80, False),
        ("LOCALHOST", 80, False),
        ("a.localhost", 80, False),
        ("localhost", 8080, True),
        ("notlocalhost", 80, True),
        ("1.1.1.1", 80, True),
    ],
)
def test_behind_a_proxy_only_what_is_an_address_is_judged(host: str, port: int, *, fine: bool) -> None:
    assert (judge_name(host, port, ALLOWED) is None) is fine
