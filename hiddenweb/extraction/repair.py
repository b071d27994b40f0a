"""Finding the attributes of a site again after its pages were rebuilt.

What records said is known from earlier visits. Those values are looked for in the new pages of the same records, and a new pattern is learnt from where they
stand. Several pages are tried as the one that shows the attributes. The new pattern is taken only if it finds more of the known values than the old one does;
how many each found is the proof.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from hiddenweb.extraction.examples import Example, places_of
from hiddenweb.extraction.induction import TemplateSite, slots_for
from hiddenweb.extraction.list_induction import ListPattern, learn_list
from hiddenweb.extraction.pattern import AttributePattern
from hiddenweb.language.folding import fold_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hiddenweb.extraction.pattern import Slot
    from hiddenweb.html.layout import PageLayout
    from hiddenweb.html.texts import PageTexts

    RecordValues = Mapping[str, Sequence[str]]  # the values of each attribute of a record

P = TypeVar("P", AttributePattern, ListPattern)

# Known records of lists that are tried as the one that shows the attributes; a limit of taste
_MOST_SHOWN_RECORDS = 6
_MOST_SHOWN = 4  # pages that are tried as the one that shows an attribute; a limit of taste


@dataclass(frozen=True, slots=True)
class Repair(Generic[P]):
    """A pattern for new pages, and the proof that it is the better one."""

    pattern: P  # the old one, if no better one was found
    is_new: bool
    known: int  # values that should be found
    found_by_old: int
    found_by_new: int
    by_attribute: tuple[tuple[str, int, int, int], ...] = ()  # name, known, found by the old, by the new


def repair(
    pattern: AttributePattern,
    records: Sequence[tuple[PageTexts, RecordValues]],
    others: Sequence[PageTexts] = (),
) -> Repair[AttributePattern]:
    """Return a pattern that finds known values in the new pages of their records, if there is a better one than the old."""
    names = pattern.attributes
    wanted = {name: sum(1 for _, known in records if known.get(name)) for name in names}
    if not any(wanted.values()):
        return Repair(pattern, False, 0, 0, 0)
    old = _agreeing(names, [pattern.values(page) for page, _ in records], records)
    site = TemplateSite([*(page for page, _ in records), *others])
    learnt = AttributePattern(pattern.site, site.labels, ())
    slots: list[Slot] = []
    for name in names:
        kept = tuple(slot for slot in pattern.slots if slot.attribute == name)
        tried = [kept, *_learn_slots(site, name, records)]
        counts = [_count_found(replace(learnt, slots=each), site, records).get(name, 0) for each in tried]
        slots += tried[max(range(len(tried)), key=lambda at: (counts[at], at > 0, -at))]
    new_pattern = replace(learnt, slots=tuple(slots))
    new = _count_found(new_pattern, site, records)
    rows = tuple((name, wanted[name], old[name], new.get(name, 0)) for name in names)
    by_old, by_new = sum(old.values()), sum(new.values())
    best = new_pattern if by_new > by_old else pattern
    return Repair(best, by_new > by_old, sum(wanted.values()), by_old, by_new, rows)


def _learn_slots(
    site: TemplateSite, name: str, records: Sequence[tuple[PageTexts, RecordValues]]
) -> list[tuple[Slot, ...]]:
    """Return the places of an attribute as learnt from several records, each shown in turn."""
    known_values = {
        number: frozenset(map(fold_text, known[name]))
        for number, (_, known) in enumerate(records)
        if known.get(name)
    }
    showing = [
        number
        for number in sorted(known_values, key=lambda number: -len(known_values[number]))
        if all(places_of(text, records[number][0]) for text in records[number][1][name])
    ]
    step = max(1, len(showing) // _MOST_SHOWN)
    chosen = showing[:1] + [number for number in showing[step::step] if len(showing) > 1]
    return [
        tuple(slots_for(site, number, name, records[number][1][name], known_values=known_values))
        for number in chosen[:_MOST_SHOWN]
    ]


def _count_found(
    pattern: AttributePattern, site: TemplateSite, records: Sequence[tuple[PageTexts, RecordValues]]
) -> dict[str, int]:
    """Return of how many records a pattern with the labels of a site finds the known values, by attribute."""
    found = [pattern.values_among(site.tables[at].texts, site.rows_of(at)) for at in range(len(records))]
    return _agreeing(pattern.attributes, found, records)


def _agreeing(
    names: Iterable[str], found: Sequence[RecordValues], records: Sequence[tuple[PageTexts, RecordValues]]
) -> dict[str, int]:
    """Return of how many records exactly the known values were found, by attribute."""
    counts = dict.fromkeys(names, 0)
    for values, (_, known) in zip(found, records, strict=True):
        for name in counts:
            wanted = set(map(fold_text, known.get(name, ())))
            counts[name] += bool(wanted) and set(map(fold_text, values[name])) == wanted
    return counts


def repair_list(
    pattern: ListPattern, pages: Sequence[tuple[PageLayout, Sequence[RecordValues]]]
) -> Repair[ListPattern]:
    """Return a pattern that finds known records in new pages that list them, if there is a better one than the old."""
    names = pattern.attributes
    wanted = Counter(name for _, records in pages for known in records for name in names if known.get(name))
    old = _refound(pattern, pages)
    if not wanted:
        return Repair(pattern, False, 0, 0, 0)
    best, most = pattern, old
    for at, known in _showing(names, pages):
        if most.total() == wanted.total():
            break
        example = Example(pattern.pattern.site, "", tuple((name, tuple(known[name])) for name in names if known.get(name)))  # fmt: skip
        others = [layout for number, (layout, _) in enumerate(pages) if number != at]
        learnt = learn_list(pages[at][0], example, others)
        if learnt and set(learnt.attributes) <= set(names):
            again = _refound(learnt, pages)
            if again.total() > most.total():
                best, most = learnt, again
    rows = tuple((name, wanted[name], old[name], most[name]) for name in names)
    return Repair(best, best is not pattern, wanted.total(), old.total(), most.total(), rows)


def _showing(
    names: Sequence[str], pages: Sequence[tuple[PageLayout, Sequence[RecordValues]]]
) -> list[tuple[int, RecordValues]]:
    """Return the known records that show most, each with the number of its page, from several pages."""
    ranked = []
    for at, (layout, records) in enumerate(pages):
        whole = [
            known
            for known in records
            if all(places_of(value, layout.texts) for name in names for value in known.get(name, ()))
        ]
        whole.sort(key=lambda known: -sum(len(known.get(name, ())) for name in names))
        ranked += [(turn, at, known) for turn, known in enumerate(whole[:_MOST_SHOWN_RECORDS])]
    ranked.sort(key=lambda each: (-sum(bool(each[2].get(name)) for name in names), each[0], each[1]))
    return [(at, known) for _, at, known in ranked[:_MOST_SHOWN_RECORDS]]


def _refound(
    pattern: ListPattern, pages: Sequence[tuple[PageLayout, Sequence[RecordValues]]]
) -> Counter[str]:
    """Return of how many known records exactly the known values were found together, by attribute."""
    counts: Counter[str] = Counter()
    for layout, records in pages:
        entries = [
            {name: frozenset(map(fold_text, values)) for name, values in entry.values.items() if values}
            for entry in pattern.records(layout)
        ]
        for known in records:
            wanted = {name: frozenset(map(fold_text, values)) for name, values in known.items() if values}
            same = [
                [name for name in wanted if name in pattern.attributes and entry.get(name) == wanted[name]]
                for entry in entries
            ]
            counts.update(max(same, key=len) if same else ())
    return counts
