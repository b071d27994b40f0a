"""What a language lacks is told with what it is for, and a new file begins with all of it."""

from __future__ import annotations

import tomllib

import pytest

from hiddenweb.language import lexicon
from hiddenweb.language.missing_keys import find_missing_keys, format_missing_keys, main, read_template


@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_comment_says_of_every_key_what_it_is_for(language: str) -> None:
    assert [key.purpose for key in read_template(language) if not key.comment.endswith((".", '"'))] == []


def test_the_template_has_every_key_of_english_and_those_that_only_others_have() -> None:
    keys = {key.purpose for key in read_template()}

    assert set(lexicon.read_language("en")) < keys
    assert {
        "buttons.joining_here",
        "grammar.imperative",
        "dates.format",
        "paging.page",
        "ages.before",
    } <= keys


def test_a_language_that_is_less_well_known_has_its_purposes_in_one_table() -> None:
    keys = {key.purpose for key in read_template("vi")}

    assert {"purposes.little_known.login", "purposes.little_known.cart", "boxes.things"} <= keys
    assert not any(key.startswith(("purposes.plain.", "purposes.other.")) for key in keys)
    assert not any(lexicon.is_little_known_only(key.purpose) for key in read_template("fr"))


def test_what_a_file_excuses_by_a_pattern_is_missing_all_the_same() -> None:
    missing = {key.purpose for key in find_missing_keys("sw")}

    assert lexicon.read_reasons("sw").keys() == {"*"}
    assert "answers.blocked" in missing
    assert missing.isdisjoint(lexicon.read_language("sw"))
    assert find_missing_keys("en") == find_missing_keys("de") == ()


def test_a_new_language_begins_with_every_key_to_fill_in() -> None:
    begun = format_missing_keys("am")

    assert tomllib.loads(begun)["missing"].keys() == {"*"}
    for key in read_template("am"):
        (name,) = tomllib.loads("\n".join(key.example))
        assert f"# {key.comment}\n# {key.example[0]}\n" in begun
        assert key.purpose == f"{key.table}.{name}"


def test_a_language_is_named_by_two_letters(capsys: pytest.CaptureFixture[str]) -> None:
    main(["de"])
    assert capsys.readouterr().out == "# de.toml lacks nothing.\n"

    with pytest.raises(SystemExit, match="usage: "):
        main(["german"])
