"""A site's database: real records in SQLite, found through its full-text index.

The file is made when the first question comes and kept in step with the clock: `sync` compares what is in the
file with what the site's life says and applies the difference. The index holds the tokens of `simweb.search`, so
stemming, accents and unspaced scripts work alike in every version of SQLite.
"""

from __future__ import annotations

import difflib
import sqlite3
from itertools import islice
from typing import TYPE_CHECKING

from simweb.catalogue import Record
from simweb.search import asks_everything, comparable, fold, matches, query_tokens, searchable_text, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from simweb.catalogue import Catalogue
    from simweb.life import Hand, RecordLife
    from simweb.search import Behaviour, Matching, Query

_REMEMBERED_ANSWERS = 64


class Database:
    """The records of one site on one day."""

    def __init__(
        self, path: Path, catalogue: Catalogue, behaviour: Behaviour, life: RecordLife, hand: Hand
    ) -> None:
        self.catalogue = catalogue
        self.behaviour = behaviour
        self.life = life
        self.hand = hand
        self._columns = {attribute.name: f"a{at}" for at, attribute in enumerate(catalogue.topic.attributes)}
        self.day: int | None = None
        self._read = ", ".join(("number", "title", "text", *self._columns.values()))
        self._answers: dict[Query, list[int]] = {}
        self._rows = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._rows.executescript(
            "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA cache_size=-2000;"
        )
        self._create()

    def close(self) -> None:
        """Close the file; what is in it stays."""
        self._rows.close()

    def sync(self, day: int) -> None:
        """Bring the file up to a day: newcomers in, the departed out, the changed rewritten."""
        if self.day == day:
            return
        held = dict(self._rows.execute("SELECT number, revision FROM records"))
        wanted = dict(self._living(day))
        stale = [number for number, revision in held.items() if wanted.get(number) != revision]
        fresh = [(n, r) for n, r in wanted.items() if held.get(n) != r]
        self._rows.execute("BEGIN")
        with self._rows:  # all of it or, should a record fail, nothing
            self._rows.executemany("DELETE FROM records WHERE number = ?", ((n,) for n in stale))
            self._rows.executemany("DELETE FROM words WHERE rowid = ?", ((n,) for n in stale))
            for number, revision in fresh:
                self._insert(self.catalogue.record(number, revision), revision)
        if stale or fresh:
            self._answers.clear()
        self.day = day

    def search(self, query: Query) -> list[int]:
        """Return the numbers of all records that answer, in the site's order, before any cap."""
        if (known := self._answers.get(query)) is not None:
            return known
        answer = self._search(query)
        if len(self._answers) >= _REMEMBERED_ANSWERS:
            self._answers.clear()
        self._answers[query] = answer
        return answer

    def touch(self) -> None:
        """Take notice that the hand has changed something."""
        self.day = None

    def records(self, numbers: Iterable[int]) -> list[Record]:
        """Return records by their numbers, in that order; those that are not there are left out."""
        wanted = list(numbers)
        marks = ", ".join("?" * len(wanted))
        found = self._rows.execute(f"SELECT {self._read} FROM records WHERE number IN ({marks})", wanted)
        known = {row[0]: Record(row[0], row[1], row[3:], row[2]) for row in found}
        return [known[number] for number in wanted if number in known]

    def suggestion(self, words: str) -> str | None:
        """Return a word of the index that looks like the one asked for, if there is one."""
        asked = query_tokens(words, self.behaviour)
        if len(asked) != 1 or len(asked[0]) != 1 or len(asked[0][0]) < 4:
            return None
        word = asked[0][0]
        near = self._rows.execute(
            "SELECT term FROM vocabulary WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT 200",
            (word[:2], word[:2] + "\U0010ffff"),
        )
        return next(iter(difflib.get_close_matches(word, [term for (term,) in near], 1, 0.75)), None)

    def _living(self, day: int) -> Iterator[tuple[int, int]]:
        for number in range(1, self.life.newest(day, self.hand) + 1):
            if self.life.is_alive(number, day, self.hand):
                yield number, self.life.revision(number, day, self.hand)

    def _create(self) -> None:
        columns = ", ".join(f"{column} TEXT, {column}_number REAL" for column in self._columns.values())
        self._rows.executescript(f"""
            CREATE TABLE IF NOT EXISTS records (
                number INTEGER PRIMARY KEY, revision INTEGER, title TEXT, text TEXT, folded TEXT, {columns}
            );
            CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
                content, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Pc Co'"
            );
            CREATE VIRTUAL TABLE IF NOT EXISTS vocabulary USING fts5vocab (words, row);
        """)
        for attribute in self.catalogue.topic.attributes:
            if attribute.kind == "choice":
                column = self._columns[attribute.name]
                self._rows.execute(f"CREATE INDEX IF NOT EXISTS by_{column} ON records ({column})")

    def _insert(self, record: Record, revision: int) -> None:
        values = [part for value in record.values for part in (value, comparable(value))]
        text = searchable_text(record, self.catalogue.topic, self.behaviour)
        folded = fold(text, self.behaviour) if self.behaviour.matching == "substring" else None
        row = (record.number, revision, record.title, record.text, folded, *values)
        self._rows.execute(f"INSERT INTO records VALUES ({', '.join('?' * len(row))})", row)
        held = " ".join(tokens(text, self.behaviour))
        self._rows.execute("INSERT INTO words (rowid, content) VALUES (?, ?)", (record.number, held))

    def _search(self, query: Query) -> list[int]:
        expression = self._expression(query)
        if expression is None:
            return []
        conditions, arguments = self._conditions(query)
        if expression:
            conditions.insert(0, "words MATCH ?")
            arguments.insert(0, expression)
        order = self._order(query, by_words=bool(expression))
        column, source = "number", "words JOIN records ON number = words.rowid" if expression else "records"
        if expression and len(conditions) == 1 and not order.startswith("title"):
            column, source = "rowid AS number", "words"
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        found = self._rows.execute(f"SELECT {column} FROM {source} {where} ORDER BY {order}", arguments)
        numbers = [number for (number,) in found]
        return list(self._read_again(numbers, query)) if self._needs_reading(query) else numbers

    def _expression(self, query: Query) -> str | None:
        """Return the full-text expression; "" when no words are asked, None when none of them can be found."""
        how = query.matching or self.behaviour.matching
        parts: list[str] = []
        if self._has_words(query) and how != "substring":
            asked = query_tokens(query.words, self.behaviour)
            if not asked:
                return None
            parts.append(_match_expression(asked, how))
        for name, words in query.contains:
            asked = query_tokens(words, self.behaviour)
            if not asked:
                return None
            if self.catalogue.topic.attribute(name).kind in ("text", "choice", "year"):
                parts.append(_match_expression(asked, "all"))
        return " AND ".join(f"({part})" for part in parts)

    def _conditions(self, query: Query) -> tuple[list[str], list[object]]:
        conditions: list[str] = []
        arguments: list[object] = []
        if self._has_words(query) and (query.matching or self.behaviour.matching) == "substring":
            conditions.append("instr(folded, ?) > 0")
            arguments.append(fold(" ".join(query.words.split()), self.behaviour))
        for name, allowed in query.equals:
            conditions.append(f"{self._columns[name]} IN ({', '.join('?' * len(allowed))})")
            arguments += allowed
        for name, value in query.at_least:
            conditions.append(f"{self._columns[name]}_number >= ?")
            arguments.append(comparable(value))
        for name, value in query.at_most:
            conditions.append(f"{self._columns[name]}_number BETWEEN 0 AND ?")
            arguments.append(comparable(value))
        return conditions, arguments

    def _has_words(self, query: Query) -> bool:
        return bool(query.words.strip()) and not asks_everything(query.words, self.behaviour)

    def _order(self, query: Query, by_words: bool) -> str:
        match query.order or self.behaviour.order:
            case "relevance" if by_words:
                return "words.rank, number"
            case "title":
                return "title, number"
            case "newest":
                return "number DESC"
            case _:
                return "number"

    def _needs_reading(self, query: Query) -> bool:
        return bool(query.contains) or not self.behaviour.folds_case

    def _read_again(self, numbers: Iterable[int], query: Query) -> Iterator[int]:
        """Keep what really matches: the index folds case and does not know attributes."""
        for batch in _batches(numbers, 500):
            for record in self.records(batch):
                if matches(record, self.catalogue.topic, query, self.behaviour):
                    yield record.number


def _batches(numbers: Iterable[int], size: int) -> Iterator[list[int]]:
    rest = iter(numbers)
    while batch := list(islice(rest, size)):
        yield batch


def _match_expression(asked: list[list[str]], how: Matching) -> str:
    if how == "phrase":
        return _phrase([token for word in asked for token in word])
    phrases = [_phrase(word) + (" *" if how == "prefix" and len(word) == 1 else "") for word in asked]
    return (" OR " if how == "any" else " AND ").join(phrases)


def _phrase(words: list[str]) -> str:
    return '"' + " ".join(word.replace('"', "") for word in words) + '"'
