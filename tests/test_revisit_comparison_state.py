"""What is known of an address, as JSON."""

from __future__ import annotations

from hiddenweb.model import Record
from hiddenweb.revisit.change import Change, Edit
from hiddenweb.revisit.comparison import ComparisonState
from hiddenweb.revisit.comparison_state import (
    change_from_json,
    change_to_json,
    content_to_json,
    state_from_json,
    state_to_json,
)
from hiddenweb.revisit.noise import HeldDifference
from hiddenweb.revisit.noise_counts import OwnCount
from hiddenweb.revisit.noise_place import NoisePlace
from hiddenweb.revisit.parts import PageVersion

URL = "http://shop.example/lamp"


def test_known_things_survive_being_written_down() -> None:
    known = ComparisonState(
        URL, 5.0, '"e"', "Mon", -7, 9, PageVersion("t", ("a", "b c"), 3, (1, 2), (("a", "html/a"),)),
        (Record("k", "t", "x", None, (("Price", "3"),)),), (OwnCount(NoisePlace("number", "viewed # times"), 2, 3, 1),),
        (HeldDifference("1", "2", (NoisePlace("start", "last"),)),), (1.0, 2.0), (3.0,), 4.0, 1, is_closed=True,
    )  # fmt: skip
    assert state_from_json(state_to_json(known), content_to_json(known)) == known
    assert state_from_json(
        state_to_json(ComparisonState(URL)), content_to_json(ComparisonState(URL))
    ) == ComparisonState(URL)


def test_a_change_survives_being_written_down() -> None:
    change = Change(
        "content", URL, 7.0, "shop.example", "Lamp", edits=(Edit("brass", ""),), number=3, old=1, new=2
    )
    again = change_from_json(change_to_json(change), number=3, kind="content", at=7.0, old=1, new=2)
    assert again == change
