"""What the changes of one answer mean for its site: records that other answers show are neither new nor gone.

News is a record that was never seen, a record that no answer shows any more, or a change that no other answer reported. Where a site shows only some of
its records, a record that left an answer may still exist: its own page is checked (`hiddenweb.revisit.record_checks`), if it has one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hiddenweb.revisit.answer_changes import find_surely_new
from hiddenweb.revisit.record_checks import RecordCheck
from hiddenweb.revisit.revisit_store import AnswerRevisit

if TYPE_CHECKING:
    from hiddenweb.model import Record
    from hiddenweb.revisit.answer_walk import AnswerWalk
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.record_checks import RecordChecks
    from hiddenweb.revisit.revisit import Revisit
    from hiddenweb.revisit.revisit_store import AnswerRecordStore


@dataclass(frozen=True, slots=True)
class AnswerNews:
    """The news of an answer: the revisit with the changes that are news, and what to save."""

    revisit: Revisit
    summary: AnswerRevisit
    records: tuple[Record, ...]  # that the answer shows now
    new: tuple[Record, ...]  # of these, those that were never seen

    @property
    def changed(self) -> int:
        """How many records changed in a way that is news, each once."""
        changes = self.revisit.outcome.changes
        return len({change.key for change in changes if change.kind == "record changed"})


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is known of an answer when its changes are judged."""

    walk: AnswerWalk
    site: int
    sure: frozenset[str]  # keys of records that are surely new
    is_whole: bool  # all its pages were read, now and before
    is_proof: bool  # a record that it no longer shows is gone


class AnswerJudge:
    """Decides which changes of an answer are news of its site."""

    def __init__(self, store: AnswerRecordStore, checks: RecordChecks | None) -> None:
        self._store = store
        self._checks = checks  # None: own pages are never fetched
        self._caps: dict[int, int] = {}  # records at which the answers of a form end
        self._not_seen = checks.not_seen if checks is not None else set()

    @property
    def not_seen(self) -> int:
        """How many records no answer shows any more, of which it is not proved that they are gone."""
        return len(self._not_seen)

    def judge(self, revisit: Revisit, walk: AnswerWalk, form: int | None) -> AnswerNews:
        """Return what the revisit of an answer means for its site, and update its records in the store."""
        outcome, before = revisit.outcome, revisit.before
        now = revisit.read.records if revisit.read is not None else ()
        is_capped = form is not None and self._is_capped(walk, form, len(now))
        is_whole = not walk.why and not is_capped and before is not None and before.is_whole
        added = [change.key for change in outcome.changes if change.kind == "record added"]
        lost = sum(change.kind == "record removed" for change in outcome.changes)
        # As many records came as left: the site probably shows a fixed number, whatever total it states.
        is_proof = is_whole and not (self._checks is not None and lost == len(added))
        sure = frozenset(added)
        if not is_whole:
            sure = find_surely_new(added, before.records if before is not None else (), now)
        answer = _Answer(walk, walk.item.task.site, sure, is_whole, is_proof)
        news = tuple(change for change in outcome.changes if self._is_news(change, answer))
        self._update_records(answer.site, outcome.changes, now)
        step = outcome.step if news or outcome.step != "changed" else "only_noise"
        why = walk.why or ("the site shows no more of any answer" if is_capped else "")
        return AnswerNews(
            replace(revisit, outcome=replace(outcome, step=step, changes=news)),
            _summarise(walk, why, outcome.changes, news),
            now,
            tuple(record for record in now if self._store.find_record(answer.site, record.key) is None),
        )

    def save(self, news: AnswerNews, walk: AnswerWalk) -> None:
        """Save which records an answer shows and what became of them; new records are saved already."""
        if news.revisit.read is not None:
            shown_records = news.records if not walk.why else walk.records()
            self._store.mark_shown(walk.submission, walk.item.task.site, shown_records)
        if not walk.is_unchanged:
            self._store.save_revisit(news.summary)

    def _update_records(self, site: int, changes: tuple[Change, ...], records: tuple[Record, ...]) -> None:
        changed = {change.key for change in changes if change.kind == "record changed"}
        for record in records:
            if record.key in changed:
                self._store.update_record(site, record)

    def _is_capped(self, walk: AnswerWalk, form: int, records: int) -> bool:
        """Return whether a site shows only the first records of an answer without saying so."""
        total = walk.first.total if walk.first is not None else None
        if total is not None and total <= records:
            return False
        if form not in self._caps:
            self._caps[form] = self._store.find_cap(form)
        return 0 < records == self._caps[form]

    def _is_news(self, change: Change, answer: _Answer) -> bool:
        """Return whether a change is news of the site."""
        if change.kind == "record added":
            stored_record = self._store.find_record(answer.site, change.key)
            return stored_record[1] if stored_record is not None else change.key in answer.sure
        if change.kind == "record removed":
            return self._is_gone(change, answer)
        if change.kind == "record changed":
            return not self._store.is_reported(answer.site, change, answer.walk.stored.at)
        return True

    def _is_gone(self, change: Change, answer: _Answer) -> bool:
        """Return whether a record that left an answer is gone; if that is not proved, start a check of its own page."""
        store, walk, site = self._store, answer.walk, answer.site
        is_proof = answer.is_proof or (answer.is_whole and store.find_detail_page(site, change.key) is None)
        miss = store.mark_missing(walk.submission, site, change.key, change.at, is_proof=is_proof)
        if miss == "not proved":
            self._not_seen.add((site, change.key))
            check = RecordCheck(change, walk.stored, walk.item.task, answer.is_whole)
            is_begun = self._checks is not None and self._checks.begin(check)
            if answer.is_whole and not is_begun:
                store.mark_gone(site, change.key, change.at)
                miss = "gone"
        if miss != "not proved":
            self._not_seen.discard((site, change.key))
        return miss == "gone"


def _summarise(
    walk: AnswerWalk, why: str, changes: tuple[Change, ...], news: tuple[Change, ...]
) -> AnswerRevisit:
    """Return the counts of what became of the records of an answer."""
    counts = Counter(change.kind for change in news)
    lost = sum(change.kind == "record removed" for change in changes)
    changed = {change.key for change in changes if change.kind == "record changed"}
    return AnswerRevisit(
        walk.submission, walk.item.at, walk.pages, not why, why, counts["record added"],
        counts["record removed"], len(changed), lost - counts["record removed"],
    )  # fmt: skip
