"""A crawl of a site of one's own: cookies and headers open it, and are nowhere else."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from bookshop import page, search
from crawling import crawl

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

SECRETS = ("S3SSION-C00KIE", "T0KEN-OF-MINE")


class Gate:
    """A server that shows its pages only to those who bring a cookie and a token; it remembers what each request brought."""

    def __init__(self, elsewhere: str = "") -> None:
        self.seen: list[tuple[str, str, str]] = []
        gate = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                cookie, token = self.headers.get("Cookie", ""), self.headers.get("Authorization", "")
                gate.seen.append((self.path, cookie, token))
                is_open = SECRETS[0] in cookie and SECRETS[1] in token
                body = gate.body(self.path) if is_open else "<title>Log in</title>"
                self.send_response(302 if self.path == "/away" else 200 if is_open else 403)
                if self.path == "/away":
                    self.send_header("Location", elsewhere)
                self.send_header("Content-Type", "text/html")
                self.send_header("Set-Cookie", f"session={SECRETS[0]}; Path=/")
                self.send_header("Content-Length", str(len(body.encode())))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    @staticmethod
    def body(path: str) -> str:
        if path == "/robots.txt":
            return ""
        if path.startswith("/item/"):
            return page(int(path.rpartition("/")[2]))
        links = "<p><a href=/away>elsewhere</a> <a href=/logout>Log out</a> <a href=/item/3>The River</a>"
        return search(path, 60).replace("</h1>", f"</h1>{links}")

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def test_own_cookies_and_headers_open_their_site_and_are_nowhere_else(tmp_path: Path) -> None:
    cookies, headers = tmp_path / "cookies.txt", tmp_path / "headers.toml"
    with Gate() as other, Gate(other.url) as gate:
        cookies.write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t{SECRETS[0]}\n", encoding="utf-8")
        headers.write_text(f'["{gate.url}"]\nAuthorization = "Bearer {SECRETS[1]}"\n', encoding="utf-8")
        cookies.chmod(0o644)
        headers.chmod(0o600)
        ran = crawl(
            tmp_path, [gate.url], {"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:*", "HIDDENWEB_COOKIES": cookies,
            "HIDDENWEB_HEADERS": headers}, queries=5, options=("-L", "DEBUG", "-o", str(tmp_path / "records.jsonl")),
        )  # fmt: skip

    assert ran.code == 0
    assert any(path.startswith("/search?") for path, _, _ in gate.seen)
    assert {(cookie, token) for _, cookie, token in gate.seen} == {
        (f"session={SECRETS[0]}", f"Bearer {SECRETS[1]}")
    }
    assert "/away" in {path for path, _, _ in gate.seen}
    assert "/logout" not in {path for path, _, _ in gate.seen}
    assert other.seen
    assert {(cookie, token) for _, cookie, token in other.seen} == {("", "")}
    assert f"{cookies} can be read by every user of this machine" in ran.output
    assert f"{headers} can be read" not in ran.output
    written = [path for path in tmp_path.rglob("*") if path.is_file() and path not in (cookies, headers)]
    assert len(written) > 3
    for path in written:
        assert not any(secret.encode() in path.read_bytes() for secret in SECRETS), path


def test_a_file_of_which_nothing_was_sent_is_a_warning(tmp_path: Path) -> None:
    cookies = tmp_path / "cookies.txt"
    cookies.write_text(f"a.example\tFALSE\t/\tFALSE\t0\tsession\t{SECRETS[0]}\n", encoding="utf-8")
    with Gate() as gate:
        ran = crawl(
            tmp_path, [gate.url], {"HIDDENWEB_ALLOW_ADDRESSES": "127.0.0.1:*", "HIDDENWEB_COOKIES": cookies}
        )

    assert {cookie for _, cookie, _ in gate.seen} == {""}
    assert "No request got a header or a cookie of your own" in ran.output
