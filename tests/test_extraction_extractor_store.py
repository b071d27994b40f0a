"""The store of extractors, as extraction wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shop_state import NOW, REGION

from hiddenweb.extraction.extractor_store import PERSON, WAITING
from hiddenweb.store.database import Store
from hiddenweb.store.extractors import ExtractorStore

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.extraction.extractor_store import ExtractionStore


def test_an_example_that_waits_for_its_page_is_stored_until_it_is_removed(tmp_path: Path) -> None:
    with Store(tmp_path) as opened:
        store: ExtractionStore = ExtractorStore(opened)

        number = store.add(REGION, None, NOW)

        (stored,) = store.all(name=REGION.name)
        assert (stored.number, stored.origin, stored.state, stored.example) == (
            number,
            PERSON,
            WAITING,
            REGION,
        )
        assert store.remove(REGION.name)
        assert store.all() == []
