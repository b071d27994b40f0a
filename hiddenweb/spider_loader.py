"""Finding spiders without importing all of them: what one spider needs, a command about another does not load."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from scrapy.spiderloader import SpiderLoader

if TYPE_CHECKING:
    import builtins

    from scrapy import Request, Spider


class NamedModuleLoader(SpiderLoader):
    """Takes a module of SPIDER_MODULES for a spider of that name, and imports it when that is wanted; packages as Scrapy does."""

    def _load_all_spiders(self) -> None:
        self._modules = {name.rpartition(".")[2]: name for name in self.spider_modules if _is_module(name)}
        self.spider_modules = [name for name in self.spider_modules if not _is_module(name)]
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


def _is_module(name: str) -> bool:
    """Say whether a name is that of a module and no package; what is not there is left to Scrapy, which complains."""
    spec = find_spec(name)
    return spec is not None and spec.submodule_search_locations is None
