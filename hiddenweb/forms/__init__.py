"""Forms: which may be asked, what to ask them, and the request that asks."""
