"""TOML files that people write: examples, rules, values."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def read_tables(path: Path, error: Callable[[str], Exception]) -> dict[str, Any]:
    """Return the tables of a file by their names. What cannot be read raises an error of the given kind, with a message that names the file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as problem:
        raise error(f"{path}: cannot be read: {problem.strerror}") from problem
    except (ValueError, RecursionError) as problem:
        raise error(f"{path}: is no TOML: {problem}") from problem
