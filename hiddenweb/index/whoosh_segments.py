"""Writing the files of a Whoosh index, the fast way.

Whoosh's own writer makes a Token object for every word, a tuple for every posting, sorts all of them, and pickles and compresses a
block for every term. That is 7.5 ms for a page of ordinary length. Here the postings of a batch are collected in
a dictionary from term to document numbers and counts, so that only the terms are sorted, and the few postings of a term,
as nearly all terms have, are written inside the dictionary of terms, which the format allows. The files are those of Whoosh's
codec 3, and Whoosh reads them: `W3TermsReader`, `W3LeafMatcher`, `W3PerDocReader`.

What is written:

    .trm    sorted terms, each with its statistics and its few postings or the place of its many; a hash table
    .pst    blocks of up to 128 postings: gaps between document numbers, counts
    .document.col, .fetched_at.col, ._text_len.col    values by document number

Positions are not written: a phrase is found by its words and a check of the text, which is in the index anyway for the snippets (zstd, 1.9 KB
and 0.04 ms a page). Positions in Whoosh's form would make a batch 1.8 times as expensive and an index 1.6 times as large.
"""

from __future__ import annotations

import heapq
import pickle
import struct
import zlib
from array import array
from collections import defaultdict
from itertools import groupby, pairwise
from mmap import ACCESS_READ, mmap
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whoosh.codec.whoosh3 import LENGTHS_COLUMN, WHOOSH3_HEADER_MAGIC, W3Codec, W3LeafMatcher, W3Segment
from whoosh.columns import NumericColumn, VarBytesColumn
from whoosh.compat import loads
from whoosh.formats import Existence
from whoosh.util.numeric import length_to_byte

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from whoosh.filedb.filestore import FileStorage

NAME = "MAIN"
"""Whoosh's default name of an index."""

FIELDS = ("attribute", "behind_form", "key", "kind", "language", "site", "text")
"""The fields with terms, in the order in which they are written."""

TEXT = FIELDS.index("text")
DOCUMENTS = VarBytesColumn()
TIMES = NumericColumn("d", default=-1.0)
CODEC = W3Codec()
EXISTENCE = Existence()

_PREFIX = tuple(struct.pack("!H", number) for number in range(len(FIELDS)))
_POSTINGS_OF_BLOCK = 128  # postings, as Whoosh writes them
_MAX_INLINE = 24  # postings that are written inside the dictionary of terms; a limit of taste
_MIN_COMPRESSED = 160  # bytes; zlib costs more to start than it saves below
_statistics = struct.Struct("!BfIBBfII").pack
_place = struct.Struct("!qi").pack
_int = struct.Struct("!i").pack
_lengths = struct.Struct("!ii").pack
_two_lengths = struct.Struct("!ii").unpack_from
_two_places = struct.Struct("!qi").unpack_from
_STATISTICS = struct.calcsize("!BfIBBfII")


class SegmentWriter:
    """Writes one segment: documents first, then terms in order."""

    def __init__(self, storage: FileStorage) -> None:
        self.segment = W3Segment(CODEC, NAME)
        self._storage = storage
        self._documents = self._column("document", DOCUMENTS)
        self._times = self._column("fetched_at", TIMES)
        self._lengths = self._column("_text_len", LENGTHS_COLUMN)
        self._postings = self.segment.create_file(storage, W3Codec.POSTS_EXT)
        self._end = self._postings.tell()
        self._terms = _TermsFile(self.segment.create_file(storage, W3Codec.TERMS_EXT))
        self._collected: tuple[defaultdict[bytes, list[int]], ...] = tuple(defaultdict(list) for _ in FIELDS)
        self.length_bytes = bytearray()
        self.total_length = 0

    @property
    def count(self) -> int:
        """The number of documents so far, which is the index of the next one."""
        return len(self.length_bytes)

    def add(
        self, body: bytes, fetched_at: float, terms: dict[bytes, int], flags: Iterable[tuple[int, bytes]]
    ) -> None:
        """Add a document: its stored body, when it was fetched, its words, and terms of other fields."""
        number = len(self.length_bytes)
        length = sum(terms.values())
        self.add_values(body, fetched_at, length_to_byte(length))
        self.total_length += length
        text = self._collected[TEXT]
        for item in terms.items():
            text[item[0]] += (number, item[1])
        for field, term in flags:
            self._collected[field][term] += (number, 1)

    def add_values(self, body: bytes, fetched_at: float, length_byte: int) -> None:
        """Add a document without its terms."""
        number = len(self.length_bytes)
        self._documents[0].add(number, body)
        self._times[0].add(number, fetched_at)
        self._lengths[0].add(number, length_byte)
        self.length_bytes.append(length_byte)

    def add_term(self, key: bytes, numbers: list[int], counts: list[int]) -> None:
        """Add a term (field and text) with its postings. Terms must be added in order."""
        if len(numbers) == 1:
            self._add_single(key, numbers[0], counts[0])
            return
        lengths = [self.length_bytes[number] for number in numbers]
        statistics = (
            sum(counts),
            len(numbers),
            min(lengths),
            max(lengths),
            max(counts),
            numbers[0],
            numbers[-1],
        )
        if len(numbers) <= _MAX_INLINE:
            inside = pickle.dumps((tuple(numbers), tuple(counts), ()), 2)
            self._terms.add(key, _statistics(1, *statistics) + inside)
            return
        start = self._end
        blocks = b"".join(_blocks(numbers, counts, lengths))
        self._postings.write(blocks)
        self._end += len(blocks)
        self._terms.add(key, _statistics(0, *statistics) + _place(start, len(blocks)))

    def _add_single(self, key: bytes, number: int, count: int) -> None:
        length = self.length_bytes[number]
        statistics = _statistics(1, count, 1, length, length, count, number, number)
        self._terms.add(key, statistics + pickle.dumps(((number,), (count,), ()), 2))

    def finish(self) -> W3Segment:
        """Write what is still in memory; return the segment."""
        for field, collected in enumerate(self._collected):
            prefix = _PREFIX[field]
            for term in sorted(collected):
                postings = collected[term]
                self.add_term(prefix + term, postings[::2], postings[1::2])
        for writer, file in (self._documents, self._times, self._lengths):
            writer.finish(self.count)
            file.close()
        self._postings.close()
        self._terms.close()
        self.segment.set_doc_count(self.count)
        self.segment._fieldlengths = {"text": self.total_length}
        return self.segment

    def abandon(self) -> None:
        """Close the files of an abandoned segment."""
        for file in (self._documents[1], self._times[1], self._lengths[1], self._postings):
            file.close()
        self._terms.abandon()

    def _column(self, name: str, column: Any) -> tuple[Any, Any]:
        file = self._storage.create_file(W3Codec.column_filename(self.segment, name))
        return column.writer(file), file


def merge_segments(
    storage: FileStorage, segments: Sequence[W3Segment], keep_going: Callable[[], bool]
) -> W3Segment | None:
    """Write one segment with the documents of several that are not deleted; None if it was stopped."""
    writer = SegmentWriter(storage)
    maps = [_copy_documents(storage, segment, writer) for segment in segments]
    readers = [CODEC.terms_reader(storage, segment) for segment in segments]
    try:
        sources = [_terms_in(Path(storage.folder), reader, number) for number, reader in enumerate(readers)]
        for key, same in groupby(heapq.merge(*sources), key=itemgetter(0)):
            numbers: list[int] = []
            counts: list[int] = []
            for _, source, value in same:
                _collect(readers[source], value, maps[source], numbers, counts)
            if numbers:
                writer.add_term(key, numbers, counts)
            if not keep_going():
                writer.abandon()
                return None
        return writer.finish()
    finally:
        for reader in readers:
            reader.close()


def documents_left(storage: FileStorage, segment: W3Segment) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the body of the documents of a segment that were not deleted."""
    reader = CODEC.per_document_reader(storage, segment)
    try:
        for number, body in enumerate(reader.column_reader("document", DOCUMENTS)):
            if not segment.is_deleted(number):
                yield number, bytes(body)
    finally:
        reader.close()


def _blocks(numbers: list[int], counts: list[int], lengths: list[int]) -> Iterator[bytes]:
    yield WHOOSH3_HEADER_MAGIC
    for start in range(0, len(numbers), _POSTINGS_OF_BLOCK):
        part, weights = (
            numbers[start : start + _POSTINGS_OF_BLOCK],
            counts[start : start + _POSTINGS_OF_BLOCK],
        )
        gaps = (part[0], *[after - before for before, after in pairwise(part)])
        highest = max(weights)
        data = pickle.dumps((gaps, None if highest == 1 else tuple(weights), None), 2)
        level = 1 if len(data) > _MIN_COMPRESSED else 0
        if level:
            data = zlib.compress(data, level)
        long = lengths[start : start + _POSTINGS_OF_BLOCK]
        info = pickle.dumps((len(part), part[-1], highest, level, min(long), max(long)), 2)
        size = len(info) + len(data)
        is_last = start + _POSTINGS_OF_BLOCK >= len(numbers)
        yield _int(-size if is_last else size) + info + data


def _copy_documents(storage: FileStorage, segment: W3Segment, writer: SegmentWriter) -> list[int]:
    """Copy the documents that are not deleted; return the new number of each old one, -1 for deleted ones."""
    reader = CODEC.per_document_reader(storage, segment)
    numbers = []
    alive = 0
    try:
        columns = [
            reader.column_reader(name, column)
            for name, column in (
                ("document", DOCUMENTS),
                ("fetched_at", TIMES),
                ("_text_len", LENGTHS_COLUMN),
            )
        ]
        for number in range(segment.doc_count_all()):
            if segment.is_deleted(number):
                numbers.append(-1)
                continue
            numbers.append(writer.count)
            alive += 1
            writer.add_values(*(column[number] for column in columns))
    finally:
        reader.close()
    writer.total_length += reader.field_length("text") * alive // max(1, len(numbers))
    return numbers


def _terms_in(folder: Path, reader: Any, source: int) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield the terms of a segment in order, each with its source and its statistics."""
    table = reader._tindex
    with (folder / str(table.dbfile)).open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        place, end = table.startofdata, table.endofdata
        while place < end:
            key, value = _two_lengths(data, place)
            middle = place + 8 + key
            place, start = middle + value, place + 8
            yield data[start:middle], source, data[middle:place]


def _collect(reader: Any, value: bytes, new: list[int], numbers: list[int], counts: list[int]) -> None:
    """Add the postings of a term in one segment to those of the segments before it."""
    if value[0]:
        old, weights, _ = loads(value[_STATISTICS:])
        _add_postings(old, weights, new, numbers, counts)
        return
    start, length = _two_places(value, _STATISTICS)
    matcher = W3LeafMatcher(reader._postfile, start, length, EXISTENCE)
    while not matcher._atend:
        matcher._read_ids()
        weights = matcher._data[1]
        _add_postings(matcher._ids, weights or (1,) * len(matcher._ids), new, numbers, counts)
        matcher._next_block()


def _add_postings(
    old: Sequence[int], weights: Sequence[int], new: list[int], numbers: list[int], counts: list[int]
) -> None:
    if len(old) == 1:
        if new[old[0]] >= 0:
            numbers.append(new[old[0]])
            counts.append(weights[0])
        return
    for number, count in zip(old, weights, strict=True):
        mapped = new[number]
        if mapped >= 0:
            numbers.append(mapped)
            counts.append(count)


class _TermsFile:
    """Writes what `whoosh.filedb.filetables.OrderedHashReader` reads, with CRC-32 as the hash."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._parts = [b"HSH3", bytes((1,)), _int(0), _int(0)]
        self._end = 13
        self._places = array("Q")
        self._buckets: tuple[list[tuple[int, int]], ...] = tuple([] for _ in range(256))

    def add(self, key: bytes, value: bytes) -> None:
        place = self._end
        digest = zlib.crc32(key)
        self._places.append(place)
        self._buckets[digest & 255].append((digest, place))
        self._parts.append(_lengths(len(key), len(value)) + key + value)
        self._end = place + 8 + len(key) + len(value)
        if len(self._parts) > 10_000:
            self._file.write(b"".join(self._parts))
            self._parts.clear()

    def close(self) -> None:
        self._write_tables()
        kind = "I" if self._end < 2**32 else "q"
        fields = {name: number for number, name in enumerate(FIELDS)}
        extras = {"fieldmap": fields, "indextype": kind, "indexlen": len(self._places)}
        described = pickle.dumps(extras, 2)
        places = array(kind, self._places)
        places.byteswap()
        self._parts += (described, places.tobytes(), _int(len(described) + len(places) * places.itemsize))
        self._file.write(b"".join(self._parts))
        self._file.close()

    def abandon(self) -> None:
        self._file.close()

    def _write_tables(self) -> None:
        directory = []
        for entries in self._buckets:
            slots = 2 * len(entries)
            table: list[tuple[int, int]] = [(0, 0)] * slots
            for entry in entries:
                slot = (entry[0] >> 8) % slots
                while table[slot][1]:
                    slot = (slot + 1) % slots
                table[slot] = entry
            directory.append((self._end, slots))
            flat = [number for entry in table for number in entry]
            self._parts.append(struct.pack("!" + "Iq" * slots, *flat))
            self._end += 12 * slots
        self._parts += [struct.pack("!qi", *entry) for entry in directory]
