"""What comes out of the extraction from one page."""

from __future__ import annotations

import pytest

from hiddenweb.extraction.extractor import ExtractedEntry
from hiddenweb.extraction.extractor_store import CRAWL, PERSON
from hiddenweb.extraction.page_extraction import ExtractedValues, PageOutcome


def values(origin: str = PERSON, *, is_list: bool = False, is_new: bool = True) -> ExtractedValues:
    entry = ExtractedEntry({"title": ["The River"], "author": ["Jane Smith", "John Doe"]}, {})
    return ExtractedValues("books", origin, (entry,), ({},), is_list, is_new)


def test_a_page_about_one_record_gives_it_attributes_and_a_list_does_not() -> None:
    outcome = PageOutcome((values(), values(is_list=True), values(CRAWL)))

    assert outcome.attributes == (("title", "The River"), ("author", "Jane Smith"), ("author", "John Doe"))
    assert PageOutcome((values(is_list=True),)).attributes == ()


@pytest.mark.parametrize(
    ("extracted", "is_reported"),
    [
        (values(), True),
        (values(is_new=False), False),
        (values(CRAWL), True),
        (values(CRAWL, is_list=True), False),  # the records of answers are reported already
        (values(PERSON, is_list=True), True),
    ],
)
def test_feeds_get_what_is_new_and_what_nobody_reported(
    extracted: ExtractedValues, is_reported: bool
) -> None:
    assert extracted.is_reported == is_reported
