"""Revisiting: when a page is fetched again, what changed, and what is noise."""
