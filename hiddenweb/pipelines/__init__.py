"""What happens to fetched pages, in the order of settings.py. The last pipeline completes the task."""
