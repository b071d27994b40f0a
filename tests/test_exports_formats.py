"""The formats of exports, found by the endings of files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hiddenweb.exports import formats
from hiddenweb.exports.formats import FORMATS, ExportError, ExportFormat, ExportNotes, find_format


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("a.csv", "csv"), ("a.CSV", "csv"), ("a.jl", "jsonl"), ("a.ndjson", "jsonl"), ("a.json", "json"), ("a.xlsx", "xlsx"),
        ("a.parquet", "parquet"), ("a.db", "sqlite"), ("a.sqlite3", "sqlite"), ("a.warc", "warc"), ("a.warc.gz", "warc"),
    ],
)  # fmt: skip
def test_the_ending_of_a_file_says_its_format(name: str, wanted: str) -> None:
    assert find_format(Path("some.folder") / name).name == wanted


def test_a_format_that_is_named_is_stronger_than_the_ending() -> None:
    assert find_format(Path("records.txt"), "jsonl").name == "jsonl"


@pytest.mark.parametrize(("name", "wanted"), [("records.txt", None), ("-", None), ("records.csv", "xls")])
def test_an_unknown_format_is_an_error_that_names_all(name: str, wanted: str | None) -> None:
    with pytest.raises(ExportError, match="parquet"):
        find_format(Path(name), wanted)


def test_a_missing_package_is_named_with_the_extra_that_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xlsxwriter", None)
    monkeypatch.delitem(sys.modules, "hiddenweb.exports.xlsx_file", raising=False)

    with pytest.raises(ExportError, match=r"pip install 'hiddenweb\[xlsx\]'"):
        FORMATS["xlsx"].load()


def test_no_format_imports_what_another_needs() -> None:
    program = (
        "import sys; import hiddenweb.exports.export; from hiddenweb.exports.formats import FORMATS; FORMATS['csv'].load();"
        " print({'pyarrow', 'xlsxwriter', 'warcio'} & set(sys.modules))"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "set()"


def test_notes_count_what_was_changed() -> None:
    notes = ExportNotes()

    notes.count("cells were cut")
    notes.count("cells were cut", 2)
    notes.count("columns were left out", 0)

    assert notes.counts == {"cells were cut": 3}


def test_every_format_has_its_module() -> None:
    folder = Path(formats.__file__).parent
    every: list[ExportFormat] = [*FORMATS.values()]

    assert all((folder / f"{each.module}.py").exists() for each in every)
