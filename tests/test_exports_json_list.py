"""JSON as one list."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from record_states import export_of

if TYPE_CHECKING:
    from pathlib import Path


def test_a_list_has_an_object_a_line(tmp_path: Path) -> None:
    text = export_of(tmp_path, "r.json").read_text(encoding="utf-8")

    assert len(text.splitlines()) == 3 + 2
    assert [row["title"] for row in json.loads(text)] == ["Amber", "Stone", "The River"]


def test_no_record_is_an_empty_list(tmp_path: Path) -> None:
    assert json.loads(export_of(tmp_path, "r.json", []).read_text()) == []
