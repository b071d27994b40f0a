"""What became of the records of an answer, over all its pages.

An answer is a set of records. Its other words, such as how many were found, facets, how long it took, are none, and neither is the place of a record in
it: a record that moved to another page is the same record. Two things that answers write into their records follow from the answer and not from the
record: its rank ("12."), and what the search computes for it ("93 %", "score: 17"). The first moves as the record moves. The second moves for most
records at once, since it depends on all of them; money never counts as such. A third is which lines of a record are shown
(`hiddenweb.revisit.excerpts`). And how long ago something was follows from the clock (`hiddenweb.revisit.relative_times`).

What an answer does not show any more is not gone for that. A site that shows the first hundred of a thousand shows others when one comes that is better, and
who reads ten pages of an answer does not know the eleventh. So of an answer that is known in part, only what stands before a record that was there
before can be said to be new, and nothing can be said to be gone.
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

_MIN_MOVED = 3  # records in which a number moved, for it to be one that the search computes; a limit of taste
_MIN_MOVED_SHARE = 0.5  # the same as a share of the records that were there before; a limit of taste


def join_records(pages: Iterable[Sequence[Record]]) -> tuple[Record, ...]:
    """Return the records of the pages of an answer in their order, each once."""
    found: dict[str, Record] = {}
    for page in pages:
        for record in page:
            found.setdefault(record.key, record)
    return tuple(found.values())


def add_unseen(before: Sequence[Record], now: Sequence[Record]) -> tuple[Record, ...]:
    """Return what is known of an answer after a revisit of a part of it: what was not seen stays as it was."""
    return join_records((now, before))


def keep_record_changes(
    outcome: ComparisonOutcome, before: Sequence[Record], now: Sequence[Record]
) -> ComparisonOutcome:
    """Return what came of a revisit of an answer without what is no change of its records; of an answer without any, words are all there is."""
    if not before and not now:
        return outcome
    computed = _find_computed(outcome.changes, before, now)
    excerpts = Excerpts(before, now)
    changes = tuple(
        change
        for change in outcome.changes
        if change.kind != "content"
        and change not in computed
        and not (change.kind == "record changed" and _says_the_same(change, excerpts))
    )
    if len(changes) == len(outcome.changes):
        return outcome
    step = outcome.step if changes or outcome.step != "changed" else "only_noise"
    return replace(outcome, step=step, changes=changes)


def find_surely_new(keys: Iterable[str], before: Sequence[Record], now: Sequence[Record]) -> frozenset[str]:
    """Return those of the keys that an answer known in part did not have before: they stand before a record that it had.

    What stands behind all of them may have been there all the time, behind what was read.
    """
    had = {record.key for record in before}
    last = max((place for place, record in enumerate(now) if record.key in had), default=-1)
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
    """Return the changes of records whose numbers follow from the answer: their ranks, and what moved in most of them."""
    moved = {change: numbers for change in changes if (numbers := _find_moved_numbers(change))}
    if not moved:
        return frozenset()
    places_of = _places(before, now)
    common = len(places_of)
    times = Counter(
        place
        for numbers in moved.values()
        for place in {each for number in numbers for each in number.places}
    )
    often = {
        place for place, count in times.items() if count >= _MIN_MOVED and count >= _MIN_MOVED_SHARE * common
    }
    return frozenset(
        change
        for change, numbers in moved.items()
        if all(
            not often.isdisjoint(number.places) or _is_rank(number.old, number.new, places_of.get(change.key))
            for number in numbers
        )
    )


def _says_the_same(change: Change, excerpts: Excerpts) -> bool:
    """Say whether a record changed only in which part of it is shown, or in how long ago something was."""
    return only_time_passed(change.before, change.after) or excerpts.are_of_one_text(
        change.before, change.after, is_value=bool(change.attribute)
    )


def _places(before: Sequence[Record], now: Sequence[Record]) -> dict[str, tuple[int, int]]:
    """Return the place that each record had and has, counted from 0."""
    was = {record.key: place for place, record in enumerate(before)}
    return {record.key: (was[record.key], place) for place, record in enumerate(now) if record.key in was}


def _is_rank(old: str, new: str, places: tuple[int, int] | None) -> bool:
    """Say whether a number moved as its record did, or is its place now: of an answer that was seen in part, former places are not known."""
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
    ]  # by which it is found in other records: the words around it, its turn from the first or the last number


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
    """Return what names a number in all records; one that tells of something which happened is not at the place of those that follow the clock."""
    beside = f"{label}\n{'younger ' if became_younger(was.value, now.value) else ''}"
    return (f"{beside}{was.place}", f"{beside}{at} from the first", f"{beside}{count - at} from the last")


def _mask_numbers(text: str, numbers: Sequence[VisibleNumber]) -> str:
    for number in numbers:
        text = text.replace(number.value, "#", 1)
    return text
