"""Which addresses wait, how fast hosts are visited, and when a site has had enough requests."""
