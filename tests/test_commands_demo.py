from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import psutil
import pytest
from forking import Forked, run_forked

from hiddenweb.store.database import Store
from simweb.truth import Truth
from simweb.world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Forms of eight styles in three languages, one of them sent by POST, and a site that wants a crawl delay.
SEED, SITES = 147, 18
WORLD = ("--seed", str(SEED), "--sites", str(SITES))
SMALL = ("--seed", "79", "--sites", "4")
NUMBERS = re.compile(
    r"^(?P<host>\S+) +(?P<language>[a-z]{2}) +(?P<style>\w+) +(?P<numbers>[\d,]+(?: +[\d,]+){3})$"
)


@dataclass(frozen=True)
class EndedDemo:
    """A demo that has ended, its state, and its world."""

    output: str
    state: Path
    truth: Truth

    @property
    def text(self) -> str:
        return " ".join(self.output.split())

    @property
    def rows(self) -> dict[str, dict[str, Any]]:
        """The table: records, by links, by forms, queries; and the line below."""
        found = {}
        lines = self.output.splitlines()
        for line, below in pairwise(lines):
            if row := NUMBERS.match(line):
                numbers = [int(number.replace(",", "")) for number in row["numbers"].split()]
                why = below.strip() if below.startswith("    ") else ""
                found[row["host"]] = {
                    "language": row["language"],
                    "style": row["style"],
                    "numbers": numbers,
                    "why": why,
                }
        return found

    def in_state(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with Store(self.state, write=False) as state:
            return state.rows(sql, values)

    def by_links(self, host: str) -> set[int]:
        reach = self.truth.reachable(self.truth.world.plan(n).url for n in self.truth.world.numbers)
        return {number for other, number in reach.records if other == host}

    def records_on(self, url: str) -> set[int]:
        response = self.truth._fetch(url)
        return set(response.records) if response else set()


def environment(folder: Path) -> dict[str, str]:
    """The environment of a demo whose temporary folders and processes can be distinguished from all others."""
    return {**os.environ, "TMPDIR": str(folder), "COLUMNS": "100"}


def demo(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "scrapy", "demo", *arguments]
    return run_forked(command, env=environment(folder))


def processes_of(folder: Path) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("TMPDIR") == str(folder):
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied, psutil.ZombieProcess):
            continue
    return found


@pytest.fixture(scope="module")
def ended_demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EndedDemo]:
    folder, state = tmp_path_factory.mktemp("temporary"), tmp_path_factory.mktemp("kept") / "state"
    done = demo(folder, *WORLD, "--state", str(state))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    assert list(folder.iterdir()) == []
    world = World(SEED, SITES, pages_per_site=25, largest_database=400, direct=0)
    yield EndedDemo(done.stdout, state, Truth(world))
    world.close()


def test_the_demo_says_what_is_hidden(ended_demo: EndedDemo) -> None:
    truth = ended_demo.truth
    world = truth.summary()
    by_links = sum(len(ended_demo.by_links(site.plan.host)) for site in truth.sites(databases=True))

    assert f"{world['pages']:,} public pages" in ended_demo.text
    assert f"{world['databases']} databases with {world['records']:,} records" in ended_demo.text
    assert (
        f"lead to {by_links:,} of the records; the other {world['records'] - by_links:,} (" in ended_demo.text
    )


def test_the_table_agrees_with_the_truth_and_with_the_state(ended_demo: EndedDemo) -> None:
    expected = {}
    for site in ended_demo.truth.sites(databases=True):
        host, by_links = site.plan.host, ended_demo.by_links(site.plan.host)
        pages = ended_demo.in_state(
            "SELECT url FROM pages WHERE status = 200 AND url LIKE ?", f"http://{host}/%"
        )
        seen = {number for (url,) in pages for number in ended_demo.records_on(url)}
        ((queries,),) = ended_demo.in_state(
            "SELECT count(DISTINCT submission) FROM links WHERE kind = 'answer' AND state = 2 AND url LIKE ?",
            f"http://{host}/%",
        )
        expected[host] = [ended_demo.truth.count(host), len(by_links), len(seen - by_links), queries]

    assert {host: row["numbers"] for host, row in ended_demo.rows.items()} == expected
    assert sum(numbers[2] for numbers in expected.values()) > 100


def test_totals_are_the_sums_of_the_table(ended_demo: EndedDemo) -> None:
    rows = [row["numbers"] for row in ended_demo.rows.values()]
    hidden, found = sum(row[0] - row[1] for row in rows), sum(row[2] for row in rows)
    at_queried = sum(row[0] - row[1] for row in rows if row[3])
    forms = ended_demo.in_state("SELECT count(*) FROM forms WHERE NOT may_submit")[0][0]

    assert (
        f"{hidden:,} records cannot be reached by links; we found {found:,} of them ({found / hidden:.0%}, "
        f"{found / at_queried:.0%} of those at the queried sites) with {sum(row[3] for row in rows)} queries"
    ) in ended_demo.text
    assert f"{forms} forms were left alone: " in ended_demo.text


def test_a_form_that_is_not_submitted_says_why_in_the_words_of_the_state(ended_demo: EndedDemo) -> None:
    ((host, posted),) = [(host, row) for host, row in ended_demo.rows.items() if row["style"] == "post"]
    reasons = ended_demo.in_state(
        "SELECT why FROM forms WHERE NOT may_submit AND page_url LIKE ?", f"http://{host}/%"
    )

    assert posted["numbers"][2:] == [0, 0]
    assert posted["why"].startswith("not submitted: ")
    assert posted["why"].removeprefix("not submitted: ") in {why.split("; ")[0] for (why,) in reasons}
    assert all(bool(row["why"]) == (row["numbers"][3] == 0) for row in ended_demo.rows.values())


def test_sites_with_a_crawl_delay_are_left_out_and_no_rule_is_broken(ended_demo: EndedDemo) -> None:
    plans = [site.plan for site in ended_demo.truth.sites()]
    slow = {plan.host for plan in plans if plan.robots.crawl_delay}
    visited = {urlsplit(url).netloc for (url,) in ended_demo.in_state("SELECT url FROM pages")}

    assert len(slow) == 1
    assert not slow & visited
    assert "All sites but 1, whose robots.txt" in ended_demo.text
    assert {ended_demo.rows[host]["why"].partition(":")[0] for host in slow} == {"left out of this demo"}
    assert "counted 0 submissions of forms that must be left alone, and 0 requests against" in ended_demo.text


def test_three_searches_in_several_languages_find_what_links_do_not_reach(ended_demo: EndedDemo) -> None:
    searches = re.split(r"^    scrapy search (?=.*HIDDENWEB_STATE)", ended_demo.output, flags=re.MULTILINE)[
        1:
    ]
    languages = set()
    for search in searches:
        assert f"HIDDENWEB_STATE={ended_demo.state}" in shlex.split(search.splitlines()[0])
        behind = re.findall(r"^     (http://\S+)\n     .* · behind a form$", search, re.MULTILINE)
        hosts = {url: urlsplit(url).netloc for url in behind}
        assert 1 <= len(behind) <= 3
        assert all(ended_demo.records_on(url) - ended_demo.by_links(host) for url, host in hosts.items())
        languages |= {ended_demo.truth.site(host).plan.language for host in hosts.values()}

    assert len({search.split()[0] for search in searches}) == 3
    assert len(languages) >= 2


def test_the_end_says_what_to_do_next_and_where_the_state_is(ended_demo: EndedDemo) -> None:
    assert "scrapy crawl harvest -a sites=https://SITE/" in ended_demo.text
    assert f"The state of this demo is kept in {ended_demo.state}" in ended_demo.text

    command = [sys.executable, "-m", "scrapy", "status", "-s", f"HIDDENWEB_STATE={ended_demo.state}"]
    status = run_forked(command)
    assert status.returncode == 0, status.stderr
    assert "finished after" in status.stdout


@pytest.mark.parametrize(
    ("moment", "number", "code", "options"),
    [
        pytest.param("Starting a small web", signal.SIGINT, 130, (), id="while simweb starts"),
        pytest.param("scrapy crawl harvest", signal.SIGINT, 130, (), id="while the crawl starts"),
        pytest.param("scrapy crawl harvest", signal.SIGTERM, 130, (), id="terminated"),
        pytest.param("Kept running until Ctrl-C", signal.SIGINT, 0, ("--keep",), id="kept until Ctrl-C"),
    ],
)
def test_a_signal_leaves_no_process_and_no_folder(
    tmp_path: Path, moment: str, number: int, code: int, options: tuple[str, ...]
) -> None:
    process = Forked(
        [sys.executable, "-m", "scrapy", "demo", *SMALL, *options],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert process.stdout is not None
    with process:
        output = ""
        for line in process.stdout:
            output += line
            if moment in line:
                break
        if options:
            assert what_simweb_says(process.stdout.readline() + process.stdout.readline(), "effects") == []
        process.send_signal(number)
        output += process.stdout.read()

    assert process.returncode == code, output
    assert "Traceback" not in output
    assert psutil.wait_procs(processes_of(tmp_path), timeout=60)[1] == []
    assert list(tmp_path.iterdir()) == []


def what_simweb_says(lines: str, call: str) -> Any:
    (control,) = re.findall(r"^truth +(\S+)$", lines, re.MULTILINE)
    with build_opener(ProxyHandler({})).open(f"{control}/{call}") as answer:
        return json.load(answer)


def test_a_crawl_that_fails_is_shown_with_its_last_lines(tmp_path: Path) -> None:
    ended = demo(tmp_path, *SMALL, "-s", "HIDDENWEB_RETRIES=many")

    assert ended.returncode == 1
    assert "The crawl failed with exit code 2. Its last lines:" in ended.stdout
    assert "HIDDENWEB_RETRIES: 'many' cannot be used" in ended.stdout.partition("Its last lines:")[2]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x"], "scrapy demo takes no arguments, but was given 'x'"),
        (["--sites", "0"], "--sites must be at least 1, not 0"),
        (["--state", "tests"], "--state tests is not empty; the demo wants a folder of its own"),
        (["--state", "README.md"], "--state README.md cannot be used: File exists"),
    ],
)
def test_bad_arguments_are_clear_errors(tmp_path: Path, arguments: list[str], message: str) -> None:
    ended = demo(tmp_path, *arguments)

    assert ended.returncode == 2
    assert message in ended.stderr + ended.stdout
    assert "Traceback" not in ended.stderr
