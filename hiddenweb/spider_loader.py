"""Finding spiders without importing all of them: what one spider needs, a command about another does not load."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from scrapy.spiderloader import SpiderLoader

if TYPE_CHECKING:
    import builtins

    from scrapy import Request, Spider


PACKAGE = "hiddenweb.spiders"
"""Our spiders, and those that `scrapy genspider` makes in this project."""

OUR_SPIDERS = ("explore", "harvest", "locate", "revisit")
"""Modules of the package that have the names of their spiders."""

WITHOUT_SPIDERS = ("sitemaps",)
"""Modules of the package that have none."""


class NamedModuleLoader(SpiderLoader):
    """Imports a spider of ours, whose name is that of its module, when it is wanted; other modules of SPIDER_MODULES as Scrapy does."""

    def _load_all_spiders(self) -> None:
        modules = list(dict.fromkeys(module for name in self.spider_modules for module in _modules_in(name)))
        self._modules = {name.rpartition(".")[2]: name for name in modules if _is_named_module(name)}
        self.spider_modules = [name for name in modules if name not in self._modules.values()]
        super()._load_all_spiders()

    def load(self, spider_name: str) -> type[Spider]:
        """Return the class of a spider; raises KeyError."""
        if spider_name in self._modules and spider_name not in self._spiders:
            self._load_spiders(import_module(self._modules[spider_name]))
        return super().load(spider_name)

    def find_by_request(self, request: Request) -> builtins.list[str]:
        """Return the names of spiders that say that a request is theirs."""
        for name in self._modules:
            self.load(name)
        return super().find_by_request(request)

    def list(self) -> builtins.list[str]:
        """Return the names of all spiders."""
        return list(dict.fromkeys([*self._modules, *super().list()]))


def _modules_in(name: str) -> list[str]:
    """Return the modules of our package, without those that have no spider; any other name stands for itself."""
    if name != PACKAGE:
        return [name]
    folders = import_module(PACKAGE).__path__
    found = [module.name for module in iter_modules(folders) if module.name not in WITHOUT_SPIDERS]
    return [f"{PACKAGE}.{module}" for module in found]


def _is_named_module(name: str) -> bool:
    """Say whether a module is one of ours that has the name of its spider; what is not there is left to Scrapy, which complains."""
    package, _, module = name.rpartition(".")
    return package == PACKAGE and module in OUR_SPIDERS and find_spec(name) is not None
