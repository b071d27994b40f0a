"""What can be crawled: one spider per module."""
