"""Attributes extracted from pages of one template: learnt from examples, repaired, and watched for template changes."""
