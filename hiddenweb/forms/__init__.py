"""Forms: which may be submitted, what they send, and the request that sends it."""
