"""Records: repeated items of a page, their cells, attributes and typed values."""
