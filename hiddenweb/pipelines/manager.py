"""Other people's pipelines behind ours: what they do to an item of ours costs no page.

A project's pipelines know the items of its own spiders. Ours yield what became of a request (`Fetched`, `FetchFailure`), which most
of them cannot read. So an error there is logged once and counted, and a page goes on as it was. `DropItem` hides an item from the pipelines that follow.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import DropItem
from scrapy.pipelines import ItemPipelineManager
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.python import global_object_name

from hiddenweb.model import Fetched, FetchFailure

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

OURS = "hiddenweb.pipelines."
"""How the names of modules begin whose pipelines are ours."""


class PipelineManager(ItemPipelineManager):
    """Runs pipelines as Scrapy does, and holds other people's to account."""

    def _add_middleware(self, mw: Any) -> None:
        super()._add_middleware(mw)
        if not hasattr(mw, "process_item") or type(mw).__module__.startswith(OURS):
            return
        method = self.methods["process_item"].pop()
        assert method is not None
        contained = self._contain(method, global_object_name(type(mw)))
        if method in self._mw_methods_requiring_spider:
            self._mw_methods_requiring_spider.add(contained)
        self.methods["process_item"].append(contained)

    def _contain(self, method: Callable[..., Any], name: str) -> Callable[..., Any]:
        has_failed = False

        async def process_item(item: Any, *spider: Any) -> Any:
            nonlocal has_failed
            try:
                result = await ensure_awaitable(method(item, *spider))
            except DropItem:
                raise
            except Exception:  # whatever other people's code does with an item that it does not know
                assert self.crawler is not None
                self.crawler.stats.inc_value("hiddenweb/pipelines/failed")
                if not has_failed:
                    logger.exception(
                        "%s cannot take items of hiddenweb, which go on without it; it may return at once what"
                        " is no item of its project (docs/scrapy.md)",
                        name,
                    )
                has_failed = True
                return item
            is_known = isinstance(result, Fetched | FetchFailure) or not isinstance(
                item, Fetched | FetchFailure
            )
            return result if is_known else item

        return process_item
