"""What happens to what came, in the order of settings.py. The last one ends the errand."""
