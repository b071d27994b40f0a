from __future__ import annotations

import pickle

from hiddenweb.html.document import document_of, read_layout
from hiddenweb.html.layout import NOTHING
from hiddenweb.html.reader import read_page

SOURCE = b"<title>t</title><body><div id=a><h1>The <b>River</b></h1><p>by Jane</div><p>End"


def test_every_text_knows_the_node_it_stands_in() -> None:
    layout = read_layout(SOURCE)

    tags = {text.text: layout.skeleton.tags[text.node] for text in layout.texts.all()}

    assert tags == {"The": "h1", "River": "h1", "by Jane": "p", "End": "p", "The River": "h1"}
    by_text = {text.text: text.node for text in layout.texts.all()}
    assert layout.skeleton.tags[layout.skeleton.common([by_text["River"], by_text["by Jane"]])] == "div"


def test_the_layout_of_a_page_comes_from_the_parse_it_was_read_by() -> None:
    page = read_page(SOURCE, "http://a.example/", keep_document=True)

    document = document_of(page)

    assert document is not None
    layout = document.layout
    assert layout.skeleton == read_layout(SOURCE).skeleton
    assert [text.text for text in layout.texts.pieces] == ["The", "River", "by Jane", "End"]


def test_a_page_without_its_tree_has_no_layout_and_can_go_to_another_process() -> None:
    page = read_page(SOURCE, "http://a.example/")

    assert document_of(page) is None
    assert pickle.loads(pickle.dumps(page)) == page  # noqa: S301


def test_what_has_no_text_has_an_empty_layout() -> None:
    assert read_layout(b"").texts.pieces == ()
    assert NOTHING.texts.all() == ()
