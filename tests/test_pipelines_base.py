from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.test import get_crawler

from hiddenweb.crawl_context import CrawlContext
from hiddenweb.pipelines.base import StatePipeline
from hiddenweb.pipelines.duplicates import DuplicatesPipeline

if TYPE_CHECKING:
    from pathlib import Path


def test_all_pipelines_of_a_crawl_write_into_one_store_and_count_in_one_place(tmp_path: Path) -> None:
    crawler = get_crawler(settings_dict={"HIDDENWEB_STATE": str(tmp_path / "state")})

    one, other = (made.from_crawler(crawler) for made in (StatePipeline, DuplicatesPipeline))

    assert one.store is other.store is CrawlContext.open(crawler).store
    assert one.stats is other.stats is crawler.stats
    assert type(other) is DuplicatesPipeline
    one.store.close()
