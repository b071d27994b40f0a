"""States with records, made without a crawl: for tests of what reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st
from stores import FORM

from hiddenweb.exports.export import export_records
from hiddenweb.exports.formats import USUAL
from hiddenweb.model import HttpQuery, Record, Verdict
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hiddenweb.exports.formats import ExportOptions


Attributes = list[tuple[str, str]]

FOUND = 1_763_409_600.0  # 2025-11-17 20:00

BOOKS: list[tuple[str, Attributes]] = [
    ("The River", [("author", "Jane Smith"), ("author", "John Doe"), ("price", "12.50 €"), ("Year", "1998")]),
    ("Stone", [("Author", "Ann Lee"), ("price", "7,99 €"), ("year", "2004"), ("published", "2004-03-01")]),
    ("Amber", [("author", "Bo Ray"), ("price", "1.234,00 €"), ("year", "2011"), ("published", "1 May 2011")]),
]


def keep_records(
    folder: Path,
    records: Iterable[tuple[str, Attributes]] = BOOKS,
    site: str = "books.example",
    at: float = FOUND,
) -> int:
    """Store records that the form of a site found, as an answer names them; return the number of the form."""
    with Store(folder) as store:
        number = store.sites.want(f"https://{site}/")
        form = store.forms.save(number, FORM, Verdict(True, "search"), at)
        query = HttpQuery((), f"word{at}", "GET", f"https://{site}/find?q={at}")
        submission = store.submissions.plan(form, query, "{}", at)
        assert submission is not None
        store.submissions.mark_answered(submission, "all", "", at)
        store.records.save(
            number,
            [record_of(site, title, attributes) for title, attributes in records],
            submission=submission,
            page=None,
            at=at,
        )
        return form


def record_of(site: str, title: str, attributes: Attributes) -> Record:
    url = f"https://{site}/{'-'.join(title.lower().split())}"
    return Record(url, title, title, url, attributes=tuple(attributes))


def export_of(folder: Path, name: str, *args: object, options: ExportOptions = USUAL, **more: object) -> Path:
    """Export the records of a state, which is made if there is none, into a file with a name."""
    if not (folder / "data").exists():
        keep_records(folder / "data", *args, **more)  # type: ignore[arg-type]
    export_records(folder / "data", folder / name, options=options)
    return folder / name


# For property tests: what pages may say, and what programs may take amiss.

HOSTILE = [
    "=1+1", "+49 30 1234", "-12.5", "@home", "\tx", "a\nb", "a\r\nb", "\x00", "bell\x07", "\ufffe", "'quoted'", '"', "; ", "NULL", "null",
    "true", "1e5", "007", "12", "12.5", "1.234", "2024-03-01", "1850-01-01", "5 €", "€ 7.50", "石", "_x0041_", "<a&b>", "x" * 33_000, "😀" * 20_000,
]  # fmt: skip
NAMES = ["author", "Author", "AUTHOR:", "select", "from", 'a"b', "rowid", "rank", "url", "Found at", "id", "title", "作者", "=x", "price", "a b", "a_b", "", " ", "a\nb", "?"]  # fmt: skip
values = st.sampled_from(HOSTILE) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20
).filter(str.strip)
attributes = st.lists(st.tuples(st.sampled_from(NAMES), values), max_size=8)
states = st.lists(attributes, min_size=1, max_size=6).map(
    lambda every: [(f"record {number}", each) for number, each in enumerate(every)]
)
