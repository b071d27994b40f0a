"""Stage one: which site to visit next."""
