"""simweb on the wire: the proxy, the addresses of its own, faults, and bad requests."""

from __future__ import annotations

import gzip
import json
import re
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
from simweb.messages import split_parameters
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
    with closing(HTTPConnection(urlsplit(web.proxy).netloc, timeout=60)) as connection:
        connection.request(method, url, headers=headers or {})
        with connection.getresponse() as response:
            return response, response.read()


def say(address: str, raw: bytes, *, ending: bool = True) -> bytes:
    """Send bytes and return all that comes back until the server is done; without an ending it has to hang up itself."""
    peer = urlsplit(address)
    with socket.create_connection((peer.hostname, peer.port or 80), timeout=60) as connection:
        connection.sendall(raw)
        if ending:
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
    answer = say(web.proxy, raw)

    assert answer.startswith(b"HTTP/1.1 " + status)
    assert ask(web, f"http://{host}/")[0].status == 200


def test_requests_on_one_connection_are_answered_in_order(web: Simweb, host: str) -> None:
    request = f"GET http://{host}/none HTTP/1.1\r\nHost: {host}\r\n\r\nGET http://{host}/robots.txt HTTP/1.1\r\nHost: {host}\r\n\r\n"

    answer = say(web.proxy, request.encode())

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
    web.post("fault", kind=status, host=host, retry_after=60, times=1)

    web.post("fault", kind="slow-body", host=host, seconds=0.2, times=1)

    refused, _ = ask(web, f"http://{host}/")
    ask(web, f"http://{host}/")  # too soon for the refusal to have been read, but it takes its time
    accepted, _ = ask(web, f"http://{host}/")

    assert (refused.status, refused.headers["Retry-After"]) == (status, "60")
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
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=240, check=False)


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
        psutil.Process(int(started.stdout)).wait(timeout=240)
    assert not psutil.pid_exists(int(started.stdout))


def test_control_calls_that_make_no_sense_get_a_clear_error(web: Simweb) -> None:
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("site", {}, "'host' is missing"),
        ("site", {"host": "nowhere.example"}, "no host 'nowhere.example'"),
        ("nonsense", {}, "no call GET /nonsense"),
        (
            "records",
            {"host": web.sites(databases=1)[0]["host"], "first": "x"},
            "first='x' is not a whole number",
        ),
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


CRASHING = """
import sys
from simweb.__main__ import main
from simweb.messages import Response
from simweb.site import Site
from simweb.truth import Truth

def crashing(site, request):
    if request.path == "/crash":
        raise RuntimeError(f"the roof fell in on {sorted(request.headers)}")
    if request.path == "/stream":
        return Response(200, b"", [], "page", stream=pieces())
    return respond(site, request)

def pieces():
    yield b"x"
    raise RuntimeError("the river dried up")

def crashing_summary(truth):
    raise RuntimeError("the book burnt")

respond, Site.respond, Truth.summary = Site.respond, crashing, crashing_summary
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def crashing(root: Path) -> Iterator[Simweb]:
    """A web whose sites fail at /crash and /stream, and whose control port fails at /world."""
    command = [sys.executable, "-c", CRASHING, "--sites", "3", "--direct", "0", "--until-parent-ends"]
    process = subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    running = Simweb(process, json.loads(process.stdout.readline()))
    yield running
    running.stop()
    process.stderr.close()


def request_for(url: str, *headers: str, method: str = "GET") -> bytes:
    return "\r\n".join(
        (f"{method} {url} HTTP/1.1", f"Host: {urlsplit(url).netloc}", *headers, "", "")
    ).encode()


def statuses(answers: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d+) ", answers)]


def test_a_crash_is_shown_noted_and_costs_one_request(crashing: Simweb) -> None:
    host = crashing.sites()[0]["host"]
    with closing(HTTPConnection(urlsplit(crashing.proxy).netloc, timeout=60)) as connection:
        connection.request("GET", f"http://{host}/crash")
        with connection.getresponse() as first:
            status, text = first.status, first.read()
        connection.request("GET", f"http://{host}/robots.txt")
        with connection.getresponse() as second:
            assert second.status == 200

    assert status == 500
    assert b"RuntimeError: the roof fell in" in text
    noted = crashing.get("requests", host=host)
    assert [(r["target"], r["kind"]) for r in noted] == [
        ("/crash", "crash"),
        ("/robots.txt", noted[1]["kind"]),
    ]
    crashing.process.terminate()
    assert crashing.process.stderr is not None
    assert "Traceback" in crashing.process.stderr.read()


def test_a_crash_behind_a_slow_answer_does_not_hang_the_connection(crashing: Simweb) -> None:
    host = crashing.sites()[0]["host"]
    crashing.post("fault", kind="slow-body", host=host, seconds=0.1, times=1)
    robots = f"http://{host}/robots.txt"
    asked = (
        request_for(robots) + request_for(f"http://{host}/crash") + request_for(robots, "Connection: close")
    )

    answer = say(crashing.proxy, asked, ending=False)

    assert statuses(answer) == [200, 500, 200]


def test_rubbish_behind_a_slow_answer_waits_its_turn(crashing: Simweb) -> None:
    host = crashing.sites()[0]["host"]
    crashing.post("fault", kind="slow-headers", host=host, seconds=0.1, times=1)

    answer = say(crashing.proxy, request_for(f"http://{host}/robots.txt") + b"rubbish\r\n\r\n", ending=False)

    assert statuses(answer) == [200, 400]


def test_a_crash_in_the_middle_of_an_answer_ends_it(crashing: Simweb) -> None:
    host = crashing.sites()[0]["host"]

    with pytest.raises((IncompleteRead, ConnectionResetError, RemoteDisconnected)):
        ask(crashing, f"http://{host}/stream")

    assert [r["kind"] for r in crashing.get("requests")] == ["page", "crash"]


def test_a_crash_of_the_control_port_is_a_clear_error(crashing: Simweb) -> None:
    with pytest.raises(SimwebError, match="RuntimeError: the book burnt"):
        crashing.get("world")

    assert [(r["host"], r["kind"]) for r in crashing.get("requests")] == [("control", "crash")]


def test_sites_are_told_the_headers_that_matter(crashing: Simweb) -> None:
    names = ["Accept-Language", "Connection", "Cookie", "If-Modified-Since", "If-None-Match", "Referer"]
    url = f"http://{crashing.sites()[0]['host']}/crash"

    _, text = ask(crashing, url, headers=dict.fromkeys(names, "close"))

    assert all(repr(name.lower()) in text.decode() for name in names)


@pytest.mark.parametrize("call", ["records", "words", "answer", "oracle"])
def test_questions_about_a_database_need_one(web: Simweb, call: str) -> None:
    host = web.sites(databases=0)[0]["host"]

    with pytest.raises(SimwebError, match=f"{host} has no database"):
        web.get(call, host=host, **({"number": 1} if call == "words" else {}))


@pytest.mark.parametrize("call", ["add", "change", "remove"])
def test_changes_to_a_database_need_one(web: Simweb, call: str) -> None:
    host = web.sites(databases=0)[0]["host"]

    with pytest.raises(SimwebError, match=f"{host} has no database"):
        web.post(call, host=host, **({} if call == "add" else {"number": 1}))


@pytest.mark.parametrize(
    ("method", "call", "arguments", "message"),
    [
        ("get", "records", {"first": 1.5}, "first='1.5' is not a whole number"),
        ("get", "records", {"most": "inf"}, "most='inf' is not a whole number"),
        ("get", "records", {"most": 0}, "most=0 is less than 1"),
        ("get", "records", {"most": 10**30}, "most=10* is more than 1000000000"),
        ("get", "oracle", {"queries": 0}, "queries=0 is less than 1"),
        ("get", "oracle", {"pairs": "yes"}, "pairs='yes' is neither 0 nor 1"),
        (
            "get",
            "records",
            {"last": 3, "colour": 4},
            "no argument 'last', 'colour'; there are host first most",
        ),
        ("post", "add", {"count": -1}, "count=-1 is less than 1"),
        ("post", "fault", {"kind": "500", "times": 0}, "times=0 is less than 1"),
        ("post", "fault", {"kind": "500", "times": "often"}, "times='often' is not a whole number"),
        ("post", "fault", {"kind": "500", "rate": "nan"}, "rate='nan' is not a number"),
        ("post", "fault", {"kind": "429", "retry_after": 0}, "a second of patience or more, not 0"),
        ("post", "fault", {"kind": "slow-body", "seconds": -1}, "seconds=-1 is less than 0"),
    ],
)
def test_arguments_that_make_no_sense_are_named(
    web: Simweb, method: str, call: str, arguments: dict[str, Any], message: str
) -> None:
    host = web.sites(databases=1)[0]["host"]

    with pytest.raises(SimwebError, match=message):
        (web.get if method == "get" else web.post)(call, host=host, **arguments)

    assert web.get("faults")["active"] == []


@pytest.mark.parametrize("advance", ["xd", "nan", "inf", "infd", "d", "1e308d", "1e300", "-1d"])
def test_a_clock_that_cannot_be_set_stays(web: Simweb, advance: str) -> None:
    before = web.post("clock")

    with pytest.raises(SimwebError, match=r"advance=|the clock"):
        web.post("clock", advance=advance)

    assert web.post("clock") == before


@pytest.mark.parametrize(
    ("method", "call", "name"),
    [("get", "links", "url"), ("get", "reachable", "start"), ("post", "rewrite", "url")],
)
def test_what_is_no_address_is_a_clear_error(web: Simweb, method: str, call: str, name: str) -> None:
    with pytest.raises(SimwebError, match="is not an address"):
        (web.get if method == "get" else web.post)(call, **{name: "http://[x/"})


def test_strangers_and_refusals_are_in_the_journal_but_count_for_nobody(web: Simweb, host: str) -> None:
    web.post("clear-journal")
    ask(web, "http://nowhere.example/a?b=c")
    say(web.proxy, b"CONNECT a.example:443 HTTP/1.1\r\nHost: a.example:443\r\n\r\n")
    say(web.proxy, b"GET /nothing HTTP/1.1\r\n\r\n")
    say(web.proxy, b"rubbish\r\n\r\n")
    ask(web, f"http://{host}/robots.txt")

    noted = [(r["status"], r["kind"], r["host"], r["target"]) for r in web.get("requests")]

    assert noted[:3] == [
        (502, "stranger", "nowhere.example", "/a?b=c"),
        (501, "refused", "a.example:443", "a.example:443"),
        (400, "refused", "", "/nothing"),
    ]
    assert noted[3][:2] == (400, "refused")
    assert web.get("counts") == {host: 1}


def test_after_clearing_the_journal_a_measurement_is_the_same_again(web: Simweb, host: str) -> None:
    web.post("fault", kind="503", host=host, rate=0.5)

    runs = []
    for _ in range(2):
        web.post("clear-journal")
        runs.append([ask(web, f"http://{host}/robots.txt")[0].status for _ in range(20)])

    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 2


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "reset"])
def test_head_has_no_body_whatever_goes_wrong(web: Simweb, host: str, kind: str) -> None:
    web.post("fault", kind=kind, host=host, seconds=0.01)

    answer = say(web.proxy, request_for(f"http://{host}/", "Connection: close", method="HEAD"), ending=False)

    assert answer.endswith(b"\r\n\r\n")
    assert answer.count(b"\r\n\r\n") == 1


@pytest.mark.parametrize("kind", ["", *(kind for kind in KINDS if kind != "reset")])
def test_a_connection_is_closed_when_that_is_asked_for(web: Simweb, host: str, kind: str) -> None:
    if kind:
        web.post("fault", kind=kind, host=host, seconds=0.01)

    answer = say(web.proxy, request_for(f"http://{host}/", "Connection: close"), ending=False)

    assert b"\r\nConnection: close\r\n" in answer


def test_a_page_that_has_not_changed_has_no_bytes(web: Simweb) -> None:
    kinds = [kind for kind in KINDS if kind.startswith(("slow", "short", "long", "truncated", "bad"))]
    stuck = next(
        h for h in (s["host"] for s in web.sites()) if web.get("site", host=h)["validators"] == "stuck"
    )
    tag = ask(web, f"http://{stuck}/")[0].headers["ETag"]
    for kind in kinds:
        web.post("fault", kind=kind, host=stuck, seconds=0.01, times=1)

    asked = request_for(f"http://{stuck}/", f"If-None-Match: {tag}", "Connection: close")
    answers = [say(web.proxy, asked, ending=False) for _ in kinds]
    web.post("clear-faults")

    assert all(answer.startswith(b"HTTP/1.1 304 ") for answer in answers)
    assert all(answer.endswith(b"\r\n\r\n") and answer.count(b"\r\n\r\n") == 1 for answer in answers)


@pytest.mark.parametrize("kind", ["truncated-gzip", "truncated-brotli", "bad-charset"])
def test_only_pages_are_damaged(web: Simweb, kind: str) -> None:
    hosts = [s["host"] for s in web.sites() if not s["traps"] and not s["host"].startswith("127.")]
    strict = next(h for h in hosts if not web.get("site", host=h)["soft_404"])
    whole, body = ask(web, f"http://{strict}/none")
    web.post("fault", kind=kind, host=strict)
    web.post("clear-journal")

    response, damaged = ask(web, f"http://{strict}/none")
    web.post("clear-faults")

    assert (whole.status, response.status) == (404, 404)
    assert response.headers["Content-Type"] == whole.headers["Content-Type"]
    assert response.headers["Content-Encoding"] is None
    assert abs(len(damaged) - len(body)) < 100
    assert [r["fault"] for r in web.get("requests")] == [""]


@pytest.mark.parametrize("has_port", [True, False])
def test_a_fault_hits_an_address_with_or_without_its_port(web: Simweb, has_port: bool) -> None:
    peer = urlsplit(web.direct[0])
    web.post("fault", kind="500", host=peer.netloc if has_port else peer.hostname)

    faulty = say(web.direct[0], request_for(web.direct[0], "Connection: close"), ending=False)
    web.post("clear-faults", host=peer.hostname)
    healthy = say(web.direct[0], b"GET / HTTP/1.0\r\nHost: 127.0.0.2\r\n\r\n", ending=False)

    assert faulty.startswith(b"HTTP/1.1 500 ")
    assert healthy.startswith(b"HTTP/1.1 200 ")
    assert web.get("requests", host=peer.hostname)[-1]["host"] == peer.netloc


@pytest.mark.parametrize(("asked", "said"), [(0.5, "1"), (2.2, "3"), (1_000_000, "1000000")])
def test_patience_is_asked_for_in_whole_seconds(web: Simweb, host: str, asked: float, said: str) -> None:
    web.post("fault", kind="503", host=host, retry_after=asked, times=1)

    response, _ = ask(web, f"http://{host}/")

    assert response.headers["Retry-After"] == said
    assert web.get("requests", host=host)[-1]["fault"] == f"503 retry-after={said}"


@pytest.mark.parametrize(
    ("encoded", "charset", "value"),
    [
        ("q=M%C3%BCller+x", "utf-8", "Müller x"),
        ("q=Müller".encode().decode("latin-1"), "utf-8", "Müller"),
        ("q=M\xfcller", "iso-8859-1", "Müller"),
        ("q=Москва".encode("cp1251").decode("latin-1"), "cp1251", "Москва"),
        ("q=Москва", "utf-8", "Москва"),
    ],
    ids=["percent", "raw UTF-8", "raw latin-1", "raw cp1251", "text"],
)
def test_parameters_are_bytes_in_an_encoding(encoded: str, charset: str, value: str) -> None:
    assert split_parameters(encoded, charset) == [("q", value)]


def test_raw_bytes_in_a_body_are_read_as_they_were_sent(web: Simweb) -> None:
    hosts = [s["host"] for s in web.sites() if web.get("site", host=s["host"])["charset"] == "utf-8"]
    forms = (form for h in hosts for form in web.get("forms", host=h))
    form = next(form for form in forms if not form["searchable"] and form["method"].lower() == "post")
    name = form["fields"][0]["name"]

    body = f"{name}=Müller Москва".encode()
    say(web.proxy, request_for(form["action"], f"Content-Length: {len(body)}", method="POST") + body)

    assert [name, "Müller Москва"] in web.effects()[-1]["parameters"]


def test_the_truth_about_one_record_and_one_host_is_told(web: Simweb) -> None:
    site = next(s for s in web.sites(databases=1) if s["style"] == "box")
    host = site["host"]
    word = web.get("words", host=host, number=2)[0]

    queries = web.get("queries", host=host, number=2)

    assert 2 in web.get("matching", host=host, words=word)
    assert all(2 in web.get("answer", host=host, **dict(asked))["found"] for asked in queries[:3])
    assert set(web.get("linking", host=host)) <= {s["host"] for s in web.sites()}
    assert set(web.get("changes", host=host)) == {"added", "removed", "changed", "rewritten", "redesigns"}
