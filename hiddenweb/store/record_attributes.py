"""The attributes of records, merged from what answers and their own pages say (`hiddenweb.records.merging`).

What each of them says is kept beside the merged attributes, and so is what they disagree about. Two things are learnt by form, and written with the
commit of the pages that taught them: which labels of own pages are labels (`hiddenweb.records.own_labels`), and which attributes of answers
only repeat the query, and are left out (`hiddenweb.records.query_echoes`).
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

from hiddenweb.records.merging import merge_answers, merge_page
from hiddenweb.records.own_labels import LabelUse, OwnLabels
from hiddenweb.records.own_page import Statement
from hiddenweb.records.query_echoes import QueryEchoes
from hiddenweb.store.form_lessons import FormLessons

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from hiddenweb.model import Record
    from hiddenweb.store.knowledge import KnowledgeStore
    from hiddenweb.store.outbox import OutboxStore
    from hiddenweb.store.sqlite_file import SqliteFile

    Pair = tuple[str, str]

_LABELS, _ECHOES = "labels", "echoes"


class RecordAttributes:
    """The attributes of the records of a store."""

    def __init__(self, file: SqliteFile, knowledge: KnowledgeStore, outbox: OutboxStore) -> None:
        self._file = file
        self._outbox = outbox
        self._labels = FormLessons(knowledge, _LABELS, _labels_from_json, lambda each: _to_json(asdict(each)))
        self._echoes = FormLessons(knowledge, _ECHOES, _echoes_from_json, _echoes_to_json)
        file.before_commit.append(self.save)

    def watch_answer(self, submission: int, found: Sequence[tuple[int, Record, Sequence[Pair]]]) -> None:
        """Learn from an answer which attributes only repeat its query: from its records, each with its number and what earlier answers said of it."""
        ((form, query),) = self._file.rows(
            "SELECT form, keyword FROM submissions WHERE id = ?", (submission,)
        )
        form = cast("int", form)
        echoes = self._echoes.of(form)
        before = echoes.extent
        changed = echoes.learn(str(query), [(record.attributes, earlier) for _, record, earlier in found])
        if echoes.extent != before:
            self._echoes.note_change(form)
        again = set(self._find_listing(form, changed)) if changed else set()
        if names := echoes.names:
            again.update(
                number
                for number, record, earlier in found
                if not earlier and not names.isdisjoint(name for name, _ in record.attributes)
            )
        for number in again:
            self._merge(number, form)

    def add_answer(self, number: int, record: Record) -> None:
        """Merge what another answer says of a known record into what is stored."""
        attributes, shown, listed, _ = self._load(number)
        known = json.loads(listed or attributes)
        merged, names = merge_answers(
            [(name, value) for name, value in known], json.loads(shown), record.attributes, record.shown
        )
        if [list(pair) for pair in merged] == known and names == json.loads(shown):
            return
        self._save_answer(number, _to_json(merged), _to_json(names))

    def replace_answer(self, number: int, record: Record) -> None:
        """Replace what answers said of a record by what one says now."""
        attributes, shown, listed, _ = self._load(number)
        new, names = _to_json([*record.attributes]), _to_json([*record.shown])
        if record.attributes and (new, names) != (listed or attributes, shown):
            self._save_answer(number, new, names)

    def name_values(self, number: int, named: Mapping[str, Sequence[str]]) -> None:
        """Give a record the attributes that a person named, before those that answers give it."""
        attributes, shown, listed, _ = self._load(number)
        pairs = [[name, value] for name, values in named.items() for value in values]
        values = {value for _, value in pairs}
        rest = [
            [name, value]
            for name, value in json.loads(listed or attributes)
            if name not in named and value not in values
        ]
        new = _to_json(pairs + rest)
        if new != (listed or attributes):
            self._save_answer(number, new, _to_json([*dict.fromkeys([*named, *json.loads(shown)])]))

    def _save_answer(self, number: int, attributes: str, shown: str) -> None:
        self._file.begin().execute(
            "UPDATE records SET attributes = ?, shown = ?, listed = '' WHERE id = ?",
            (attributes, shown, number),
        )
        self._merge(number)
        self._outbox.announce_record(number)

    def add_page(self, number: int, form: int | None, statements: Sequence[Statement]) -> None:
        """Merge what the own page of a record states; other records change too where something proves to be a label only now."""
        stated = _to_json(statements) if statements else ""
        self._file.begin().execute("UPDATE records SET stated = ? WHERE id = ?", (stated, number))
        others: list[int] = []
        named = [each for each in statements if each.name]
        if form is not None and named:
            found = self._labels.of(form).learn(named)
            others = self._find_stating(form, found) if found else []
            self._labels.note_change(form)
        for each in {number, *others}:
            self._merge(each, form)

    def merge_again(self, number: int) -> None:
        """Merge what is stored of a record again: its detail has changed."""
        self._merge(number)

    def load_record(self, number: int) -> tuple[str, str, list[tuple[str, str]]]:
        """Return title, address and attributes of a record."""
        ((title, url, attributes),) = self._file.rows(
            "SELECT title, coalesce(url, key), attributes FROM records WHERE id = ?", (number,)
        )
        return str(title), str(url), [(name, value) for name, value in json.loads(str(attributes))]

    def load_stated(self, number: int) -> tuple[str, list[tuple[str, str]]]:
        """Return the title of a record, and those of its attributes that its own page states."""
        title, _, attributes = self.load_record(number)
        *_, stated = self._load(number)
        said = {(each[0], each[1]) for each in json.loads(stated or "[]")}
        return title, [pair for pair in attributes if pair in said]

    def save(self) -> None:
        """Write what was learnt about the records of forms."""
        self._labels.save()
        self._echoes.save()

    def _merge(self, number: int, form: int | None = None) -> None:
        """Merge again what is stored of a record."""
        attributes, shown, listed, stated = self._load(number)
        if form is None:
            form = self._form_of(number)
        before = json.loads(listed or attributes)
        statements = [Statement(*each) for each in json.loads(stated or "[]")]
        page = self._labels.of(form).choose(statements) if form is not None else []
        echoes = self._echoes.of(form).names if form is not None else frozenset[str]()
        ((detail,),) = self._file.rows("SELECT coalesce(detail, '') FROM records WHERE id = ?", (number,))
        own, labelled = " ".join(str(detail).split()), {each.value for each in statements if each.name}
        bodies = [
            each.value
            for each in statements
            if not each.name and each.value in own and each.value not in labelled
        ]
        answer = [(name, value) for name, value in before if name not in echoes]
        merged = merge_page(answer, json.loads(shown), page, bodies)
        new, conflicts = _to_json(merged.attributes), _to_json(merged.conflicts) if merged.conflicts else ""
        is_new = new != attributes
        self._file.begin().execute(
            "UPDATE records SET attributes = ?, listed = ?, conflicts = ? WHERE id = ?",
            (new, listed or attributes if json.loads(new) != before else "", conflicts, number),
        )
        if is_new:
            self._outbox.announce_record(number)

    def _find_stating(self, form: int, names: Collection[str]) -> list[int]:
        """Return the records of a form whose own pages have one of some labels."""
        rows = self._file.rows(
            "SELECT DISTINCT records.id FROM submissions JOIN records ON records.submission = submissions.id, json_each(?) AS name"
            " WHERE form = ? AND instr(stated, name.value)",
            (json.dumps([f"[{_to_json(name)}, " for name in names]), form),
        )
        return [cast("int", number) for (number,) in rows]

    def _find_listing(self, form: int, names: Collection[str]) -> list[int]:
        """Return the records of a form of which answers say one of some attributes."""
        rows = self._file.rows(
            "SELECT DISTINCT records.id FROM submissions JOIN records ON records.submission = submissions.id, json_each(?) AS name"
            " WHERE form = ? AND instr(CASE listed WHEN '' THEN records.attributes ELSE listed END, name.value)",
            (json.dumps([f"[{_to_json(name)}, " for name in names]), form),
        )
        return [cast("int", number) for (number,) in rows]

    def _load(self, number: int) -> tuple[str, str, str, str]:
        (row,) = self._file.rows(
            "SELECT attributes, shown, listed, stated FROM records WHERE id = ?", (number,)
        )
        return cast("tuple[str, str, str, str]", row)

    def _form_of(self, number: int) -> int | None:
        rows = self._file.rows(
            "SELECT s.form FROM records r JOIN submissions s ON s.id = r.submission WHERE r.id = ?", (number,)
        )
        return cast("int", rows[0][0]) if rows else None


def _labels_from_json(text: str) -> OwnLabels:
    if not text:
        return OwnLabels()
    stored: dict[str, Any] = json.loads(text)
    return OwnLabels(stored["pages"], {name: LabelUse(**use) for name, use in stored["labels"].items()})


def _echoes_from_json(text: str) -> QueryEchoes:
    stored: dict[str, Any] = json.loads(text or "{}")
    return QueryEchoes(set(stored.get("real", ())), Counter(stored.get("changed", {})))


def _echoes_to_json(echoes: QueryEchoes) -> str:
    return _to_json({"real": sorted(echoes.real), "changed": dict(echoes.changed)})


def _to_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
