"""Stage two: which link of a site to visit next."""
