"""Stage two: which link of a site next, and when to stop."""
