"""The check-ins of a repository behind Fossil, a real application: an answer is cut at one hundred, and nothing says so.

Results are items of a list that are called by a hash and a date; their text is the comment. Other pages lead to the
check-ins by scripts, or not at all for visitors that are no people.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from applications import DEBIAN, needs
from cgi_sites import CgiSite
from crawling import Ran, crawl

from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHECKINS = 400
CAP = 100  # of Fossil
PROGRAM = DEBIAN / "usr/bin/fossil"
LIBRARIES = [*DEBIAN.glob("lib/*-linux-*"), *DEBIAN.glob("usr/lib/*-linux-*")]

pytestmark = needs(PROGRAM)


def _fossil(folder: Path, *words: str, given: bytes = b"") -> bytes:
    return subprocess.run(
        [PROGRAM, *words], cwd=folder, env=_environment(folder), input=given, capture_output=True, check=True
    ).stdout


def _environment(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder), "USER": "anna", "LD_LIBRARY_PATH": ":".join(map(str, LIBRARIES))}


def make_repository(folder: Path) -> tuple[Path, set[str]]:
    """Make a repository with a search of check-ins; return its CGI program and the beginnings of the hashes."""
    catalogue = Catalogue("books", "en", seed=7, size=CHECKINS)
    stream = b""
    for record in map(catalogue.record, range(1, CHECKINS + 1)):
        comment = f"{record.title}\n\n{record.text}".encode()
        content = str(record.number).encode()
        stream += b"commit refs/heads/trunk\nmark :%d\ncommitter anna <anna@a.example> %d +0000\n" % (
            record.number, 1_700_000_000 + 3600 * record.number,
        )  # fmt: skip
        stream += b"data %d\n%s\nM 100644 inline book.txt\ndata %d\n%s\n" % (
            len(comment), comment, len(content), content,
        )  # fmt: skip
    _fossil(folder, "import", "--git", "books.fossil", given=stream)
    _fossil(folder, "fts-config", "-R", "books.fossil", "enable", "c")
    _fossil(folder, "fts-config", "-R", "books.fossil", "index", "on")
    rows = _fossil(folder, "sql", "-R", "books.fossil", "SELECT uuid FROM event JOIN blob ON rid = objid")
    program = folder / "books"
    program.write_text(f"#!{PROGRAM}\nrepository: {folder}/books.fossil\n", encoding="utf-8")
    program.chmod(0o755)
    return program, {row.strip("'")[:16] for row in rows.decode().split()}


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[CgiSite, set[str], Ran]]:
    """The repository, the hashes of its check-ins, and a crawl from its search."""
    folder = tmp_path_factory.mktemp("fossil")
    program, hashes = make_repository(folder)
    robots = "User-agent: *\nDisallow: /\nAllow: /books/search\nAllow: /books/index\nAllow: /books$\n"
    with CgiSite(program, robots, _environment(folder)) as site:
        settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        yield site, hashes, crawl(folder, [f"{site.url}/search"], settings)


def _hash(key: str) -> str:
    found = re.search(r"[0-9a-f]{16}", key)
    return found[0] if found else key


def test_nine_of_ten_checkins_are_reached_though_no_answer_shows_more_than_a_hundred(
    repository: tuple[CgiSite, set[str], Ran],
) -> None:
    _, hashes, ran = repository
    found = Counter(_hash(key) for (key,) in ran.rows("SELECT key FROM records"))
    answers = ran.rows("SELECT new_records + seen_records FROM submissions WHERE new_records IS NOT NULL")

    assert ran.code == 0, ran.output
    assert max(shown for (shown,) in answers) <= CAP
    assert set(found) <= hashes
    assert found.total() == len(found)
    assert len(found) >= 0.9 * CHECKINS


def test_nothing_is_posted_and_nothing_is_read_that_robots_txt_closes(
    repository: tuple[CgiSite, set[str], Ran],
) -> None:
    site, _, _ = repository
    allowed = ("/robots.txt", "/books", "/books/index", "/books/search")

    assert {request.method for request in site.requests} == {"GET"}
    assert {request.path.partition("?")[0] for request in site.requests} <= set(allowed)
