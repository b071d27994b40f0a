"""An answer under way, page by page."""

from __future__ import annotations

import json

from hiddenweb.querying.query import OpenAnswer


def test_pages_add_up_and_the_last_ones_are_remembered() -> None:
    answer = OpenAnswer(("red",), before=20)
    for new in (20, 12, 3):
        answer.add_page(20, new, 95)
    answer.add_page(15, 0, None)
    assert (answer.pages, answer.found, answer.new, answer.shown, answer.total) == (4, 75, 35, 95, 95)
    assert answer.latest == [(20, 3), (15, 0)]


def test_an_open_answer_is_saved_and_restored() -> None:
    answer = OpenAnswer(("red", "boat"), (("kind", "old"),), before=20)
    answer.add_page(20, 4, None)
    assert OpenAnswer.from_json(json.loads(json.dumps(answer.to_json()))) == answer
