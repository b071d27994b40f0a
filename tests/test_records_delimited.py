"""Lines with commas between columns, and within one of them."""

from __future__ import annotations

from time import process_time

import pytest

from hiddenweb.records.delimited import columns_around_list

FILMS = (
    "Ann Lee, Bo Ray, Cy Fox, 1999",
    "Di Orr, Ed Poe, Flo Kay, Gus May, 2003",
    "Hal Roe, Ida Nye, Jo Ash, Kim Lund, Lou Mann, 1987",
)
BOOKS = (  # all have two authors at least
    "Ann Lee, Bo Ray, Springer, 1999",
    "Cy Fox, Di Orr, Ed Poe, Wiley, 2003",
    "Flo Kay, Gus May, Springer, 2010",
    "Hal Roe, Ida Nye, Jo Ash, Kim Lund, Elsevier, 1987",
)
BOOKS_OF_ONE = (  # publishers of two words are written as people are, but come again
    "Ann Lee, Oak Press, 1999",
    "Cy Fox, Di Orr, Ed Poe, Elm House, 2003",
    "Flo Kay, Oak Press, 2010",
    "Hal Roe, Ida Nye, Elm House, 1987",
    "Jo Ash, Kim Lund, Oak Press, 1987",
)
RECIPES = (
    "Soup, leek, potato, 30 min",
    "Salad, leek, egg, oil, 10 min",
    "Soup, egg, milk, flour, butter, 45 min",
    "Salad, potato, oil, 15 min",
)
SHIPS = (  # port and flag come first, then the cargo
    "Oslo, Norway, rye, tin, 1901",
    "Bergen, Norway, tin, 1902",
    "Oslo, Norway, coal, rye, oats, 1903",
    "Bergen, Norway, oats, 1904",
)
ENSEMBLES = ("1999, Trio, Ann Lee, Bo Ray", "2003, Trio, Cy Fox, Di Orr, Ed Poe", "2010, Quartet, Flo Kay")
WITHOUT_SPACES = ("雷明, 亢亮, 范博, 2021", "范博, 闭莹, 雷明, 强慧, 2020", "闭莹, 亢亮, 2019")


@pytest.mark.parametrize(
    ("lines", "before", "behind"),
    [
        pytest.param(FILMS, 1, 1, id="by convention the first stands alone where only a number follows"),
        pytest.param(BOOKS, 0, 2, id="a publisher is written in another way"),
        pytest.param(BOOKS_OF_ONE, 0, 2, id="a publisher comes again, and never among the authors"),
        pytest.param(RECIPES, 1, 1, id="a kind of dish before what is in it"),
        pytest.param(SHIPS, 2, 1, id="two columns that come again before the list"),
        pytest.param(ENSEMBLES, 2, 0, id="a list at the end"),
        pytest.param(WITHOUT_SPACES, 1, 1, id="names in one word, of three lengths"),
    ],
)
def test_one_column_of_a_line_is_a_list(lines: tuple[str, ...], before: int, behind: int) -> None:
    assert columns_around_list([line.split(", ") for line in lines]) == (before, behind)


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(("Ann Lee, drama, 1999", "Bo Ray, war, 2003"), id="all have the same number of parts"),
        pytest.param(("China, breakfast, easy", "Peru, hard", "China, lunch, easy"), id="some lack a column"),
        pytest.param(
            ("novel, 1999, hardback", "poetry, paperback", "novel, 2003"), id="some lack one or another"
        ),
        pytest.param(("drama, war, love", "drama, war", "comedy, love, war, sea"), id="nothing but a list"),
        pytest.param(("Ann Lee, Bo Ray, Cy Fox", "Di Orr, Ed Poe"), id="nothing but a list of names"),
        pytest.param(("Ann Lee, Bo Ray, Cy Fox, 1999",), id="one line does not decide"),
        pytest.param((), id="no line"),
    ],
)
def test_other_lines_have_no_list_among_columns(lines: tuple[str, ...]) -> None:
    assert columns_around_list([line.split(", ") for line in lines]) is None


def test_many_long_lines_take_little_time() -> None:
    lines = [[f"{number % (place + 2)}" for place in range(100 + number % 3)] for number in range(2_000)]

    started = process_time()
    columns_around_list(lines)

    assert process_time() - started < 10
