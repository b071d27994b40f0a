"""Creating the tables of a store: of a new one from schema.sql, of an earlier version step by step."""

from __future__ import annotations

import sqlite3
import struct
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import zstandard

from hiddenweb.forms.stored_form import form_from_json, form_hash
from hiddenweb.near_duplicates.sketch import pack_sketch, sketch
from hiddenweb.store import near_duplicates
from hiddenweb.store.errors import ForeignState, StateError
from hiddenweb.store.versions import hash_of_content, text_of_content

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

APPLICATION_ID = 0x68776562  # "hweb"


_FOLDER = resources.files("hiddenweb.store")


@cache
def load_migrations() -> dict[int, str]:
    """Return the SQL of all steps by the version that each leads to; the first makes the tables of version 1."""
    files = (file for file in (_FOLDER / "migrations").iterdir() if file.name.endswith(".sql"))
    return {int(file.name.removesuffix(".sql")): file.read_text(encoding="utf-8") for file in files}


def last_version() -> int:
    """Return the version of a store that is up to date."""
    return max(load_migrations())


def check_ours(db: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of something else, or of a newer version."""
    found = db.execute("PRAGMA application_id").fetchone()[0]
    if found != APPLICATION_ID:
        raise ForeignState(
            f"{path}: is an SQLite file of something else (application id {found}); it stays untouched"
        )
    version, ours = db.execute("PRAGMA user_version").fetchone()[0], last_version()
    if version > ours:
        raise ForeignState(
            f"{path}: was written by a newer hiddenweb (version {version} of the state, this one knows {ours})"
        )


def create(db: sqlite3.Connection) -> None:
    """Give a new file its tables."""
    db.execute("BEGIN IMMEDIATE")
    for statement in _statements((_FOLDER / "schema.sql").read_text(encoding="utf-8")):
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {last_version()}")
    db.execute("COMMIT")


def migrate(db: sqlite3.Connection, path: Path, migrations: Mapping[int, str]) -> None:
    """Bring a file up to date, one version and one transaction at a time."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    db.create_function("sketch_of_content", 1, _sketch_of_content, deterministic=True)
    db.create_function("hash_of_content", 1, hash_of_content, deterministic=True)
    db.create_function("hash_of_form", 2, _hash_of_form, deterministic=True)
    db.create_function("band_keys", 2, near_duplicates.band_keys_as_json, deterministic=True)
    for step in range(version + 1, max(migrations) + 1):
        if step not in migrations:
            raise ForeignState(f"{path}: there is no way from version {step - 1} of the state to {step}")
        db.execute("BEGIN IMMEDIATE")
        try:
            for statement in _statements(migrations[step]):
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {step}")
        except sqlite3.Error as error:
            db.execute("ROLLBACK")
            raise StateError(
                f"{path}: cannot be brought from version {step - 1} to {step}: {error}"
            ) from error
        db.execute("COMMIT")


def _sketch_of_content(content: bytes) -> bytes | None:
    """Return the sketch of a stored text; None if it has no words, or is damaged."""
    try:
        return pack_sketch(sketch(text_of_content(content))) or None
    except (zstandard.ZstdError, struct.error, UnicodeDecodeError):
        return None


def _hash_of_form(form: str, before: int) -> int:
    """Return what identifies a stored form; what did before, if it cannot be read."""
    try:
        return form_hash(form_from_json(form))
    except (ValueError, TypeError, KeyError):
        return before


def _statements(script: str) -> Iterator[str]:
    statement = ""
    for part in script.split(";")[:-1]:
        statement += f"{part};"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
