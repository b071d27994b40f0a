"""Pages that were read: the newest state of each, and which of them are duplicates."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from hiddenweb.near_duplicates.compare import compare_texts
from hiddenweb.near_duplicates.sketch import NEAR, NEAR_IF_SHORT, SHORT
from hiddenweb.revisit.history import ALL
from hiddenweb.store.near_duplicates import NearDuplicateIndex
from hiddenweb.store.versions import PageSource, unpack_content
from hiddenweb.urls import url_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiddenweb.model import Fetched, Page
    from hiddenweb.revisit.history import HistoryLimits
    from hiddenweb.store.near_duplicates import NearPageCandidate
    from hiddenweb.store.sqlite_file import SqliteFile
    from hiddenweb.store.versions import VersionStore

COMPARED = 4
"""Texts that a new one is compared with at most. A limit of taste."""

SIBLINGS = 2
"""Pages with other titles that show the template of two pages with the same title. A limit of taste."""

_UPDATE_PAGE = (
    "UPDATE pages SET url = ?, status = ?, last_seen = ?, title = ?, language = ?, structure = ?, fingerprint = ?,"
    " duplicate_of = ?, duplicate_why = ?, etag = ?, last_modified = ?, marks = ? WHERE id = ?"
)

_INSERT_PAGE = (
    "INSERT INTO pages (link, site, kind, first_seen, url, status, last_seen, title, language, structure,"
    " fingerprint, duplicate_of, duplicate_why, etag, last_modified, marks)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

_SELECT_SOURCE = (
    "SELECT contents.content, content_type FROM versions JOIN contents ON contents.id = versions.content"
)


@dataclass(frozen=True, slots=True)
class DuplicatePage:
    """The original of a duplicate page."""

    page: int  # the original
    exact: bool
    why: str


class PageStore:
    """The pages of a store."""

    def __init__(self, file: SqliteFile, versions: VersionStore) -> None:
        self._file = file
        self._db = file.db
        self._versions = versions
        self._near = NearDuplicateIndex(file.db)

    def find_duplicate(self, site: int, link: int, page: Page) -> DuplicatePage | None:
        """Return the page of the site that an exact or near duplicate repeats, with the reason."""
        exact = self._db.execute(
            "SELECT id FROM pages WHERE fingerprint = ? AND site = ? AND link <> ? AND duplicate_of IS NULL"
            " AND kind IN ('page', 'record')",
            (page.fingerprint, site, link),
        ).fetchone()
        if exact:
            return DuplicatePage(int(exact[0]), True, "they say exactly the same")
        return self._find_near_duplicate(site, link, page) if page.sketch else None

    def _find_near_duplicate(self, site: int, link: int, page: Page) -> DuplicatePage | None:
        candidates = self._near.find_candidates(site, link, page.sketch)
        if not candidates:
            return None
        title = page.title.split()
        same_title = [other for other in candidates if other.title.split() == title]
        least = NEAR_IF_SHORT if len(page.text) < SHORT else NEAR
        alike = (
            other for other in same_title if self._near.estimate_similarity(other.page, page.sketch) >= least
        )
        for other in islice(alike, COMPARED):
            siblings = _siblings(candidates, other, page.structure) if len(same_title) == 1 else []
            elsewhere = map(self._versions.load_text, siblings)  # read only if needed
            comparison = compare_texts(page.text, self._versions.load_text(other.page), elsewhere=elsewhere)
            if comparison.same:
                return DuplicatePage(other.page, False, comparison.why)
        return None

    def save(
        self, fetched: Fetched, page: Page, limits: HistoryLimits = ALL, *, is_changed: bool = False
    ) -> int:
        """Store a page, with as many earlier versions as the limits allow; return its number.

        A new version is stored if its title or text differs from the last, or if it `is_changed` for another reason.
        """
        number, earlier = self._save_row(fetched, page)
        if fetched.duplicate_of is None and (is_changed or earlier != (page.fingerprint, page.title)):
            self._versions.add(number, fetched, page, limits, is_first=earlier is None)
            if fetched.task.kind in ("page", "record"):
                if earlier is not None:
                    self._near.forget(fetched.task.site, number)
                if page.sketch:
                    self._near.add(fetched.task.site, number, page.sketch)
        return number

    def _save_row(self, fetched: Fetched, page: Page) -> tuple[int, tuple[int, str] | None]:
        """Write the row of a page; return its number, and the fingerprint and the title that it had."""
        task, db = fetched.task, self._file.begin()
        values = (
            fetched.url, fetched.status, fetched.at, page.title, page.language, page.structure, page.fingerprint,
            fetched.duplicate_of, fetched.duplicate_why, fetched.etag, fetched.last_modified, " ".join(page.marks),
        )  # fmt: skip
        earlier = db.execute(
            "SELECT id, fingerprint, title FROM pages WHERE link = ?", (task.link,)
        ).fetchone()
        if earlier:
            db.execute(_UPDATE_PAGE, (*values, earlier[0]))
            return int(earlier[0]), (int(earlier[1]), str(earlier[2]))
        row = db.execute(_INSERT_PAGE, (task.link, task.site, task.kind, fetched.at, *values))
        return int(row.lastrowid or 0), None

    def load_source(self, url: str) -> PageSource | None:
        """Return the newest stored source of an address."""
        found = self._db.execute(
            f"{_SELECT_SOURCE} JOIN pages ON pages.id = versions.page"
            " JOIN links ON links.id = pages.link WHERE links.hash = ? ORDER BY versions.id DESC LIMIT 1",
            (url_hash(url),),
        ).fetchone()
        return PageSource(unpack_content(found[0])[1], found[1]) if found else None

    def load_answer_source(self, submission: int) -> PageSource | None:
        """Return the newest stored source of the first page of an answer."""
        found = self._db.execute(
            f"{_SELECT_SOURCE} JOIN pages ON pages.id = versions.page"
            " JOIN links ON links.id = pages.link WHERE links.submission = ? AND links.kind = 'answer'"
            " ORDER BY versions.id DESC LIMIT 1",
            (submission,),
        ).fetchone()
        return PageSource(unpack_content(found[0])[1], found[1]) if found else None


def _siblings(candidates: Iterable[NearPageCandidate], other: NearPageCandidate, structure: int) -> list[int]:
    """Return pages of the same template as two with the same title, with other titles: so titles distinguish pages there."""
    structures = {structure, other.structure} - {0}
    return [each.page for each in candidates if each.title != other.title and each.structure in structures][
        :SIBLINGS
    ]
