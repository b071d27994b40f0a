from __future__ import annotations

from typing import TYPE_CHECKING

from hiddenweb.extraction.item_pattern import ItemPattern, ItemStep
from hiddenweb.extraction.item_proposals import propose_patterns, widen_pattern
from hiddenweb.extraction.item_spans import find_spans
from hiddenweb.html.document import read_layout

if TYPE_CHECKING:
    from hiddenweb.html.layout import PageLayout


def propose(layout: PageLayout, *values: str) -> list[ItemPattern]:
    texts = [[text for text in layout.texts.all() if text.text == value] for value in values]
    return propose_patterns(layout, texts)


def test_the_element_that_holds_all_values_is_proposed_before_those_around_it() -> None:
    layout = read_layout(
        b"<body><section><ul><li><b>A</b> <i>1</i><li><b>B</b> <i>2</i></ul></section><section><p>x</section>"
    )

    patterns = propose(layout, "A", "1")

    assert [pattern.steps[0].tag for pattern in patterns] == ["li", "ul", "section"]
    assert (
        patterns[1].steps[1].tag == "section"
    )  # the only list of each section, as the only card of each row of a grid


def test_classes_that_siblings_share_are_one_kind_and_those_that_take_turns_are_others() -> None:
    shared = read_layout(b"<ul><li class='book odd'>A<li class='book even'>B<li class='book odd'>C</ul>")
    turns = read_layout(b"<ul><li class=odd>A<li class=even>B<li class=odd>C<li class=even>D</ul>")

    assert propose(shared, "A")[0].steps[0].kinds == (("book",),)
    assert propose(turns, "A")[0].steps[0].kinds == (("odd",), ("even",))


def test_a_term_and_its_description_are_a_run() -> None:
    layout = read_layout(b"<dl><dt>A<dd>1<dt>B<dd>2<dt>C<dd>3</dl>")

    first = propose(layout, "B", "2")[0]

    assert (first.is_run, first.steps[0].tag) == (True, "dt")


def test_lines_are_proposed_where_breaks_divide_the_values_of_one_record_from_the_next() -> None:
    layout = read_layout(b"<body><p>A<br>1<br><br>B<br>2<br><br>C<br>3</p>")

    found = {(pattern.gap, pattern.is_run) for pattern in propose(layout, "B", "2")}

    assert (2, True) in found


def test_siblings_are_counted_if_nothing_identifies_the_start() -> None:
    cells = "".join(f"<p>{name}{number}" for number in range(4) for name in "ab")
    layout = read_layout(f"<body>{cells}".encode())

    assert [(pattern.period, pattern.offset) for pattern in propose(layout, "a1", "b1")] == [(2, 0)]


def test_other_pages_show_that_the_rows_of_a_grid_are_striped() -> None:
    row = "<div class={0}><p class=card>a<p class=card>b</div>"
    one = read_layout(f"<body><main>{row.format('odd')}</main>".encode())
    striped = "".join(row.format(kind) for kind in ("odd", "even", "odd", "even"))
    other = read_layout(f"<body><main>{striped}</main>".encode())
    around = (ItemStep("div", (("odd",),)), ItemStep("main", ((),)), ItemStep("body", ((),)))
    pattern = ItemPattern((ItemStep("p", (("card",),)), *around))

    wider = widen_pattern(pattern, [one, other])

    assert wider.steps[1].kinds == (("odd",), ("even",))
    assert max(len(spans) for spans in find_spans(other, wider)) == 8
