"""Finding the attributes of a site again after a change of its template.

The values of records are known from earlier visits. They are searched in the new pages of the same records, and a new pattern is learnt from their
places. Several pages are tried as the example. The new pattern is used only if it finds more of the known values than the old one;
the two counts are the proof.
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

# Known records of lists that are tried as the example; a limit of taste
_MOST_EXAMPLE_RECORDS = 6
_MOST_EXAMPLES = 4  # pages that are tried as the example of an attribute; a limit of taste


@dataclass(frozen=True, slots=True)
class Repair(Generic[P]):
    """A pattern for new pages, and the proof that it is better."""

    pattern: P  # the old one, if no better one was found
    is_new: bool
    known: int  # values to find
    found_by_old: int
    found_by_new: int
    by_attribute: tuple[tuple[str, int, int, int], ...] = ()  # name, known, found by the old, by the new


def repair(
    pattern: AttributePattern,
    records: Sequence[tuple[PageTexts, RecordValues]],
    others: Sequence[PageTexts] = (),
) -> Repair[AttributePattern]:
    """Return a better pattern for the known values in the new pages of their records, or else the old one."""
    names = pattern.attributes
    known_counts = {name: sum(1 for _, known in records if known.get(name)) for name in names}
    if not any(known_counts.values()):
        return Repair(pattern, False, 0, 0, 0)
    old = _count_agreeing(names, [pattern.values(page) for page, _ in records], records)
    site = TemplateSite([*(page for page, _ in records), *others])
    learnt = AttributePattern(pattern.site, site.labels, ())
    slots: list[Slot] = []
    for name in names:
        old_slots = tuple(slot for slot in pattern.slots if slot.attribute == name)
        tried = [old_slots, *_learn_slots(site, name, records)]
        counts = [_count_found(replace(learnt, slots=each), site, records).get(name, 0) for each in tried]
        slots += tried[max(range(len(tried)), key=lambda at: (counts[at], at > 0, -at))]
    new_pattern = replace(learnt, slots=tuple(slots))
    new = _count_found(new_pattern, site, records)
    rows = tuple((name, known_counts[name], old[name], new.get(name, 0)) for name in names)
    by_old, by_new = sum(old.values()), sum(new.values())
    best = new_pattern if by_new > by_old else pattern
    return Repair(best, by_new > by_old, sum(known_counts.values()), by_old, by_new, rows)


def _learn_slots(
    site: TemplateSite, name: str, records: Sequence[tuple[PageTexts, RecordValues]]
) -> list[tuple[Slot, ...]]:
    """Return the places of an attribute as learnt from several records, each as the example in turn."""
    known_values = {
        number: frozenset(map(fold_text, known[name]))
        for number, (_, known) in enumerate(records)
        if known.get(name)
    }
    candidates = [
        number
        for number in sorted(known_values, key=lambda number: -len(known_values[number]))
        if all(places_of(text, records[number][0]) for text in records[number][1][name])
    ]
    step = max(1, len(candidates) // _MOST_EXAMPLES)
    chosen = candidates[:1] + [number for number in candidates[step::step] if len(candidates) > 1]
    return [
        tuple(slots_for(site, number, name, records[number][1][name], known_values=known_values))
        for number in chosen[:_MOST_EXAMPLES]
    ]


def _count_found(
    pattern: AttributePattern, site: TemplateSite, records: Sequence[tuple[PageTexts, RecordValues]]
) -> dict[str, int]:
    """Return for how many records a pattern with the labels of a site finds the known values, by attribute."""
    found = [pattern.values_among(site.tables[at].texts, site.rows_of(at)) for at in range(len(records))]
    return _count_agreeing(pattern.attributes, found, records)


def _count_agreeing(
    names: Iterable[str], found: Sequence[RecordValues], records: Sequence[tuple[PageTexts, RecordValues]]
) -> dict[str, int]:
    """Return for how many records exactly the known values were found, by attribute."""
    counts = dict.fromkeys(names, 0)
    for values, (_, known) in zip(found, records, strict=True):
        for name in counts:
            known_values = set(map(fold_text, known.get(name, ())))
            counts[name] += bool(known_values) and set(map(fold_text, values[name])) == known_values
    return counts


def repair_list(
    pattern: ListPattern, pages: Sequence[tuple[PageLayout, Sequence[RecordValues]]]
) -> Repair[ListPattern]:
    """Return a better pattern for the known records in new pages that list them, or else the old one."""
    names = pattern.attributes
    known_counts = Counter(
        name for _, records in pages for known in records for name in names if known.get(name)
    )
    old = _count_refound(pattern, pages)
    if not known_counts:
        return Repair(pattern, False, 0, 0, 0)
    best, most = pattern, old
    for at, known in _choose_examples(names, pages):
        if most.total() == known_counts.total():
            break
        example = Example(pattern.pattern.site, "", tuple((name, tuple(known[name])) for name in names if known.get(name)))  # fmt: skip
        others = [layout for number, (layout, _) in enumerate(pages) if number != at]
        learnt = learn_list(pages[at][0], example, others)
        if learnt and set(learnt.attributes) <= set(names):
            counts = _count_refound(learnt, pages)
            if counts.total() > most.total():
                best, most = learnt, counts
    rows = tuple((name, known_counts[name], old[name], most[name]) for name in names)
    return Repair(best, best is not pattern, known_counts.total(), old.total(), most.total(), rows)


def _choose_examples(
    names: Sequence[str], pages: Sequence[tuple[PageLayout, Sequence[RecordValues]]]
) -> list[tuple[int, RecordValues]]:
    """Return the known records with most attributes, each with the index of its page, from several pages."""
    ranked = []
    for at, (layout, records) in enumerate(pages):
        complete = [
            known
            for known in records
            if all(places_of(value, layout.texts) for name in names for value in known.get(name, ()))
        ]
        complete.sort(key=lambda known: -sum(len(known.get(name, ())) for name in names))
        ranked += [(turn, at, known) for turn, known in enumerate(complete[:_MOST_EXAMPLE_RECORDS])]
    ranked.sort(key=lambda each: (-sum(bool(each[2].get(name)) for name in names), each[0], each[1]))
    return [(at, known) for _, at, known in ranked[:_MOST_EXAMPLE_RECORDS]]


def _count_refound(
    pattern: ListPattern, pages: Sequence[tuple[PageLayout, Sequence[RecordValues]]]
) -> Counter[str]:
    """Return for how many known records exactly the known values were found together, by attribute."""
    counts: Counter[str] = Counter()
    for layout, records in pages:
        entries = [
            {name: frozenset(map(fold_text, values)) for name, values in entry.values.items() if values}
            for entry in pattern.records(layout)
        ]
        for known in records:
            known_values = {
                name: frozenset(map(fold_text, values)) for name, values in known.items() if values
            }
            agreements = [
                [
                    name
                    for name in known_values
                    if name in pattern.attributes and entry.get(name) == known_values[name]
                ]
                for entry in entries
            ]
            counts.update(max(agreements, key=len) if agreements else ())
    return counts
