"""Fetching by the rules: which addresses may be asked, how, how often, and what robots.txt says about it."""
