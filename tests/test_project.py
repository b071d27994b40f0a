"""The project sets itself up, loads, and says nothing about the machine it was made on."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.crawler import Crawler
from scrapy.spiderloader import get_spider_loader
from scrapy.utils.project import get_project_settings

import benchmarks
import hiddenweb
from benchmarks import Options, data, report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCKS = (
    "requirements.lock",
    "requirements-dev.lock",
    "requirements-applications.lock",
    "requirements-scrapyd.lock",
)

# What CONTRIBUTING.md promises; the parameters of a constructor are counted without self, and not those of dataclasses, whose fields they are.
LONGEST_MODULE, LONGEST_CLASS, MOST_PARAMETERS = 600, 300, 10

# Written so that this file does not match itself.
TELLTALE = re.compile(
    r"(?<![\w.])/(?:roo[t]/|wor[k]/(?:main|shared|\.)|op[t]/)"  # paths of a machine
    r"|pyp[i]\.org|pythonhoste[d]\.org"  # hosts of an index
    r"|(?:extra-)?inde[x]-url\s*=|--find-link[s]\s"  # settings that name one
)


def scrapy(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "scrapy", *arguments], cwd=root, capture_output=True, text=True, check=False
    )


def pins(lock: Path) -> dict[str, set[str]]:
    """The version, or versions, that a lock file pins each package to."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(
        r"^([a-z0-9._-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE
    ):
        found.setdefault(name, set()).add(version)
    return found


def test_every_module_has_a_test_file_of_the_same_name(root: Path) -> None:
    modules = {
        path.relative_to(root / "hiddenweb").with_suffix("").as_posix()
        for path in (root / "hiddenweb").rglob("*.py")
        if path.stem != "__init__"
    }
    tests = {path.stem.removeprefix("test_") for path in (root / "tests").glob("test_*.py")}

    untested = {module for module in modules if tests.isdisjoint(names_of_tests(module))}

    assert untested == set(), "add tests/test_FOLDER_MODULE.py"


def names_of_tests(module: str) -> set[str]:
    """How the test of a module may be called; what a command does is tested by running the command."""
    name = module.replace("/", "_")
    return {name, name.replace("actions_", "commands_", 1)}


def classes(root: Path) -> Iterator[tuple[str, ast.ClassDef]]:
    """Yield the classes of the package, each with where it is."""
    for path in sorted((root / "hiddenweb").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                yield f"{path.relative_to(root)}:{node.lineno} {node.name}", node


def test_a_public_class_name_occurs_once(root: Path) -> None:
    named: dict[str, list[str]] = {}
    for where, node in classes(root):
        if not node.name.startswith("_"):
            named.setdefault(node.name, []).append(where)

    assert [found for found in named.values() if len(found) > 1] == []


def test_no_module_no_class_and_no_constructor_is_too_long(root: Path) -> None:
    modules = {
        str(path.relative_to(root)): len(path.read_text(encoding="utf-8").splitlines())
        for path in (root / "hiddenweb").rglob("*.py")
    }
    lines = {where: (node.end_lineno or 0) - node.lineno + 1 for where, node in classes(root)}
    parameters = {
        where: len([*method.args.posonlyargs, *method.args.args, *method.args.kwonlyargs]) - 1
        for where, node in classes(root)
        for method in node.body
        if isinstance(method, ast.FunctionDef) and method.name == "__init__"
    }

    assert {where: found for where, found in modules.items() if found > LONGEST_MODULE} == {}
    assert {where: found for where, found in lines.items() if found > LONGEST_CLASS} == {}
    assert {where: found for where, found in parameters.items() if found > MOST_PARAMETERS} == {}


@pytest.mark.parametrize("command", ["list", "check"])
def test_scrapy_runs_its_own_commands_on_the_project(root: Path, command: str) -> None:
    result = scrapy(root, command)

    assert result.returncode == 0, result.stderr


def test_scrapy_shows_our_commands(root: Path) -> None:
    ours = {path.stem for path in (root / "hiddenweb/commands").glob("[!_]*.py")}

    shown = set(re.findall(r"^  (\w+)", scrapy(root, "-h").stdout, re.MULTILINE))

    assert ours <= shown


@pytest.mark.parametrize("name", ["explore", "harvest", "locate", "revisit"])
def test_nobody_steers_a_crawl_from_outside_and_robots_txt_is_obeyed(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("SCRAPY_SETTINGS_MODULE", "hiddenweb.settings")
    project = get_project_settings()
    crawler = Crawler(get_spider_loader(project).load(name), project)
    crawler.addons.load_settings(crawler.settings)
    settings = crawler.settings

    assert not settings.getbool("TELNETCONSOLE_ENABLED")
    assert not settings.getbool("REMOTE_CONTROL_ENABLED")
    assert "hiddenweb.middlewares.robots.RobotsMiddleware" in settings.getdict("DOWNLOADER_MIDDLEWARES")
    assert settings["USER_AGENT"].startswith("hiddenweb/")


def test_the_version_stands_in_one_place(root: Path) -> None:
    metadata = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))

    assert "version" in metadata["project"]["dynamic"]
    assert metadata["tool"]["setuptools"]["dynamic"] == {"version": {"attr": "hiddenweb.__version__"}}


@pytest.mark.parametrize("name", LOCKS)
def test_lock_files_hold_pins_with_hashes_and_nothing_else(root: Path, name: str) -> None:
    entry = re.compile(
        r"[a-z0-9._-]+==\S+(?: ; [^\\]+)? \\"  # a package at one version
        r"|    --hash=sha256:[0-9a-f]{64}(?: \\)?"
        r"|    # .*"  # who asks for it
    )

    lines = (root / name).read_text(encoding="utf-8").splitlines()

    assert [line for line in lines if not entry.fullmatch(line)] == []


def test_testing_happens_with_the_versions_that_run(root: Path) -> None:
    runtime, dev = (pins(root / name) for name in LOCKS[:2])

    assert runtime
    assert runtime.items() <= dev.items()


def test_jobs_of_scrapyd_run_with_the_versions_that_are_tested(root: Path) -> None:
    runtime, scrapyd = (pins(root / name) for name in (LOCKS[0], LOCKS[3]))

    assert {"scrapyd", "scrapyd-client", "setuptools", "scrapy"} <= scrapyd.keys()
    assert {name: pinned for name, pinned in scrapyd.items() if runtime.get(name, pinned) != pinned} == {}


def test_no_file_says_where_it_was_made(root: Path) -> None:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("not a git repository")
    paths = (root / name for name in set(listing.stdout.split("\0")) if name)

    telling = {
        f"{path.relative_to(root)}: {match[0]}"
        for path in paths
        if path.is_file()
        for match in TELLTALE.finditer(path.read_text(encoding="utf-8", errors="replace"))
    }

    assert telling == set()


def test_a_benchmark_prints_its_figures_last_and_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    runner = importlib.import_module("benchmarks.__main__")
    module = tmp_path / "example.py"
    module.write_text(
        'def run(options):\n    print("a table")\n    return {"ratio": 3.5}\n', encoding="utf-8"
    )
    monkeypatch.setattr(benchmarks, "__path__", [*benchmarks.__path__, str(tmp_path)])
    monkeypatch.setattr(report, "RESULTS", tmp_path)

    runner.run_one("example", Options(quick=True, seed=7, data=None))

    kept: dict[str, Any] = json.loads((tmp_path / "part" / "example.json").read_text(encoding="utf-8"))
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {"ratio": 3.5} == kept["figures"]
    assert kept["command"] == "python -m benchmarks example --quick --seed 7"
    assert kept["versions"]["hiddenweb"] == hiddenweb.__version__


@pytest.mark.parametrize(
    ("quick", "is_full", "folder"), [(False, True, "."), (True, True, "part"), (False, False, "part")]
)
def test_only_a_full_run_replaces_the_figures_of_a_full_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quick: bool, is_full: bool, folder: str
) -> None:
    monkeypatch.setattr(report, "RESULTS", tmp_path)

    path = report.save("example", "-", Options(quick=quick, seed=7, data=None), {}, is_full=is_full)

    assert path == tmp_path / folder / "example.json"


def test_real_data_is_used_only_where_it_lies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIDDENWEB_BENCH_DATA", str(tmp_path))
    assert data.data_folder() == tmp_path

    monkeypatch.setenv("HIDDENWEB_BENCH_DATA", str(tmp_path / "missing"))
    assert data.data_folder() is None


def test_tables_line_up() -> None:
    shown = report.table(("what", "ratio"), [("pages", 3.14159), ("answers", 12.0)])

    assert shown.splitlines() == [
        "| what    | ratio |",
        "| ------- | ----: |",
        "| pages   | 3.142 |",
        "| answers |    12 |",
    ]
