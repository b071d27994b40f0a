from __future__ import annotations

from hiddenweb.html.document import parse_document
from hiddenweb.html.tags import COMMENT, TEXT


def test_nodes_stand_in_the_order_of_the_document_with_all_that_is_inside() -> None:
    nodes = parse_document(b"<title>t</title><p class=a>one<b>two</b><!-- x --></p><p>three").nodes
    names = [nodes.names.get(tag, {TEXT: "text", COMMENT: "comment"}.get(tag)) for tag in nodes.tags]

    assert names == ["html", "head", "title", "body", "p", "text", "b", "text", "comment", "p", "text"]
    assert nodes.parents == [-1, 0, 1, 0, 3, 4, 4, 6, 4, 3, 9]
    assert nodes.ends == [11, 3, 3, 11, 9, 6, 8, 8, 9, 11, 11]
    assert list(nodes.texts.values()) == ["one", "two", "three"]
    assert nodes.attributes(4) == {"class": "a"}
    assert nodes.attributes(3) == {}
    assert nodes.title == "t"


def test_what_scripts_and_templates_hold_is_left_out() -> None:
    nodes = parse_document(b"<script>var a</script><style>b</style><template><p>c</p></template><p>d").nodes

    assert list(nodes.texts.values()) == ["d"]


def test_tags_of_no_standard_have_the_same_number_in_every_parse() -> None:
    one, other = (parse_document(html).nodes for html in (b"<x-card>a", b"<y-box>c</y-box><x-card>b"))
    number = {name: tag for tag, name in one.names.items()}["x-card"]

    assert number == {name: tag for tag, name in other.names.items()}["x-card"]
    assert number not in (tag for tag, name in other.names.items() if name != "x-card")
