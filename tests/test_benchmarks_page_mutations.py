from __future__ import annotations

import pytest

from benchmarks._page_mutations import KINDS, mutate, redesign, remove_values, texts_of

PAGE = (
    "<html><body><div class='top'><p>Menu</p></div><div id='main' class='main'><div class='head'><h1>The River</h1></div>"
    "<div class='facts'><p><b>Price</b> <span class='price'>12.50</span></p><p><b>Year</b> <span>1999</span></p></div></div></body></html>"
)
TEXTS = {"menu", "the river", "price", "12.50", "year", "1999"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_change_leaves_the_values_and_is_made_alike_each_time(kind: str) -> None:
    changed = mutate(PAGE, kind, "12.50", keep=["12.50", "1999", "The River"])

    assert changed is not None
    assert {"12.50", "1999", "the river"} <= texts_of(changed)
    assert changed != PAGE
    assert changed == mutate(PAGE, kind, "12.50", keep=["12.50", "1999", "The River"])


def test_what_is_to_be_kept_is_not_removed() -> None:
    changed = mutate(PAGE, "remove preceding block", "12.50", keep=["The River"])

    assert changed is not None
    assert texts_of(changed) == TEXTS - {"menu"}


def test_a_value_that_is_not_there_changes_nothing() -> None:
    assert mutate(PAGE, "wrap", "nowhere") is None


def test_values_are_taken_away_with_or_without_their_label() -> None:
    assert texts_of(remove_values(PAGE, ["12.50"], with_label=False)) == TEXTS - {"12.50"}
    assert texts_of(remove_values(PAGE, ["12.50"], with_label=True)) == TEXTS - {"12.50", "price"}


def test_a_redesign_keeps_the_words_and_nothing_else() -> None:
    new = redesign(PAGE)
    renamed = redesign(PAGE, ["Price", "Year"])

    assert texts_of(new) == TEXTS
    assert not any(name in new for name in ("main", "facts", "<h1", "<b>"))
    assert {"12.50", "1999"} < texts_of(renamed)
    assert {"price", "year"}.isdisjoint(texts_of(renamed))


@pytest.mark.parametrize("tag", ['tr"', "o:p", "st1:city", "a<b"])
def test_tags_that_no_standard_knows_survive_every_change(tag: str) -> None:
    page = f"<html><body><p>Menu</p><div class='a'><{tag}>12.50</{tag}> <i>1999</i></div><div>End</div></body></html>"

    changed = [mutate(page, kind, "12.50", keep=["12.50"]) for kind in KINDS]

    assert all("12.50" in texts_of(each) for each in (*changed, redesign(page)) if each)
    assert "12.50" not in texts_of(remove_values(page, ["12.50"], with_label=True))
