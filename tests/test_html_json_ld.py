from __future__ import annotations

from hiddenweb.html.document import parse_document
from hiddenweb.html.json_ld import read_json_ld
from hiddenweb.html.limits import LIMITS
from hiddenweb.html.tree_walk import TreeWalk


def walk_of(*scripts: str) -> TreeWalk:
    tags = "".join(f'<script type="application/ld+json">{script}</script>' for script in scripts)
    document = parse_document(f"<p>a{tags}".encode())
    walk = TreeWalk(document, "http://a.example/", LIMITS.deadline())
    assert document.root is not None
    walk.visit(document.root)
    return walk


def test_every_script_is_read_and_what_is_wrong_is_marked() -> None:
    walk = walk_of('{"name": "a"}', "{broken", '// ["b"];')

    assert list(read_json_ld(walk)) == [{"name": "a"}, ["b"]]
    assert walk.marks == ["bad_json"]


def test_scripts_that_do_not_name_what_is_looked_for_are_passed_over() -> None:
    walk = walk_of('"SearchAction"', "{broken")

    assert list(read_json_ld(walk, about="SearchAction")) == ["SearchAction"]
    assert walk.marks == []


def test_no_more_is_read_than_half_a_million_characters() -> None:
    walk = walk_of('["first"]', f'["{"x" * 500_000}"]', '["last"]')

    assert list(read_json_ld(walk)) == [["first"]]
    assert walk.marks == ["long_json"]
