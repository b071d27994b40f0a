"""What became of the records of an answer, over all its pages.

An answer is compared as a set of records. Its other words, such as the number of results, facets or the search time, do not count, and neither does the
position of a record: a record that moved to another page is the same record. Some values in a record depend on the answer and not on the record:
its rank ("12."), which changes as the record moves; a score that the search computes ("93 %", "score: 17"), which changes for most records at once
(money never counts as a score); and which lines of the record are shown (`hiddenweb.revisit.excerpts`). An age ("2 days ago") depends on the clock
(`hiddenweb.revisit.relative_times`). None of these is reported.

A record that an answer no longer shows is not always gone. A site that shows only the first hundred of a thousand results shows others when a better one is
added, and after ten pages of an answer the eleventh is unknown. So in an answer that was read in part, a record is new only if it stands before a record
that was there at the last revisit, and no record counts as gone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from hiddenweb.revisit.excerpts import Excerpts
from hiddenweb.revisit.parts import START, numbers_in
from hiddenweb.revisit.relative_times import became_younger, only_time_passed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.model import Record
    from hiddenweb.revisit.change import Change
    from hiddenweb.revisit.comparison import ComparisonOutcome
    from hiddenweb.revisit.parts import VisibleNumber

_MIN_MOVED = 3  # records in which a number must change to count as computed by the search; a limit of taste
_MIN_MOVED_SHARE = 0.5  # the same as a share of the records that were there before; a limit of taste


def join_records(pages: Iterable[Sequence[Record]]) -> tuple[Record, ...]:
    """Return the records of the pages of an answer in their order, each once."""
    found: dict[str, Record] = {}
    for page in pages:
        for record in page:
            found.setdefault(record.key, record)
    return tuple(found.values())


def add_unseen(before: Sequence[Record], now: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records of an answer after a part of it was revisited: those that were not seen stay."""
    return join_records((now, before))


def keep_record_changes(
    outcome: ComparisonOutcome, before: Sequence[Record], now: Sequence[Record]
) -> ComparisonOutcome:
    """Return the outcome of a revisit with the changes of records only; an answer without records keeps its changes of words."""
    if not before and not now:
        return outcome
    computed = _find_computed(outcome.changes, before, now)
    excerpts = Excerpts(before, now)
    changes = tuple(
        change
        for change in outcome.changes
        if change.kind != "content"
        and change not in computed
        and not (change.kind == "record changed" and _is_same_text(change, excerpts))
    )
    if len(changes) == len(outcome.changes):
        return outcome
    step = outcome.step if changes or outcome.step != "changed" else "only_noise"
    return replace(outcome, step=step, changes=changes)


def find_surely_new(keys: Iterable[str], before: Sequence[Record], now: Sequence[Record]) -> frozenset[str]:
    """Return the keys of records that are surely new in an answer that was read in part: they stand before an old record.

    Records after the last old one may have been there before, on pages that were not read.
    """
    old_keys = {record.key for record in before}
    last = max((place for place, record in enumerate(now) if record.key in old_keys), default=-1)
    ahead = {record.key for record in now[: last + 1]}
    return frozenset(key for key in keys if key in ahead)


def count_in_words(added: int, removed: int, changed: int, perhaps_gone: int = 0) -> str:
    """Return what became of records in a few words.

    >>> count_in_words(3, 1, 15), count_in_words(0, 0, 0, 2), count_in_words(0, 0, 0)
    ('3 new, 1 gone, 15 changed', '2 perhaps gone', 'no record changed')
    """
    counts = ((added, "new"), (removed, "gone"), (changed, "changed"), (perhaps_gone, "perhaps gone"))
    return ", ".join(f"{count:,} {what}" for count, what in counts if count) or "no record changed"


def _find_computed(
    changes: Iterable[Change], before: Sequence[Record], now: Sequence[Record]
) -> frozenset[Change]:
    """Return the changes that come from the answer itself: ranks, and numbers that changed in most records."""
    moved = {change: numbers for change in changes if (numbers := _find_moved_numbers(change))}
    if not moved:
        return frozenset()
    places_of = _places(before, now)
    common_count = len(places_of)
    change_counts = Counter(
        place
        for numbers in moved.values()
        for place in {each for number in numbers for each in number.places}
    )
    common_places = {
        place
        for place, count in change_counts.items()
        if count >= _MIN_MOVED and count >= _MIN_MOVED_SHARE * common_count
    }
    return frozenset(
        change
        for change, numbers in moved.items()
        if all(
            not common_places.isdisjoint(number.places)
            or _is_rank(number.old, number.new, places_of.get(change.key))
            for number in numbers
        )
    )


def _is_same_text(change: Change, excerpts: Excerpts) -> bool:
    """Return whether a record changed only in its excerpt or in an age."""
    return only_time_passed(change.before, change.after) or excerpts.are_of_one_text(
        change.before, change.after, is_value=bool(change.attribute)
    )


def _places(before: Sequence[Record], now: Sequence[Record]) -> dict[str, tuple[int, int]]:
    """Return the old and the new position of each record, counted from 0."""
    was = {record.key: place for place, record in enumerate(before)}
    return {record.key: (was[record.key], place) for place, record in enumerate(now) if record.key in was}


def _is_rank(old: str, new: str, places: tuple[int, int] | None) -> bool:
    """Return whether a number changed as the position of its record did, or equals its position now: the old one may be unknown."""
    if places is None or not (old.isdecimal() and new.isdecimal()):
        return False
    before, now = places
    return int(new) - int(old) == now - before != 0 or int(new) - now in (0, 1)


class _Moved(NamedTuple):
    """A number of a record that changed."""

    old: str
    new: str
    places: tuple[
        str, ...
    ]  # that identify it in other records: the words around it, its index from the first or the last number


def _find_moved_numbers(change: Change) -> tuple[_Moved, ...]:
    """Return the numbers of a record that changed; none if other words changed too, or money."""
    if change.kind != "record changed":
        return ()
    old = numbers_in(change.before, change.attribute or START)
    new = numbers_in(change.after, change.attribute or START)
    if len(old) != len(new) or _mask_numbers(change.before, old) != _mask_numbers(change.after, new):
        return ()
    pairs = [
        (at, was, now) for at, (was, now) in enumerate(zip(old, new, strict=True)) if was.value != now.value
    ]
    if any(was.is_money or now.is_money for _, was, now in pairs):
        return ()
    return tuple(
        _Moved(was.value, now.value, _places_of_number(change.attribute, at, len(old), was, now))
        for at, was, now in pairs
    )


def _places_of_number(
    label: str, at: int, count: int, was: VisibleNumber, now: VisibleNumber
) -> tuple[str, ...]:
    """Return the names of a number's place, the same in all records; ages that became younger get places of their own."""
    prefix = f"{label}\n{'younger ' if became_younger(was.value, now.value) else ''}"
    return (f"{prefix}{was.place}", f"{prefix}{at} from the first", f"{prefix}{count - at} from the last")


def _mask_numbers(text: str, numbers: Sequence[VisibleNumber]) -> str:
    for number in numbers:
        text = text.replace(number.value, "#", 1)
    return text
