"""What can be crawled: one spider per module. None yet."""
