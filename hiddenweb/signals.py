"""What our parts tell each other through Scrapy's signals."""

host_paced = object()
"""A host asks for a slower pace. Arguments: place (its origin, str), delay (float, seconds between requests)."""
