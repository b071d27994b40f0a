"""An offline encyclopaedia behind kiwix-serve, a real application: Russian articles, and a search box in a bar on every page.

The form has neither a button nor a label in words. An answer has 25 results a page and a row of numbered pages. No article
leads to another, so that the search is the only way but for a button that shows one by chance.
"""

from __future__ import annotations

import re
import struct
import subprocess
import zlib
from typing import TYPE_CHECKING

import pytest
from applications import DEBIAN, free_port, needs, running_program
from crawling import Ran, crawl

from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from pathlib import Path

ARTICLES = 200
WRITER = DEBIAN / "usr/bin/zimwriterfs"
SERVER = DEBIAN / "usr/bin/kiwix-serve"
LIBRARIES = DEBIAN.glob("usr/lib/*-linux-*")
ENVIRONMENT = {"LD_LIBRARY_PATH": ":".join(map(str, LIBRARIES))}

pytestmark = needs(WRITER, SERVER)


def _grey_square() -> bytes:
    """Return a picture of 48 by 48 points, which every archive must have."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\x80" * 48) * 48)
    head = struct.pack(">IIBBBBB", 48, 48, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _page(title: str, text: str) -> str:
    return f"<!DOCTYPE html><html lang=ru><head><title>{title}</title></head><body><h1>{title}</h1><p>{text}</p></body></html>"


def write_archive(folder: Path) -> None:
    """Write an archive of articles, with a full-text index."""
    pages = folder / "pages"
    pages.mkdir()
    (pages / "picture.png").write_bytes(_grey_square())
    (pages / "index.html").write_text(_page("Библиотека", "Книги и авторы нашего города."), encoding="utf-8")
    catalogue = Catalogue("books", "ru", seed=61, size=ARTICLES)
    for record in map(catalogue.record, range(1, ARTICLES + 1)):
        text = _page(record.title, record.text)
        (pages / f"{record.number}.html").write_text(text, encoding="utf-8")
    subprocess.run(
        [WRITER, "-w", "index.html", "-I", "picture.png", "-l", "rus", "-n", "books", "-t", "Книги", "-d", "Книги",
         "-c", "Anna", "-p", "Anna", "pages", "books.zim"],
        cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A crawl from the first page of the archive."""
    folder = tmp_path_factory.mktemp("kiwix")
    write_archive(folder)
    port = free_port()
    command = [str(SERVER), "--address=127.0.0.1", f"--port={port}", "books.zim"]
    with running_program(folder, command, port, environment=ENVIRONMENT):
        return crawl(
            folder, [f"http://127.0.0.1:{port}/books/"], {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{port}"}
        )


def test_nine_of_ten_articles_are_reached_and_nothing_else_is_a_record(ran: Ran) -> None:
    keys = [key for (key,) in ran.rows("SELECT key FROM records")]
    articles = [key for key in keys if re.search(r"/books/\d+\.html$", key)]
    others = {key.rpartition("/books/")[2] for key in keys} - {
        key.rpartition("/books/")[2] for key in articles
    }

    assert ran.code == 0, ran.output
    assert others <= {"index.html"}  # the first page is an article too
    assert len(keys) == len(set(keys))
    assert 0.9 * ARTICLES <= len(articles) <= ARTICLES


def test_what_the_site_says_it_found_is_read(ran: Ran) -> None:
    totals = ran.rows("SELECT total, new_records + seen_records FROM submissions WHERE total IS NOT NULL")

    assert totals
    assert all(reached <= 1.1 * total <= 1.1 * (ARTICLES + 1) for total, reached in totals)  # it estimates
