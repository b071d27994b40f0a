"""Keeping what an answer holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.identity import canonical
from hiddenweb.items import Visit
from hiddenweb.pipelines import StatePipeline
from hiddenweb.storage.sqlite import text_hash

if TYPE_CHECKING:
    from hiddenweb.items import Record


class RecordsPipeline(StatePipeline):
    """Puts the records of an answer into the store, each once, and lets the index know the new ones."""

    def process_item(self, item: object) -> object:
        if isinstance(item, Visit) and item.outcome and item.errand.submission is not None:
            self._note_answer(item, item.errand.submission)
        return item

    def _note_answer(self, visit: Visit, submission: int) -> None:
        self.stats.inc_value(f"hiddenweb/answers/{visit.outcome}")
        self.state.answered(submission, visit.outcome, visit.outcome_why, visit.at, total=visit.total)
        new = self.state.keep_records(
            visit.errand.site, visit.records, submission=submission, page=visit.kept_as, at=visit.at
        )
        for number, record in new:
            self.state.keep_record_document(number, _document_key(record), _digest(record))
        self.stats.inc_value("hiddenweb/records/new", len(new))
        self.stats.inc_value("hiddenweb/records/seen", len(visit.records) - len(new))


def _document_key(record: Record) -> str:
    """Return the key under which a record is found: that of its own page, which may take its place."""
    return canonical(record.url) if record.url else f"record:{record.key}"


def _digest(record: Record) -> str:
    return f"{text_hash(record.title + chr(0) + record.text) & 0xFFFFFFFFFFFFFFFF:016x}"
