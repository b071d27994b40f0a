"""Sitemaps, honest and not, before revisits: which to trust is learnt, politely, within the budget."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import numpy as np
from crawling import Answer, Canary, SmallSite, crawl
from timing import delay_was_kept

from hiddenweb.store.database import Store
from hiddenweb.store.sitemaps import SitemapStore

if TYPE_CHECKING:
    from pathlib import Path

PAGES = 15
DELAY = 0.3


class Dated:
    """A site whose sitemap says when its pages changed, or that all did just now."""

    def __init__(self, *, lies: bool = False) -> None:
        self.lies = lies
        self.changed = dict.fromkeys(range(PAGES), 0.0)
        self.requests: list[tuple[float, str]] = []
        self.sitemaps: list[str] = []

    def answer(self, path: str) -> Answer | str | None:
        self.requests.append((time.monotonic(), path))
        if path == "/robots.txt":
            return Answer("\n".join(f"Sitemap: {url}" for url in self.sitemaps).encode())
        if path == "/all.xml":
            return Answer(b"<sitemapindex><sitemap><loc>/pages.xml</loc></sitemap></sitemapindex>")
        if path == "/pages.xml":
            entries = "".join(
                f"<url><loc>/item/{n}</loc><lastmod>{self._date(n)}</lastmod></url>" for n in self.changed
            )
            return Answer(f"<urlset>{entries}</urlset>".encode())
        if path == "/":
            links = " ".join(f"<a href=/item/{n}>Lamp {n}</a>" for n in self.changed)
            return f"<!doctype html><title>All lamps</title><p>{links}</p></html>"
        number = int(path.rpartition("/")[2])
        return f"<!doctype html><title>Lamp {number}</title><p>A lamp of brass, number {number}, as of {self.changed[number]}, by hand.</p></html>"

    def change(self, *numbers: int) -> None:
        for number in numbers:
            self.changed[number] = time.time()

    def _date(self, number: int) -> str:
        at = time.time() if self.lies else self.changed[number]
        return datetime.fromtimestamp(at, UTC).isoformat()

    def requests_since(self, begun: float) -> list[tuple[float, str]]:
        return [(at, path) for at, path in self.requests if at > begun]


def test_honest_sitemaps_are_followed_and_others_are_not(tmp_path: Path) -> None:
    honest, liar = Dated(), Dated(lies=True)
    with SmallSite(honest.answer) as first, SmallSite(liar.answer, "127.0.0.2") as second, Canary() as canary:
        honest.sitemaps = [f"{first.url}all.xml", f"http://127.0.0.1:{canary.port}/more.xml"]
        liar.sitemaps = [f"{second.url}pages.xml", f"{first.url}pages.xml"]
        settings = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{first.port},127.0.0.2:{second.port}",
            "HIDDENWEB_INDEX": False,
        }
        ran = crawl(tmp_path, [first.url, second.url], settings, spider="explore")
        assert ran.code == 0, ran.output
        honest.change(1, 2, 3)
        liar.change(1, 2, 3)
        ran = crawl(tmp_path, [], settings, spider="revisit", budget=100)
        assert ran.code == 0, ran.output
        assert "Finished: all revisits were made. 32 revisits, 6 found a change" in ran.output

        with Store(ran.state) as state:
            trust = SitemapStore(state).load_trust([host.number for host in SitemapStore(state).load_hosts()])
            state.write("UPDATE sitemaps SET asked = asked - 7200")
        believed = trust.ratios(np.array([0, 1]), np.array([1, 1]))
        assert believed[0] > 5
        assert 0.5 < believed[1] < 1.5

        honest.change(7, 8)
        liar.change(7, 8)
        begun = time.monotonic()
        ran = crawl(tmp_path, [], settings | {"HIDDENWEB_DELAY": DELAY}, spider="revisit", budget=11)
        assert ran.code == 0, ran.output
    requests, others = honest.requests_since(begun), liar.requests_since(begun)
    assert [path for _, path in requests[:2]] == ["/all.xml", "/pages.xml"]
    assert {path for _, path in requests[2:4]} == {"/item/7", "/item/8"}
    assert len(requests) + len(others) == 11
    assert canary.visits == 0
    assert all(delay_was_kept([at for at, _ in times], DELAY) for times in (requests, others))
    ((why,),) = ran.rows("SELECT why FROM sitemaps WHERE url LIKE ?", f"%:{canary.port}/%")
    assert "127.0.0.1" in why
