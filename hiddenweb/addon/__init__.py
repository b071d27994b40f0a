"""The add-on for Scrapy: our spiders get all parts of ours, and any other spider those that its settings ask for.

A project lists it in its settings: `ADDONS = {"hiddenweb.addon.HiddenwebAddon": 500}`.
"""

from hiddenweb.addon.installation import HiddenwebAddon

__all__ = ["HiddenwebAddon"]
