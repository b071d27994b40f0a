"""A Scrapy project that crawls the hidden web: the databases behind search forms."""

__version__ = "0.1.0"
