"""What can be typed after `scrapy`: one command per module."""
