"""Extractors in the state: the pages they extract from, what they extracted, and the events of their templates.

An extractor is written whenever it has learnt something, the last pages of its watch with the next commit. After a kill a few of these may be missing, which
delays an alarm by as many pages.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.extraction.examples import example_from_json, example_to_json
from hiddenweb.extraction.extractor import Extractor, UnreadableExtractor
from hiddenweb.extraction.extractor_store import (
    LEARNING,
    MOST_OTHER_PAGES,
    PERSON,
    WAITING,
    WATCHED,
    Extracted,
    RecordPage,
    StoredExtractor,
    TemplateEvent,
)
from hiddenweb.html.document import read_layout
from hiddenweb.store.versions import newest_content, unpack_content
from hiddenweb.urls import UrlPatterns, registered_domain, text_hash, url_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hiddenweb.extraction.examples import Example
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.store.database import Store

    Attributes = Mapping[str, Sequence[str]]


_MAX_CANDIDATES = 5_000  # pages of a site that an extractor may be for; a limit of taste
_PAGES_AT_ONCE = 50  # pages whose contents are in memory; a limit of taste
_COLUMNS = "id, name, domain, origin, form, state, why, added, example, extractor, pages FROM extractors"
_LAYOUTS = f"SELECT pages.id, pages.url, {newest_content('pages.id')} AS content, ("
_CONTENT_TYPE = (
    "SELECT content_type FROM versions WHERE versions.page = pages.id ORDER BY versions.id DESC LIMIT 1"
)


class ExtractorStore:
    """The extractors of a state. `on_parse` is called for each stored page that is read again."""

    def __init__(self, store: Store, on_parse: Callable[[], object] | None = None) -> None:
        self._store = store
        self._on_parse = on_parse

    # Extractors

    def all(self, *, domain: str = "", name: str = "", form: int | None = None) -> list[StoredExtractor]:
        """Return all extractors, those of a site, of a form, or the one with a name; the oldest first."""
        rows = self._store.rows(
            f"SELECT {_COLUMNS} WHERE (:domain = '' OR domain = :domain) AND (:name = '' OR name = :name)"
            " AND (:form IS NULL OR form = :form) ORDER BY id",
            {"domain": domain, "name": name, "form": form},
        )
        return [_read_extractor(row) for row in rows]

    def get(self, number: int) -> StoredExtractor | None:
        """Return an extractor by its number."""
        rows = self._store.rows(f"SELECT {_COLUMNS} WHERE id = ?", (number,))
        return _read_extractor(rows[0]) if rows else None

    def add(
        self,
        example: Example,
        extractor: Extractor | None,
        at: float,
        *,
        origin: str = PERSON,
        form: int | None = None,
        why: str = "",
    ) -> int:
        """Store an extractor under the name of its example; one of the same name is replaced, with all that it extracted. Return its number."""
        domain = registered_domain(example.page or f"http://{example.site}/")
        state = WAITING if extractor is None else WATCHED if extractor.is_watched else LEARNING
        self.remove(example.name)
        ((number,),) = self._store.write_returning(
            "INSERT INTO extractors (name, domain, origin, form, state, why, added, example, extractor)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
            (
                example.name, domain, origin, form, state, why, at, json.dumps(example_to_json(example), ensure_ascii=False),
                extractor.to_json() if extractor is not None else "",
            ),
        )  # fmt: skip
        return cast("int", number)

    def remove(self, name: str) -> bool:
        """Forget an extractor, and all that it extracted; False if there is none."""
        for (number,) in self._store.rows("SELECT id FROM extractors WHERE name = ?", (name,)):
            self._store.write("DELETE FROM extractions WHERE extractor = ?", (number,))
            self._store.write("DELETE FROM template_events WHERE extractor = ?", (number,))
            self._store.write("DELETE FROM extractors WHERE id = ?", (number,))
            return True
        return False

    def save_learnt(self, number: int, extractor: Extractor, why: str = "") -> None:
        """Store what an extractor learnt, with an empty memory of the last pages."""
        state = WATCHED if extractor.is_watched else LEARNING
        self._store.write(
            "UPDATE extractors SET extractor = ?, state = ?, why = ?, pages = '' WHERE id = ?",
            (extractor.to_json(), state, why, number),
        )

    def save_watch(self, number: int, extractor: Extractor, last: Iterable[tuple[int, bool]]) -> None:
        """Store what the watch of an extractor remembers of the last pages."""
        remembered = {
            "pages": [[page, int(deviates)] for page, deviates in last],
            "last": extractor.watch.last_to_json(),
        }
        self._store.write(
            "UPDATE extractors SET pages = ? WHERE id = ?",
            (json.dumps(remembered, ensure_ascii=False), number),
        )

    def set_state(self, number: int, state: str, why: str = "") -> None:
        """Set the state of an extractor, and why."""
        self._store.write("UPDATE extractors SET state = ?, why = ? WHERE id = ?", (state, why, number))

    # Pages

    def layout(self, page: int) -> PageLayout | None:
        """Return the layout of the newest version of a page, read again."""
        return next((layout for _, _, layout in self.layouts([page])), None)

    def layouts(self, pages: Iterable[int]) -> Iterator[tuple[int, str, PageLayout]]:
        """Yield numbers, addresses and layouts of pages, read again; those without a version are skipped."""
        for batch in split_into_batches(pages, _PAGES_AT_ONCE):
            yield from self._read(
                f"{_LAYOUTS}{_CONTENT_TYPE}) FROM json_each(?) JOIN pages ON pages.id = json_each.value",
                json.dumps(batch),
            )

    def layout_at(self, url: str) -> tuple[int, PageLayout] | None:
        """Return the number and the layout of the page at an address."""
        rows = self._read(
            f"{_LAYOUTS}{_CONTENT_TYPE}) FROM links JOIN pages ON pages.link = links.id WHERE links.hash = ?",
            url_hash(url),
        )
        return next(((number, layout) for number, _, layout in rows), None)

    def other_pages(self, url: str, limit: int = MOST_OTHER_PAGES) -> list[tuple[str, PageLayout]]:
        """Return pages of the site of an address with their layouts; those at similar addresses first, then those with as many parts, the newest first."""
        patterns, parts = UrlPatterns.from_urls([url]), _parts(url)
        rows = cast(
            "list[tuple[int, str]]",
            self._store.rows(
                "SELECT pages.id, pages.url FROM pages JOIN sites ON sites.id = pages.site"
                " WHERE sites.domain = ? AND duplicate_of IS NULL AND pages.url <> ? ORDER BY pages.id DESC LIMIT ?",
                (registered_domain(url), url, _MAX_CANDIDATES),
            ),
        )
        ranked = sorted(rows, key=lambda row: (not patterns.has(row[1]), _parts(row[1]) != parts))
        return [
            (address, layout) for _, address, layout in self.layouts(number for number, _ in ranked[:limit])
        ]

    def pages_at(self, domain: str, addresses: UrlPatterns) -> list[int]:
        """Return the pages of a site that are at some addresses."""
        rows = self._store.rows(
            "SELECT pages.id, pages.url FROM pages JOIN sites ON sites.id = pages.site"
            " WHERE sites.domain = ? AND duplicate_of IS NULL ORDER BY pages.id",
            (domain,),
        )
        return [cast("int", number) for number, url in rows if addresses.has(str(url))]

    def page_of(self, link: int) -> int | None:
        """Return the number of the page that was read at a link."""
        rows = self._store.rows("SELECT id FROM pages WHERE link = ?", (link,))
        return cast("int", rows[0][0]) if rows else None

    def pages_of_answers(self, form: int, limit: int) -> list[tuple[str, PageLayout]]:
        """Return the newest pages of the answers of a form with their addresses and layouts."""
        rows = self._read(
            f"{_LAYOUTS}{_CONTENT_TYPE}) FROM submissions JOIN links ON links.submission = submissions.id"
            " JOIN pages ON pages.link = links.id WHERE submissions.form = ? AND pages.kind IN ('answer', 'paging')"
            " ORDER BY pages.id DESC LIMIT ?",
            form, limit,
        )  # fmt: skip
        return [(url, layout) for _, url, layout in rows]

    def pages_of_records(self, form: int, limit: int) -> list[RecordPage]:
        """Return the newest own pages of the records of a form."""
        rows = self._store.rows(
            "SELECT pages.id, records.id FROM submissions JOIN records ON records.submission = submissions.id"
            " JOIN pages ON pages.link = records.link WHERE submissions.form = ? AND duplicate_of IS NULL"
            " ORDER BY pages.id DESC LIMIT ?",
            (form, limit),
        )
        records = {cast("int", page): cast("int", record) for page, record in rows}
        return [
            RecordPage(url, *self._store.record_attributes.load_stated(records[page]), layout)
            for page, url, layout in self.layouts(records)
        ]

    def _read(self, sql: str, *values: object) -> Iterator[tuple[int, str, PageLayout]]:
        for number, url, content, content_type in cast(
            "list[tuple[int, str, bytes | None, str]]", self._store.rows(sql, values)
        ):
            if content is not None:
                body = unpack_content(content)[1]
                yield number, url, read_layout(body, content_type=content_type or "", on_parse=self._on_parse)

    def earlier_layouts(self, url: str, most: int) -> Iterator[PageLayout]:
        """Yield the layouts of the last versions of a page, the newest first."""
        for version in reversed(self._store.versions.load_all(url)[-most:]):
            source = self._store.versions.load_source(version.number)
            if source is not None:
                yield read_layout(source.body, content_type=source.content_type, on_parse=self._on_parse)

    # Extracted values

    def save_entries(
        self,
        extractor: int,
        page: int,
        entries: Sequence[tuple[int, int | None, Attributes]],
        at: float,
        *,
        deviates: bool,
    ) -> bool:
        """Store what was extracted from a page, as places, records and attributes; return whether it differs from before.

        If the page deviates from its template, the values from before the change of the template stay too.
        """
        earlier = self._store.rows(
            "SELECT place, record, attributes FROM extractions WHERE extractor = ? AND page = ? AND at ="
            " (SELECT max(at) FROM extractions WHERE extractor = ?1 AND page = ?2) ORDER BY place",
            (extractor, page),
        )
        new = [(place, record, _attributes_to_json(attributes)) for place, record, attributes in entries]
        if deviates:
            self._store.write(
                "DELETE FROM extractions WHERE extractor = ? AND page = ? AND deviates", (extractor, page)
            )
        else:
            self._store.write("DELETE FROM extractions WHERE extractor = ? AND page = ?", (extractor, page))
        self._store.write_many(
            "INSERT INTO extractions (extractor, page, place, at, deviates, record, attributes) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(extractor, page, place, at, deviates, record, attributes) for place, record, attributes in new],
        )
        return earlier != new

    def attributes_on(self, extractor: int, page: int) -> list[Attributes]:
        """Return what was extracted from a page while its template was known, entry by entry."""
        rows = self._store.rows(
            "SELECT attributes FROM extractions WHERE extractor = ? AND page = ? AND NOT deviates ORDER BY place",
            (extractor, page),
        )
        return [json.loads(str(attributes)) for (attributes,) in rows]

    def load_extracted(
        self, *, extractor: int | None = None, page: int | None = None, limit: int = -1
    ) -> Iterator[Extracted]:
        """Yield the extracted values, page by page; of each page the newest only."""
        rows = self._store.rows(
            "SELECT extractions.id, extractor, page, pages.url, place, at, deviates, record, attributes FROM extractions"
            " JOIN pages ON pages.id = extractions.page WHERE (:extractor IS NULL OR extractor = :extractor) AND (:page IS NULL OR page = :page)"
            " AND NOT EXISTS (SELECT 1 FROM extractions newer WHERE newer.page = extractions.page AND newer.extractor = extractions.extractor"
            " AND newer.at > extractions.at) ORDER BY extractor, page, place LIMIT :limit",
            {"extractor": extractor, "page": page, "limit": limit},
        )
        for row in cast("list[tuple[Any, ...]]", rows):
            number, of, on, url, place, at, deviates, about, attributes = row
            yield Extracted(number, of, on, url, place, at, bool(deviates), about, json.loads(attributes))

    def counts(self) -> dict[int, tuple[int, int]]:
        """Return how many pages and entries there are of each extractor."""
        rows = self._store.rows(
            "SELECT extractor, count(DISTINCT page), count(*) FROM extractions WHERE NOT EXISTS (SELECT 1 FROM extractions newer"
            " WHERE newer.page = extractions.page AND newer.extractor = extractions.extractor AND newer.at > extractions.at) GROUP BY extractor"
        )
        return {
            cast("int", extractor): (cast("int", pages), cast("int", entries))
            for extractor, pages, entries in rows
        }

    # Records

    def record_by_key(self, site: int, key: str) -> int | None:
        """Return the record of a site with a key."""
        rows = self._store.rows("SELECT id FROM records WHERE site = ? AND hash = ?", (site, text_hash(key)))
        return cast("int", rows[0][0]) if rows else None

    def name_record(self, record: int, attributes: Attributes) -> None:
        """Give a record the attributes that a person named, before those it has; it is indexed again if that is new."""
        self._store.record_attributes.name_values(record, attributes)

    # Effects

    def announce(self, page: int) -> None:
        """Have a page indexed again."""
        self._store.outbox.announce_page(page)

    def call_before_commit(self, write: Callable[[], None]) -> None:
        """Call this before each commit."""
        self._store.before_commit.append(write)

    # Events

    def note(
        self, extractor: int, kind: str, summary: str, at: float, detail: Mapping[str, Any] | None = None
    ) -> int:
        """Store an event of the template of an extractor; return its number."""
        ((number,),) = self._store.write_returning(
            "INSERT INTO template_events (extractor, at, kind, summary, detail) VALUES (?, ?, ?, ?, ?) RETURNING id",
            (extractor, at, kind, summary, json.dumps(detail or {}, ensure_ascii=False)),
        )
        return cast("int", number)

    def events(
        self, extractor: int | None = None, *, kinds: Sequence[str] = (), limit: int = -1
    ) -> list[TemplateEvent]:
        """Return the events of templates, the newest first."""
        rows = self._store.rows(
            "SELECT id, extractor, at, kind, summary, detail FROM template_events WHERE (:extractor IS NULL OR extractor = :extractor)"
            " AND (:kinds = '[]' OR kind IN (SELECT value FROM json_each(:kinds))) ORDER BY id DESC LIMIT :limit",
            {"extractor": extractor, "kinds": json.dumps(list(kinds)), "limit": limit},
        )
        return [
            TemplateEvent(number, of, at, kind, summary, json.loads(detail))
            for number, of, at, kind, summary, detail in cast("list[tuple[Any, ...]]", rows)
        ]


def split_into_batches(numbers: Iterable[int], size: int) -> Iterator[list[int]]:
    """Yield numbers in lists of a size at most; `itertools.batched` comes with Python 3.12."""
    rest = iter(numbers)
    while batch := list(islice(rest, size)):
        yield batch


def _parts(url: str) -> int:
    return url.partition("?")[0].rstrip("/").count("/")


def _attributes_to_json(attributes: Attributes) -> str:
    return json.dumps({name: list(values) for name, values in attributes.items()}, ensure_ascii=False)


def _read_extractor(row: tuple[object, ...]) -> StoredExtractor:
    number, name, domain, origin, form, state, why, added, region, source, pages = cast(
        "tuple[Any, ...]", row
    )
    remembered = json.loads(pages) if pages else {"pages": [], "last": []}
    stored = StoredExtractor(
        number, name, domain, origin, form, state, why, added, example_from_json(json.loads(region)), None,
        tuple((page, bool(deviates)) for page, deviates in remembered["pages"]),
    )  # fmt: skip
    if not source:
        return stored
    try:
        learnt = Extractor.from_json(source)
    except UnreadableExtractor as error:
        return replace(stored, state=WAITING, why=str(error))
    learnt.watch.remember(remembered["last"])
    return replace(stored, extractor=learnt)
