"""Finding attributes again by what is known of records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from record_pages import as_table, example_of, records, texts

from hiddenweb.extraction.induction import learn
from hiddenweb.extraction.repair import repair

if TYPE_CHECKING:
    Record = dict[str, list[str]]


NAMES = ("title", "publisher", "price", "year")


def redesign(record: Record) -> str:
    facts = "".join(f"<li><em>{record[name][0].replace('&', '&amp;')}</em> {name.title()}</li>" for name in ("year", "price", "publisher") if record[name])  # fmt: skip
    return f"<main><ol>{facts}</ol><h4>{record['title'][0]}</h4></main><footer>Contact</footer>"


def test_known_values_are_found_again_after_a_redesign() -> None:
    all_records = records()
    old_pages = [texts(as_table(record)) for record in all_records]
    new_pages = [texts(redesign(record)) for record in all_records]
    pattern = learn(old_pages[0], example_of(all_records[0], *NAMES), old_pages[1:])
    known = [pattern.values(page) for page in old_pages]

    repaired = repair(pattern, list(zip(new_pages[:7], known[:7], strict=True)))

    assert repaired.is_new
    assert repaired.found_by_new == repaired.known == 27  # a publisher is missing once
    assert repaired.found_by_old < 14
    assert [repaired.pattern.values(page) for page in new_pages[7:]] == known[7:]


def test_a_pattern_that_still_finds_everything_is_not_replaced() -> None:
    all_records = records()
    pages = [texts(as_table(record)) for record in all_records]
    pattern = learn(pages[0], example_of(all_records[0], *NAMES), pages[1:])
    known = [pattern.values(page) for page in pages]

    repaired = repair(pattern, list(zip(pages, known, strict=True)))

    assert not repaired.is_new
    assert repaired.pattern is pattern
    assert repaired.found_by_old == repaired.known


def test_nothing_known_repairs_nothing() -> None:
    pages = [texts(as_table(record)) for record in records()]
    pattern = learn(pages[0], example_of(records()[0], "price"), pages[1:])

    assert repair(pattern, []).pattern is pattern
    assert repair(pattern, [(texts("<p>Gone</p>"), {"price": ["5 €"]})]).pattern is pattern
