from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from commanding import run

from hiddenweb.commands.changes import ChangesCommand
from hiddenweb.html.reader import read_page
from hiddenweb.model import CrawlTask, Fetched, TaskSeed
from hiddenweb.revisit.comparison import SeenPage, compare_page
from hiddenweb.revisit.history import ALL, HistoryLimits
from hiddenweb.revisit.noise import NoiseMasks
from hiddenweb.store.database import Store
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from pathlib import Path

    from commanding import Done

URL = "http://www.example.org/lamp"
DAY = 86_400.0
MONDAY = 1_763_409_600.0  # 2025-11-17 20:00
BRASS, SILVER, SOLD = (
    "brass</p><p>It is for sale.",
    "silver</p><p>It is for sale.",
    "silver</p><p>Somebody bought it.",
)


class Changes(Protocol):
    """Runs the command."""

    def __call__(self, *arguments: str) -> Done: ...


def revisit(state: Store, task: CrawlTask, made_of: str, day: int, limits: HistoryLimits = ALL) -> None:
    """Revisit a page on a day, as the pipelines do."""
    revisits, at = RevisitStore(state), MONDAY + DAY * day
    body = f"<!doctype html><title>Lamp</title><h1>Lamp</h1><p>A lamp of {made_of}</p></html>".encode()
    page = read_page(body, URL)
    stored = revisits.load(task)
    outcome = compare_page(
        stored.known if stored else None, SeenPage(URL, at, page=page, raw=day + 1), NoiseMasks()
    )
    state.pages.save(Fetched(task, URL, 200, at, body, content_type="text/html", page=page), page, limits)
    again = revisits.load(task)
    assert again is not None
    revisits.save(stored or again, outcome, at, new_version=again.version)


@pytest.fixture
def task(tmp_path: Path) -> CrawlTask:
    """A page that was read, then changed twice, then changed back."""
    with Store(tmp_path) as state:
        state.sites.want(URL)
        state.frontier.add([TaskSeed(URL)])
        task = state.frontier.lease_url(URL)
        assert task is not None
        for day, made_of in enumerate((BRASS, SILVER, SOLD, BRASS)):
            revisit(state, task, made_of, day)
    return task


@pytest.fixture
def changes(tmp_path: Path, capsys: pytest.CaptureFixture[str], task: CrawlTask) -> Changes:
    assert task.url == URL
    return lambda *arguments: run(ChangesCommand(), *arguments, state=tmp_path, capsys=capsys)


def test_the_versions_of_a_page_are_listed_with_what_led_to_them(changes: Changes) -> None:
    done = changes("--versions", URL)
    assert done.code == 0
    assert done.output.splitlines() == [
        f"{URL}: 4 versions",
        "      1  2025-11-17 20:00         98 bytes  Lamp",
        "      2  2025-11-18 20:00         99 bytes  Lamp  (change 1)",
        "      3  2025-11-19 20:00        103 bytes  Lamp  (change 2)",
        "      4  2025-11-20 20:00         98 bytes  Lamp  (change 3; the same as 1)",
    ]
    facts = [json.loads(line) for line in changes("--versions", URL, "--json").output.splitlines()]
    assert facts[1]["changes"] == [1]
    assert facts[3] == {
        "number": 4, "url": URL, "at": MONDAY + 3 * DAY, "title": "Lamp", "bytes": 98, "changes": [3], "same_as": 1,
    }  # fmt: skip


def test_any_two_versions_are_compared(changes: Changes) -> None:
    assert changes("--compare", "1", "2").output.splitlines() == [
        f"version 1  2025-11-17 20:00  {URL}",
        f"version 2  2025-11-18 20:00  {URL}",
        "    A lamp of [-brass-]{+silver+}",
    ]
    assert changes("--compare", "4", "1").output.endswith("    No word differs.\n")
    facts: dict[str, Any] = json.loads(changes("--compare", "2", "4", "--json").output)
    assert facts["edits"] == [{"before": "silver", "after": "brass"}]
    assert (facts["old"]["number"], facts["new"]["number"]) == (2, 4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--versions", "http://www.example.org/table"], "'http://www.example.org/table'"),
        (["--compare", "1", "77"], "version 77 is not kept"),
        (["--compare", "78", "1"], "version 78 is not kept"),
        (["12"], "there is no change 12"),
        (["--site", "nowhere.example"], "nothing is known of a site 'nowhere.example'"),
    ],
)
def test_unknown_things_are_named(changes: Changes, arguments: list[str], message: str) -> None:
    done = changes(*arguments)
    assert (done.code, done.output) == (1, "")
    assert message in done.errors


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--kind", "words"], "--kind: 'words' is none of new, content"),
        (["--since", "2026-13-45"], "--since: '2026-13-45' is neither a date"),
        (["--since", "nand"], "--since: 'nand' is neither a date"),
        (["--since=-5d"], "--since: '-5d' is neither a date"),
        (["--since", "9999-01-01"], "--since: '9999-01-01' is still to come"),
        (["--site", "a b"], "--site: 'a b' is no host"),
        (["--most", "0"], "--most: 0 cannot be used"),
        (["twelve"], "'twelve' is no number of a change"),
        (["9" * 30], "is no number of a change"),
    ],
)
def test_impossible_arguments_are_named(changes: Changes, arguments: list[str], message: str) -> None:
    done = changes(*arguments)
    assert done.code == 2
    assert message in done.errors


@pytest.mark.parametrize(
    ("arguments", "numbers"),
    [
        ([], [3, 2, 1]),
        (["--site", "example.org"], [3, 2, 1]),
        (["--site", "https://WWW.example.org/any/page"], [3, 2, 1]),
        (["--site", "blog.example.org"], []),
        (["--kind", "content"], [3, 2, 1]),
        (["--kind", "gone"], []),
        (["--since", "2025-11-19"], [3, 2]),
        (["--since", "2025-11-18T20:00"], [3, 2, 1]),
        (["--most", "1"], [3]),
        (["1"], [1]),
    ],
)
def test_changes_are_listed_by_site_kind_and_time(
    changes: Changes, arguments: list[str], numbers: list[int]
) -> None:
    done = changes("--json", *arguments)
    assert [json.loads(line)["number"] for line in done.output.splitlines()] == numbers
    assert done.code == 0


def test_a_change_says_how_to_compare_its_versions_or_that_one_is_not_kept(
    changes: Changes, task: CrawlTask, tmp_path: Path
) -> None:
    assert changes("1").output.endswith("    all that differs: scrapy changes --compare 1 2\n")
    with Store(tmp_path) as state:
        revisit(state, task, "gold</p><p>It is for sale.", 4, HistoryLimits(versions=2))

    done = changes("1")
    assert "[-brass-] {+silver+}" in done.output
    assert done.output.endswith("    version 2 is no longer kept\n")
    assert json.loads(changes("1", "--json").output)["not_kept"] == [2]
    assert "version 2 is no longer kept" in changes("--noise", "1").errors
    assert "version 2 is not kept" in changes("--compare", "1", "2").errors
