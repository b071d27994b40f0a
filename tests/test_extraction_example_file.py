"""Files of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.extraction.example_file import BadExampleFile, examples_to_toml, read_example_file
from hiddenweb.extraction.examples import Example

if TYPE_CHECKING:
    from pathlib import Path


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
