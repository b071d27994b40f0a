"""Extractors and what they find, for people and for programs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from bookshop import new_page, page
from shop_state import BOOKS, REGION, fill_shop, url_of

from hiddenweb.html.document import read_layout
from hiddenweb.reports.extraction import (
    NONE,
    NoSuchThing,
    extractor_facts,
    extractor_lines,
    facts_of_extraction,
    facts_of_test,
    lines_of_extraction,
    lines_of_test,
    load_extractor,
    preview_facts,
    preview_lines,
    state_in_words,
    table,
)
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from hiddenweb.extraction.extractor import Extraction, Extractor


@pytest.fixture(scope="module")
def extractors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ExtractorStore]:
    folder: Path = tmp_path_factory.mktemp("shop")
    with Store(folder / "state") as store:
        fill_shop(store)
        yield ExtractorStore(store)


def extractor_of(extractors: ExtractorStore) -> Extractor:
    """The extractor of the books."""
    found = load_extractor(extractors, "books").extractor
    assert found is not None
    return found


def extract(extractors: ExtractorStore, html: str) -> Extraction:
    """What the extractor finds on a page."""
    return extractor_of(extractors).read(read_layout(html.encode()))


def test_an_extractor_that_is_not_there_is_named_with_those_that_are(extractors: ExtractorStore) -> None:
    with pytest.raises(NoSuchThing, match="there is no extractor 'boats'; there are books"):
        load_extractor(extractors, "boats")


def test_facts_of_an_extractor_can_be_written_as_json(extractors: ExtractorStore) -> None:
    facts = json.loads(json.dumps(extractor_facts(load_extractor(extractors, "books"), BOOKS, BOOKS)))

    assert (facts["name"], facts["site"], facts["pages"], facts["entries"]) == (
        "books",
        "shop.example",
        BOOKS,
        BOOKS,
    )
    assert list(facts["attributes"]) == [name for name, _ in REGION.attributes]
    assert facts["shown"] == {name: list(texts) for name, texts in REGION.attributes}


def test_lines_say_what_an_extractor_extracted(extractors: ExtractorStore) -> None:
    lines = list(extractor_lines(load_extractor(extractors, "books"), BOOKS, 1))

    assert lines[0].startswith("books: shop.example, made by a person, ")
    assert f"1 entry extracted from {BOOKS} pages" in "\n".join(lines)


def test_an_extractor_without_a_pattern_shows_its_example(extractors: ExtractorStore) -> None:
    waiting = replace(load_extractor(extractors, "books"), extractor=None, state="waiting")

    lines = list(extractor_lines(waiting, 0, 0))

    assert lines[0].endswith("waits for its page")
    assert lines[1].endswith(f"shown on {REGION.page}")
    assert extractor_facts(waiting, 0, 0)["kind"] is None


@pytest.mark.parametrize(("state", "words"), [("put_off", "suspended"), ("watched", "watched")])
def test_states_are_shown_in_words(state: str, words: str) -> None:
    assert state_in_words(state) == words


def test_a_preview_counts_on_how_many_pages_each_attribute_was_found(extractors: ExtractorStore) -> None:
    found, extractor = extract(extractors, page(3)), extractor_of(extractors)
    pages = [(url_of(3), found), (url_of(4), extract(extractors, "<p>nothing</p>"))]

    lines = list(preview_lines(extractor, pages))

    assert lines[-1].startswith("Found: ")
    assert lines[-1].endswith("on 1, of 2 pages.")
    facts = preview_facts(extractor, url_of(3), found)
    assert (facts["page"], facts["is_member"], facts["missing"]) == (url_of(3), True, [])


def test_a_page_of_another_kind_is_said_not_to_match(extractors: ExtractorStore) -> None:
    extractor, found = extractor_of(extractors), extract(extractors, "<p>nothing</p>")

    lines = list(lines_of_test(extractor, "http://shop.example/about", found, None))

    assert lines[0] == "http://shop.example/about"
    assert any("is at no address of this extractor" in line for line in lines)
    assert any("nothing would be extracted" in line for line in lines)
    facts = facts_of_test(extractor, "http://shop.example/about", found, None)
    assert (facts["is_at_its_address"], facts["is_member"], facts["decision"]) == (False, False, None)


def test_a_page_of_the_template_is_shown_with_all_its_values(extractors: ExtractorStore) -> None:
    extractor, found = extractor_of(extractors), extract(extractors, page(5))

    lines = list(lines_of_test(extractor, url_of(5), found, None))

    assert len(lines) == 1 + len(extractor.attributes)
    for values in found.entries[0].values.values():
        assert any(values[0] in line for line in lines)


def test_extracted_records_are_a_table_that_marks_pages_that_differ(extractors: ExtractorStore) -> None:
    first, second = list(extractors.load_extracted())[:2]
    names = extractor_of(extractors).attributes

    plain = list(lines_of_extraction(names, [first, second]))
    marked = list(lines_of_extraction(names, [first, replace(second, deviates=True)]))

    assert len(plain) == 3
    assert plain[0].split() == ["page", *names]
    assert marked[-1].startswith("> ")


def test_a_value_that_is_not_there_is_said_to_be_none(extractors: ExtractorStore) -> None:
    first = next(iter(extractors.load_extracted()))

    lines = list(lines_of_extraction(["colour"], [first]))

    assert lines[1].endswith(NONE)


def test_facts_of_a_record_have_its_values_raw_and_typed(extractors: ExtractorStore) -> None:
    first, extractor = next(iter(extractors.load_extracted())), extractor_of(extractors)

    facts = json.loads(json.dumps(facts_of_extraction("books", extractor, first), default=str))

    assert facts["extractor"] == "books"
    assert set(facts["typed"]) == set(facts["attributes"]) == set(first.attributes)
    assert facts_of_extraction("books", None, first)["typed"] == {}


def test_a_table_without_rows_is_nothing() -> None:
    assert list(table(["page"], [])) == []


def test_the_new_template_is_no_page_of_the_old_extractor(extractors: ExtractorStore) -> None:
    found = extract(extractors, new_page(3))

    facts = preview_facts(extractor_of(extractors), url_of(3), found)

    assert len(facts["missing"]) > 0
