"""What came back from a form: which case an answer is, its total, its next page."""
