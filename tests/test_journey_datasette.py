"""A database behind Datasette, a real application: its records are reached through its search form alone.

Its robots.txt closes all pages to browse: the rows one by one, the next pages of the table, facets, other orders, exports
and queries in SQL. What is open is the way to the table, and its search.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from applications import free_port, running
from crawling import Ran, crawl

from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from pathlib import Path

RECORDS = 1200

ROBOTS = """
User-agent: *
Disallow: /
Allow: /$
Allow: /library$
Allow: /library/books$
Allow: /library/books?*_search=
"""
PLUGIN = f"""
from datasette import hookimpl
from datasette.utils.asgi import Response

@hookimpl
def register_routes():
    return [("^/robots.txt$", lambda: Response.text({ROBOTS!r}))]
"""


def write_database(path: Path) -> None:
    """Write books with a full-text index, as `sqlite-utils enable-fts` would make it."""
    catalogue = Catalogue("books", "en", seed=5, size=RECORDS)
    rows = [
        (record.number, record.title, "; ".join(filter(None, record.values)), record.text)
        for record in map(catalogue.record, range(1, RECORDS + 1))
    ]
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, details TEXT, summary TEXT)"
        )
        database.executemany("INSERT INTO books VALUES (?, ?, ?, ?)", rows)
        database.execute(
            'CREATE VIRTUAL TABLE books_fts USING fts5 (title, details, summary, content="books")'
        )
        database.execute("INSERT INTO books_fts (books_fts) VALUES ('rebuild')")


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A crawl of the whole site."""
    folder = tmp_path_factory.mktemp("datasette")
    write_database(folder / "library.db")
    (folder / "plugins").mkdir()
    (folder / "plugins" / "robots.py").write_text(PLUGIN, encoding="utf-8")
    port = free_port()
    command = [
        "-m", "datasette", "serve", "library.db", "--host", "127.0.0.1", "--port", str(port), "--plugins-dir", "plugins",
        "--setting", "suggest_facets", "off",
    ]  # fmt: skip
    with running(folder, command, port):
        return crawl(
            folder,
            [f"http://127.0.0.1:{port}/"],
            {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{port}", "HIDDENWEB_QUERIES_PER_FORM": 5,
             "HIDDENWEB_PAGES_PER_ANSWER": 20, "HIDDENWEB_INDEX": False},
        )  # fmt: skip


def test_nine_of_ten_records_are_reached_through_the_search_form(ran: Ran) -> None:
    rows = ran.rows("SELECT key FROM records WHERE key GLOB '*/library/books/*'")

    assert ran.code == 0, ran.output
    assert 0.9 * RECORDS <= len(rows) <= RECORDS
    assert ran.rows("SELECT count(*) FROM records")[0][0] == len(rows)


def test_only_the_search_is_asked_and_nothing_is_read_that_robots_txt_closes(ran: Ran) -> None:
    requested = ran.rows("SELECT DISTINCT form FROM submissions")
    read = [url for (url,) in ran.rows("SELECT url FROM pages")]

    assert len(requested) == 1
    assert all(url.endswith(("/", "/library", "/library/books")) or "_search=" in url for url in read)
    assert ran.rows("SELECT count(*) FROM links WHERE state = 4")[0][0] > 20  # and then they are given up


def test_what_the_site_says_it_found_is_read(ran: Ran) -> None:
    totals = ran.rows("SELECT total, new_records + seen_records FROM submissions WHERE total IS NOT NULL")

    assert totals
    assert all(reached <= total for total, reached in totals)
