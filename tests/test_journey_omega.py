"""Texts behind Xapian Omega, a real application: its pages are turned by buttons of the search form, never by links.

A button counts only with the hidden values of the page that shows it, and every result adds a box to tick to the form.
No page leads to the texts but the search.
"""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from applications import DEBIAN, needs
from cgi_sites import CgiSite
from crawling import Ran, crawl

from simweb.catalogue import Catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXTS = 120
PROGRAM = DEBIAN / "usr/lib/cgi-bin/omega/omega"
INDEXER = DEBIAN / "usr/bin/scriptindex"
TEMPLATES = DEBIAN / "usr/share/xapian-omega/templates"
LIBRARIES = DEBIAN.glob("usr/lib/*-linux-*")

pytestmark = needs(PROGRAM, INDEXER, TEMPLATES)


def make_database(folder: Path, environment: dict[str, str]) -> dict[str, str]:
    """Index texts; return the page of each."""
    catalogue = Catalogue("books", "en", seed=51, size=TEXTS)
    pages, dump = {}, ""
    for record in map(catalogue.record, range(1, TEXTS + 1)):
        address = f"/texts/{record.number}.html"
        pages[address] = (
            f"<!DOCTYPE html><title>{record.title}</title><h1>{record.title}</h1><p>{record.text}</p>"
        )
        dump += f"id={record.number}\nurl={address}\ntitle={record.title}\ntext={record.text}\n\n"
    (folder / "data").mkdir()
    (folder / "dump.txt").write_text(dump, encoding="utf-8")
    (folder / "index.txt").write_text(
        "id : boolean=Q unique=Q\nurl : field\ntitle : field index\ntext : index truncate=250 field=sample\n",
        encoding="utf-8",
    )
    (folder / "omega.conf").write_text(
        f"database_dir {folder}/data\ntemplate_dir {TEMPLATES}\nlog_dir {folder}\ncdb_dir {folder}\n",
        encoding="utf-8",
    )
    subprocess.run(
        [INDEXER, "data/default", "index.txt", "dump.txt"], cwd=folder, env=environment, check=True, capture_output=True
    )  # fmt: skip
    return pages


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[CgiSite, Ran]]:
    """The search, and a crawl of it."""
    folder = tmp_path_factory.mktemp("omega")
    environment = {
        "LD_LIBRARY_PATH": ":".join(map(str, LIBRARIES)),
        "OMEGA_CONFIG_FILE": f"{folder}/omega.conf",
    }
    pages = make_database(folder, environment)
    with CgiSite(PROGRAM, "", environment, pages=pages) as site:
        settings = {"HIDDENWEB_ALLOW_ADDRESSES": f"127.0.0.1:{site.port}"}
        yield site, crawl(folder, [site.url], settings)


def test_nine_of_ten_texts_are_reached_by_turning_pages_with_buttons(texts: tuple[CgiSite, Ran]) -> None:
    site, ran = texts
    keys = [key for (key,) in ran.rows("SELECT key FROM records")]
    numbers = {int(found[1]) for key in keys if (found := re.search(r"/texts/(\d+)\.html$", key))}
    turned = [request for request in site.requests if "%3E=" in request.path or "%5B=" in request.path]

    assert ran.code == 0, ran.output
    assert turned
    assert len(numbers) == len(keys)
    assert len(numbers) >= 0.9 * TEXTS


def test_what_the_site_says_it_found_is_read(texts: tuple[CgiSite, Ran]) -> None:
    _, ran = texts
    totals = ran.rows("SELECT total, new_records + seen_records FROM submissions WHERE total IS NOT NULL")

    assert totals
    assert all(reached <= total <= TEXTS for total, reached in totals)


def test_nothing_is_posted(texts: tuple[CgiSite, Ran]) -> None:
    site, _ = texts

    assert {request.method for request in site.requests} == {"GET"}
