"""What the file of a language lacks, as a file to fill in: `python -m hiddenweb.language.missing_keys vi`.

Every key that some language may have stands in `en.toml`, with a comment above it. A key that English has no words for stands behind a `#`.
Where a language has no file yet, all of them are missing: that is how a file begins. Keys that the file names one by one under `[missing]` are
left out; what a pattern such as `"*"` excuses is missing all the same.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from hiddenweb.language import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterator

_TABLE = re.compile(r"(?:# )?\[(?P<name>.+)\]")
_KEY = re.compile(r"""(?:# )?(?P<name>[\w-]+|"[^"]+") = (?=["'\[])""")
_END_OF_LONG = ('"""', "]")
_LITTLE_KNOWN = "purposes.little_known"


@dataclass(frozen=True, slots=True)
class TemplateKey:
    """A key that a language may have."""

    table: str
    name: str  # as it is written
    comment: str  # what it is for
    example: tuple[str, ...]  # the lines that English has, or what another language may have

    @property
    def purpose(self) -> str:
        """Return the path of the key."""
        name = self.name.strip('"')
        return f"{self.table}.{name}"


def read_template(language: str = "en") -> tuple[TemplateKey, ...]:
    """Return all keys that a language may have, in the order of `en.toml`.

    The well-known languages have `purposes.plain` and `purposes.other`; others have `purposes.little_known` for both.
    """
    is_little_known = language not in lexicon.WELL_KNOWN
    keys: dict[str, TemplateKey] = {}
    for key in _read_keys((files(lexicon) / "en.toml").read_text(encoding="utf-8").splitlines()):
        if is_little_known and key.table in ("purposes.plain", "purposes.other"):
            moved = TemplateKey(_LITTLE_KNOWN, key.name, key.comment, key.example)
            keys.setdefault(moved.purpose, moved)
        elif is_little_known or not lexicon.is_little_known_only(key.purpose):
            keys[key.purpose] = key
    return tuple(keys.values())


def find_missing_keys(language: str) -> tuple[TemplateKey, ...]:
    """Return the keys that a language lacks, but for those of which its file says why."""
    has = (
        {*lexicon.read_language(language), *lexicon.read_reasons(language)} if _has_file(language) else set()
    )
    return tuple(key for key in read_template(language) if key.purpose not in has)


def format_missing_keys(language: str) -> str:
    """Return the keys that a language lacks as TOML to fill in: each behind a #, with its comment and what English has."""
    lines = [] if _has_file(language) else _begin_file(language)
    table = ""
    for key in find_missing_keys(language):
        if key.table != table:
            table = key.table
            lines += ["", f"[{table}]"]
        lines.append(f"# {key.comment}")
        lines += (f"# {line}" for line in key.example)
    return "\n".join(lines or [f"# {language}.toml lacks nothing."]).strip() + "\n"


def _has_file(language: str) -> bool:
    return language in lexicon.languages()


def _begin_file(language: str) -> list[str]:
    return [
        f"# The language {language}. What each key is for is said in en.toml; how patterns are written, in __init__.py.",
        "",
        f"[{lexicon.MISSING}]",
        '"*" = "only words that were met on pages so far"',
    ]


def _read_keys(lines: list[str]) -> Iterator[TemplateKey]:
    table, comment = "", ""
    rest = iter(lines)
    for line in rest:
        if found := _TABLE.fullmatch(line):
            table = found["name"]
        elif found := _KEY.match(line):
            if table == lexicon.MISSING:
                return
            yield TemplateKey(table, found["name"], comment, tuple(_read_value(line, rest)))
        comment = line.removeprefix("# ") if line.startswith("#") else ""


def _read_value(line: str, rest: Iterator[str]) -> Iterator[str]:
    """Yield the lines of one value."""
    yield line.removeprefix("# ")
    if line.endswith(('= """', "= [")):
        for further in rest:
            yield further
            if further in _END_OF_LONG:
                return


def main(arguments: list[str]) -> None:
    """Print what a language lacks."""
    if len(arguments) != 1 or not re.fullmatch("[a-z]{2}", arguments[0]):
        raise SystemExit(
            "usage: python -m hiddenweb.language.missing_keys CODE\nCODE: two letters, such as vi"
        )
    sys.stdout.write(format_missing_keys(arguments[0]))


if __name__ == "__main__":
    main(sys.argv[1:])
