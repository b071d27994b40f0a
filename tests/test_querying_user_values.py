"""The user's own values: a file that is read whole or refused with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hiddenweb.querying.user_values import FIRST_WEIGHT, BadValueFile, read_value_file

if TYPE_CHECKING:
    from pathlib import Path


def write_file(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "values.toml"
    path.write_text(text, encoding=encoding)
    return path


def test_labels_come_with_their_aliases_and_weighted_values(tmp_path: Path) -> None:
    path = write_file(
        tmp_path,
        """
        "Release year" = [1999, 20.5, "  new   wave "]
        [Country]
        aliases = ["Land", "Pays"]
        values = { Freedonia = 1, Germany = 0 }
        """,
    )

    assert read_value_file(path) == {
        "Release year": ((), {"1999": FIRST_WEIGHT, "20.5": FIRST_WEIGHT, "new wave": FIRST_WEIGHT}),
        "Country": (("Land", "Pays"), {"Freedonia": 1.0, "Germany": 0.0}),
    }


def test_a_file_without_tables_has_no_values(tmp_path: Path) -> None:
    assert read_value_file(write_file(tmp_path, "# nothing yet")) == {}


def test_an_alias_may_be_written_like_its_own_label(tmp_path: Path) -> None:
    path = write_file(tmp_path, "[Genre]\nvalues = ['x']\naliases = ['GENRE:']")

    assert read_value_file(path) == {"Genre": (("GENRE:",), {"x": FIRST_WEIGHT})}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Genre = [1,,2]", ["is no TOML", "line 1"]),
        ("Genre = 5", ["[Genre]", "wanted a list"]),
        ("Genre = []", ["[Genre]", "values is empty"]),
        ("Genre = [true]", ["[Genre]", "True", "wanted text or a number"]),
        ('Genre = [" "]', ["[Genre]", "empty text"]),
        ("[Genre]\naliases = ['x']", ["[Genre]", "no key values"]),
        ("[Genre]\nvaleus = ['x']", ["[Genre]", "'valeus'", "wanted values"]),
        ("[Genre]\nvalues = 'x'", ["[Genre]", "values", "wanted a list"]),
        ("[Genre]\nvalues = {x = 2}", ["[Genre]", "'x'", "2", "from 0 to 1"]),
        ("[Genre]\nvalues = {x = 'a'}", ["[Genre]", "'x'", "from 0 to 1"]),
        ("[Genre]\nvalues = ['x']\naliases = 'y'", ["[Genre]", "aliases", "wanted a list"]),
        ("[Genre]\nvalues = ['x']\naliases = [3]", ["[Genre]", "aliases", "3"]),
        (
            "[Genre]\nvalues = ['x']\n[Kind]\naliases = ['genre']\nvalues = ['x']",
            ["[Kind]", "'genre'", "[Genre]"],
        ),
        ("['e-mail']\nvalues = ['a@b.example']", ["[e-mail]", "personal", "never filled in"]),
        ("['***']\nvalues = ['x']", ["[***]", "no word"]),
    ],
)
def test_a_bad_file_is_refused_with_file_table_and_key(tmp_path: Path, text: str, named: list[str]) -> None:
    path = write_file(tmp_path, text)

    with pytest.raises(BadValueFile) as error:
        read_value_file(path)

    assert str(error.value).startswith(str(path))
    assert [part for part in named if part not in str(error.value)] == []


def test_an_alias_that_is_personal_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValueFile, match="'Telephone' is personal"):
        read_value_file(write_file(tmp_path, "[Contact]\nvalues = ['x']\naliases = ['Telephone']"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadValueFile, match=r"gone\.toml: cannot be read"):
        read_value_file(tmp_path / "gone.toml")


@pytest.mark.parametrize("text", ["x = " + "[" * 20_000, "x = [" + "9" * 5_000 + "]"])
def test_a_file_that_cannot_be_parsed_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadValueFile, match=r"values\.toml: is no TOML"):
        read_value_file(write_file(tmp_path, text))


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    path = write_file(tmp_path, 'Genre = ["Jazz"]', encoding="utf-8-sig")

    assert read_value_file(path) == {"Genre": ((), {"Jazz": FIRST_WEIGHT})}
