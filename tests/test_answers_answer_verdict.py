"""The verdict on an answer."""

from __future__ import annotations

import pytest

from hiddenweb.answers.answer_verdict import AnswerVerdict, Case


@pytest.mark.parametrize(
    ("case", "has_records"), [("all", True), ("paged", True), ("part", True), ("with_form", True), ("error", False), ("duplicate", False)]
)  # fmt: skip
def test_only_four_cases_bring_records(case: Case, has_records: bool) -> None:
    assert AnswerVerdict(case, "").has_records is has_records
