"""`scrapy crawl harvest -a sites=...`: asks the forms of given sites, and keeps what they answer."""

from __future__ import annotations

from hiddenweb.spiders.explore import ExploreSpider


class HarvestSpider(ExploreSpider):
    """Asks the search forms of the given sites, known ones first, and explores for more."""

    name = "harvest"
    custom_settings = {"HIDDENWEB_SUBMIT": True}  # noqa: RUF012  Scrapy declares it so
