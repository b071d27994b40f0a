"""The commands of `scrapy`: one per module."""
