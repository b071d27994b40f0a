"""A box that asks for what is personal is told from one that only searches by it."""

from __future__ import annotations

import pytest

from hiddenweb.forms.personal_boxes import personal_query_box
from hiddenweb.model import Field


@pytest.mark.parametrize(
    ("label", "is_personal"),
    [
        ("Your e-mail address", True),
        ("Search by phone number", False),  # it says that it searches
        ("Title, author, publisher, name or phone number", False),  # it lists things
        ("Words", False),
    ],
)
def test_a_box_is_personal_unless_it_says_that_it_searches(label: str, is_personal: bool) -> None:
    assert bool(personal_query_box(Field("q", "text", label), "en")) is is_personal
