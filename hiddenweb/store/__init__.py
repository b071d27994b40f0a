"""The state of a crawl on disk."""
