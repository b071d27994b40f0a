"""Stage one: which site next."""
