"""Fetching under one address guard: HTTP, robots.txt, sitemaps."""
