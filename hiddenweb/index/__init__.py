"""Full-text search over pages and records."""
