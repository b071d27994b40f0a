"""What people see of a running crawl, and how site owners can reach its operator."""
