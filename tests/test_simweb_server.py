"""simweb on the wire: the proxy, the addresses of its own, faults, and bad requests."""

from __future__ import annotations

import gzip
import socket
import subprocess
import sys
import time
import zlib
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPResponse, IncompleteRead, RemoteDisconnected
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import brotli
import psutil
import pytest

from simweb.faults import KINDS
from simweb.running import Simweb, SimwebError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def web() -> Iterator[Simweb]:
    with Simweb.start(seed=9, sites=30, pages_per_site=8, direct=2, largest_database=80) as running:
        yield running


@pytest.fixture
def host(web: Simweb) -> Iterator[str]:
    """A plain host, with all faults taken back afterwards."""
    plain = [s["host"] for s in web.sites() if not s["traps"] and not s["host"].startswith("127.")]
    yield next(h for h in plain if not web.get("site", host=h)["compression"])
    web.post("clear-faults")


def ask(
    web: Simweb, url: str, method: str = "GET", headers: dict[str, str] | None = None
) -> tuple[HTTPResponse, bytes]:
    with closing(HTTPConnection(urlsplit(web.proxy).netloc, timeout=10)) as connection:
        connection.request(method, url, headers=headers or {})
        with connection.getresponse() as response:
            return response, response.read()


def say(web: Simweb, raw: bytes) -> bytes:
    """Send bytes and return all that comes back until the server is done."""
    peer = urlsplit(web.proxy)
    with socket.create_connection((peer.hostname, peer.port or 80), timeout=10) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while piece := connection.recv(65536):
            received += piece
    return received


def test_hosts_are_served_through_the_proxy(web: Simweb, host: str) -> None:
    response, body = ask(web, f"http://{host}/")

    assert response.status == 200
    assert b"</html>" in body


def test_some_sites_have_an_address_of_their_own(web: Simweb) -> None:
    for url in web.direct:
        connection = HTTPConnection(urlsplit(url).netloc)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()


def test_nothing_listens_beyond_loopback(web: Simweb) -> None:
    listening = [c for c in psutil.Process(web.process.pid).net_connections() if c.status == "LISTEN"]

    assert len(listening) == 4
    assert all(c.laddr.ip.startswith("127.0.0.") for c in listening)


def test_a_stranger_host_gets_a_clear_answer(web: Simweb) -> None:
    response, body = ask(web, "http://nowhere.example/")

    assert response.status == 502
    assert b"no such host in this world: nowhere.example" in body


@pytest.mark.parametrize(
    ("raw", "status"),
    [
        (b"rubbish\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n\r\n", b"400"),
        (b"GET http://[::1/ HTTP/1.1\r\nHost: x\r\n\r\n", b"502"),
        (b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n", b"501"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01", b"400"),
    ],
    ids=["no request", "no host", "no address", "tunnel", "tls"],
)
def test_bad_requests_get_an_answer_and_hurt_nobody(
    web: Simweb, host: str, raw: bytes, status: bytes
) -> None:
    answer = say(web, raw)

    assert answer.startswith(b"HTTP/1.1 " + status)
    assert ask(web, f"http://{host}/")[0].status == 200


def test_requests_on_one_connection_are_answered_in_order(web: Simweb, host: str) -> None:
    request = f"GET http://{host}/none HTTP/1.1\r\nHost: {host}\r\n\r\nGET http://{host}/robots.txt HTTP/1.1\r\nHost: {host}\r\n\r\n"

    answer = say(web, request.encode())

    assert answer.count(b"HTTP/1.1 ") == 2
    assert answer.index(b"text/html") < answer.index(b"text/plain")


def test_head_has_no_body_but_its_length(web: Simweb, host: str) -> None:
    full, body = ask(web, f"http://{host}/about-nothing")
    head, nothing = ask(web, f"http://{host}/about-nothing", "HEAD")

    assert nothing == b""
    assert head.status == full.status
    assert abs(int(head.headers["Content-Length"]) - len(body)) < 100


@pytest.mark.parametrize("status", [429, 503])
def test_busy_hosts_say_when_to_come_back(web: Simweb, host: str, status: int) -> None:
    web.post("fault", kind=status, host=host, retry_after=3, times=1)

    refused, _ = ask(web, f"http://{host}/")
    accepted, _ = ask(web, f"http://{host}/")

    assert (refused.status, refused.headers["Retry-After"]) == (status, "3")
    assert accepted.status == 200
    assert [v["rule"] for v in web.get("violations") if v["host"] == host][-1:] == ["retry-after"]


def test_a_reset_connection_gives_nothing(web: Simweb, host: str) -> None:
    web.post("fault", kind="reset", host=host)

    with pytest.raises((ConnectionResetError, RemoteDisconnected)):
        ask(web, f"http://{host}/")


@pytest.mark.parametrize("kind", ["slow-headers", "slow-body"])
def test_slow_answers_take_their_time_and_arrive_whole(web: Simweb, host: str, kind: str) -> None:
    _, quick = ask(web, f"http://{host}/robots.txt")
    web.post("fault", kind=kind, host=host, seconds=0.3)

    started = time.monotonic()
    _, slow = ask(web, f"http://{host}/robots.txt")

    assert slow == quick
    assert time.monotonic() - started > 0.2 or not quick


@pytest.mark.parametrize(("kind", "encoding"), [("truncated-gzip", "gzip"), ("truncated-brotli", "br")])
def test_truncated_bodies_look_whole_until_they_are_unpacked(
    web: Simweb, host: str, kind: str, encoding: str
) -> None:
    web.post("fault", kind=kind, host=host)

    response, body = ask(web, f"http://{host}/")

    assert response.status == 200
    assert response.headers["Content-Encoding"] == encoding
    assert int(response.headers["Content-Length"]) == len(body)
    if encoding == "gzip":
        with pytest.raises((EOFError, zlib.error)):
            gzip.decompress(body)
    else:
        with pytest.raises(brotli.error):
            brotli.decompress(body)


def test_wrong_lengths_are_wrong(web: Simweb, host: str) -> None:
    _, whole = ask(web, f"http://{host}/none")
    web.post("fault", kind="short-length", host=host)
    _, short = ask(web, f"http://{host}/none")
    web.post("clear-faults", host=host)
    web.post("fault", kind="long-length", host=host)

    assert len(short) < len(whole)
    with pytest.raises(IncompleteRead):
        ask(web, f"http://{host}/none")


def test_other_faults_are_what_they_are_called(web: Simweb, host: str) -> None:
    seen = {}
    for kind in ("redirect-loop", "error-page", "block-page", "block-403", "bad-charset", "500"):
        web.post("fault", kind=kind, host=host)
        response, _ = ask(web, f"http://{host}/")
        seen[kind] = response.status, response.headers.get("Location") or response.headers.get("Content-Type")
        web.post("clear-faults", host=host)

    assert seen["redirect-loop"] == (302, f"http://{host}/")
    assert seen["error-page"][0] == seen["block-page"][0] == 200
    assert seen["block-403"][0] == 403
    assert seen["500"][0] == 500
    assert seen["bad-charset"][1] in ("text/html; charset=utf-16", "text/html; charset=utf-8")


def test_a_rate_hits_that_share_of_requests(web: Simweb, host: str) -> None:
    web.post("fault", kind="503", host=host, rate=0.3)

    statuses = [ask(web, f"http://{host}/robots.txt")[0].status for _ in range(200)]

    assert 35 <= statuses.count(503) <= 85


def test_faults_are_listed_and_unknown_ones_refused(web: Simweb, host: str) -> None:
    web.post("fault", kind="reset", host=host, path="/none")

    listed = web.get("faults")

    assert set(listed["kinds"]) == set(KINDS)
    assert listed["active"][0]["path"] == "/none"
    with pytest.raises(SimwebError, match="no fault 'earthquake'; there are"):
        web.post("fault", kind="earthquake")
    with pytest.raises(SimwebError, match="between 0 and 1"):
        web.post("fault", kind="reset", rate=2)


def test_every_request_is_in_the_journal_with_what_was_sent(web: Simweb, host: str) -> None:
    web.post("clear-journal")
    ask(web, f"http://{host}/none?a=b", headers={"User-Agent": "tester"})
    connection = HTTPConnection(urlsplit(web.proxy).netloc)
    connection.request(
        "POST",
        f"http://{host}/none",
        body="x=y",
        headers={"Content-Type": "application/x-www-form-urlencoded"},
    )
    connection.getresponse().read()
    connection.close()

    first, second = web.get("requests", host=host)

    assert (first["method"], first["target"], first["agent"]) == ("GET", "/none?a=b", "tester")
    assert (second["method"], second["body"]) == ("POST", "x=y")
    assert first["time"] <= second["time"]
    assert web.get("counts") == {host: 2}


def command_line(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "simweb", *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=False)


def test_a_taken_port_is_a_clear_error(web: Simweb, root: Path) -> None:
    port = web.proxy.rpartition(":")[2]

    ended = command_line(root, "--sites", "2", "--port", port)

    assert ended.returncode == 1
    assert f"cannot listen on 127.0.0.1 port {port}" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sites", "0"], "a world needs at least one site, not 0"),
        (["--data", "/nowhere/at/all"], "/nowhere/at/all"),
        (["--sites", "many"], "invalid int value: 'many'"),
    ],
)
def test_bad_arguments_are_clear_errors(root: Path, arguments: list[str], message: str) -> None:
    ended = command_line(root, *arguments)

    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr


def test_it_ends_when_whoever_started_it_is_gone(root: Path) -> None:
    code = "from simweb.running import Simweb; import os; w = Simweb.start(sites=2, direct=0); print(w.process.pid, flush=True); os._exit(9)"
    started = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False
    )
    with suppress(psutil.NoSuchProcess):
        psutil.Process(int(started.stdout)).wait(timeout=20)
    assert not psutil.pid_exists(int(started.stdout))


def test_control_calls_that_make_no_sense_get_a_clear_error(web: Simweb) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("site", {}, "'host' is missing"),
        ("site", {"host": "nowhere.example"}, "no host 'nowhere.example'"),
        ("nonsense", {}, "no call GET /nonsense"),
        ("records", {"host": web.sites(databases=1)[0]["host"], "first": "x"}, "first='x' is not a number"),
    ]
    for call, arguments, message in calls:
        with pytest.raises(SimwebError, match=message):
            web.get(call, **arguments)
    with pytest.raises(SimwebError, match="does not go back"):
        web.post("clock", advance="-5")
    with pytest.raises(SimwebError, match="has no record 99999"):
        web.post("change", host=web.sites(databases=1)[0]["host"], number=99999)


def test_every_control_call_says_what_it_does(web: Simweb) -> None:
    calls = web.get("")

    assert len(calls) > 20
    assert all(text.endswith((".", ")")) for text in calls.values()), calls
