"""Changes in words."""

from __future__ import annotations

from dataclasses import replace

from changes_to_report import NEWS, PRICE, many

from hiddenweb.notify.wording import change_id, digest, headline, lines_of


def test_changes_are_said_in_words() -> None:
    assert headline(PRICE) == "Dune: price is 7.99, was 9.99"
    assert lines_of(NEWS) == ["content at https://news.example/", "- rain", "+ a last chance of sun"]
    assert digest([PRICE, NEWS], {"content": 3}, 1) == (
        "4 content, 1 record changed\nDune: price is 7.99, was 9.99 https://shop.example/dune\nand 4 more"
    )


def test_a_change_keeps_its_name_and_another_has_another() -> None:
    assert change_id(PRICE) == change_id(replace(PRICE, number=7, title="Dune, 2nd ed.", old=1, new=2))
    assert len({change_id(change) for change in (PRICE, NEWS, *many(50))}) == 52
