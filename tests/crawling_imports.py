"""Imports what `scrapy crawl` does, for crawls that are forked from whoever did so."""

from __future__ import annotations

from importlib import import_module

from scrapy.utils.misc import walk_modules_iter

OURS = (
    "commands", "spiders", "middlewares", "pipelines",
    "scheduler", "fingerprinter", "download_handler", "extensions", "contracts",
)  # fmt: skip

import_module("scrapy.cmdline")
import_module("uvloop")
for _name in OURS:
    for _ in walk_modules_iter(f"hiddenweb.{_name}"):
        pass
