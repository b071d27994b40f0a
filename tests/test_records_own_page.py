"""What the own page of a record states: what is a label there, and what is none."""

from __future__ import annotations

import pytest

from hiddenweb.html.document import parse_document
from hiddenweb.records.own_page import MOST_VALUES, Statement, read_statements


def statements(source: str) -> list[Statement]:
    return [each for each in read_statements(parse_document(source.encode()).nodes) if each.name]


def pairs(source: str) -> list[tuple[str, str]]:
    return [(each.name, each.value) for each in statements(source)]


def bodies(source: str) -> list[str]:
    return [each.value for each in read_statements(parse_document(source.encode()).nodes) if not each.name]


AUTHOR_YEAR = [("author", "Jane Smith"), ("year", "1999")]


@pytest.mark.parametrize(
    "source",
    [
        "<table><tr><th>Author<td>Jane Smith<tr><th>Year<td>1999</table>",
        "<table><tr><th>Author<td>Jane Smith<th>Year<td>1999</table>",
        "<table><tr><td><b>Author</b><td>Jane Smith<tr><td><b>Year</b><td>1999</table>",
        "<table><tr><td>Author:<td>Jane Smith<tr><td>Year:<td>1999</table>",
        "<dl><dt>Author<dd>Jane Smith<dt>Year<dd>1999</dl>",
        "<dl><div><dt>Author<dd>Jane Smith</div><div><dt>Year<dd>1999</div></dl>",
        "<div><label>Author:</label><div>Jane Smith</div></div><div><label>Year:</label><div>1999</div></div>",
        "<p><b>Author:</b> Jane <i>Smith</i><br><b>Year:</b> 1999</p>",
        "<p><b>Author: </b>Jane Smith <b>Year: </b>1999</p>",
        "<h4>Author:</h4><p>Jane Smith</p><h4>Year:</h4><p>1999</p>",
        "<table><tr><th>Author<th>Year<tr><td>Jane Smith<td>1999</table>",
        "<div itemscope><span itemprop=author>Jane Smith</span><meta itemprop=year content=1999></div>",
    ],
)
def test_what_markup_calls_a_label_is_one(source: str) -> None:
    assert pairs(source) == AUTHOR_YEAR
    assert all(each.is_sure for each in statements(source))


@pytest.mark.parametrize(
    "source",
    [
        "<table><tr><td>Author<td>Jane Smith<tr><td>Year<td>1999</table>",
        "<p>Author: Jane Smith</p><p>Year: 1999</p>",
        "<p><span>Author: <a href=/jane>Jane Smith</a></span></p><p> <span class='label blue'>Year: 1999</span> </p>",
        "<section><div>Author</div><div>Jane Smith</div><div>Year</div><div>1999</div></section>",
        "<div><h6>Author</h6><p>Jane Smith</p><h6>Year</h6><p>1999</p></div>",
        "<div><div class=label>Author</div><div>Jane Smith</div></div><div><div class=label>Year</div><div>1999</div></div>",
    ],
)
def test_left_cells_texts_before_colons_and_classes_may_be_labels(source: str) -> None:
    assert pairs(source) == AUTHOR_YEAR
    assert not any(each.is_sure for each in statements(source))


@pytest.mark.parametrize(
    "source",
    [
        "<nav><b>Login:</b> here</nav><footer><p>Copyright: Jane</p></footer>",
        "<p>10:30</p><p>see http://a.example/</p><p>11/12: more</p>",
        f"<p>{'A long sentence that goes on ' * 3}: indeed</p>",
        "<p><label>Your name: <input name=who></label></p><p><label for=a>Subject</label> <input id=a></p>",
        "<table><tr><th>Date<th>User<tr><td>1999<td>Jane<tr><td>2000<td>John</table>",  # a list of others
        "<table><tr><th>Author: Jane<th>Date: 1999<tr><td colspan=2>All is well.</table>",  # heads only
        "<table><tr><td>5<td>Jane<td>1999<tr><td>6<td>John<td>2000</table>",
        "<table><tr><th>Title<td></table>",
        "",
    ],
)
def test_what_is_no_label_states_nothing(source: str) -> None:
    assert pairs(source) == []


def test_a_single_row_with_heads_of_columns_is_a_list_where_the_page_has_labels() -> None:
    source = "<dl><dt>Author<dd>Jane Smith</dl><table><tr><th>Date<th>Action<tr><td>1999<td>create</table>"

    assert pairs(source) == [("author", "Jane Smith")]


def test_a_label_has_several_values_but_not_a_whole_list() -> None:
    few = "<dl><dt>Author<dd>Jane<dd>John</dl>"
    many = f"<dl><dt>Comment{''.join(f'<dd>Remark {n}' for n in range(MOST_VALUES + 1))}</dl>"

    assert pairs(few) == [("author", "Jane"), ("author", "John")]
    assert pairs(many) == []


def test_a_picture_is_its_description() -> None:
    assert pairs("<dl><dt>In print<dd><img alt=True src=yes.svg></dl>") == [("in print", "True")]


LONG = "The river comes down from the hills, and nobody in the town knows how old it is."


def test_texts_without_label_are_the_longest_blocks_and_paragraphs_in_a_row_are_one() -> None:
    assert bodies(f"<div><p>{LONG}</p> <p>{LONG}</p></div><div>{LONG[:60]}</div><p>Short.</p>") == [
        f"{LONG} {LONG}", LONG[:60].strip(),
    ]  # fmt: skip


def test_deep_and_wide_pages_cost_no_squares() -> None:
    deep = "<b>" * 2_000 + "Author:" + "</b>" * 2_000
    wide = f"<table>{'<tr><td>Author<td>Jane' * 3_000}</table>"

    assert len(statements(deep)) + len(statements(wide)) <= 2
