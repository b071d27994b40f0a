"""Sequences that wait until somebody looks."""

from __future__ import annotations

import doctest
import pickle

from hiddenweb.html import lazy
from hiddenweb.html.lazy import LazySequence
from hiddenweb.model import RepeatedItem
from hiddenweb.records.page import read_page_with_items

PAGE = b"""<body><div><p><a href=/1>The old bridge</a> of the town</p><p><a href=/2>The new bridge</a> of the town</p></div>
<section><ol><li><a href=/3>The only bridge</a> <b>of the town</b></li></ol></section></body>"""


def test_examples() -> None:
    assert doctest.testmod(lazy).failed == 0


def test_nothing_is_made_before_somebody_looks_and_then_once() -> None:
    made = []
    waiting = LazySequence(lambda: made.append(1) or ("a",))  # type: ignore[func-returns-value]

    before = list(made)
    looks = [list(waiting), list(waiting)]

    assert before == []
    assert looks == [["a"], ["a"]]
    assert made == [1]


def test_parts_are_equal_whether_they_wait_or_not() -> None:
    said = (("title", "The River"),)

    assert RepeatedItem("a", attributes=LazySequence(lambda: said)) == RepeatedItem("a", attributes=said)
    assert hash(RepeatedItem("a", attributes=LazySequence(lambda: said))) == hash(
        RepeatedItem("a", attributes=said)
    )
    assert RepeatedItem("a", attributes=LazySequence(lambda: said)) != RepeatedItem("a")


def test_another_process_gets_what_was_made() -> None:
    assert pickle.loads(pickle.dumps(LazySequence(lambda: "ab"))) == ("a", "b")  # noqa: S301


def test_what_parts_of_a_page_say_outlives_what_was_parsed() -> None:
    page = read_page_with_items(PAGE, "http://a.example/")

    assert dict(page.blocks[1].attributes)["title"] == "The new bridge"
    assert "The only bridge" in dict(page.single_items[-1].attributes).values()
