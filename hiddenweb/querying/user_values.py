"""The user's own values: a TOML file with a table for each label (docs/values.md), read as a whole or refused with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.forms.field_types import label_words, type_of
from hiddenweb.model import Field
from hiddenweb.toml_files import read_tables

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FIRST_WEIGHT = 1.0
"""The weight of a value without one in the file: the largest (docs/values.md)."""


class BadValueFile(ValueError):
    """An invalid file of values; the message names the file, the table and the key."""


def read_value_file(path: Path) -> dict[str, tuple[tuple[str, ...], dict[str, float]]]:
    """Return the labels of a file, each with its aliases and the weights of its values; raises BadValueFile."""
    tables = read_tables(path, BadValueFile)
    labels = {label: _table(path, label, table) for label, table in tables.items()}
    _refuse_doubles(path, labels)
    return labels


def _table(path: Path, label: str, table: object) -> tuple[tuple[str, ...], dict[str, float]]:
    where = f"{path}: [{label}]"
    if not label_words(label):
        raise BadValueFile(f"{where} is no label: it has no word")
    if isinstance(table, list):
        table = {"values": table}
    if not isinstance(table, dict):
        raise BadValueFile(f"{where} is {table!r}, wanted a list of values or a table with the key values")
    if unknown := table.keys() - {"values", "aliases"}:
        raise BadValueFile(f"{where} has the key {min(unknown)!r}, wanted values and, if you like, aliases")
    if "values" not in table:
        raise BadValueFile(f"{where} has no key values")
    aliases = _aliases(where, table.get("aliases", []))
    for name in (label, *aliases):
        wanted = type_of(Field("", "text", label=name))
        if wanted.personal:
            raise BadValueFile(
                f"{where}: {name!r} is personal ({wanted.name}); such boxes are never filled in"
            )
    return aliases, _weights(where, table["values"])


def _aliases(where: str, aliases: object) -> tuple[str, ...]:
    if not isinstance(aliases, list):
        raise BadValueFile(f"{where} aliases is {aliases!r}, wanted a list of labels")
    for alias in aliases:
        if not isinstance(alias, str) or not label_words(alias):
            raise BadValueFile(f"{where} aliases has {alias!r}, wanted a label with a word in it")
    return tuple(aliases)


def _weights(where: str, values: object) -> dict[str, float]:
    if isinstance(values, dict):
        weighted = list(values.items())
    elif isinstance(values, list):
        weighted = [(value, FIRST_WEIGHT) for value in values]
    else:
        raise BadValueFile(f"{where} values is {values!r}, wanted a list, or a table of values and weights")
    if not weighted:
        raise BadValueFile(f"{where} values is empty")
    return {_text(where, value): _weight(where, value, weight) for value, weight in weighted}


def _text(where: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise BadValueFile(f"{where} values has {value!r}, wanted text or a number")
    text = " ".join(str(value).split())
    if not text:
        raise BadValueFile(f"{where} values has an empty text")
    return text


def _weight(where: str, value: object, weight: object) -> float:
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight <= 1:
        raise BadValueFile(
            f"{where} values: the weight of {value!r} is {weight!r}, wanted a number from 0 to 1"
        )
    return float(weight)


def _refuse_doubles(path: Path, labels: Mapping[str, tuple[tuple[str, ...], object]]) -> None:
    label_by_name: dict[str, str] = {}
    for label, (aliases, _) in labels.items():
        for name in dict.fromkeys(map(label_words, (label, *aliases))):
            if label_by_name.setdefault(name, label) != label:
                raise BadValueFile(
                    f"{path}: [{label}]: the label {name!r} belongs to [{label_by_name[name]}] already"
                )
