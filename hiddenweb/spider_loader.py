"""Finding spiders without importing all of them: what one spider needs, a command about another does not load."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from scrapy.spiderloader import SpiderLoader

if TYPE_CHECKING:
    import builtins

    from scrapy import Request, Spider


OUR_SPIDERS = "hiddenweb.spiders."
"""How the names of modules begin that have the names of their spiders."""


class NamedModuleLoader(SpiderLoader):
    """Imports a spider of ours, whose name is that of its module, when it is wanted; other modules of SPIDER_MODULES as Scrapy does."""

    def _load_all_spiders(self) -> None:
        self._modules = {
            name.rpartition(".")[2]: name for name in self.spider_modules if _is_named_module(name)
        }
        self.spider_modules = [name for name in self.spider_modules if not _is_named_module(name)]
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


def _is_named_module(name: str) -> bool:
    """Say whether a module is one of ours that has the name of its spider; what is not there is left to Scrapy, which complains."""
    return name.startswith(OUR_SPIDERS) and find_spec(name) is not None
