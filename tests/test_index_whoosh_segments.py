"""Segments that we write are read back, by us and by Whoosh itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from whoosh.index import open_dir
from whoosh.query import Term

from hiddenweb.index.query_parser import ParsedQuery
from hiddenweb.index.whoosh import WhooshIndex

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jsonlines_outbox import page
else:
    from tests.jsonlines_outbox import page

LIBRARY = [
    page("a.example/1", "The lost wax method is used for casting bronze."),
    page("b.example/1", "Glass is blown."),
    page("c.example/1", "Bronze age war, and coast to coast."),
]


@pytest.fixture
def index(tmp_path: Path) -> Iterator[WhooshIndex]:
    made = WhooshIndex.create(tmp_path)
    yield made
    made.close()


def test_whoosh_itself_can_read_what_we_write(index: WhooshIndex) -> None:
    index.update(LIBRARY)

    with open_dir(str(index.folder)).searcher() as searcher:
        found = searcher.search(Term("text", "bronz:en"), limit=None)
        assert sorted(found.docs()) == [0, 2]
        assert searcher.doc_frequency("text", "bronz:en") == 2
        assert searcher.doc_count() == len(LIBRARY)


def test_posting_lists_longer_than_a_block_are_read_back(index: WhooshIndex) -> None:
    documents = [
        page(f"a.example/{number}", "even " * (1 + number % 3) if number % 2 else "odd")
        for number in range(700)
    ]
    index.update(documents)
    index.update(documents[:50])

    assert index.search(ParsedQuery("even")).total == 350
    assert index.search(ParsedQuery("odd", limit=1000)).total == 350
    assert index.search(ParsedQuery("even OR odd")).total == 700
