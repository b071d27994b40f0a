"""Whether two texts are near duplicates: sketches find candidates, comparison decides."""
