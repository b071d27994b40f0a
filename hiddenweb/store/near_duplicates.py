"""Finding, among millions of pages, possible near duplicates.

Every page has sixteen bands (`hiddenweb.near_duplicates.sketch`); pages that share one are worth comparing. A row has the page and a key of 64 bits: the site and the band, so that
rows of one site lie close together. Nothing is held in memory but the page cache of SQLite.

A template puts its own bands into every page. Such a band is useless: once a lookup has found `MOST_IN_BAND` pages in one, no more are
written to it. A page is looked up before it is added, so no band grows much longer, and no lookup reads more. Pages of a template differ
in their other bands. So the pages that were found are ranked: a band counts the more the fewer pages share it.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass
from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING

from hiddenweb.near_duplicates.sketch import BANDS, bands, estimate_similarity, pack_sketch, unpack_sketch

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

MOST_IN_BAND = 16
"""Pages that a band has at most; with more it is the template's. A limit of taste."""

MOST_COMPARED = 12
"""Pages that are compared, those that share the rarest bands first."""


@dataclass(frozen=True, slots=True)
class NearPageCandidate:
    """A page that may be a near duplicate."""

    page: int
    title: str
    structure: int


class NearDuplicateIndex:
    """The sketches and bands of a state."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._full: set[int] = set()  # bands that were lately seen to be a template's

    def add(self, site: int, page: int, sketch: Sequence[int]) -> None:
        """Add a page by its sketch."""
        self._db.execute("INSERT OR REPLACE INTO sketches VALUES (?, ?)", (page, pack_sketch(sketch)))
        keys = [(key, page) for key in band_keys(site, sketch) if key not in self._full]
        self._db.executemany("INSERT OR IGNORE INTO bands VALUES (?, ?)", keys)

    def forget(self, site: int, page: int) -> None:
        """Remove the earlier sketch of a page."""
        row = self._db.execute("SELECT sketch FROM sketches WHERE page = ?", (page,)).fetchone()
        if row:
            keys = [(key, page) for key in band_keys(site, unpack_sketch(row[0]))]
            self._db.executemany("DELETE FROM bands WHERE band = ? AND page = ?", keys)
            self._db.execute("DELETE FROM sketches WHERE page = ?", (page,))

    def find_candidates(self, site: int, link: int, sketch: Sequence[int]) -> list[NearPageCandidate]:
        """Return pages of a site at other addresses that share bands with a sketch, the likeliest first."""
        likeliest = self._find_by_bands(site, sketch)
        if not likeliest:
            return []
        marks = ",".join("?" * len(likeliest))
        rows = self._db.execute(
            f"SELECT id, title, structure FROM pages WHERE id IN ({marks}) AND site = ? AND link <> ?"
            " AND duplicate_of IS NULL",
            (*likeliest, site, link),
        ).fetchall()
        found = {row[0]: NearPageCandidate(*row) for row in rows}
        return [found[page] for page in likeliest if page in found]

    def estimate_similarity(self, page: int, sketch: Sequence[int]) -> float:
        """Return how similar the sketch of a page is to another."""
        row = self._db.execute("SELECT sketch FROM sketches WHERE page = ?", (page,)).fetchone()
        return estimate_similarity(sketch, unpack_sketch(row[0])) if row else 0.0

    def _find_by_bands(self, site: int, sketch: Sequence[int]) -> list[int]:
        keys = band_keys(site, sketch)
        marks = ",".join("?" * len(keys))
        rows = self._db.execute(
            f"SELECT band, page FROM bands WHERE band IN ({marks}) LIMIT {_MAX_ROWS}", keys
        ).fetchall()
        if not rows:
            return []
        sizes = Counter(map(itemgetter(0), rows))
        self._note_full(sizes)
        weights: dict[int, float] = defaultdict(float)
        for band, page in rows:
            weights[page] += 1 / sizes[band]
        return nlargest(MOST_COMPARED, weights, weights.__getitem__)

    def _note_full(self, sizes: Mapping[int, int]) -> None:
        if len(self._full) > _MAX_FULL:
            self._full.clear()
        self._full.update(band for band, pages in sizes.items() if pages >= MOST_IN_BAND)


def band_keys(site: int, sketch: Sequence[int]) -> list[int]:
    """Return the keys under which a page is found."""
    front = (site & 0x7FFFFF) << 40
    return [front | band for band in bands(sketch)]


def band_keys_as_json(site: int, sketch: bytes) -> str:
    """Return the keys of a packed sketch as SQL can read them."""
    return json.dumps(band_keys(site, unpack_sketch(sketch)))


_MAX_ROWS = 4 * MOST_IN_BAND * BANDS  # rows of bands that are held in memory; a limit of taste
_MAX_FULL = 20_000  # full bands that are remembered; a limit of taste
