"""What differs between any two versions of a page.

They are compared as revisits compare pages, by parts and by records, but nothing counts as noise: who compares wants to see all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from hiddenweb.revisit.change import Edit
from hiddenweb.revisit.diff import record_changes, word_edits
from hiddenweb.revisit.part_differences import find_differences

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hiddenweb.model import Record
    from hiddenweb.revisit.diff import RecordChange
    from hiddenweb.revisit.part_differences import Difference
    from hiddenweb.revisit.parts import PageVersion


@dataclass(frozen=True, slots=True)
class VersionDiff:
    """What differs between two versions of a page."""

    parts: tuple[Edit, ...] = ()  # of the text, each whole, in the order of the new version
    records: tuple[RecordChange, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The words in which the parts differ."""
        return tuple(edit for part in self.parts for edit in word_edits(part.before, part.after))


def compare_versions(
    old: PageVersion, new: PageVersion, old_records: Iterable[Record] = (), new_records: Iterable[Record] = ()
) -> VersionDiff:
    """Return what differs between two versions, with the records that each has."""
    found = _sort_differences(find_differences(old, new), old, new)
    return VersionDiff(
        tuple(Edit(each.before, each.after) for each in found), record_changes(old_records, new_records)
    )


def _sort_differences(found: Sequence[Difference], old: PageVersion, new: PageVersion) -> list[Difference]:
    """Return differences in the order of the new version; what went stands behind what it stood behind."""
    places: dict[str, float] = dict(zip(new.all_parts, count(), strict=False))
    replaced = {each.before: each.after for each in found if each.before and each.after}
    went: dict[str, float] = {}
    behind = -1.0
    for part in old.all_parts:
        behind = places.get(replaced.get(part, part), behind)
        went.setdefault(part, behind + 0.5)
    return sorted(
        found, key=lambda each: places[each.after] if each.after in places else went.get(each.before, 0.0)
    )
