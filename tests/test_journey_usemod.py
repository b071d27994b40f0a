"""A wiki behind UseModWiki, a real application: a search by POST, in Russian and KOI8-R, that lists page names and no more.

Its form stands in the foot of every page, among links that edit and without a button. The answer is one line for each
page, with breaks between, whose addresses are `wiki.pl?NAME`. No page leads to the articles but the search.
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

import pytest
from applications import DEBIAN, needs
from cgi_sites import CgiSite
from crawling import Ran, crawl

from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ARTICLES = 120
SCRIPT = DEBIAN / "usr/lib/cgi-bin/wiki.pl"
SETTINGS = DEBIAN / "etc/usemod-wiki/config"
LIBRARIES = [DEBIAN / "usr/share/perl5", *DEBIAN.glob("usr/lib/*/perl5/*")]
SEPARATOR = b"\x1e\xff\xfe\x1e"

pytestmark = needs(SCRIPT, SETTINGS)


def serve(program: Path, robots: str = "") -> CgiSite:
    """Return a site of the wiki, which finds the libraries that it needs."""
    return CgiSite(program, robots, {"PERL5LIB": ":".join(map(str, LIBRARIES))})


def _joined(level: int, **values: str | bytes) -> bytes:
    """Write a table as UseModWiki keeps it."""
    parts = [
        part if isinstance(part, bytes) else part.encode("koi8-r", "replace")
        for pair in values.items()
        for part in pair
    ]
    return (SEPARATOR + str(level).encode()).join(parts)


def write_page(folder: Path, name: str, text: str) -> None:
    """Write one page of the wiki."""
    data = _joined(3, text=text, minor="0", newauthor="1", summary="")
    section = _joined(2, name="text_default", version="1", ip="127.0.0.1", host="localhost", username="", id="111",
                      ts="1700000000", tscreate="1700000000", revision="1", data=data)  # fmt: skip
    page = _joined(1, version="3", revision="1", ts="1700000000", tscreate="1700000000", text_default=section)
    place = folder / "data" / "page" / (name[0].upper() if name[0].isascii() else "other")
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{name}.db".encode("koi8-r").decode("utf-8", "surrogateescape")).write_bytes(page)


def make_wiki(folder: Path) -> tuple[Path, set[str]]:
    """Make a wiki of articles that nobody links to; return its program and the names of the articles."""
    catalogue = Catalogue("books", "ru", seed=21, size=ARTICLES)
    names = {"HomePage"}
    write_page(folder, "HomePage", "Библиотека нашего города. Здесь описаны книги, авторы и издательства.")
    for record in map(catalogue.record, range(1, ARTICLES + 1)):
        title = "".join(re.findall(r"[а-яё ]", record.title.lower())).strip()
        name = re.sub(r" +", "_", f"{title} {record.number}").capitalize()
        write_page(folder, name, f"{'; '.join(filter(None, record.values))}\n\n{record.text}")
        names.add(name)
    script = SCRIPT.read_bytes().replace(b'"/etc/usemod-wiki/config"', f'"{folder}/config"'.encode())
    script = re.sub(rb"\A#!(\S+) -wT\n", rb"#!\1 -w\n", script)  # with -T Perl does not look into PERL5LIB
    settings = SETTINGS.read_text(encoding="latin-1")
    settings = settings.replace('"/var/lib/usemod-wiki"', f'"{folder}/data"').replace('"utf-8"', '"koi8-r"')
    (folder / "config").write_text(settings, encoding="latin-1")
    (folder / SCRIPT.name).write_bytes(script)
    shutil.copymode(SCRIPT, folder / SCRIPT.name)
    return folder / SCRIPT.name, names - {"HomePage"}


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[CgiSite, set[str], Ran]]:
    """The wiki, the names of its articles, and a crawl that may send searches by POST."""
    folder = tmp_path_factory.mktemp("usemod")
    program, names = make_wiki(folder)
    with serve(program, "User-agent: *\nDisallow: /*action=\nDisallow: /*back=\n") as site:
        settings = {
            "HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}",
            "HIDDENWEB_ALLOW_POST": "127.0.0.1",
        }
        yield site, names, crawl(folder, [site.url], settings)


def _name(key: str) -> str:
    return unquote_to_bytes(key.partition("?")[2]).decode("koi8-r")


def test_nine_of_ten_articles_are_reached_and_nothing_else_is_a_record(
    wiki: tuple[CgiSite, set[str], Ran],
) -> None:
    _, names, ran = wiki
    found = [_name(key) for (key,) in ran.rows("SELECT key FROM records")]

    assert ran.code == 0, ran.output
    assert len(found) == len(set(found))
    assert set(found) - names <= {"HomePage"}
    assert len(set(found) & names) >= 0.9 * ARTICLES


def test_articles_are_called_by_their_titles(wiki: tuple[CgiSite, set[str], Ran]) -> None:
    _, names, ran = wiki
    titles = {title for (title,) in ran.rows("SELECT title FROM records")}

    assert titles - {name.replace("_", " ") for name in names} <= {"HomePage"}


def test_nothing_is_sent_but_searches_and_nothing_is_read_that_robots_txt_closes(
    wiki: tuple[CgiSite, set[str], Ran],
) -> None:
    site, _, ran = wiki
    posts = [request for request in site.requests if request.method == "POST"]

    assert not any("action=" in request.path or "back=" in request.path for request in site.requests)
    assert 0 < len(posts) <= ran.rows("SELECT count(*) FROM submissions")[0][0]


def test_without_leave_to_post_nothing_is_posted(tmp_path: Path) -> None:
    program, _ = make_wiki(tmp_path)
    with serve(program) as site:
        ran = crawl(tmp_path, [site.url], {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"})

    assert ran.code == 0, ran.output
    assert not [request for request in site.requests if request.method == "POST"]
    assert not any(path.is_relative_to(tmp_path / "data" / "keep") for path in tmp_path.rglob("*"))
