"""The process that writes the index runs beside a crawl that has something to index, and only then."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from scrapy.utils.test import get_crawler

from hiddenweb.index.process import IndexingProcess
from hiddenweb.pipelines.search_index import HURRIED_SECONDS, SearchIndexPipeline
from hiddenweb.store.database import Store

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_crawl_without_pages_starts_no_process_and_makes_no_index(tmp_path: Path) -> None:
    crawler = get_crawler()
    assert crawler.stats is not None
    with Store(tmp_path / "state") as store:
        pipeline = SearchIndexPipeline(store, crawler.stats, write=True, patience=1.0)

        pipeline._check_process()
        asyncio.run(pipeline._finish())

    assert not (tmp_path / "state" / "index").exists()


def test_an_interrupted_crawl_waits_for_the_index_no_longer_than_a_moment(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crawler = get_crawler()
    assert crawler.stats is not None
    with Store(tmp_path / "state") as store:
        pipeline = SearchIndexPipeline(store, crawler.stats, write=True, patience=3600.0)
        (tmp_path / "state" / "index").mkdir()
        idle = subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(3600)"], stdin=subprocess.PIPE
        )
        pipeline._process = IndexingProcess(tmp_path / "state", idle)  # which has too much to do

        pipeline._hurry_from = time.monotonic() - HURRIED_SECONDS + 1.0  # Ctrl-C, nine seconds ago
        asyncio.run(pipeline._finish())

    assert idle.poll() is not None
    assert "the next crawl completes it" in caplog.text


def test_an_interrupt_counts_from_its_first_moment(tmp_path: Path) -> None:
    crawler = get_crawler()
    assert crawler.stats is not None
    with Store(tmp_path / "state") as store:
        pipeline = SearchIndexPipeline(store, crawler.stats, write=True, patience=3600.0)

        pipeline.hurry()
        first = pipeline._hurry_from
        pipeline.hurry()

        assert pipeline._hurry_from == first
