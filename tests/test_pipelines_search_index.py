"""The process that writes the index runs beside a crawl that has something to index, and only then."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from scrapy.utils.test import get_crawler

from hiddenweb.pipelines.search_index import SearchIndexPipeline
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path


def test_a_crawl_without_pages_starts_no_process_and_makes_no_index(tmp_path: Path) -> None:
    crawler = get_crawler()
    assert crawler.stats is not None
    with Store(tmp_path / "state") as store:
        pipeline = SearchIndexPipeline(store, crawler.stats, write=True, patience=1.0)

        pipeline._check_process()
        asyncio.run(pipeline._finish())

    assert not (tmp_path / "state" / "index").exists()
