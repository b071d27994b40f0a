"""A fresh clone is deployed to a real Scrapyd, and its spiders are scheduled, cancelled and resumed there."""

from __future__ import annotations

import json
import re
import subprocess
import threading
import zipfile
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.error import HTTPError

import pytest
from applications import needs
from fresh_venv import copy_repository
from guarded_sites import GuardedSite
from library_site import Library
from scrapyd_server import DEPLOY, SERVER, ScrapydServer

from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from guarded_sites import SiteRequest

pytestmark = needs(SERVER, DEPLOY)


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a fresh clone holds."""
    return copy_repository(tmp_path_factory.mktemp("clone"))


@pytest.fixture(scope="module")
def scrapyd(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScrapydServer]:
    """A Scrapyd to which the clone was deployed."""
    with ScrapydServer.run(tmp_path_factory.mktemp("scrapyd")) as server:
        deployed = server.deploy(clone)
        assert deployed.returncode == 0, deployed.stdout + deployed.stderr
        assert json.loads(deployed.stdout)["spiders"] == 4
        yield server


class WatchedLibrary(Library):
    """A library that says when it was asked so many times, and then may keep who asks waiting."""

    def __init__(self, times: int, *, keeps_waiting: bool = False) -> None:
        super().__init__()
        self.reached, self.goes_on = threading.Event(), threading.Event()
        if not keeps_waiting:
            self.goes_on.set()
        self._left = times
        self.see = self._count

    def _count(self, _: SiteRequest) -> None:
        self._left -= 1
        if not self._left:
            self.reached.set()
            self.goes_on.wait(240)


def settings_of(site: GuardedSite, state: object, **more: object) -> dict[str, object]:
    usual: dict[str, object] = {
        "HIDDENWEB_STATE": state,
        "HIDDENWEB_DELAY": 0,
        "HIDDENWEB_ALLOW_ADDRESSES": site.place,
        "HIDDENWEB_PROXY": "",
        "HIDDENWEB_QUERIES_PER_FORM": 12,
    }
    return usual | more


def test_the_egg_holds_the_crawler_and_nothing_else(clone: Path, tmp_path: Path) -> None:
    command = [str(DEPLOY), "--build-egg", str(tmp_path / "project.egg")]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

    with zipfile.ZipFile(tmp_path / "project.egg") as egg:
        files = {name for name in egg.namelist() if "__pycache__" not in name}
        points = egg.read("EGG-INFO/entry_points.txt").decode()

    ours = {str(path.relative_to(clone)) for path in (clone / "hiddenweb").rglob("*") if path.is_file()}
    assert {name for name in files if not name.startswith("EGG-INFO/")} == ours
    assert re.search(r"\[scrapy\]\nsettings = hiddenweb\.settings", points)


def test_deploying_changes_no_file_of_the_clone(scrapyd: ScrapydServer, clone: Path, root: Path) -> None:
    tracked = {path.relative_to(clone) for path in clone.rglob("*") if path.is_file()}
    new = {path.parts[0] for path in tracked if not (root / path).is_file()}

    assert scrapyd.get("listprojects")["projects"] == ["hiddenweb"]
    assert new <= {"build", "hiddenweb.egg-info"}


def test_nobody_comes_in_without_the_password(scrapyd: ScrapydServer, clone: Path) -> None:
    stranger = replace(scrapyd, password="guessed")

    with pytest.raises(HTTPError, match="401") as refused:
        stranger.get("listprojects")
    refused.value.close()

    deployed = stranger.deploy(clone)
    assert deployed.returncode == 1
    assert "Deploy failed (401)" in deployed.stderr


def test_all_spiders_run_with_arguments_and_settings(scrapyd: ScrapydServer, tmp_path: Path) -> None:
    with GuardedSite(Library()) as site:
        shared = settings_of(site, tmp_path / "shared")
        alone = settings_of(site, tmp_path / "{spider}-{job}", CLOSESPIDER_PAGECOUNT=5)
        scrapyd.schedule("explore", "explored", shared, sites=site.url)
        explored = scrapyd.wait_for("explored")
        scrapyd.schedule("harvest", "harvested", shared, sites=site.url)
        harvested = scrapyd.wait_for("harvested")
        scrapyd.schedule("revisit", "revisited", shared, budget=5)
        revisited = scrapyd.wait_for("revisited")
        scrapyd.schedule("locate", "located", alone, topic="books", seeds=site.url, time="5m")
        located = scrapyd.wait_for("located")

    assert "Finished: all links of 1 site were followed." in explored
    assert re.search(r"Finished: .* queries submitted, [1-9]\d* new records", harvested)
    assert re.search(r"Finished: .* [1-5] revisits", revisited)
    assert re.search(r"(Finished|Stopped: limit)", located)
    assert [scrapyd.exit_status(job) for job in ("explored", "harvested", "revisited", "located")] == [0] * 4
    assert sorted(path.name for path in tmp_path.iterdir()) == ["locate-located", "shared"]
    assert (tmp_path / "shared" / "index" / "index.json").exists()
    exported = scrapyd.folder / "items" / "hiddenweb" / "harvest" / "harvested.jl"
    assert all("url" in json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines())
    assert exported.stat().st_size


def test_a_cancelled_job_stops_cleanly_and_the_next_one_resumes_it(
    scrapyd: ScrapydServer, tmp_path: Path
) -> None:
    library = WatchedLibrary(10)
    with GuardedSite(library) as site:
        settings = settings_of(site, tmp_path / "state", HIDDENWEB_DELAY=0.1)
        scrapyd.schedule("harvest", "cancelled", settings, sites=site.url)
        assert library.reached.wait(120), scrapyd.output()
        assert scrapyd.post("cancel", project="hiddenweb", job="cancelled")["prevstate"] == "running"
        cancelled, before = scrapyd.wait_for("cancelled"), len(site.received)
        with Store(tmp_path / "state", write=False) as state:
            ((records,),) = state.rows("SELECT count(*) FROM records")
        scrapyd.schedule("harvest", "resumed", settings, sites=site.url)
        resumed = scrapyd.wait_for("resumed")
        first, second = (
            Counter((asked.path, *asked.sent.items()) for asked in part if asked.path != "/robots.txt")
            for part in (site.received[:before], site.received[before:])
        )

    assert "Interrupted (Ctrl-C or a signal): nothing is lost, the same command resumes it" in cancelled
    assert scrapyd.exit_status("cancelled") == 130
    assert "Finished: all links of 1 site were followed." in resumed
    assert scrapyd.exit_status("resumed") == 0
    assert len(first) >= 8
    assert sum((first & second).values()) <= 1  # what was under way
    with Store(tmp_path / "state", write=False) as state:
        assert state.rows("SELECT count(*) > ? FROM records", [records]) == [(1,)]


def test_of_two_jobs_on_one_state_the_second_says_so_or_waits(scrapyd: ScrapydServer, tmp_path: Path) -> None:
    library = WatchedLibrary(3, keeps_waiting=True)
    with GuardedSite(library) as site:
        settings = settings_of(site, tmp_path / "state", DOWNLOAD_TIMEOUT=240)
        scrapyd.schedule("explore", "first", settings, sites=site.url)
        assert library.reached.wait(120), scrapyd.output()
        scrapyd.schedule("explore", "refused", settings, sites=site.url)
        scrapyd.schedule("explore", "patient", settings | {"HIDDENWEB_STATE_WAIT": 120}, sites=site.url)
        refused = scrapyd.wait_for("refused")
        scrapyd.wait_for("patient", "another crawl is using this state; waiting 120 s at most")
        library.goes_on.set()
        first, patient = scrapyd.wait_for("first"), scrapyd.wait_for("patient")

    assert re.search(r"another crawl \(process \d+\) is using this state; wait for it", refused)
    assert scrapyd.exit_status("refused") == 3
    assert "nothing was left to do" in patient
    assert "Finished: all links of 1 site were followed." in first


def test_a_wrong_job_says_why_in_its_log(scrapyd: ScrapydServer, tmp_path: Path) -> None:
    scrapyd.schedule("harvest", "wrong", {"HIDDENWEB_STATE": tmp_path / "state"}, site="https://a.example/")

    assert "harvest has no argument site" in scrapyd.wait_for("wrong")
    assert scrapyd.exit_status("wrong") == 2
    assert not (tmp_path / "state").exists()
