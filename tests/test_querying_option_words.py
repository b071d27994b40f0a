"""The words of records tell their choices, where they do."""

from __future__ import annotations

import json

from hiddenweb.querying.option_words import OptionWords

GENRES = {"1": "Drama", "2": "Comedy", "3": "Science fiction"}


def test_a_choice_is_believed_to_be_named_by_its_own_word() -> None:
    tells = OptionWords(GENRES, "en")

    assert tells.guess(("a", "drama", "in", "rome")) == "1"
    assert tells.guess(("a", "fiction")) is None


def test_words_of_records_that_were_found_by_a_choice_tell_it_elsewhere() -> None:
    tells = OptionWords(GENRES)
    for number in range(12):
        tells.learn(("spaceship", f"ship{number}", "the"), "3")
        tells.learn((f"town{number}", "the"), "2")

    assert tells.guess(("a", "spaceship")) == "3"
    assert tells.guess(("the", "end")) is None  # both have it
    assert tells.guess(("ship3",)) is None  # one record may be chance


def test_a_name_that_answers_disprove_is_believed_no_more() -> None:
    tells = OptionWords(GENRES)
    for _ in range(400):
        tells.learn(("drama", "queen"), "2")

    assert tells.guess(("drama",)) == "2"


def test_the_years_of_a_decade_name_it() -> None:
    tells = OptionWords({"a": "1920s", "b": "1930 - 1945", "c": "before 1900"})

    assert tells.guess(("1923",)) == "a"
    assert tells.guess(("1939",)) == "b"
    assert tells.guess(("1899",)) is None
    assert tells.find_named(("made", "1925", "shown", "1931")) == ["a", "b"]


def test_a_word_that_stands_in_several_texts_names_none_of_them() -> None:
    tells = OptionWords({"en": "en", "us": "en-US", "gb": "en-GB", "fr": "fr"})

    assert tells.named == ["fr"]


def test_it_is_known_how_often_words_tell() -> None:
    tells = OptionWords(GENRES)
    for number in range(300):
        tells.guess(("drama",) if number % 2 else ("nothing",))

    assert 0.4 < tells.tells < 0.6


def test_the_most_telling_words_are_written_in_bounded_size_and_read_again() -> None:
    tells = OptionWords({str(number): f"word{number} x" for number in range(100)})
    for number in range(100):
        for time in range(12):
            tells.learn([f"w{number}x{at}" for at in range(50)] + [f"only{number}x{time}"], str(number))
    tells.guess(("w3x1",))

    written = json.dumps(tells.to_json())
    restored = OptionWords({})
    restored.restore(json.loads(written))

    assert len(written) < 30_000
    told = sum(
        restored.guess([f"w{number}x{at}" for at in range(50)]) == str(number) for number in range(100)
    )
    assert told >= 45  # six hundred words are kept, twelve of a choice at most
