"""Notifications of changes: rules, feeds, digests."""
