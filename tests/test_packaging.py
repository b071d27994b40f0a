"""The wheel holds all that it needs; in a fresh venv its commands work in any project, and in none."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import zipfile
from email.parser import HeaderParser
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fresh_venv import FreshVenv, build
from guarded_sites import GuardedSite
from library_site import Library
from scrapy.utils.misc import walk_modules_iter

import hiddenweb

if TYPE_CHECKING:
    from collections.abc import Iterator

OURS = {"SCRAPY_SETTINGS_MODULE": "hiddenweb.settings"}
"""What makes any folder a place to run our spiders in."""

IN_NO_WHEEL = ("tests/", "benchmarks/", "docs/", "scripts/", "setup.py", "conftest")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The source distribution and the wheel."""
    return build(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def venv(built: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> FreshVenv:
    """A fresh venv with the wheel and what it requires, without extras."""
    return FreshVenv.create(tmp_path_factory.mktemp("fresh") / "venv", built[1])


@pytest.fixture(scope="module")
def project(venv: FreshVenv, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of somebody else, which names nothing of ours."""
    folder = tmp_path_factory.mktemp("foreign")
    done = venv.scrapy("startproject", "shops", str(folder), folder=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def site() -> Iterator[GuardedSite]:
    with GuardedSite(Library()) as site:
        yield site


def tracked(root: Path) -> set[str]:
    """The files of the packages that a fresh clone has."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "hiddenweb", "simweb"]
    listing = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return {name for name in listing.stdout.splitlines() if (root / name).is_file()}


# What is in it


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(
    built: tuple[Path, Path], root: Path
) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        files = {name for name in wheel.namelist() if ".dist-info/" not in name}

    assert files == tracked(root)
    assert [name for name in files if name.startswith(IN_NO_WHEEL)] == []


def test_the_source_distribution_holds_what_the_tests_need(built: tuple[Path, Path], root: Path) -> None:
    with tarfile.open(built[0]) as sdist:
        files = {name.partition("/")[2] for name in sdist.getnames()}

    wanted = {"Makefile", "scrapy.cfg", "setup.py", "requirements-dev.lock", "tests/pages/bookshop/home.html"}
    assert wanted <= files
    assert tracked(root) <= files


def test_the_metadata_is_complete(built: tuple[Path, Path]) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = HeaderParser().parsestr(wheel.read(name).decode())

    assert metadata["Version"] == hiddenweb.__version__
    assert metadata["License-Expression"] == "BSD-3-Clause"
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert "# hiddenweb" in str(metadata.get_payload())
    assert "demo" in metadata.get_all("Provides-Extra", [])


def test_every_command_but_crawl_is_an_entry_point_and_none_has_a_name_of_scrapys(
    built: tuple[Path, Path], root: Path
) -> None:
    with zipfile.ZipFile(built[1]) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
        lines = wheel.read(name).decode()
    named = set(re.findall(r"^(\w+) = hiddenweb\.commands\.\1:", lines, re.MULTILINE))
    commands = {path.stem for path in (root / "hiddenweb/commands").glob("[!_]*.py")}

    scrapys = {module.__name__.rpartition(".")[2] for module in walk_modules_iter("scrapy.commands")}

    assert named == commands - {"crawl"}
    assert named.isdisjoint(scrapys)
    assert named.isdisjoint(
        point.name
        for point in entry_points(group="scrapy.commands")
        if not point.value.startswith("hiddenweb.")
    )


# In a fresh venv

OF_EXTRAS = {
    "hiddenweb.actions.demo",  # demo
    "hiddenweb.actions.demo_findings",
    "hiddenweb.exports.parquet_file",  # parquet
    "hiddenweb.exports.warc_file",  # warc
    "hiddenweb.exports.xlsx_file",  # xlsx
}
"""Modules that need the packages of an extra, and that nothing else imports before they are needed."""

IMPORT_ALL = """
import json, pkgutil, sys, hiddenweb
missing, files = {}, {}
for found in pkgutil.walk_packages(hiddenweb.__path__, "hiddenweb."):
    try:
        __import__(found.name)
    except ModuleNotFoundError as error:
        missing[found.name] = error.name
for name, module in sys.modules.items():
    if name.partition(".")[0] == "hiddenweb" and module.__file__:
        files[name] = module.__file__
print(json.dumps([missing, files]))
"""


def test_every_module_comes_from_the_wheel_and_needs_only_what_the_metadata_says(
    venv: FreshVenv, tmp_path: Path
) -> None:
    done = venv.run("-c", IMPORT_ALL, folder=tmp_path)

    assert done.returncode == 0, done.stderr
    missing, files = json.loads(done.stdout)
    assert len(files) > 300
    assert [name for name, file in files.items() if not Path(file).is_relative_to(venv.packages)] == []
    assert {name: package for name, package in missing.items() if name not in OF_EXTRAS} == {}


CLASSES = """
from scrapy.cmdline import _get_commands_dict
from scrapy.utils.project import get_project_settings
for name, command in _get_commands_dict(get_project_settings(), True).items():
    print(name, type(command).__module__)
"""


def test_another_project_gets_our_commands_and_keeps_scrapys_crawl(venv: FreshVenv, project: Path) -> None:
    shown = venv.scrapy("-h", folder=project)
    found = dict(line.split() for line in venv.run("-c", CLASSES, folder=project).stdout.splitlines())

    assert shown.returncode == 0, shown.stderr
    assert re.search(r"^  status +Show what is in the state", shown.stdout, re.MULTILINE)
    assert found["crawl"] == "scrapy.commands.crawl"
    assert found["search"] == "hiddenweb.commands.search"


def test_a_command_of_the_project_wins_over_ours_of_the_same_name(venv: FreshVenv, project: Path) -> None:
    (project / "shops" / "commands").mkdir()
    (project / "shops" / "commands" / "__init__.py").touch()
    (project / "shops" / "commands" / "search.py").write_text(
        "from scrapy.commands import ScrapyCommand\n\n\nclass Search(ScrapyCommand):\n"
        "    def short_desc(self):\n        return 'Search the shops'\n\n    def run(self, args, opts):\n        pass\n",
        encoding="utf-8",
    )
    settings = project / "shops" / "settings.py"
    before = settings.read_text(encoding="utf-8")
    settings.write_text(f"{before}\nCOMMANDS_MODULE = 'shops.commands'\n", encoding="utf-8")

    shown = venv.scrapy("-h", folder=project).stdout
    settings.write_text(before, encoding="utf-8")

    assert "Search the shops" in shown
    assert "Show what is in the state" in shown


def test_our_settings_have_defaults_that_another_project_replaces(venv: FreshVenv, project: Path) -> None:
    settings = project / "shops" / "settings.py"
    before = settings.read_text(encoding="utf-8")

    (default,) = venv.scrapy("status", folder=project).stderr.splitlines()
    settings.write_text(f"{before}\nHIDDENWEB_STATE = 'elsewhere'\n", encoding="utf-8")
    (own,) = venv.scrapy("status", folder=project).stderr.splitlines()
    (typed,) = venv.scrapy("status", "-s", "HIDDENWEB_STATE=typed", folder=project).stderr.splitlines()
    settings.write_text(before, encoding="utf-8")

    for message, folder in ((default, "data"), (own, "elsewhere"), (typed, "typed")):
        assert message.startswith(f"scrapy status: {folder}/")
        assert "there is no state yet" in message
    assert not (project / "data").exists()


PAGE = (
    "<html lang=en><title>Library</title><h1>Library</h1><form action=/find role=search>"
    "<label>Words <input type=search name=q></label><button>Search</button></form></html>"
)


@pytest.mark.parametrize("inside", [True, False])
def test_forms_of_a_page_are_judged_in_another_project_and_in_none(
    inside: bool, venv: FreshVenv, project: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE, encoding="utf-8")

    done = venv.scrapy(
        "forms", "--file", str(page), "--at", "http://lib.example/", folder=project if inside else tmp_path
    )

    assert done.returncode == 0, done.stderr
    assert "1 form (1 search); 1 may be submitted." in done.stdout
    assert done.stderr == ""


def test_our_spiders_are_listed_where_the_environment_names_our_settings(
    venv: FreshVenv, tmp_path: Path
) -> None:
    spiders = venv.scrapy("list", folder=tmp_path, env=OURS)
    project = venv.scrapy("settings", "--get", "BOT_NAME", folder=tmp_path, env=OURS)

    assert spiders.stdout.split() == ["explore", "harvest", "locate", "revisit"], spiders.stderr
    assert project.stdout.strip() == "hiddenweb"
    assert list(tmp_path.iterdir()) == []


def test_a_crawl_from_the_wheel_harvests_and_other_projects_search_what_it_found(
    venv: FreshVenv, project: Path, site: GuardedSite, tmp_path: Path
) -> None:
    state = f"HIDDENWEB_STATE={tmp_path / 'state'}"
    settings = (
        "HIDDENWEB_DELAY=0",
        "HIDDENWEB_QUERIES_PER_FORM=20",
        f"HIDDENWEB_ALLOW_ADDRESSES={site.place}",
    )
    options = [part for setting in (state, *settings) for part in ("-s", setting)]

    crawled = venv.scrapy("crawl", "harvest", "-a", f"sites={site.url}", *options, folder=tmp_path, env=OURS)
    status = venv.scrapy("status", "--json", "-s", state, folder=project)
    hits = venv.scrapy("search", "stone", "--behind-forms", "--json", "-s", state, folder=project)
    records = venv.scrapy("records", "-o", "-", "--format", "csv", "-s", state, folder=project)

    assert crawled.returncode == 0, crawled.stderr
    assert "Finished: all links of 1 site were followed." in crawled.stderr
    assert status.returncode == 0, status.stderr
    assert hits.returncode == 0, hits.stderr
    assert len(hits.stdout.splitlines()) >= 5
    assert records.returncode == 0, records.stderr
    assert "stone" in records.stdout


SPIDER = """
import scrapy


class ShelfSpider(scrapy.Spider):
    name = "shelf"

    async def start(self):
        yield scrapy.Request(self.address)

    def parse(self, response):
        yield {"title": response.css("title::text").get()}
"""


def test_a_spider_of_another_project_uses_the_add_on_from_the_wheel(
    venv: FreshVenv, site: GuardedSite, tmp_path: Path
) -> None:
    assert venv.scrapy("startproject", "shelves", str(tmp_path), folder=tmp_path).returncode == 0
    with (tmp_path / "shelves" / "settings.py").open("a", encoding="utf-8") as settings:
        settings.write("\nADDONS = {'hiddenweb.addon.HiddenwebAddon': 500}\nHIDDENWEB_ADDON_FORMS = True\n")
    (tmp_path / "shelves" / "spiders" / "shelf.py").write_text(SPIDER, encoding="utf-8")

    crawled = venv.scrapy(
        "crawl", "shelf", "-a", f"address={site.url}", "-O", "titles.jsonl", folder=tmp_path
    )
    forms = venv.scrapy("forms", folder=tmp_path)

    assert crawled.returncode == 0, crawled.stderr
    assert json.loads((tmp_path / "titles.jsonl").read_text(encoding="utf-8")) == {"title": "The library"}
    assert forms.returncode == 0, forms.stderr
    assert "2 forms" in forms.stdout


# The extra


def test_the_demo_says_which_extra_it_needs(venv: FreshVenv, tmp_path: Path) -> None:
    done = venv.scrapy("demo", folder=tmp_path)

    assert done.returncode == 1
    assert re.fullmatch(
        r"scrapy demo: it needs \w+, which is not installed: pip install 'hiddenweb\[demo\]'\n", done.stderr
    )


def test_with_the_extra_the_demo_begins(
    built: tuple[Path, Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    venv = FreshVenv.create(tmp_path_factory.mktemp("demo") / "venv", built[1], "demo")

    done = venv.scrapy("demo", "--sites", "3", folder=tmp_path)

    assert done.returncode == 0, done.stderr
    assert "scrapy crawl harvest" in done.stdout
    assert "What was found" in done.stdout
