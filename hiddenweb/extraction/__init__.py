"""Attributes taken from pages of one template: by example, learnt, repaired, and watched for template changes."""
