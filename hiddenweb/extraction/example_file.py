"""Files of examples, in TOML: a table for each extractor.

[books]
site = "books.example"
page = "http://books.example/item/5"     # where it was copied
text = "The River by Jane Smith ... 12.50"   # the region of interest; without it, the whole page
kind = "page"                            # the page is about one record; "list": it has many; without it, this is detected

[books.attributes]
title = "The River"
author = ["Jane Smith", "John Doe"]      # several values
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from hiddenweb.extraction.examples import KINDS, Example
from hiddenweb.toml_files import read_tables

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from hiddenweb.extraction.examples import Kind

_KEYS = ("site", "page", "text", "kind", "attributes")


_BARE = re.compile(r"[A-Za-z0-9_-]+")


class BadExampleFile(ValueError):
    """A file of examples that cannot be read as one; the message names the file and the key."""


def read_example_file(path: Path) -> tuple[Example, ...]:
    """Return the examples of a file; raises BadExampleFile with a line for every problem."""
    tables = read_tables(path, BadExampleFile)
    examples, problems = [], []
    for name, table in tables.items():
        try:
            examples.append(_read_example(f"{path}: [{name}]", name, table))
        except BadExampleFile as error:
            problems.append(str(error))
    if problems:
        raise BadExampleFile("\n".join(problems))
    return tuple(examples)


def examples_to_toml(examples: Iterable[Example]) -> str:
    """Return examples as the text of a file."""
    return "\n".join(_table(example) for example in examples)


def _read_example(where: str, name: str, table: object) -> Example:
    if not isinstance(table, dict):
        raise BadExampleFile(f"{where} is {table!r}, wanted a table")
    if unknown := table.keys() - set(_KEYS):
        raise BadExampleFile(f"{where} has the key {min(unknown)!r}, wanted some of {', '.join(_KEYS)}")
    attributes = table.get("attributes")
    if not isinstance(attributes, dict) or not attributes:
        raise BadExampleFile(f"{where} attributes is {attributes!r}, wanted a table of names and texts")
    return Example(
        _text(where, table, "site", is_needed=True),
        _text(where, table, "text"),
        tuple((key, _texts(where, key, value)) for key, value in attributes.items()),
        _text(where, table, "page"),
        name,
        _kind(where, table),
    )


def _kind(where: str, table: Mapping[str, object]) -> Kind | None:
    value = table.get("kind")
    for kind in KINDS:
        if value == kind:
            return kind
    if "kind" in table:
        raise BadExampleFile(f"{where} kind is {value!r}, wanted {' or '.join(map(repr, KINDS))}")
    return None


def _text(where: str, table: Mapping[str, object], key: str, *, is_needed: bool = False) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or ((is_needed or key in table) and not value.strip()):
        raise BadExampleFile(f"{where} {key} is {value!r}, wanted a text")
    return value


def _texts(where: str, key: str, value: object) -> tuple[str, ...]:
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts:
        raise BadExampleFile(f"{where} attributes.{key} is {value!r}, wanted a text or a list of texts")
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise BadExampleFile(f"{where} attributes.{key} has {text!r}, wanted a text")
    return tuple(texts)


def _table(example: Example) -> str:
    name = _key(example.name or example.site)
    lines = [f"[{name}]", f"site = {_quote(example.site)}"]
    optional = (("page", example.page), ("text", example.text), ("kind", example.kind))
    lines += [f"{key} = {_quote(value)}" for key, value in optional if value]
    lines += ["", f"[{name}.attributes]"]
    for attribute, texts in example.attributes:
        value = _quote(texts[0]) if len(texts) == 1 else f"[{', '.join(map(_quote, texts))}]"
        lines.append(f"{_key(attribute)} = {value}")
    return "\n".join(lines) + "\n"


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _quote(name)


def _quote(text: str) -> str:
    """Return a text as a basic string of TOML: escaped as in JSON, and DEL too; lone surrogates are replaced."""
    return json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007F")
