"""`hiddenweb`: the address of a site, or a command, without any project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hiddenweb.console.command_line import STATE_FILE, command_names, read_options, state_folder
from hiddenweb.store.database import Store
from hiddenweb.store.sqlite_file import FILE

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parent.parent


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder without a project."""
    environment = {name: value for name, value in os.environ.items() if name != "SCRAPY_SETTINGS_MODULE"}
    return subprocess.run(
        [sys.executable, "-m", "hiddenweb.console.command_line", *words], cwd=folder, text=True, capture_output=True,
        stdin=subprocess.DEVNULL, env=environment | {"PYTHONPATH": str(ROOT)}, check=False, timeout=240,
    )  # fmt: skip


def test_help_is_short_and_imports_nothing_heavy(tmp_path: Path) -> None:
    done = run(tmp_path, "--help")
    imported = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "hiddenweb.console.command_line", "--help"],
        cwd=ROOT, text=True, capture_output=True, check=True,
    ).stderr  # fmt: skip

    assert done.returncode == 0
    assert "hiddenweb https://books.example/ -o records.csv" in done.stdout
    assert len(done.stdout.splitlines()) < 60
    assert "scrapy" not in imported


def test_without_a_word_help_is_shown_and_the_command_is_wrong(tmp_path: Path) -> None:
    done = run(tmp_path)

    assert done.returncode == 2
    assert "hiddenweb URL" in done.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(["serach", "lamps"], "do you mean hiddenweb search?", id="a misspelt command"),
        pytest.param(["books"], "is neither the address of a site nor a command", id="a word"),
        pytest.param(["--yes"], "no address of a site is given", id="no address"),
        pytest.param(["a.example", "-s", "X"], "-s X: wanted NAME=VALUE", id="a setting without a value"),
    ],
)
def test_wrong_commands_are_explained(
    words: Sequence[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        read_options(words)

    assert caught.value.code == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        pytest.param(["ftp://a.example/"], "only http and https are crawled", id="a scheme"),
        pytest.param(["a.example", "-o", "records.doc"], "records.doc", id="a format"),
        pytest.param(
            ["a.example", "-s", "HIDDENWEB_DELAY=soon"],
            "HIDDENWEB_DELAY: 'soon' cannot be used",
            id="a setting",
        ),
        pytest.param(["a.example", "--include", "re:("], "is no regular expression", id="a pattern"),
        pytest.param(["a.example", "--cookies", "none.txt"], "none.txt: cannot be read", id="a file"),
        pytest.param(["a.example", "--queries", "many"], "queries", id="a budget"),
        pytest.param(["a.example", "-o", "no/such/r.csv"], "make it first", id="no folder"),
        pytest.param(["a.example", "-o", ""], "an empty name is no file", id="no name"),
        pytest.param(["a.example", "-o", "-"], "name a file", id="the standard output"),
        pytest.param(
            ["a.example", "-o", "hiddenweb-a.example/state.sqlite"], "belongs to the state", id="the state"
        ),
    ],
)
def test_what_cannot_be_used_is_said_before_anything_is_requested(
    tmp_path: Path, words: Sequence[str], complaint: str
) -> None:
    done = run(tmp_path, *words)

    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.startswith("hiddenweb: ")
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("site", "folder"),
    [
        ("https://www.books.example/search?q=1", "hiddenweb-www.books.example"),
        ("books.example", "hiddenweb-books.example"),
        ("http://127.0.0.1:8001/", "hiddenweb-127.0.0.1-8001"),
        ("http://[::1]:8001/", "hiddenweb-1-8001"),
    ],
)
def test_each_site_has_a_state_folder_of_its_own(site: str, folder: str) -> None:
    assert state_folder([site, "b.example"]) == Path(folder)


def test_all_commands_are_under_one_name() -> None:
    assert {"crawl", "status", "search", "forms", "shell"} <= command_names()
    assert STATE_FILE == FILE


def test_commands_find_the_only_state_that_is_here(tmp_path: Path) -> None:
    Store(tmp_path / "hiddenweb-a.example").close()

    alone = run(tmp_path, "status")
    Store(tmp_path / "hiddenweb-b.example").close()
    both = run(tmp_path, "status")
    named = run(tmp_path, "status", "--state", "hiddenweb-b.example")
    none = run(tmp_path / "hiddenweb-a.example", "status")

    assert alone.stdout.startswith("hiddenweb-a.example: ")
    assert both.returncode == 2
    assert "which of hiddenweb-a.example, hiddenweb-b.example? --state FOLDER says it" in both.stderr
    assert named.stdout.startswith("hiddenweb-b.example: ")
    assert none.returncode == 3
