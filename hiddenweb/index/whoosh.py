"""The index in Whoosh: what is stored of a document, how it is replaced, and how it is found.

Writing. A batch becomes one new segment, written by `whoosh_segments` from the terms of `analysis`. The documents it replaces
are marked as deleted in their segments: 64-bit hashes of all keys are sorted in memory (8 bytes a document), so a new key,
as most are, costs a bisection per segment and no file access. A commit writes the new files, waits until they
are on disk, and then replaces the list of segments in one step; a process killed before that step has changed nothing.

Merging. Every segment costs each query a little (twelve cost 1.9 times one), merging costs time once. `merge` joins the
smallest segments as long as their sizes are similar, so that a document is merged a logarithmic number of times: from four
segments on when there is nothing else to do, otherwise only above twenty.

Searching. `query_parser` parses the typed query; BM25 ranks; `snippets` shows where the words are.
"""

from __future__ import annotations

import heapq
import json
import math
from array import array
from bisect import bisect_left
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any

import xxhash
import zstandard
from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC, FileIndex, clean_files
from whoosh.searching import Searcher

from hiddenweb.index.analysis import add_attributes, attribute_name, count_weighted_terms
from hiddenweb.index.location import sync
from hiddenweb.index.protocol import ForeignIndex, IndexDocument, content_hash
from hiddenweb.index.query_parser import ParsedQuery, parse_query, schema
from hiddenweb.index.snippets import Snippet, marks_in, snippet
from hiddenweb.index.whoosh_segments import (
    CODEC,
    FIELDS,
    NAME,
    SegmentWriter,
    documents_left,
    merge_segments,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from whoosh.codec.whoosh3 import W3Segment, W3TermInfo
    from whoosh.query import Query

    from hiddenweb.index.snippets import VisibleTerms

MAX_SEGMENTS = 20
"""The most segments: more are merged at once, whatever else there is to do. A limit of taste."""

LARGEST_SEGMENT = 400_000
"""Documents. Whoosh's columns end at 2 GB, and a merge should end within minutes."""

_FEWEST_TO_MERGE = 4  # segments of similar size: a limit of taste, with which a document is merged a logarithmic number of times
_DELETED_SHARE = 0.3  # of a segment, from which on it is rewritten: a limit of taste
_ATTRIBUTE, _BEHIND_FORM, _KEY, _KIND, _LANGUAGE, _SITE = (
    FIELDS.index(name) for name in ("attribute", "behind_form", "key", "kind", "language", "site")
)
_ATTEMPTS = 5  # to open an index while another process replaces its segments: a limit of taste


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that was found."""

    document: IndexDocument
    score: float
    snippet: Snippet
    title_marks: tuple[tuple[int, int], ...]
    value_marks: tuple[tuple[tuple[int, int], ...], ...] = ()  # of each attribute


@dataclass(frozen=True, slots=True)
class SearchResults:
    """A page of hits, and the total number of hits."""

    hits: tuple[Hit, ...]
    total: int
    seconds: float


class WhooshIndex:
    """An index in a folder that was made by `create`. One process may write, any number may read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._storage = FileStorage(str(folder))
        self._keys: dict[str, array[int]] = {}
        if not any(folder.glob(f"_{NAME}_*.toc")):
            raise ForeignIndex(f"{folder} holds no index.")

    @classmethod
    def create(cls, folder: Path) -> WhooshIndex:
        """Make an empty index in an empty folder."""
        folder.chmod(0o700)
        FileIndex.create(FileStorage(str(folder)), schema(), NAME)
        return cls(folder)

    def close(self) -> None:
        self._keys.clear()

    # Writing

    def update(self, changes: Sequence[IndexDocument | str]) -> list[str]:
        latest = {change if isinstance(change, str) else change.key: change for change in changes}
        contents = self._list_segments()
        writer = SegmentWriter(self._storage)
        bad = [key for key, change in latest.items() if not _is_added(change, writer)]
        for key in bad:
            del latest[key]
        for segment in contents.segments:
            self._delete(segment, latest)
        if writer.count:
            added = writer.finish()
            contents.segments.append(added)
            self._commit(contents, added)
        else:
            writer.abandon()
            self._commit(contents, None)
        return bad

    def merge(self, *, idle: bool, keep_going: Callable[[], bool] = lambda: True) -> bool:
        contents = self._list_segments()
        chosen = worth_merging(contents.segments, idle=idle)
        if not chosen:
            return False
        merged = merge_segments(self._storage, chosen, keep_going)
        if merged is None:
            clean_files(self._storage, NAME, contents.generation, contents.segments)
            return False
        replaced = {segment.segment_id() for segment in chosen}
        contents.segments = [segment for segment in contents.segments if segment.segment_id() not in replaced]
        if merged.doc_count_all():
            contents.segments.append(merged)
        for name in replaced:
            self._keys.pop(name, None)
        self._commit(contents, merged)
        return True

    def _list_segments(self) -> Any:
        # With our own schema, the pickled one in the file is not read.
        return TOC.read(self._storage, NAME, schema=schema())

    def _commit(self, contents: Any, added: W3Segment | None) -> None:
        if added:
            for path in self.folder.glob(f"{added.segment_id()}.*"):
                sync(path)
        generation = contents.generation + 1
        TOC(contents.schema, contents.segments, generation).write(self._storage, NAME)
        sync(self.folder / TOC._filename(NAME, generation))
        sync(self.folder)
        clean_files(self._storage, NAME, generation, contents.segments)

    def _delete(self, segment: W3Segment, keys: Iterable[str]) -> None:
        """Mark the documents of a segment with any of the keys as deleted."""
        hashes = self._keys.get(segment.segment_id())
        if hashes is None:
            hashes = self._keys[segment.segment_id()] = self._key_hashes(segment)
        count = len(hashes)
        candidates = []
        for key in keys:
            wanted = _key_hash(key.encode())
            place = bisect_left(hashes, wanted)
            if place < count and hashes[place] == wanted:
                candidates.append(key)
        if candidates:
            self._delete_candidates(segment, candidates)

    def _delete_candidates(self, segment: W3Segment, keys: Iterable[str]) -> None:
        reader = CODEC.terms_reader(self._storage, segment)
        try:
            for key in keys:
                if ("key", key.encode()) in reader:
                    info: W3TermInfo = reader.term_info("key", key.encode())
                    segment.delete_document(info.min_id())
        finally:
            reader.close()

    def _key_hashes(self, segment: W3Segment) -> array[int]:
        reader = CODEC.terms_reader(self._storage, segment)
        hashes = []
        try:
            for field, key in reader.terms_from("key", b""):
                if field != "key":
                    break
                hashes.append(_key_hash(bytes(key)))
        finally:
            reader.close()
        return array("Q", sorted(hashes))

    # Reading

    def count(self) -> int:
        return sum(
            segment.doc_count_all() - segment.deleted_count() for segment in self._list_segments().segments
        )

    def segments(self) -> list[int]:
        return [segment.doc_count_all() for segment in self._list_segments().segments]

    def hashes(self) -> Iterator[tuple[str, str]]:
        for document in self.documents():
            yield document.key, content_hash(document)

    def documents(self) -> Iterator[IndexDocument]:
        """Yield every document."""
        for segment in self._list_segments().segments:
            for _, body in documents_left(self._storage, segment):
                yield _unpack(body)

    def search(self, parsed: ParsedQuery) -> SearchResults:
        """Return a page of hits, the best first; raises BadQuery if the query can match nothing."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return self._search(parsed)
            except FileNotFoundError:  # a merge has just replaced the files of a segment
                if attempt == _ATTEMPTS:
                    raise
        raise AssertionError

    def _search(self, parsed: ParsedQuery) -> SearchResults:
        started = perf_counter()
        reader = FileIndex(self._storage, schema(), NAME).reader()
        try:
            query, visible = parse_query(parsed, reader, _unpack)
            if not reader.doc_count_all():
                return SearchResults((), 0, perf_counter() - started)
            last = parsed.page * parsed.limit
            best, total = _best(query, Searcher(reader), last)
            bodies = reader.column_reader("document")
            hits = [
                _hit(_unpack(bodies[number]), score, visible) for score, number in best[last - parsed.limit :]
            ]
            return SearchResults(tuple(hits), total, perf_counter() - started)
        finally:
            reader.close()


def _hit(document: IndexDocument, score: float, visible: VisibleTerms) -> Hit:
    language = document.language
    in_values = [
        marks_in(value, language, visible.terms_of_attribute(attribute_name(name)))
        for name, value in document.attributes
    ]
    return Hit(
        document,
        score,
        snippet(document.text, language, visible),
        marks_in(document.title, language, visible),
        tuple(in_values),
    )


def _best(query: Query, searcher: Searcher, most: int) -> tuple[list[tuple[float, int]], int]:
    """Return the best scores with the numbers of their documents, and how many documents match.

    Whoosh's own collector skips blocks that cannot be among the best and then does not count them right.
    """
    found: list[tuple[float, int]] = []
    for part, offset in searcher.leaf_searchers():
        matcher = query.matcher(part, searcher.context())
        while matcher.is_active():
            found.append((matcher.score(), -matcher.id() - offset))
            matcher.next()
    return [(score, -number) for score, number in heapq.nlargest(most, found)], len(found)


def worth_merging(segments: Sequence[W3Segment], *, idle: bool) -> list[W3Segment]:
    """Return the segments to merge: the smallest ones of similar size; when not idle, only if there are too many."""
    if not idle and len(segments) <= MAX_SEGMENTS:
        return []
    chosen: list[W3Segment] = []
    total = 0
    for segment in sorted(segments, key=lambda segment: segment.doc_count_all()):
        size = segment.doc_count_all()
        is_similar = size <= 2 * total or len(chosen) < 2
        if total + size > LARGEST_SEGMENT or not (is_similar or len(segments) - len(chosen) >= MAX_SEGMENTS):
            break
        chosen.append(segment)
        total += size
    if len(chosen) >= (_FEWEST_TO_MERGE if idle else 2):
        return chosen
    return [segment for segment in segments if idle and _is_mostly_deleted(segment)][:1]


def _is_mostly_deleted(segment: W3Segment) -> bool:
    return bool(segment.deleted_count() > _DELETED_SHARE * segment.doc_count_all())


def _is_added(change: IndexDocument | str, writer: SegmentWriter) -> bool:
    """Add a document to a segment; return False for a bad document, which is skipped."""
    if isinstance(change, str):
        return True
    try:
        prepared = _prepare_document(change)
    except (AttributeError, TypeError, ValueError):
        return False
    writer.add(*prepared)
    return True


def _prepare_document(
    document: IndexDocument,
) -> tuple[bytes, float, dict[bytes, int], list[tuple[int, bytes]]]:
    flags = [
        (_BEHIND_FORM, b"1" if document.behind_form else b"0"),
        (_KEY, document.key.encode()),
        (_KIND, document.kind.encode()),
        *[(_SITE, name.encode()) for name in _host_names(document.site)],
    ]
    if document.language:
        flags.append((_LANGUAGE, document.language.encode()))
    if not math.isfinite(document.fetched_at):
        raise ValueError(f"{document.key} was fetched at {document.fetched_at}")
    terms = count_weighted_terms(document.title, document.text, document.language)
    if document.attributes:
        fields = add_attributes(terms, document.attributes, document.language)
        flags += [(_ATTRIBUTE, term) for term in fields]
    return _pack(document), document.fetched_at, terms, flags


def _host_names(host: str) -> list[str]:
    """Return a host and its parent domains, except the last one.

    >>> _host_names("shop.books.example"), _host_names("127.0.0.1")
    (['shop.books.example', 'books.example'], ['127.0.0.1'])
    """
    if not host.rpartition(".")[2].isalpha():
        return [host]
    labels = host.split(".")
    return [".".join(labels[start:]) for start in range(max(1, len(labels) - 1))]


def _pack(document: IndexDocument) -> bytes:
    head = (
        document.key, document.url, document.site, document.title, document.language,
        document.kind, document.behind_form, document.fetched_at, document.hash, document.attributes,
    )  # fmt: skip
    return _compress(f"{json.dumps(head, ensure_ascii=False)}\n{document.text}".encode("utf-8", "replace"))


def _unpack(body: bytes) -> IndexDocument:
    head, _, text = _decompress(body).decode().partition("\n")
    key, url, site, title, language, kind, behind_form, fetched_at, digest, attributes = json.loads(head)
    pairs = tuple((name, value) for name, value in attributes)
    return IndexDocument(key, url, site, title, text, language, kind, behind_form, fetched_at, digest, pairs)


def _key_hash(key: bytes) -> int:
    return xxhash.xxh3_64_intdigest(key)


_compress = zstandard.ZstdCompressor(level=3).compress  # zstandard's own default
_decompress = zstandard.ZstdDecompressor().decompress
