"""Noticing what we have read before."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.model import Fetched
from hiddenweb.pipelines.base import StatePipeline


class DuplicatesPipeline(StatePipeline):
    """Marks pages that say what another page of the site says, exactly or nearly.

    A marked page is not kept, not indexed, and if it is exactly the same its links are not followed. Answers are
    never marked: two questions may well have one answer, and the ledger wants to know.
    """

    def process_item(self, item: object) -> object:
        if not isinstance(item, Fetched) or item.page is None or item.task.kind in ("answer", "paging"):
            return item
        found = self.store.pages.find_duplicate(item.task.site, item.task.link, item.page)
        if found is None:
            return item
        self.stats.inc_value("hiddenweb/duplicates/exact" if found.exact else "hiddenweb/duplicates/near")
        return replace(item, duplicate_of=found.page, exact=found.exact, duplicate_why=found.why)
