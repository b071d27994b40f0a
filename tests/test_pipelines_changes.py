"""Comparing revisited pages with the stored ones."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler
from shop_state import NOW, keep, url_of

from hiddenweb.model import CrawlTask, Fetched, FetchFailure
from hiddenweb.pipelines.changes import ChangesPipeline
from hiddenweb.pipelines.extraction import PageExtraction
from hiddenweb.revisit.comparison import GonePolicy
from hiddenweb.revisit.page_readers import PageReaders
from hiddenweb.revisit.revisit import PageReadings, PageToRead, read_versions
from hiddenweb.store.database import Store
from hiddenweb.store.revisit_plan import DueRevisit
from hiddenweb.store.revisits import RevisitStore

if TYPE_CHECKING:
    from pathlib import Path

HTML = "<html><body><h1>Lamps</h1><p>A lamp of brass.</p><p>A shade of glass.</p><p>An old table.</p></body></html>"


class ReadersHere(PageReaders):
    """Reads pages in this process."""

    def __init__(self) -> None:
        super().__init__(1, 1, lambda: None, lambda _: None)

    async def read(self, wanted: PageToRead) -> PageReadings:
        """Return what a page says."""
        return read_versions(wanted)


class Revisiting:
    """A page that was read once and is revisited by the pipeline."""

    def __init__(self, store: Store) -> None:
        crawler = get_crawler(
            settings_dict={"HIDDENWEB_REPAIR": "auto", "HIDDENWEB_AUTOMATIC_EXTRACTORS": False}
        )
        self.store, self.stats = store, MemoryStatsCollector(crawler)
        self.pipeline = ChangesPipeline(
            store,
            self.stats,
            extraction=PageExtraction(store, crawler.settings, self.stats),
            readers=ReadersHere(),
            patience=GonePolicy(),
        )
        self.pipeline._masks = RevisitStore(store).changes.load_masks()
        keep(store, url_of(1), HTML)
        self.link, self.host = cast("tuple[int, int]", store.rows("SELECT id, host FROM links")[0])

    def revisit(self, body: str, at: float = NOW + 86_400, **more: object) -> object:
        """Plan a revisit, and pass its outcome to the pipeline."""
        RevisitStore(self.store).plan.add([DueRevisit(self.link, self.host, 0.0, 0.5)])
        task = CrawlTask(self.link, 1, self.host, url_of(1), is_revisit=True)
        item = Fetched(task, url_of(1), 200, at, body.encode(), content_type="text/html", **more)  # type: ignore[arg-type]
        return asyncio.run(self.pipeline.process_item(item))

    def counted(self, what: str) -> object:
        return self.stats.get_value(f"hiddenweb/revisits/{what}")


def test_other_items_pass_untouched(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        revisiting = Revisiting(store)
        task = CrawlTask(1, 1, 1, url_of(1))
        item = Fetched(task, url_of(1), 200, NOW)

        assert asyncio.run(revisiting.pipeline.process_item(item)) is item
        assert asyncio.run(revisiting.pipeline.process_item("anything")) == "anything"


def test_a_change_is_stored_and_counted_and_the_revisit_ends(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        revisiting = Revisiting(store)

        revisiting.revisit(HTML)
        revisiting.revisit(HTML.replace("brass", "copper"), NOW + 2 * 86_400)

        assert (revisiting.counted("same_bytes"), revisiting.counted("changed")) == (1, 1)
        (change,) = RevisitStore(store).changes.load_all()
        assert [(edit.before, edit.after) for edit in change.edits] == [("brass", "copper")]
        assert RevisitStore(store).plan.count() == 0


def test_a_revisit_that_failed_for_now_is_planned_again(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        revisiting = Revisiting(store)
        RevisitStore(store).plan.add([DueRevisit(revisiting.link, revisiting.host, 0.0, 0.5)])
        task = CrawlTask(revisiting.link, 1, revisiting.host, url_of(1), is_revisit=True)

        asyncio.run(revisiting.pipeline.process_item(FetchFailure(task, "status 503", NOW, retry_in=60.0)))

        assert revisiting.counted("postponed") == 1
        assert RevisitStore(store).plan.count() == 1


def test_a_page_that_breaks_the_comparison_costs_one_revisit(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        revisiting = Revisiting(store)

        class Broken(ReadersHere):
            async def read(self, wanted: PageToRead) -> PageReadings:
                raise ValueError(wanted.url)

        revisiting.pipeline._readers = Broken()

        revisiting.revisit(HTML.replace("brass", "copper"))

        assert revisiting.counted("unreadable") == 1
        assert RevisitStore(store).plan.count() == 0
