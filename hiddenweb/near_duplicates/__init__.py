"""Whether two texts say the same: sketches to find candidates, comparison to decide."""
