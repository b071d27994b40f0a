"""Keeping what a page says."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.items import Visit
from hiddenweb.pipelines import StatePipeline


class PagesPipeline(StatePipeline):
    """Puts pages and their versions into the store."""

    def process_item(self, item: object) -> object:
        if not isinstance(item, Visit) or item.page is None:
            return item
        self.stats.inc_value("hiddenweb/pages/read")
        for mark in item.page.marks:
            self.stats.inc_value(f"hiddenweb/pages/marked/{mark}")
        return replace(item, kept_as=self.state.keep_page(item, item.page))
