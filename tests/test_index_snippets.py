"""A snippet is the part of a text with the most terms of the query, with their places."""

from __future__ import annotations

from hiddenweb.index.snippets import LETTERS, VisibleTerms, marks_in, snippet

BRONZE = VisibleTerms(frozenset(("bronz:en",)))


def test_the_match_is_marked_and_the_rest_is_cut() -> None:
    text = f"{'nothing here ' * 60}Casting bronze is old. {'nothing more ' * 60}"

    found = snippet(text, "en", BRONZE)

    assert [found.text[first:last] for first, last in found.marks] == ["bronze"]
    assert found.text.startswith("… ")
    assert found.text.endswith(" …")
    assert len(found.text) <= LETTERS + len("…  …")


def test_without_a_match_a_snippet_is_how_the_text_begins() -> None:
    assert snippet("A short text", "en", BRONZE).text == "A short text"
    assert snippet("A short text", "en", BRONZE).marks == ()


def test_terms_of_an_attribute_are_marked_in_its_values_only() -> None:
    visible = VisibleTerms(frozenset(), attributes=(("metal", BRONZE),))

    assert marks_in("bronze", "en", visible) == ()
    assert marks_in("bronze", "en", visible.terms_of_attribute("metal")) == ((0, 6),)
    assert marks_in("bronze", "en", visible.terms_of_attribute("author")) == ()
