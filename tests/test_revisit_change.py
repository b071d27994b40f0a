"""Changes as they are reported."""

from __future__ import annotations

from typing import get_args

from hiddenweb.revisit.change import KINDS, Change, ChangeKind, Edit


def test_every_kind_of_change_is_listed() -> None:
    assert get_args(ChangeKind) == KINDS


def test_equal_changes_are_equal_values() -> None:
    change = Change("content", "http://a.example/", 1.0, edits=(Edit("old", "new"),))

    assert len({change, Change("content", "http://a.example/", 1.0, edits=(Edit("old", "new"),))}) == 1
