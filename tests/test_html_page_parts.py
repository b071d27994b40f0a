from __future__ import annotations

from hiddenweb.html.document import parse_document
from hiddenweb.html.tree_walk import TreeWalk


def test_spans_and_elements_say_where_in_the_text_each_part_stands() -> None:
    document = parse_document(b"<p>one <a href=/x>two</a></p><form><input name=q></form>")
    walk = TreeWalk(document, "http://a.example/", 1e9, keep_elements=True)
    assert document.root is not None

    walk.visit(document.root)

    flat = "".join(walk.pieces)
    (anchor,), (control,) = walk.links.anchors, walk.form_parts.controls
    assert flat[anchor.span.start : anchor.span.end] == "two"
    assert (control.tag, control.form, control.attributes["name"]) == ("input", 0, "q")
    assert "one two" in [flat[each.span.start : each.span.end].strip() for each in walk.elements or ()]
