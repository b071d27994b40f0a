"""Imports and loads what `scrapy` does, for those who are forked from whoever did so."""

from __future__ import annotations

import gc
from importlib import import_module
from pathlib import Path

from scrapy.settings.default_settings import EXTENSIONS_BASE
from scrapy.utils.misc import load_object, walk_modules_iter

import hiddenweb
from hiddenweb.language.guess import guess_language
from hiddenweb.urls import registered_domain

OURS = (
    *(folder.parent.name for folder in sorted(Path(hiddenweb.__file__).parent.glob("*/__init__.py"))),
    "scheduler", "fingerprinter", "download_handler", "contracts",
)  # fmt: skip
"""Every part: what a command imports when it runs would else be imported by each that is forked."""

SCRAPYS = ("scrapy.cmdline", "scrapy.statscollectors", "twisted.internet.endpoints", "uvloop")

for _package in ("scrapy.commands", *(f"hiddenweb.{name}" for name in OURS)):
    for _ in walk_modules_iter(_package):
        pass
for _module in SCRAPYS:
    import_module(_module)
for _extension in EXTENSIONS_BASE:
    load_object(_extension)

registered_domain("http://www.example.org/")  # reads the list of suffixes
guess_language("words " * 100)  # loads the model
gc.freeze()  # or the first collection of each crawl would copy it all
