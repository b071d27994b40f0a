"""Why a store cannot be used: one error for those who only want to report it, and one for each reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.store.database import Store
from hiddenweb.store.errors import ForeignState, NoState, StateError, StateInUse
from hiddenweb.store.sqlite_file import FILE

if TYPE_CHECKING:
    from pathlib import Path


def test_all_errors_of_states_have_one_base(tmp_path: Path) -> None:
    raised: list[type[StateError]] = []
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / FILE).write_text("my thesis " * 100)

    with Store(tmp_path / "used"):
        for folder, write in (("none", False), ("used", True), ("foreign", True)):
            with pytest.raises(StateError) as error:
                Store(tmp_path / folder, write=write)
            raised.append(error.type)

    assert raised == [NoState, StateInUse, ForeignState]
