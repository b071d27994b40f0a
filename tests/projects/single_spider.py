"""A spider in a file of its own, for `scrapy runspider`."""

from visitors import WalkingSpider


class SingleSpider(WalkingSpider):
    """Walks from a start."""

    name = "single"
