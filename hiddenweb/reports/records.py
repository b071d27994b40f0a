"""Stored records as a table: one row for each record, real columns, the same whatever the order in which they were found.

The columns are those that every record has, and between them its attributes. Names that differ only in case, spaces and punctuation are one
column, under the spelling that most records use; the columns that most records fill come first. A column that nobody fills is not there. If all values
of a column are whole numbers, numbers, prices or days, it has them as such; the currency of a price is in a column of its own. Otherwise it has texts
as the pages wrote them.

So the records are read twice: once for the columns, once for the rows. What is in memory grows with the columns, not with the records.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Literal

from hiddenweb.records.attribute_names import fold_name
from hiddenweb.records.value_types import ColumnValues
from hiddenweb.store.stored_records import EVERY_RECORD, StoredRecords

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from hiddenweb.store.database import Store
    from hiddenweb.store.stored_records import RecordFilter, StoredRecord

    Scalar = str | int | float | date | datetime
    Cell = Scalar | list[str] | list[int] | list[float] | list[date] | None
    Progress = Callable[[int, int], None]

CellType = Literal["text", "integer", "number", "date", "time"]

LEADING, TRAILING = (
    ("site", "url", "title"),
    ("form", "extractor", "found_at", "changed_at", "gone_at", "kind", "id"),
)
"""The columns that every record has, before its attributes and behind them."""

_ALWAYS = frozenset(("site", "url", "title", "found_at", "kind", "id"))
_TYPES: dict[str, CellType] = {"form": "integer", "found_at": "time", "changed_at": "time", "gone_at": "time"}
_FIXED = frozenset(map(fold_name, (*LEADING, *TRAILING)))
_UNNAMED = "value"  # what an attribute is called whose name is empty
_EVERY = 500
"""Rows between two reports of progress. A limit of taste."""


class UnknownColumn(LookupError):
    """A column was asked for that no record fills; the message says which there are."""


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table of records."""

    name: str
    type: CellType = "text"
    is_list: bool = False  # a record may have several values; then each cell is a list
    filled: int = 0  # rows
    attribute: str = ""  # whose values it has, by its folded name; empty: all records have it
    part: Literal["", "currency"] = ""


@dataclass(slots=True)
class ColumnUse:
    """How records use the name of a column."""

    spellings: Counter[str] = field(default_factory=Counter)

    @property
    def filled(self) -> int:
        """How many records fill it."""
        return self.spellings.total()

    @property
    def order(self) -> tuple[int, str, str]:
        """Its place among columns: those that most records fill come first, then by the alphabet."""
        return -self.filled, self.name.casefold(), self.name

    @property
    def name(self) -> str:
        """The spelling that most records use."""
        return min(self.spellings, key=lambda name: (-self.spellings[name], name))


@dataclass(slots=True)
class _Attribute:
    """What a table needs to know of an attribute."""

    values: ColumnValues
    use: ColumnUse = field(default_factory=ColumnUse)
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A row of a table: a cell for each column, with the source that the record belongs to."""

    id: str
    source: str
    cells: tuple[Cell, ...]


class RecordTable:
    """The records of a state that fit a filter, as a table; raises UnknownColumn and UnknownName.

    `names` chooses columns, and their order. With `as_text` all attributes are texts, as the pages have them.
    """

    def __init__(
        self,
        store: Store,
        wanted: RecordFilter = EVERY_RECORD,
        *,
        names: Sequence[str] = (),
        as_text: bool = False,
        on_progress: Progress = lambda *_: None,
    ) -> None:
        self._records = StoredRecords(store, wanted)
        self._on_progress = on_progress
        self._attributes: dict[str, _Attribute] = {}
        self._filled: Counter[str] = Counter()
        self.sources: dict[
            str, set[str]
        ] = {}  # the folded names of the attributes that the records of each source have
        self._survey(as_text=as_text)
        every = self._name_columns()
        self.columns = tuple(_choose(every, names)) if names else tuple(every)
        self._common = [(at, each.name) for at, each in enumerate(self.columns) if not each.attribute]
        self._places: dict[str, list[int]] = {}  # of the columns of each attribute
        for at, each in enumerate(self.columns):
            if each.attribute:
                self._places.setdefault(each.attribute, []).append(at)

    def __len__(self) -> int:
        return len(self._records)

    def rows(self) -> Iterator[RecordRow]:
        """Yield the rows in order, each with a cell for every column."""
        for done, record in enumerate(self._records, 1):
            yield RecordRow(record.id, record.source, self._cells(record))
            if done % _EVERY == 0:
                self._on_progress(len(self) + done, 2 * len(self))

    def _survey(self, *, as_text: bool) -> None:
        """Read all records for the columns that they need."""
        for done, record in enumerate(self._records, 1):
            names = self.sources.setdefault(record.source, set())
            self._filled.update(name for name in TRAILING if _fixed(record, name) is not None)
            for name, (spelling, values) in values_of(record).items():
                attribute = self._attributes.get(name)
                if attribute is None:
                    attribute = self._attributes[name] = _Attribute(ColumnValues(spelling))
                attribute.use.spellings[spelling] += 1
                attribute.is_list |= len(values) > 1
                names.add(name)
                if not as_text:
                    for value in values:
                        attribute.values.add(value)
            if done % _EVERY == 0:
                self._on_progress(done, 2 * len(self))
        for attribute in self._attributes.values():
            attribute.values.decide()

    def _name_columns(self) -> Iterator[TableColumn]:
        """Yield all columns, each under a name of its own."""
        yield from (TableColumn(name, filled=len(self)) for name in LEADING)
        used = {*LEADING, *TRAILING}
        for key, attribute in sorted(self._attributes.items(), key=lambda each: each[1].use.order):
            name, type_ = attribute.use.name, attribute.values.type
            column = TableColumn(
                free_name(name, used, _FIXED), "number" if type_ == "price" else type_, attribute.is_list, attribute.use.filled, key
            )  # fmt: skip
            yield column
            if type_ == "price":
                currency = free_name(f"{name} currency", used, self._attributes)
                yield replace(column, name=currency, type="text", part="currency")
        for name in TRAILING:
            if name in _ALWAYS or self._filled[name]:
                yield TableColumn(name, _TYPES.get(name, "text"), filled=self._filled[name])

    def _cells(self, record: StoredRecord) -> tuple[Cell, ...]:
        """Return the cells of a row; most of a wide table is empty, so only what is there is looked at."""
        cells: list[Cell] = [None] * len(self.columns)
        for at, name in self._common:
            cells[at] = _fixed(record, name)
        for key, (_, values) in values_of(record).items():
            for at in self._places.get(key, ()):
                column = self.columns[at]
                read = [self._cell(column, value) for value in values]
                cells[at] = read if column.is_list else read[0]  # type: ignore[assignment]
        return tuple(cells)

    def _cell(self, column: TableColumn, value: str) -> Scalar:
        if column.type == "text" and not column.part:
            return value
        read = self._attributes[column.attribute].values.parse(value)
        if isinstance(read, tuple):
            return read[1] if column.part else read[0]
        return value if read is None else read


def values_of(record: StoredRecord) -> dict[str, tuple[str, list[str]]]:
    """Return the attributes of a record by their folded names: the first spelling, and the values, each once. The title is none of them."""
    found: dict[str, tuple[str, list[str]]] = {}
    for spelling, value in record.attributes:
        name = " ".join(spelling.split()) or _UNNAMED
        _, values = found.setdefault(fold_name(name), (name, []))
        if value not in values and value.strip():
            values.append(value)
    if "title" in found and len(found["title"][1]) <= 1:
        del found["title"]  # it is the title
    return {name: each for name, each in found.items() if each[1]}


def title_of(record: StoredRecord) -> str:
    """Return the title of a record: its attribute of that name, or else what the answer calls it."""
    titles = (value for name, value in record.attributes if fold_name(name) == "title" and value.strip())
    return next(titles, record.title)


def _fixed(record: StoredRecord, name: str) -> Scalar | None:
    """Return what every record may have, by the name of its column."""
    match name:
        case "title":
            return title_of(record)
        case "extractor":
            return ", ".join(record.extractors) or None
        case "found_at" | "changed_at" | "gone_at":
            at: float | None = getattr(record, name)
            return None if at is None else datetime.fromtimestamp(at, UTC).replace(microsecond=0)
        case _:
            value: str | int | None = getattr(record, name)
            return value


def free_name(name: str, used: set[str], folded: Collection[str] = ()) -> str:
    """Return a name that no other column has, with an underscore if need be; it is used from then on.

    >>> free_name("url", {"url"}, {"url"}), free_name("Found at", {"found_at"}, {"foundat"}), free_name("price", set())
    ('url_', 'Found at_', 'price')
    """
    if fold_name(name) in folded:
        name += "_"
    while name.casefold() in used:
        name += "_"
    used.add(name.casefold())
    return name


def _choose(columns: Iterable[TableColumn], names: Sequence[str]) -> Iterator[TableColumn]:
    """Yield the columns that are named; what every record may have can be named though no record has it."""
    by_name = {column.name: column for column in columns}
    by_fold = {fold_name(column.name): column for column in by_name.values() if column.attribute}
    by_fold |= {
        fold_name(name): by_name.get(name, TableColumn(name, _TYPES.get(name, "text")))
        for name in (*LEADING, *TRAILING)
    }
    for name in names:
        found = by_name.get(name) or by_fold.get(fold_name(name))
        if found is None:
            raise UnknownColumn(f"no record has {name!r}; there are {', '.join(by_name)}")
        yield found
