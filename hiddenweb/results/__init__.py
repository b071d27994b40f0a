"""What came back: the kind of an answer, its records, its next page."""
