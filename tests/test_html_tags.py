from __future__ import annotations

import pytest
from selectolax.lexbor import LexborHTMLParser

from hiddenweb.html.tags import BLOCKS, CELLS, COMMENT, INLINE, NAMES, NUMBERS, TEXT, UNREAD, numbers_of


def test_numbers_are_those_that_the_parser_gives_in_any_page() -> None:
    body = LexborHTMLParser("<p>a<b>c</b><!-- d --></p>").body
    assert body is not None
    paragraph = body.first_child
    assert paragraph is not None
    inside = [node.tag_id for node in paragraph.iter(include_text=True)]

    assert paragraph.tag_id == NUMBERS["p"]
    assert inside == [TEXT, NUMBERS["b"], COMMENT]


def test_every_tag_has_a_number_of_its_own_and_each_number_its_name() -> None:
    assert {NAMES[number]: number for number in NUMBERS.values()} == NUMBERS


def test_a_tag_divides_lines_or_columns_or_stands_in_a_line() -> None:
    assert BLOCKS.isdisjoint(CELLS)
    assert numbers_of("a b em span") <= INLINE - BLOCKS
    assert numbers_of("script style template") <= UNREAD


def test_tags_that_nobody_reads_have_no_number() -> None:
    with pytest.raises(KeyError, match="blink"):
        numbers_of("p blink")
