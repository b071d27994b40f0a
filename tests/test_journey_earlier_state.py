"""A state that an earlier version left behind, in the middle of a harvest and of a plan of revisits, opens and resumes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commanding import run
from crawling import crawl
from guarded_sites import GuardedSite
from library_site import STONES, Library

from hiddenweb.store.database import Store
from hiddenweb.store.migration import last_version
from hiddenweb.store.outbox import open_outbox
from hiddenweb.store.sqlite_file import FILE

if TYPE_CHECKING:
    from crawling import Ran

HOME = "http://library.example/"
LEFT = Path(__file__).parent / "states" / "version-10.sql"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the state that was left behind."""
    state = tmp_path / "state"
    state.mkdir()
    db = sqlite3.connect(state / FILE)
    db.executescript(LEFT.read_text(encoding="utf-8"))
    db.close()
    return tmp_path


def load_ledger(folder: Path) -> dict[tuple[int, str], tuple[str, str, str]]:
    """Return method, state and case of each query, by form and keyword."""
    with Store(folder / "state", write=False) as store:
        rows = store.rows("SELECT form, keyword, method, state, outcome FROM submissions ORDER BY id")
    found = {(int(str(row[0])), str(row[1])): (str(row[2]), str(row[3]), str(row[4])) for row in rows}
    assert len(found) == len(rows)
    return found


def resume(folder: Path, site: GuardedSite, spider: str) -> Ran:
    """Run a spider on the state until it ends, with the arguments it was begun with."""
    settings = {
        "HIDDENWEB_PROXY": site.url,
        "HIDDENWEB_ALLOW_POST": "library.example",
        "HIDDENWEB_QUERIES_PER_FORM": 9,
    }
    if spider == "harvest":
        ran = crawl(folder, [HOME], settings)
    else:
        ran = crawl(folder, [], settings, spider=spider, budget=8)
    assert (ran.code, "Traceback" in ran.output) == (0, False), ran.output
    return ran


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("status", "8 records"),
        ("status --json", '"submittable": 2'),
        ("forms", "querying; 3 queries"),
        ("forms --ledger", "answered, nothing_found"),
        ("forms --why", "because it has one text box"),
        ("changes", "No change is known"),
        ("changes --answers", "No answer was revisited"),
        ("extract", "books"),
        ("extract show books", "978"),
        ("templates", "books"),
        ("topics", "books"),
        (f"explain {HOME}book/1", "It was read on 2024-12-24"),
    ],
)
def test_every_command_reads_a_state_of_the_last_version(
    folder: Path, command: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *arguments = command.split()
    command_class = getattr(import_module(f"hiddenweb.commands.{name}"), f"{name.title()}Command")

    done = run(command_class(), *arguments, state=folder / "state", capsys=capsys)

    assert (done.code, done.errors) == (0, "")
    assert says in done.output


def test_index_can_be_made_from_a_state_of_the_last_version_before_any_other_command(folder: Path) -> None:
    with closing(open_outbox(folder / "state")) as outbox:
        documents = list(outbox.documents())
        queued = outbox.read_after(0, 100)

    assert len(documents) == 14
    assert len(queued) == 24
    assert {document.title for document in documents if document.url == f"{HOME}book/1"} == {
        "The Mountain of Bird 1 - Shop"
    }


def test_harvest_that_an_earlier_version_began_loses_nothing_and_submits_nothing_twice(folder: Path) -> None:
    before = load_ledger(folder)
    with GuardedSite(Library()) as site:
        ran = resume(folder, site, "harvest")
    after = load_ledger(folder)

    answered = {query for query, (_, state, _) in before.items() if state == "answered"}
    posted = [request.sent["w"] for request in site.received if request.method == "POST"]
    stones = [
        request.sent["q"]
        for request in site.received
        if request.path == "/stones" and set(request.sent) == {"q"}
    ]
    assert len(answered) == 10
    assert len(posted) == len(set(posted))
    assert {word for form, word in before if form == 2}.isdisjoint(posted)
    assert {word for form, word in answered if form == 1}.isdisjoint(stones)
    assert {query: after[query] for query in answered} == {query: before[query] for query in answered}
    assert [row for row in after.values() if row[1] != "answered"] == [("POST", "unknown", "")]
    assert {row[0] for row in ran.rows("SELECT url FROM records")} == {
        f"{HOME}{kind}/{number}" for kind in ("stone", "scroll") for number in STONES
    }
    assert ran.rows("SELECT state, queries FROM forms ORDER BY id") == [("queried", 9), ("queried", 9)]
    assert ran.rows("SELECT count(*) FROM links WHERE state IN (0, 1)") == [(0,)]
    assert ran.rows("PRAGMA user_version") == [(last_version(),)]


def test_revisits_that_an_earlier_version_planned_are_made_once_each(folder: Path) -> None:
    library = Library()
    library.price = "1.99"
    with GuardedSite(library) as site:
        ran = resume(folder, site, "revisit")

    assert "Resuming 5 revisits that were planned before" in ran.output
    assert sorted(request.path for request in site.received if request.path != "/robots.txt") == [
        f"/book/{number}" for number in range(1, 6)
    ]
    assert ran.rows("SELECT count(*), max(times) FROM revisits") == [(6, 1)]
    assert ran.rows("SELECT DISTINCT url FROM changes JOIN pages ON pages.id = changes.page") == [
        (f"{HOME}book/3",)
    ]
    assert ran.rows("SELECT name, state FROM extractors WHERE origin = 'person'") == [("books", "learning")]
