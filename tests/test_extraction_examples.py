from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.extraction.example_file import BadExampleFile, examples_to_toml, read_example_file
from hiddenweb.extraction.examples import Example, find_example
from hiddenweb.html.texts import read_texts

if TYPE_CHECKING:
    from pathlib import Path

PAGE = read_texts(
    """<html><title>t</title><body><ul><li>Drama<li>Jane Smith</ul>
    <div id=main><h1>The <i>River</i>&rsquo;s  End</h1><p>by <b>Jane</b> Smith</p><p>Price:&nbsp;12&thinsp;€</p>
    <script>Drama</script><p>Drama</p></div><p>Ünïcode STRASSE</p></body></html>""".encode()
)


def region(text: str = "", **attributes: str | list[str]) -> Example:
    pairs = {name: (value,) if isinstance(value, str) else tuple(value) for name, value in attributes.items()}
    return Example("books.example", text, tuple(pairs.items()))


@pytest.mark.parametrize(
    ("pasted", "stands_in"),
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
def test_a_text_is_found_as_it_is_seen(pasted: str, stands_in: list[str]) -> None:
    from hiddenweb.extraction.examples import places_of

    found = [PAGE.all()[place.index].text for place in places_of(pasted, PAGE)]

    assert found == stands_in


def test_a_text_in_several_places_is_reported_with_them() -> None:
    found = find_example(PAGE, region(subject="Drama", title="The River's End", isbn="978"))

    subject, title, isbn = found.texts
    assert subject.is_ambiguous
    assert [candidate.before for candidate in subject.candidates] == ["", "Price: 12 €"]
    assert not title.is_ambiguous
    assert isbn.is_missing
    assert found.problems() == [
        "isbn: '978' stands nowhere on the page",
        "subject: 'Drama' stands in 2 places: at the beginning; after 'Price: 12 €'",
    ]


def test_a_text_over_several_blocks_is_to_be_shown_in_parts() -> None:
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
    assert found.problems()[0] == "the text of the region stands nowhere on the page"


def test_regions_are_written_and_read_again(tmp_path: Path) -> None:
    regions = (
        Example("a.example", 'A "quoted"\n\ttext \\ \x7f', (("title", ("x",)), ("Autor*in", ("ä", "村上"))), "http://a.example/1", "first", "list"),
        Example("b.example", "", (("price", ("1",)),), "", "b.example"),
    )  # fmt: skip
    file = tmp_path / "regions.toml"
    file.write_text(examples_to_toml(regions), encoding="utf-8")

    assert read_example_file(file) == regions


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("books = 1", "[books] is 1, wanted a table"),
        ("[books]\nsite = 'a'\nroi = 'x'\n", "[books] has the key 'roi', wanted some of site, page, text, kind, attributes"),
        ("[books]\n[books.attributes]\nt = 'x'", "[books] site is '', wanted a text"),
        ("[books]\nsite = 'a'", "[books] attributes is None, wanted a table of names and texts"),
        ("[books]\nsite = 'a'\n[books.attributes]\nt = []", "[books] attributes.t is [], wanted a text or a list of texts"),
        ("[books]\nsite = 'a'\n[books.attributes]\nt = ['x', 2]", "[books] attributes.t has 2, wanted a text"),
        ("[books]\nsite = 'a'\ntext = 3\n[books.attributes]\nt = 'x'", "[books] text is 3, wanted a text"),
        ("[books]\nsite = 'a'\nkind = 'table'\n[books.attributes]\nt = 'x'", "[books] kind is 'table', wanted 'page' or 'list'"),
        ("[books]\nsite = 'a'\nkind = ['list']\n[books.attributes]\nt = 'x'", "[books] kind is ['list'], wanted 'page' or 'list'"),
        ("[books", "is no TOML"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_with_its_name_and_the_key(
    tmp_path: Path, written: str, complaint: str
) -> None:
    file = tmp_path / "regions.toml"
    file.write_text(written, encoding="utf-8")

    with pytest.raises(BadExampleFile) as refused:
        read_example_file(file)

    assert str(refused.value).startswith(f"{file}: ")
    assert complaint in str(refused.value)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadExampleFile, match="cannot be read"):
        read_example_file(tmp_path / "none.toml")


def test_all_tables_that_are_wrong_are_named(tmp_path: Path) -> None:
    file = tmp_path / "regions.toml"
    file.write_text("a = 1\n[b]\nsite = 5\n[b.attributes]\nx = 'y'\n", encoding="utf-8")

    with pytest.raises(BadExampleFile) as refused:
        read_example_file(file)

    assert str(refused.value).splitlines() == [
        f"{file}: [a] is 1, wanted a table",
        f"{file}: [b] site is 5, wanted a text",
    ]
