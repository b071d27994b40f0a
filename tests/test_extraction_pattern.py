"""Patterns as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from record_pages import as_table, example_of, records, texts

from hiddenweb.extraction.induction import learn
from hiddenweb.extraction.pattern import AttributePattern, UnreadablePattern

if TYPE_CHECKING:
    Record = dict[str, list[str]]


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", '{"version": 1}', '{"version": 99, "features": []}', "[" * 100_000, '"x"'],
)
def test_what_is_no_pattern_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePattern):
        AttributePattern.from_json(text)


def test_a_pattern_with_a_damaged_slot_is_refused() -> None:
    pages = [texts(as_table(record)) for record in records()]
    facts = json.loads(learn(pages[0], example_of(records()[0], "price"), pages[1:]).to_json())
    facts["slots"][0]["agree"] = [1.0]

    with pytest.raises(UnreadablePattern, match="price"):
        AttributePattern.from_json(json.dumps(facts))
