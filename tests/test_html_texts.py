from __future__ import annotations

import pytest

from hiddenweb.extraction.examples import span_of
from hiddenweb.html.document import read_texts
from hiddenweb.html.limits import PageLimits
from hiddenweb.html.texts import _KNOWN, _MOST_PATHS, key_of


def pieces(source: str) -> list[str]:
    return [piece.text for piece in read_texts(source.encode()).pieces]


def test_only_what_is_seen_is_read() -> None:
    source = "<title>t</title><p>a &amp;  b<script>x</script><style>y</style><!-- z --><select><option>o</select><p>c"

    assert pieces(source) == ["a & b", "c"]


@pytest.mark.parametrize(
    ("source", "wholes"),
    [
        ("<p>Jane <b>Smith</b></p>", ["Jane Smith"]),
        ("<p>Ja<b>ne</b></p>", ["Jane"]),  # no space where none is seen
        ("<p>1 Main St<br>Rome</p>", ["1 Main St Rome"]),
        ("<div><p>a</p><p>b</p></div>", []),  # blocks stay apart
        ("<p><a>x <b>y</b></a></p>", ["x y"]),  # once, not for every tag around it
        ("<p>" + "<i>a</i> " * 200, []),  # too many pieces
    ],
)
def test_what_inline_tags_divide_is_there_as_a_whole(source: str, wholes: list[str]) -> None:
    assert [whole.text for whole in read_texts(source.encode()).wholes] == wholes


def test_a_cell_knows_the_one_to_its_left_and_the_head_of_its_column() -> None:
    page = read_texts(b"<table><tr><th>Name<th>Price<tr><td>Salt<td>3</table><dl><dt>Year<dd>1999</dl>")
    by_text = {piece.text: piece for piece in page.pieces}

    assert by_text["3"].left == key_of("salt")
    assert by_text["3"].above == key_of("price")
    assert by_text["1999"].left == key_of("year")


def test_paths_differ_by_position_and_agree_by_class() -> None:
    one, other, third = read_texts(b"<p class='b a1'>x</p><p class='a2 b'>y</p><p class=c>z</p>").pieces

    assert one.exact != other.exact
    assert one.classes == other.classes != third.classes
    assert one.tags == other.tags == third.tags


def test_a_region_is_found_over_many_tags() -> None:
    page = read_texts(b"<p>Menu</p><h1>The <i>River</i></h1><p>by Jane</p><p>End</p>")

    assert span_of("THE RIVER\nby  Jane", page) == (1, 3)
    assert span_of("The Sea", page) is None


def test_a_page_that_takes_too_long_is_read_in_part() -> None:
    now = iter(range(10_000))

    page = read_texts(b"<p>x</p>" * 5_000, limits=PageLimits(clock=lambda: next(now)))

    assert "slow" in page.marks
    assert 0 < len(page.pieces) < 5_000


def test_paths_are_the_same_whatever_was_read_before() -> None:
    page = b'<div class="a"><p id="x">one</p><p class="b c">two</p></div>'
    alone = [(each.classes, each.below_id, each.steps) for each in read_texts(page).pieces]

    for number in range(2 * _MOST_PATHS // 100):
        read_texts(
            "".join(f'<i class="{"n" * (number % 100)}{number}-{each}">x</i>' for each in range(100)).encode()
        )

    assert [(each.classes, each.below_id, each.steps) for each in read_texts(page).pieces] == alone
    assert _KNOWN.count <= _MOST_PATHS


def test_long_names_are_not_remembered() -> None:
    read_texts(b"<p>something</p>")
    before = _KNOWN.count

    read_texts(b'<p class="%s">a</p><p id="%s">b</p>' % (b"c" * 100_000, b"d" * 100_000))

    assert _KNOWN.count == before
