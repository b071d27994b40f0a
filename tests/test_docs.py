"""The documentation names all that people can set, type and read, and nothing that is not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from hiddenweb.config import RENAMED
from hiddenweb.querying.policies.published import OneWordPolicy

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PACKAGES = ("hiddenweb", "simweb", "benchmarks")

SETTING = re.compile(r"\bHIDDENWEB_[A-Z0-9_]*[A-Z0-9]\b")
STAT = re.compile(r"hiddenweb/(?:[a-z0-9_]+|<>)(?:/(?:[a-z0-9_]+|<>))+")
PLACEHOLDER = re.compile(r"<[^>]*>")
PATH = re.compile(r"/|\.(?:html|json|lock|md|py|sql|toml|txt)$")
EXAMPLES = {"am.toml", "commands/NAME.py", "actions/NAME.py"}
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)[^)]*\)")


def sources(*packages: str) -> list[Path]:
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def modules(package: str) -> set[str]:
    return {path.stem for path in (ROOT / package).glob("*.py") if not path.stem.startswith("_")}


def strings(path: Path) -> set[str]:
    """Every string in a module; what an f-string fills in reads `<>`."""
    return {
        text
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (text := string_of(node)) is not None
    }


def string_of(node: ast.AST) -> str | None:
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(string_of(part) or "<>" for part in parts)
    return None


def documented(page: str) -> set[str]:
    """What the first cells of a page's tables name, in code style, without its arguments."""
    cells = re.findall(r"^\| *`([^`]+)`", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)
    return {PLACEHOLDER.sub("<>", cell) for cell in cells}


def documented_settings() -> set[str]:
    """Our own settings that settings.md explains; it names some of Scrapy's too."""
    return {name for name in documented("settings.md") if SETTING.fullmatch(name)}


def pages() -> list[Path]:
    return [*sorted(ROOT.glob("*.md")), *sorted(DOCS.rglob("*.md"))]


def test_every_setting_is_documented_and_every_documented_setting_exists() -> None:
    used = {name for path in sources(*PACKAGES) for name in SETTING.findall(path.read_text(encoding="utf-8"))}

    assert documented_settings() == used


def test_every_command_is_documented_and_every_documented_command_exists() -> None:
    commands = {cell.split()[1] for cell in documented("commands.md") if cell.startswith("scrapy ")}

    assert commands == modules("hiddenweb/commands")


def test_every_stat_is_documented_and_every_documented_stat_exists() -> None:
    counted = {text for path in sources("hiddenweb") for text in strings(path) if STAT.fullmatch(text)}

    assert documented("stats.md") == counted


def test_every_benchmark_is_documented_and_every_documented_benchmark_exists() -> None:
    assert documented("benchmarks.md") == modules("benchmarks") - {"data", "report"}


@pytest.mark.parametrize("page", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in target]

    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/languages.md"])
def test_paths_that_a_page_names_exist(page: str) -> None:
    named = re.findall(r"`([\w./*-]+)`", (ROOT / page).read_text(encoding="utf-8"))
    paths = {name for name in named if PATH.search(name) and not STAT.fullmatch(name)} - EXAMPLES
    folders = (ROOT, ROOT / "hiddenweb", ROOT / "hiddenweb/language/lexicon")

    missing = {path for path in paths if not any(any(folder.glob(path.rstrip("/"))) for folder in folders)}

    assert missing == set()
    assert paths


def test_the_example_of_a_policy_works() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"^    class LongestWordPolicy.*?(?=^\S)", page, re.MULTILINE | re.DOTALL)
    defined: dict[str, Any] = {"OneWordPolicy": OneWordPolicy}
    exec(compile(f"from __future__ import annotations\n{dedent(source)}", "architecture.md", "exec"), defined)

    policy = defined["LongestWordPolicy"]("en")
    policy.note_query(("wine",))
    policy.read([(1, ["wine", "burgundy", "the"]), (2, ["wine", "bordeaux"])])
    policy.end_answer()

    assert [policy.next().words for _ in range(2)] == [("burgundy",), ("burgundy",)]
    policy.note_query(("burgundy",))
    policy.end_answer()
    assert policy.next().words == ("bordeaux",)


@pytest.mark.parametrize("page", pages(), ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_mention_only_settings_that_exist(page: Path) -> None:
    mentioned = set(SETTING.findall(page.read_text(encoding="utf-8")))
    renamed = {f"HIDDENWEB_{old}" for old in RENAMED} if page.name == "CHANGELOG.md" else set()

    assert mentioned <= documented_settings() | renamed


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ('stats.inc_value("hiddenweb/links/ignored")', {"hiddenweb/links/ignored"}),
        ('stats.inc_value(f"hiddenweb/answers/{case}")', {"hiddenweb/answers/<>"}),
        ('USER_AGENT = f"hiddenweb/{__version__}"', set()),  # two parts: no stat
        ('"""See hiddenweb/forms/entry_list.py."""', set()),  # a sentence: no stat
    ],
)
def test_stats_are_recognised_in_source(source: str, found: set[str], tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(source, encoding="utf-8")

    assert {text for text in strings(module) if STAT.fullmatch(text)} == found
