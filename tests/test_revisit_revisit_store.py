"""The store of the records of answers that revisits use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_answers import MemoryAnswers

from hiddenweb.store.answers import AnswerStore
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.revisit.revisit_store import AnswerRecordStore


def test_the_stores_on_disk_and_in_memory_implement_the_protocol(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        stores: list[AnswerRecordStore] = [AnswerStore(store), MemoryAnswers()]

        assert [each.find_record(1, "nobody") for each in stores] == [None, None]
        assert [each.load_further_pages(1) for each in stores] == [[], []]
        assert [each.find_detail_page(1, "nobody") for each in stores] == [None, None]
