"""Querying forms: what to ask, what was learnt, how much of the database is covered."""
