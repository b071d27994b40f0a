"""The store of the records of answers, as revisits want it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_answers import MemoryAnswers

from hiddenweb.store.answers import AnswerStore
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

    from hiddenweb.revisit.revisit_store import AnswerRecordStore


def test_the_store_on_disk_and_the_one_in_memory_can_do_what_revisits_want(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        kinds: list[AnswerRecordStore] = [AnswerStore(store), MemoryAnswers()]

        assert [kind.find_record(1, "nobody") for kind in kinds] == [None, None]
        assert [kind.load_further_pages(1) for kind in kinds] == [[], []]
        assert [kind.find_detail_page(1, "nobody") for kind in kinds] == [None, None]
