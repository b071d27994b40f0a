"""Querying forms: what to submit, what was learnt, how much of the database is covered."""
