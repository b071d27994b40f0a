"""Commands print no control characters, and end quietly when the reader closes the output."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from scrapy.exceptions import UsageError

from hiddenweb.actions.terminal import say_error, say_json, say_lines, write_file

if TYPE_CHECKING:
    from pathlib import Path


def test_lines_are_printed_without_control_characters_or_another_text_if_there_are_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say_lines(["one\x1b[2J", "two"])
    say_lines([], "nothing")
    say_lines([])

    assert capsys.readouterr().out == "one [2J\ntwo\nnothing\n"


def test_facts_are_one_object_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    say_json([{"a": 1}, {"b": "x\ny"}])

    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [{"a": 1}, {"b": "x\ny"}]


def test_an_error_names_the_command_in_every_line(capsys: pytest.CaptureFixture[str]) -> None:
    say_error("extract", "one\ntwo")

    assert capsys.readouterr().err == "scrapy extract: one\nscrapy extract: two\n"


def test_a_file_that_cannot_be_written_is_a_wrong_command(tmp_path: Path) -> None:
    write_file(tmp_path / "text", "a line", "--output")
    assert (tmp_path / "text").read_text(encoding="utf-8") == "a line"

    with pytest.raises(UsageError, match=r"--output .* cannot be written"):
        write_file(tmp_path / "none" / "text", "a line", "--output")


def test_a_closed_output_is_no_error() -> None:
    code = "from hiddenweb.actions.terminal import say\nfor _ in range(20_000): say('x' * 100)"

    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()

    assert "Traceback" not in errors
