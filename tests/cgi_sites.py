"""A small web server for programs that speak CGI, each request in a process of its own, as Debian ships them."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from dataclasses import dataclass, field
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Self

_END_OF_HEADERS = re.compile(rb"(\r?\n)\1")


@dataclass(frozen=True)
class SiteRequest:
    """A request that the site got."""

    method: str
    path: str


@dataclass
class CgiSite:
    """A site on a free port of 127.0.0.1 that hands everything below `/PROGRAM` to that program."""

    program: Path
    robots: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)  # that need no program
    requests: list[SiteRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body go out at once, not 40 milliseconds apart

            def do_GET(self) -> None:
                site.answer(self)

            def do_POST(self) -> None:
                site.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/{self.program.name}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Answer one request, and note it."""
        self.requests.append(SiteRequest(request.command, request.path))
        path, _, query = request.path.partition("?")
        script = f"/{self.program.name}"
        if path == "/robots.txt":
            _send(request, 200, {"Content-Type": "text/plain"}, self.robots.encode())
        elif path == script or path.startswith(f"{script}/"):
            self._run(request, script, path.removeprefix(script), query)
        elif path in self.pages:
            _send(request, 200, {"Content-Type": "text/html; charset=utf-8"}, self.pages[path].encode())
        else:
            _send(request, 404, {"Content-Type": "text/plain"}, b"not here")

    def _run(self, request: BaseHTTPRequestHandler, script: str, rest: str, query: str) -> None:
        length = int(request.headers.get("Content-Length", 0))
        environment = {
            "PATH": os.environ["PATH"],
            "GATEWAY_INTERFACE": "CGI/1.1",
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": str(self.port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "REQUEST_METHOD": request.command,
            "REQUEST_URI": request.path,
            "SCRIPT_NAME": script,
            "PATH_INFO": rest,
            "QUERY_STRING": query,
            "CONTENT_TYPE": request.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(length),
            **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in request.headers.items()},
            **self.environment,
        }
        done = subprocess.run(
            [self.program], cwd=self.program.parent, env=environment, input=request.rfile.read(length),
            capture_output=True, check=False,
        )  # fmt: skip
        head, _, body = _END_OF_HEADERS.split(done.stdout, maxsplit=1)
        headers = dict(BytesParser().parsebytes(head).items())
        status = int(headers.pop("Status", "302" if "Location" in headers else "200").split()[0])
        _send(request, status, headers, body)


def _send(request: BaseHTTPRequestHandler, status: int, headers: Mapping[str, str], body: bytes) -> None:
    request.send_response(status)
    for name, value in headers.items():
        if name.lower() != "content-length":
            request.send_header(name, value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
