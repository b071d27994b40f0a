"""Printing for commands, until the reader closes the output, and writing files."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from hiddenweb.reports.printable import clean_text, json_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LONGEST_LINE = 2_000
"""Characters of a line. A limit of taste."""

BLOCKS = "▁▂▃▄▅▆▇█░"
"""The characters of bars, if the terminal can print them."""


def say(text: str) -> None:
    """Print a text; continue silently when the reader has closed the output."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:  # the reader has seen enough: scrapy status | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_lines(lines: Iterable[str], otherwise: str = "", longest: int = LONGEST_LINE) -> None:
    """Print lines without control characters, or another text if there are none."""
    if text := "\n".join(clean_text(line, longest) for line in lines) or otherwise:
        say(text)


def say_json(facts: Iterable[object]) -> None:
    """Print facts as JSON, one object a line."""
    for each in facts:
        say(json_text(each, indent=None))


def say_error(command: str, error: object) -> None:
    """Print an error on the error channel, a line for each problem."""
    for line in str(error).splitlines():
        print(f"scrapy {command}: {clean_text(line, LONGEST_LINE)}", file=sys.stderr)


def write_file(path: Path, text: str, option: str) -> None:
    """Write the file that an option names; raises UsageError."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:  # a NUL in the name
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(
            f"{option} {clean_text(str(path))}: cannot be written: {why}", print_help=False
        ) from None


def has_blocks() -> bool:
    """Return whether the output can encode block characters."""
    try:
        BLOCKS.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
