"""Finding pages that were read before."""

from __future__ import annotations

from dataclasses import replace

from hiddenweb.model import Fetched
from hiddenweb.pipelines.base import StatePipeline


class DuplicatesPipeline(StatePipeline):
    """Marks pages that repeat another page of the site, exactly or nearly.

    A marked page is not stored and not indexed, and if it is exactly the same its links are not followed. Answers are
    never marked: two queries may well have one answer, and the ledger needs both.
    """

    def process_item(self, item: object) -> object:
        if not isinstance(item, Fetched) or item.page is None or item.task.kind in ("answer", "paging"):
            return item
        duplicate = self.store.pages.find_duplicate(item.task.site, item.task.link, item.page)
        if duplicate is None:
            return item
        self.stats.inc_value("hiddenweb/duplicates/exact" if duplicate.exact else "hiddenweb/duplicates/near")
        return replace(item, duplicate_of=duplicate.page, exact=duplicate.exact, duplicate_why=duplicate.why)
