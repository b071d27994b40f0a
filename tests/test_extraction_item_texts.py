from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.extraction.item_pattern import ItemPattern, ItemStep
from hiddenweb.extraction.item_spans import find_spans
from hiddenweb.extraction.item_texts import texts_of_spans
from hiddenweb.html.document import read_layout

if TYPE_CHECKING:
    from hiddenweb.html.texts import PageTexts

ROW = ItemPattern((ItemStep("li", (("row",),)),))


def cut(source: bytes, pattern: ItemPattern) -> list[PageTexts]:
    layout = read_layout(source)
    (spans,) = find_spans(layout, pattern)
    return texts_of_spans(layout, spans, is_run=pattern.is_run)


def test_an_item_has_its_own_texts_numbered_from_its_first() -> None:
    first, second = cut(
        b"<ul><li class=row><b>A</b> by <i>Jane</i><li class=row><b>B</b> by <i>Omar</i></ul>", ROW
    )

    assert [piece.text for piece in second.pieces] == ["B", "by", "Omar"]
    assert [(piece.first, piece.last) for piece in second.pieces] == [(0, 0), (1, 1), (2, 2)]
    assert [whole.text for whole in first.wholes] == ["A by Jane"]


def test_the_same_place_in_two_items_has_the_same_paths() -> None:
    first, second = cut(
        b"<ul><li class=row><p>A<p class=author>Jane<li class='row last'><p>B<p class=author>Omar</ul>", ROW
    )

    for one, other in zip(first.pieces, second.pieces, strict=True):
        assert (one.exact, one.tags, one.classes) == (other.exact, other.tags, other.classes)
    assert len({piece.exact for piece in first.pieces}) == 2


def test_the_classes_of_an_item_itself_make_no_difference_to_what_is_in_it() -> None:
    first, second = cut(b"<ul><li class=row>A</li><li class='row promoted'>B</li></ul>", ROW)

    assert first.pieces[0].steps == second.pieces[0].steps


def test_a_loose_text_of_a_run_is_identified_by_its_line() -> None:
    pattern = ItemPattern((ItemStep("body", ((),)),), is_run=True, gap=2)

    first, second = cut(b"<body>one<br>1<br><br>two<br>2", pattern)

    assert [piece.position for piece in first.pieces] == [piece.position for piece in second.pieces]
    assert len({piece.exact for piece in first.pieces}) == 2
