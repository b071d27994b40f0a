"""Other real applications whose pages to browse are closed: an issue tracker that lists titles only, Roundup.

Its first page lists some issues beside the search form, groups them by headings, and says nothing where nothing was found.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from applications import free_port, running
from crawling import Ran, crawl

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = 200

SERVER = """
import sqlite3
import sys
from functools import partial
from wsgiref.simple_server import make_server

import roundup.instance
from roundup.cgi.wsgi_handler import RequestDispatcher
from roundup.date import Date
from simweb.catalogue import Catalogue

ROBOTS = b"User-agent: *\\nDisallow: /issue\\nAllow: /issue?*search_text=\\nDisallow: /msg\\nDisallow: /user\\n"

class Quick(sqlite3.Connection):  # nothing here has to outlast a power cut
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.execute("PRAGMA synchronous = OFF")

sqlite3.connect = partial(sqlite3.connect, factory=Quick)
home, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
database = roundup.instance.open(home).open("admin")
catalogue = Catalogue("books", "en", seed=11, size=count)
for record in map(catalogue.record, range(1, count + 1)):
    message = database.msg.create(content=record.text, author="1", date=Date("2026-01-01"))
    database.issue.create(title=record.title, messages=[message])
database.commit()
database.close()
tracker = RequestDispatcher(home)

def application(environment, start_response):
    if environment["PATH_INFO"] == "/robots.txt":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [ROBOTS]
    return tracker(environment, start_response)

make_server("127.0.0.1", port, application).serve_forever()
"""


def start_tracker(folder: Path, port: int) -> None:
    """Make an empty tracker from the template that comes with Roundup."""
    settings = (
        f"tracker_web=http://127.0.0.1:{port}/,mail_domain=a.example,mail_host=localhost,indexer=native"
    )
    for words in (("install", "classic", "sqlite", settings), ("initialise", "secret")):
        subprocess.run(
            [sys.executable, "-m", "roundup.scripts.roundup_admin", "-i", "tracker", *words],
            cwd=folder, check=True, capture_output=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Ran:
    """A crawl of the whole tracker."""
    folder = tmp_path_factory.mktemp("roundup")
    port = free_port()
    start_tracker(folder, port)
    (folder / "serve.py").write_text(SERVER, encoding="utf-8")
    command = ["serve.py", str(folder / "tracker"), str(port), str(RECORDS)]
    with running(folder, command, port, environment={"PYTHONPATH": str(root)}):
        return crawl(
            folder,
            [f"http://127.0.0.1:{port}/"],
            {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{port}", "HIDDENWEB_QUERIES_PER_FORM": 14, "HIDDENWEB_INDEX": False},
        )  # fmt: skip


def test_nine_of_ten_issues_are_reached_through_the_search_form_and_nothing_else_is_a_record(
    ran: Ran,
) -> None:
    keys = [key for (key,) in ran.rows("SELECT key FROM records")]
    issues = [key for key in keys if key.rpartition("/")[2].removeprefix("issue").isdigit()]

    assert ran.code == 0, ran.output
    assert issues == keys
    assert 0.9 * RECORDS <= len(keys) <= RECORDS


def test_issues_are_called_by_their_titles(ran: Ran) -> None:
    titles = [title for (title,) in ran.rows("SELECT title FROM records")]

    assert not any(title.isdigit() for title in titles)
    assert len(set(titles)) > 0.8 * len(titles)
