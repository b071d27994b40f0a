"""Small sites that see all of a request: method, what was sent, cookies. For forms that guard themselves with tokens and sessions."""

from __future__ import annotations

import os
import re
import signal
from collections import Counter
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from crawling import Ran, SmallSite, crawl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WORDS = ["amber", "beetle", "candle", "dragon", "ember", "falcon", "garnet", "hollow"]
RECORDS = {
    number: f"{WORDS[number % 8]} {WORDS[number * 3 % 8]} number {number}, made of {WORDS[number * 5 % 8]}"
    for number in range(40)
}


@dataclass(frozen=True)
class SiteRequest:
    """A request as a site sees it."""

    method: str
    path: str
    sent: dict[str, str]
    cookies: dict[str, str]
    cookie_header: str = ""
    body: str = ""


@dataclass
class Reply:
    """What a site answers."""

    body: str = ""
    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)


class GuardedSite(SmallSite):
    """A site on a loopback address of its own that records all requests."""

    def __init__(
        self, reply: Callable[[SiteRequest], Reply | str | None], address: str = "127.0.0.1"
    ) -> None:
        super().__init__(lambda _path: None, address)
        self.place = f"{address}:{self.port}"
        self.received: list[SiteRequest] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body go out at once, not 40 milliseconds apart

            def do_GET(self) -> None:
                self.answer("")

            def do_POST(self) -> None:
                self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode("ascii"))

            def answer(self, body: str) -> None:
                parts = urlsplit(self.path)
                sent = parse_qs(f"{parts.query}&{body}", keep_blank_values=True)
                header = self.headers.get("Cookie", "")
                cookies = {name: morsel.value for name, morsel in SimpleCookie(header).items()}
                flat = {name: values[0] for name, values in sent.items()}
                request = SiteRequest(self.command, parts.path, flat, cookies, header, body)
                site.received.append(request)
                found = reply(request)
                whole = found if isinstance(found, Reply) else Reply(found) if found else Reply("gone", 404)
                data = whole.body.encode()
                self.send_response(whole.status)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                for name, value in whole.headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server.RequestHandlerClass = Handler

    def requests(self, path: str) -> list[SiteRequest]:
        """Return the requests for a path."""
        return [request for request in self.received if request.path == path]

    def count(self) -> Counter[str]:
        """Return how often each path was requested."""
        return Counter(request.path for request in self.received)


def page(body: str, title: str = "Stones and birds") -> str:
    return f"<html lang=en><title>{title}</title><body>{body}</body></html>"


def containing(word: str) -> list[int]:
    return [number for number, text in RECORDS.items() if word and word.lower() in text]


def listed(numbers: list[int], more: str = "") -> str:
    items = "".join(f"<li><a href=/record/{n}>Record {n}</a> {RECORDS[n]}</li>" for n in numbers)
    found = f"<p>{len(numbers)} results</p><ol>{items}</ol>" if numbers else "<p>No results found</p>"
    return page(found + more, "Found")


def record_page(path: str) -> str | None:
    """Return the page of a record, if there is one at a path."""
    found = re.fullmatch(r"/record/(\d+)", path)
    return page(RECORDS[int(found[1])], "Record") if found else None


def box(hidden: str = "", method: str = "get", action: str = "/find") -> str:
    return (
        f"<form action='{action}' method={method} role=search>{hidden}Search <input type=search name=q>"
        "<button>Search</button></form>"
    )


def harvested(
    folder: Path, reply: Callable[[SiteRequest], Reply | str | None], *, times: int = 1, **settings: object
) -> tuple[Ran, GuardedSite]:
    """Crawl a site so many times, with POST allowed; return the last crawl, and the site with the requests it got."""
    with GuardedSite(lambda request: record_page(request.path) or reply(request)) as site:
        usual = {
            "HIDDENWEB_ALLOW_ADDRESSES": site.place,
            "HIDDENWEB_RETRIES": 0,
            "HIDDENWEB_ALLOW_POST": "127.0.0.1",
            "HIDDENWEB_INDEX": False,
            "HIDDENWEB_QUERIES_PER_FORM": 13,
            "STATS_DUMP": 1,
        }
        for _ in range(times):
            ran = crawl(folder, [site.url], usual | settings)
        return ran, site


def kill_crawl(folder: Path) -> None:
    """Kill the crawl whose state is in a folder; its lock says who it is."""
    os.kill(int((folder / "state" / "crawl.lock").read_text(encoding="ascii")), signal.SIGKILL)


def found_records(ran: Ran) -> int:
    """Return how many records a crawl has found."""
    return int(ran.rows("SELECT count(*) FROM records")[0][0])
