"""Real applications on loopback, with known databases: where they lie, what is true of them, and how crawls of them are run.

The folder of the sites has a program `realsites` (up, truth, churn, reset); the folder above it has `tap.py`, a proxy that
watches a crawl from outside, and `homemade.py`, the script that a good Scrapy user writes in an hour.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import ProxyHandler, Request, build_opener

from benchmarks import Skipped
from benchmarks._real_judging import Sent, Truth, interpolate, oracle_in, requests_in
from benchmarks.data import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GRACE = 180.0
"""Seconds that a crawl gets to end after its time is over."""

_FAR = "36000"  # seconds after which a tap ends by itself, should we be killed
_direct = build_opener(ProxyHandler({}))


@dataclass(frozen=True, slots=True)
class Crawled:
    """What a tap saw of a crawl."""

    requests: tuple[Sent, ...]
    strangers: int  # requests to hosts that are no site
    minutes: float
    ended: bool  # by itself, not by its time


class Site:
    """One application."""

    def __init__(self, sites: Sites, name: str) -> None:
        self.name = name
        self.meta: dict[str, Any] = json.loads(sites.ask("truth", name, "--json"))
        self.start = str(self.meta["start"])
        self.form = str(self.meta.get("form") or self.start)
        self.is_posted = "POST" in str(self.meta.get("method", ""))
        self._sites = sites

    @property
    def netloc(self) -> str:
        """Address and port."""
        return urlsplit(self.start).netloc

    def truth(self) -> Truth:
        """Return the records that it has now."""
        return Truth(self.texts().keys(), self.meta["record_url"])

    def texts(self) -> dict[str, tuple[str, str]]:
        """Return the address and the whole text of every record that it has now, by id."""
        rows = (json.loads(line) for line in self._sites.ask("truth", self.name, "--full").splitlines())
        return {str(row["id"]): (row["url"], f"{row['title']}\n{row['text']}") for row in rows}

    def robots(self) -> str:
        """Return its robots.txt; empty if it has none."""
        status, body = fetch(urljoin(self.start, "/robots.txt"))
        return body if status == 200 else ""

    def churn(self, seed: int, each: int) -> None:
        """Have records added, edited and deleted, so many of each."""
        numbers = [f"--{what}={each}" for what in ("add", "edit", "delete")]
        self._sites.ask("churn", self.name, *numbers, f"--seed={seed}")

    def reset(self) -> None:
        """Have its database made anew, and start it again."""
        self._sites.ask("reset", self.name)
        self._sites.ask("up", self.name)


class Sites:
    """The folder of the sites."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tap, self.home_made = folder.parent / "tap.py", folder.parent / "homemade.py"
        self._oracle = oracle_in(_text(folder / "oracle.txt"))

    def ask(self, *arguments: str) -> str:
        """Return what the program of the folder prints."""
        command = [str(self.folder / "realsites"), *arguments]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL
        ).stdout

    def open(self, name: str) -> Site:
        """Return a site that answers, started if it was not up; Skipped if it cannot be."""
        try:
            site = Site(self, name)
            if fetch(site.start)[0] >= 500:
                self.ask("up", name)
        except subprocess.CalledProcessError as error:
            raise Skipped(f"{name} cannot be had: {(error.stderr or '').strip()[-300:]}") from None
        return site

    def oracle(self, name: str, queries: int) -> float | None:
        """Return the share that a greedy choice of so many words reaches, if the folder knows; beyond its table it is computed."""
        points = self._oracle.get(name)
        if points is None:
            return None
        found = interpolate(points, queries)
        return self._compute(name, queries) if found is None else found

    def _compute(self, name: str, queries: int) -> float | None:
        with tempfile.TemporaryDirectory(prefix="hiddenweb-oracle-") as folder:
            into = Path(folder) / "oracle.json"
            program = str(self.folder / "oracle.py")
            command = [sys.executable, program, name, "--k", str(queries), "--json", str(into)]
            if subprocess.run(command, check=False, capture_output=True, stdin=subprocess.DEVNULL).returncode:
                return None
            share = json.loads(into.read_text(encoding="utf-8"))[name]["greedy"][str(queries)][0]
        return float(share)


def find_sites() -> Sites:
    """Return the folder that HIDDENWEB_REALSITES names, else ../shared/realsites; Skipped if something of it is missing."""
    folder = Path(os.environ.get("HIDDENWEB_REALSITES") or ROOT.parent / "shared" / "realsites")
    for path in (folder / "realsites", folder.parent / "tap.py", folder.parent / "homemade.py"):
        if not path.is_file():
            raise Skipped(
                f"there is no {path.name} at {path}; HIDDENWEB_REALSITES names the folder of the real sites"
            )
    return Sites(folder)


def harvest(sites: Sites, site: Site, folder: Path, minutes: float) -> Crawled:
    """Harvest a site with defaults, through a tap, into a state in this folder."""
    return _ours(sites, site, folder, minutes, ["harvest", "-a", f"sites={site.start}"], "harvest")


def revisit(sites: Sites, site: Site, folder: Path, minutes: float, budget: int) -> Crawled:
    """Look again at what a harvest read, through a tap of its own."""
    return _ours(sites, site, folder, minutes, ["revisit", "-a", f"budget={budget}"], "revisit")


def _ours(sites: Sites, site: Site, folder: Path, minutes: float, crawl: Sequence[str], into: str) -> Crawled:
    with _tap(sites, site, folder / into) as port:
        settings = {
            "HIDDENWEB_DELAY": "0",
            "HIDDENWEB_PROXY": f"http://127.0.0.1:{port}",
            "HIDDENWEB_ALLOW_ADDRESSES": site.netloc,
            "HIDDENWEB_STATE": str(folder / "state"),
        }
        if site.is_posted:
            settings["HIDDENWEB_ALLOW_POST"] = site.netloc.partition(":")[0]
        command = [sys.executable, "-m", "scrapy", "crawl", *crawl, "-a", f"time={minutes * 60:.0f}s"]
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        taken, _ = run_crawl(command, ROOT, folder / into / "log", minutes * 60 + GRACE)
    return _read_crawl(site, folder / into, taken, ended=taken < minutes * 60)


def home_made(sites: Sites, site: Site, folder: Path, minutes: float, requests: int) -> Crawled:
    """Run the script on a site from the page of its form, with so many requests at most.

    It runs outside of the project, so that it has Scrapy's own settings. It obeys robots.txt, as its description says.
    """
    into = folder / "homemade"
    with _tap(sites, site, into) as port, tempfile.TemporaryDirectory(prefix="hiddenweb-script-") as apart:
        command = [
            sys.executable,
            "-m",
            "scrapy",
            "runspider",
            str(sites.home_made),
            "-a",
            f"url={site.form}",
        ]
        settings = ("ROBOTSTXT_OBEY=True", f"CLOSESPIDER_PAGECOUNT={requests}", "DOWNLOAD_DELAY=0")
        command += [part for setting in settings for part in ("-s", setting)]
        proxy = {"http_proxy": f"http://127.0.0.1:{port}", "no_proxy": ""}
        taken, in_time = run_crawl(command, Path(apart), into / "log", minutes * 60, os.environ | proxy)
    return _read_crawl(site, into, taken, ended=in_time)


@contextmanager
def _tap(sites: Sites, site: Site, into: Path) -> Iterator[int]:
    """Run a tap in front of a site; give its port."""
    into.mkdir(parents=True, exist_ok=True)
    for old in (f"{site.name}.requests.jsonl", f"{site.name}.json"):
        (into / old).unlink(missing_ok=True)
    port = _free_port()
    command = [sys.executable, str(sites.tap), "--sites", str(sites.folder), "--port", str(port)]
    command += ["--out", str(into), "--seconds", _FAR, site.name]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as tap:
        assert tap.stdout is not None
        if not tap.stdout.readline():
            raise Skipped(f"{sites.tap} does not start; it needs aiohttp")
        try:
            yield port
        finally:
            tap.send_signal(signal.SIGTERM)
            tap.stdout.read()


def run_crawl(
    command: Sequence[str], folder: Path, log: Path, seconds: float, env: dict[str, str] | None = None
) -> tuple[float, bool]:
    """Run a crawl; return the seconds that it took, and whether it ended in time."""
    started, in_time = time.monotonic(), True
    with (
        log.open("w", encoding="utf-8") as out,
        subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT
        ) as crawl,
    ):
        try:
            for wanted in (signal.SIGINT, signal.SIGKILL):
                try:
                    crawl.wait(seconds)
                    break
                except subprocess.TimeoutExpired:
                    in_time, seconds = False, GRACE
                    crawl.send_signal(wanted)
        except BaseException:  # who is interrupted leaves no crawl behind
            crawl.kill()
            raise
    return time.monotonic() - started, in_time


def _read_crawl(site: Site, folder: Path, seconds: float, *, ended: bool) -> Crawled:
    summary = json.loads((folder / f"{site.name}.json").read_text(encoding="utf-8"))
    with (folder / f"{site.name}.requests.jsonl").open(encoding="utf-8") as lines:
        requests = tuple(requests_in(lines))
    return Crawled(requests, sum(summary["strangers"].values()), seconds / 60, ended)


def fetch(url: str) -> tuple[int, str]:
    """Return the status and the text of a page, asked for directly; 599 if nobody answers."""
    try:
        with _direct.open(Request(url, headers={"User-Agent": "benchmark"}), timeout=60) as answer:
            return answer.status, answer.read().decode("utf-8", "replace")
    except HTTPError as error:
        with error:
            return error.code, error.read().decode("utf-8", "replace")
    except (URLError, OSError):
        return 599, ""


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""
