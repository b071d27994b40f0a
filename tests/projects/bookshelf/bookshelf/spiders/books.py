"""A spider as Scrapy's tutorial has it: it follows the links of a bookshop, and yields a title for each book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule

from hiddenweb.signals import change_found, form_found

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import TextResponse

    from hiddenweb.forms.stored_form import StoredForm
    from hiddenweb.revisit.change import Change


class BooksSpider(CrawlSpider):
    """Follows the shelves, and reads the books."""

    name = "books"
    rules = (
        Rule(LinkExtractor(allow=r"/shelf/")),
        Rule(LinkExtractor(allow=r"/book/"), callback="parse_book"),
    )

    def __init__(self, start: str = "", **others: Any) -> None:
        super().__init__(**others)
        self.start_urls = [start] if start else []

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.note_form, form_found)
        crawler.signals.connect(spider.note_change, change_found)
        return spider

    def note_form(self, form: StoredForm) -> None:
        """Hear of a form."""
        self.logger.info("heard of a form: may be submitted: %s", form.verdict.may_submit)

    def note_change(self, change: Change) -> None:
        """Hear of a change."""
        self.logger.info("heard of a change: %s", change.url)

    def parse_book(self, response: TextResponse) -> Iterator[dict[str, str]]:
        """Yield the title of a book."""
        yield {"title": response.css("title::text").get(""), "from": "the spider"}
