"""A wiki behind An Otter Wiki, a real application: its search wants a POST, and a token that belongs to a session.

Without the cookie that came with the token it answers 400. All results stand on one page, each a heading with snippets
below, and a count in it that is not that of the answer. Its robots.txt closes the pages to browse, so that the search is the only way.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
from applications import LOG_OF_REQUESTS, PYTHON, free_port, needs, read_requests, running
from crawling import crawl

from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ARTICLES = 120
ROBOTS = """
User-agent: *
Disallow: /-/
Allow: /-/search$
Disallow: /*/source
Disallow: /*/blame
Disallow: /*/history
Disallow: /*/attachments
Disallow: /sitemap.xml
"""
SERVER = (
    LOG_OF_REQUESTS
    + f"""
import sys
from wsgiref.simple_server import make_server
from otterwiki.server import app
import otterwiki.views

def application(environment, start_response):
    if environment["PATH_INFO"] == "/robots.txt":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [{ROBOTS.encode()!r}]
    return app(environment, start_response)

make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=LoggingHandler).serve_forever()
"""
)

pytestmark = needs(PYTHON)


def make_wiki(folder: Path) -> set[str]:
    """Write articles in Arabic that nobody links to, and the page that a visitor sees first; return the names of the articles."""
    catalogue = Catalogue("books", "ar", seed=31, size=ARTICLES)
    pages = folder / "pages"
    pages.mkdir()
    (pages / "home.md").write_text("# مكتبة\n\nهنا كتب ومؤلفون وروايات.\n", encoding="utf-8")
    names = set()
    for record in map(catalogue.record, range(1, ARTICLES + 1)):
        name = "-".join([*re.findall(r"\w+", record.title), str(record.number)])
        names.add(name)
        facts = "\n".join(f"* {value}" for value in record.values if value)
        text = f"# {record.title}\n\n{record.text}\n\n{facts}\n"
        (pages / f"{name}.md").write_text(text, encoding="utf-8")
    who = ["-c", "user.name=Anna", "-c", "user.email=anna@a.example"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "-m", "books"]):
        subprocess.run(["git", *words], cwd=pages, check=True, stdin=subprocess.DEVNULL)
    return names


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int, set[str]]]:
    """A wiki that runs: its folder, its port and the names of its articles."""
    folder = tmp_path_factory.mktemp("otterwiki")
    names = make_wiki(folder)
    (folder / "serve.py").write_text(SERVER, encoding="utf-8")
    port = free_port()
    environment = {"REPOSITORY": str(folder / "pages"), "SECRET_KEY": "a secret of the tests", "WRITE_ACCESS": "ADMIN",
                   "SIDEBAR_MENUTREE_MODE": "", "SITE_LANG": "ar"}  # fmt: skip
    with running(folder, ["serve.py", str(port)], port, environment=environment, python=PYTHON):
        yield folder, port, names


def test_without_leave_to_post_nothing_is_posted(tmp_path: Path, wiki: tuple[Path, int, set[str]]) -> None:
    folder, port, _ = wiki
    ran = crawl(tmp_path, [f"http://127.0.0.1:{port}/"], {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{port}"})

    assert ran.code == 0, ran.output
    assert not [line for line in read_requests(folder) if not line.startswith("GET ")]
    assert ran.rows("SELECT count(*) FROM records") == [(0,)]


def test_nine_of_ten_articles_are_reached_with_the_token_of_a_session(
    tmp_path: Path, wiki: tuple[Path, int, set[str]]
) -> None:
    folder, port, names = wiki
    ran = crawl(
        tmp_path,
        [f"http://127.0.0.1:{port}/"],
        {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{port}", "HIDDENWEB_ALLOW_POST": "127.0.0.1"},
    )
    found = [unquote(key).rpartition("/")[2] for (key,) in ran.rows("SELECT key FROM records")]
    totals = ran.rows("SELECT total, new_records + seen_records FROM submissions WHERE total IS NOT NULL")
    requested = read_requests(folder)

    assert ran.code == 0, ran.output
    assert set(found) - {"Home", ""} <= names
    assert len(found) == len(set(found))
    assert len(names & set(found)) >= 0.9 * ARTICLES
    assert totals
    assert all(reached <= total <= ARTICLES + 1 for total, reached in totals)
    assert {line for line in requested if line.startswith("POST")} == {"POST /-/search"}
    assert not [line for line in requested if "/-/" in line and "/-/search" not in line]
