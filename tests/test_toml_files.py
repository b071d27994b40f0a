from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.toml_files import read_tables

if TYPE_CHECKING:
    from pathlib import Path


def test_the_tables_of_a_file_are_read_though_it_begins_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbf[a]\nb = 1\n")

    assert read_tables(path, ValueError) == {"a": {"b": 1}}


def test_what_cannot_be_read_raises_the_error_of_the_caller_and_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "b.toml"
    with pytest.raises(LookupError, match=r"b\.toml: cannot be read"):
        read_tables(path, LookupError)

    for content in (b"[b", b"\xff", b"a = " + b"[" * 10_000):
        path.write_bytes(content)
        with pytest.raises(LookupError, match=r"b\.toml: is no TOML"):
            read_tables(path, LookupError)
