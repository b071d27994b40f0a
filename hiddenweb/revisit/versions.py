"""The differences between any two versions of a page.

They are compared as in a revisit, by parts and by records, but nothing counts as noise: a person who compares versions wants to see everything.
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

    parts: tuple[Edit, ...] = ()  # complete parts of the text, in the order of the new version
    records: tuple[RecordChange, ...] = ()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The words in which the parts differ."""
        return tuple(edit for part in self.parts for edit in word_edits(part.before, part.after))


def compare_versions(
    old: PageVersion, new: PageVersion, old_records: Iterable[Record] = (), new_records: Iterable[Record] = ()
) -> VersionDiff:
    """Return the differences between two versions and between their records."""
    found = _sort_differences(find_differences(old, new), old, new)
    return VersionDiff(
        tuple(Edit(each.before, each.after) for each in found), record_changes(old_records, new_records)
    )


def _sort_differences(found: Sequence[Difference], old: PageVersion, new: PageVersion) -> list[Difference]:
    """Return differences in the order of the new version; a removed part follows the part it followed before."""
    places: dict[str, float] = dict(zip(new.all_parts, count(), strict=False))
    replaced = {each.before: each.after for each in found if each.before and each.after}
    removed_places: dict[str, float] = {}
    last_place = -1.0
    for part in old.all_parts:
        last_place = places.get(replaced.get(part, part), last_place)
        removed_places.setdefault(part, last_place + 0.5)
    return sorted(
        found,
        key=lambda each: places[each.after] if each.after in places else removed_places.get(each.before, 0.0),
    )
