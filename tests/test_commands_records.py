"""`scrapy records`: what people type, and what they get."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from commanding import Done, run
from record_states import FOUND, keep_records

from hiddenweb.commands.records import RecordsCommand

if TYPE_CHECKING:
    from pathlib import Path

    Capsys = pytest.CaptureFixture[str]


@pytest.fixture
def state(tmp_path: Path) -> Path:
    keep_records(tmp_path / "data")
    keep_records(tmp_path / "data", [("Chair", [("legs", "4")])], "chairs.example", at=FOUND + 86_400)
    return tmp_path / "data"


@pytest.fixture(autouse=True)
def wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def records(capsys: Capsys, state: Path, *arguments: str) -> Done:
    return run(RecordsCommand(), *arguments, state=state, capsys=capsys)


def test_records_are_listed_as_a_table(capsys: Capsys, state: Path) -> None:
    done = records(capsys, state)

    assert done.code == 0
    head, first, *_, last = done.output.splitlines()
    assert head.split()[:2] == ["title", "author"]
    assert first.startswith("Amber")
    assert last == "4 records."


def test_the_first_are_listed_and_the_others_counted(capsys: Capsys, state: Path) -> None:
    done = records(capsys, state, "--limit", "1")

    assert done.output.splitlines()[-1] == "1 of 4 records: --limit shows more, -o FILE exports all."


def test_columns_are_described(capsys: Capsys, state: Path) -> None:
    done = records(capsys, state, "--describe")

    assert "year            integer   3 of 4" in done.output
    assert "author          texts     3 of 4" in done.output


def test_filters_choose_records(capsys: Capsys, state: Path) -> None:
    def titles(*options: str) -> list[str]:
        done = records(capsys, state, "--format", "csv", *options)
        return [row["title"] for row in csv.DictReader(io.StringIO(done.output, newline=""))]

    assert titles("--site", "https://chairs.example/x") == ["Chair"]
    assert titles("--form", "1", "--limit", "2") == ["Amber", "Stone"]
    assert titles("--since", "2025-11-18") == ["Chair"]
    assert titles("--until", "2025-11-18") == ["Amber", "Stone", "The River"]
    assert titles("--changed-since", "2025-11-18") == ["Chair"]
    assert titles("--since", "1h") == []


def test_a_file_is_written_and_what_was_written_is_said(capsys: Capsys, state: Path, tmp_path: Path) -> None:
    done = records(capsys, state, "-o", str(tmp_path / "r.jsonl"), "--columns", "title,YEAR")

    assert done == Done(0, f"4 records in 2 columns written to {tmp_path}/r.jsonl.\n", "")
    assert json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0]) == {"title": "Amber", "year": 2011}


def test_what_a_format_cannot_hold_is_said(capsys: Capsys, state: Path, tmp_path: Path) -> None:
    keep_records(state, [("=1+1", [("text", "x" * 40_000)])], "z.example")

    sheet = records(capsys, state, "-o", str(tmp_path / "r.xlsx"))
    lines = records(capsys, state, "-o", str(tmp_path / "r.csv"), "--bom")

    assert "Cells longer than 32,767 characters, which were cut: 1." in sheet.output
    assert "Cells that look like formulas and got an apostrophe: 1." in lines.output
    assert (tmp_path / "r.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_the_standard_output_gets_rows_only(capsys: Capsys, state: Path) -> None:
    done = records(capsys, state, "-o", "-", "--format", "jsonl")

    assert [json.loads(line)["title"] for line in done.output.splitlines()] == [
        "Amber",
        "Stone",
        "The River",
        "Chair",
    ]
    assert done.errors == "4 records in 13 columns written.\n"


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["-o", "r.txt"], "the ending says no format"),
        (["-o", "-"], "--format"),
        (["-o", ""], "an empty name"),
        (["--format", "xls"], "'xls' is no format"),
        (["-o", "nowhere/r.csv"], "-o nowhere/r.csv: there is no folder "),
        (["--limit", "0"], "--limit: 0"),
        (["--since", "yesterday"], "--since 'yesterday' is not a date"),
        (["--site", "two words"], "is no site"),
        (["--columns", "title,,url"], "--columns"),
        (["--columns", "colour"], "no record has 'colour'; there are site"),
        (["--bom"], "--bom belongs to CSV"),
        (["--keep-formulas", "-o", "r.json"], "--keep-formulas belongs to CSV"),
        (["--describe", "-o", "r.csv"], "--describe exports nothing"),
        (["books"], "'books': records takes options only"),
        (["-o", "r.warc", "--columns", "title"], "warc has pages and no columns"),
    ],
)
def test_a_wrong_command_says_what_was_wanted(
    capsys: Capsys, state: Path, arguments: list[str], wanted: str
) -> None:
    done = records(capsys, state, *arguments)

    assert done.code == 2
    assert wanted in done.errors


def test_what_is_not_there_has_an_exit_code_of_its_own(capsys: Capsys, state: Path, tmp_path: Path) -> None:
    unknown = [
        records(capsys, state, *arguments) for arguments in (["--site", "no.example"], ["--form", "9"])
    ]
    nothing = records(capsys, tmp_path / "elsewhere")

    assert [done.code for done in unknown] == [1, 1]
    assert unknown[1].errors == "scrapy records: there is no form 9 in this state; scrapy forms lists all\n"
    assert nothing.code == 3
    assert "there is no state yet" in nothing.errors


def test_a_state_without_records_says_so(capsys: Capsys, tmp_path: Path) -> None:
    keep_records(tmp_path, [])

    assert records(capsys, tmp_path).output == "No record is stored yet.\n"
    assert records(capsys, tmp_path, "--since", "1h").output == "No record is stored that fits.\n"


def test_a_kill_leaves_no_half_file(tmp_path: Path, root: Path) -> None:
    keep_records(tmp_path / "data", [(f"Book {at}", [("text", "x" * 500)]) for at in range(20_000)])
    target = tmp_path / "r.xlsx"
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "records",
        "-s",
        f"HIDDENWEB_STATE={tmp_path / 'data'}",
        "-o",
        str(target),
    ]
    with subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not list(tmp_path.glob("r.xlsx.part-*")):
            os.sched_yield()
        process.send_signal(signal.SIGKILL)

    assert process.returncode == -signal.SIGKILL
    assert not target.exists()


def test_the_reader_may_close_the_output(tmp_path: Path, root: Path) -> None:
    keep_records(tmp_path / "data", [(f"Book {at}", [("text", "x" * 500)]) for at in range(2_000)])
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "records",
        "-s",
        f"HIDDENWEB_STATE={tmp_path / 'data'}",
        "--format",
        "csv",
    ]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()

    assert errors == b""
    assert process.returncode == 0
