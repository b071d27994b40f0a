"""Query policies: ways to choose the next query."""
