"""Somebody's project: it knows hiddenweb by its add-on only."""
