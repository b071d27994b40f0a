from __future__ import annotations

import pytest

from hiddenweb.extraction.examples import Example, find_example
from hiddenweb.html.document import read_texts

PAGE = read_texts(
    """<html><title>t</title><body><ul><li>Drama<li>Jane Smith</ul>
    <div id=main><h1>The <i>River</i>&rsquo;s  End</h1><p>by <b>Jane</b> Smith</p><p>Price:&nbsp;12&thinsp;€</p>
    <script>Drama</script><p>Drama</p></div><p>Ünïcode STRASSE</p></body></html>""".encode()
)


def region(text: str = "", **attributes: str | list[str]) -> Example:
    pairs = {name: (value,) if isinstance(value, str) else tuple(value) for name, value in attributes.items()}
    return Example("books.example", text, tuple(pairs.items()))


@pytest.mark.parametrize(
    ("pasted", "places"),
    [
        ("the river's end", ["The River’s End"]),  # inline tags, an entity, case, white space
        ("  Jane\n Smith ", ["Jane Smith", "by Jane Smith"]),
        ("12 €", ["Price: 12 €"]),  # a part of a text
        ("ünïcode straße", ["Ünïcode STRASSE"]),
        ("ane Smith", []),  # no word is cut
        ("Price", ["Price: 12 €"]),
        ("", []),
        ("t", []),  # the title is no part of the page
    ],
)
def test_a_text_is_found_as_people_see_it(pasted: str, places: list[str]) -> None:
    from hiddenweb.extraction.examples import places_of

    found = [PAGE.all()[place.index].text for place in places_of(pasted, PAGE)]

    assert found == places


def test_a_text_in_several_places_is_reported_with_them() -> None:
    found = find_example(PAGE, region(subject="Drama", title="The River's End", isbn="978"))

    subject, title, isbn = found.texts
    assert subject.is_ambiguous
    assert [candidate.before for candidate in subject.candidates] == ["", "Price: 12 €"]
    assert not title.is_ambiguous
    assert isbn.is_missing
    assert found.problems() == [
        "isbn: '978' is nowhere on the page",
        "subject: 'Drama' is in 2 places: at the beginning; after 'Price: 12 €'",
    ]


def test_a_text_over_several_blocks_has_to_be_pasted_in_parts() -> None:
    found = find_example(PAGE, region(both="by Jane Smith Price: 12 €"))

    assert found.problems() == [
        "both: 'by Jane Smith Price: 12 €' is spread over several parts of the page: show each of them"
    ]


def test_the_region_decides_between_places() -> None:
    whole = "The River's End by Jane Smith Price: 12 € Drama"

    found = find_example(PAGE, region(whole, subject="Drama", author="Jane Smith"))

    assert found.span is not None
    assert [len(text.candidates) for text in found.texts] == [1, 1]
    assert found.problems() == []


def test_a_region_that_is_gone_is_reported() -> None:
    found = find_example(PAGE, region("Something else", subject="Drama"))

    assert found.is_missing
    assert found.problems()[0] == "the text of the region is nowhere on the page"
