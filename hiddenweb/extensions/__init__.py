"""The progress of a running crawl for people, and the contact of its operator for site owners."""
