"""Spiders are listed without importing them, and each has the name of its module."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.settings import Settings

import hiddenweb.settings
import hiddenweb.spiders
from hiddenweb.spider_loader import WITHOUT_SPIDERS, NamedModuleLoader

if TYPE_CHECKING:
    from pathlib import Path

SPIDERS = ["explore", "harvest", "locate", "revisit"]


def loader(*modules: str) -> NamedModuleLoader:
    return NamedModuleLoader.from_settings(Settings({"SPIDER_MODULES": list(modules)}))


def test_every_spider_has_the_name_of_its_module() -> None:
    ours = loader(*hiddenweb.settings.SPIDER_MODULES)

    assert ours.list() == SPIDERS
    assert [ours.load(name).name for name in SPIDERS] == SPIDERS


def test_no_spider_is_missing_from_the_settings(root: Path) -> None:
    spiders = {
        path.stem
        for path in (root / "hiddenweb/spiders").glob("*.py")
        if "Spider):" in path.read_text(encoding="utf-8")
    }

    assert spiders == set(SPIDERS)


def test_listing_spiders_imports_none_of_them(root: Path) -> None:
    code = (
        "import sys; from scrapy.settings import Settings; from hiddenweb import settings;"
        "from hiddenweb.spider_loader import NamedModuleLoader as Loader;"
        "Loader(Settings({'SPIDER_MODULES': settings.SPIDER_MODULES})).list();"
        "print([name for name in sys.modules if name.startswith('hiddenweb.spiders.')])"
    )

    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_packages_are_loaded_as_scrapy_does() -> None:
    assert sorted(loader("hiddenweb.spiders").list()) == SPIDERS


def test_a_spider_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError, match="films"):
        loader(*hiddenweb.settings.SPIDER_MODULES).load("films")
    with pytest.raises(ImportError):
        loader("hiddenweb.spiders.films")


def test_a_spider_that_somebody_adds_to_the_package_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "films.py").write_text("import scrapy\n\nclass Films(scrapy.Spider):\n    name = 'films'\n")
    monkeypatch.setattr(hiddenweb.spiders, "__path__", [*hiddenweb.spiders.__path__, str(tmp_path)])

    ours = loader("hiddenweb.spiders")

    assert ours.list() == [*SPIDERS, "films"]
    assert ours.load("films").__module__ == "hiddenweb.spiders.films"


def test_the_modules_of_the_package_without_a_spider_are_named(root: Path) -> None:
    others = {path.stem for path in (root / "hiddenweb/spiders").glob("[!_]*.py")} - set(SPIDERS)

    assert others == set(WITHOUT_SPIDERS)


def test_spiders_are_asked_whether_a_request_is_theirs() -> None:
    ours = loader(*hiddenweb.settings.SPIDER_MODULES)

    assert ours.find_by_request(Request("https://a.example/")) == []
