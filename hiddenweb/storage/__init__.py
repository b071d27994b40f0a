"""What is kept: the state of a crawl, one module for each technology that can keep it."""
