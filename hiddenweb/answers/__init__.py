"""What came back from a form: which of the eight cases an answer is, its total, its next page."""
