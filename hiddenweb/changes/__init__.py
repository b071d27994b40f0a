"""What changed on pages and in the records behind forms, and when it pays to look again."""
