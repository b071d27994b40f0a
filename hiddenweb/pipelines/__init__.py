"""What happens to fetched pages and records, in the order of settings.py; docs/architecture.md shows the whole way. The last pipeline completes the task."""
