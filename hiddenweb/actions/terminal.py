"""What commands print and write: to whoever reads, as long as somebody does, and to files that somebody named."""

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
"""What a bar is drawn with, where it can be."""


def say(text: str) -> None:
    """Print, and end quietly when nobody reads any more."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except BrokenPipeError:  # the reader has seen enough: scrapy status | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say_lines(lines: Iterable[str], otherwise: str = "", longest: int = LONGEST_LINE) -> None:
    """Print lines that cannot move the cursor, or something else if there are none."""
    if text := "\n".join(clean_text(line, longest) for line in lines) or otherwise:
        say(text)


def say_json(facts: Iterable[object]) -> None:
    """Print facts as JSON, one object a line."""
    for each in facts:
        say(json_text(each, indent=None))


def say_error(command: str, error: object) -> None:
    """Print what went wrong, a line for each problem, to whoever reads errors."""
    for line in str(error).splitlines():
        print(f"scrapy {command}: {clean_text(line, LONGEST_LINE)}", file=sys.stderr)


def write_file(path: Path, text: str, option: str) -> None:
    """Write what somebody asked for with an option; raises UsageError."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as error:  # a NUL in the name
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(
            f"{option} {clean_text(str(path))}: cannot be written: {why}", print_help=False
        ) from None


def has_blocks() -> bool:
    """Say whether the terminal, or whatever reads, can be sent blocks."""
    try:
        BLOCKS.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
