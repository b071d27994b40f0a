"""What comes out of the extraction from one page."""

from __future__ import annotations

from hiddenweb.extraction.extractor import ExtractedEntry
from hiddenweb.extraction.extractor_store import CRAWL, PERSON
from hiddenweb.extraction.page_extraction import ExtractedValues, PageOutcome


def values(origin: str = PERSON, *, is_list: bool = False) -> ExtractedValues:
    entry = ExtractedEntry({"title": ["The River"], "author": ["Jane Smith", "John Doe"]}, {})
    return ExtractedValues("books", origin, (entry,), is_list, True)


def test_a_page_about_one_record_gives_it_attributes_and_a_list_does_not() -> None:
    outcome = PageOutcome((values(), values(is_list=True), values(CRAWL)))

    assert outcome.attributes == (("title", "The River"), ("author", "Jane Smith"), ("author", "John Doe"))
    assert PageOutcome((values(is_list=True),)).attributes == ()
