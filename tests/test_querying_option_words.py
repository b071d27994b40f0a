"""The words of records tell their choices, where they do."""

from __future__ import annotations

import json

from hiddenweb.querying.option_words import OptionWords

GENRES = {"1": "Drama", "2": "Comedy", "3": "Science fiction"}


def test_a_choice_is_believed_to_be_named_by_its_own_word() -> None:
    option_words = OptionWords(GENRES, "en")

    assert option_words.guess(("a", "drama", "in", "rome")) == "1"
    assert option_words.guess(("a", "fiction")) is None


def test_words_of_records_found_by_a_choice_indicate_it_in_other_records() -> None:
    option_words = OptionWords(GENRES)
    for number in range(12):
        option_words.learn(("spaceship", f"ship{number}", "the"), "3")
        option_words.learn((f"town{number}", "the"), "2")

    assert option_words.guess(("a", "spaceship")) == "3"
    assert option_words.guess(("the", "end")) is None  # both have it
    assert option_words.guess(("ship3",)) is None  # one record may be chance


def test_a_name_that_answers_disprove_is_no_longer_believed() -> None:
    option_words = OptionWords(GENRES)
    for _ in range(400):
        option_words.learn(("drama", "queen"), "2")

    assert option_words.guess(("drama",)) == "2"


def test_the_years_of_a_decade_name_it() -> None:
    option_words = OptionWords({"a": "1920s", "b": "1930 - 1945", "c": "before 1900"})

    assert option_words.guess(("1923",)) == "a"
    assert option_words.guess(("1939",)) == "b"
    assert option_words.guess(("1899",)) is None
    assert option_words.find_named(("made", "1925", "shown", "1931")) == ["a", "b"]


def test_a_word_in_several_texts_names_none_of_them() -> None:
    option_words = OptionWords({"en": "en", "us": "en-US", "gb": "en-GB", "fr": "fr"})

    assert option_words.named == ["fr"]


def test_the_shares_of_guesses_and_of_right_ones_are_known() -> None:
    option_words = OptionWords(GENRES)
    for number in range(300):
        option_words.guess(("drama",) if number % 2 else ("nothing",))

    assert 0.4 < option_words.guessed_share < 0.6


def test_the_most_informative_words_are_saved_in_bounded_size_and_restored() -> None:
    option_words = OptionWords({str(number): f"word{number} x" for number in range(100)})
    for number in range(100):
        for time in range(12):
            option_words.learn(
                [f"w{number}x{at}" for at in range(50)] + [f"only{number}x{time}"], str(number)
            )
    option_words.guess(("w3x1",))

    written = json.dumps(option_words.to_json())
    restored = OptionWords({})
    restored.restore(json.loads(written))

    assert len(written) < 30_000
    guessed = sum(
        restored.guess([f"w{number}x{at}" for at in range(50)]) == str(number) for number in range(100)
    )
    assert guessed >= 45  # six hundred words are saved, at most twelve of a choice
