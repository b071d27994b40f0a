"""The nodes of a page, read for labels."""

from __future__ import annotations

import pytest

from hiddenweb.html.document import parse_document
from hiddenweb.html.tags import NUMBERS
from hiddenweb.records.label_nodes import LONGEST_LABEL, LabelNodes, could_be_label


def nodes_of(source: str) -> LabelNodes:
    return LabelNodes(parse_document(source.encode()).nodes)


def first(nodes: LabelNodes, tag: str) -> int:
    return nodes.tags.index(NUMBERS[tag])


@pytest.mark.parametrize("text", ["Author", "Date of birth:", "ISBN", "著者：", "Preis (EUR)"])
def test_short_words_may_be_a_label(text: str) -> None:
    assert could_be_label(text)


@pytest.mark.parametrize(
    "text",
    ["", "10:30", "http:", "It rains.", "red | white", "1999", "x" * (LONGEST_LABEL + 1), "a b c d e f g h"],
)
def test_numbers_sentences_and_lists_are_no_labels(text: str) -> None:
    assert not could_be_label(text)


def test_a_text_is_on_one_line_without_what_is_no_content() -> None:
    nodes = nodes_of(
        "<div>The <b>River</b><br>rises <select><option>here</select> <nav>Home</nav>there</div>"
    )

    assert nodes.text([first(nodes, "div")]) == "The River rises there"


def test_hidden_controls_are_none_that_people_see() -> None:
    nodes = nodes_of("<div><input type=hidden name=a></div><p><input name=b></p>")

    assert not nodes.has_control(first(nodes, "div"))
    assert nodes.has_control(first(nodes, "p"))


def test_a_cell_is_marked_by_a_colon_a_class_or_by_being_emphasised_as_a_whole() -> None:
    for cell in ("<td>Author:", "<td class=label>Author", "<td><b>Author</b>"):
        nodes = nodes_of(f"<table><tr>{cell}</table>")
        assert nodes.is_marked(first(nodes, "td"))
    nodes = nodes_of("<table><tr><td><b>Author</b> Jane</table>")
    assert not nodes.is_marked(first(nodes, "td"))
